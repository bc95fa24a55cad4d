import { isObject, own, ownString } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { VALUES } from "./mapping.ts";
import { present } from "./pick.ts";
import { hasKeys } from "./recipe.ts";
import { recordsOf } from "./records.ts";
import { createKnown, unreadOf } from "./unread.ts";

/** More than any run has; the events of each are kept until the file ends. */
const MAX_SAMPLES = 1_000_000;
/** How many names of unread numbers are kept of a sample. */
const MAX_UNREAD = 20;

interface Sample {
  readonly line: number;
  readonly index: number;
  input?: unknown;
  output?: unknown;
  expected?: unknown;
  error?: string;
  model?: unknown;
  usage?: unknown;
  first?: unknown;
  last?: unknown;
  readonly scores: unknown[];
  readonly unread: Set<string>;
}

const isKnownOfEvent = createKnown([
  "run_id",
  "event_id",
  "sample_id",
  "type",
  "data",
  "created_by",
  "created_at",
]);
/** Fields of data that are read or are not scores, after the event's type. */
const isKnown = createKnown([
  ...["prompt", "sampled", "model", "usage"].map((name) => `sampling.${name}`),
  ...["correct", "expected", "sampled", "picked", "options", "prompt"].map(
    (name) => `match.${name}`,
  ),
  ...["prompt", "embedding", "model"].map((name) => `embedding.${name}`),
  ...["prompt", "completion", "logp", "model"].map((name) => `cond_logp.${name}`),
  ...["prompt", "options", "picked"].map((name) => `pick_option.${name}`),
  ...["name", "arguments", "return_value"].map((name) => `function_call.${name}`),
  ...["raw_sample", "error"],
]);

function addEvent(sample: Sample, event: unknown): void {
  const at = own(event, "created_at");
  sample.first ??= at;
  sample.last = at ?? sample.last;
  const data = own(event, "data");
  noteUnread(sample, event);
  switch (own(event, "type")) {
    case "sampling":
      // A model-graded eval also samples its judge: the first sampling event is that of the evaluated model.
      if (sample.input !== undefined) break;
      sample.input = own(data, "prompt");
      sample.output = own(data, "sampled");
      sample.model = own(data, "model");
      sample.usage = own(data, "usage");
      break;
    case "match":
      sample.scores.push({ key: "match", score: own(data, "correct") });
      sample.expected ??= own(data, "expected");
      break;
    case "metrics":
      for (const key of plainKeys(data)) sample.scores.push({ key, score: own(data, key) });
      break;
    case "error":
      sample.error =
        ownString(data, "message") ??
        ownString(data, "type") ??
        "the sample failed and the file does not say why";
      break;
  }
}

/** Every plain entry of an event `metrics` is a score; nothing deeper is read. */
const plainKeys = (data: unknown): string[] =>
  Object.entries(isObject(data) ? data : {}).flatMap(([key, value]) =>
    key !== "" && typeof value !== "object" ? [key] : [],
  );

function noteUnread({ unread }: Sample, event: unknown): void {
  const [type, data] = [ownString(event, "type"), own(event, "data")];
  const scores = new Set(type === "metrics" ? plainKeys(data) : []);
  const typed = type === undefined ? undefined : { [type]: data };
  const names = [
    ...unreadOf(event, isKnownOfEvent),
    ...unreadOf(typed, (keys) => isKnown(keys) || scores.has(keys.slice("metrics".length + 1))),
  ];
  for (const name of names) if (unread.size < MAX_UNREAD) unread.add(name);
}

function toRow(file: string, id: string, sample: Sample): ReadRow {
  const { line, index, input, expected, error, model, usage } = sample;
  const output =
    Array.isArray(sample.output) && sample.output.length === 1 ? sample.output[0] : sample.output;
  return {
    place: { file, line, index },
    inputs: present([["input", input]]) ?? { sample_id: id },
    expected_outputs: present([["output", expected]]),
    actual_outputs: present([["output", output]]),
    evaluation_scores: sample.scores,
    error,
    start_time: sample.first,
    end_time: sample.last,
    usage: usageOf(usage),
    run_metadata: present([
      ["sample_id", id],
      ["model", model],
      ["usage", usage],
    ]),
    unread: [...sample.unread],
  };
}

const NO_REPORT =
  "the file has no final_report: the run was killed or is not over; it makes no baseline unless you accept it";

function toHeader(spec: unknown, report: unknown): FileHeader {
  const summary = Object.entries(isObject(report) ? report : {})
    .filter(([key, score]) => key !== "" && typeof score === "number")
    .map(([key, score]): object => ({ key, score }));
  if (typeof report === "string" && report !== "")
    summary.push({ key: "final_report", value: report });
  const runId = ownString(spec, "run_id");
  const agents = own(spec, "completion_fns");
  return {
    given: { summary_experiment_scores: summary },
    suite: ownString(spec, "eval_name") ?? ownString(spec, "base_eval"),
    started_at: own(spec, "created_at"),
    incomplete: report === undefined ? [NO_REPORT] : [],
    agent: Array.isArray(agents) ? agents.map(String).join(" · ") : "",
    metadata: {
      ...(runId === undefined ? {} : { run_id: runId }),
      completion_fns: JSON.stringify(agents ?? null),
    },
  };
}

function open(head: Head): RowSource {
  let spec: unknown;
  let report: unknown;
  /** Events of one sample may be anywhere in the file, so they are kept to its end. */
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const samples = new Map<string, Sample>();
    for await (const batch of recordsOf(head, VALUES))
      for (const { value, line } of batch) {
        spec ??= own(value, "spec");
        report ??= own(value, "final_report");
        const id = own(value, "sample_id");
        if (typeof id !== "string") continue;
        let sample = samples.get(id);
        if (sample === undefined) {
          if (samples.size === MAX_SAMPLES)
            throw refusal(
              { file: head.name, line },
              `the file has more than ${MAX_SAMPLES} samples; split it by run`,
            );
          sample = { line, index: samples.size, scores: [], unread: new Set() };
          samples.set(id, sample);
        }
        addEvent(sample, value);
      }
    for (const [id, sample] of samples) {
      yield [toRow(head.name, id, sample)];
      samples.delete(id);
    }
  }
  return { batches, header: () => toHeader(spec, report) };
}

/** OpenAI evals record files. */
export const openaiEvalsFormat: Format = {
  name: "openai-evals",
  title: "OpenAI evals (JSONL of events)",
  detect: (head) =>
    !head.rootIsArray &&
    (hasKeys(head, ["spec", "spec.eval_name | spec.run_id"]) ||
      hasKeys(head, ["sample_id", "event_id"])),
  open,
};
