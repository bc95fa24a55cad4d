import * as z from "zod/v4";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import type { Change as PlanChange, DeploymentPlan } from "../plan/plan.ts";
import { OUTCOMES } from "./outcome.ts";

const text = z.string();
const texts = z.array(z.string());
const number = z.number();
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.exactOptional();
const json: z.ZodType<Json> = z.json();
const verdict = z.enum(["pass", "fail", "inconclusive"]);
const action = z.enum(["create", "update", "attach", "redeploy", "none", "blocked"]);
const outcome = z.enum(OUTCOMES);

const Change: z.ZodType<PlanChange> = z.object({
  path: text.describe("Dotted, in the user's spelling."),
  before: json,
  after: json,
  effect: z.enum(["in-place", "next-build", "new-revision", "impossible", "may make a revision"]),
  sensitive: z.boolean().describe("If true, before and after are placeholders, never values."),
});

const SecretMark = z.object({
  name: text,
  mark: z.enum(["added", "changed", "removed", "same", "value unknown", KNOWN_AT_APPLY]),
});

const Plan: z.ZodType<DeploymentPlan> = z.object({
  name: text,
  source: text,
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
  at_apply: maybe(texts).describe("Other sensitive values that only apply knows, not compared."),
  notes: texts,
  warnings: texts,
  commit_unchecked: maybe(z.literal(true)).describe(
    "The commit could not be compared with the live one.",
  ),
  fingerprint: text,
});

const Deployment = z.object({
  name: text,
  id: text.nullable(),
  action,
  outcome,
  reason: text.describe(
    "Code of a failure or special result (plan-changed, gate, BUILD_FAILED, verify, …); otherwise empty.",
  ),
  message: text.describe("What happened and why, in one or two sentences."),
  next: texts.describe("What to do next, one step or command each."),
  moved: maybe(z.enum(["live", "spec"])).describe(
    "For a plan with changes: what has changed since the spec was last deployed.",
  ),
  revision_id: text.nullable(),
  previous_revision_id: text.nullable(),
  previous_version: text.optional().describe("What the previous revision was built from."),
  revision_status: text.nullable(),
  url: text.describe("From the service's reply; empty if it has none. Never made up."),
  changes: z.array(Change),
  plan: Plan.nullable(),
  changed: z.boolean().describe("This run wrote, or waited for a revision made by a push."),
  timeline: z.array(
    z.object({
      status: text,
      atMs: number.describe("When it was first seen, in milliseconds since the epoch."),
      seenMs: maybe(number).describe("When it was last seen. Absent if it was read once."),
    }),
  ),
  warnings: texts,
  notes: texts,
  log_tail: texts.describe("The end of the build or deploy log, redacted; empty if there is none."),
  verify: z.object({ exit_code: number.nullable(), tail: texts }).exactOptional(),
  rollback: z.object({ revision_id: text.nullable(), outcome }).exactOptional(),
  serving: maybe(z.object({ revision_id: text, version: text.nullable() }).nullable()).describe(
    "The revision that was active when the run ended; null if none was. Absent if it was not read.",
  ),
  version: maybe(text).describe("What this run's revision was built from. Absent if unknown."),
  cause: maybe(text).describe("The service's own message about the failure."),
  request: maybe(
    z.object({
      status: number.nullable().describe("HTTP status; null if there was no response."),
      headline: text.describe("What went wrong; the message begins with it. May be empty."),
      sent: z.boolean().describe("Whether it was sent, as far as is known."),
      tries: maybe(number).describe("How often it was tried. Absent if once."),
      untaken_tries: maybe(number).describe(
        "For a write that a later read showed was not applied: how often it was sent.",
      ),
    }),
  ).describe("The request that failed."),
  superseded_by: maybe(text).describe(
    "The newer revision that replaced it, if the service names it.",
  ),
  tenant_id: maybe(text).describe("The workspace of the deployment."),
  page: maybe(text).describe("The deployment's page in the service."),
});

const Experiment = z.object({
  file: text,
  format: text,
  name: text,
  outcome: z.enum(["uploaded", "dry-run", "failed", "unknown", "gated-only"]),
  message: text,
  rows: number,
  errors: number,
  experiment_id: text.nullable(),
  experiment_url: text,
  compare_url: text,
  dataset_id: text.nullable(),
  dataset_name: text,
  test_run_number: number.nullable(),
  scores: z
    .record(z.string(), z.object({ mean: number, n: number }))
    .describe("Mean of each metric over its scored rows."),
  warnings: texts,
  notes: maybe(texts).describe("What was done as the mapping asked."),
});

/** Heads of one run have the same metrics, so this is what distinguishes their gates. */
const group = maybe(text).describe(
  "Provider and prompt, or job, if a run judges several separately.",
);

const GateMessage = z.object({
  subject: text.describe("The metric that the sentence begins with; empty if it begins otherwise."),
  finding: text.describe("What was found."),
  advice: text.describe("What to do; empty if nothing."),
  with_p: z.boolean().describe("Whether the finding names the p-value."),
  by_chance: z.boolean().describe("Whether only chance prevents a verdict: more examples decide."),
});

const Gate = z.object({
  group,
  metric: text,
  rule: text,
  verdict,
  n: number,
  n_dropped: number,
  repeats: number,
  head: number.nullable(),
  base: number.nullable(),
  delta: number.nullable().describe("head - base, whichever direction is better."),
  ci: z.tuple([number, number]).nullable().describe("Two-sided 95 % interval."),
  p: number.nullable().describe("One-sided, corrected for all gates of the run."),
  p_own: maybe(number.nullable()).describe("One-sided, for this comparison only."),
  limit: maybe(number.nullable()).describe("What the rule allows, in the unit of the metric."),
  method: text,
  alpha: number,
  direction: maybe(z.enum(["higher", "lower"])).describe("The direction that is better."),
  mde: number.nullable().describe("Smallest worsening that this gate finds in 8 of 10 runs."),
  reason: text.describe("One sentence, written for readers without statistics."),
  anchor: maybe(z.object({ delta: number, p: number }).nullable()).describe(
    "The change since the last run that was accepted by hand.",
  ),
  no_baseline: maybe(z.literal(true)).describe("There was no baseline to compare with."),
});

const RowScore = z.object({
  group,
  example: maybe(text).describe("Identifies the example, so that its metrics are listed together."),
  comment: maybe(text).describe("Comment of the judge."),
  trace: maybe(text).describe("Link to the trace of the run."),
  rerun: maybe(text).describe("Command that runs the example again."),
  crashed: maybe(z.boolean()).describe("The row ended with an error."),
  metric: text,
  input: text,
  expected: text,
  head_output: text,
  head: number,
});

const RowDelta = RowScore.extend({
  base: number,
  base_output: maybe(text).describe("The output of the baseline's run."),
});

const MetricChanges = z.object({
  worse: number,
  better: number,
  differences: maybe(z.array(z.object({ low: number, high: number, count: number }))).describe(
    "All shared examples by difference, now - baseline.",
  ),
});

const RowCounts = z.object({
  new: number.describe("Examples that only this run has."),
  missing: number.describe("Examples that only the baseline has."),
  changed: z
    .record(z.string(), MetricChanges)
    .describe("Examples whose score changed, by metric; `group: metric` if there are groups."),
  examples: maybe(z.object({ worse: number, better: number })).describe(
    "Examples that got worse in some metric, and those that only got better.",
  ),
  missed: maybe(number).describe("Examples beyond a limit; rows_missed has the farthest."),
});

const Baseline = z.object({
  file: text,
  commit: text.nullable(),
  created_at: text.nullable(),
  rows: number,
  state: z.enum(["used", "no-baseline", "incomparable", "empty"]),
  message: text,
  history: maybe(
    z.array(
      z.object({
        commit: text.nullable(),
        created_at: text.nullable(),
        means: z.record(z.string(), number),
      }),
    ),
  ).describe("Means of the last accepted runs, oldest first."),
});

const MatrixLeg = z.object({
  name: text.describe("Short; unique among the legs."),
  names: text.describe("Value of the input only."),
  action: text.describe("The action of all its deployments, or mixed."),
  fingerprint: text.describe("Fingerprint of a run with that input only."),
  wave: number,
});

const LegIdentity = z.object({
  run: text,
  attempt: number,
  matrix: text.describe("JSON of the job's matrix, without the keys that agent-deploy adds."),
  place: text.describe("Address and tenant."),
  event: text,
});

const Problem = z.object({
  message: text,
  file: text.exactOptional(),
  line: number.exactOptional(),
  column: number.exactOptional(),
  path: maybe(text).describe("Key in the spec."),
  about: maybe(z.literal("baseline")).describe("Set if the baseline was refused."),
});
const Judgement = z.object({
  red: z.boolean(),
  exit_code: number,
  why: text.describe("Why the run failed, if not for a deployment; otherwise empty."),
  cause: maybe(z.enum(["problem", "upload", "on-inconclusive", "on-no-baseline"])).describe(
    "What that names: a problem, a lost upload, or the input that makes a gate red.",
  ),
});

/** The report of a run, which every sink shows. Its types are in report.ts. */
export const ReportSchema = z.object({
  version: z.literal(1),
  outcome,
  changed: z.boolean(),
  deployments: z.array(Deployment),
  experiments: z.array(Experiment),
  gate_messages: maybe(z.array(GateMessage)).describe(
    "The parts of each gate's reason, in the order of the gates.",
  ),
  gates: z.array(Gate),
  links: z.array(z.object({ label: text, url: text })),
  tool: text,
  command: text,
  entry_point: maybe(z.enum(["action", "gate", "cli"])).describe(
    "Where the run was started: its messages spell inputs as there.",
  ),
  matrix: z.array(MatrixLeg).optional(),
  leg: LegIdentity.optional(),
  target: text.optional().describe("Target of the spec that was used."),
  fingerprint: text,
  gate_verdict: z.enum(["pass", "fail", "inconclusive", "none"]),
  rows_worse: z.array(RowDelta),
  rows_better: z.array(RowDelta),
  rows_missed: maybe(z.array(RowScore)).describe(
    "Examples beyond a missed floor or ceiling, if there was nothing to compare with.",
  ),
  rows_new: texts
    .default([])
    .describe("Inputs of examples that only this run has; the first hundred."),
  rows_missing: texts
    .default([])
    .describe("Inputs, or ids, of examples that only the baseline has; the first hundred."),
  row_counts: RowCounts.default({ new: 0, missing: 0, changed: {} }),
  baseline: Baseline.nullable(),
  sensitivity: maybe(text).describe("The smallest drop that the gates would have found."),
  alerts: maybe(texts).describe("Lines shown directly below the headline."),
  problems: z
    .array(z.union([Problem, text.transform((message): z.output<typeof Problem> => ({ message }))]))
    .describe("What stopped the run, with its location if it is in a file."),
  warnings: texts,
  commit: maybe(z.object({ sha: text, url: text, actor: text })).describe(
    "The commit of the run, and who pushed it.",
  ),
  judgement: maybe(Judgement).describe("Whether the run failed. Absent while it is in progress."),
  started_at: text,
  finished_at: text,
});
