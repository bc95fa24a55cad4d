import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, deploymentOf, edit, expectEnd, REPOSITORY } from "./stage.ts";

test("verify runs once after DEPLOYED, with variables for what was deployed", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({
    verify: "echo run >> ran; env | grep ^AGENT_DEPLOY_ | sort > seen; echo all well",
  });
  const live = await stage.live();
  expectEnd(run, { outcome: "deployed" });
  expect(stage.workspace.read("ran")).toBe("run\n");
  expect(stage.workspace.read("seen").trim().split("\n")).toEqual([
    `AGENT_DEPLOY_DEPLOYMENT_ID=${live.id}`,
    "AGENT_DEPLOY_NAME=search-agent",
    `AGENT_DEPLOY_REVISION_ID=${live.active_revision_id}`,
    "AGENT_DEPLOY_URL=https://search.example.com",
  ]);
  expect(run.stdout).toContain("all well");
});

test("a verify that uses an address that the service does not return causes a warning", async () => {
  const stage = await createStage(edit(CONTAINER, "custom_url: https://search.example.com", ""));
  const lacking = await stage.run({ verify: 'test -z "$AGENT_DEPLOY_URL"' });
  expectEnd(lacking, { outcome: "deployed" });
  expect(lacking.stdout).toContain(
    "AGENT_DEPLOY_URL is empty, since the service returned no address: set source_config.custom_url",
  );
  const without = await stage.run({ verify: "echo all well" });
  expect(without.stdout).not.toContain("AGENT_DEPLOY_URL");
});

test("a second run after a failed verify fails again, and writes nothing", async () => {
  const stage = await createStage(`${CONTAINER}deploy: { verify: exit 7, on_failure: rollback }\n`);
  expectEnd(await stage.run(), { outcome: "failed" }, 1);
  stage.forget();
  const again = await stage.run();
  expectEnd(again, { outcome: "failed", changed: "false", "revision-status": "DEPLOYED" }, 1);
  expect(deploymentOf(again)).toMatchObject({ action: "none", reason: "verify" });
  expect(deploymentOf(again).rollback).toBeUndefined();
  expect(stage.writes()).toEqual([]);
  // A run that does not wait does not verify.
  expectEnd(await stage.run({ wait: "false" }), { outcome: "unchanged" });
});

test("verify runs after a change in place, and on a revision that was already in progress", async () => {
  const stage = await createStage(REPOSITORY);
  expectEnd(await stage.run({ verify: "echo deployed >> ran" }), { outcome: "deployed" });
  stage.spec(edit(REPOSITORY, "npm ci", "npm install"));
  expectEnd(await stage.run({ verify: "echo updated >> ran; exit 3" }), { outcome: "failed" }, 1);
  stage.spec(edit(REPOSITORY, "first-value", "second-value"));
  expectEnd(await stage.run({ wait: "false", verify: "echo started >> ran" }), {
    outcome: "started",
  });
  const attached = await stage.run({ verify: "echo attached >> ran; exit 4" });
  expectEnd(attached, { outcome: "failed", changed: "false" }, 1);
  expect(stage.workspace.read("ran")).toBe("deployed\nupdated\nattached\n");
});

test("a failed verify fails the deployment, with the end of its output", async () => {
  const stage = await createStage(
    `${CONTAINER}deploy: { verify: "echo smoke is broken; exit 7" }\n`,
  );
  const run = await stage.run();
  expectEnd(run, { outcome: "failed", changed: "true", "revision-status": "DEPLOYED" }, 1);
  expect(deploymentOf(run)).toMatchObject({ outcome: "failed", reason: "verify" });
  expect(run.summary).toContain("smoke is broken");
  expect(run.summary).toContain("or set on-failure: rollback");
});

test("after a failed verify the command line suggests its own flag", async () => {
  const stage = await createStage(`${CONTAINER}deploy: { verify: exit 7 }\n`);
  const { code, stdout } = await stage.cli(["apply", "--poll-interval", "20ms"]);
  expect(code).toBe(1);
  expect(stdout).toContain("or set --on-failure rollback");
});

test("a killed verify has the exit code 128 plus the signal", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ verify: "kill -KILL $$" });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toContain("verify ended with exit code 137");
});

test("a result file that verify writes with `gate-when: before` is uploaded, and reported as not judged", async () => {
  const stage = await createStage(CONTAINER);
  const rows = (score: number): string =>
    JSON.stringify(
      Array.from({ length: 20 }, (_, i) => ({
        inputs: { question: i },
        evaluation_scores: [{ key: "correctness", score }],
      })),
    );
  stage.workspace.write("early.json", rows(1));
  stage.workspace.write("bad.txt", rows(0));
  const run = await stage.run({
    verify: "cp bad.txt late.json",
    experiment: "*.json",
    gate: "correctness >= 0.9",
    "gate-when": "before",
  });
  expectEnd(run, { outcome: "deployed", "gate-verdict": "pass" });
  expect(JSON.parse(run.outputs["experiments"]!)).toHaveLength(2);
  expect(run.stdout).toContain("late.json came after the gates");
  expect(run.stdout).toContain("no gate has judged it");
});

test.each([
  ["an unknown format", { format: "rowz" }, 'there is no format "rowz"'],
  ["a missing mapping", { mapping: "none.yml" }, "none.yml does not exist"],
  ["a mapping that is not a mapping", { mapping: "list.yml" }, "must be YAML lines"],
  ["a mapping of unknown fields", { mapping: "typo.yml" }, "did you mean inputs?"],
  ["a damaged baseline", { baseline: "damaged.json" }, "the baseline"],
  ["a baseline outside the workspace", { baseline: "/etc/passwd" }, "outside the workspace"],
])(
  "%s is refused before anything is sent, even if verify has yet to write the results",
  async (_, inputs, why) => {
    const stage = await createStage(CONTAINER);
    stage.workspace.write("list.yml", "- a\n");
    stage.workspace.write("typo.yml", "inputz.q: q\nevaluation_scores.m: m\n");
    stage.workspace.write("damaged.json", '{"schema":"agent-deploy-baseline/2"}');
    const run = await stage.run({
      ...{ verify: "touch ran", experiment: "late.json", gate: "m drop <= 0.02" },
      ...inputs,
    });
    expectEnd(run, { outcome: "failed", changed: "false" }, 1);
    expect(run.stdout).toContain(why);
    expect(stage.writes()).toEqual([]);
    expect(() => stage.workspace.read("ran")).toThrow();
  },
);

test("gate-when: before without a result file blocks before the first write, with advice", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({
    verify: "touch ran",
    experiment: "late.json",
    gate: "correctness >= 0.9",
    "gate-when": "before",
  });
  expectEnd(run, { outcome: "blocked", "gate-verdict": "fail" }, 1);
  expect(deploymentOf(run).reason).toBe("gate");
  expect(run.stdout).toContain("no file matches late.json");
  expect(run.stdout).toContain("Run the evals in a step before this one");
  expect(run.stdout).toContain("gate-when: after");
  expect(stage.writes()).toEqual([]);
  expect(() => stage.workspace.read("ran")).toThrow();
});

test("a dry run is blocked in the same way", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({
    ...{ verify: "touch ran", experiment: "late.json", gate: "correctness >= 0.9" },
    ...{ "gate-when": "before", "dry-run": "true" },
  });
  expectEnd(run, { outcome: "blocked", "gate-verdict": "fail" }, 1);
  expect(run.stdout).toContain("no file matches late.json");
  expect(stage.writes()).toEqual([]);
});

test("the input overrides the spec", async () => {
  const stage = await createStage(`${CONTAINER}deploy: { verify: exit 7 }\n`);
  expectEnd(await stage.run({ verify: "true" }), { outcome: "deployed" });
});

test("a verify that hangs is stopped by the timeout", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ verify: "sleep 60", timeout: "3s" });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toMatch(/did not end within/);
});

test("verify gets the step's environment without inputs, keys and tokens", async () => {
  const stage = await createStage(CONTAINER);
  const env = {
    MY_OWN: "mine",
    GITHUB_TOKEN: "gh-token",
    LANGSMITH_API_KEY: "other-key",
    AGENT_DEPLOY_API_KEY: "k2",
    COPY_OF_KEY: "test-key",
  };
  expectEnd(await stage.run({ verify: "env > seen" }, { env }), { outcome: "deployed" });
  const seen = stage.workspace.read("seen");
  expect(seen).toContain("MY_OWN=mine");
  expect(seen).not.toMatch(/^INPUT_|^GITHUB_TOKEN=|API_KEY=|test-key/m);
});

test("without bash, verify fails with a hint to install it, and the report has the deployment", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ verify: "true" }, { env: { PATH: stage.workspace.path } });
  expectEnd(run, { outcome: "failed", changed: "true" }, 1);
  expect(run.stdout).toContain("verify needs bash, which is not on the PATH; install it");
  expect(run.outputs["deployment-id"]).toBe((await stage.live()).id);
});

test("output of verify is in the log once", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ verify: "echo smoke is; echo broken; exit 7" });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout.match(/^.*\| (?:smoke is|broken)$/gm)).toEqual([
    "search-agent | smoke is",
    "search-agent | broken",
  ]);
  expect(run.summary).toContain("smoke is\nbroken");
});

test("an unfinished line of verify in the runner's files does not swallow ours", async () => {
  const stage = await createStage(CONTAINER);
  const verify = 'printf own=1 >> "$GITHUB_OUTPUT"; printf "own words" >> "$GITHUB_STEP_SUMMARY"';
  const run = await stage.run({ verify });
  expectEnd(run, { outcome: "deployed", own: "1" });
  expect(run.summary).toMatch(/^own words\n### /m);
});
