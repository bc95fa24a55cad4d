import type { Desired } from "../spec/desired.ts";
import type { Connection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";
import { createResultEvaluation } from "./result-evaluation.ts";
import type { Evaluation } from "./evaluation-port.ts";

/** A run without result files and gates: nothing to judge, nothing to upload. */
const NOTHING: Evaluation = {
  before: () => Promise.resolve(null),
  partsSoFar: () => ({}),
  afterWave: (deployments) => Promise.resolve({ deployments, why: "" }),
  after: (deployments) => Promise.resolve({ deployments, parts: {} }),
};

/** The evaluation that the inputs ask for. */
export async function createEvaluation(
  session: Session,
  connection: Connection,
  documents: readonly Desired[],
): Promise<Evaluation> {
  if (session.options.experiment.length === 0 && session.options.gate === undefined) return NOTHING;
  return createResultEvaluation(session, connection, documents);
}
