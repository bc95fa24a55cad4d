import type { Parts } from "../ci/report-assembly.ts";
import type { DeployContext } from "../deploy/context.ts";
import type { DeploymentReport } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";

/** Why a run stops before its first write. */
export interface Stop {
  readonly reason: string;
  readonly message: string;
}

/** Uploads and gates around a deploy. */
export interface Evaluation {
  /** Gates what is there before the first write; why nothing is written where that fails. */
  readonly before: () => Promise<Stop | null>;
  /** What was judged so far, for a run that stops before it writes. */
  readonly partsSoFar: () => Parts;
  /** Gates what the `verify` of a wave made, before the next one begins; rolls that wave back where asked. */
  readonly afterWave: (
    deployments: readonly DeploymentReport[],
    context: DeployContext,
    documents: readonly Desired[],
  ) => Promise<WaveEvaluated>;
  /** Uploads all result files, gates those that came with the last wave, rolls it back where asked. */
  readonly after: (
    deployments: readonly DeploymentReport[],
    context: DeployContext,
    documents: readonly Desired[],
  ) => Promise<Evaluated>;
}

/** A wave after its gates. */
export interface WaveEvaluated {
  readonly deployments: readonly DeploymentReport[];
  /** Why the wave failed although its deployments may not have; empty where it did not. */
  readonly why: string;
}

/** What became of the result files. */
export interface Evaluated {
  readonly deployments: readonly DeploymentReport[];
  readonly parts: Parts;
}
