// What a person who meets the command line for the first time tripped over.
import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, createStage, edit, expectEnd } from "./stage.ts";

const TWO = `${CONTAINER}---\n${edit(CONTAINER, "search-agent", "other-agent")}`;
const ALL_CORRECT = JSON.stringify(
  Array.from({ length: 12 }, (_, q) => ({
    inputs: { q },
    evaluation_scores: [{ key: "correctness", score: 1 }],
  })),
);
const THREE = `${TWO}---\n${edit(CONTAINER, "search-agent", "third-agent")}`;

test.each([
  ["validate", []],
  ["wait", []],
  ["redeploy", []],
  ["destroy", ["--confirm", "other-agent"]],
] as const)(
  "%s works on the document that --only names, and does not report --only as ineffective",
  async (word, more) => {
    const stage = await createDeployed(TWO);
    const run = await stage.cli([word, "--only", "other-agent", ...more]);
    expect(run.code).toBe(0);
    expect(run.stderr).not.toContain("has no effect");
    expect(run.stdout + run.stderr).not.toContain("search-agent");
  },
);

test("a command for one deployment says how to choose among several documents", async () => {
  const stage = await createDeployed(TWO);
  const run = await stage.cli(["redeploy"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("name one with only, or give deployment-id");
  expect(stage.writes()).toEqual([]);
});

test("plans with the same text are reported in the plural", async () => {
  const stage = await createDeployed(THREE);
  const run = await stage.cli(["plan"]);
  expect(run.stdout).toContain("= search-agent, other-agent and 1 more need no change\n");
});

test.each([
  ["the service names no newer revision", 1],
  ["another revision is newer", 2],
] as const)("a skipped revision: %s", async (_, newest) => {
  const stage = await createDeployed(CONTAINER, {
    overtaken: "skip",
    revisions: [
      {
        revision: 2,
        timeline: [
          { status: "QUEUED", ms: newest === 1 ? 0 : 400 },
          { status: "SKIPPED", ms: 0 },
        ],
      },
      { revision: 3, outcome: "stuck" },
    ],
  });
  stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
  const { id, latest_revision_id: first } = await stage.live();
  const started = stage.start();
  if (newest === 2) {
    let mine = first;
    while (mine === first) mine = (await stage.live()).latest_revision_id;
    await stage.send("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: `registry.example.com/x@sha256:${"c".repeat(64)}` },
    });
  }
  const run = await started.done;
  expectEnd(run, { outcome: "superseded" }, 1);
  const { latest_revision_id: latest } = await stage.live();
  expect(run.summary.includes("for a newer one")).toBe(newest === 2);
  expect(run.summary).toContain(
    newest === 1
      ? `evision ${latest} was skipped by the service, which names no newer one`
      : "was skipped by the service: a newer one overtook it",
  );
});

test("--quiet still prints every deployment and revision that it created", async () => {
  for (const spec of [CONTAINER, TWO]) {
    const stage = await createStage(spec);
    const { stdout } = await stage.cli(["apply", "--quiet"]);
    const { resources } = await stage.get("/v2/deployments?limit=10");
    for (const { id, latest_revision_id } of resources) {
      expect(stdout).toContain(`deployment ${id}`);
      expect(stdout).toContain(`revision ${latest_revision_id}`);
    }
  }
});

test("a refused baseline is reported once, and not as if nothing was done", async () => {
  const stage = await createStage(CONTAINER);
  stage.workspace.write("results.json", ALL_CORRECT);
  const run = await stage.cli([
    ...["gate", "results.json", "--write-baseline", "base.json"],
    ...["--gate", "correctness >= 0.5, correctness drop <= 0.05"],
  ]);
  expect(run.code).toBe(1);
  expect(run.stderr.match(/no baseline was written/g)).toHaveLength(1);
  expect(run.stdout.match(/No baseline was written/g)).toHaveLength(1);
  expect(run.stdout).not.toContain("Nothing was done");
});

test("a gate on a file without scores lists the columns that were not read", async () => {
  const stage = await createStage(CONTAINER);
  stage.workspace.write(
    "results.jsonl",
    Array.from({ length: 12 }, (_, q) =>
      JSON.stringify({ id: q, inputs: { q }, outputs: { a: 1 }, scores: { correctness: 1 } }),
    ).join("\n"),
  );
  const run = await stage.cli(["gate", "results.jsonl", "--gate", "correctness >= 0.5"]);
  expect(run.code).toBe(4);
  expect(run.stdout).toContain("numeric columns not read: id, scores.correctness");
  expect(run.stdout).toContain("a mapping to start from");
});

test("a gate without rows is reported as not judged, not as below its limit", async () => {
  const stage = await createStage(CONTAINER);
  stage.workspace.write("results.json", "[]");
  const run = await stage.cli(["gate", "results.json", "--gate", "correctness >= 0.5"]);
  expect(run.code).toBe(4);
  expect(run.stdout).toContain("The gate failed: correctness cannot be judged\n");
});

test("an accepted run without a known commit warns that later runs do not find it", async () => {
  const stage = await createStage(CONTAINER);
  stage.workspace.write("results.json", ALL_CORRECT);
  const upload = ["upload", "results.json", "--baseline", "experiment:auto", "--accept-baseline"];
  const run = await stage.cli([...upload, "--gate", "correctness drop <= 0.05"]);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain("experiment:auto of later runs does not find this one");
  expect(run.stderr).toContain("accepted, although it is the first baseline with a drop");
  expect(run.stderr).not.toContain("the baseline of later runs");
});

test("an invalid value is reported with its flag or variable", async () => {
  const stage = await createStage(CONTAINER);
  const env = { AGENT_DEPLOY_REGION: "xx" };
  const byVariable = await stage.cli(["list"], env);
  expect(byVariable.code).toBe(2);
  expect(byVariable.stderr).toContain('error: AGENT_DEPLOY_REGION: "xx" is not one of');
  const byFlag = await stage.cli(["list", "--region", "yy"], env);
  expect(byFlag.stderr).toContain('error: --region: "yy" is not one of');
});
