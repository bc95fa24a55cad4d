import type { Mistake } from "./mistake.ts";

const ROWS = Array.from(
  { length: 12 },
  (_, n) =>
    `${JSON.stringify({ inputs: { q: n }, actual_outputs: { a: n }, evaluation_scores: [{ key: "correctness", score: 1 }] })}\n`,
).join("");
const CSV = "question,answer,quality\nq1,a1,3\nq2,a2,4\n";
type Wrong = Omit<Mistake, "number" | "mistake" | "args" | "code"> & {
  readonly args: readonly string[];
  readonly code?: number;
};
const gate = (number: number, mistake: string, { args, files = {}, ...wrong }: Wrong): Mistake => ({
  number,
  mistake,
  files: { "rows.jsonl": ROWS, "rows.csv": CSV, ...files },
  args: ["gate", ...args],
  code: 2,
  ...wrong,
});
const rule = (text: string): readonly string[] => ["rows.jsonl", "--gate", text];

/** Gates, result files and mappings. */
export const IN_THE_GATE: readonly Mistake[] = [
  gate(59, "=> 0.8", { args: rule("correctness => 0.8"), place: /gate:1:/, what: /=>/, fix: />=/ }),
  gate(59, "== 1", { args: rule("correctness == 1"), place: /gate:1:/, what: /==/, fix: />=/ }),
  gate(59, ">= high", {
    args: rule("correctness >= high"),
    place: /gate:1:/,
    what: /high/,
    fix: /number|0\.85/,
  }),
  gate(59, "4 sec", {
    args: rule("latency_p95 <= 4 sec"),
    place: /gate:1:/,
    what: /sec/,
    fix: /4s|200ms/,
  }),
  gate(60, "a metric with a typo", {
    args: rule("corectness >= 0.8"),
    place: /gate:1:|corectness/,
    what: /corectness/,
    fix: /did you mean correctness\?/,
  }),
  gate(61, "a sentence instead of a gate", {
    args: rule("correctness is at least 0.8"),
    place: /gate/,
    what: /neither a gate nor a file/,
    fix: /correctness >= 0\.85?/,
  }),
  gate(61, "a metric instead of a gate", {
    args: rule("correctness"),
    place: /gate/,
    what: /neither a gate nor a file/,
    fix: /correctness >= 0\.85?/,
  }),
  gate(62, "a baseline whose path has a typo", {
    args: [...rule("correctness drop <= 0.1"), "--baseline", "bse.json"],
    code: 0,
    place: /bse\.json/,
    what: /was not found/,
    fix: /fix the path/,
  }),
  gate(63, "an empty result file", {
    args: ["empty.jsonl", "--gate", "quality >= 1"],
    files: { "empty.jsonl": "" },
    place: /empty\.jsonl/,
    what: /is empty/,
    fix: /the run that should have written it/,
  }),
  gate(64, "a table that no tool writes", {
    args: ["t.csv", "--gate", "quality >= 1"],
    files: { "t.csv": "q,a,score\n1,2,x\n" },
    place: /t\.csv/,
    what: /format is not known|no score|without a score/,
    fix: /mapping/,
  }),
  gate(65, "JSON that is broken", {
    args: ["b.json", "--gate", "quality >= 1"],
    files: { "b.json": '{"a": {' },
    place: /b\.json:1:/,
    what: /is not valid JSON/,
    fix: /write it again/,
  }),
  gate(66, "JSONL that was cut", {
    args: ["c.jsonl", "--gate", "quality >= 1"],
    files: { "c.jsonl": ROWS.slice(0, -40) },
    place: /c\.jsonl:12/,
    what: /is not valid JSON/,
    fix: /write it again/,
  }),
  gate(67, "a mapping with a column that does not exist", {
    args: ["rows.csv", "--mapping", "m.yml", "--gate", "quality >= 1"],
    files: { "m.yml": "inputs.q: question\nevaluation_scores.quality: qualty\n" },
    place: /rows\.csv:1:1/,
    what: /qualty/,
    fix: /did you mean quality\?/,
  }),
  gate(67, "a mapping with a field that does not exist", {
    args: ["rows.csv", "--mapping", "m.yml", "--gate", "quality >= 1"],
    files: { "m.yml": "input.q: question\n" },
    place: /m\.yml:1:/,
    what: /input\.q/,
    fix: /did you mean inputs/,
  }),
  gate(68, "a gate file that is a list", {
    args: ["rows.jsonl", "--gate", "g.yml"],
    files: { "g.yml": "- correctness >= 0.8\n" },
    place: /g\.yml:1:/,
    what: /list/,
    fix: /gates:/,
  }),
  gate(68, "gate: instead of gates:", {
    args: ["rows.jsonl", "--gate", "g.yml"],
    files: { "g.yml": "gate: [correctness >= 0.8]\n" },
    place: /g\.yml:1:1/,
    what: /gate: is not a known key|gate/,
    fix: /did you mean gates\?/,
  }),
  gate(68, "85 instead of 0.85", {
    args: rule("correctness >= 85"),
    place: /gate:1:/,
    what: /85/,
    fix: /0\.85/,
  }),
];
