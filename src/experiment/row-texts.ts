import { hash } from "node:crypto";
import type { RowPreview } from "../gate/row.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { beginningOf } from "../report/escape.ts";
import type { RowBody } from "./input/row.ts";

const PREVIEW_CHARS = 200;
const TAG_CHARS = 200;
const MAX_TAGS = 64;

/** The texts of a row that a report may show. */
export function toRowPreview(
  body: Omit<RowBody, "row_id" | "start_time" | "end_time">,
  rerun?: string,
): RowPreview {
  return {
    input: toPreview(body.inputs),
    expected: toPreview(body.expected_outputs),
    output: toPreview(body.actual_outputs),
    ...toNotes(body),
    ...(rerun === undefined ? {} : { rerun }),
  };
}

const COMMENT_CHARS = 300;
const TRACE_KEYS = ["trace_url", "trace_link", "run_url", "traceUrl", "runUrl", "trace"] as const;
const MAX_ADDRESS_CHARS = 500;

/** The judge's comments and the run's trace; nothing for most rows, so that they all have one shape. */
function toNotes({
  evaluation_scores: scores = [],
  run_metadata: metadata = {},
}: Pick<RowBody, "evaluation_scores" | "run_metadata">):
  | Pick<RowPreview, "trace" | "comments">
  | undefined {
  let comments: Record<string, string> | undefined;
  for (const { key, comment = "" } of scores) {
    if (comment === "") continue;
    comments ??= Object.create(null) as Record<string, string>;
    comments[key] = flat(comment, COMMENT_CHARS);
  }
  const trace = toTrace(metadata);
  if (comments === undefined && trace === undefined) return undefined;
  return {
    ...(trace === undefined ? {} : { trace }),
    ...(comments === undefined ? {} : { comments }),
  };
}

function toTrace(metadata: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of TRACE_KEYS) {
    const value = metadata[key];
    const isShort = typeof value === "string" && value.length <= MAX_ADDRESS_CHARS;
    if (isShort && /^https?:\/\/[^\s<>"]+$/u.test(value)) return value;
  }
  return undefined;
}

/**
 * Scalars under `inputs` and `run_metadata` by dotted name. A long text is replaced by its
 * beginning and hash, so that equal ones stay equal.
 */
export function toTags(
  inputs: JsonObject,
  metadata: JsonObject | undefined,
): Record<string, string> {
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
          : `${flat(value, 80)}…${hash("sha256", value).slice(0, 16)}`,
      ]);
    else if (typeof value === "number" || typeof value === "boolean")
      tags.push([name, String(value)]);
  };
  add("inputs", inputs, 0);
  add("run_metadata", metadata, 0);
  // The sample's own metadata, which tools put under `metadata`, also under the name that people know.
  const own = metadata?.["metadata"];
  if (isObject(own))
    for (const key of Object.keys(own))
      if (metadata?.[key] === undefined) add(`run_metadata.${key}`, own[key], 1);
  return Object.fromEntries(tags);
}

/** A single value replaces its object, anything but a text becomes JSON, and the text is cut to 200 characters. */
export function toPreview(value: unknown): string {
  if (!isObject(value)) return "";
  const values = Object.values(value);
  const alone = values.length === 1 ? values[0] : undefined;
  const text = typeof alone === "string" ? alone : JSON.stringify(alone ?? value);
  return text.length <= PREVIEW_CHARS ? text : `${flat(text, PREVIEW_CHARS - 1)}…`;
}

/** A copy of a text's beginning: a slice would keep the whole original text in memory. */
function flat(text: string, maxChars: number): string {
  return Buffer.from(beginningOf(text, maxChars), "utf16le").toString("utf16le");
}
