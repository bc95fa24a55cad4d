import type { MetricPlan, SamplePlan } from "../gate/sample-plan.ts";
import { renderColumns } from "../report/columns.ts";
import { plural } from "../model/count-words.ts";
import { unitOf } from "../report/numbers.ts";

const runs = (times: number): string => (times === 1 ? "1 RUN" : `${times} RUNS`);
const number = (value: number): string => String(Number(value.toPrecision(2)));

/** How many examples and repeats it takes to notice a change for the worse, as a table with notes. */
export function renderSamplePlan(
  file: string,
  { alpha, gates, every_score: isEveryScore, metrics, unplanned, compared }: SamplePlan,
): string {
  const [first] = metrics;
  if (first === undefined)
    return [
      ...(unplanned.length > 0
        ? []
        : [`${file} has no score to plan for: give a file with scores, or gates on its metrics.`]),
      ...toUnplanned(unplanned, compared),
    ].join("\n");
  const head = [
    "METRIC",
    "THIS FILE",
    "NOTICES",
    "TO NOTICE",
    ...first.falls[0]!.needs.map(({ repeats }) => runs(repeats)),
  ];
  const word = isEveryScore ? "score" : "gate";
  const share = gates === 1 ? `one ${word}` : `${gates} ${word}s`;
  const worse = [...new Set(metrics.map(worseWord))].sort().join(" or a ");
  return [
    `Examples needed to notice a ${worse} in 8 of 10 runs (${share}, alpha ${alpha}), by runs of each:`,
    "",
    ...renderColumns(head, metrics.flatMap(toRows)),
    "",
    ...metrics.flatMap(toNotes),
    ...toCautions(metrics),
    ...toUnplanned(unplanned, compared),
    "Both sides are run alike: a baseline with more repeats than this run needs fewer examples.",
  ].join("\n");
}

const worseWord = ({ direction }: MetricPlan): string => (direction === "higher" ? "fall" : "rise");

function toUnplanned(
  unplanned: SamplePlan["unplanned"],
  compared: SamplePlan["compared"],
): string[] {
  const noticed = (metric: string): string => {
    const mde = compared.find((one) => one.metric === metric)?.mde ?? null;
    return mde === null
      ? "With --baseline this shows what a run notices."
      : `Against this baseline a run notices a change of ${mde}${unitOf(metric)}.`;
  };
  return unplanned.map(({ metric, why }) =>
    why === "quantile"
      ? `${metric} is not planned for: it hangs on its slowest rows. ${noticed(metric)}`
      : `${metric} is not planned for: its name does not say which side is better. Say so under direction: in a gate file.`,
  );
}

function toRows(plan: MetricPlan): string[][] {
  const { metric, direction, limit, examples, repeats, notices, scatters, falls } = plan;
  const unfound = (fall: number): string => {
    if (fall <= limit) return "allowed";
    return scatters ? "over a million" : "unknown";
  };
  const about = [
    `${metric} ${direction === "higher" ? "↑" : "↓"}`,
    `${examples} × ${repeats}`,
    notices === null ? "–" : `${notices}${unitOf(metric)}`,
  ];
  return falls.map(({ fall, needs }, at) => [
    ...(at === 0 ? about : about.map(() => "")),
    number(fall) + unitOf(metric),
    ...needs.map((need) => (need.examples === null ? unfound(fall) : String(need.examples))),
  ]);
}

function toNotes(plan: MetricPlan): string[] {
  const { metric, examples, clusters, scatters, falls } = plan;
  if (clusters === 1) return [`All examples are one cluster: no drop of ${metric} can be tested.`];
  if (!scatters) return [`Every row has the same ${metric}: nothing shows what chance does to it.`];
  const middle = falls[1]!;
  const [once, thrice] = middle.needs as readonly [
    (typeof middle.needs)[0],
    (typeof middle.needs)[0],
  ];
  const asked = [once, thrice].flatMap(({ repeats, examples: needed }) =>
    needed === null ? [] : [`${needed} examples ${repeats === 1 ? "once" : "three times"}`],
  );
  if (asked.length === 0) return [];
  return [
    `To notice a ${worseWord(plan)} of ${number(middle.fall)}${unitOf(metric)} in ${metric}, run ${asked.join(", or ")} (this file has ${examples}).`,
  ];
}

/** Assumptions where repeats do not show the spread, once for all metrics they apply to. */
function toCautions(metrics: readonly MetricPlan[]): string[] {
  const clusters = metrics.find((one) => one.clusters !== null && one.clusters > 1)?.clusters;
  if (clusters !== undefined && clusters !== null)
    return [
      `One run does not show whether its ${plural(clusters, "cluster")} move together, so all of their spread counts as chance.`,
      "That spread is a rough figure where clusters are few, and more examples have to come with more clusters.",
    ];
  const unmeasured = metrics.filter(({ measured, scatters }) => !measured && scatters);
  if (unmeasured.length === 0) return [];
  const names =
    unmeasured.length === metrics.length
      ? ""
      : ` of ${unmeasured.map(({ metric }) => metric).join(", ")}`;
  return [
    `There are too few repeats here${names}, so all of the spread counts as chance: that asks for too many rather than too few.`,
    "A file with repeats is more exact.",
  ];
}
