import { own, ownString } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { FileHeader } from "../input/row.ts";
import type { Head } from "./format.ts";
import { VALUES } from "./mapping.ts";
import { createRecipe } from "./recipe.ts";
import { type PlacedRow, recordsOf } from "./records.ts";

/** More than any run has; the events of each are kept until the file ends. */
const MAX_SAMPLES = 1_000_000;

/** What the events of one sample say. */
interface Sample {
  readonly id: string;
  readonly line: number;
  first?: unknown;
  last?: unknown;
  readonly scores: unknown[];
  /** Data of its events by type. */
  readonly data: Map<string, unknown[]>;
  /** What its events have besides. */
  readonly more: object;
}

/** What a file says about the whole run. */
interface Run {
  spec?: unknown;
  report?: unknown;
}

function addEvent(sample: Sample, given: Readonly<Record<string, unknown>>): void {
  const { run_id: _, event_id: __, sample_id: ___, created_by: ____, ...event } = given;
  const { created_at: at, type, data, ...more } = event;
  sample.first ??= at;
  sample.last = at ?? sample.last;
  Object.assign(sample.more, more);
  // A copy of the dataset's own sample says nothing about the run.
  if (typeof type !== "string" || type === "raw_sample") return;
  if (type === "match") sample.scores.push({ key: "match", score: own(data, "correct") });
  const entries = Object.entries(isObject(data) ? data : {});
  // Every plain entry of such an event is a score; nothing deeper is read.
  const isScore = ([key, value]: readonly [string, unknown]): boolean =>
    type === "metrics" && key !== "" && typeof value !== "object";
  for (const [key, score] of entries.filter(isScore)) sample.scores.push({ key, score });
  const rest = Object.fromEntries(entries.filter((entry) => !isScore(entry)));
  const before = sample.data.get(type);
  if (before === undefined) sample.data.set(type, [rest]);
  else before.push(rest);
}

/** The samples of a file; events of one may be anywhere in it. */
async function* samplesOf(head: Head, run: Run): AsyncGenerator<readonly PlacedRow[]> {
  const samples = new Map<string, Sample>();
  for await (const batch of recordsOf(head, VALUES, undefined))
    for (const { value, line } of batch) {
      run.spec ??= own(value, "spec");
      run.report ??= own(value, "final_report");
      const id = ownString(value, "sample_id");
      if (id === undefined) continue;
      let sample = samples.get(id);
      if (sample === undefined && samples.size === MAX_SAMPLES)
        throw refusal(
          { file: head.name, line },
          `the file has more than ${MAX_SAMPLES} samples; split it by run`,
        );
      sample ??= { id, line, scores: [], data: new Map(), more: {} };
      samples.set(id, sample);
      addEvent(sample, value as Readonly<Record<string, unknown>>);
    }
  for (const { line, more, data, ...facts } of samples.values()) {
    const value = { ...more, ...facts, data: Object.fromEntries(data) };
    yield [{ value, outer: [], line }];
    samples.delete(facts.id);
  }
}

function toHeader(spec: unknown, report: unknown): FileHeader {
  const summary = Object.entries(isObject(report) ? report : {})
    .filter(([key, score]) => key !== "" && typeof score === "number")
    .map(([key, score]): object => ({ key, score }));
  if (typeof report === "string" && report !== "")
    summary.push({ key: "final_report", value: report });
  const runId = ownString(spec, "run_id");
  return {
    given: summary.length === 0 ? {} : { summary_experiment_scores: summary },
    suite: ownString(spec, "eval_name") ?? ownString(spec, "base_eval"),
    started_at: own(spec, "created_at"),
    state: report === undefined ? "incomplete" : "complete",
    warnings:
      report === undefined
        ? [
            "the file has no final_report: the run was killed or is not over; it makes no baseline unless you accept it",
          ]
        : [],
    metadata: {
      ...(runId === undefined ? {} : { run_id: runId }),
      completion_fns: JSON.stringify(own(spec, "completion_fns") ?? null),
    },
  };
}

/** OpenAI evals record files. */
export const openaiEvalsFormat = createRecipe({
  name: "openai-evals",
  title: "OpenAI evals (JSONL of events)",
  detect: (head) =>
    (head.container === "jsonl" || head.container === "json") &&
    !head.rootIsArray &&
    ((head.keys.has("spec") && (head.keys.has("spec.eval_name") || head.keys.has("spec.run_id"))) ||
      (head.keys.has("sample_id") && head.keys.has("event_id"))),
  // A model-graded eval also samples its judge: the first sampling event is that of the evaluated model.
  mapping: `
exact: true
rows: .
inputs.input: data.sampling[0].prompt?
expected_outputs.output: data.match[0].expected
actual_outputs.output: data.sampling[0].sampled
evaluation_scores: scores
error: data.error[-1].message | data.error[-1].type
start_time: first
end_time: last
usage: data.sampling[0].usage
run_metadata:
  sample_id: id
  model: data.sampling[0].model
  usage: data.sampling[0].usage
ignore: [data.match.correct, data.match.sampled, data.match.picked, data.match.options, data.match.prompt, data.embedding.prompt, data.embedding.embedding, data.embedding.model, data.cond_logp.prompt, data.cond_logp.completion, data.cond_logp.logp, data.cond_logp.model, data.pick_option.prompt, data.pick_option.options, data.pick_option.picked, data.function_call.name, data.function_call.arguments, data.function_call.return_value, data.error]
`,
  hook: (head) => {
    const run: Run = {};
    return {
      records: () => samplesOf(head, run),
      finish: (row, { value }) => {
        const output = own(row.actual_outputs, "output");
        const isAlone = Array.isArray(output) && output.length === 1;
        const failed = own(own(value, "data"), "error");
        return {
          ...row,
          inputs: row.inputs ?? { sample_id: own(value, "id") },
          actual_outputs: isAlone ? { output: output[0] as unknown } : row.actual_outputs,
          error: row.error ?? (failed && "the sample failed and the file does not say why"),
        };
      },
      header: () => toHeader(run.spec, run.report),
    };
  },
});
