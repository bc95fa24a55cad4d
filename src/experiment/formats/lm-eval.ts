import { own, ownString } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { present } from "./pick.ts";
import { known, unreadOf } from "./unread.ts";

const KNOWN: ReadonlySet<string> = new Set([
  "doc_id",
  "doc",
  "target",
  "arguments",
  "resps",
  "filtered_resps",
  "filter",
  "metrics",
  "doc_hash",
  "prompt_hash",
  "target_hash",
  "schema",
]);

function toRow(file: InputFile, { value: row, line, index }: PlacedValue): ReadRow {
  const record = isObject(row) ? row : {};
  const listed = own(row, "metrics");
  const names = Array.isArray(listed)
    ? listed.filter((name): name is string => typeof name === "string")
    : Object.keys(record).filter((name) => !KNOWN.has(name));
  const filter = ownString(row, "filter") ?? "none";
  const isScored = (name: string): boolean =>
    typeof record[name] === "number" || typeof record[name] === "boolean";
  const scores = names.filter(isScored).map((name) => ({
    key: filter === "none" ? name : `${name},${filter}`,
    score: record[name],
  }));
  // Perplexity and BLEU are made of parts that only the whole corpus adds up.
  const inParts = names.filter((name) => !isScored(name) && (record[name] ?? null) !== null);
  const unread = unreadOf(record, known(...KNOWN, ...names)).unread ?? [];
  const doc = own(row, "doc") ?? null;
  return {
    place: { file: file.name, line, index },
    inputs: doc,
    // Two filters of one document are two readings of the same answer, not two runs of it.
    ...(filter === "none" ? {} : { identity: { doc, filter } }),
    expected_outputs: present([["target", own(row, "target")]]),
    actual_outputs: present([
      ["output", own(row, "filtered_resps")],
      ["responses", own(row, "resps")],
    ]),
    evaluation_scores: scores,
    run_metadata: present([
      ["doc_id", own(row, "doc_id")],
      ["filter", filter],
    ]),
    unread: [...inParts, ...unread],
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const values = streamValues(file, head, [], true);
  // samples_<task>_<time>.jsonl
  const task = /^samples_(.+?)_\d{4}-\d\d-\d\d/.exec(file.name.split("/").at(-1)!)?.[1];
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of values.batches()) yield batch.map((value) => toRow(file, value));
  }
  return { batches, header: () => ({ given: {}, suite: task }) };
}

/** Samples of lm-evaluation-harness (`--log_samples`). */
export const lmEvalFormat: Format = {
  name: "lm-eval",
  title: "lm-evaluation-harness samples (JSONL)",
  detect: (head) =>
    (head.container === "jsonl" || head.container === "json") &&
    ["doc_id", "doc"].every((key) => head.keys.has(key)) &&
    ["resps", "filtered_resps"].some((key) => head.keys.has(key)),
  open,
};
