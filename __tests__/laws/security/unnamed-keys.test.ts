import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, createStage, edit, expectEnd } from "../../scenarios/stage.ts";
import { startFakeGithub } from "../../host/fake-github.ts";
import { pullRequestRun } from "../../host/pull-request-run.ts";
import { runAction } from "../../support/action-run.ts";
import { shownLog } from "../../support/leak-guard.ts";
import { createTree } from "../../support/tree.ts";

// Keys that no spec and no input of a run names, and that it meets anyway.
const KEY = "sk-proj-4fQ9zT2mX8vL1cR7wB5nK3jH6yD0";
const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** Answers everything so; what it was asked with. */
async function startEcho(
  answer: (headers: Record<string, unknown>) => { status: number; type: string; body: string },
): Promise<string> {
  const server = createServer((request, response) => {
    const { status, type, body } = answer(request.headers);
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("an error of the service, shown by a command that has read no spec", () => {
  const told = async (detail: string): Promise<string> => {
    const stage = await createStage(CONTAINER, {
      faults: [
        { route: "GET /v2/deployments", kind: "status", status: 403, body: { detail }, times: 0 },
      ],
    } as never);
    const run = await stage.cli(["list"]);
    expect(run.code).toBe(1);
    return run.stderr;
  };

  test.each([
    ["a key by its beginning", `the row ${KEY} is locked`, KEY],
    ["a bearer form", "sent Authorization: Bearer 0b6f8f7e3c1d4c57", "0b6f8f7e3c1d4c57"],
    ["a basic form", 'header "Basic YXBwOmh1bnRlcjI="', "YXBwOmh1bnRlcjI="],
    ["a named value", "while setting DB_PASSWORD=hunter2-of-prod", "hunter2-of-prod"],
    ["a value in JSON", 'row {"name":"DB","value":"hunter2-of-prod"}', "hunter2-of-prod"],
    ["a value in Python", "row {'name': 'DB', 'value': 'hunter2-of-prod'}", "hunter2-of-prod"],
  ])("is shown without %s", async (_, detail, secret) => {
    const text = await told(detail);
    expect(text).not.toContain(secret);
    expect(text).toContain("***");
  });

  test("is shown with ids, digests, tags and names", async () => {
    const detail =
      "request 4bf92f3577b34da6a3ce929d0e0e4736: image r.example.com/a:main-20240131T101112-abc123def, " +
      `digest sha256:${"ab12".repeat(16)}, secret OPENAI_API_KEY_2 of support-agent-pr-7`;
    expect(await told(detail)).toContain(detail);
  });
});

test("a gateway's page with a secret is shown without it", async () => {
  const secret = "pa'ss\"w&rd<4711>";
  const written = "pa&#x27;ss&quot;w&amp;rd&lt;4711&gt;";
  const stage = await createStage(CONTAINER.replace("first-value", () => JSON.stringify(secret)));
  const address = await startEcho(() => ({
    status: 403,
    type: "text/html",
    body: `<html><title>${written}</title></html>`,
  }));
  const run = await stage.cli(["plan"], {
    AGENT_DEPLOY_CONTROL_PLANE_URL: address,
    AGENT_DEPLOY_TRACING_URL: address,
  });
  const shown = run.stdout + run.stderr;
  expect(shown).toContain("***");
  for (const part of [secret, written, "pa&#x27;ss", "w&rd"]) expect(shown).not.toContain(part);
});

test("a key of verify's environment is shown as the name of its variable in every sink", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run(
    { verify: 'echo "calling with $OPENAI_API_KEY as $RUN_AUTHOR"; exit 1' },
    { env: { OPENAI_API_KEY: KEY, RUN_AUTHOR: "octocat" }, mayLeak: "judged here" },
  );
  expectEnd(run, { outcome: "failed" }, 1);
  expect(shownLog(run) + run.summary + JSON.stringify(run.outputs)).not.toContain(KEY);
  expect(run.summary).toContain("calling with ${OPENAI_API_KEY} as octocat");
});

describe("keys of the step's environment that a result file repeats", () => {
  const PASSWORD = "correct-horse-battery-staple";
  const env = { OPENAI_API_KEY: KEY, DB_PASSWORD: PASSWORD, DEPLOY_KEY: "main", AUTHOR: "octocat" };
  const rows = (score: number, answer: string): string =>
    JSON.stringify(
      Array.from({ length: 30 }, (_, at) => ({
        inputs: { q: `q${at}` },
        actual_outputs: { answer },
        evaluation_scores: [{ key: "correctness", score }],
      })),
    );
  const files = {
    "head.json": rows(0, `octocat of main uses ${KEY} and ${PASSWORD}`),
    "base.json": rows(1, "fine"),
  };
  const inputs = {
    experiment: "head.json",
    baseline: "base.json",
    gate: "correctness drop <= 0.02",
  };

  test.each(["gate", "upload"])(
    "are shown as their variables by %s, in every sink",
    async (command) => {
      const github = await startFakeGithub();
      open.push({ close: () => void github.close() });
      const { event, env: ofPull } = pullRequestRun(github);
      const stage = await createStage(CONTAINER);
      for (const [name, text] of Object.entries(files)) stage.workspace.write(name, text);
      const run = await stage.run(
        { ...inputs, command, "github-token": github.token, "report-file": "report.json" },
        { event, env: { ...ofPull, ...env }, mayLeak: "judged here" },
      );
      expect(run.code).toBe(1);
      const comment = (await github.comments()).map(({ body }) => body).join("\n");
      const report = stage.workspace.read("report.json");
      for (const sink of [shownLog(run), run.summary, comment, report, JSON.stringify(run.outputs)])
        for (const secret of [KEY, PASSWORD]) expect(sink).not.toContain(secret);
      expect(comment).toMatch(
        /octocat of main uses \$\{OPENAI_API_KEY\}\s+(?:[+!] )?and \$\{DB_PASSWORD\}/,
      );
    },
  );

  test("are shown as their variables in the bodies of a dry run on the command line", async () => {
    const stage = await createStage(CONTAINER);
    for (const [name, text] of Object.entries(files)) stage.workspace.write(name, text);
    const run = await stage.cli(["upload", "--experiment", "head.json", "--dry-run"], env);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("octocat of main uses ${OPENAI_API_KEY} and ${DB_PASSWORD}");
    expect(run.stdout).not.toContain(PASSWORD);
  });
});

test("the post step does not print the token that GitHub repeats to it", async () => {
  const token = "ghs_0123456789abcdefghij";
  const address = await startEcho((headers) => ({
    status: 403,
    type: "application/json",
    body: JSON.stringify({ message: `refused ${String(headers["authorization"])}\n::error::x` }),
  }));
  const run = await runAction(
    { "github-token": token },
    {
      entry: "post",
      env: { GITHUB_API_URL: address },
      state: {
        agent_deploy_sinks: JSON.stringify({ open: true, commentId: 1, deploymentId: 2 }),
      },
      mayLeak: "judged here",
    },
  );
  expect(run.stdout).toContain("was not closed: refused ");
  expect(run.stdout + run.stderr).not.toContain(token);
  expect(run.stdout).not.toMatch(/^::error::/m);
});

describe("a key in the arguments of a live container", () => {
  const spec = edit(
    CONTAINER,
    "resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 }",
    `resource_spec:
    cpu: 1
    sidecars:
      - name: proxy
        image: r.example.com/proxy@sha256:${"b".repeat(64)}
        args: ["--token=${KEY}", "--mode", "main-20240131", "/usr/lib/x86_64-linux-gnu/a.so"]`,
  );

  test("is exported as the name of a variable, with which the spec plans no change", async () => {
    const stage = await createDeployed(spec);
    const { stdout, code } = await stage.cli(["export", "--all"]);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining(KEY)]);
    expect(stdout).toContain("--token=${PROXY_0_COMMAND_KEY}");
    expect(stdout).toContain("# resource_spec: ${PROXY_0_COMMAND_KEY} holds what looks like");
    expect(stdout).toContain("/usr/lib/x86_64-linux-gnu/a.so");
    stage.spec(stdout);
    const env = {
      PROXY_0_COMMAND_KEY: KEY,
      API_TOKEN: "first-value",
      DB_URL: "postgres://db/search",
    };
    const plan = await stage.cli(["plan", "--json"], env);
    expect(JSON.parse(plan.stdout)).toMatchObject({ outcome: "unchanged" });
    expect(plan.stdout).not.toContain(KEY);
  });

  test("is in no sink of a plan that removes it", async () => {
    const stage = await createDeployed(spec);
    stage.spec(edit(spec, `--token=${KEY}`, "--token-file=/run/token"));
    const run = await stage.run({ command: "plan" });
    expectEnd(run, { outcome: "planned" });
    expect(shownLog(run) + run.summary + JSON.stringify(run.outputs)).not.toContain(KEY);
    expect(run.summary).toContain("--token-file=/run/token");
  });
});

test("the name of a target that is a secret of the spec is not shown in any sink", async () => {
  const secret = "q8-target-of-the-spec-4711";
  const spec = `${edit(CONTAINER, "first-value", secret)}deploy:\n  targets: { ${secret}: {} }\n`;
  const stage = await createStage(spec);
  for (const target of [secret, `${secret}x`]) {
    const run = await stage.run({ command: "plan", target }, { mayLeak: "judged here" });
    const report = JSON.stringify(run.outputs) + run.summary + shownLog(run) + run.stderr;
    expect([target, report.includes(secret)]).toEqual([target, false]);
  }
});

test("each part of a secret, even a short one, is also found in base64", async () => {
  const workspace = createTree({
    "agent-deploy.yml": edit(CONTAINER, "first-value", "app=1;password=p4ss-w0rd"),
  });
  const stage = await createStage(workspace.read("agent-deploy.yml"));
  const run = await stage.cli(["apply", "--verify", "printf %s p4ss-w0rd | base64; exit 1"]);
  expect(run.code).toBe(1);
  expect(run.stdout + run.stderr).not.toContain(Buffer.from("p4ss-w0rd").toString("base64"));
});
