import { describe, expect, test } from "@jest/globals";
import { startFakeGithub } from "../../host/fake-github.ts";
import { expectWithin } from "../../support/busy.ts";
import { runAction } from "../../support/action-run.ts";
import { runCli } from "../../support/cli-run.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";
import { repohost } from "../../survive/flow.ts";
import {
  createAuthority,
  forwardTo,
  startConnectProxy,
  startFront,
  startSecureFront,
} from "../../survive/process/front.ts";

const spec = (): ReturnType<typeof createTree> => createTree({ "agent-deploy.yml": repohost() });
const SERVICE = "service.test";
const GITHUB = "github.test";

describe("through a CONNECT proxy with a password, and a private authority", () => {
  const authority = createAuthority([SERVICE, GITHUB]);
  const skipped = (): boolean => {
    if (authority === null) console.log("skipped: no openssl on this machine");
    return authority === null;
  };
  async function stage(): Promise<{
    emulator: Awaited<ReturnType<typeof startTestEmulator>>;
    github: Awaited<ReturnType<typeof startFakeGithub>>;
    proxy: Awaited<ReturnType<typeof startConnectProxy>>;
    env: Record<string, string>;
  }> {
    const emulator = await startTestEmulator();
    const github = await startFakeGithub();
    const proxy = await startConnectProxy({
      [`${SERVICE}:443`]: await startSecureFront(authority!, forwardTo(emulator.url)),
      [`${GITHUB}:443`]: await startSecureFront(authority!, forwardTo(github.url)),
    });
    return {
      emulator,
      github,
      proxy,
      env: {
        HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
        NODE_EXTRA_CA_CERTS: authority!.caFile,
      },
    };
  }
  const inputs = {
    "api-key": "test-key",
    "control-plane-url": `https://${SERVICE}/api-host`,
    "tracing-url": `https://${SERVICE}/api`,
    "poll-interval": "20ms",
  };

  test("the service and GitHub are both reached", async () => {
    if (skipped()) return;
    const { emulator, github, proxy, env } = await stage();
    const run = await runAction(
      { ...inputs, command: "apply", environment: "production", "github-token": github.token },
      {
        workspace: spec(),
        env: { ...env, GITHUB_API_URL: `https://${GITHUB}`, GITHUB_REPOSITORY: "octocat/agents" },
      },
    );
    await github.close();
    expect([run.outputs["outcome"], run.code, run.stdout + run.stderr]).toEqual([
      "deployed",
      0,
      expect.any(String),
    ]);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${SERVICE}:443`, `${GITHUB}:443`]));
    expect(emulator.writes().length).toBe(1);
    expect(github.deployments.map(({ statuses }) => statuses.at(-1)?.["state"])).toEqual([
      "success",
    ]);
    expect(run.stdout + run.stderr).not.toContain("p%40ss");
  });
  test("without the authority, or with a wrong password, the error names the variable to set and shows no password", async () => {
    if (skipped()) return;
    const { emulator, github, proxy, env } = await stage();
    await github.close();
    const cli = {
      AGENT_DEPLOY_API_KEY: "test-key",
      AGENT_DEPLOY_CONTROL_PLANE_URL: `https://${SERVICE}/api-host`,
      AGENT_DEPLOY_TRACING_URL: `https://${SERVICE}/api`,
    };
    const untrusted = await runCli(["plan"], {
      workspace: spec(),
      env: { ...cli, HTTPS_PROXY: env["HTTPS_PROXY"]! },
    });
    expect([untrusted.code, untrusted.stderr + untrusted.stdout]).toEqual([
      1,
      expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    ]);
    const refused = await runCli(["plan"], {
      workspace: spec(),
      env: { ...cli, ...env, HTTPS_PROXY: `http://user:hunter2@127.0.0.1:${proxy.port}` },
    });
    expect([refused.code, refused.stderr + refused.stdout]).toEqual([
      1,
      expect.stringMatching(/proxy wants a user and password .*HTTPS_PROXY/),
    ]);
    expect(refused.stderr + refused.stdout).not.toContain("hunter2");
    expect(emulator.emulator.requests()).toEqual([]);
  });
  const NETWORKS = ["127.0.0.1", "127.0.0.0/8", "10.0.0.0/8, 127.0.0.1/32"];
  test.each(NETWORKS)("NO_PROXY=%s bypasses the proxy", async (noProxy) => {
    const emulator = await startTestEmulator();
    const proxy = await startConnectProxy({});
    const env = { ...emulator.env, HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` };
    expect(
      (await runCli(["plan"], { workspace: spec(), env: { ...env, NO_PROXY: noProxy } })).code,
    ).toBe(0);
    expect([proxy.tunnels, proxy.refused]).toEqual([[], []]);
  });
  test.each(["", "10.0.0.0/8,127.0.0.1/33", "fd00::/8"])(
    "NO_PROXY=%s, which does not hold the address, goes through the proxy",
    async (noProxy) => {
      const emulator = await startTestEmulator();
      const proxy = await startConnectProxy({});
      const HTTP_PROXY = `http://user:p%40ss@127.0.0.1:${proxy.port}`;
      const through = await runCli(["plan", "--timeout", "1s"], {
        workspace: spec(),
        env: { ...emulator.env, HTTP_PROXY, NO_PROXY: noProxy },
      });
      expect([through.code, through.stdout + through.stderr]).toEqual([
        1,
        expect.stringMatching(/the proxy did not connect to 127\.0\.0\.1/),
      ]);
    },
  );
  test("NO_PROXY bypasses the proxy for GitHub too", async () => {
    const emulator = await startTestEmulator();
    const github = await startFakeGithub();
    const proxy = await startConnectProxy({});
    const run = await runAction(
      {
        ...emulator.inputs,
        command: "apply",
        environment: "production",
        "poll-interval": "20ms",
        "github-token": github.token,
      },
      {
        workspace: spec(),
        env: {
          HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
          NO_PROXY: "127.0.0.1",
          GITHUB_API_URL: github.url,
          GITHUB_REPOSITORY: "octocat/agents",
        },
      },
    );
    await github.close();
    expect([
      run.outputs["outcome"],
      github.deployments.map(({ statuses }) => statuses.at(-1)?.["state"]),
    ]).toEqual(["deployed", ["success"]]);
    expect([proxy.tunnels, proxy.refused]).toEqual([[], []]);
  });
});

describe("addresses and credentials", () => {
  const plan = async (
    env: Record<string, string>,
    args: readonly string[] = [],
  ): Promise<{ code: number | null; text: string }> => {
    const run = await runCli(["plan", ...args], { workspace: spec(), env });
    return { code: run.code, text: run.stdout + run.stderr };
  };
  test("plain http to another machine is refused before anything is sent", async () => {
    const { code, text } = await plan({
      AGENT_DEPLOY_API_KEY: "k",
      AGENT_DEPLOY_CONTROL_PLANE_URL: "http://deploy.example.com/api-host",
    });
    expect([code, text]).toEqual([
      2,
      expect.stringMatching(/control-plane-url: plain http to deploy\.example\.com is refused/),
    ]);
  });
  test("a redirect to another origin is refused: the key is not sent there, and the input is named", async () => {
    const strangers: string[] = [];
    const stranger = await startFront((request, response) => {
      strangers.push(String(request.headers["x-api-key"]));
      response.end("{}");
    });
    const front = await startFront((_, response) => {
      response.writeHead(307, { location: `${stranger}/v2/deployments` }).end();
    });
    const started = performance.now();
    const { code, text } = await plan(
      {
        AGENT_DEPLOY_API_KEY: "k",
        AGENT_DEPLOY_CONTROL_PLANE_URL: front,
        AGENT_DEPLOY_TRACING_URL: front,
      },
      ["--timeout", "5s"],
    );
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(
        /redirects to http:\/\/127\.0\.0\.1:\d+, which is refused.*Set control-plane-url/,
      ),
    ]);
    expect(strangers).toEqual([]);
    expectWithin(performance.now() - started, 10_000);
  });
  test("a key of another region gets 403, and region is named first", async () => {
    const emulator = await startTestEmulator({
      apiKeys: [{ key: "eu-key", region: "eu" }],
      region: "us",
    });
    const { code, text } = await plan({ ...emulator.env, AGENT_DEPLOY_API_KEY: "eu-key" });
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(
        /403.*Check region \(the address comes from control-plane-url\).*tenant-id/,
      ),
    ]);
  });
  test("a key of an organisation without a workspace gets an error that names tenant-id", async () => {
    const emulator = await startTestEmulator({
      apiKeys: [{ key: "org-key", scope: "organization" }],
    });
    const { code, text } = await plan({ ...emulator.env, AGENT_DEPLOY_API_KEY: "org-key" });
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/403.*Check tenant-id \(an organization key needs it\)/),
    ]);
  });
  test("an unknown key gets 401 and names api-key, and a bearer token without a workspace names tenant-id and sends nothing", async () => {
    const emulator = await startTestEmulator({
      apiKeys: ["right"],
      bearerTokens: ["bearer-of-mine"],
    });
    const unknown = await plan({ ...emulator.env, AGENT_DEPLOY_API_KEY: "wrong-key" });
    expect([unknown.code, unknown.text]).toEqual([
      1,
      expect.stringMatching(/401.*The api-key is not accepted/),
    ]);
    expect(unknown.text).not.toContain("wrong-key");
    emulator.emulator.clearRequests();
    const { AGENT_DEPLOY_API_KEY: _, ...rest } = emulator.env;
    const bearer = await plan({ ...rest, AGENT_DEPLOY_BEARER_TOKEN: "bearer-of-mine" });
    expect([bearer.code, bearer.text]).toEqual([
      2,
      expect.stringMatching(/tenant-id: is needed with bearer-token/),
    ]);
    expect(emulator.emulator.requests()).toEqual([]);
  });
  test("an invalid rate limit is a usage error", async () => {
    const emulator = await startTestEmulator();
    expect(await plan({ ...emulator.env, AGENT_DEPLOY_RATE_LIMIT: "fast" })).toEqual({
      code: 2,
      text: expect.stringMatching(/AGENT_DEPLOY_RATE_LIMIT: "fast" is not a rate limit/),
    });
  });
});
