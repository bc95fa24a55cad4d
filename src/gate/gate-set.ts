import * as z from "zod/v4";
import type { Diagnostic, Position } from "../spec/desired.ts";
import { parseMetric } from "./metric.ts";
import type { GateRule } from "./gate-rule.ts";

/** Rows that must pass whatever the averages are; selected by tag, judged by counting. */
export interface MustPass {
  /**
   * Accepted values by tag; a row is selected if every tag has one of its values. Without values:
   * anything but false, 0 and an empty text.
   */
  readonly select: Readonly<Record<string, readonly string[]>>;
  /** What a row must score, as gate lines; empty: the floors of the gate file, applied to each row. */
  readonly require: readonly GateRule[];
  /** How many repeats of an example must pass; null: all. */
  readonly at_least: number | null;
  readonly at: Position;
}

/** A row's field at the start of a text. */
export const TAG = /^(inputs|run_metadata)\.\S/u;

/** A number of things, at least one. */
export function count(of: string): z.ZodNumber {
  const wants = `takes a whole number of ${of}, 1 or more`;
  return z.int(wants).min(1, wants);
}

/** A number, or a percentage. */
function share(number: z.ZodNumber, wants: string, usual: number): z.ZodDefault<z.ZodType<number>> {
  const percentage = z.string().regex(/^\d+(\.\d+)?\s*%$/u);
  const toShare = (text: string): number => Number.parseFloat(text) / 100;
  const either: z.ZodType<number> = z.union(
    [number, percentage.transform(toShare).pipe(number)],
    wants,
  );
  return either.default(usual).meta({ default: usual });
}

const ALPHA = "takes a number above 0 and at most 0.5, such as 0.05";
const OVERLAP = "takes a share between 0 and 1, such as 0.8 or 80%";
const TAGGED = "takes one field of the rows; write inputs.x or run_metadata.x";
const VERSION = "takes a version, such as judge-2026-11";

/** The keys of a gate file but its gates and `must_pass`, for its reader and for editors. */
export const GateSettings = z.strictObject({
  direction: z
    .record(
      z.string(),
      z.enum(["lower", "higher"], "takes lower or higher, the side that is better"),
      "takes a mapping; write `hallucination: lower`",
    )
    .default({})
    .describe("Which side is better, by metric."),
  // With more, an unchanged agent would fail more often than it passes.
  alpha: share(z.number().gt(0, ALPHA).max(0.5, ALPHA), ALPHA, 0.05).describe(
    "Accepted chance of failing an unchanged agent, all drops of the run together.",
  ),
  proof: z
    .enum(["detect", "rule-out"], "takes detect or rule-out")
    .default("detect")
    .describe(
      "detect: fail on a proven fall. rule-out: pass only where a fall beyond the limit is ruled out.",
    ),
  floors: z
    .enum(["observed", "proven"], "takes observed or proven")
    .default("observed")
    .describe(
      "observed: the score of this run decides about a floor. proven: fail only where it is surely missed.",
    ),
  cluster_by: z
    .string(TAGGED)
    .regex(TAG, TAGGED)
    .nullable()
    .default(null)
    .describe("Rows with the same value are not independent: one document, one conversation."),
  min_rows: count("rows").default(1).describe("Fewest rows that did not error."),
  min_overlap: share(z.number().min(0, OVERLAP).max(1, OVERLAP), OVERLAP, 0.95).describe(
    "Smallest share of the baseline's examples that the new results must have too.",
  ),
  errors: z
    .enum(["count", "ignore"], "takes count or ignore")
    .default("count")
    .describe("Whether examples that crash now and did not in the baseline count."),
  pool: z
    .boolean("takes true or false")
    .default(false)
    .describe("Judge the providers and prompts of one file as one agent."),
  evaluator: z
    .union([z.string().trim().min(1, VERSION), z.number().transform(String)], VERSION)
    .nullable()
    .default(null)
    .describe("Version of the judge or scorer; a baseline of another version is not compared."),
});

/** The parsed `gate` input. */
export interface GateSet extends Readonly<z.infer<typeof GateSettings>> {
  readonly rules: readonly GateRule[];
  readonly must_pass: readonly MustPass[];
  /** Position of the set, for problems that belong to no single rule. */
  readonly at: Position;
}

/** The gates, or every problem with them (exit 2). */
export type ParsedGates =
  | { readonly state: "parsed"; readonly gates: GateSet }
  | { readonly state: "problems"; readonly problems: readonly Diagnostic[] };

/** Defaults of a gate file. */
export const DEFAULTS: Omit<GateSet, "rules" | "at"> = {
  ...GateSettings.parse({}),
  must_pass: [],
};

/** The message if there is no gate. */
export const NONE =
  "the file holds no gate, so it would pass anything; write `gates:` and the gate lines below it";

/** Whether a gate is a floor that a single row can meet. */
export function isRowFloor({ kind, metric }: GateRule): boolean {
  const of = parseMetric(metric).kind;
  return kind === "floor" && (of === "score" || of === "latency");
}
