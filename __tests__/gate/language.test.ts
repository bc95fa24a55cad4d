import { describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { parseGates } from "../../src/gate/language.ts";
import { gateSchema } from "../../src/gate/gate-file.ts";
import { directionOf, knownDirection } from "../../src/gate/direction.ts";
import { isInlineGate } from "../../src/gate/rule.ts";
import { gatesOf } from "./tables.ts";

const problemsOf = (text: string): string[] => {
  const parsed = parseGates({ text, file: "gates.yml" });
  return parsed.state === "problems"
    ? parsed.problems.map(
        ({ file, line, column, path, message }) => `${file}:${line}:${column}: ${path}: ${message}`,
      )
    : [];
};
const brief = (text: string) =>
  gatesOf(text).rules.map(({ metric, kind, operator, threshold }) => [
    metric,
    kind,
    operator,
    threshold,
  ]);

describe("gate lines", () => {
  test("are read as the manual writes them", () => {
    expect(
      brief(
        "correctness >= 0.85          # floor\nhallucination <= 0.05        # lower is better\ncorrectness drop <= 0.02     # paired\nerror_rate <= 0.02\nlatency_p95 <= 4s",
      ),
    ).toEqual([
      ["correctness", "floor", ">=", 0.85],
      ["hallucination", "floor", "<=", 0.05],
      ["correctness", "drop", "<=", 0.02],
      ["error_rate", "floor", "<=", 0.02],
      ["latency_p95", "floor", "<=", 4],
    ]);
  });

  test("are separated by commas and line breaks, and empty pieces are ignored", () => {
    expect(brief("a >= 0.5, b <= 1,\n\n c > 2 ,")).toEqual([
      ["a", "floor", ">=", 0.5],
      ["b", "floor", "<=", 1],
      ["c", "floor", ">", 2],
    ]);
  });

  test("have units for seconds, milliseconds, minutes and percent", () => {
    expect(
      brief(
        "latency_p50 <= 500ms, latency_p99<=1.5 m, a >= 85%, a drop <= 2 %, latency_p95 drop <= .2s",
      ),
    ).toEqual([
      ["latency_p50", "floor", "<=", 0.5],
      ["latency_p99", "floor", "<=", 90],
      ["a", "floor", ">=", 0.85],
      ["a", "drop", "<=", 0.02],
      ["latency_p95", "drop", "<=", 0.2],
    ]);
  });

  test("may name metrics with spaces, quotes, hashes and operators inside quotes", () => {
    expect(
      brief(
        `"Answer, Relevancy >= x" >= 0.7, Answer Relevancy >= 0.7, 'it is' drop <= 0.1, contains#2 >= 1, user's goal >= 0.5, "big drop" <= 1`,
      ),
    ).toEqual([
      ["Answer, Relevancy >= x", "floor", ">=", 0.7],
      ["Answer Relevancy", "floor", ">=", 0.7],
      ["it is", "drop", "<=", 0.1],
      ["contains#2", "floor", ">=", 1],
      ["user's goal", "floor", ">=", 0.5],
      ["big drop", "floor", "<=", 1],
    ]);
  });

  test("that are wrong are problems at their places, all at once", () => {
    expect(
      problemsOf(
        "a >= 0.5, x => 3\n  b drop >= 2, c\nerror_rate <= 2\nlatency_p95 <= 10%, a >= lots",
      ),
    ).toEqual([
      "gates.yml:1:11: gate: `x => 3`: => is not a comparison here; write >= or <=",
      "gates.yml:2:3: gate: `b drop >= 2`: a drop has an upper limit; write `b drop <= …`",
      "gates.yml:2:16: gate: `c` is not a valid gate; write `metric >= 0.85`, `metric <= 4s` or `metric drop <= 0.02`",
      "gates.yml:3:1: gate: `error_rate <= 2`: error_rate is between 0 and 1; did you mean 2%?",
      "gates.yml:4:1: gate: `latency_p95 <= 10%`: a percentage of a latency has no fixed size; write seconds, such as 0.4s",
      "gates.yml:4:21: gate: `a >= lots`: `lots` is not a valid number; write 0.85, 85%, 4s or 500ms",
    ]);
  });

  test("next to a gate file are refused with the advice to move them into it", () => {
    expect(problemsOf("evals/gates.yml\ncorrectness >= 0.9")).toEqual([
      "gates.yml:1:1: gate: `evals/gates.yml` is a gate file, which is given without other lines; put those under its `gates:`",
    ]);
  });

  test("with a decimal comma are refused with an explanation", () => {
    expect(problemsOf("correctness >= 0,85")[0]).toMatch(/decimals take a point/);
  });

  test("with a negative drop or a drop of rows are refused", () => {
    expect(problemsOf("a drop <= -0.1")[0]).toMatch(/without the minus/);
    expect(problemsOf("rows drop <= 5")[0]).toMatch(/rows have no drop/);
  });

  test("are recognised by a comparison, which a path does not have", () => {
    expect(isInlineGate("correctness >= 0.85")).toBe(true);
    expect(isInlineGate("a drop <= 0.1, b >= 1")).toBe(true);
    expect(isInlineGate(".github/gates.yml")).toBe(false);
    expect(isInlineGate("eval gates/strict.yaml")).toBe(false);
  });
});

describe("gate files", () => {
  const FULL = `# yaml
gates:
  - correctness >= 0.85
  - correctness drop <= 0.02
direction: { "Odd metric": lower }
alpha: 0.01
cluster_by: inputs.document
must_pass:
  run_metadata.tier: critical
  inputs.id: [a, 7]
  require: correctness >= 1
  at_least: 2
min_rows: 50
min_overlap: 80%
`;

  test("may have every key", () => {
    const gates = gatesOf(FULL);
    expect(gates).toMatchObject({
      alpha: 0.01,
      cluster_by: "inputs.document",
      min_rows: 50,
      min_overlap: 0.8,
      direction: { "Odd metric": "lower" },
    });
    expect(gates.must_pass[0]).toMatchObject({
      select: { "run_metadata.tier": ["critical"], "inputs.id": ["a", "7"] },
      at_least: 2,
    });
    expect(gates.must_pass[0]!.require[0]).toMatchObject({ metric: "correctness", threshold: 1 });
    expect(gates.rules[1]!.at).toMatchObject({ file: "gates.yml", line: 4, column: 5 });
  });

  test("have defaults", () => {
    expect(gatesOf("gates: a >= 1")).toMatchObject({
      alpha: 0.05,
      cluster_by: null,
      must_pass: [],
      min_rows: 1,
      min_overlap: 0.95,
      proof: "detect",
      errors: "count",
      pool: false,
      direction: {},
    });
  });

  test("may have gates as a block, with positions inside it", () => {
    expect(brief("gates: |\n  a >= 1\n  b drop <= 2% # note\n")).toEqual([
      ["a", "floor", ">=", 1],
      ["b", "drop", "<=", 0.02],
    ]);
    expect(problemsOf("gates: |\n  a >= 1\n  b == 2\n")).toEqual([
      "gates.yml:3:3: gates: `b == 2`: == is not a comparison here; write >= or <=",
    ]);
    expect(problemsOf("gates: noise(mode=relevant) drop <= 0.1")).toEqual([
      expect.stringMatching(
        /= is not a comparison here; .*, and quotes around a name that holds it$/,
      ),
    ]);
  });

  test("are refused for unknown keys and wrong values, all at once, with what was meant", () => {
    expect(
      problemsOf(
        "gate:\n  - a >= 1\nalpha: 5\ncluster_by: document\nmin_rows: many\nmin_overlap: 3\ndirection: { a: up }\nmust_pass: { tier: x, at_least: 0 }\n",
      ).map((line) => line.replace(/;.*/u, "")),
    ).toEqual([
      "gates.yml:1:1: gate: unknown key (did you mean gates?)",
      "gates.yml:3:8: alpha: takes a number above 0 and at most 0.5, such as 0.05",
      "gates.yml:4:13: cluster_by: takes one field of the rows",
      "gates.yml:5:11: min_rows: takes a whole number of rows, 1 or more",
      "gates.yml:6:14: min_overlap: takes a share between 0 and 1, such as 0.8 or 80%",
      "gates.yml:7:17: direction.a: takes lower or higher, the side that is better",
      "gates.yml:8:12: must_pass: chooses no rows",
      "gates.yml:8:12: must_pass: there is no floor for its rows to meet",
      "gates.yml:8:14: must_pass.tier: unknown key",
      "gates.yml:8:33: must_pass.at_least: takes a whole number of repeats, 1 or more",
    ]);
  });

  test("need something in must_pass that one row can meet", () => {
    expect(problemsOf("gates: error_rate <= 0.1\nmust_pass: { inputs.id: a }")[0]).toMatch(
      /no floor for its rows to meet/,
    );
    expect(problemsOf("must_pass: { inputs.id: a, require: a drop <= 0.1 }")[0]).toMatch(
      /nothing that one row can meet/,
    );
  });

  test("are refused if they hold no gate", () => {
    for (const text of ["alpha: 0.1\n", "gates: []\n", "gates:\n"])
      expect(problemsOf(text)).toEqual([
        "gates.yml:1:1: gates: the file holds no gate, so it would pass anything; write `gates:` and the gate lines below it",
      ]);
    expect(problemsOf("min_rows: 20\n")).toEqual([]);
  });

  test("may name the field that marks the rows in must_pass", () => {
    expect(gatesOf("gates: a >= 1\nmust_pass: run_metadata.critical\n").must_pass).toMatchObject([
      { select: { "run_metadata.critical": [] }, require: [], at_least: null },
    ]);
    expect(
      gatesOf("gates: a >= 1\nmust_pass: [run_metadata.critical, { inputs.id: a }]\n").must_pass,
    ).toHaveLength(2);
    expect(problemsOf("gates: a >= 1\nmust_pass: critical\n")[0]).toMatch(
      /or the field that marks the rows/,
    );
  });

  test.each([
    ["- correctness >= 0.5\n- a >= 1", 1],
    ["# gates\n\n- 'correctness >= 0.5'", 3],
    ['- "correctness >= 0.5"', 1],
    ['["correctness >= 0.5", "a >= 1"]', 1],
    ["[\n  correctness >= 0.5\n]\n", 1],
  ])(
    "with a list in place of the mapping are refused with the mapping to write: %j",
    (text, line) => {
      expect(problemsOf(text)).toEqual([
        `gates.yml:${line}:1: : a gate file is a YAML mapping, not a list; write \`gates:\` on the first line and the list below it, such as \`gates: ["correctness >= 0.5"]\``,
      ]);
    },
  );

  test.each([
    ["- noise[sensitivity] >= 0.5\n- a >= 1", 'gates: ["noise[sensitivity] >= 0.5"]'],
    ['- "exact match" >= 0.5\n', 'gates: ["\\"exact match\\" >= 0.5"]'],
    ["- a >= 0.5, b >= 1\r\n- c >= 1", 'gates: ["a >= 0.5, b >= 1"]'],
  ])("with a list are refused with its first item written whole: %j", (text, shown) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(`such as \`${shown}\``)]);
  });

  test("are refused if they are broken YAML, a list, a number or two documents", () => {
    expect(problemsOf("gates: [")).toHaveLength(1);
    expect(problemsOf("- a\n")[0]).toMatch(/a gate file is a YAML mapping/);
    expect(problemsOf("42")[0]).toMatch(/a gate file is a YAML mapping/);
    expect(problemsOf("gates: a >= 1\n---\ngates: b >= 1\n")[0]).toMatch(/one YAML document/);
    expect(problemsOf("gates:\n  - a: 0.85\n")[0]).toMatch(/gates\[0\]: takes gate lines/);
  });

  test("with a require without a value are refused, since the floors of the file may be weaker", () => {
    const file = "gates: a >= 0.5\nmust_pass:\n  - run_metadata.tier: critical\n    require:\n";
    expect(problemsOf(file)[0]).toMatch(/must_pass\[0\]\.require: takes gate lines/);
  });

  test("are checked by the editor schema, which takes a full file and refuses an unknown key", () => {
    const validate = new Ajv({ allowUnionTypes: true }).compile(gateSchema());
    expect(
      validate({
        gates: ["a >= 1"],
        alpha: 0.05,
        must_pass: { "inputs.id": ["a"] },
        min_overlap: "80%",
        direction: { a: "lower" },
      }),
    ).toBe(true);
    expect(validate({ gates: "a >= 1", must_pass: "run_metadata.critical" })).toBe(true);
    expect(validate({ gates: "a >= 1", must_pass: ["inputs.hard", { "inputs.id": "a" }] })).toBe(
      true,
    );
    expect(validate({ gate: "a >= 1" })).toBe(false);
    expect(validate({ gates: "a >= 1", min_rows: 0 })).toBe(false);
  });
});

describe("which way is better", () => {
  const side = (metric: string, operators: string[] = [], declared?: "lower" | "higher") =>
    directionOf({ metric, declared, operators, known: undefined });

  test("is what is declared, else what the floor, then the name says, else higher", () => {
    expect(side("hallucination", [">="], "lower")).toBe("lower");
    expect(side("hallucination", [">="])).toBe("higher");
    expect(side("hallucination")).toBe("lower");
    expect(side("something", ["<="])).toBe("lower");
    expect(side("something")).toBe("higher");
  });

  test("follows from a whole name, while a word of a name leaves it open", () => {
    for (const name of ["error_rate", "latency_p95", "totalTokens", "Bias", "Noise Sensitivity"])
      expect(side(name)).toBe("lower");
    for (const name of [
      "toxicity_score",
      "llm-cost",
      "costs",
      "error_handling",
      "token_f1",
      "pass^3(errors_found)",
    ])
      expect(side(name)).toBe("unclear");
    for (const name of [
      "correctness",
      "unbiased_tone",
      "terror",
      "pass^3(solved)",
      "Toxicity.pass",
    ])
      expect(side(name)).toBe("higher");
  });

  test("does not follow from a band of two floors", () => {
    expect(side("length", [">=", "<="])).toBe("higher");
    expect(side("loss", [">=", "<="])).toBe("lower");
  });

  test.each([
    ...["hallucination:v2", "metric/hallucination", "hallucination(v2)", "toxicity@1"],
    ...["wer|clean", "eval#errors", "tox/toxicity/score", "answer.wer", "non-toxicity"],
  ])("is unclear for %s, which holds a word that means lower", (metric) => {
    expect(side(metric)).toBe("unclear");
  });

  test.each(["latency[ms]", "cost($)", "error%", "Noise Sensitivity", "[toxicity]"])(
    "is lower for %s",
    (metric) => {
      expect(side(metric)).toBe("lower");
    },
  );

  test.each(["eval/pass", "hallucination:pass", "toxicity@passed"])(
    "is higher for %s, a pass mark",
    (metric) => {
      expect(side(metric)).toBe("higher");
    },
  );

  test("is known to formats for their own metrics", () => {
    expect(knownDirection("promptfoo", "cost")).toBe("higher");
    expect(knownDirection("deepeval", "Toxicity")).toBe("unclear");
    expect(knownDirection("deepeval", "PII Leakage")).toBe("higher");
    expect(knownDirection("deepeval", "Toxicity.pass")).toBe("higher");
    for (const name of ["noise_sensitivity", "noise_sensitivity(mode=irrelevant)", "maliciousness"])
      expect(knownDirection("ragas", name)).toBe("lower");
    for (const name of ["violence", "self_harm_score", "hate_unfairness"])
      expect([name, knownDirection("azure", name)]).toEqual([name, "lower"]);
    for (const name of ["relevance", "nonviolence_rate"])
      expect([name, knownDirection("azure", name)]).toEqual([name, undefined]);
    expect(knownDirection("own", "anything")).toBeUndefined();
  });
});
