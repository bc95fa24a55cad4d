import { createHash, type Hash } from "node:crypto";
import type { BaselinePoint } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { meetsRule } from "./floor.ts";
import type { GateJudgement } from "./judge.ts";
import type { GateSet } from "./language.ts";
import { countErrors, countScored, createIndex, sorted } from "./metric.ts";
import { listMembers } from "./must-pass.ts";
import { MOST_SKETCHED, sketchOf } from "./near-match.ts";
import type { GateTable } from "./row.ts";
import { createTableBuilder, type TableBuilder } from "./table.ts";
import { count, figures, tidy } from "./wording.ts";

/** First line of every baseline file; the number is the version of its layout. */
const BASELINE_SCHEMA = "agent-deploy-baseline/2";
const MOST_SAID = 1_000_000;
/** Accepted runs whose means a file remembers. */
const MOST_HISTORY = 30;

/** Whether a file is a baseline rather than a result file; the first hundred characters tell. */
export function isBaseline(text: string): boolean {
  return /^\uFEFF?\s*\{\s*"schema"\s*:\s*"agent-deploy-baseline\//u.test(text.slice(0, 100));
}

/** Identity of a set of examples, whatever their order and repeats. */
export function fingerprintDataset(table: GateTable): string {
  const examples = sorted([...new Set(table.example)]);
  return `sha256:${createHash("sha256").update(examples.join("\n")).digest("hex")}`;
}

/** One provider and prompt of a baseline. */
export interface BaselineGroup {
  readonly label: string;
  readonly table: GateTable;
  /** The run that was last accepted by hand; null where that is this one. */
  readonly anchor: GateTable | null;
  /** Examples by must_pass group; absent where the rows themselves tell. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
}

/** What a baseline is, be it a baseline file or a result file. */
export interface Baseline {
  readonly groups: readonly BaselineGroup[];
  /** The oldest first. */
  readonly history: readonly BaselinePoint[];
}

/** How many runs in a row were held against the anchor of a baseline, the next one included. */
export function countLooks({ groups, history }: Baseline): number {
  const anchor = groups.find((group) => group.anchor !== null)?.anchor;
  if (anchor === undefined || anchor === null) return 1;
  const from = history.findLastIndex(({ created_at }) => created_at === anchor.created_at);
  return Math.max(2, history.length - from);
}

/** What a baseline file is written from. */
export interface BaselineSource {
  readonly groups: readonly { readonly label: string; readonly table: GateTable }[];
  readonly gates: GateSet | null;
  readonly commit: string | null;
  readonly created_at: string;
  /** The baseline that this run was judged by. */
  readonly previous: Baseline | null;
  /** Whether a person accepted this run: it is the anchor of later ones. */
  readonly accepted: boolean;
}

interface Header {
  readonly schema: string;
  readonly commit: string | null;
  readonly created_at: string;
  readonly dataset: string;
  readonly examples: number;
  readonly rows: number;
  readonly errors: number;
  readonly repeats: number;
  readonly judge: string | null;
  readonly groups: readonly string[];
  readonly metrics: readonly string[];
  readonly must_pass: readonly Readonly<Record<string, readonly string[]>>[];
  readonly history: readonly BaselinePoint[];
  readonly anchor: { readonly commit: string | null; readonly created_at: string | null } | null;
}

/**
 * Text of a baseline file: a header, then a line per row, sorted, so that a commit of it shows what changed. Scores and
 * hashes of inputs only: no text of inputs or outputs. The last key is the completion mark, missing when the file was cut.
 */
export function toBaseline(source: BaselineSource): string {
  const { groups, accepted, previous } = source;
  const tables = groups.map(({ table }) => table);
  const anchors = groups.map(({ label }) => (accepted ? null : anchorOf(previous, label)));
  const metrics = [
    ...new Set([...tables, ...anchors].flatMap((table) => table?.metrics ?? [])),
  ].sort();
  const header = headerOf(source, metrics, anchors);
  const lines = tables.flatMap((table, group) => rowLines(table, metrics, group)).sort();
  const anchorLines = anchors
    .flatMap((table, group) => (table === null ? [] : rowLines(table, metrics, group)))
    .sort();
  const digest = digestOf(JSON.stringify(header), [lines, anchorLines]);
  const { schema, ...rest } = header;
  const fields = Object.entries({ schema, digest, ...rest })
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
    .join("");
  const kept =
    anchorLines.length === 0 ? "" : `"anchor_scores": [\n${anchorLines.join(",\n")}\n],\n`;
  const complete = accepted || tables.every(({ state }) => state === "complete");
  return `{\n${fields}"scores": [\n${lines.join(",\n")}\n],\n${kept}${sketchesOf(tables)}"complete": ${String(complete)}\n}\n`;
}

function headerOf(
  { groups, gates, commit, created_at, previous }: BaselineSource,
  metrics: readonly string[],
  anchors: readonly (GateTable | null)[],
): Header {
  const tables = groups.map(({ table }) => table);
  const indexes = tables.map((table) => createIndex(table));
  const [first] = tables;
  const anchor = anchors.find((table) => table !== null);
  const point: BaselinePoint = {
    commit: commit ?? first?.commit ?? null,
    created_at,
    means: meansOf(tables),
  };
  return {
    schema: BASELINE_SCHEMA,
    commit: commit ?? first?.commit ?? null,
    created_at,
    dataset: first === undefined ? "" : fingerprintDataset(first),
    examples: indexes.reduce((sum, index) => sum + index.examples.length, 0),
    rows: tables.reduce((sum, table) => sum + table.size, 0),
    errors: tables.reduce((sum, table) => sum + countErrors(table), 0),
    repeats: Math.max(0, ...indexes.map((index) => index.repeats)),
    judge: first?.judge ?? null,
    groups: groups.map(({ label }) => label),
    metrics,
    must_pass: indexes.map((index) => listMembers(index, gates?.must_pass ?? [])),
    history: [...(previous?.history ?? []), point].slice(-MOST_HISTORY),
    anchor:
      anchor === undefined || anchor === null
        ? null
        : { commit: anchor.commit, created_at: anchor.created_at },
  };
}

function meansOf(tables: readonly GateTable[]): Record<string, number> {
  const sums = new Map<string, { sum: number; n: number }>();
  for (const { scores } of tables) {
    for (const [metric, values] of scores) {
      const entry = sums.get(metric) ?? { sum: 0, n: 0 };
      for (const value of values.slice().sort()) {
        if (Number.isNaN(value)) continue;
        entry.sum += value;
        entry.n++;
      }
      sums.set(metric, entry);
    }
  }
  return Object.fromEntries(
    [...sums].filter(([, { n }]) => n > 0).map(([metric, { sum, n }]) => [metric, tidy(sum / n)]),
  );
}

/** The run that later ones are held against: what the last baseline was held against, else that baseline itself. */
function anchorOf(previous: Baseline | null, label: string): GateTable | null {
  const group = findGroup(previous, label);
  return group === null ? null : (group.anchor ?? group.table);
}

/** The group of a baseline that a head is compared with: of the same name, or the only one on both sides. */
export function findGroup(
  baseline: Baseline | null,
  label: string,
  alone = true,
): BaselineGroup | null {
  const groups = baseline?.groups ?? [];
  const named = groups.find((group) => group.label === label);
  return named ?? (alone && groups.length === 1 ? groups[0]! : null);
}

function rowLines(table: GateTable, metrics: readonly string[], group: number): string[] {
  const columns = metrics.map((metric) => table.scores.get(metric));
  return Array.from(table.example, (example, row) => {
    const latency = table.latency[row]!;
    const scores = columns.map((column) => {
      const score = column?.[row] ?? NaN;
      return Number.isNaN(score) ? null : score;
    });
    const second = Number.isNaN(latency) ? null : latency;
    return JSON.stringify([
      example,
      table.error[row] === 1 ? "error" : second,
      ...scores,
      ...(group > 0 ? [group] : []),
    ]);
  });
}

function digestOf(header: string, parts: readonly (readonly string[])[]): string {
  const hash = startDigest(header);
  for (const lines of parts) {
    hash.update("\n\n");
    addLines(hash, lines);
  }
  return endDigest(hash);
}

function startDigest(header: string): Hash {
  return createHash("sha256").update(header);
}

function addLines(hash: Hash, lines: readonly string[]): void {
  for (let at = 0; at < lines.length; at += 1000)
    hash.update(`${lines.slice(at, at + 1000).join("\n")}\n`);
}

function endDigest(hash: Hash): string {
  return `sha256:${hash.digest("hex")}`;
}

function sketchesOf(tables: readonly GateTable[]): string {
  const sketches = new Map<string, string>();
  for (const table of tables) {
    if (table.size > MOST_SKETCHED) return "";
    table.example.forEach((example, row) => {
      const { input } = table.preview(row);
      if (input !== "" && !sketches.has(example)) sketches.set(example, sketchOf(input));
    });
  }
  if (sketches.size === 0) return "";
  const lines = [...sketches].map(
    ([example, sketch]) => `${JSON.stringify(example)}: ${JSON.stringify(sketch)}`,
  );
  return `"sketches": {\n${lines.sort().join(",\n")}\n},\n`;
}

/** A baseline file as read, or the one reason why it is none. */
export type ParsedBaseline =
  | { readonly state: "parsed"; readonly baseline: Baseline }
  | { readonly state: "problem"; readonly problem: Diagnostic };

/** Reads a baseline file; a cut or edited one is a problem, one of an unfinished run is a table that says so. */
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
] as const;

const SCORES = '"scores": [\n';
const ANCHOR_SCORES = '"anchor_scores": [\n';
const CLOSE = "\n],\n";

/**
 * The file as `toBaseline` lays it out, a row at a time, so that no row of a large one is ever an object beside the
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
  // A file of one group says how long its columns get; more than a large file holds is not believed.
  const said = found["rows"];
  const rows = labels.length === 1 && Number.isInteger(said) ? (said as number) : 0;
  const builders = {
    scores: labels.map(() =>
      createTableBuilder({ rows: rows > 0 && rows <= MOST_SAID ? rows : 0 }),
    ),
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
    state: found["complete"] === true ? ("complete" as const) : ("incomplete" as const),
    commit: textOf(found["commit"]),
    created_at: textOf(found["created_at"]),
    judge: textOf(found["judge"]),
  };
  const anchor = recordOf(found["anchor"]);
  const anchorFacts = {
    ...facts,
    state: "complete" as const,
    commit: textOf(anchor["commit"]),
    created_at: textOf(anchor["created_at"]),
  };
  const sketches = new Map(
    Object.entries(recordOf(found["sketches"])).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
  const members = Array.isArray(found["must_pass"]) ? found["must_pass"] : [];
  return {
    groups: labels.map((label, at) => {
      const kept = builders.anchored[at]!.finish(anchorFacts);
      return {
        label,
        table: { ...builders.scores[at]!.finish(facts), sketches },
        anchor: kept.size === 0 ? null : kept,
        members: membersOf(members[at]),
      };
    }),
    history: Array.isArray(found["history"]) ? (found["history"] as BaselinePoint[]) : [],
  };
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
  builder.addNumbers(row, metrics, { of: item, from: 2 });
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

/** Why a run may not become a baseline, all reasons; empty where it may. `final`: nobody can accept it. */
export interface BaselineRefusal {
  readonly reasons: readonly string[];
  readonly final: boolean;
}

/** Holds a run against what a baseline must be. */
export function refuseBaseline({
  tables,
  gates,
  judgement,
}: {
  readonly tables: readonly GateTable[];
  readonly gates: GateSet | null;
  readonly judgement: GateJudgement | null;
}): BaselineRefusal {
  if (!tables.some((table) => countScored(table) > 0))
    return {
      reasons: [`no row of ${tables[0]?.file ?? "the results"} has a score`],
      final: true,
    };
  const reasons: string[] = [];
  for (const table of tables) {
    if (table.state !== "complete")
      reasons.push(
        `${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}`,
      );
    const errors = refuseErrors(table, gates);
    if (errors !== null) reasons.push(errors);
  }
  const failed = judgement?.gates.filter((gate) => gate.verdict === "fail") ?? [];
  const open =
    judgement?.gates.filter(
      (gate) => gate.verdict === "inconclusive" && !gate.reason.startsWith("no-baseline"),
    ) ?? [];
  if (failed.length > 0) reasons.push(`a gate failed (${namesOf(failed)})`);
  if (open.length > 0) reasons.push(`a gate is inconclusive (${namesOf(open)})`);
  if (judgement?.lowOverlap === true)
    reasons.push("fewer of the baseline's examples were run than min_overlap asks for");
  if (judgement?.noBaseline === true)
    reasons.push("it is the first baseline beside a drop gate, so no run was compared with it");
  return { reasons, final: false };
}

function namesOf(gates: readonly { readonly rule: string }[]): string {
  const named = gates.slice(0, 3).map(({ rule }) => rule);
  return `${named.join(", ")}${gates.length > 3 ? `, and ${gates.length - 3} more` : ""}`;
}

function refuseErrors(table: GateTable, gates: GateSet | null): string | null {
  const errors = countErrors(table);
  if (errors === 0) return null;
  const share = errors / table.size;
  const limits = (gates?.rules ?? []).filter(
    (rule) =>
      rule.kind === "floor" && rule.metric === "error_rate" && rule.operator.startsWith("<"),
  );
  const said = `${count(errors, "row")} of ${table.size} errored`;
  if (limits.length === 0)
    return `${said}; fix them, or allow some with a gate such as \`error_rate <= 0.02\``;
  const broken = limits.find((rule) => !meetsRule(rule, share));
  return broken === undefined
    ? null
    : `${said} (${figures(share)[0]}), more than \`${broken.text}\` allows`;
}
