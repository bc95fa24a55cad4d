import { own, ownAt, ownString } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import { sortedForIdentity, stableInputs } from "../input/identity.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { sumUsage, type Usage, usageOf } from "../input/usage.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known("id", "epoch", "input", "choices", "target", "messages", "output", "metadata"),
  ...known(
    "store",
    "events",
    "transcript",
    "attachments",
    "model_usage",
    "role_usage",
    "limit",
    "error",
    "uuid",
  ),
  ...known("total_time", "working_time", "started_at", "completed_at", "error_retries", "sandbox"),
  ...known("turn_count", "message_limit", "time_limit", "token_limit", "token_limit_usage"),
  ...known(
    "model_fallbacks",
    "files",
    "setup",
    "invalidation",
    "timelines",
    "events_data",
    "working_start",
  ),
  scores: { "*": known("value", "answer", "explanation", "metadata", "history", "sample_id") },
};

/** The scorer's letters and words as numbers, as the tool itself counts them. */
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

function scoresOf(scores: unknown): unknown[] {
  if (!isObject(scores)) return [];
  return Object.entries(scores).flatMap(([key, score]): unknown[] => {
    const value = own(score, "value");
    const comment = ownString(score, "explanation");
    const words = comment === undefined || comment === "" ? {} : { comment };
    if (isObject(value))
      return Object.entries(value).map(([part, inner]) => ({
        key: `${key}.${part}`,
        ...gradeOf(inner),
        ...words,
      }));
    if (Array.isArray(value))
      return value.map((inner, index) => ({ key: `${key}.${index}`, ...gradeOf(inner), ...words }));
    const grade = gradeOf(value);
    return [{ key, ...grade, ...words }];
  });
}

function gradeOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "string") return { score: value };
  const grade = GRADES.get(value) ?? GRADES.get(value.toLowerCase());
  return { score: grade ?? value };
}

/** Newer logs move long texts into `attachments` and leave a reference. */
function resolve(value: unknown, attachments: unknown): unknown {
  if (typeof value === "string")
    return value.startsWith("attachment://")
      ? (own(attachments, value.slice("attachment://".length)) ?? value)
      : value;
  if (Array.isArray(value)) return value.map((item) => resolve(item, attachments));
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, resolve(item, attachments)]),
      )
    : value;
}

/** What the model said: the completion, else the first choice's text. */
function outputOf(sample: unknown): unknown {
  const choices = ownAt(sample, "output", "choices");
  const content = Array.isArray(choices) ? ownAt(choices[0], "message", "content") : undefined;
  return content ?? ownAt(sample, "output", "completion");
}

function answersOf(scores: unknown): Record<string, unknown> {
  const answers = isObject(scores)
    ? Object.entries(scores).flatMap(([key, score]) =>
        ownString(score, "answer") === undefined ? [] : [[key, own(score, "answer")] as const],
      )
    : [];
  if (answers.length === 0) return {};
  return answers.length === 1
    ? { answer: answers[0]![1] }
    : { answers: Object.fromEntries(answers) };
}

/** How a log's samples are distinguished: by the ids that somebody gave them, or (null) by their content. */
export type SampleNaming = { readonly task: string } | null;

/** Sample ids as Inspect numbers them where the dataset has none: whole numbers up to the number of samples. */
export function namingOf(log: unknown, ids: Iterable<string>): SampleNaming {
  const all = [...new Set(ids)];
  const dataset = ownAt(log, "eval", "dataset", "samples");
  const most = Math.max(all.length, typeof dataset === "number" ? dataset : 0);
  const counted = all.every((id) => /^\d{1,9}$/.test(id) && Number(id) >= 1 && Number(id) <= most);
  if (all.length === 0 || counted) return null;
  const task = ownAt(log, "eval", "task");
  return { task: typeof task === "string" ? task : "" };
}

/**
 * What distinguishes a sample from others in every run: message ids are left out later, and choices
 * may come shuffled.
 */
function identityOf(
  sample: unknown,
  inputs: Record<string, unknown>,
  naming: SampleNaming,
): unknown {
  const id = own(sample, "id");
  if (naming !== null && (typeof id === "string" || typeof id === "number"))
    return { task: naming.task, id };
  return Array.isArray(inputs["choices"])
    ? stableInputs({ ...inputs, choices: sortedForIdentity(inputs["choices"]) })
    : undefined;
}

/** What all models of a sample used, the judge's too: a log does not say which of several is the agent's. */
function usageIn(sample: unknown): Usage | undefined {
  const models = own(sample, "model_usage");
  const calls = Object.values(isObject(models) ? models : {}).map((one) => usageOf(one));
  return usageOf(sumUsage(calls), { cost: own(sample, "total_cost") });
}

/** One sample of a log as a row; the same in the JSON log and in the zip. */
export function toInspectRow(
  file: string,
  sample: unknown,
  at: { readonly line: number; readonly index: number },
  naming: SampleNaming,
): ReadRow {
  if (!isObject(sample))
    throw refusal({ file, line: at.line }, `sample ${at.index + 1} is not an object`);
  const attachments = own(sample, "attachments");
  const choices = own(sample, "choices");
  const output = resolve(outputOf(sample), attachments);
  const answers = answersOf(own(sample, "scores"));
  // A sample that ran into a limit was scored, and counts: a limit is no error.
  const limit = own(sample, "limit") ?? null;
  const error = ownString(own(sample, "error"), "message");
  const epoch = own(sample, "epoch");
  const seconds = own(sample, "total_time");
  const inputs = {
    input: resolve(own(sample, "input") ?? null, attachments),
    ...(choices === undefined || choices === null ? {} : { choices }),
  };
  const identity = identityOf(sample, inputs, naming);
  return {
    place: { file, ...at },
    inputs,
    ...(identity === undefined ? {} : { identity }),
    expected_outputs:
      own(sample, "target") === undefined ? undefined : { target: own(sample, "target") },
    actual_outputs:
      output === undefined && Object.keys(answers).length === 0
        ? undefined
        : { ...(output === undefined ? {} : { output }), ...answers },
    evaluation_scores: scoresOf(own(sample, "scores")),
    ...(error === undefined ? {} : { error }),
    start_time: own(sample, "started_at"),
    end_time: own(sample, "completed_at"),
    duration_s: typeof seconds === "number" ? seconds : undefined,
    run_metadata: {
      sample_id: own(sample, "id") ?? null,
      ...(limit === null ? {} : { limit }),
      ...(isObject(own(sample, "metadata")) ? { metadata: own(sample, "metadata") } : {}),
      ...(isObject(own(sample, "model_usage")) ? { model_usage: own(sample, "model_usage") } : {}),
    },
    usage: usageIn(sample),
    repeat: typeof epoch === "number" ? epoch - 1 : undefined,
    ...unreadOf(sample, KNOWN),
  };
}

/**
 * A scorer's metrics over all samples. With several reducers of epochs it has an entry for each, and the keys name
 * the reducer.
 */
function summaryOf(scores: unknown): { readonly key: string; readonly score: unknown }[] {
  const entries = Array.isArray(scores) ? (scores as unknown[]) : [];
  const reducers = new Map<string, Set<string>>();
  const nameOf = (entry: unknown): string => ownString(entry, "name") ?? "score";
  const reducerOf = (entry: unknown): string => ownString(entry, "reducer") ?? "";
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

/** What a log says of the whole; a log that did not end by itself is for looking at, never a baseline. */
export function toInspectHeader(log: unknown, samples: number): FileHeader {
  const status = ownString(log, "status") ?? "started";
  const summary = summaryOf(ownAt(log, "results", "scores"));
  const expected = ownAt(log, "results", "total_samples");
  const missing = typeof expected === "number" && samples < expected;
  const ended = status !== "success" || missing ? "incomplete" : "complete";
  const state = status === "cancelled" ? "cancelled" : ended;
  const warnings = [
    ...(status === "success"
      ? []
      : [`the log's status is "${status}": it makes no baseline unless you accept it`]),
    ...(missing ? [`the log holds ${samples} of ${String(expected)} samples`] : []),
  ];
  const task = ownAt(log, "eval", "task");
  const commit = ownAt(log, "eval", "revision", "commit");
  return {
    given: summary.length === 0 ? {} : { summary_experiment_scores: summary },
    suite: typeof task === "string" ? task.split("/").at(-1) : undefined,
    started_at: ownAt(log, "stats", "started_at") ?? ownAt(log, "eval", "created"),
    ended_at: ownAt(log, "stats", "completed_at"),
    state,
    warnings,
    commit: typeof commit === "string" ? commit : undefined,
    metadata: Object.fromEntries(
      [
        ["task", task],
        ["model", ownAt(log, "eval", "model")],
        ["run_id", ownAt(log, "eval", "run_id")],
        ["status", status],
      ].filter(([, value]) => typeof value === "string"),
    ),
  };
}
