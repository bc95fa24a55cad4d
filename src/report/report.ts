import type * as z from "zod/v4";
import type { Change, DeploymentPlan } from "../plan/plan.ts";
import type { ReportSchema } from "./report-schema.ts";

type Immutable<T> = T extends Change | DeploymentPlan
  ? T
  : { readonly [Key in keyof T]: Immutable<T[Key]> };

/** The report of a run, which every sink shows. Safe to print. */
export type Report = Immutable<z.output<typeof ReportSchema>>;
/** How a run ended for one document of the spec. */
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
/** A status that a revision was seen in, with the time. */
export type StatusTransition = DeploymentReport["timeline"][number];
/** A revision and what it was built from, as people call it: a branch, tag or commit, or an image. */
export type ServedRevision = NonNullable<DeploymentReport["serving"]>;
/** A request with an error response or none. */
export type FailedRequest = NonNullable<DeploymentReport["request"]>;
/** One uploaded (or dry-run) experiment. */
export type ExperimentReport = Report["experiments"][number];
/** One gate's verdict; numbers that its method does not produce are null. */
export type GateReport = Report["gates"][number];

/** The parts of a gate's reason. */
export type GateMessage = NonNullable<Report["gate_messages"]>[number];
/** `inconclusive`: too few rows to decide; `on-inconclusive` says what that does to the step. */
export type Verdict = GateReport["verdict"];
/** A row whose score differs from the baseline's. */
export type RowDelta = Report["rows_worse"][number];
/** A row whose score is beyond a missed limit. */
export type MissedRow = NonNullable<Report["rows_missed"]>[number];
/** A row as lists show it; without a baseline it has no value from before. */
export type ListedRow = MissedRow & Partial<Pick<RowDelta, "base" | "base_output">>;
/** Total numbers of rows, since the lists in a report are cut. */
export type RowCounts = Report["row_counts"];
/** The shared examples of one metric: how many changed, and how far. */
export type MetricChanges = RowCounts["changed"][string];
/** Shared examples that moved about equally far from the baseline, in one direction. */
export type DifferenceBin = NonNullable<MetricChanges["differences"]>[number];
/** What the run was compared with, and whether that worked. */
export type BaselineReport = NonNullable<Report["baseline"]>;
/** The means of one accepted run, for the trend. */
export type BaselinePoint = NonNullable<BaselineReport["history"]>[number];
/** One job of a fan-out: deployments of one wave. */
export type MatrixLeg = NonNullable<Report["matrix"]>[number];
/** What distinguishes the legs of a fan-out, and the attempts of one leg. */
export type LegIdentity = NonNullable<Report["leg"]>;
/** One problem and its position in a file; `path` is a key of the spec. */
export type ReportProblem = Report["problems"][number];
/** Whether a run is red. Exit code, annotation, colour, icon, headline, GitHub Deployment and comment all follow it. */
export type Judgement = NonNullable<Report["judgement"]>;

/** The report of a run that has ended. */
export type JudgedReport = Report & { readonly judgement: Judgement };

/** A problem as one line: `file:line:column: path: what is wrong; what to write instead`. */
export function toProblemLine({ file, line, column, path, message }: ReportProblem): string {
  const place = file === undefined ? "" : `${file}:${line ?? 1}:${column ?? 1}: `;
  return `${place}${path === undefined || path === "" ? "" : `${path}: `}${message}`;
}
