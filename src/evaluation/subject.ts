import { slugOf } from "../run-context.ts";
import { type Session, UsageError } from "../ci/session.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { datasetOf } from "../experiment/naming.ts";
import { toOverrides } from "./result-files.ts";
import { agentOf, STORED_PREFIX, type StoredExperiment } from "./stored-experiment.ts";

/** A run that needs a baseline: an experiment from a file or from the service. */
export interface Subject {
  readonly key: string;
  readonly label: string;
  /** The agent, or provider and prompt; empty if unknown. */
  readonly agent: string;
  readonly file: string;
  /** Digest of the files it was made from; null if unknown. */
  readonly digest: string | null;
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
  const { file, label, group: agent, digest, fileDigests } = experiment;
  const dataset = { id, name };
  return { key: keyOf(experiment), label, agent, file, digest, fileDigests, id: null, dataset };
}

/** Makes a subject of what the service has. */
export function storedSubject(source: StoredExperiment): Subject {
  const { id, name, dataset_id, marker } = source;
  const agent = agentOf(source);
  const file = `${STORED_PREFIX}${name}`;
  const label = marker?.label ?? "";
  const digest = marker?.digest ?? null;
  const dataset = { id: dataset_id };
  return { key: keyOf({ file, label }), label, agent, file, digest, fileDigests: [], id, dataset };
}

/** Why a run is no baseline for itself: it can show no drop. */
export const ownBaseline = (
  claim: string,
  advice = "; give the results of an earlier run",
): UsageError =>
  new UsageError(`baseline: ${claim}: a run compared with itself never fails${advice}`);
