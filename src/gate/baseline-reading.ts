import * as z from "zod/v4";
import { parseJson, isObject } from "../model/json.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { type Baseline, BASELINE_SCHEMA, BaselineHeader, digestOf } from "./baseline.ts";
import type { TableFacts } from "./row.ts";
import { createTableBuilder, type TableBuilder } from "./table.ts";
import { plural } from "../model/count-words.ts";

/** Parses a baseline file; a truncated or edited one is a problem. */
export function parseBaseline(
  text: string,
  file: string,
):
  | { readonly state: "parsed"; readonly baseline: Baseline }
  | { readonly state: "problem"; readonly problem: Diagnostic } {
  const baseline = readBaseline(text.replace(/^\uFEFF/u, ""), file);
  if (typeof baseline !== "string") return { state: "parsed", baseline };
  const message = `${baseline}; write it again with write-baseline`;
  const problem = { file, line: 1, column: 1, level: "error", path: "", message } as const;
  return { state: "problem", problem };
}

const NO_JSON = "the baseline is not valid JSON, perhaps cut off or with conflict marks";

/** The rows of a list, one per line, between two positions of the text. */
interface RowLines {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A file with its rows as lines, so that the rows of a large one are never all objects at once. */
interface Layout {
  readonly found: Readonly<Record<string, unknown>>;
  readonly scores: RowLines;
  readonly anchored: RowLines;
}

const SCORES = '"scores": [\n';
const ANCHOR_SCORES = '"anchor_scores": [\n';
const CLOSE = "\n],\n";
const NEXT = ",\n";

/** Finds the layout that `toBaseline` writes; null if the file was reformatted. */
function findLayout(text: string): Layout | null {
  const begin = text.indexOf(SCORES);
  const to = text.indexOf(CLOSE, begin);
  if (begin < 0 || to < 0) return null;
  const scores = { text, from: begin + SCORES.length, to };
  let end = to + CLOSE.length;
  let anchored = { text, from: end, to: end };
  if (text.startsWith(ANCHOR_SCORES, end)) {
    anchored = { text, from: end + ANCHOR_SCORES.length, to: text.indexOf(CLOSE, end) };
    if (anchored.to < 0) return null;
    end = anchored.to + CLOSE.length;
  }
  const found = parseJson(text.slice(0, begin) + text.slice(end));
  if (!isObject(found) || "scores" in found || "anchor_scores" in found) return null;
  return { found, scores, anchored };
}

/** The same for a file with another layout. */
function layOut(text: string): Layout | string {
  const found = parseJson(text);
  if (found === undefined) return NO_JSON;
  if (!isObject(found)) return "the baseline is not a JSON object";
  const { scores, anchor_scores = [] } = found;
  if (!Array.isArray(scores) || !Array.isArray(anchor_scores))
    return "the baseline holds no scores";
  const toLines = (rows: readonly unknown[]): RowLines => {
    const lines = rows.map((row) => JSON.stringify(row)).join(NEXT);
    return { text: lines, from: 0, to: lines.length };
  };
  return { found, scores: toLines(scores), anchored: toLines(anchor_scores) };
}

function* linesOf({ text, from, to }: RowLines): Generator<string> {
  for (let at = from; at < to; ) {
    const next = text.indexOf(NEXT, at);
    const end = next < 0 || next >= to ? to : next;
    yield text.slice(at, end);
    at = end + NEXT.length;
  }
}

/**
 * Parses the whole text if it is not laid out as written, or its rows were changed, even by a
 * space: the problem reported is then that of the whole file.
 */
function readBaseline(text: string, file: string): Baseline | string {
  const asWritten = findLayout(text);
  const read = asWritten === null ? "" : readLayout(asWritten, file);
  if (typeof read !== "string") return read;
  const layout = layOut(text);
  return typeof layout === "string" ? layout : readLayout(layout, file);
}

function readLayout({ found, scores, anchored }: Layout, file: string): Baseline | string {
  if (found["schema"] !== BASELINE_SCHEMA)
    return `the baseline's schema is ${JSON.stringify(found["schema"] ?? null)}, this version reads ${BASELINE_SCHEMA}`;
  const parsed = BaselineHeader.safeParse(found);
  if (!parsed.success)
    return `the baseline names no ${String(parsed.error.issues[0]?.path[0] ?? "header")}`;
  const { metrics, groups, history, ...header } = parsed.data;
  const builders = groups.map(() => createTableBuilder());
  const anchors = groups.map(() => createTableBuilder());
  const rows = readRows(scores, metrics, builders);
  const anchorRows = readRows(anchored, metrics, anchors);
  if (typeof rows === "string") return rows;
  if (typeof anchorRows === "string") return anchorRows;
  if (rows !== found["rows"])
    return `the baseline holds ${plural(rows, "row")} where its header says ${String(found["rows"])}`;
  const covered = Object.keys(BaselineHeader.shape).map((key) => [key, found[key]]);
  const digested = JSON.stringify(Object.fromEntries(covered));
  if (digestOf(digested, [linesOf(scores), linesOf(anchored)]) !== found["digest"])
    return "the baseline does not fit its digest, so it was edited by hand or merged";
  // The digest does not cover this mark, which is always written as true. A file without it is a
  // problem rather than incomplete: an incomplete baseline would leave a failed drop inconclusive.
  if (found["complete"] !== true)
    return "the baseline has no completion mark, so it was edited by hand or cut off";
  const factsOf = (run: NonNullable<typeof header.anchor>, group: number): TableFacts => ({
    file,
    state: "complete",
    judge: header.judge,
    commit: run.commit,
    created_at: run.created_at,
    shown: new Map(Object.entries(run.directions?.[group] ?? {})),
  });
  const sketches = new Map(Object.entries(Sketches.parse(found["sketches"])));
  return {
    groups: groups.map((label, at) => {
      const kept = anchors[at]!.finish(factsOf(header.anchor ?? NO_RUN, at));
      return {
        label,
        table: { ...builders[at]!.finish(factsOf(header, at)), sketches },
        anchor: kept.size === 0 ? null : kept,
        members: header.must_pass[at] ?? {},
      };
    }),
    history,
  };
}

const NO_RUN = { commit: null, created_at: null };
const Sketches = z.record(z.string(), z.string()).catch({});

/** How many rows were read, or what is wrong with one. */
function readRows(
  lines: RowLines,
  metrics: readonly string[],
  builders: readonly TableBuilder[],
): number | string {
  let rows = 0;
  for (const line of linesOf(lines)) {
    rows++;
    const item = parseJson(line);
    if (item === undefined) return NO_JSON;
    if (!readRow(item, metrics, builders))
      return `entry ${rows} of the baseline's scores is not a row`;
  }
  return rows;
}

function readRow(
  item: unknown,
  metrics: readonly string[],
  builders: readonly TableBuilder[],
): boolean {
  if (!Array.isArray(item) || typeof item[0] !== "string") return false;
  const latency: unknown = item[1];
  const error = latency === "error";
  if (!error && latency !== null && typeof latency !== "number") return false;
  const width = metrics.length + 2;
  if (item.length !== width && item.length !== width + 1) return false;
  const group: unknown = item.length > width ? item[width] : 0;
  const builder = typeof group === "number" ? builders[group] : undefined;
  if (builder === undefined) return false;
  for (let at = 2; at < width; at++)
    if (item[at] !== null && typeof item[at] !== "number") return false;
  const row = { example: item[0], error, latency: typeof latency === "number" ? latency : null };
  builder.add(row);
  for (let at = 2; at < width; at++)
    if (item[at] !== null) builder.score(metrics[at - 2]!, item[at] as number);
  return true;
}
