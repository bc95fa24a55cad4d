import * as z from "zod/v4";
import { SOURCE_KINDS } from "../model/field-shape.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import type { Change as PlanChange, DeploymentPlan } from "../plan/plan.ts";
import { OUTCOMES } from "./outcome.ts";

const text = z.string();
const texts = z.array(z.string());
const json: z.ZodType<Json> = z.json();
const verdict = z.enum(["pass", "fail", "inconclusive"]);
const action = z.enum(["create", "update", "attach", "redeploy", "none", "blocked"]);
const outcome = z.enum(OUTCOMES);

const Change: z.ZodType<PlanChange> = z.object({
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

const Plan: z.ZodType<DeploymentPlan> = z.object({
  name: text,
  source: z.enum(SOURCE_KINDS),
  dialect: z.enum(["document", "hosted"]),
  id: text.nullable(),
  action,
  changes: z.array(Change),
  blockers: z.array(z.object({ code: text, message: text, path: text.exactOptional() })),
  revision: z.enum(["makes", "waits", "none"]),
  dropped: texts,
  unreadable: texts,
  unmanaged: texts.default([]),
  secrets: z.array(SecretMark).default([]),
  notes: texts,
  warnings: texts,
  commit_unchecked: z
    .literal(true)
    .exactOptional()
    .describe("The commit could not be held against the live one."),
  fingerprint: text,
});

const Deployment = z.object({
  name: text,
  id: text.nullable(),
  action,
  outcome,
  reason: text.describe(
    "Machine word for a red or special end (plan-changed, gate, BUILD_FAILED, verify, …); else empty.",
  ),
  message: text.describe("What happened and why, in one or two sentences."),
  next: texts.describe("What to do next, each a line a person can act on or paste."),
  moved: z
    .enum(["live", "spec"])
    .exactOptional()
    .describe("Of a plan with changes: what moved since the spec was last deployed."),
  revision_id: text.nullable(),
  previous_revision_id: text.nullable(),
  previous_version: text.optional().describe("What the revision before is built from."),
  revision_status: text.nullable(),
  url: text.describe("From the service's reply; empty where it gave none, never built."),
  changes: z.array(Change),
  plan: Plan.nullable(),
  changed: z.boolean().describe("This run wrote, or waited for a revision that a push made."),
  timeline: z.array(
    z.object({
      status: text,
      atMs: z.number().describe("When it was first seen, in milliseconds since the epoch."),
      seenMs: z
        .number()
        .exactOptional()
        .describe("When it was last seen. Absent after a single look."),
    }),
  ),
  warnings: texts,
  notes: texts,
  log_tail: texts.describe(
    "The end of the build or deploy log, redacted; empty where none is served.",
  ),
  verify: z.object({ exit_code: z.number().nullable(), tail: texts }).exactOptional(),
  rollback: z.object({ revision_id: text.nullable(), outcome }).exactOptional(),
  serving: z
    .object({ revision_id: text, version: text.nullable() })
    .nullable()
    .exactOptional()
    .describe("The revision that was active when the run ended; null: none. Absent: not read."),
  version: text
    .exactOptional()
    .describe("What this run's revision is built from. Absent: not known."),
  cause: text.exactOptional().describe("The service's own sentence about the failure."),
  request: z
    .object({
      status: z.number().nullable().describe("HTTP status; null where no answer came."),
      headline: text.describe("What is wrong, with which the message begins; may be empty."),
      sent: z.boolean().describe("Whether it left this machine, as far as is known."),
      untaken_tries: z
        .number()
        .exactOptional()
        .describe("Of a write that reading showed as not taken: how often it was sent."),
    })
    .exactOptional()
    .describe("The request that it failed at."),
  superseded_by: text
    .exactOptional()
    .describe("The newer revision that took over, where the service names it."),
  tenant_id: text.exactOptional().describe("The workspace that the deployment belongs to."),
  page: text.exactOptional().describe("The deployment's page in the service."),
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
  scores: z
    .record(z.string(), z.object({ mean: z.number(), n: z.number() }))
    .describe("Mean of each metric over its scored rows."),
  warnings: texts,
});

/** Heads of one run have the same metrics, so this is what distinguishes their gates. */
const group = text
  .exactOptional()
  .describe("Provider and prompt, or the job, where a run judges several each by itself.");

const Gate = z.object({
  group,
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
  p_own: z.number().nullable().exactOptional().describe("One-sided, of this comparison by itself."),
  limit: z
    .number()
    .nullable()
    .exactOptional()
    .describe("What the rule allows, in the metric's own unit."),
  method: text,
  alpha: z.number(),
  direction: z.enum(["higher", "lower"]).exactOptional().describe("The side that is better."),
  mde: z
    .number()
    .nullable()
    .describe("Smallest change for the worse that this gate finds in 8 of 10 runs."),
  reason: text.describe("One sentence for a reader who knows no statistics."),
  anchor: z
    .object({ delta: z.number(), p: z.number() })
    .nullable()
    .exactOptional()
    .describe("The change since the run that was last accepted by hand."),
  no_baseline: z.literal(true).exactOptional().describe("There was no baseline to compare with."),
});

const RowDelta = z.object({
  group,
  example: text
    .exactOptional()
    .describe("Names the example, so that its metrics are listed together."),
  base_output: text.exactOptional().describe("What the baseline's run answered."),
  comment: text.exactOptional().describe("What the judge wrote."),
  trace: text.exactOptional().describe("Link to the run's trace."),
  crashed: z.boolean().exactOptional().describe("The row ended with an error."),
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
    .exactOptional()
    .describe("All shared examples by how far they moved, now - baseline."),
});

const RowCounts = z.object({
  new: z.number().describe("Examples that only this run has."),
  missing: z.number().describe("Examples that only the baseline has."),
  changed: z
    .record(z.string(), MetricChanges)
    .describe("Examples whose score changed, by metric; `group: metric` where there are groups."),
  examples: z
    .object({ worse: z.number(), better: z.number() })
    .exactOptional()
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
    .exactOptional()
    .describe("Means of the last accepted runs, the oldest first."),
});

const MatrixLeg = z.object({
  name: text.describe("Short, and unlike that of any other leg."),
  names: text.describe("For the input only."),
  action: text.describe("Of all its deployments, else mixed."),
  fingerprint: text.describe("Of a run with that input only."),
  wave: z.number(),
});

const LegIdentity = z.object({
  run: text,
  attempt: z.number(),
  matrix: text.describe("JSON of the job's matrix, without the keys of a leg of ours."),
  place: text.describe("Address and tenant."),
  event: text,
});

const Problem = z.object({
  message: text,
  file: text.exactOptional(),
  line: z.number().exactOptional(),
  column: z.number().exactOptional(),
  path: text.exactOptional().describe("Key of the spec."),
});
const Judgement = z.object({
  red: z.boolean(),
  exit_code: z.number(),
  why: text.describe("What made the run red besides its deployments; else empty."),
});

/** The report of a run, which every sink shows. Its types are in report.ts. */
export const ReportSchema = z.object({
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
  sensitivity: text.exactOptional().describe("How small a fall the gates would have noticed."),
  alerts: texts.exactOptional().describe("Lines right under the headline."),
  problems: z
    .array(z.union([Problem, text.transform((message): z.output<typeof Problem> => ({ message }))]))
    .describe("What stopped the run, with its place if it is in a file."),
  warnings: texts,
  commit: z
    .object({ sha: text, url: text, actor: text })
    .exactOptional()
    .describe("The commit that the run is about, and whose push it is."),
  judgement: Judgement.exactOptional().describe("Red or green. Absent while the run is under way."),
  started_at: text,
  finished_at: text,
});
