import { utf8Bytes } from "./escape.ts";
import type { Change } from "../plan/plan.ts";
import type { DeploymentReport, MatrixLeg, Report } from "./report.ts";

/** Where the rest of a report is, known only after writing and posting it. */
export interface OutputPlaces {
  /** Absolute path of the report file; empty if it could not be written. */
  readonly reportPath: string;
  readonly commentUrl: string;
}

/** GitHub allows 1 MB of outputs per job, counted in UTF-16, which the job's other steps share. */
const MAX_BYTES = 900_000;

/**
 * The outputs as GitHub stores them. Above the limit, the longest `changes` are replaced first, by
 * a pointer to the report file.
 */
export function toOutputs(
  report: Report,
  { reportPath, commentUrl }: OutputPlaces,
): Record<string, string> {
  const kept = report.deployments.map(() => true);
  const largest = report.deployments
    .map((one, at) => ({ at, size: sizeOf(JSON.stringify(one.changes)) }))
    .sort((a, b) => b.size - a.size);
  let outputs = render(report, kept, { reportPath, commentUrl });
  let excess = total(outputs) - MAX_BYTES;
  for (const { at, size } of largest) {
    if (excess <= 0) break;
    kept[at] = false;
    // Each list is in both `plan` and `deployments`; the pointer that replaces it takes back some of the space.
    excess -= 2 * (size - sizeOf(JSON.stringify(pointer(reportPath))));
  }
  if (kept.includes(false)) outputs = render(report, kept, { reportPath, commentUrl });
  for (const shorten of shorteningsOf(report)) {
    if (total(outputs) <= MAX_BYTES) break;
    shorten(outputs, report, reportPath);
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

type Shortening = (outputs: Record<string, string>, report: Report, reportPath: string) => void;

/**
 * What to shorten in outputs that are too long. An empty list of deployments would mean that
 * nothing was done, and an empty matrix would silently skip every leg; without a matrix, fromJSON
 * fails visibly.
 */
const SHORTENINGS = {
  experiments: (outputs) => {
    outputs["experiments"] = "[]";
  },
  deploymentsToIds: (outputs, { deployments }) => {
    outputs["deployments"] = JSON.stringify(
      deployments.map(({ name, id, action, outcome, revision_id }) => {
        return { name, id, action, outcome, revision_id };
      }),
    );
  },
  deploymentsToNames: (outputs, { deployments }) => {
    outputs["deployments"] = JSON.stringify(
      deployments.map(({ name, outcome }) => ({ name, outcome })),
    );
  },
  plan: (outputs, { fingerprint }, reportPath) => {
    outputs["plan"] = JSON.stringify({ fingerprint, deployments: [], ...pointer(reportPath) });
  },
  waves: (outputs) => delete outputs["waves"],
  matrix: (outputs) => delete outputs["matrix"],
} satisfies Readonly<Record<string, Shortening>>;

/** Jobs fan out over the matrix of a plan; for other commands, people read the deployments. */
function shorteningsOf({ command }: Report): readonly Shortening[] {
  const { experiments, deploymentsToIds, deploymentsToNames, plan, waves, matrix } = SHORTENINGS;
  return command === "plan"
    ? [experiments, deploymentsToIds, plan, deploymentsToNames, waves, matrix]
    : [experiments, plan, deploymentsToIds, waves, matrix, deploymentsToNames];
}

function pointer(reportPath: string): { readonly changes_in: string } {
  return { changes_in: reportPath === "" ? "the report file" : reportPath };
}

function render(
  report: Report,
  kept: readonly boolean[],
  { reportPath, commentUrl }: OutputPlaces,
): Record<string, string> {
  const changes = (at: number): { changes: readonly Change[]; changes_in?: string } =>
    kept[at] === true
      ? { changes: report.deployments[at]!.changes }
      : { changes: [], ...pointer(reportPath) };
  const { matrix = [] } = report;
  const [only] = report.deployments;
  const [experiment] = report.experiments;
  return {
    outcome: report.outcome,
    changed: String(report.changed),
    plan: JSON.stringify({
      fingerprint: report.fingerprint,
      deployments: report.deployments.map((one, at) => ({
        name: one.name,
        id: one.id,
        action: one.plan?.action ?? one.action,
        fingerprint: one.plan?.fingerprint ?? "",
        ...changes(at),
      })),
    }),
    fingerprint: report.fingerprint,
    matrix: JSON.stringify({ include: matrix.map(toLeg) }),
    waves: JSON.stringify(toWaves(matrix)),
    deployments: JSON.stringify(
      report.deployments.map((one, at) => ({
        name: one.name,
        id: one.id,
        action: one.action,
        outcome: one.outcome,
        reason: one.reason,
        revision_id: one.revision_id,
        previous_revision_id: one.previous_revision_id,
        revision_status: one.revision_status,
        url: one.url,
        ...changes(at),
        ...(one.rollback === undefined ? {} : { rollback: one.rollback }),
      })),
    ),
    ...(only !== undefined && report.deployments.length === 1 ? single(only) : {}),
    experiments: JSON.stringify(report.experiments),
    ...(experiment !== undefined && report.experiments.length === 1
      ? {
          "experiment-id": experiment.experiment_id ?? "",
          "experiment-url": experiment.experiment_url,
          "dataset-id": experiment.dataset_id ?? "",
        }
      : {}),
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

function single(one: DeploymentReport): Record<string, string> {
  return {
    "deployment-id": one.id ?? "",
    "revision-id": one.revision_id ?? "",
    "previous-revision-id": one.previous_revision_id ?? "",
    "revision-status": one.revision_status ?? "",
    url: one.url,
  };
}

function sizeOf(value: string): number {
  return Math.max(2 * value.length, utf8Bytes(value));
}

function total(outputs: Readonly<Record<string, string>>): number {
  return Object.entries(outputs).reduce(
    (sum, [name, value]) => sum + sizeOf(name) + sizeOf(value),
    0,
  );
}

/** The whole report as the text of `--json` and the report file, with the most wanted keys first. */
export function toReportJson(report: Report): string {
  const { version, outcome, changed, deployments, experiments, gates, links, ...rest } = report;
  return `${JSON.stringify({ version, outcome, changed, deployments, experiments, gates, links, ...rest }, null, 2)}\n`;
}
