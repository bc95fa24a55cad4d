import { slugOf } from "../run-context.ts";
import { isAccepting, type Session } from "../ci/session.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { datasetOf } from "../experiment/naming.ts";
import type { LabelledTable } from "../experiment/scores.ts";
import type { Baseline } from "../gate/baseline.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Tracing } from "../service/tracing.ts";
import { toOverrides } from "./result-files.ts";
import type { StoredExperiment } from "./stored-experiment.ts";
import { STORED_PREFIX } from "./wanted-rows.ts";

/** A run that a baseline is looked for: an experiment of a file, or one that the service has. */
export interface Subject {
  readonly key: string;
  readonly label: string;
  readonly file: string;
  /** Of the files that it was made from; null where nobody knows. */
  readonly digest: string | null;
  /** Of each of these files. */
  readonly fileDigests: readonly string[];
  /** Null for one of a file. */
  readonly id: string | null;
  readonly dataset: { readonly id?: string | undefined; readonly name?: string | undefined };
}

/** Where experiments of one file are distinguished; copies of them are the same. */
export const keyOf = ({ file, label }: Pick<Experiment, "file" | "label">): string =>
  JSON.stringify([file, label]);

/** An experiment of a file as what a baseline is looked for. */
export function toSubject(session: Session, experiment: Experiment): Subject {
  const { dataset_id: id, dataset_name: name } = datasetOf(experiment, toOverrides(session), {
    repository: slugOf(session.run),
  });
  const { file, label, digest, fileDigests } = experiment;
  const dataset = { id, name };
  return { key: keyOf(experiment), label, file, digest, fileDigests, id: null, dataset };
}

/** The same of an experiment that the service has. */
export function storedSubject({ id, name, dataset_id, marker }: StoredExperiment): Subject {
  const file = `${STORED_PREFIX}${name}`;
  const label = marker?.label ?? "";
  const digest = marker?.digest ?? null;
  const dataset = { id: dataset_id };
  return { key: keyOf({ file, label }), label, file, digest, fileDigests: [], id, dataset };
}

/** What a source of baselines is asked with. */
export interface BaselineRequest {
  readonly session: Session;
  readonly subjects: readonly Subject[];
  readonly gates: GateSet | null;
}

/** The same, for a source that asks the service: it reads rows under the names of the head's examples. */
export interface StoredRequest extends BaselineRequest {
  readonly tracing: Tracing;
  readonly head: readonly LabelledTable[];
}

/** What a source of baselines gave. */
export interface FoundBaseline {
  /** Null where there is none. */
  readonly baseline: Baseline | null;
  /** Why there is none, where the service was to have it; else empty. */
  readonly why: string;
  /** The experiments of the service that subjects are compared with, by the subject's key. */
  readonly sources: ReadonlyMap<string, StoredExperiment>;
}

/** A baseline that is no experiment of the service. */
export const ofFile = (baseline: Baseline | null): FoundBaseline => ({
  baseline,
  why: "",
  sources: new Map(),
});

/** Says that there is nothing to compare with, as loudly as `on-no-baseline` asks. */
export function sayNoBaseline(session: Session, message: string): void {
  const isFine = session.options.onNoBaseline === "pass" || isAccepting(session);
  session.host.say(isFine ? "notice" : "warning", `baseline: ${message}`);
}
