import { describe, expect, test } from "@jest/globals";
import { parseInputs } from "../../src/cli/input-values.ts";
import { mergeReports } from "../../src/report/merge.ts";
import { parseNeeds, withNeeds } from "../../src/report/needs.ts";
import type { Outcome } from "../../src/report/outcome.ts";
import type { Report } from "../../src/report/report.ts";
import { describeWaves, toMatrix } from "../../src/commands/matrix.ts";
import { toFailureLimit } from "../../src/commands/waves.ts";
import { DEFAULT_LIMIT, shareOf } from "../../src/service/budget.ts";
import { deployment, plan, report } from "./sample-reports.ts";

const planned = (count: number, action: "create" | "update" = "update") =>
  Array.from({ length: count }, (_, index) =>
    deployment({
      name: `agent-${index}`,
      action,
      outcome: "planned",
      plan: plan({ name: `agent-${index}`, fingerprint: `f${index}` }),
    }),
  );

describe("the matrix", () => {
  test("has one deployment a leg while they fit", () => {
    const legs = toMatrix(planned(3), () => 0, 200);
    expect(legs.map(({ name, names }) => [name, names])).toEqual([
      ["agent-0", "agent-0"],
      ["agent-1", "agent-1"],
      ["agent-2", "agent-2"],
    ]);
  });

  test.each([
    [1000, 200, 200],
    [201, 200, 101],
    [1001, 256, 251],
    [5, 1, 1],
  ])("puts %d deployments into at most %d legs: %d", (count, size, expected) => {
    const legs = toMatrix(planned(count), () => 0, size);
    expect(legs).toHaveLength(expected);
    expect(legs.flatMap(({ names }) => names.split(","))).toEqual(
      planned(count).map(({ name }) => name),
    );
    expect(new Set(legs.map(({ name }) => name)).size).toBe(legs.length);
  });

  test("does not mix waves in a leg, and orders legs by wave", () => {
    const waveOf = (name: string): number => (name === "agent-0" ? 2 : 1);
    const legs = toMatrix(planned(5), waveOf, 3);
    expect(legs.map(({ wave, names }) => [wave, names])).toEqual([
      [1, "agent-1,agent-2"],
      [1, "agent-3,agent-4"],
      [2, "agent-0"],
    ]);
  });

  test.each([
    [1, [[0, "agent-0,agent-1,agent-2,agent-3,agent-4"]]],
    [
      2,
      [
        [0, "agent-0,agent-1"],
        [2, "agent-2,agent-3,agent-4"],
      ],
    ],
    [
      4,
      [
        [0, "agent-0"],
        [1, "agent-1"],
        [2, "agent-2"],
        [3, "agent-3,agent-4"],
      ],
    ],
  ])("of more waves than its size %d joins adjacent waves", (size, expected) => {
    const legs = toMatrix(planned(5), (name) => Number(name.slice(-1)), size);
    expect(legs.map(({ wave, names }) => [wave, names])).toEqual(expected);
  });

  test("causes a warning if legs are of several waves", () => {
    const waveOf = (name: string): number => (name === "agent-0" ? 2 : 1);
    expect(describeWaves(toMatrix(planned(5), waveOf, 3))).toMatch(
      /the legs of 2 waves.*use the output waves/,
    );
    expect(describeWaves(toMatrix(planned(5), () => 1, 3))).toBe("");
    expect(describeWaves([])).toBe("");
  });

  test("marks a leg of several actions as mixed", () => {
    const [leg] = toMatrix([...planned(1), ...planned(1, "create")], () => 0, 1);
    expect(leg).toMatchObject({ action: "mixed" });
  });
});

describe("the shared rate", () => {
  test.each([
    ["", 1000],
    ["null", 1000],
    ['{"job-total":1,"max-parallel":1}', 1000],
    ['{"job-total":200,"max-parallel":10}', 100],
    ['{"job-total":4,"max-parallel":256}', 250],
    ['{"job-total":200}', 5],
  ])("of %s is %d requests in 10 s", (strategy, count) => {
    expect(shareOf(DEFAULT_LIMIT, strategy)).toEqual({ count, intervalMs: 10_000 });
  });

  test("is less than one request an interval if there are more legs than requests", () => {
    expect(shareOf({ count: 10, intervalMs: 1000 }, '{"job-total":40}')).toEqual({
      count: 1,
      intervalMs: 4000,
    });
  });
});

describe("max-failures", () => {
  test.each([
    ["3", 50, 3],
    ["10%", 50, 5],
    ["10%", 3, 1],
    ["1%", 1000, 10],
  ])("of %s with %d documents is %d", (text, documents, expected) => {
    expect(toFailureLimit(text, documents)).toBe(expected);
  });

  test.each(["0", "-1", "101%", "0%", "many", "x%", "1.5", "1234567"])(
    "of %s is refused for every command",
    (text) => {
      const { problems } = parseInputs({ "max-failures": text }, "cli");
      expect(problems.map(({ message }) => message)).toEqual([
        `--max-failures: "${text}" is not a valid number or percentage; write 3 or 10%`,
      ]);
    },
  );

  test.each(["1", "03", "999999", "1%", "100%", "010%"])("of %s is accepted", (text) => {
    expect(parseInputs({ "max-failures": text }).problems).toEqual([]);
  });
});

describe("legs of a fan-out", () => {
  const leg = (
    name: string,
    outcome: Outcome,
    over: Partial<Report["leg"]> & { id?: string } = {},
  ) => {
    const { id = "id-1", ...identity } = over;
    return report({
      outcome,
      deployments: [deployment({ name, outcome, id })],
      leg: { run: "7", attempt: 1, matrix: "", place: "us", event: "push", ...identity },
    });
  };
  const ends = (merged: Report): string[] =>
    merged.deployments.map((one) => `${one.name} ${one.outcome}`);

  test("of one name with different places, matrices or ids count separately", () => {
    expect(ends(mergeReports([leg("a", "failed"), leg("a", "deployed", { place: "eu" })]))).toEqual(
      ["a failed", "a deployed"],
    );
    expect(
      ends(mergeReports([leg("a", "failed"), leg("a", "deployed", { matrix: '{"env":"x"}' })])),
    ).toHaveLength(2);
    expect(
      ends(mergeReports([leg("a", "failed"), leg("a", "deployed", { id: "id-2" })])),
    ).toHaveLength(2);
  });

  test("count by their newest attempt as a number, in any order of the files", () => {
    const files = [leg("a", "deployed", { attempt: 10 }), leg("a", "failed", { attempt: 9 })];
    expect(ends(mergeReports(files))).toEqual(["a deployed"]);
    expect(ends(mergeReports(files.toReversed()))).toEqual(["a deployed"]);
  });

  test("of several deployments keep those that a re-run with fewer does not replace", () => {
    const first = report({
      outcome: "failed",
      deployments: [
        deployment({ name: "a", outcome: "deployed", id: "1" }),
        deployment({ name: "b", outcome: "failed", id: "2" }),
      ],
      leg: { run: "7", attempt: 1, matrix: "", place: "us", event: "push" },
    });
    const merged = mergeReports([first, leg("b", "deployed", { attempt: 2, id: "2" })]);
    expect(ends(merged)).toEqual(["a deployed", "b deployed"]);
    expect(merged.outcome).toBe("deployed");
  });

  test("that are all missing fail the plan, unless the event only plans", () => {
    const only = report({ command: "plan", outcome: "planned", deployments: planned(1) });
    expect(mergeReports([only]).outcome).toBe("failed");
    expect(mergeReports([only], { plansOnly: true }).outcome).toBe("planned");
  });
});

describe("the results of previous jobs", () => {
  const green = report({ outcome: "deployed" });
  const needs = (result: string) => parseNeeds(JSON.stringify({ apply: { result, outputs: {} } }))!;

  test.each([
    ["success", true, "deployed"],
    ["failure", true, "failed"],
    ["cancelled", false, "cancelled"],
    ["skipped", true, "failed"],
    ["skipped", false, "deployed"],
  ] as const)("make %s (the plan had work: %s) end %s", (result, hadWork, outcome) => {
    const merged = withNeeds(green, needs(result), hadWork);
    expect(merged.outcome).toBe(outcome);
    expect(merged.problems.length).toBe(outcome === "deployed" ? 0 : green.problems.length + 1);
  });

  test("do not change the outcome of a report that failed already", () => {
    expect(withNeeds(report({ outcome: "timed-out" }), needs("failure"), true).outcome).toBe(
      "timed-out",
    );
  });

  test.each(["[]", "no", "7"])("are not read from %s", (text) => {
    expect(parseNeeds(text)).toBeNull();
  });
});
