import type { Hash } from "node:crypto";
import type { BaselinePoint } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { addLines, endDigest, startDigest } from "./baseline-digest.ts";
import { type Baseline, BASELINE_SCHEMA } from "./baseline.ts";
import type { BetterSide } from "./direction.ts";
import { createTableBuilder, type TableBuilder } from "./table.ts";
import { count } from "./wording.ts";

/** A baseline file as read, or the one reason why it is not one. */
export type ParsedBaseline =
  | { readonly state: "parsed"; readonly baseline: Baseline }
  | { readonly state: "problem"; readonly problem: Diagnostic };

/** Reads a baseline file; a cut or edited one is a problem. */
export function parseBaseline(text: string, file: string): ParsedBaseline {
  const refuse = (message: string): ParsedBaseline => ({
    state: "problem",
    problem: {
      file,
      line: 1,
      column: 1,
      level: "error",
      path: "",
      message: `${message}; write it again with write-baseline`,
    },
  });
  const quick = readByLine(text, file);
  if (quick !== null) return { state: "parsed", baseline: quick };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch {
    return refuse("the baseline is not valid JSON, perhaps cut off or with conflict marks");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("the baseline is not a JSON object");
  const found = value as Readonly<Record<string, unknown>>;
  if (found["schema"] !== BASELINE_SCHEMA) {
    return refuse(
      `the baseline's schema is ${JSON.stringify(found["schema"] ?? null)}, this version reads ${BASELINE_SCHEMA}`,
    );
  }
  const read = readGroups(found, file);
  if (typeof read === "string") return refuse(read);
  return { state: "parsed", baseline: read };
}

const HEADER_KEYS = [
  "schema",
  "commit",
  "created_at",
  "dataset",
  "examples",
  "rows",
  "errors",
  "repeats",
  "judge",
  "groups",
  "metrics",
  "must_pass",
  "history",
  "anchor",
  "directions",
] as const;

const SCORES = '"scores": [\n';
const ANCHOR_SCORES = '"anchor_scores": [\n';
const CLOSE = "\n],\n";

/**
 * The file as `toBaseline` lays it out, a row at a time, so that no row of a large one is ever an object next to the
 * others. Null where it is laid out otherwise or anything is wrong: then it is read whole, which also says what.
 */
function readByLine(text: string, file: string): Baseline | null {
  const scores = sectionOf(text, 0, SCORES);
  if (scores === null) return null;
  const anchored = text.startsWith(ANCHOR_SCORES, scores.end)
    ? sectionOf(text, scores.end, ANCHOR_SCORES)
    : { begin: scores.end, from: 0, to: 0, end: scores.end };
  if (anchored === null) return null;
  try {
    const rest: unknown = JSON.parse(text.slice(0, scores.begin) + text.slice(anchored.end));
    const found = recordOf(rest);
    if (found["schema"] !== BASELINE_SCHEMA || "scores" in found || "anchor_scores" in found)
      return null;
    const read = readParts(found, file, (metrics, builders) => ({
      scores: readLines(text, scores, metrics, builders.scores),
      anchored: readLines(text, anchored, metrics, builders.anchored),
    }));
    return typeof read === "string" ? null : read;
  } catch {
    return null;
  }
}

/** Where the rows of a list lie in the text, and where the list with its name begins and ends. */
interface Section {
  readonly begin: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

function sectionOf(text: string, at: number, name: string): Section | null {
  const begin = text.indexOf(name, at);
  const to = begin < 0 ? -1 : text.indexOf(CLOSE, begin);
  if (to < 0) return null;
  return { begin, from: begin + name.length, to, end: to + CLOSE.length };
}

/** Rows as they were read: how many, and their text for the digest; or what is wrong. */
interface ReadRows {
  readonly rows: number;
  readonly addTo: (hash: Hash) => void;
}

function readLines(
  text: string,
  { from, to }: Section,
  metrics: readonly string[],
  builders: readonly TableBuilder[],
): ReadRows | string {
  let rows = 0;
  for (let at = from; at < to; rows++) {
    const end = text.indexOf("\n", at);
    const last = end < 0 || end >= to;
    const line = text.slice(at, last ? to : end - 1);
    if ((!last && text[end - 1] !== ",") || !readRow(JSON.parse(line), metrics, builders))
      return "a line is not a row";
    at = last ? to : end + 1;
  }
  const addTo = (hash: Hash): void => {
    let held: string[] = [];
    for (let at = from; at < to; ) {
      const end = text.indexOf("\n", at);
      const last = end < 0 || end >= to;
      held.push(text.slice(at, last ? to : end - 1));
      at = last ? to : end + 1;
      if (held.length < 1000 && !last) continue;
      hash.update(`${held.join("\n")}\n`);
      held = [];
    }
  };
  return { rows, addTo };
}

function readGroups(found: Readonly<Record<string, unknown>>, file: string): Baseline | string {
  const scores = found["scores"];
  const anchored = found["anchor_scores"] ?? [];
  if (!Array.isArray(scores) || !Array.isArray(anchored)) return "the baseline holds no scores";
  return readParts(found, file, (metrics, builders) => ({
    scores: readItems(scores, metrics, builders.scores),
    anchored: readItems(anchored, metrics, builders.anchored),
  }));
}

function readItems(
  items: readonly unknown[],
  metrics: readonly string[],
  builders: readonly TableBuilder[],
): ReadRows | string {
  for (let at = 0; at < items.length; at++) {
    if (!readRow(items[at], metrics, builders))
      return `entry ${at + 1} of the baseline's scores is not a row`;
  }
  return {
    rows: items.length,
    addTo: (hash) =>
      addLines(
        hash,
        items.map((row) => JSON.stringify(row)),
      ),
  };
}

interface Parts<T> {
  readonly scores: T;
  readonly anchored: T;
}

/** Makes the groups of a file, however its rows are read. */
function readParts(
  found: Readonly<Record<string, unknown>>,
  file: string,
  readRows: (
    metrics: readonly string[],
    builders: Parts<readonly TableBuilder[]>,
  ) => Parts<ReadRows | string>,
): Baseline | string {
  const metrics = textsOf(found["metrics"]);
  const labels = textsOf(found["groups"]);
  if (metrics === null) return "the baseline names no metrics";
  if (labels === null || labels.length === 0) return "the baseline names no groups";
  const builders = {
    scores: labels.map(() => createTableBuilder()),
    anchored: labels.map(() => createTableBuilder()),
  };
  const { scores, anchored } = readRows(metrics, builders);
  if (typeof scores === "string") return scores;
  if (typeof anchored === "string") return anchored;
  if (scores.rows !== found["rows"])
    return `the baseline holds ${count(scores.rows, "row")} where its header says ${String(found["rows"])}`;
  const hash = startDigest(
    JSON.stringify(Object.fromEntries(HEADER_KEYS.map((key) => [key, found[key]]))),
  );
  for (const part of [scores, anchored]) {
    hash.update("\n\n");
    part.addTo(hash);
  }
  if (endDigest(hash) !== found["digest"])
    return "the baseline does not fit its digest, so it was edited by hand or merged";
  // Outside the digest, and never written otherwise: without it a red drop would be left open.
  if (found["complete"] !== true)
    return "the baseline has no completion mark, so it was edited by hand or cut off";
  return toGroups(found, { file, labels, builders });
}

function toGroups(
  found: Readonly<Record<string, unknown>>,
  {
    file,
    labels,
    builders,
  }: {
    readonly file: string;
    readonly labels: readonly string[];
    readonly builders: Parts<readonly TableBuilder[]>;
  },
): Baseline {
  const facts = {
    file,
    state: "complete" as const,
    commit: textOf(found["commit"]),
    created_at: textOf(found["created_at"]),
    judge: textOf(found["judge"]),
  };
  const anchor = recordOf(found["anchor"]);
  const anchorFacts = {
    ...facts,
    commit: textOf(anchor["commit"]),
    created_at: textOf(anchor["created_at"]),
  };
  const sketches = new Map(
    Object.entries(recordOf(found["sketches"])).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
  const members = Array.isArray(found["must_pass"]) ? found["must_pass"] : [];
  const shown = sidesOf(found["directions"]);
  const anchorShown = sidesOf(anchor["directions"]);
  return {
    groups: labels.map((label, at) => {
      const kept = builders.anchored[at]!.finish({ ...anchorFacts, shown: anchorShown(at) });
      return {
        label,
        table: { ...builders.scores[at]!.finish({ ...facts, shown: shown(at) }), sketches },
        anchor: kept.size === 0 ? null : kept,
        members: membersOf(members[at]),
      };
    }),
    history: Array.isArray(found["history"]) ? (found["history"] as BaselinePoint[]) : [],
  };
}

/** By group, the better sides that the verdicts of its run showed; files of older versions say nothing. */
function sidesOf(value: unknown): (group: number) => ReadonlyMap<string, BetterSide> {
  const groups: readonly unknown[] = Array.isArray(value) ? value : [];
  return (group) =>
    new Map(
      Object.entries(recordOf(groups[group])).filter(
        (entry): entry is [string, BetterSide] => entry[1] === "lower" || entry[1] === "higher",
      ),
    );
}

function membersOf(value: unknown): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(recordOf(value)).map(([key, list]) => [key, textsOf(list) ?? []]),
  );
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
  builder.add(row, {
    forEach: (take) => {
      for (const [at, metric] of metrics.entries())
        if (item[at + 2] !== null) take(item[at + 2] as number, metric);
    },
  });
  return true;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function textsOf(value: unknown): string[] | null {
  return Array.isArray(value) && value.every((one): one is string => typeof one === "string")
    ? value
    : null;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
