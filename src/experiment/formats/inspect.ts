import { setImmediate } from "node:timers/promises";
import { isObject, own } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { InputFile } from "../input/input-file.ts";
import { parseLenientBytes } from "../input/lenient-json.ts";
import type { Head } from "./format.ts";
import {
  answersOf,
  identityOf,
  namingOf,
  resolve,
  type SampleNaming,
  scoresOf,
  toInspectHeader,
  usageIn,
} from "./inspect-sample.ts";
import type { Hook } from "./mapped.ts";
import { listAt } from "./pick.ts";
import { createRecipe, hasKeys } from "./recipe.ts";
import type { PlacedRow } from "./records.ts";
import { openArchive, toRefusal } from "./zip-archive.ts";

const UNREAD = "`inspect log convert --to json` writes a log that a mapping reads";

function parseEntry(file: InputFile, name: string, bytes: Buffer): unknown {
  const parsed = parseLenientBytes(bytes);
  if (parsed.problem !== undefined)
    throw refusal({ file: file.name }, `${name.slice(0, 120)} ${parsed.problem}`);
  return parsed.value;
}

/** `samples/<id>_epoch_<n>.json` */
const sampleIdOf = (fileName: string): string =>
  fileName.replace(/^samples\//, "").replace(/(?:_epoch_\d+)?\.json$/, "");

const naturally = new Intl.Collator("en", { numeric: true });

/** Called with the log and its samples' ids before the samples come. */
type OnLog = (log: unknown, ids: readonly string[]) => void;

/** An .eval log: one JSON file per sample, read one at a time. */
async function* samplesOfZip(file: InputFile, onLog: OnLog): AsyncGenerator<PlacedRow[]> {
  const { entries, read } = await openArchive(file);
  try {
    const header = entries.get("header.json") ?? entries.get("_journal/start.json");
    if (header === undefined)
      throw refusal(
        { file: file.name },
        "the zip has neither header.json nor _journal/start.json; it is not an Inspect .eval log. Unpack it and give the results inside; save a spreadsheet as CSV",
      );
    const log = parseEntry(file, header.fileName, read(header));
    const samples = [...entries.values()]
      .filter(({ fileName }) => /^samples\/[^/]+\.json$/.test(fileName))
      .sort((a, b) => naturally.compare(a.fileName, b.fileName));
    // A log without a header.json was not finished: its journal's start has neither status nor results.
    const started = own(log, "status") === undefined && own(log, "results") === undefined;
    onLog(
      started ? { ...(log as object), status: "started" } : log,
      samples.map(({ fileName }) => sampleIdOf(fileName)),
    );
    for (const entry of samples) {
      yield [{ value: parseEntry(file, entry.fileName, read(entry)), outer: [], line: 1 }];
      // Reading waits for nothing, and signals are handled only in between.
      await setImmediate();
    }
  } catch (error) {
    throw toRefusal(file, error);
  }
}

function createHook(head: Head): Hook {
  const isZip = head.container === "zip";
  let log: unknown = head.document;
  let naming: SampleNaming = null;
  const onLog: OnLog = (found, ids) => {
    log = found;
    naming = namingOf(found, ids);
  };
  const ids = listAt(log, "samples").flatMap((sample) => own(sample, "id") ?? []);
  if (!isZip) onLog(log, ids.map(String));
  return {
    ...(isZip ? { records: () => samplesOfZip(head.file, onLog) } : {}),
    finish: (row, { value: sample }) => {
      const [attachments, scores] = [own(sample, "attachments"), own(sample, "scores")];
      const inputs = resolve(row.inputs, attachments);
      const identity = identityOf(sample, inputs, naming);
      const output = resolve(row.actual_outputs, attachments);
      const outputs = { ...(isObject(output) ? output : {}), ...answersOf(scores) };
      return {
        ...row,
        inputs,
        ...(identity === undefined ? {} : { identity }),
        actual_outputs: Object.keys(outputs).length === 0 ? undefined : outputs,
        evaluation_scores: scoresOf(scores),
        usage: usageIn(sample),
      };
    },
    header: (rows) => ({ ...toInspectHeader(log, rows), ...(isZip ? { unread: UNREAD } : {}) }),
  };
}

/** Inspect logs, JSON and .eval. */
export const inspectFormat = createRecipe({
  name: "inspect",
  title: "Inspect (JSON log, .eval)",
  detect: (head) =>
    head.container === "zip" ||
    (head.container === "json" && hasKeys(head, ["eval", "status | plan | samples"])),
  unscored:
    "no sample has a score: give the task a scorer, or score the log with `inspect score LOG`",
  // A log may have no samples yet.
  document: ({ document }) => ({
    ...(document as object | undefined),
    samples: listAt(document, "samples"),
  }),
  // A sample that reached a limit was scored and counts: a limit is no error.
  mapping: `
exact: true
rows: samples
inputs: { input: input, choices: choices? }
expected_outputs.target: target
actual_outputs.output: output.choices[0].message.content | output.completion
error: error.message
start_time: started_at
end_time: completed_at
duration_s: total_time
repeat: { column: epoch, from: 1 }
run_metadata: { sample_id: id, limit: limit, metadata: metadata, model_usage: model_usage }
ignore:
  [messages, output, scores.*.value, scores.*.answer, scores.*.explanation, scores.*.metadata, scores.*.history, scores.*.sample_id, store, events, transcript, attachments, role_usage, error, uuid, working_time, error_retries, sandbox, turn_count, message_limit, time_limit, token_limit, token_limit_usage, model_fallbacks, files, setup, invalidation, timelines, events_data, working_start]
`,
  hook: createHook,
});
