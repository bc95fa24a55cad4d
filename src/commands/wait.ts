import { timeoutOf } from "../deploy/context.ts";
import { withServing } from "../deploy/serving.ts";
import { awaitRevision } from "../deploy/wait-only.ts";
import { toEnd, toReport } from "../ci/report-assembly.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import { readPlaced } from "./place.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import { skipWithoutKey } from "../ci/skip.ts";
import type { Desired } from "../spec/desired.ts";
import { UsageError, type CommandEnd, type Session } from "../ci/session.ts";
import { publishTargets } from "./start-report.ts";
import { findTargets, toMissingReport } from "./looked-up-deployment.ts";

/** `wait`: re-attaches to the revision that is under way (or to `revision-id`) until it ends; changes nothing. */
export async function runWait(given: Session): Promise<CommandEnd> {
  const skipped = await skipWithoutKey(given);
  if (skipped !== null) return skipped;
  const { session, documents } = await readPlaced(given);
  return withConnection(session, (connection) => awaitTargets(session, documents, connection));
}

/** The same with what it works on. */
export async function awaitTargets(
  session: Session,
  documents: readonly Desired[] | null,
  { controlPlane }: Pick<Connection, "controlPlane">,
): Promise<CommandEnd> {
  const context = toDeployContext(session, controlPlane);
  const targets = await findTargets(session, controlPlane, documents);
  if (session.options.revisionId !== undefined && targets.length > 1)
    throw new UsageError(
      "revision-id names one revision: give deployment-id too, or a spec of one document",
    );
  await publishTargets(session, targets);
  const deployments = await Promise.all(
    targets.map(async (target) => {
      const { desired, live } = target;
      if (live === null) return toMissingReport(target);
      const timeoutMs = timeoutOf(context, desired?.deploy ?? {});
      const revisionId = session.options.revisionId ?? null;
      return withServing(context, await awaitRevision(context, live, revisionId, timeoutMs));
    }),
  );
  return toEnd(session, toReport(session, { deployments, changed: false }));
}
