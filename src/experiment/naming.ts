import { beginningOf } from "../report/escape.ts";
import { matrixValues } from "../report/merge.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import type { Experiment } from "./experiment.ts";
import { diagnosticAt } from "./input/diagnostic.ts";
import { checkHeader, type GivenHeader } from "./checks.ts";
import { MARKER_KEY, type Marker } from "./marker.ts";
import type { GivenFields, HeaderBody } from "./input/row.ts";
import { inOrder } from "./input/ordered-object.ts";

/** Where and for what this run uploads; empty texts if unknown. */
export interface UploadContext {
  /** `owner/name`. */
  readonly repository: string;
  readonly commit: string;
  readonly runId: string;
  readonly runAttempt: string;
  readonly job: string;
  /** The job's matrix leg as JSON (`{"os":"linux"}`), `null` or empty without one. */
  readonly matrix: string;
  readonly runUrl: string;
  /** The deployment of this run, if it deployed. */
  readonly deploymentId: string;
  readonly revisionId: string;
  /** `agent-deploy 1.2.3`. */
  readonly tool: string;
  /** Without `refs/heads/`. */
  readonly branch?: string;
  readonly event?: string;
  /** Version of what scored the rows, if an input or the gate file says. */
  readonly evaluator?: string | undefined;
  /** Whether a person accepts the run. */
  readonly accepted?: boolean;
  /** The result of its gates; undefined if it was not judged. */
  readonly judgedAs?: (experiment: Experiment) => JudgedAs | undefined;
}

/** What was found out about an experiment before its upload. */
export interface JudgedAs {
  readonly verdict: string | null;
  /** Name of the experiment that its baseline is compared with; null if it has none. */
  readonly anchor: string | null;
  /** The experiment it was compared with; null if that is not a stored one. */
  readonly comparedWith: { readonly id: string; readonly dataset_id: string } | null;
}

/** Request fields from the user's inputs, which override the file's; empty ones do not. */
export type UploadOverrides = GivenFields;

interface NamedBy {
  readonly overrides: UploadOverrides;
  readonly context: UploadContext;
}

/** The request without its rows, and the id that proves it to be ours. */
export interface PreparedUpload {
  readonly experiment: Experiment;
  readonly uploadId: string;
  readonly header: HeaderBody;
}

/** Key of `experiment_metadata` with this upload's id, read back from the session's `extra.metadata`. */
export const UPLOAD_ID_KEY = "upload_id";

const MAX_NAME_CHARS = 200;

/**
 * Names and metadata of every upload: inputs override the file, which overrides defaults. A
 * default experiment name is unique per upload; a default dataset name is the same in every run of
 * the suite. Reports all problems at once.
 */
export function prepareUploads(
  experiments: readonly Experiment[],
  how: NamedBy & { readonly createId: () => string },
): { uploads: PreparedUpload[]; problems: Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const uploads = experiments.map((experiment): PreparedUpload => {
    const uploadId = how.createId();
    const { header, problems: found } = toHeader(experiment, { ...how, uploadId });
    problems.push(...found);
    if (experiment.rowCount === 0)
      problems.push(
        diagnosticAt(
          { file: experiment.file, path: "results" },
          experiment.skipped > 0
            ? `every test was skipped (${experiment.skipped}), so there are no rows to upload`
            : `results is empty: there are no rows to upload; ${experiment.notes.join("; ") || "check that the run wrote them"}`,
        ),
      );
    return { experiment, uploadId, header };
  });
  const names = new Map<string, string>();
  for (const { experiment, header } of uploads) {
    const before = names.get(header.experiment_name);
    if (before !== undefined)
      problems.push(
        diagnosticAt(
          { file: experiment.file, path: "experiment_name" },
          `experiment_name "${header.experiment_name}" is also that of ${before}; names are unique in the service, so leave experiment-name out or upload one file`,
        ),
      );
    names.set(
      header.experiment_name,
      experiment.label === "" ? experiment.file : `${experiment.file} (${experiment.label})`,
    );
  }
  return { uploads, problems };
}

/** Files without any score: an upload would show nothing, and no gate could judge them. */
export function unscoredProblems(experiments: readonly Experiment[]): Diagnostic[] {
  return experiments.flatMap(({ file, whyUnscored }) =>
    whyUnscored === null ? [] : [diagnosticAt({ file, path: "evaluation_scores" }, whyUnscored)],
  );
}

function toHeader(
  experiment: Experiment,
  { overrides, context, uploadId }: NamedBy & Pick<PreparedUpload, "uploadId">,
): { header: HeaderBody; problems: Diagnostic[] } {
  const { header: input, problems } = checkHeader("", overrides, false);
  const given = experiment.given;
  const dataset = chooseDataset(input, experiment, context);
  const name =
    input.experiment_name ??
    given.experiment_name ??
    defaultExperimentName(experiment, context, uploadId);
  const header = {
    experiment_name: name,
    experiment_description: input.experiment_description ?? given.experiment_description,
    experiment_start_time: experiment.window.start.text,
    experiment_end_time: experiment.window.end.text,
    ...dataset,
    dataset_description: input.dataset_description ?? given.dataset_description,
    experiment_metadata: inOrder([
      ...[ownMetadata(experiment, context), experiment.metadata].flatMap(Object.entries),
      ...[given.experiment_metadata ?? {}, input.experiment_metadata ?? {}].flatMap(Object.entries),
      [MARKER_KEY, toMarker(experiment, context, name)],
      [UPLOAD_ID_KEY, uploadId],
    ]),
    summary_experiment_scores: given.summary_experiment_scores,
  };
  return {
    header: Object.fromEntries(
      Object.entries(header).filter(([, value]) => value !== undefined),
    ) as HeaderBody,
    problems,
  };
}

/** An input replaces the whole dataset: an id next to the file's name would be two answers to one question. */
function chooseDataset(
  input: GivenHeader,
  experiment: Experiment,
  context: Pick<UploadContext, "repository">,
): Pick<GivenHeader, "dataset_id" | "dataset_name"> {
  for (const { dataset_id, dataset_name } of [input, experiment.given])
    if (dataset_id !== undefined || dataset_name !== undefined) return { dataset_id, dataset_name };
  return { dataset_name: defaultDatasetName(experiment, context) };
}

/** The dataset that an experiment would be uploaded into. */
export function datasetOf(
  experiment: Experiment,
  overrides: UploadOverrides,
  context: Pick<UploadContext, "repository">,
): ReturnType<typeof chooseDataset> {
  return chooseDataset(checkHeader("", overrides, false).header, experiment, context);
}

/** What later runs read about this one; the file's own values count only if the run knows nothing better. */
function toMarker(experiment: Experiment, context: UploadContext, name: string): Marker & Json {
  const { state, metadata } = experiment;
  const model = metadata["model"];
  const judged = context.judgedAs?.(experiment);
  const complete = { complete: true, incomplete: false, cancelled: "cancelled" } as const;
  return {
    version: 1,
    commit: context.commit || experiment.commit,
    branch: context.branch || null,
    event: context.event || null,
    run: context.runId || null,
    run_attempt: context.runAttempt || null,
    run_url: context.runUrl || null,
    complete: complete[state],
    rows: experiment.rowCount,
    digest: experiment.digest,
    dataset: experiment.fingerprint,
    label: experiment.label,
    agent: experiment.group || null,
    evaluator: context.evaluator || experiment.judge,
    model: typeof model === "string" ? model : null,
    gate_verdict: judged?.verdict || null,
    accepted: context.accepted === true,
    anchor: context.accepted === true ? name : (judged?.anchor ?? name),
  };
}

/** What this run knows; the user's own keys win, except for the marker and the upload id. */
function ownMetadata(experiment: Experiment, context: UploadContext): Record<string, string> {
  const entries: [string, string | null][] = [
    ["commit", experiment.commit ?? context.commit],
    ["repository", context.repository],
    ["run_id", context.runId],
    ["run_attempt", context.runAttempt],
    ["run_url", context.runUrl],
    ["job", context.job],
    ["matrix", matrixValues(context.matrix).join(" ")],
    ["deployment_id", context.deploymentId],
    ["revision_id", context.revisionId],
    ["tool", context.tool],
    ["format", experiment.format],
    ["dataset_fingerprint", experiment.fingerprint],
  ];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ""),
  );
}

function defaultExperimentName(
  experiment: Experiment,
  context: UploadContext,
  uploadId: string,
): string {
  const { runId, runAttempt } = context;
  const run = runId === "" || runAttempt === "" ? runId : `${runId}.${runAttempt}`;
  const { commit, job, matrix } = context;
  // Two steps of one job can upload the same suite: the upload's own id makes the name unique.
  const leg = matrixValues(matrix).join(" ");
  const tail = joined(commit.slice(0, 7), run, job, leg, uploadId.slice(0, 8));
  const suite = joined(experiment.suite, experiment.label);
  return `${beginningOf(suite, Math.max(20, MAX_NAME_CHARS - tail.length - 1))}-${beginningOf(tail, MAX_NAME_CHARS - 21)}`;
}

function defaultDatasetName(
  { suite }: Experiment,
  { repository }: Pick<UploadContext, "repository">,
): string {
  const parts = [repository, plainWords(suite)].filter((part) => part !== "");
  return beginningOf(parts.join("/"), MAX_NAME_CHARS);
}

const joined = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== "")
    .map(plainWords)
    .join("-");

/** One line of plain text: labels contain prompts. */
function plainWords(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, " ").trim();
}
