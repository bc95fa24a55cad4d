import { isObject } from "../model/json.ts";

/** The one key of `experiment_metadata` that is ours: neither a file nor an input can write it. */
export const MARKER_KEY = "agent_deploy";

/** What an upload says of itself, so that a later run can take it for its baseline. */
export interface Marker {
  readonly version: 1;
  readonly commit: string | null;
  /** Without `refs/heads/`; `pull/7/merge` on a pull request. */
  readonly branch: string | null;
  readonly event: string | null;
  readonly run: string | null;
  readonly run_attempt: string | null;
  readonly run_url: string | null;
  readonly complete: boolean | "cancelled";
  readonly rows: number;
  /** sha256 of the result files' bytes, and of the label where a file holds several experiments. */
  readonly digest: string | null;
  /** sha256 over the set of examples. */
  readonly dataset: string | null;
  /** Provider and prompt, where a file holds several experiments. */
  readonly label: string;
  /** Version of what scored the rows. */
  readonly evaluator: string | null;
  readonly model: string | null;
  /** Null where the rows were not gated before they were sent. */
  readonly gate_verdict: string | null;
  /** Whether a person accepted the run as it is. */
  readonly accepted: boolean;
  /** Name of the experiment that was last accepted by hand, or began the series. */
  readonly anchor: string | null;
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** The marker of an experiment's metadata; null where it has none that can be read. */
export function readMarker(metadata: Readonly<Record<string, unknown>>): Marker | null {
  const found = metadata[MARKER_KEY];
  if (!isObject(found) || found["version"] !== 1) return null;
  const { complete, rows } = found;
  if (typeof complete !== "boolean" && complete !== "cancelled") return null;
  if (typeof rows !== "number") return null;
  return {
    version: 1,
    commit: textOf(found["commit"]),
    branch: textOf(found["branch"]),
    event: textOf(found["event"]),
    run: textOf(found["run"]),
    run_attempt: textOf(found["run_attempt"]),
    run_url: textOf(found["run_url"]),
    complete,
    rows,
    digest: textOf(found["digest"]),
    dataset: textOf(found["dataset"]),
    label: textOf(found["label"]) ?? "",
    evaluator: textOf(found["evaluator"]),
    model: textOf(found["model"]),
    gate_verdict: textOf(found["gate_verdict"]),
    accepted: found["accepted"] === true,
    anchor: textOf(found["anchor"]),
  };
}
