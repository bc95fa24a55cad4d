import { hash } from "node:crypto";
import type * as z from "zod/v4";
import type { BaselinePoint } from "../report/report.ts";
import {
  type Baseline,
  BASELINE_SCHEMA,
  type BaselineHeader,
  digestOf,
  findGroup,
  type LabelledTable,
} from "./baseline.ts";
import { listNames } from "./example-names.ts";
import type { GateSet } from "./gate-set.ts";
import { meanOf } from "./interval.ts";
import { countErrors } from "./metric.ts";
import { listMembers } from "./must-pass.ts";
import type { GateTable } from "./row.ts";
import { MAX_SKETCHED, sketchOf } from "./near-match.ts";
import { tidy } from "../report/numbers.ts";

/** The most accepted runs whose means a file stores: as many as the report's trend shows. */
const MAX_HISTORY = 30;

/** Fingerprint of a set of examples, whatever their order and repeats. */
export function fingerprintDataset(table: GateTable): string {
  const examples = [...new Set(listNames(table.example))].sort();
  return `sha256:${hash("sha256", examples.join("\n"))}`;
}

/** What a baseline file is written from. */
export interface BaselineSource {
  readonly groups: readonly LabelledTable[];
  readonly gates: GateSet | null;
  readonly commit: string | null;
  readonly created_at: string;
  /** The baseline that this run was judged by. */
  readonly previous: Baseline | null;
  /** Whether a person accepted this run, which makes it the anchor of later ones. */
  readonly accepted: boolean;
}

type Header = z.infer<typeof BaselineHeader>;

/** Stored, since another version of a tool may turn a metric around, which scores do not show. */
function directionsOf(tables: readonly (GateTable | null)[]): Pick<Header, "directions"> {
  const directions = tables.map((table) => {
    const shown = [...(table?.shown ?? [])].filter(([metric]) => table?.scores.has(metric));
    return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return directions.some((shown) => Object.keys(shown).length > 0) ? { directions } : {};
}

/**
 * The text of a baseline file: a header, then one line per row, sorted, so that a commit shows what
 * changed. It contains scores and hashes of inputs, but no text of inputs or outputs. The last key
 * marks it as complete and is missing if the file was cut.
 */
export function toBaseline(source: BaselineSource): string {
  const { groups, accepted, previous } = source;
  const tables = groups.map(({ table }) => table);
  // The run that later ones are compared with: the last baseline's anchor, else that baseline itself.
  const anchors = groups.map((one) => {
    const group = accepted ? null : findGroup(previous, one);
    return group === null ? null : (group.anchor ?? group.table);
  });
  const metrics = [
    ...new Set([...tables, ...anchors].flatMap((table) => table?.metrics ?? [])),
  ].sort();
  const header = headerOf(source, metrics, anchors);
  const [lines, anchorLines] = [tables, anchors].map((all) =>
    all.flatMap((table, group) => (table === null ? [] : rowLines(table, metrics, group))).sort(),
  ) as [string[], string[]];
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
  const [first] = tables;
  const anchor = anchors.find((table) => table !== null) ?? null;
  const run = { commit: commit ?? first?.commit ?? null, created_at };
  const point: BaselinePoint = { ...run, means: meansOf(tables) };
  return {
    schema: BASELINE_SCHEMA,
    ...run,
    dataset: first === undefined ? "" : fingerprintDataset(first),
    examples: tables.reduce((sum, table) => sum + table.examples, 0),
    rows: tables.reduce((sum, table) => sum + table.size, 0),
    errors: tables.reduce((sum, table) => sum + countErrors(table), 0),
    repeats: Math.max(0, ...tables.map((table) => table.repeats)),
    judge: first?.judge ?? null,
    groups: groups.map(({ group }) => group),
    metrics,
    must_pass: tables.map((table) => listMembers(table, gates?.must_pass ?? [])),
    history: [...(previous?.history ?? []), point].slice(-MAX_HISTORY),
    anchor:
      anchor === null
        ? null
        : { commit: anchor.commit, created_at: anchor.created_at, ...directionsOf(anchors) },
    ...directionsOf(tables),
  };
}

function meansOf(tables: readonly GateTable[]): Record<string, number> {
  const metrics = [...new Set(tables.flatMap((table) => table.metrics))];
  const means = metrics.map((metric) => {
    const columns = tables.flatMap(({ scores }) => scores.get(metric) ?? []);
    const scored = columns.flatMap((values) => [...values.filter((one) => !Number.isNaN(one))]);
    return [metric, tidy(meanOf(scored))] as const;
  });
  return Object.fromEntries(means.filter(([, mean]) => !Number.isNaN(mean)));
}

function rowLines(table: GateTable, metrics: readonly string[], group: number): string[] {
  const columns = metrics.map((metric) => table.scores.get(metric));
  return listNames(table.example).map((example, row) => {
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

function sketchesOf(tables: readonly GateTable[]): string {
  const sketches = new Map<string, string>();
  for (const table of tables) {
    if (table.size > MAX_SKETCHED) return "";
    for (let row = 0; row < table.size; row++) {
      const example = table.example.at(row)!;
      const { input } = table.preview(row);
      if (input !== "" && !sketches.has(example)) sketches.set(example, sketchOf(input));
    }
  }
  if (sketches.size === 0) return "";
  const lines = [...sketches].map(
    ([example, sketch]) => `${JSON.stringify(example)}: ${JSON.stringify(sketch)}`,
  );
  return `"sketches": {\n${lines.sort().join(",\n")}\n},\n`;
}
