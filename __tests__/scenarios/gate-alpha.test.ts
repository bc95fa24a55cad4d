import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { Report } from "../../src/report/report.ts";
import { CONTAINER, createDeployed, edit } from "./stage.ts";

const rows = (metric: string, scoreAt = (at: number): number => at % 2): string =>
  JSON.stringify(
    Array.from({ length: 20 }, (_, at) => ({
      inputs: { q: at },
      evaluation_scores: [{ key: metric, score: scoreAt(at) }],
    })),
  );

const EARLY = "early.json";
const LATE = "late.json";

const CASES = [
  ["judged once, at the start, uses all of it", EARLY, "", [0.05]],
  ["judged at the start uses nine tenths if verify could write results", EARLY, "true", [0.045]],
  ["changed by verify uses the other tenth", EARLY, `cp made.json ${EARLY}`, [0.045, 0.005]],
  [
    "judged at the start uses half if verify must write a file, which uses the other half",
    `${EARLY}, ${LATE}`,
    `cp made.json ${LATE}`,
    [0.025, 0.025],
  ],
  ["written by verify only uses all of it", LATE, `cp made.json ${LATE}`, [0.05]],
] as const;

test.each(CASES)(
  "one alpha is shared by the run: what is %s",
  async (_, experiment, verify, alphas) => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
    stage.workspace.write(EARLY, rows("score"));
    stage.workspace.write("made.json", rows("other"));
    const run = await stage.run({ verify, experiment, gate: "error_rate <= 0.5" });
    const report = JSON.parse(readFileSync(run.outputs["report"]!, "utf8")) as Report;
    const shares = report.gates.map(({ alpha }) => Number(alpha.toFixed(9)));
    expect([run.code, shares]).toEqual([0, alphas]);
  },
);

test("results judged at the start and after verify are labelled, each with their own rows", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
  stage.workspace.write(
    "base.json",
    rows("score", (at) => Number(at > 0)),
  );
  stage.workspace.write(
    EARLY,
    rows("score", (at) => Number(at > 1)),
  );
  stage.workspace.write(
    "made.json",
    rows("score", () => 0),
  );
  const run = await stage.run({
    verify: `cp made.json ${LATE}`,
    experiment: `${EARLY}, ${LATE}`,
    gate: "score drop <= 0.1",
    baseline: "base.json",
  });
  const report = JSON.parse(readFileSync(run.outputs["report"]!, "utf8")) as Report;
  const drops = report.gates.filter(({ metric }) => metric === "score");
  expect(
    drops.map(({ group, verdict, reason }) => [group, verdict, reason.split(" on ")[0]]),
  ).toEqual([
    ["at the start", "pass", "at the start: score fell from 0.95 to 0.9"],
    ["after verify", "fail", "after verify: score fell from 0.95 to 0"],
  ]);
  expect(report.row_counts.changed).toMatchObject({
    "at the start: score": { worse: 1, better: 0 },
    "after verify: score": { worse: 19, better: 0 },
  });
  expect(run.summary).toContain("19 worse");
});
