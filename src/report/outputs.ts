import { utf8Bytes } from "./escape.ts";
import type { Change } from "../plan/plan.ts";
import type { DeploymentReport, ExperimentReport, MatrixLeg, Report } from "./report.ts";

/** Where the rest of a report is, known only after writing and posting it. */
export interface OutputPlaces {
  /** Absolute path of the report file; empty if it could not be written. */
  readonly reportPath: string;
  readonly commentUrl: string;
}

/** GitHub allows 1 MB of outputs per job, counted in UTF-16, which the job's other steps share. */
const MAX_BYTES = 900_000;

/** How much of a report the outputs have; the report file has all of it. */
interface Extent {
  /** Longer lists of changes are replaced by a pointer to the report file. */
  readonly changeBytes: number;
  /** Null: all keys. */
  readonly experiments: readonly (keyof ExperimentReport)[] | null;
  readonly plan: boolean;
  readonly deployments: readonly (keyof DeploymentReport)[];
  readonly matrix: boolean;
}

const IDS = ["name", "id", "action", "outcome", "revision_id"] as const;
const WHOLE = [
  "name",
  "id",
  "action",
  "outcome",
  "reason",
  "revision_id",
  "previous_revision_id",
  "revision_status",
  "url",
  "changes",
  "rollback",
] as const;
const FULL: Extent = {
  changeBytes: Infinity,
  experiments: null,
  plan: true,
  deployments: WHOLE,
  matrix: true,
};
/** Without the scores and sentences, which grow with the metrics. */
const EXPERIMENT = [
  "file",
  "name",
  "outcome",
  "experiment_id",
  "experiment_url",
  "dataset_id",
] as const;
const BRIEF: Extent = { ...FULL, changeBytes: 0, experiments: EXPERIMENT };
const BRIEFEST: Extent = { ...BRIEF, plan: false, experiments: ["name", "experiment_id"] };

/**
 * From complete to minimal. An empty list of deployments would mean that nothing was done, and an
 * empty matrix would silently skip every leg; without a matrix, fromJSON fails visibly.
 */
const EXTENTS: readonly Extent[] = [
  ...[Infinity, 20_000, 2000, 200, 0].map((changeBytes) => ({ ...FULL, changeBytes })),
  BRIEF,
  { ...BRIEF, plan: false },
  { ...BRIEFEST, deployments: IDS },
  { ...BRIEFEST, deployments: ["name", "outcome"] },
  { ...BRIEFEST, deployments: ["name", "outcome"], matrix: false },
  // Names have no limit.
  { ...BRIEFEST, deployments: ["id", "outcome"], matrix: false, experiments: ["experiment_id"] },
];

/** The outputs as GitHub stores them, as complete as the limit allows. */
export function toOutputs(report: Report, places: OutputPlaces): Record<string, string> {
  let outputs: Record<string, string> = {};
  for (const extent of EXTENTS) {
    outputs = render(report, extent, places);
    if (total(outputs) <= MAX_BYTES) break;
  }
  return outputs;
}

/** The outputs of gate/action.yml; a list of gates that is too long is only in the report file. */
export function toGateOutputs(
  report: Report,
  { reportPath, commentUrl }: OutputPlaces,
): Record<string, string> {
  const gates = JSON.stringify(report.gates);
  return {
    verdict: report.gate_verdict,
    gates: sizeOf(gates) <= MAX_BYTES ? gates : JSON.stringify(pointer(reportPath)),
    "comment-url": commentUrl,
    report: reportPath,
  };
}

function pointer(reportPath: string): { readonly changes_in: string } {
  return { changes_in: reportPath === "" ? "the report file" : reportPath };
}

function render(
  report: Report,
  extent: Extent,
  { reportPath, commentUrl }: OutputPlaces,
): Record<string, string> {
  const { deployments, experiments, fingerprint, matrix = [] } = report;
  const toChanges = ({ changes }: DeploymentReport): object =>
    sizeOf(JSON.stringify(changes)) <= extent.changeBytes
      ? { changes }
      : { changes: [] as readonly Change[], ...pointer(reportPath) };
  const toPlan = (one: DeploymentReport): object => ({
    name: one.name,
    id: one.id,
    action: one.plan?.action ?? one.action,
    fingerprint: one.plan?.fingerprint ?? "",
    ...toChanges(one),
  });
  const { experiments: keys } = extent;
  const toExperiment = (one: ExperimentReport): object =>
    keys === null ? one : Object.fromEntries(keys.map((key) => [key, one[key]]));
  const toDeployment = (one: DeploymentReport): object => ({
    ...Object.fromEntries(extent.deployments.map((key) => [key, one[key]])),
    ...(extent.deployments.includes("changes") ? toChanges(one) : {}),
  });
  const plan = extent.plan
    ? { fingerprint, deployments: deployments.map(toPlan) }
    : { fingerprint, deployments: [], ...pointer(reportPath) };
  return {
    outcome: report.outcome,
    changed: String(report.changed),
    plan: JSON.stringify(plan),
    fingerprint,
    ...(extent.matrix
      ? {
          matrix: JSON.stringify({ include: matrix.map(toLeg) }),
          waves: JSON.stringify(toWaves(matrix)),
        }
      : {}),
    deployments: JSON.stringify(deployments.map(toDeployment)),
    ...(deployments.length === 1 ? ofOnlyDeployment(deployments[0]!) : {}),
    experiments: JSON.stringify(experiments.map(toExperiment)),
    ...(experiments.length === 1 ? ofOnlyExperiment(experiments[0]!) : {}),
    "gate-verdict": report.gate_verdict,
    report: reportPath,
    "comment-url": commentUrl,
  };
}

const toLeg = ({ wave: _, ...leg }: MatrixLeg): Omit<MatrixLeg, "wave"> => leg;

function toWaves(legs: readonly MatrixLeg[]): readonly unknown[] {
  return [...new Set(legs.map(({ wave }) => wave))].map((wave) => ({
    wave,
    matrix: { include: legs.filter((leg) => leg.wave === wave).map(toLeg) },
  }));
}

const ofOnlyDeployment = (one: DeploymentReport): Record<string, string> => ({
  "deployment-id": one.id ?? "",
  "revision-id": one.revision_id ?? "",
  "previous-revision-id": one.previous_revision_id ?? "",
  "revision-status": one.revision_status ?? "",
  url: one.url,
});

const ofOnlyExperiment = (one: ExperimentReport): Record<string, string> => ({
  "experiment-id": one.experiment_id ?? "",
  "experiment-url": one.experiment_url,
  "dataset-id": one.dataset_id ?? "",
});

const sizeOf = (value: string): number => Math.max(2 * value.length, utf8Bytes(value));

const total = (outputs: Readonly<Record<string, string>>): number =>
  Object.entries(outputs).reduce((sum, [name, value]) => sum + sizeOf(name) + sizeOf(value), 0);

/** The whole report as the text of `--json` and the report file, with the most wanted keys first. */
export function toReportJson(report: Report): string {
  const { version, outcome, changed, deployments, experiments, gates, links, ...rest } = report;
  return `${JSON.stringify({ version, outcome, changed, deployments, experiments, gates, links, ...rest }, null, 2)}\n`;
}
