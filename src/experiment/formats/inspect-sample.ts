import { isObject, own, ownAt, ownString } from "../../model/json.ts";
import { sortedForIdentity, stableInputs } from "../input/identity.ts";
import type { FileHeader } from "../input/row.ts";
import { changeLeaves } from "../input/scored.ts";
import { sumUsage, type Usage, usageOf } from "../input/usage.ts";
import { inOrder } from "../input/ordered-object.ts";
import { listAt } from "./pick.ts";

/** The scorer's letters and words as numbers, as the tool counts them. */
const GRADES: ReadonlyMap<string, number> = new Map([
  ["C", 1],
  ["P", 0.5],
  ["I", 0],
  ["N", 0],
  ["yes", 1],
  ["true", 1],
  ["no", 0],
  ["false", 0],
]);

/** The scores of a sample; a scorer with several values gives one score per value. */
export function scoresOf(scores: unknown): unknown[] {
  if (!isObject(scores)) return [];
  return Object.entries(scores).flatMap(([key, score]): unknown[] => {
    const value = own(score, "value");
    const comment = ownString(score, "explanation") || undefined;
    if (!isObject(value) && !Array.isArray(value)) return [{ key, score: gradeOf(value), comment }];
    return Object.entries(value).map(([part, inner]) => ({
      key: `${key}.${part}`,
      score: gradeOf(inner),
      comment,
    }));
  });
}

const gradeOf = (value: unknown): unknown =>
  typeof value === "string"
    ? (GRADES.get(value) ?? GRADES.get(value.toLowerCase()) ?? value)
    : value;

/** Newer logs move long texts to `attachments` and leave a reference. */
export const resolve = (value: unknown, attachments: unknown): unknown =>
  changeLeaves(value, (leaf) =>
    typeof leaf === "string" && leaf.startsWith(REFERENCE)
      ? (own(attachments, leaf.slice(REFERENCE.length)) ?? leaf)
      : leaf,
  );
const REFERENCE = "attachment://";

/** What the scorers took for the answer. */
export function answersOf(scores: unknown): Record<string, unknown> {
  const answers = isObject(scores)
    ? Object.entries(scores).flatMap(([key, score]) =>
        ownString(score, "answer") === undefined ? [] : [[key, own(score, "answer")] as const],
      )
    : [];
  if (answers.length === 0) return {};
  return answers.length === 1 ? { answer: answers[0]![1] } : { answers: inOrder(answers) };
}

/** How a log's samples are identified: by user-given ids, or (null) by their content. */
export type SampleNaming = { readonly task: string } | null;

/**
 * How to identify a log's samples. Ids that are whole numbers up to the number of samples are
 * Inspect's own, given if the dataset has none, and do not count.
 */
export function namingOf(log: unknown, ids: Iterable<string>): SampleNaming {
  const all = [...new Set(ids)];
  const dataset = ownAt(log, "eval", "dataset", "samples");
  const most = Math.max(all.length, typeof dataset === "number" ? dataset : 0);
  const counted = all.every((id) => /^\d{1,9}$/.test(id) && Number(id) >= 1 && Number(id) <= most);
  if (all.length === 0 || counted) return null;
  return { task: ownString(own(log, "eval"), "task") ?? "" };
}

/**
 * What identifies a sample in every run; undefined: its inputs do. Message ids are removed later,
 * and choices may be shuffled.
 */
export function identityOf(sample: unknown, inputs: unknown, naming: SampleNaming): unknown {
  const [id, choices] = [own(sample, "id"), own(inputs, "choices")];
  if (naming !== null && (typeof id === "string" || typeof id === "number"))
    return { task: naming.task, id };
  return Array.isArray(choices)
    ? stableInputs({ ...(inputs as object), choices: sortedForIdentity(choices) })
    : undefined;
}

/** Usage of all models of a sample, the judge included: a log does not say which of several is the agent's. */
export function usageIn(sample: unknown): Usage | undefined {
  const models = own(sample, "model_usage");
  const calls = Object.values(isObject(models) ? models : {}).map((one) => usageOf(one));
  return usageOf(sumUsage(calls), { cost: own(sample, "total_cost") });
}

/**
 * A scorer's metrics over all samples. With several reducers of epochs there is an entry for each,
 * and the keys name the reducer.
 */
function summaryOf(scores: unknown): { readonly key: string; readonly score: unknown }[] {
  const entries = listAt(scores);
  const nameOf = (entry: unknown): string => ownString(entry, "name") ?? "score";
  const reducerOf = (entry: unknown): string => ownString(entry, "reducer") ?? "";
  const reducers = new Map<string, Set<string>>();
  for (const entry of entries) {
    const known = reducers.get(nameOf(entry)) ?? new Set();
    reducers.set(nameOf(entry), known.add(reducerOf(entry)));
  }
  return entries.flatMap((entry) => {
    const [name, reducer, metrics] = [nameOf(entry), reducerOf(entry), own(entry, "metrics")];
    const scorer = reducer !== "" && reducers.get(name)!.size > 1 ? `${name}.${reducer}` : name;
    return Object.entries(isObject(metrics) ? metrics : {}).map(([metric, found]) => ({
      key: `${scorer}.${metric}`,
      score: own(found, "value"),
    }));
  });
}

/** What a log says about the whole run; a log that did not end normally is no baseline unless a person accepts it. */
export function toInspectHeader(log: unknown, samples: number): FileHeader {
  const status = ownString(log, "status") ?? "started";
  const all = ownAt(log, "results", "total_samples");
  const run = own(log, "eval");
  const task = ownString(run, "task");
  return {
    given: { summary_experiment_scores: summaryOf(ownAt(log, "results", "scores")) },
    suite: task?.split("/").at(-1),
    started_at: ownAt(log, "stats", "started_at") ?? own(run, "created"),
    isCancelled: status === "cancelled",
    incomplete:
      status === "success"
        ? []
        : [`the log's status is "${status}": it makes no baseline unless you accept it`],
    counted: [{ what: "samples", all, held: { all: samples, run: samples } }],
    commit: ownString(own(run, "revision"), "commit"),
    agent: [ownString(run, "model"), ownString(run, "solver")].filter(Boolean).join(" · "),
    metadata: {
      task,
      model: ownString(run, "model"),
      run_id: ownString(run, "run_id"),
      status,
    },
  };
}
