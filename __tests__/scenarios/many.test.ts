import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, edit, expectEnd, movedByRequests } from "./stage.ts";

const named = (name: string): string => edit(CONTAINER, "search-agent", name);
const specs = (...names: string[]): string => names.map(named).join("---\n");
const ends = (run: { outputs: Readonly<Record<string, string>> }): unknown =>
  JSON.parse(run.outputs["deployments"]!).map((one: { name: string; outcome: string }) => [
    one.name,
    one.outcome,
  ]);

test("two documents give two rows in the order of the spec, and no outputs for a single deployment", async () => {
  const stage = await createStage(specs("zebra", "ant"));
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed" });
  expect(ends(run)).toEqual([
    ["zebra", "deployed"],
    ["ant", "deployed"],
  ]);
  expect(run.outputs).not.toHaveProperty("deployment-id");
  expect(stage.writes()).toHaveLength(2);
});

test("one failure does not stop the others, and the worst outcome is the run's", async () => {
  const stage = await createStage(specs("one", "two", "three"), {
    revisions: [{ deployment: "one", outcome: "build-failed" }],
  });
  const run = await stage.run({ concurrency: "1" });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(ends(run)).toEqual([
    ["one", "failed"],
    ["two", "deployed"],
    ["three", "deployed"],
  ]);
});

test("fail-fast starts nothing after a failure, and reports the rest as not-run", async () => {
  const stage = await createStage(specs("one", "two", "three"), {
    revisions: [{ deployment: "two", outcome: "build-failed" }],
  });
  const run = await stage.run({ concurrency: "1", "fail-fast": "true" });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(ends(run)).toEqual([
    ["one", "deployed"],
    ["two", "failed"],
    ["three", "not-run"],
  ]);
  expect(stage.writes()).toHaveLength(2);
});

test("fail-fast waits for what has started", async () => {
  const stage = await createStage(specs("one", "two", "three"), {
    revisions: [{ deployment: "one", outcome: "create-failed" }],
    clock: movedByRequests(10),
    phases: { DEPLOYING: 600 },
  });
  const run = await stage.run({ concurrency: "2", "fail-fast": "true" });
  expect(ends(run)).toEqual([
    ["one", "failed"],
    ["two", "deployed"],
    ["three", "not-run"],
  ]);
});

test("only takes exact names, and the others are not changed or listed", async () => {
  const stage = await createStage(specs("one", "one-more"));
  const run = await stage.run({ only: "one" });
  expectEnd(run, { outcome: "deployed" });
  expect(ends(run)).toEqual([["one", "deployed"]]);
  const wrong = await stage.cli(["plan", "--only", "onee"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stdout + wrong.stderr).toContain("did you mean one?");
});

test("the matrix has exactly the documents with work", async () => {
  const stage = await createStage(specs("one", "two"));
  expectEnd(await stage.run({ only: "one" }), { outcome: "deployed" });
  const plan = await stage.run({ command: "plan" });
  expectEnd(plan, { outcome: "planned" });
  expect(JSON.parse(plan.outputs["matrix"]!)).toEqual({
    include: [
      {
        name: "two",
        names: "two",
        action: "create",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
  });
});

test("deployment-id with more than one document is an error, and nothing is sent", async () => {
  const stage = await createStage(specs("one", "two"));
  expectEnd(
    await stage.run({ "deployment-id": "11111111-1111-4111-8111-111111111111" }),
    { outcome: "failed", changed: "false" },
    1,
  );
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test("many concurrent deployments cause no listener warning of Node", async () => {
  const names = Array.from({ length: 14 }, (_, n) => `agent-${n}`);
  const stage = await createStage(specs(...names));
  const applied = await stage.run({ concurrency: "14" });
  expectEnd(applied, { outcome: "deployed" });
  const waited = await stage.run({ command: "wait" });
  expectEnd(waited, { outcome: "deployed" });
  for (const { stdout, stderr } of [applied, waited])
    expect(stdout + stderr).not.toContain("MaxListenersExceededWarning");
});

test("names with commas, bars, quotes and spaces are passed unchanged through matrix and only", async () => {
  const names = ["a, b", "c|d", 'e "f"', "g h", "i,j"];
  const quoted = (name: string): string => edit(CONTAINER, "search-agent", JSON.stringify(name));
  const stage = await createStage(names.map(quoted).join("---\n"));
  const plan = await stage.run({ command: "plan", "matrix-size": "2" });
  const { include } = JSON.parse(plan.outputs["matrix"]!) as { include: { names: string }[] };
  expect(include).toHaveLength(2);
  for (const leg of include)
    expectEnd(await stage.run({ only: leg.names }), { outcome: "deployed" });
  const { resources } = await stage.get("/v2/deployments?limit=100");
  expect(resources.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
  const again = await stage.run({ only: include[0]!.names });
  expectEnd(again, { outcome: "unchanged" });
});

test.each([
  ["one is the value of a secret", ["support-agent", "search-agent"], "secrets", "support-agent"],
  ["a secret is part of them", ["agent-prod", "search-prod"], "secrets", "prod"],
  [
    "a variable with a secret's name fills them",
    ["a-${AUTHOR}", "b-${AUTHOR}"],
    "name",
    "bobsmith",
  ],
])(
  "legs of a matrix and the report of a plan find documents by name, although %s",
  async (_, names, place, value) => {
    const given = names.map(named).join("---\n");
    const text =
      place === "name" ? given : given.replaceAll("secrets:\n", "secrets:\n  - APP_SETTING\n");
    const stage = await createStage(text);
    const env = { AUTHOR: value, APP_SETTING: value };
    const plan = await stage.run({ command: "plan", "report-file": "plan.json" }, { env });
    const legs: { names: string; fingerprint: string }[] = JSON.parse(
      plan.outputs["matrix"]!,
    ).include;
    expect(legs.map((leg) => leg.names)).toEqual(names);
    const first = await stage.run(
      { only: legs[0]!.names, "expect-plan": legs[0]!.fingerprint },
      { env },
    );
    expectEnd(first, { outcome: "deployed" });
    expect(ends(first)).toEqual([[names[0], "deployed"]]);
    const all = await stage.run({ "expect-plan": "plan.json" }, { env });
    expectEnd(all, { outcome: "deployed" });
    expect(ends(all)).toEqual([
      [names[0], "unchanged"],
      [names[1], "deployed"],
    ]);
  },
);
