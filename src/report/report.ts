import type { Action, Change, DeploymentPlan } from "../plan/plan.ts";

/** How a deployment, or a run, ended; from worst to best. */
export const OUTCOMES = [
  "cancelled",
  "failed",
  "blocked",
  "timed-out",
  "superseded",
  "not-run",
  "deployed",
  "started",
  "updated",
  "planned",
  "unchanged",
  "skipped",
] as const;
/** How a run or one deployment of it ended. */
export type Outcome = (typeof OUTCOMES)[number];

/** The worst of several outcomes; `unchanged` for none. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? "unchanged";
}

const GREEN: readonly Outcome[] = [
  "deployed",
  "started",
  "updated",
  "planned",
  "unchanged",
  "skipped",
];

/** Whether an outcome leaves the step green (gates and `fail-on-changes` are judged apart). */
export function isGreen(outcome: Outcome): boolean {
  return GREEN.includes(outcome);
}

/** A status a revision was seen in, and when first, in milliseconds since the epoch. */
export interface StatusTransition {
  readonly status: string;
  readonly atMs: number;
  /** The last look that still found it there; absent in reports of older versions. */
  readonly seenMs?: number;
}

/** A revision and what it was built from, as people name it: a branch, tag or commit, or an image. */
export interface ServedRevision {
  readonly revision_id: string;
  /** Null where the service does not say. */
  readonly version: string | null;
}

/** What became of one deployment. Safe to print. */
export interface DeploymentReport {
  readonly name: string;
  readonly id: string | null;
  readonly action: Action;
  readonly outcome: Outcome;
  /** Machine word for a red or special end (`plan-changed`, `gate`, `BUILD_FAILED`, `verify`, …); empty when none. */
  readonly reason: string;
  /** One or two sentences: what happened and why. */
  readonly message: string;
  /** What to do next, each a line a person can act on or paste. */
  readonly next: readonly string[];
  /** Of a plan with changes: whether live moved or the spec did; absent where nothing says. */
  readonly moved?: "live" | "spec";
  readonly revision_id: string | null;
  readonly previous_revision_id: string | null;
  readonly revision_status: string | null;
  /** From the service's reply; empty when it gave none, never built. */
  readonly url: string;
  readonly changes: readonly Change[];
  readonly plan: DeploymentPlan | null;
  /** Whether this run wrote, or waited for a revision that a push made. */
  readonly changed: boolean;
  readonly timeline: readonly StatusTransition[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Last lines of the service's build or deploy log, redacted; empty where none is served. */
  readonly log_tail: readonly string[];
  readonly verify?: { readonly exit_code: number | null; readonly tail: readonly string[] };
  readonly rollback?: { readonly revision_id: string | null; readonly outcome: Outcome };
  /**
   * The revision that was active when the run ended, as the service answered then; null: none was.
   * Absent: not read.
   */
  readonly serving?: ServedRevision | null;
  /** What this run's revision is built from; absent where that is not known. */
  readonly version?: string;
  /** The service's own sentence about the failure; absent where it gave none. */
  readonly cause?: string;
  /** The workspace that the deployment belongs to, where the service says. */
  readonly tenant_id?: string;
  /** The deployment's page in the service; absent where its address is not known. */
  readonly page?: string;
}

/** One uploaded (or dry-run) experiment. */
export interface ExperimentReport {
  readonly file: string;
  readonly format: string;
  readonly name: string;
  readonly outcome: "uploaded" | "dry-run" | "failed" | "unknown" | "gated-only";
  readonly message: string;
  readonly rows: number;
  readonly errors: number;
  readonly experiment_id: string | null;
  readonly experiment_url: string;
  readonly compare_url: string;
  readonly dataset_id: string | null;
  readonly dataset_name: string;
  readonly test_run_number: number | null;
  /** Mean per metric over the scored rows. */
  readonly scores: Readonly<Record<string, { readonly mean: number; readonly n: number }>>;
  readonly warnings: readonly string[];
}

/** `inconclusive`: too few rows to tell; what that does to the step is `on-inconclusive`. */
export type Verdict = "pass" | "fail" | "inconclusive";

/** One gate's verdict; Numbers are null where the method gives none. */
export interface GateReport {
  readonly metric: string;
  readonly rule: string;
  readonly verdict: Verdict;
  readonly n: number;
  readonly n_dropped: number;
  readonly repeats: number;
  readonly head: number | null;
  readonly base: number | null;
  readonly delta: number | null;
  readonly ci: readonly [number, number] | null;
  readonly p: number | null;
  readonly method: string;
  readonly alpha: number;
  readonly mde: number | null;
  /** One sentence for a reader who knows no statistics. */
  readonly reason: string;
  /** The side that is better; absent in reports of older versions. */
  readonly direction?: "higher" | "lower";
  /** The chance of this comparison by itself, before all gates of the run are counted together. */
  readonly p_own?: number | null;
  /** What the rule allows, in the metric's own unit; null where it names no number. */
  readonly limit?: number | null;
  /** The change since the run that was last accepted by hand; null where the baseline is that run, or keeps none. */
  readonly anchor?: { readonly delta: number; readonly p: number } | null;
}

/** A row that scored differently from its baseline, for the "rows that got worse" list. */
export interface RowDelta {
  /** Names the example, so that its metrics can be listed together; absent in reports of older versions. */
  readonly example?: string;
  /** What the baseline's run answered; absent where its file does not say. */
  readonly base_output?: string;
  /** What the judge wrote about this score. */
  readonly comment?: string;
  /** The run's trace, where the file links it. */
  readonly trace?: string;
  /** The row ended with an error; absent where it did not. */
  readonly crashed?: boolean;
  readonly metric: string;
  readonly input: string;
  readonly expected: string;
  readonly head_output: string;
  readonly head: number;
  readonly base: number;
}

/**
 * Shared examples that moved about as far from the baseline, all of them one way; `low` and `high`
 * are now − baseline.
 */
export interface DifferenceBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** The shared examples of one metric: how many changed, and how far. */
export interface MetricChanges {
  readonly worse: number;
  readonly better: number;
  /** Every shared example with a score, from the lowest difference up; absent in reports of older versions. */
  readonly differences?: readonly DifferenceBin[];
}

/** How many rows there are in all; the lists of a report are cut. */
export interface RowCounts {
  /** Examples that only this run has. */
  readonly new: number;
  /** Examples that only the baseline has. */
  readonly missing: number;
  /** Examples whose score changed, by metric. */
  readonly changed: Readonly<Record<string, MetricChanges>>;
  /** Examples, whatever the number of their metrics: worse in any, and better in one and worse in none. */
  readonly examples?: { readonly worse: number; readonly better: number };
}

/** What the baseline was, for the reader. */
export interface BaselineReport {
  readonly file: string;
  readonly commit: string | null;
  readonly created_at: string | null;
  readonly rows: number;
  readonly state: "used" | "no-baseline" | "incomparable" | "empty";
  readonly message: string;
  /** Means of the last accepted runs, the oldest first; absent where the baseline keeps none. */
  readonly history?: readonly BaselinePoint[];
}

/** The means of one accepted run, for the trend. */
export interface BaselinePoint {
  readonly commit: string | null;
  readonly created_at: string | null;
  readonly means: Readonly<Record<string, number>>;
}

/** One job of a fan-out: deployments of one wave. */
export interface MatrixLeg {
  /** Short, and the leg's own. */
  readonly name: string;
  /** What the input `only` takes. */
  readonly names: string;
  /** Of all its deployments, else `mixed`. */
  readonly action: string;
  /** Of a run with that `only`. */
  readonly fingerprint: string;
  readonly wave: number;
}

/** What tells the reports of one fan-out apart, and which of one leg's is the newest. */
export interface LegIdentity {
  readonly run: string;
  readonly attempt: number;
  /** JSON of the job's matrix without the keys of a leg of ours. */
  readonly matrix: string;
  /** Address and tenant. */
  readonly place: string;
  readonly event: string;
}

/** One thing that is wrong, and its place in a file; `path` is a key of the spec. */
export interface ReportProblem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/** A problem as one line: `file:line:column: path: what is wrong; what to write instead`. */
export function toProblemLine({ file, line, column, path, message }: ReportProblem): string {
  const place = file === undefined ? "" : `${file}:${line ?? 1}:${column ?? 1}: `;
  return `${place}${path === undefined || path === "" ? "" : `${path}: `}${message}`;
}

/** Whether a run is red. Exit state, annotation, colour, icon, headline, GitHub Deployment and comment all read this. */
export interface Judgement {
  readonly red: boolean;
  /** Exit code of the command line; the Action ends 1 where it is not 0. */
  readonly exit_code: number;
  /** What made a run red besides its deployments; empty where nothing did. */
  readonly why: string;
}

/** The one report of a run: every sink shows this and nothing else. */
export interface Report {
  readonly version: 1;
  readonly tool: string;
  readonly command: string;
  /** Target of the spec that the run was for; absent where the spec has none. */
  readonly target?: string | undefined;
  readonly outcome: Outcome;
  readonly changed: boolean;
  readonly fingerprint: string;
  readonly deployments: readonly DeploymentReport[];
  /** Legs for a job matrix; absent where nothing was planned. */
  readonly matrix?: readonly MatrixLeg[] | undefined;
  readonly leg?: LegIdentity | undefined;
  readonly experiments: readonly ExperimentReport[];
  readonly gates: readonly GateReport[];
  readonly gate_verdict: Verdict | "none";
  readonly rows_worse: readonly RowDelta[];
  readonly rows_better: readonly RowDelta[];
  /** Inputs of examples that only this run has; the first hundred. */
  readonly rows_new: readonly string[];
  /** Inputs of examples that only the baseline has, ids where it keeps no text; the first hundred. */
  readonly rows_missing: readonly string[];
  readonly row_counts: RowCounts;
  readonly baseline: BaselineReport | null;
  /** How small a fall the gates would have noticed, in one sentence; absent where nothing was tested. */
  readonly sensitivity?: string;
  /**
   * What a reader has to know before anything else, such as that the measure moved with the code;
   * absent where there is nothing.
   */
  readonly alerts?: readonly string[];
  /** What kept the run from going on, redacted. */
  readonly problems: readonly ReportProblem[];
  readonly warnings: readonly string[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** The commit that the run is about, and whose push it is; absent outside of a workflow. */
  readonly commit?: { readonly sha: string; readonly url: string; readonly actor: string };
  /** Red or green; absent while a run goes on. */
  readonly judgement?: Judgement;
  readonly started_at: string;
  readonly finished_at: string;
}
