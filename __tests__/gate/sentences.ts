import type { GateGroup } from "../../src/gate/baseline.ts";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import type { GateTable } from "../../src/gate/row.ts";
import type { GateMessage, GateReport, Verdict } from "../../src/report/report.ts";
import { bits, exampleAt, gatesOf, rowOf, scores, tableOf } from "./tables.ts";

/** A run that ends in one kind of sentence. */
export interface SentenceCase {
  /** The case of `sentence.ts` that it shows; other sentences have names of their own. */
  readonly kind: string;
  readonly gates: string;
  readonly head: GateTable;
  readonly base?: GateTable;
  readonly anchor?: GateTable;
  readonly absent?: GateGroup["absent"];
  /** Which gate's sentence; the first unless given. */
  readonly metric?: string;
  readonly verdict: Verdict;
  /** What a reader does. */
  readonly advice: string;
}

const ones = (n: number): string => "1".repeat(n);
const zeros = (n: number): string => "0".repeat(n);
const DROP = "correctness drop <= 0.02";
const FLOOR = "correctness >= 0.85";
const good = bits(ones(100));

/** Marks in clusters of one document each. */
function clustered(text: string, documents: number): GateTable {
  return tableOf(
    [...text].map((mark, i) =>
      rowOf(exampleAt(i), {
        scores: { correctness: Number(mark) },
        tags: { "inputs.document": `d${i % documents}` },
      }),
    ),
  );
}

/** Examples that took a little over a second each. */
function timed(examples: number): GateTable {
  return tableOf(
    Array.from({ length: examples }, (_, i) =>
      rowOf(exampleAt(i), { latency: 1 + i / 100, scores: { correctness: 1 } }),
    ),
  );
}

/** Graded scores around a mean, all about one document. */
function inDocuments(count: number, mean: number): GateTable {
  return tableOf(
    Array.from({ length: 20 }, (_, i) =>
      rowOf(exampleAt(i), {
        scores: { correctness: mean + 0.01 * (i % 5) },
        tags: { "inputs.document": `d${i % count}` },
      }),
    ),
  );
}

/** Examples, the first few critical, each with a mark. */
function critical(text: string, from = 0): GateTable {
  return tableOf(
    [...text].map((mark, i) =>
      rowOf(exampleAt(i + from), {
        scores: { correctness: Number(mark) },
        tags: i + from < 3 ? { "run_metadata.tier": "critical" } : {},
      }),
    ),
  );
}

function graded(mean: number): GateTable {
  const random = createSeededRandom(4);
  return scores(Array.from({ length: 40 }, () => mean + 0.2 * (random() - 0.5)));
}

const NOTHING = "Nothing.";
const FIX = "Fix the rows that are listed as worse.";
const LOOK = "Look at the rows that got worse. If they matter, treat it as a fail.";
const ADD = "Look at the rows yourself, or run more examples.";

/** One case for every sentence that a gate can end with. */
export const SENTENCES: readonly SentenceCase[] = [
  {
    kind: "proven",
    verdict: "fail",
    gates: DROP,
    head: bits(`${zeros(8)}${ones(92)}`),
    base: good,
    advice: FIX,
  },
  {
    kind: "proven, against the anchor",
    verdict: "fail",
    gates: DROP,
    head: bits(`${zeros(8)}${ones(92)}`),
    base: bits(`${zeros(7)}${ones(93)}`),
    anchor: good,
    advice: "Fix the rows that got worse since the anchor, or accept this run by hand.",
  },
  {
    kind: "proven-with-crashes",
    verdict: "fail",
    gates: DROP,
    head: bits(`${zeros(2)}xxx${ones(95)}`),
    base: good,
    advice: "Fix the crashes and the rows that are listed as worse.",
  },
  {
    kind: "suspicious",
    verdict: "inconclusive",
    gates: "correctness drop <= 0",
    head: bits(`${zeros(2)}${ones(98)}`),
    base: good,
    advice: LOOK,
  },
  {
    kind: "chance",
    verdict: "pass",
    gates: "correctness drop <= 0",
    head: bits(`001${ones(97)}`),
    base: bits(`110${ones(97)}`),
    advice: NOTHING,
  },
  {
    kind: "within",
    verdict: "pass",
    gates: "correctness drop <= 0.05",
    head: bits(`001${ones(97)}`),
    base: bits(`110${ones(97)}`),
    advice: NOTHING,
  },
  { kind: "unseen", verdict: "pass", gates: DROP, head: good, base: good, advice: NOTHING },
  {
    kind: "ruled-out",
    verdict: "pass",
    gates: `gates: ${DROP}\nproof: rule-out`,
    head: bits(ones(400)),
    base: bits(ones(400)),
    advice: NOTHING,
  },
  {
    kind: "ruled-out, any fall",
    verdict: "pass",
    gates: "gates: correctness drop <= 0\nproof: rule-out",
    head: bits(ones(100)),
    base: bits(`${ones(80)}${zeros(20)}`),
    advice: NOTHING,
  },
  {
    kind: "not-ruled-out",
    verdict: "inconclusive",
    gates: `gates: ${DROP}\nproof: rule-out`,
    head: bits(ones(60)),
    base: bits(ones(60)),
    advice: "Run more examples, or each of them more often.",
  },
  {
    kind: "unbounded",
    verdict: "inconclusive",
    gates: "gates: latency_p95 rise <= 200ms\nproof: rule-out",
    head: timed(40),
    base: timed(40),
    advice: "Run more examples, or gate latency_p50, which takes fewer.",
  },
  {
    kind: "few",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(zeros(6)),
    base: bits(ones(6)),
    advice: ADD,
  },
  {
    kind: "thin",
    verdict: "inconclusive",
    gates: "correctness drop <= 0.5",
    head: bits(`${ones(20)}${"-".repeat(40)}`),
    base: bits(ones(60)),
    advice: "Find out why so many rows have no score.",
  },
  {
    kind: "few, clusters",
    verdict: "inconclusive",
    gates: `gates: ${DROP}\ncluster_by: inputs.document`,
    head: clustered(`${zeros(5)}${ones(15)}`, 4),
    base: clustered(ones(20), 4),
    advice: "Take `cluster_by` out of the gate file, or run examples of more documents.",
  },
  {
    kind: "one-cluster",
    verdict: "inconclusive",
    gates: `gates: ${DROP}\ncluster_by: inputs.document`,
    head: clustered(`${zeros(5)}${ones(15)}`, 1),
    base: clustered(ones(20), 1),
    advice: "Take `cluster_by` out of the gate file, or run examples of more documents.",
  },
  {
    kind: "one-cluster, floor",
    verdict: "inconclusive",
    gates: "gates: correctness >= 0.9\ncluster_by: inputs.document\nfloors: proven",
    head: inDocuments(1, 0.7),
    advice: "Take `cluster_by` out of the gate file, or run examples of more documents.",
  },
  {
    kind: "crashed",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(`${ones(80)}${"x".repeat(20)}`),
    base: good,
    advice: "Fix the crashes; the gate on errors is red as well.",
  },
  {
    kind: "missed",
    verdict: "fail",
    gates: FLOOR,
    head: bits(`${ones(70)}${zeros(30)}`),
    advice: "Fix the rows that score badly.",
  },
  {
    kind: "missed, by what chance could explain",
    verdict: "fail",
    gates: FLOOR,
    head: bits(`${ones(83)}${zeros(17)}`),
    advice: "Fix the rows that score badly, or run more examples.",
  },
  {
    kind: "missed, latency",
    verdict: "fail",
    gates: "latency_p95 <= 1.3s",
    head: timed(40),
    advice: "Look at the slow rows.",
  },
  {
    kind: "few, of a floor",
    verdict: "inconclusive",
    gates: "gates: score >= 4.2\nfloors: proven",
    head: scores([4, 4, 4.1]),
    advice: ADD,
  },
  {
    kind: "few clusters, of a floor",
    verdict: "inconclusive",
    gates: "gates: correctness >= 4.2\ncluster_by: inputs.document\nfloors: proven",
    head: inDocuments(4, 4),
    advice: "Take `cluster_by` out of the gate file, or run examples of more documents.",
  },
  {
    kind: "alike",
    verdict: "inconclusive",
    gates: "gates: score >= 4.2\nfloors: proven",
    head: scores(Array.from({ length: 12 }, () => 4)),
    advice: "Look at the rows yourself.",
  },
  {
    kind: "met, by what chance could explain",
    verdict: "pass",
    gates: "score >= 0.5",
    head: graded(0.505),
    advice: NOTHING,
  },
  {
    kind: "near",
    verdict: "inconclusive",
    gates: `gates: ${FLOOR}\nfloors: proven`,
    head: bits(`${ones(83)}${zeros(17)}`),
    advice: "Look at the rows that score badly, or run more examples.",
  },
  {
    kind: "near, a share of crashes",
    verdict: "inconclusive",
    gates: "gates: error_rate <= 2%\nfloors: proven",
    head: bits(`${ones(95)}${"x".repeat(5)}`),
    advice: "Look at the crashes, or run more examples.",
  },
  {
    kind: "near-with-crashes",
    verdict: "inconclusive",
    gates: `gates: ${FLOOR}\nfloors: proven`,
    head: bits(`${ones(77)}${zeros(19)}${"x".repeat(4)}`),
    advice: "Fix the crashes, and look at the rows that score badly.",
  },
  {
    kind: "met",
    verdict: "pass",
    gates: FLOOR,
    head: bits(`${ones(96)}${zeros(4)}`),
    advice: NOTHING,
  },
  {
    kind: "crashed, of a floor",
    verdict: "inconclusive",
    gates: FLOOR,
    head: bits(`${ones(60)}${"x".repeat(40)}`),
    advice: "Fix the crashes.",
  },
  {
    kind: "errors: fail",
    verdict: "fail",
    gates: DROP,
    metric: "errors",
    head: bits(`${ones(90)}${"x".repeat(10)}`),
    base: bits(`${ones(90)}${zeros(10)}`),
    advice: "Fix the crashes.",
  },
  {
    kind: "errors: fail by a fall",
    verdict: "fail",
    gates: DROP,
    metric: "errors",
    head: bits(`01xxx${ones(95)}`),
    base: good,
    advice: "Fix the crashes.",
  },
  {
    kind: "errors: inconclusive",
    verdict: "inconclusive",
    gates: DROP,
    metric: "errors",
    head: bits(`${ones(90)}${zeros(8)}xx`),
    base: bits(`${ones(90)}${zeros(10)}`),
    advice: "Look at the crashes.",
  },
  {
    kind: "errors: few",
    verdict: "inconclusive",
    gates: DROP,
    metric: "errors",
    head: bits("11111x"),
    base: bits("111111"),
    advice: "Look at the crashes.",
  },
  {
    kind: "errors: pass, with crashes",
    verdict: "pass",
    gates: DROP,
    metric: "errors",
    head: bits(`${ones(90)}${zeros(9)}x`),
    base: bits(`${ones(90)}${zeros(10)}`),
    advice: NOTHING,
  },
  {
    kind: "errors: pass",
    verdict: "pass",
    gates: DROP,
    metric: "errors",
    head: good,
    base: good,
    advice: NOTHING,
  },
  {
    kind: "no-baseline",
    verdict: "inconclusive",
    gates: DROP,
    head: good,
    advice: "Make a baseline once, and let a person accept it.",
  },
  {
    kind: "no-baseline, as the service says",
    verdict: "inconclusive",
    gates: DROP,
    head: good,
    absent: {
      why: ["no experiment of dataset qa is an earlier run of main"],
      next: "Upload a run on the base branch to begin the series, or give a file.",
    },
    advice: "Upload the results of a run on the base branch.",
  },
  {
    kind: "another dataset",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(ones(20)),
    base: critical(ones(20), 500),
    advice: "Run the examples of the baseline, or accept a new baseline.",
  },
  {
    kind: "low overlap",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(ones(70)),
    base: good,
    advice: "Run the missing examples, or accept a new baseline.",
  },
  {
    kind: "baseline of another judge",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(ones(20), { judge: "judge-2" }),
    base: bits(ones(20), { judge: "judge-1" }),
    advice: "Score the baseline with the same judge.",
  },
  {
    kind: "baseline of an unfinished run",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(ones(20)),
    base: bits(ones(20), { state: "cancelled" }),
    advice: "Give the baseline of a run that ended.",
  },
  {
    kind: "baseline without the metric",
    verdict: "inconclusive",
    gates: DROP,
    head: bits(ones(20)),
    base: bits("-".repeat(20)),
    advice: "Write a new baseline.",
  },
  {
    kind: "nothing scored",
    verdict: "fail",
    gates: "correctness >= 0.5",
    head: bits(`${"x".repeat(20)}`),
    advice: "Fix the crashes, or the scorer.",
  },
  {
    kind: "min_rows",
    verdict: "fail",
    gates: "gates: correctness >= 0.5\nmin_rows: 50",
    head: bits(ones(20)),
    advice: "Find the rows that are missing.",
  },
  {
    kind: "min_rows, some without a score",
    verdict: "fail",
    gates: "gates: correctness >= 0.5\nmin_rows: 30",
    head: bits(`${ones(20)}${"x".repeat(6)}`),
    advice: "Find out why these rows have no score.",
  },
  {
    kind: "min_rows, none with a score",
    verdict: "fail",
    gates: "gates: correctness >= 0.5\nmin_rows: 30",
    head: bits("x".repeat(20)),
    metric: "rows",
    advice: "Fix the crashes, or the scorer.",
  },
  {
    kind: "rows",
    verdict: "fail",
    gates: "rows >= 50",
    head: bits(ones(20)),
    advice: "Find the rows that are missing.",
  },
  {
    kind: "must_pass: pass",
    verdict: "pass",
    gates: `gates: ${FLOOR}\nmust_pass: { run_metadata.tier: critical }`,
    metric: "must_pass",
    head: critical(ones(20)),
    advice: NOTHING,
  },
  {
    kind: "must_pass: fail",
    verdict: "fail",
    gates: `gates: correctness >= 0.5\nmust_pass: { run_metadata.tier: critical }`,
    metric: "must_pass",
    head: critical(`10${ones(18)}`),
    advice: "Fix the rows that are named.",
  },
  {
    kind: "must_pass: gone",
    verdict: "fail",
    gates: `gates: correctness >= 0.5\nmust_pass: { run_metadata.tier: critical }`,
    metric: "must_pass",
    head: critical(ones(39), 1),
    base: critical(ones(40)),
    advice: "Run the example that is gone, or accept a new baseline.",
  },
  {
    kind: "must_pass: none",
    verdict: "fail",
    gates: `gates: correctness >= 0.5\nmust_pass: { run_metadata.tier: critical }`,
    metric: "must_pass",
    head: critical(ones(20), 30),
    advice: "Check the spelling, and that the rows were run.",
  },
];

/** A gate, and the parts of its message. */
interface JudgedCase {
  readonly gate: GateReport;
  readonly message: GateMessage;
}

const judgedCases = new Map<SentenceCase, JudgedCase>();

/** The gate that a case is about, as a run would report it; a case is judged once. */
export function judgeCase(one: SentenceCase): JudgedCase {
  const known = judgedCases.get(one) ?? judge(one);
  judgedCases.set(one, known);
  return known;
}

function judge({ gates, head, base, anchor, absent, metric }: SentenceCase): JudgedCase {
  const judged = judgeGates({
    head,
    base: base ?? null,
    anchor: anchor ?? null,
    gates: gatesOf(gates),
    ...(absent === undefined ? {} : { absent }),
  });
  const at = judged.gates.findIndex((gate) => metric === undefined || gate.metric === metric);
  const [gate, message] = [judged.gates[at], judged.gate_messages?.[at]];
  if (gate === undefined || message === undefined)
    throw new Error(judged.problems.map(({ message }) => message).join("; ") || "no such gate");
  return { gate, message };
}
