import { createHash } from "node:crypto";
import * as z from "zod/v4";
import type { BaselinePoint } from "../report/report.ts";
import type { GateTable } from "./row.ts";

/** The value of the first key of a baseline file; the number is the version of its layout. */
export const BASELINE_SCHEMA = "agent-deploy-baseline/2";

const texts = z.array(z.string()).readonly();
const run = {
  commit: z.string().nullable().catch(null),
  created_at: z.string().nullable().catch(null),
};
/** By group, the better sides that the verdicts of its run showed; files without any have none. */
const directions = z
  .array(z.record(z.string(), z.enum(["lower", "higher"])))
  .exactOptional()
  .catch([]);

/** The header of a baseline file: the keys that its digest covers, in file order. Older files may lack some. */
export const BaselineHeader = z.object({
  schema: z.string(),
  ...run,
  dataset: z.string().catch(""),
  examples: z.number().catch(0),
  rows: z.number().catch(0),
  errors: z.number().catch(0),
  repeats: z.number().catch(0),
  judge: z.string().nullable().catch(null),
  /** Providers and prompts. */
  groups: z.array(z.string()).min(1).readonly(),
  metrics: texts,
  /** By group, the examples of each must_pass group. */
  must_pass: z.array(z.record(z.string(), texts)).readonly().catch([]),
  history: z.array(z.custom<BaselinePoint>()).catch([]),
  anchor: z
    .object({ ...run, directions })
    .nullable()
    .catch(null),
  directions,
});

/** Whether a file is a baseline rather than a result file, by its first hundred characters. */
export function isBaseline(text: string): boolean {
  return /^\uFEFF?\s*\{\s*"schema"\s*:\s*"agent-deploy-baseline\//u.test(text.slice(0, 100));
}

/** Computes the digest in a file's header, over that header and the rows of each list, one per line. */
export function digestOf(header: string, lists: readonly Iterable<string>[]): string {
  const hash = createHash("sha256").update(header);
  for (const lines of lists) {
    hash.update("\n\n");
    let held: string[] = [];
    for (const line of lines) {
      if (held.push(line) < 1000) continue;
      hash.update(`${held.join("\n")}\n`);
      held = [];
    }
    if (held.length > 0) hash.update(`${held.join("\n")}\n`);
  }
  return `sha256:${hash.digest("hex")}`;
}

/** One provider and prompt of a baseline. */
export interface BaselineGroup {
  /** Their name; empty if the format has none, and in files of one group by older versions. */
  readonly label: string;
  readonly table: GateTable;
  /** The last run accepted by hand; null if it is this one. */
  readonly anchor: GateTable | null;
  /** Examples by must_pass group; absent if the rows themselves show it. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
}

/** A baseline, from a baseline file or a result file. */
export interface Baseline {
  readonly groups: readonly BaselineGroup[];
  /** Oldest first. */
  readonly history: readonly BaselinePoint[];
}

/**
 * The baseline group that a head is compared with: by name, or the only one on both sides, as when
 * one model replaces another.
 */
export function findGroup(
  baseline: Baseline | null,
  { label, group }: HeadGroup,
  alone = true,
): BaselineGroup | null {
  const groups = baseline?.groups ?? [];
  const named =
    groups.find((one) => one.label === group) ?? groups.find((one) => one.label === label);
  return named ?? (alone && groups.length === 1 ? groups[0]! : null);
}

/** A baseline's providers and prompts that the run lacks. */
export function listGone(baseline: Baseline | null, head: readonly HeadGroup[]): BaselineGroup[] {
  const found = head.map((one) => findGroup(baseline, one, head.length === 1));
  return (baseline?.groups ?? []).filter((one) => !found.includes(one));
}

/** Names of a head. */
interface HeadGroup {
  /** As shown; empty for a single head. */
  readonly label: string;
  /**
   * Provider and prompt, or the agent that the file names, even if it is the only one; empty if no
   * file names one or the rows are pooled.
   */
  readonly group: string;
}

/** The rows of one provider and prompt, as gates judge them. */
export interface LabelledTable extends HeadGroup {
  readonly table: GateTable;
  /** The experiments of result files that it holds as a whole. */
  readonly wholeExperiments: readonly { readonly file: string; readonly label: string }[];
}

/** One head to judge: results of one provider and prompt, with the runs to compare them with. */
export interface GateGroup {
  /** Provider and prompt if a file has several; else empty. */
  readonly label: string;
  readonly head: GateTable;
  readonly base: GateTable | null;
  /** The last run accepted by hand, if the baseline is a later one. */
  readonly anchor?: GateTable | null;
  /** Examples of each must_pass group that the baseline file stores. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Providers and prompts that the baseline has and the run lacks. */
  readonly gone?: readonly Pick<BaselineGroup, "label" | "table">[];
  /** Why there is no base although one was looked for (empty if none was), the main clause first, and how to get one. */
  readonly absent?: { readonly why: readonly string[]; readonly next: string };
}
