import type * as z from "zod/v4";
import type { Change, DeploymentPlan } from "../plan/plan.ts";
import type { ReportSchema } from "./report-schema.ts";

type Immutable<T> = T extends Change | DeploymentPlan
  ? T
  : { readonly [Key in keyof T]: Immutable<T[Key]> };

/** The one report of a run: every sink shows this and nothing else. Safe to print. */
export type Report = Immutable<z.output<typeof ReportSchema>>;
/** What became of one deployment. */
export type DeploymentReport = Report["deployments"][number];
/** The report of a deployment with nothing known but its name. */
export const blankDeployment = (name: string): DeploymentReport => ({
  name,
  id: null,
  action: "none",
  outcome: "not-run",
  reason: "",
  message: "",
  next: [],
  revision_id: null,
  previous_revision_id: null,
  revision_status: null,
  url: "",
  changes: [],
  plan: null,
  changed: false,
  timeline: [],
  warnings: [],
  notes: [],
  log_tail: [],
});
/** A status a revision was seen in, and when. */
export type StatusTransition = DeploymentReport["timeline"][number];
/** A revision and what it was built from, as people name it: a branch, tag or commit, or an image. */
export type ServedRevision = NonNullable<DeploymentReport["serving"]>;
/** A request that the service did not answer well, or at all. */
export type FailedRequest = NonNullable<DeploymentReport["request"]>;
/** One uploaded (or dry-run) experiment. */
export type ExperimentReport = Report["experiments"][number];
/** One gate's verdict; numbers are null where the method gives none. */
export type GateReport = Report["gates"][number];
/** `inconclusive`: too few rows to decide; what that does to the step is `on-inconclusive`. */
export type Verdict = GateReport["verdict"];
/** A row that scored differently from its baseline, for the list of rows that got worse. */
export type RowDelta = Report["rows_worse"][number];
/** How many rows there are in all; the lists of a report are cut. */
export type RowCounts = Report["row_counts"];
/** The shared examples of one metric: how many changed, and how far. */
export type MetricChanges = RowCounts["changed"][string];
/** Shared examples that moved about as far from the baseline, all of them one way. */
export type DifferenceBin = NonNullable<MetricChanges["differences"]>[number];
/** What the baseline was, for the reader. */
export type BaselineReport = NonNullable<Report["baseline"]>;
/** The means of one accepted run, for the trend. */
export type BaselinePoint = NonNullable<BaselineReport["history"]>[number];
/** One job of a fan-out: deployments of one wave. */
export type MatrixLeg = NonNullable<Report["matrix"]>[number];
/** What distinguishes the reports of one fan-out, and which of one leg's is the newest. */
export type LegIdentity = NonNullable<Report["leg"]>;
/** One thing that is wrong, and its place in a file; `path` is a key of the spec. */
export type ReportProblem = Report["problems"][number];
/**
 * Whether a run is red. Exit state, annotation, colour, icon, headline, GitHub Deployment and
 * comment all read this.
 */
export type Judgement = NonNullable<Report["judgement"]>;

/** A problem as one line: `file:line:column: path: what is wrong; what to write instead`. */
export function toProblemLine({ file, line, column, path, message }: ReportProblem): string {
  const place = file === undefined ? "" : `${file}:${line ?? 1}:${column ?? 1}: `;
  return `${place}${path === undefined || path === "" ? "" : `${path}: `}${message}`;
}
