import type { Experiment } from "../experiment/experiment.ts";
import { readMarker, type Marker } from "../experiment/marker.ts";
import type { LabelledTable } from "../experiment/scores.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Session } from "../ci/session.ts";
import type { TracingSession as StoredExperiment, Tracing } from "../service/tracing.ts";

/** An experiment that a head is compared with. */
export interface BaselineExperiment {
  readonly id: string;
  readonly name: string;
  readonly dataset_id: string;
  readonly marker: Marker | null;
  readonly session: StoredExperiment;
}

/** What looking for a baseline gave. */
export type FoundBaseline =
  | {
      readonly state: "found";
      readonly source: BaselineExperiment;
      readonly notes: readonly string[];
    }
  | { readonly state: "none"; readonly why: string };

/** What an `experiment:` baseline needs. */
export interface StoredRequest {
  readonly session: Session;
  readonly tracing: Tracing;
  readonly experiments: readonly Experiment[];
  readonly head: readonly LabelledTable[];
  readonly gates: GateSet | null;
}

/** An experiment that can be compared with: one with a dataset. */
export function toSource(session: StoredExperiment): BaselineExperiment | null {
  if (session.dataset_id === null) return null;
  const marker = readMarker(session.metadata);
  const { id, name, dataset_id } = session;
  return { id, name, dataset_id, marker, session };
}
