import { createHash } from "node:crypto";
import type { GateRow, GateTable } from "../gate/row.ts";
import type { Experiment } from "./experiment.ts";
import { isObject } from "./lenient-json.ts";
import type { Row } from "./row.ts";
import { rowScores } from "./index-pass.ts";

const PREVIEW_CHARS = 200;
const TAG_CHARS = 200;
const MAX_TAGS = 64;

/**
 * The rows of result files as gates judge them. An example is its content, whichever file, prompt or provider it comes from: what
 * shares its inputs shares their luck, and a prompt that was reworded is still asked the same. Throws a ProblemError where a file changed since it was checked.
 */
export async function toGateTable(experiments: readonly Experiment[]): Promise<GateTable> {
  const rows: GateRow[] = [];
  for (const experiment of experiments) {
    for await (const batch of experiment.batches())
      for (const row of batch) rows.push(toGateRow(row));
  }
  const first = experiments[0];
  const states = experiments.map(({ state }) => state);
  return {
    file: [...new Set(experiments.map(({ file }) => file))].join(", "),
    rows,
    state: states.includes("cancelled")
      ? "cancelled"
      : states.includes("incomplete") || first === undefined
        ? "incomplete"
        : "complete",
    commit: first?.commit ?? null,
    created_at: first?.created_at ?? null,
    judge: first?.judge ?? null,
  };
}

function toGateRow(row: Row): GateRow {
  const { body } = row;
  const error = body.error !== undefined;
  return {
    example: row.example,
    scores: Object.fromEntries(rowScores(body.evaluation_scores ?? [])),
    error,
    latency: row.duration_s,
    tags: toTags(body),
    preview: {
      input: toPreview(body.inputs),
      expected: toPreview(body.expected_outputs),
      output: toPreview(body.actual_outputs),
    },
  };
}

/** Scalars under `inputs` and `run_metadata` by dotted name. A long text stands for itself by its beginning and hash, so that equal ones stay equal. */
function toTags(body: Row["body"]): Record<string, string> {
  const tags: [string, string][] = [];
  const add = (name: string, value: unknown, depth: number): void => {
    if (tags.length >= MAX_TAGS) return;
    if (isObject(value)) {
      if (depth < 4)
        for (const key of Object.keys(value)) add(`${name}.${key}`, value[key], depth + 1);
    } else if (typeof value === "string")
      tags.push([
        name,
        value.length <= TAG_CHARS
          ? value
          : `${flat(value.slice(0, 80))}…${createHash("sha256").update(value).digest("hex").slice(0, 16)}`,
      ]);
    else if (typeof value === "number" || typeof value === "boolean")
      tags.push([name, String(value)]);
  };
  add("inputs", body.inputs, 0);
  add("run_metadata", body.run_metadata, 0);
  // Where a tool keeps a sample's own metadata, under the name that people know it by.
  const own = isObject(body.run_metadata) ? body.run_metadata["metadata"] : undefined;
  if (isObject(own))
    for (const key of Object.keys(own))
      if (body.run_metadata?.[key] === undefined) add(`run_metadata.${key}`, own[key], 1);
  return Object.fromEntries(tags);
}

/** A lone value stands for its object; the rest is JSON, cut. */
function toPreview(value: unknown): string {
  if (!isObject(value)) return "";
  const values = Object.values(value);
  const alone = values.length === 1 ? values[0] : undefined;
  const text = typeof alone === "string" ? alone : JSON.stringify(alone ?? value);
  return text.length <= PREVIEW_CHARS ? text : `${flat(text.slice(0, PREVIEW_CHARS - 1))}…`;
}

/** A copy of its own: a slice would keep the whole text it was cut from in memory. */
function flat(text: string): string {
  return Buffer.from(text.replace(/[\uD800-\uDBFF]$/, ""), "utf16le").toString("utf16le");
}
