import { createHash } from "node:crypto";
import type { Diagnostic } from "../spec/desired.ts";
import type { Verdict } from "../report/report.ts";
import { meetsRule } from "./floor.ts";
import type { GateSet } from "./language.ts";
import { isScored, metricsOf, sorted } from "./metric.ts";
import type { GateRow, GateTable } from "./row.ts";
import { count, figures } from "./wording.ts";

/** First line of every baseline file; the number is the version of its layout. */
const BASELINE_SCHEMA = "agent-deploy-baseline/1";

/** Whether a file is a baseline rather than a result file; the first hundred characters tell. */
export function isBaseline(text: string): boolean {
  return /^\uFEFF?\s*\{\s*"schema"\s*:\s*"agent-deploy-baseline\//u.test(text.slice(0, 100));
}

/** Identity of a set of examples, whatever their order and repeats. */
export function fingerprintDataset(table: GateTable): string {
  const examples = sorted([...new Set(table.rows.map((row) => row.example))]);
  return `sha256:${createHash("sha256").update(examples.join("\n")).digest("hex")}`;
}

/**
 * Text of a baseline file: a header, then a line per row, sorted, so that a commit of it shows what changed. Scores and
 * hashes of inputs only: no text of inputs or outputs. The last key is the completion mark, missing when the file was cut.
 */
export function toBaseline(
  table: GateTable,
  { commit, created_at }: { readonly commit: string | null; readonly created_at: string },
): string {
  const metrics = metricsOf(table);
  const perExample = new Map<string, number>();
  for (const { example } of table.rows) perExample.set(example, (perExample.get(example) ?? 0) + 1);
  let repeats = 0;
  for (const times of perExample.values()) repeats = Math.max(repeats, times);
  const header = {
    schema: BASELINE_SCHEMA,
    commit: commit ?? table.commit,
    created_at,
    dataset: fingerprintDataset(table),
    examples: perExample.size,
    rows: table.rows.length,
    errors: table.rows.filter((row) => row.error).length,
    repeats,
    judge: table.judge,
    metrics,
  };
  const lines = table.rows.map((row) =>
    JSON.stringify(
      row.error
        ? [row.example, "error"]
        : [row.example, row.latency, ...metrics.map((metric) => row.scores[metric] ?? null)],
    ),
  );
  const fields = Object.entries(header)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
    .join("");
  return `{\n${fields}"scores": [\n${lines.sort().join(",\n")}\n],\n"complete": ${String(table.state === "complete")}\n}\n`;
}

/** A baseline as a table, or the one reason why the file is none. */
export type ParsedBaseline =
  | { readonly state: "parsed"; readonly table: GateTable }
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
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch {
    return refuse("the baseline is no valid JSON, perhaps cut off or with conflict marks");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("the baseline is no JSON object");
  const found = value as Readonly<Record<string, unknown>>;
  if (found["schema"] !== BASELINE_SCHEMA) {
    return refuse(
      `the baseline's schema is ${JSON.stringify(found["schema"] ?? null)}, this version reads ${BASELINE_SCHEMA}`,
    );
  }
  const { metrics, scores } = found;
  if (!Array.isArray(metrics) || !metrics.every((metric) => typeof metric === "string"))
    return refuse("the baseline names no metrics");
  if (!Array.isArray(scores)) return refuse("the baseline holds no scores");
  const rows: GateRow[] = [];
  for (const item of scores) {
    const row = parseRow(item, metrics as string[]);
    if (row === null) return refuse(`entry ${rows.length + 1} of the baseline's scores is no row`);
    rows.push(row);
  }
  if (rows.length !== found["rows"])
    return refuse(
      `the baseline holds ${count(rows.length, "row")} where its header says ${String(found["rows"])}`,
    );
  const table: GateTable = {
    file,
    rows,
    state: found["complete"] === true ? "complete" : "incomplete",
    commit: textOf(found["commit"]),
    created_at: textOf(found["created_at"]),
    judge: textOf(found["judge"]),
  };
  if (found["dataset"] !== fingerprintDataset(table))
    return refuse(
      "the baseline's rows do not fit its dataset fingerprint, so it was edited by hand or merged",
    );
  return { state: "parsed", table };
}

const NO_PREVIEW = { input: "", expected: "", output: "" } as const;
const NO_TAGS = {} as const;

function parseRow(item: unknown, metrics: readonly string[]): GateRow | null {
  if (!Array.isArray(item) || typeof item[0] !== "string") return null;
  const example: string = item[0];
  if (item[1] === "error" && item.length === 2)
    return { example, scores: {}, error: true, latency: null, tags: NO_TAGS, preview: NO_PREVIEW };
  const latency: unknown = item[1];
  if (item.length !== metrics.length + 2 || (latency !== null && typeof latency !== "number"))
    return null;
  const scores: Record<string, number> = {};
  for (let at = 0; at < metrics.length; at++) {
    const score: unknown = item[at + 2];
    if (typeof score === "number") scores[metrics[at]!] = score;
    else if (score !== null) return null;
  }
  return { example, scores, error: false, latency, tags: NO_TAGS, preview: NO_PREVIEW };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Why a run may not become a baseline, or null when it may. `gates` and `verdict` are null and `none` when nothing was gated. */
export function refuseBaseline({
  table,
  gates,
  verdict,
}: {
  readonly table: GateTable;
  readonly gates: GateSet | null;
  readonly verdict: Verdict | "none";
}): string | null {
  const refused = "no baseline was written: ";
  if (table.state !== "complete") {
    return `${refused}${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}; run it to its end first`;
  }
  if (!table.rows.some(isScored)) return `${refused}no row of ${table.file} has a score`;
  if (verdict === "fail")
    return `${refused}a gate failed, and a later run would be measured by this one; mend the run or the gate first`;
  const errors = table.rows.filter((row) => row.error).length;
  if (errors === 0) return null;
  const share = errors / table.rows.length;
  const limits = (gates?.rules ?? []).filter(
    (rule) =>
      rule.kind === "floor" && rule.metric === "error_rate" && rule.operator.startsWith("<"),
  );
  const said = `${count(errors, "row")} of ${table.rows.length} errored`;
  if (limits.length === 0)
    return `${refused}${said}; mend them, or allow some with a gate such as \`error_rate <= 0.02\``;
  const broken = limits.find((rule) => !meetsRule(rule, share));
  return broken === undefined
    ? null
    : `${refused}${said} (${figures(share)[0]}), more than \`${broken.text}\` allows`;
}
