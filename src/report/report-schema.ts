import * as z from "zod/v4";
import { SOURCE_KINDS } from "../model/fields.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import { OUTCOMES, type Report } from "./report.ts";

const text = z.string();
const texts = z.array(z.string());
const json: z.ZodType<Json> = z.json();
const verdict = z.enum(["pass", "fail", "inconclusive"]);
const action = z.enum(["create", "update", "attach", "redeploy", "none", "blocked"]);
const outcome = z.enum(OUTCOMES);

const Change = z.object({
  path: text.describe("Dotted, in the user's spelling."),
  before: json,
  after: json,
  effect: z.enum(["in-place", "next-build", "new-revision", "impossible", "may make a revision"]),
  sensitive: z.boolean().describe("True: before and after are words, never values."),
});

const SecretMark = z.object({
  name: text,
  mark: z.enum(["added", "changed", "removed", "same", "value unknown", KNOWN_AT_APPLY]),
});

const Plan = z.object({
  name: text,
  source: z.enum(SOURCE_KINDS),
  dialect: z.enum(["document", "hosted"]),
  id: text.nullable(),
  action,
  changes: z.array(Change),
  blockers: z.array(z.object({ code: text, message: text, path: text.optional() })),
  revision: z.enum(["makes", "waits", "none"]),
  dropped: texts,
  unreadable: texts,
  unmanaged: texts.default([]),
  secrets: z.array(SecretMark).default([]),
  notes: texts,
  warnings: texts,
  commit_unchecked: z
    .literal(true)
    .optional()
    .describe("The commit could not be held against the live one."),
  fingerprint: text,
});

const Deployment = z.object({
  name: text,
  id: text.nullable(),
  action,
  outcome,
  reason: text,
  message: text,
  next: texts,
  moved: z
    .enum(["live", "spec"])
    .optional()
    .describe("Of a plan with changes: what moved since the spec was last deployed."),
  revision_id: text.nullable(),
  previous_revision_id: text.nullable(),
  revision_status: text.nullable(),
  url: text,
  changes: z.array(Change),
  plan: Plan.nullable(),
  changed: z.boolean(),
  timeline: z.array(
    z.object({
      status: text,
      atMs: z.number().describe("When it was first seen, in milliseconds since the epoch."),
      seenMs: z.number().optional().describe("When it was last seen. Absent after a single look."),
    }),
  ),
  warnings: texts,
  notes: texts,
  log_tail: texts,
  verify: z.object({ exit_code: z.number().nullable(), tail: texts }).optional(),
  rollback: z.object({ revision_id: text.nullable(), outcome }).optional(),
  serving: z
    .object({ revision_id: text, version: text.nullable() })
    .nullable()
    .optional()
    .describe("The revision that was active when the run ended; null: none."),
  version: text.optional().describe("What the revision is built from."),
  cause: text.optional().describe("The service's own sentence about the failure."),
  tenant_id: text.optional(),
  page: text.optional().describe("The deployment's page in the service."),
});

const Experiment = z.object({
  file: text,
  format: text,
  name: text,
  outcome: z.enum(["uploaded", "dry-run", "failed", "unknown", "gated-only"]),
  message: text,
  rows: z.number(),
  errors: z.number(),
  experiment_id: text.nullable(),
  experiment_url: text,
  compare_url: text,
  dataset_id: text.nullable(),
  dataset_name: text,
  test_run_number: z.number().nullable(),
  scores: z.record(z.string(), z.object({ mean: z.number(), n: z.number() })),
  warnings: texts,
});

const Gate = z.object({
  metric: text,
  rule: text,
  verdict,
  n: z.number(),
  n_dropped: z.number(),
  repeats: z.number(),
  head: z.number().nullable(),
  base: z.number().nullable(),
  delta: z.number().nullable().describe("head - base, unflipped."),
  ci: z.tuple([z.number(), z.number()]).nullable().describe("Two-sided 95 % interval."),
  p: z.number().nullable().describe("One-sided, all gates of the run counted together."),
  p_own: z.number().nullable().optional().describe("One-sided, of this comparison by itself."),
  limit: z
    .number()
    .nullable()
    .optional()
    .describe("What the rule allows, in the metric's own unit."),
  method: text,
  alpha: z.number(),
  direction: z.enum(["higher", "lower"]).optional(),
  mde: z
    .number()
    .nullable()
    .describe("Smallest change for the worse that this gate finds in 8 of 10 runs."),
  reason: text,
  anchor: z
    .object({ delta: z.number(), p: z.number() })
    .nullable()
    .optional()
    .describe("The change since the run that was last accepted by hand."),
});

const RowDelta = z.object({
  example: text.optional(),
  base_output: text.optional(),
  comment: text.optional().describe("What the judge wrote."),
  trace: text.optional(),
  crashed: z.boolean().optional().describe("The row ended with an error."),
  metric: text,
  input: text,
  expected: text,
  head_output: text,
  head: z.number(),
  base: z.number(),
});

const MetricChanges = z.object({
  worse: z.number(),
  better: z.number(),
  differences: z
    .array(z.object({ low: z.number(), high: z.number(), count: z.number() }))
    .optional()
    .describe("All shared examples by how far they moved, now - baseline."),
});

const RowCounts = z.object({
  new: z.number().describe("Examples that only this run has."),
  missing: z.number().describe("Examples that only the baseline has."),
  changed: z.record(z.string(), MetricChanges).describe("Examples whose score changed, by metric."),
  examples: z
    .object({ worse: z.number(), better: z.number() })
    .optional()
    .describe("Examples that got worse in any metric, and those that only got better."),
});

const Baseline = z.object({
  file: text,
  commit: text.nullable(),
  created_at: text.nullable(),
  rows: z.number(),
  state: z.enum(["used", "no-baseline", "incomparable", "empty"]),
  message: text,
  history: z
    .array(
      z.object({
        commit: text.nullable(),
        created_at: text.nullable(),
        means: z.record(z.string(), z.number()),
      }),
    )
    .optional()
    .describe("Means of the last accepted runs, the oldest first."),
});

const MatrixLeg = z.object({
  name: text,
  names: text.describe("For the input only."),
  action: text,
  fingerprint: text,
  wave: z.number(),
});

const LegIdentity = z.object({
  run: text,
  attempt: z.number(),
  matrix: text,
  place: text,
  event: text,
});

const Problem = z.object({
  message: text,
  file: text.optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  path: text.optional().describe("Key of the spec."),
});
const Judgement = z.object({
  red: z.boolean(),
  exit_code: z.number(),
  why: text.describe("What made the run red besides its deployments; else empty."),
});

const ReportSchema = z.object({
  version: z.literal(1),
  outcome,
  changed: z.boolean(),
  deployments: z.array(Deployment),
  experiments: z.array(Experiment),
  gates: z.array(Gate),
  links: z.array(z.object({ label: text, url: text })),
  tool: text,
  command: text,
  matrix: z.array(MatrixLeg).optional(),
  leg: LegIdentity.optional(),
  target: text.optional().describe("Target of the spec that the run was for."),
  fingerprint: text,
  gate_verdict: z.enum(["pass", "fail", "inconclusive", "none"]),
  rows_worse: z.array(RowDelta),
  rows_better: z.array(RowDelta),
  rows_new: texts
    .default([])
    .describe("Inputs of examples that only this run has; the first hundred."),
  rows_missing: texts
    .default([])
    .describe("Inputs, or ids, of examples that only the baseline has; the first hundred."),
  row_counts: RowCounts.default({ new: 0, missing: 0, changed: {} }),
  baseline: Baseline.nullable(),
  sensitivity: text.optional().describe("How small a fall the gates would have noticed."),
  alerts: texts.optional().describe("Lines right under the headline."),
  problems: z
    .array(z.union([Problem, text.transform((message) => ({ message }))]))
    .describe("What kept the run from going on, with its place if it is in a file."),
  warnings: texts,
  commit: z.object({ sha: text, url: text, actor: text }).optional(),
  judgement: Judgement.optional(),
  started_at: text,
  finished_at: text,
});

/** The published JSON Schema of the report file, `--json` and the `report` output. */
export function reportSchema(): { readonly [key: string]: unknown } {
  return {
    title: "agent-deploy report",
    description:
      "What a run of agent-deploy did, as in its report file. Holds no secret value. Keys may be added; none is renamed within a version.",
    ...z.toJSONSchema(ReportSchema, { io: "input", target: "draft-7" }),
  };
}

/**
 * A report file of any origin, checked; `problem` names the file and the first thing wrong with it.
 * Keys of a newer version are dropped.
 */
export function parseReport(
  source: string,
  file: string,
): { readonly report: Report } | { readonly problem: string } {
  if (depthOf(source) > MAX_DEPTH)
    return {
      problem: `${file}: is nested deeper than ${MAX_DEPTH} levels, which no report is; pass report files written by agent-deploy`,
    };
  let read: unknown;
  try {
    read = JSON.parse(source.replace(/^\ufeff/, ""));
  } catch (error) {
    return {
      problem: `${file}: is not JSON (${String((error as { message?: unknown }).message).slice(0, 120)}); pass report files written by agent-deploy`,
    };
  }
  const result = ReportSchema.safeParse(read);
  // zod writes an absent key as `undefined`, which the interface spells as absent: the same JSON.
  if (result.success) return { report: result.data as Report };
  const [issue] = result.error.issues;
  return {
    problem: `${file}: is not a report of agent-deploy: ${issue === undefined ? "unknown shape" : `${issue.path.join(".") || "the top level"}: ${issue.message}`}; pass report files written by this version`,
  };
}

/** Values of a spec may nest; what walks them recurses. */
const MAX_DEPTH = 200;

function depthOf(source: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === "}" || char === "]") depth -= 1;
  }
  return deepest;
}
