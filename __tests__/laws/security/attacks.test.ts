import { linkSync, symlinkSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, createStage, edit, expectEnd } from "../../scenarios/stage.ts";
import { runCli, startCli } from "../../support/cli-run.ts";
import { shownLog } from "../../support/leak-guard.ts";
import { startProxy } from "../../support/service-proxy.ts";
import { startConnectProxy } from "../../survive/process/front.ts";
import { createTree } from "../../support/tree.ts";

// What an attack on the finished product got through with, each against the program itself.

describe("a fingerprint", () => {
  const SIDECAR = edit(
    CONTAINER,
    "memory_mb: 1024 }",
    `memory_mb: 1024, sidecars: [{ name: p, image: "r.example.com/p@sha256:${"b".repeat(64)}", env: [{ name: LEVEL, value: "${"${LEVEL}"}" }] }] }`,
  );
  test.each<[string, string, readonly string[], object?]>([
    ["the action on a failure", `${SIDECAR}deploy: { on_failure: rollback }\n`, []],
    ["the verify command", `${SIDECAR}deploy: { verify: exit 0 }\n`, []],
    ["the mode of secrets", `${SIDECAR}deploy: { secrets: merge }\n`, []],
    ["force", SIDECAR, ["--force"]],
    ["a container's variable", SIDECAR, [], { LEVEL: "debug" }],
  ])("changes with %s", async (_, spec, flags, env = { LEVEL: "info" }) => {
    const stage = await createStage(SIDECAR);
    const deployed = await stage.cli(["apply", "--poll-interval", "20ms"], { LEVEL: "info" });
    expect(deployed.code).toBe(0);
    const fingerprint = async (text: string, more: readonly string[], given: object) => {
      stage.spec(text);
      const { stdout } = await stage.cli(["plan", "--json", ...more], { ...given });
      return (JSON.parse(stdout) as { fingerprint: string }).fingerprint;
    };
    const before = await fingerprint(SIDECAR, [], { LEVEL: "info" });
    expect(await fingerprint(SIDECAR, [], { LEVEL: "info" })).toBe(before);
    expect(await fingerprint(spec, flags, env)).not.toBe(before);
  });
});

test("a red leg stays red next to a green one of the same name", async () => {
  const workspace = createTree();
  const legs = [
    { name: "red.json", id: "00000000-0000-4000-8000-000000000001", fails: true },
    { name: "green.json", id: "00000000-0000-4000-8000-000000000002", fails: false },
  ];
  for (const { name, fails } of legs) {
    const stage = await createStage(CONTAINER, {
      ...(fails ? { revisions: [{ outcome: "build-failed" }] } : {}),
    } as never);
    await stage.cli(["apply", "--poll-interval", "20ms", "--report-file", name]);
    workspace.write(name, stage.workspace.read(name));
  }
  const run = await runCli(["report", "*.json", "--json"], { workspace });
  const { outcome, deployments } = JSON.parse(run.stdout) as {
    outcome: string;
    deployments: { outcome: string }[];
  };
  expect([run.code, outcome, deployments.map((one) => one.outcome).sort()]).toEqual([
    1,
    "failed",
    ["deployed", "failed"],
  ]);
});

describe("a log of the service shows no part of a secret, in any form", () => {
  const key = `sk-live-${"aB3xQ9".repeat(7)}z`;
  const quoted = 'it\'s "the" <pass> & w\\ord';
  const env = {
    A: "postgres://app:p%40ss-w0rd-4711@db.example.com/x",
    B: JSON.stringify({ nested: [{ private_key_id: "0123456789abcdef4711" }] }),
    C: quoted,
    D: key,
    E: "bell\u0007 and \u007f delete",
  };
  test.each([
    ["the password of an address", "p@ss-w0rd-4711"],
    ["a leaf of JSON", "0123456789abcdef4711"],
    ["Python's quotes", quoted.replaceAll("\\", "\\\\").replaceAll("'", "\\'")],
    ["Go's quotes", quoted.replaceAll("\\", "\\\\").replaceAll('"', '\\"')],
    ["Go's own escapes, which JSON does not have", "bell\\a and \\x7f delete"],
    ["HTML", "it&#39;s &#34;the&#34; &lt;pass&gt; &amp; w\\ord"],
    ["47 of 51 characters", key.slice(0, 47)],
  ])("%s", async (_, form) => {
    const stage = await createStage(
      CONTAINER.replace(/secrets:[\s\S]*$/, "secrets: [A, B, C, D, E]\n"),
      {
        revisions: [{ outcome: "build-failed", status_message: form, log: [`x ${form} y`] }],
      } as never,
    );
    const run = await stage.cli(["apply", "--poll-interval", "20ms"], env);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("***");
    expect(run.stdout + run.stderr).not.toContain(form);
  });
});

test("the first line of a verify command shows no token that the spec puts there", async () => {
  const token = "npm_0123456789abcdefABCDEF";
  const stage = await createStage(`${CONTAINER}deploy:\n  verify: "true --token \${NPM_TOKEN}"\n`);
  const run = await stage.run({}, { env: { NPM_TOKEN: token }, mayLeak: "judged here" });
  expectEnd(run, { outcome: "deployed" });
  expect(shownLog(run)).toContain("verify: true --token ${NPM_TOKEN}");
  expect(shownLog(run)).not.toContain(token);
});

test("an event that cannot be read is not trusted: nothing is written, not even a baseline", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "max_scale: 3", "max_scale: 9"));
  stage.workspace.write(
    "rows.jsonl",
    `${JSON.stringify({ inputs: { q: 1 }, evaluation_scores: [{ key: "m", score: 1 }] })}\n`,
  );
  for (const name of ["issue_comment", "check_run", "discussion_comment", "workflow_run"]) {
    const event = { name, payload: null };
    expectEnd(await stage.run({}, { event }), { outcome: "blocked" }, 1);
    const given = { experiment: "rows.jsonl", gate: "m >= 0.1", "write-baseline": "b.json" };
    await stage.run({ ...given, command: "gate" }, { event });
    expect([name, stage.workspace.has("b.json")]).toEqual([name, false]);
  }
  expect(stage.writes()).toEqual([]);
});

describe("the emulator", () => {
  const children: ReturnType<typeof startCli>[] = [];
  afterAll(() => {
    for (const one of children) one.process.kill();
  });

  test("does not answer to the name of another site in the Host header (DNS rebinding)", async () => {
    const started = startCli(["emulator", "--port", "0"]);
    children.push(started);
    const [url] = await started.until(/http:\/\/\S+/);
    const ask = (host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { host, "x-api-key": "k" };
        get(`${url}/v2/deployments`, { headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        }).on("error", reject);
      });
    expect([await ask("evil.example.com"), await ask("localhost")]).toEqual([403, 200]);
  });

  test.each([
    ["a symbolic link", symlinkSync],
    ["a hard link", linkSync],
  ])("opens no state file through %s", async (_, link) => {
    const workspace = createTree({ "precious.txt": "" });
    link(join(workspace.path, "precious.txt"), join(workspace.path, "state.json"));
    const started = startCli(["emulator", "--port", "0", "--state", "state.json"], { workspace });
    children.push(started);
    const ended = await Promise.race([
      started.done.then(({ code, stderr }) => [code, stderr]),
      started.until(/http:\/\/\S+/).then(
        () => "it serves",
        () => started.done,
      ),
    ]);
    expect(ended).not.toBe("it serves");
    expect(workspace.read("precious.txt")).toBe("");
  });
});

test("a key goes to no host whose name only begins like a known one: tracing-url is required", async () => {
  const proxy = await startConnectProxy({});
  const workspace = createTree({ "agent-deploy.yml": CONTAINER });
  const run = await runCli(["plan"], {
    workspace,
    env: {
      AGENT_DEPLOY_API_KEY: "lsv2_sk_0123456789",
      AGENT_DEPLOY_CONTROL_PLANE_URL: "https://api.host.invalid",
      HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
    },
  });
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("tracing-url")]);
  expect([proxy.tunnels, proxy.refused]).toEqual([[], []]);
});

test("a javascript: address of a deployment is not an output", async () => {
  const stage = await createStage(CONTAINER);
  const url = await startProxy(stage.emulator.url, async ({ forward }) => {
    const { status, body } = await forward();
    const spoiled = String(body).replaceAll("https://search.example.com", "javascript:alert(1)//x");
    return { status, body: spoiled };
  });
  stage.spec(CONTAINER.replace(/ {2}custom_url: .*\n/, ""));
  await stage.send("POST", "/v2/deployments", {
    name: "search-agent",
    source: "external_container",
    source_config: {
      custom_url: "https://search.example.com",
      resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 },
    },
    source_revision_config: {
      image_uri: `registry.example.com/acme/search@sha256:${"a".repeat(64)}`,
    },
    secrets: [
      { name: "API_TOKEN", value: "first-value" },
      { name: "DB_URL", value: "postgres://db/search" },
    ],
  });
  const run = await stage.run({ "control-plane-url": url, "tracing-url": url });
  expect([run.code, run.outputs["url"]]).toEqual([0, ""]);
  expect(run.summary).not.toContain("javascript:");
});
