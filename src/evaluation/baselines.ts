import { slugOf } from "../run-context.ts";
import { isAccepting, type Session, UsageError } from "../ci/session.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { datasetOf } from "../experiment/naming.ts";
import type { LabelledTable } from "../experiment/scores.ts";
import type { Baseline } from "../gate/baseline.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Tracing } from "../service/tracing.ts";
import { toOverrides } from "./result-files.ts";
import type { StoredExperiment } from "./stored-experiment.ts";
import { STORED_PREFIX } from "./wanted-rows.ts";

/** A run that needs a baseline: an experiment from a file or from the service. */
export interface Subject {
  readonly key: string;
  readonly label: string;
  readonly file: string;
  /** Digest of the files it was made from; null if unknown. */
  readonly digest: string | null;
  /** Digest of each of these files. */
  readonly fileDigests: readonly string[];
  /** Null if it comes from a file. */
  readonly id: string | null;
  readonly dataset: { readonly id?: string | undefined; readonly name?: string | undefined };
}

/** Distinguishes the experiments of one file; copies have the same key. */
export const keyOf = ({ file, label }: Pick<Experiment, "file" | "label">): string =>
  JSON.stringify([file, label]);

/** An experiment from a file as a subject. */
export function toSubject(session: Session, experiment: Experiment): Subject {
  const { dataset_id: id, dataset_name: name } = datasetOf(experiment, toOverrides(session), {
    repository: slugOf(session.run),
  });
  const { file, label, digest, fileDigests } = experiment;
  const dataset = { id, name };
  return { key: keyOf(experiment), label, file, digest, fileDigests, id: null, dataset };
}

/** Makes a subject of what the service has. */
export function storedSubject({ id, name, dataset_id, marker }: StoredExperiment): Subject {
  const file = `${STORED_PREFIX}${name}`;
  const label = marker?.label ?? "";
  const digest = marker?.digest ?? null;
  const dataset = { id: dataset_id };
  return { key: keyOf({ file, label }), label, file, digest, fileDigests: [], id, dataset };
}

/** What a source of baselines receives. */
export interface BaselineRequest {
  readonly session: Session;
  readonly subjects: readonly Subject[];
  readonly gates: GateSet | null;
  /** Null if the service must not be asked. */
  readonly tracing: Tracing | null;
  /** Reads the rows to judge, for a source whose own rows take over the names of their examples. */
  readonly readHead: () => Promise<readonly LabelledTable[]>;
}

/** The same once the service is asked. */
export interface StoredRequest extends Omit<BaselineRequest, "readHead"> {
  readonly tracing: Tracing;
  readonly head: readonly LabelledTable[];
}

/** What a source of baselines found. */
export interface FoundBaseline {
  /** Null if there is none. */
  readonly baseline: Baseline | null;
  /** Why there is none, if the service should have it, the main clause first; else empty. */
  readonly why: readonly string[];
  /** The stored experiments that subjects are compared with, by the subject's key. */
  readonly sources: ReadonlyMap<string, StoredExperiment>;
  /** The file that this run would replace without having been compared with it. */
  readonly replaced: string | null;
}

/** A baseline that is not a stored experiment. */
export const ofFile = (baseline: Baseline | null): FoundBaseline => ({
  baseline,
  why: [],
  sources: new Map(),
  replaced: null,
});

/** Reports that there is nothing to compare with, at the level set by `on-no-baseline`. */
export function reportNoBaseline(session: Session, message: string): void {
  const isFine = session.options.onNoBaseline === "pass" || isAccepting(session);
  session.host.notify(isFine ? "notice" : "warning", `baseline: ${message}`);
}

/** Why a run is no baseline for itself: it can show no drop. */
export const ownBaseline = (
  claim: string,
  advice = "; give the results of an earlier run",
): UsageError =>
  new UsageError(`baseline: ${claim}: a run compared with itself never fails${advice}`);
