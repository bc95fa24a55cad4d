import type { MetricPlan, SamplePlan } from "../gate/sample-plan.ts";
import { renderColumns } from "./columns.ts";

const runs = (times: number): string => (times === 1 ? "1 RUN" : `${times} RUNS`);
const number = (value: number): string => String(Number(value.toPrecision(2)));

/** How many examples and repeats a fall needs, as a table and what to read in it. */
export function renderSamplePlan(file: string, { alpha, gates, metrics }: SamplePlan): string {
  if (metrics.length === 0)
    return `${file} has no score to plan for: give a file with scores, or gates on its metrics.`;
  const [first] = metrics;
  const head = [
    "METRIC",
    "THIS FILE",
    "NOTICES",
    "TO NOTICE",
    ...first!.falls[0]!.needs.map(({ repeats }) => runs(repeats)),
  ];
  const share = gates === 1 ? "one gate" : `${gates} gates`;
  return [
    `Examples needed to notice a fall in 8 of 10 runs (${share}, alpha ${alpha}), by runs of each:`,
    "",
    renderColumns(head, metrics.flatMap(toRows)),
    "",
    ...metrics.flatMap(toNotes),
    `Both sides are run alike: a baseline with more repeats than this run needs fewer examples.`,
  ].join("\n");
}

function toRows(plan: MetricPlan): string[][] {
  const { metric, direction, limit, examples, repeats, notices, falls } = plan;
  const unfound = (fall: number): string => (fall <= limit ? "allowed" : "over a million");
  const about = [
    `${metric} ${direction === "higher" ? "↑" : "↓"}`,
    `${examples} × ${repeats}`,
    notices === null ? "–" : number(notices),
  ];
  return falls.map(({ fall, needs }, at) => [
    ...(at === 0 ? about : about.map(() => "")),
    number(fall),
    ...needs.map((need) => (need.examples === null ? unfound(fall) : String(need.examples))),
  ]);
}

function toNotes({ metric, examples, measured, falls }: MetricPlan): string[] {
  const middle = falls[1]!;
  const [once, thrice] = middle.needs as readonly [
    (typeof middle.needs)[0],
    (typeof middle.needs)[0],
  ];
  const asked = [once, thrice].flatMap(({ repeats, examples: needed }) =>
    needed === null ? [] : [`${needed} examples ${repeats === 1 ? "once" : "three times"}`],
  );
  const advice =
    asked.length === 0 ? "" : `, run ${asked.join(", or ")} (this file has ${examples})`;
  const unsure = measured
    ? ""
    : " It has no repeats here, so all of its spread counts as chance: that is never too few. A file with repeats tells more exactly.";
  return advice === ""
    ? []
    : [`To notice a fall of ${number(middle.fall)} in ${metric}${advice}.${unsure}`];
}
