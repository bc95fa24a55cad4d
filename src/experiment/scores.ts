import { createHash } from "node:crypto";
import { knownDirection } from "../gate/direction.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { GateRow, GateTable, RowPreview, TableFacts, WordedMetric } from "../gate/row.ts";
import { createTableBuilder, joinTables } from "../gate/table.ts";
import type { Experiment } from "./experiment.ts";
import type { GatheredRows } from "./gate-rows.ts";
import { isObject } from "../model/json.ts";
import { createNamelessCrashes, named } from "./nameless-crash.ts";
import type { Row, RowBody } from "./row.ts";
import { rowScores } from "./score-means.ts";
import { withUsage } from "./usage.ts";

const PREVIEW_CHARS = 200;
const TAG_CHARS = 200;
const MAX_TAGS = 64;

/** The rows of one provider and prompt, as gates judge them. */
export interface LabelledTable {
  readonly label: string;
  /** Provider and prompt, also where the file holds no others; empty where formats have none, and for pooled rows. */
  readonly group: string;
  readonly table: GateTable;
}

/** Rows that are judged together with those of the same label. */
interface Judged {
  readonly label: string;
  readonly group: string;
  readonly experiment: Experiment;
  /** Null where nobody had said that gates want them. */
  readonly rows: GatheredRows | null;
}

/** The rows of an experiment by provider and prompt, also of one that has those of several. */
function toJudged(experiment: Experiment): Judged[] {
  const { label, group, gathered } = experiment;
  if (gathered === null) return [{ label, group, experiment, rows: null }];
  const isSplit = gathered.length > 1;
  return gathered.map((rows) => ({
    label: isSplit ? rows.part : label,
    group: rows.part === "" ? group : rows.part,
    experiment,
    rows,
  }));
}

/** What all of them are of; empty where they are of several. */
function groupOf(members: readonly Judged[], gates: GateSet | null): string {
  const names = new Set(members.map(({ group }) => group));
  return gates?.pool === true || names.size !== 1 ? "" : [...names][0]!;
}

/**
 * The rows of result files as gates judge them: a table for each provider and prompt, unless the gates pool them. An
 * example is its content, whichever file it comes from. Throws a DiagnosticError where a file changed since it was checked.
 */
export async function toGateTables(
  experiments: readonly Experiment[],
  gates: GateSet | null,
): Promise<LabelledTable[]> {
  const groups = new Map<string, Judged[]>();
  for (const one of experiments.flatMap(toJudged)) {
    const label = gates?.pool === true ? "" : one.label;
    groups.set(label, [...(groups.get(label) ?? []), one]);
  }
  if (groups.size === 0) groups.set("", []);
  // Without gates nothing selects rows, and messages may name every field.
  const tags = gates === null ? null : tagsOf(gates);
  const tables: LabelledTable[] = [];
  for (const [label, members] of groups)
    tables.push({ label, group: groupOf(members, gates), table: await readTable(members, tags) });
  return tables;
}

/** The fields that gates select rows by; no other is kept. */
export function tagsOf(gates: GateSet | null): ReadonlySet<string> {
  if (gates === null) return new Set();
  const names = gates.must_pass.flatMap((item) => Object.keys(item.select));
  return new Set(gates.cluster_by === null ? names : [...names, gates.cluster_by]);
}

async function readTable(
  members: readonly Judged[],
  tags: ReadonlySet<string> | null,
): Promise<GateTable> {
  const experiments = [...new Set(members.map(({ experiment }) => experiment))];
  const first = experiments[0];
  const states = experiments.map(({ state }) => state);
  const finished = states.includes("incomplete") || first === undefined ? "incomplete" : "complete";
  const facts: TableFacts = {
    file: [...new Set(experiments.map(({ file }) => file))].join(", "),
    state: states.includes("cancelled") ? "cancelled" : finished,
    commit: first?.commit ?? null,
    created_at: first?.created_at ?? null,
    judge: first?.judge ?? null,
    known: knownDirections(experiments),
    shown: shownDirections(experiments),
    words: countWords(experiments),
    unscored: new Set(experiments.flatMap(({ unscored }) => unscored)),
  };
  const gathered = members.flatMap(({ rows }) =>
    rows !== null && [...(tags ?? [])].every((tag) => rows.tags.has(tag)) ? [rows] : [],
  );
  return first === undefined || gathered.length < members.length
    ? readRows(experiments, tags, facts)
    : { ...joinTables(gathered.map((one) => one.toTable(facts))), ...facts };
}

/** Another pass over the rows, where nobody had said that gates want them. */
async function readRows(
  experiments: readonly Experiment[],
  tags: ReadonlySet<string> | null,
  facts: TableFacts,
): Promise<GateTable> {
  const builder = createTableBuilder({
    tags,
    rows: experiments.reduce((sum, { rowCount }) => sum + rowCount, 0),
  });
  const crashes = createNamelessCrashes();
  for (const experiment of experiments)
    for await (const batch of experiment.batches())
      for (const row of batch) builder.add(named(toGateRow(row, tags), row.body.inputs, crashes));
  return builder.finish(facts);
}

/** The better sides that verdicts show; of a metric that two files show otherwise, none. */
function shownDirections(experiments: readonly Experiment[]): Map<string, "lower" | "higher"> {
  const all = experiments.flatMap(({ directions }) => [...directions]);
  return new Map(
    all.filter(([metric, side]) => all.every(([other, is]) => other !== metric || is === side)),
  );
}

type KnownSide = "lower" | "higher" | "unclear" | undefined;

/** Where one file says nothing, a name may; where two disagree, only a person can say. */
function joinSides(one: KnownSide, other: KnownSide): KnownSide {
  if (one === other) return one;
  return one === undefined || other === undefined ? undefined : "unclear";
}

/** The better side of every metric whose format knows it. */
function knownDirections(
  experiments: readonly Experiment[],
): Record<string, "lower" | "higher" | "unclear"> {
  const known = new Map<string, KnownSide>();
  for (const { format, scores, directions } of experiments) {
    for (const metric of Object.keys(scores)) {
      const side = directions.get(metric) ?? knownDirection(format, metric);
      known.set(metric, known.has(metric) ? joinSides(known.get(metric), side) : side);
    }
  }
  const sides: [string, "lower" | "higher" | "unclear"][] = [];
  for (const [metric, side] of known) if (side !== undefined) sides.push([metric, side]);
  return Object.fromEntries(sides);
}

function countWords(experiments: readonly Experiment[]): Record<string, WordedMetric> {
  const counts = new Map<string, WordedMetric>();
  for (const { words } of experiments)
    for (const [metric, { rows, mappable }] of Object.entries(words)) {
      const before = counts.get(metric) ?? { rows: 0, mappable: true };
      counts.set(metric, {
        rows: before.rows + rows,
        mappable: before.mappable && mappable,
      });
    }
  return Object.fromEntries(counts);
}

const NO_TAGS = {} as const;

function toGateRow(row: Row, tags: ReadonlySet<string> | null): GateRow {
  const { body } = row;
  return {
    example: row.example,
    scores: toScores(body),
    error: body.error !== undefined,
    latency: row.duration_s,
    tags: tags?.size === 0 ? NO_TAGS : toTags(body),
    preview: toRowPreview(body),
  };
}

/** What a reader of the report sees of a row. */
export function toRowPreview(
  body: Omit<RowBody, "row_id" | "start_time" | "end_time">,
): RowPreview {
  return {
    input: toPreview(body.inputs),
    expected: toPreview(body.expected_outputs),
    output: toPreview(body.actual_outputs),
    ...toNotes(body),
  };
}

const COMMENT_CHARS = 300;
const TRACE_KEYS = ["trace_url", "trace_link", "run_url", "traceUrl", "runUrl", "trace"] as const;
const MOST_ADDRESS_CHARS = 500;

/** What the judge wrote and where the run's trace is; nothing for most rows, so that they all have one shape. */
function toNotes({
  evaluation_scores: scores,
  run_metadata: metadata,
}: Pick<RowBody, "evaluation_scores" | "run_metadata">):
  | Pick<RowPreview, "trace" | "comments">
  | undefined {
  let comments: Record<string, string> | undefined;
  if (Array.isArray(scores))
    for (const score of scores as readonly { key?: unknown; comment?: unknown }[]) {
      const { key, comment } = score;
      if (typeof comment !== "string" || comment === "" || typeof key !== "string") continue;
      comments ??= Object.create(null) as Record<string, string>;
      comments[key] = flat(comment.slice(0, COMMENT_CHARS));
    }
  const trace = isObject(metadata) ? toTrace(metadata) : undefined;
  if (comments === undefined && trace === undefined) return undefined;
  return {
    ...(trace === undefined ? {} : { trace }),
    ...(comments === undefined ? {} : { comments }),
  };
}

function toTrace(metadata: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of TRACE_KEYS) {
    const value = metadata[key];
    if (typeof value !== "string" || value.length > MOST_ADDRESS_CHARS) continue;
    if (/^https?:\/\/[^\s<>"]+$/u.test(value)) return value;
  }
  return undefined;
}

/** Plain assignment gives all rows one shape, which is many times faster than a new one for each. */
function toScores(body: Row["body"]): Record<string, number> {
  const scores: Record<string, number> = {};
  const found = withUsage(rowScores(body.evaluation_scores ?? []), body.run_metadata);
  for (const [key, score] of found) {
    if (key === "__proto__") Object.defineProperty(scores, key, { value: score, enumerable: true });
    else scores[key] = score;
  }
  return scores;
}

/** Scalars under `inputs` and `run_metadata` by dotted name. A long text stands for itself by its beginning and hash, so that equal ones stay equal. */
export function toTags(body: Pick<RowBody, "inputs" | "run_metadata">): Record<string, string> {
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
export function toPreview(value: unknown): string {
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
