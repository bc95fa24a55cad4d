// 100,000 rows with five metrics against a baseline; one row in forty got worse.
import { judgeGates } from "../build/gate/judge.js";
import { parseGates } from "../build/gate/language.js";
import { createSeededRandom } from "../build/gate/random.js";
import { toTable } from "../build/gate/table.js";
import { print } from "./figure.mjs";

const METRICS = ["correctness", "faithfulness", "relevancy", "tone", "format"];
const random = createSeededRandom(7);
const preview = { input: "", expected: "", output: "" };
const make = (file, worse) =>
  toTable(
    Array.from({ length: 100_000 }, (_, index) => ({
      example: `example-${index}`,
      error: false,
      latency: 1 + random(),
      tags: {},
      preview,
      scores: Object.fromEntries(
        METRICS.map((metric) => [
          metric,
          random() < 0.9 - (worse && index % 40 === 0 ? 0.5 : 0) ? 1 : 0,
        ]),
      ),
    })),
    { file, state: "complete", commit: null, created_at: null, judge: null },
  );
const base = make("base", false);
const head = make("head", true);
const { gates } = parseGates({
  text: METRICS.map((metric) => `${metric} drop <= 0.02`).join("\n"),
  file: "gate",
});
const begin = process.hrtime.bigint();
const { verdict } = judgeGates({ head, base, gates });
print(
  "100,000 rows × 5 metrics against a baseline",
  Number(process.hrtime.bigint() - begin) / 1e9,
  "s",
  "< 2",
);
print("peak memory", process.resourceUsage().maxRSS / 1024, "MB", "< 400");
print("verdict", verdict, "");
