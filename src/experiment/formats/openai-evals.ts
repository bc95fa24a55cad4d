import { isObject, own, ownString } from "../lenient-json.ts";
import { refusal } from "../problem.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, Reading } from "./format.ts";
import { streamValues } from "./objects.ts";

/** Events of one sample may lie anywhere in the file, so that all samples are held until its end. */
const MAX_BYTES = 256 * 1024 * 1024;

interface Sample {
  readonly line: number;
  input?: unknown;
  output?: unknown;
  expected?: unknown;
  error?: string;
  model?: unknown;
  usage?: unknown;
  first?: unknown;
  last?: unknown;
  readonly scores: unknown[];
}

function addEvent(sample: Sample, event: unknown): void {
  const at = own(event, "created_at");
  sample.first ??= at;
  sample.last = at ?? sample.last;
  const data = own(event, "data");
  switch (own(event, "type")) {
    case "sampling":
      // A model-graded eval samples its judge as well: the first is the one that is evaluated.
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
      if (isObject(data)) for (const [key, score] of Object.entries(data)) if (key !== "" && typeof score !== "object") sample.scores.push({ key, score });
      break;
    case "error":
      sample.error = ownString(data, "message") ?? ownString(data, "type") ?? "the sample failed and the file does not say why";
      break;
  }
}

function toRow(file: InputFile, id: string, sample: Sample, index: number): ReadRow {
  const output = Array.isArray(sample.output) && sample.output.length === 1 ? sample.output[0] : sample.output;
  const metadata = Object.entries({ sample_id: id, model: sample.model, usage: sample.usage }).filter(([, value]) => value !== undefined && value !== null);
  return {
    place: { file: file.name, line: sample.line, index },
    inputs: sample.input === undefined || sample.input === null ? { sample_id: id } : { input: sample.input },
    ...(sample.expected === undefined || sample.expected === null ? {} : { expected_outputs: { output: sample.expected } }),
    ...(output === undefined || output === null ? {} : { actual_outputs: { output } }),
    evaluation_scores: sample.scores,
    ...(sample.error === undefined ? {} : { error: sample.error }),
    start_time: sample.first, end_time: sample.last,
    run_metadata: Object.fromEntries(metadata),
  };
}

function toHeader(spec: unknown, report: unknown): FileHeader {
  const summary = isObject(report) ? Object.entries(report).filter(([key, score]) => key !== "" && typeof score === "number").map(([key, score]) => ({ key, score })) : [];
  const words = typeof report === "string" && report !== "" ? [{ key: "final_report", value: report }] : [];
  return {
    given: summary.length + words.length === 0 ? {} : { summary_experiment_scores: [...summary, ...words] },
    suite: ownString(spec, "eval_name") ?? ownString(spec, "base_eval"),
    started_at: own(spec, "created_at"),
    state: report === undefined ? "incomplete" : "complete",
    warnings: report === undefined ? ["the file has no final_report: the run was killed or is not over; uploaded, but no baseline"] : [],
    metadata: Object.fromEntries([["run_id", ownString(spec, "run_id")], ["completion_fns", JSON.stringify(own(spec, "completion_fns") ?? null)]].filter(([, value]) => value !== undefined)),
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): Reading {
  const [file, head] = [files[0]!, heads[0]!];
  if (file.sizeBytes > MAX_BYTES) throw refusal({ file: file.name }, `the file is larger than ${MAX_BYTES / 1024 / 1024} MiB, which this format cannot be read at; split it by run`);
  let header: FileHeader = { given: {} };
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const samples = new Map<string, Sample>();
    let spec: unknown;
    let report: unknown;
    for await (const batch of streamValues(file, { ...head, container: "jsonl" }, []).batches()) {
      for (const { value, line } of batch) {
        spec ??= own(value, "spec");
        report ??= own(value, "final_report");
        const id = own(value, "sample_id");
        if (typeof id !== "string") continue;
        const sample: Sample = samples.get(id) ?? { line, scores: [] };
        samples.set(id, sample);
        addEvent(sample, value);
      }
    }
    header = toHeader(spec, report);
    yield [...samples].map(([id, sample], index) => toRow(file, id, sample, index));
  }
  return { batches, header: () => header };
}

/** OpenAI evals record files. */
export const openaiEvalsFormat: Format = {
  name: "openai-evals",
  title: "OpenAI evals (JSONL of events)",
  detect: (head) => (head.container === "jsonl" || head.container === "json") && !head.rootIsArray && ((head.keys.has("spec") && (head.keys.has("spec.eval_name") || head.keys.has("spec.run_id"))) || (head.keys.has("sample_id") && head.keys.has("event_id"))),
  open,
  examples: [{ name: "evals.jsonl", text: [
    { spec: { eval_name: "e", run_id: "r", created_at: "2026-01-01 00:00:00.000000" } },
    { run_id: "r", event_id: 0, sample_id: "s", type: "sampling", data: { prompt: "p", sampled: ["o"], model: "m" }, created_at: "2026-01-01 00:00:00.000000+00:00" },
    { run_id: "r", event_id: 1, sample_id: "s", type: "match", data: { correct: true, expected: "o" }, created_at: "2026-01-01 00:00:01.000000+00:00" },
    { run_id: "r", event_id: 2, sample_id: "t", type: "error", data: { message: "x" }, created_at: "2026-01-01 00:00:01.000000+00:00" },
    { final_report: { accuracy: 1 }, run_id: "r" },
  ].map((line) => JSON.stringify(line)).join("\n") }],
  notes: ["A file without its final_report belongs to a run that was killed: uploaded with a warning, refused as a baseline.", "A sample that failed before it was asked has only its id as input."],
};
