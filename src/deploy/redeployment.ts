import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { redeployedOf, type OwnRevision } from "./own-revision.ts";
import { versionOf } from "./serving.ts";
import type { Tracker } from "./tracker.ts";
import { findBuiltOtherwise } from "./unbuilt.ts";
import { waitForRevision } from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";
import { writeRedeploy, type WriteEnd } from "./write.ts";

/** A redeploy that the service took. */
export interface Redeployed {
  readonly state: "sent";
  readonly deployment: LiveDeployment;
  /** The revision as it was before. */
  readonly model: LiveRevision | null;
  readonly own: OwnRevision;
}

/**
 * How a redeploy ended, wait included; `foreign`: the fields in which it was built from something
 * else than its model.
 */
export type RedeployEnd =
  | Exclude<WriteEnd, { state: "taken" }>
  | { readonly state: "waited"; readonly end: WaitEnd; readonly foreign: readonly string[] }
  | Redeployed;

/** What is redeployed, under which name it is logged, and how long it and its wait may take. */
export interface Redeploying {
  readonly name: string;
  readonly live: LiveDeployment;
  readonly revisionId: string;
  readonly deadlineMs: number;
}

/** The wait after it, and how the spec spells fields. */
interface Waiting {
  readonly timeoutMs: number;
  readonly isWaited: boolean;
  readonly dialect: Dialect;
}

/** Sends a redeploy, and finds which revision comes of it. */
export async function sendRedeploy(
  context: DeployContext,
  { name, live, revisionId, deadlineMs }: Redeploying,
): Promise<Exclude<WriteEnd, { state: "taken" }> | Redeployed> {
  const model = await boundedBy(context, deadlineMs).getRevision(live.id, revisionId);
  const sent = await writeRedeploy(context, name, live, model, revisionId, deadlineMs);
  if (sent.state !== "taken") return sent;
  const { deployment } = sent;
  return {
    state: "sent",
    deployment,
    model,
    own: redeployedOf(live, deployment, model, revisionId),
  };
}

/** Redeploys one revision and waits for it; without `isWaited` only the redeploy is sent. */
export async function redeployAndWait(
  context: DeployContext,
  tracker: Tracker,
  redeploying: Redeploying & Waiting,
): Promise<RedeployEnd> {
  const { name, live, timeoutMs } = redeploying;
  const sent = await sendRedeploy(context, redeploying);
  tracker.changed ||= sent.state === "sent" || sent.state === "outcome-unknown";
  if (sent.state !== "sent") return sent;
  const { model, own } = sent;
  tracker.revisionId = own.id;
  if (!redeploying.isWaited) return sent;
  const end = await waitForRevision(
    context,
    {
      name,
      deploymentId: live.id,
      own,
      previousActiveId: live.active_revision_id,
      timeoutMs,
    },
    tracker,
  );
  // On a timeout the revision that serves may be the one that was redeployed.
  if (model !== null && tracker.serving?.revision_id === model.id)
    tracker.serving = {
      revision_id: model.id,
      version: versionOf(model.source_revision_config),
    };
  const isBuilt = end.state === "deployed" && end.revision !== null && model !== null;
  return {
    state: "waited",
    end,
    foreign: isBuilt ? findBuiltOtherwise(end.revision, model, redeploying.dialect) : [],
  };
}
