import { describe, expect, test } from "@jest/globals";
import { expectWithin } from "../support/busy.ts";
import { runCli, startCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, type Tree } from "../support/tree.ts";
import { CONTAINER, createStage } from "./stage.ts";

const rows = (n: number, score = 1): string =>
  JSON.stringify(
    Array.from({ length: n }, (_, i) => ({
      inputs: { q: i },
      evaluation_scores: [{ key: "m", score }],
    })),
  );
const gate = (workspace: Tree, ...args: string[]): ReturnType<typeof runCli> =>
  runCli(["gate", "head.json", "--json", ...args], { workspace });
const verdicts = (stdout: string): unknown =>
  (JSON.parse(stdout) as { gates: { verdict: string }[] }).gates.map(({ verdict }) => verdict);

describe("a dry run", () => {
  test("prints only the bodies to stdout, one per line, and its end to stderr", async () => {
    const run = await runCli(["upload", "a.json", "b.json", "--dry-run"], {
      workspace: createTree({ "a.json": rows(2), "b.json": rows(3) }),
    });
    expect(run.code).toBe(0);
    expect(
      run.stdout
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { results: unknown[] }).results.length),
    ).toEqual([2, 3]);
    expect(run.stderr).toContain("Dry run of 2 experiments");
  });

  test("with --json ends with the report, also on one line", async () => {
    const run = await runCli(["upload", "a.json", "--dry-run", "--json"], {
      workspace: createTree({ "a.json": rows(2) }),
    });
    const [body, report, ...more] = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([more, Object.keys(body!).includes("results"), report!["version"]]).toEqual([
      [],
      true,
      1,
    ]);
  });
});

describe("a dry run of a writing command", () => {
  const spec = [
    "name: support",
    "source: external_container",
    "source_revision_config: { image_uri: registry.example.com/support:1 }",
  ].join("\n");

  test("plans an apply, prints the bodies and sends nothing", async () => {
    const { url, env, emulator } = await startTestEmulator({});
    const workspace = createTree({ "agent-deploy.yml": spec, "a.json": rows(2) });
    const run = await runCli(
      [
        "apply",
        "--dry-run",
        "--json",
        "--experiment",
        "a.json",
        "--gate",
        "m >= 0.5",
        "--on-failure",
        "rollback",
      ],
      { workspace, env: { ...env, AGENT_DEPLOY_CONTROL_PLANE_URL: url } },
    );
    const [body, report] = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([run.code, (body!["results"] as unknown[]).length, report]).toEqual([
      0,
      2,
      expect.objectContaining({ command: "plan", outcome: "planned", changed: true }),
    ]);
    expect(emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("lists missing result files that verify would write, and does not fail", async () => {
    const { url, env } = await startTestEmulator({});
    const run = await runCli(["apply", "--dry-run", "--experiment", "later.json"], {
      workspace: createTree({ "agent-deploy.yml": spec }),
      env: { ...env, AGENT_DEPLOY_CONTROL_PLANE_URL: url },
    });
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringContaining("no file matches later.json"),
    ]);
  });

  test("is blocked by a plan that is not the expected one", async () => {
    const { url, env } = await startTestEmulator({});
    const run = await runCli(["apply", "--dry-run", "--json", "--expect-plan", "0".repeat(64)], {
      workspace: createTree({ "agent-deploy.yml": spec }),
      env: { ...env, AGENT_DEPLOY_CONTROL_PLANE_URL: url },
    });
    expect([run.code, JSON.parse(run.stdout)]).toEqual([
      1,
      expect.objectContaining({ command: "plan", outcome: "blocked" }),
    ]);
  });

  test("exits with 4 if a gate fails", async () => {
    const { url, env, emulator } = await startTestEmulator({});
    const workspace = createTree({ "agent-deploy.yml": spec, "a.json": rows(20, 0) });
    const run = await runCli(
      ["apply", "--dry-run", "--experiment", "a.json", "--gate", "m >= 0.5"],
      { workspace, env: { ...env, AGENT_DEPLOY_CONTROL_PLANE_URL: url } },
    );
    expect([run.code, emulator.requests().filter(({ method }) => method !== "GET")]).toEqual([
      4,
      [],
    ]);
  });

  test.each([["redeploy"], ["destroy", "--confirm", "support"]])(
    "is refused for %s",
    async (...command) => {
      const { url, env, emulator } = await startTestEmulator({});
      const run = await runCli([...command, "--dry-run"], {
        workspace: createTree({ "agent-deploy.yml": spec }),
        env: { ...env, AGENT_DEPLOY_CONTROL_PLANE_URL: url },
      });
      expect([run.code, run.stderr, emulator.requests()]).toEqual([
        2,
        expect.stringContaining("has no dry run"),
        [],
      ]);
    },
  );
});

describe("results without rows", () => {
  test.each([["[]"], ['{"results": []}']])(
    "fail with exit code 4 as the head: %s",
    async (head) => {
      const run = await gate(createTree({ "head.json": head }), "--gate", "m >= 0.5");
      expect([run.code, verdicts(run.stdout)]).toEqual([4, ["fail"]]);
    },
  );

  test.each([["[]"], ['{"results": []}'], [""], ["\n"]])(
    "as a baseline leave drops inconclusive, while floors are judged: %j",
    async (baseline) => {
      const run = await gate(
        createTree({ "head.json": rows(20), "base.json": baseline }),
        "--gate",
        "m >= 0.5, m drop <= 0.1",
        "--baseline",
        "base.json",
      );
      expect([run.code, verdicts(run.stdout)]).toEqual([0, ["pass", "inconclusive"]]);
    },
  );

  test("are not uploaded", async () => {
    const run = await runCli(["upload", "head.json", "--dry-run"], {
      workspace: createTree({ "head.json": "[]" }),
    });
    expect([run.code, run.stdout, run.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("there are no rows to upload"),
    ]);
  });
});

test("usage errors are printed to stderr", async () => {
  for (const args of [
    ["gate", "head.json"],
    ["gate", "head.json", "--gate", "x >= 1"],
    ["plan"],
    ["upload"],
  ]) {
    const run = await runCli(args, { workspace: createTree({ "head.json": rows(3) }) });
    expect([args, run.code, run.stderr]).toEqual([
      args,
      2,
      expect.stringMatching(/needs gate|x is not in head\.json|does not exist|needs experiment/),
    ]);
  }
});

test("an example is identified by its content, so that two files of the same questions are repeats", async () => {
  const run = await runCli(["gate", "head.json", "again.json", "--json", "--gate", "m >= 0.5"], {
    workspace: createTree({ "head.json": rows(20), "again.json": rows(20) }),
  });
  expect((JSON.parse(run.stdout) as { gates: unknown[] }).gates).toMatchObject([
    { n: 20, repeats: 2 },
  ]);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s while the service calculates cancels within 5 s, and reports the upload",
  async (signal) => {
    const { url, env, emulator } = await startTestEmulator({ lags: { statistics: 600_000 } });
    const child = startCli(["upload", "head.json", "--json"], {
      workspace: createTree({ "head.json": rows(3) }),
      env: { ...env, AGENT_DEPLOY_CONTROL_PLANE_URL: url },
    });
    while (
      !emulator
        .requests()
        .some(({ method, path }) => method === "GET" && path.startsWith("/api/v1/sessions/"))
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
    const at = performance.now();
    child.process.kill(signal);
    const ended = await child.done;
    expectWithin(performance.now() - at, 5_000);
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
      130,
      expect.objectContaining({
        outcome: "cancelled",
        experiments: [expect.objectContaining({ outcome: "uploaded" })],
      }),
    ]);
  },
);

test.each([
  [["--format", "promptfo"], 'no format "promptfo" (did you mean promptfoo?)'],
  [["--drop", "inputs"], '"inputs" can be neither left out nor cut'],
])(
  "%j is refused before the first write, even if verify has yet to write the file",
  async (flags, words) => {
    const stage = await createStage(CONTAINER);
    const run = await stage.cli([
      ...["apply", "--experiment", "made.json", "--verify", "echo [] > made.json"],
      ...flags,
    ]);
    expect([run.code, run.stderr + run.stdout]).toEqual([2, expect.stringContaining(words)]);
    expect(stage.writes()).toEqual([]);
  },
);

describe("accept-baseline for a run that cannot become one", () => {
  const crashed = JSON.stringify(
    Array.from({ length: 20 }, (_, i) => ({ inputs: { q: i }, error: "it broke" })),
  );
  const accepting = ["--write-baseline", "kept.json", "--accept-baseline"];
  const gates = ["--gate", "m >= 0.5\nm drop <= 0.1"];
  const foreign = {
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/agents",
    GITHUB_EVENT_NAME: "pull_request_target",
  };

  test("fails a gate without scores, instead of accepting it", async () => {
    const workspace = createTree({ "head.json": crashed });
    const run = await gate(workspace, ...gates, ...accepting);
    expect(run.code).toBe(4);
    expect(run.stderr).toContain("no baseline was written: no row of head.json has a score");
    expect(run.stderr).not.toContain("This run becomes the first one");
  });

  test("does not let a deploy continue with it", async () => {
    const stage = await createStage(CONTAINER);
    stage.workspace.write("head.json", crashed);
    const run = await stage.cli([
      "apply",
      "--json",
      "--experiment",
      "head.json",
      ...gates,
      ...accepting,
    ]);
    expect(stage.writes()).toEqual([]);
    expect([run.code, JSON.parse(run.stdout).deployments[0].reason]).toEqual([4, "gate"]);
  });

  test("lets gates judge an untrusted run", async () => {
    const event = {
      pull_request: { head: { sha: "a".repeat(40), repo: { full_name: "evil/fork" } } },
      repository: { full_name: "acme/agents" },
    };
    const workspace = createTree({ "head.json": rows(20, 0), "event.json": JSON.stringify(event) });
    const run = await runCli(["gate", "head.json", ...gates, ...accepting], {
      workspace,
      env: { ...foreign, GITHUB_EVENT_PATH: `${workspace.path}/event.json` },
    });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain("no baseline was written: this run is not trusted");
    expect(run.stderr).not.toContain("This run becomes the first one");
  });
});

describe("an upload of results without a score", () => {
  const crashed = JSON.stringify(
    Array.from({ length: 20 }, (_, i) => ({ inputs: { q: i }, error: "it broke" })),
  );
  const words = "inputs.q,outputs.a,grade\na,b,4\nc,d,2\n";

  test("fails its gate if every row crashed, as in gate and apply", async () => {
    const { env, emulator } = await startTestEmulator({});
    const workspace = createTree({ "head.json": crashed });
    const args = ["upload", "head.json", "--gate", "m >= 0.5", "--json"];
    const run = await runCli(args, { workspace, env });
    expect([run.code, JSON.parse(run.stdout).experiments[0].outcome]).toEqual([4, "uploaded"]);
    expect(verdicts(run.stdout)).toEqual(["fail"]);
    expect(emulator.requests().filter(({ method }) => method === "POST")).not.toEqual([]);
  });

  test("sends nothing if the scores were not read", async () => {
    const { env, emulator } = await startTestEmulator({});
    const workspace = createTree({ "head.csv": words });
    const run = await runCli(["upload", "head.csv", "--gate", "grade >= 3"], { workspace, env });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("grade")]);
    expect(emulator.requests().filter(({ method }) => method === "POST")).toEqual([]);
  });
});
