import type { JsonObject } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import { idKeyOf } from "../plan/decision.ts";
import { describeNotFound, type NotFound } from "../plan/found.ts";
import type { Step } from "../plan/plan.ts";
import { readWhole } from "./directory.ts";
import type { DocumentRun } from "./document-run.ts";
import { checkUniqueness } from "./duplicates.ts";
import { isDeleting, namelessOf } from "./identity.ts";
import { newerThan } from "./own-revision.ts";
import type { Prepared } from "./prepare.ts";
import type { DeploymentEnd } from "./tracker.ts";
import { LOOK_FOR_CREATE_MS, sendAndReconcile, type WriteEnd } from "./write.ts";
import { isApplied, toWait, waiting, withHidden, type Written } from "./written.ts";

/** Creates the deployment and checks that it is the only one of its name. */
export async function createStep(
  run: DocumentRun,
  prepared: Prepared,
  { body, builds }: Extract<Step, { kind: "create" }>,
): Promise<Written> {
  const { context, desired, tracker } = run;
  const asked = builds === false ? withoutSource(prepared) : prepared;
  const isThere = (now: LiveDeployment): boolean => isApplied(asked, withHidden(now, body));
  const sent = await writeCreate(run, body, isThere);
  if (sent.state === "conflict")
    context.progress(`${desired.name}: name already in use; checking again`);
  if (sent.state !== "taken") return sent;
  const { deployment, lost } = sent;
  tracker.revision_id = deployment.latest_revision_id ?? tracker.revision_id;
  if (deployment.name !== "" && deployment.name !== desired.name)
    return { state: "ended", end: toOtherName(desired.name, deployment) };
  warnOfStaleId(run, prepared, deployment.id);
  const check = { id: deployment.id, createdAt: context.clock.monotonic(), lost };
  const unique = await checkUniqueness(run, check);
  context.signal.throwIfAborted();
  if (unique !== null && unique !== "unique") return { state: "ended", end: unique };
  const own = newerThan({ latest_revision_id: null }, deployment);
  return waiting(deployment, {
    sent: body,
    unproved: unique === "unique" ? null : check,
    wait: builds === false ? null : toWait(run, deployment, own),
  });
}

/** Removes the source, which a create does not build yet. */
function withoutSource(prepared: Prepared): Prepared {
  const { archive: _later, ...desired } = prepared.desired;
  const { source_revision_config: _built, ...body } = desired.body;
  return { ...prepared, desired: { ...desired, body } };
}

/** The next run would look for the deleted one. */
function warnOfStaleId({ desired, tracker }: DocumentRun, { found }: Prepared, id: string): void {
  if (found.state !== "deleting" || found.isGiven !== true) return;
  const key = idKeyOf(desired, found.id);
  tracker.warnings.push(
    `put the new id ${id} into ${key}: while it names ${found.id}, runs are blocked`,
  );
}

const howToFindOut = (name: string): string =>
  `Look for a deployment named ${name} in the service's own page: if it is there, run again with its id in deploy.id or deployment-id; if not, run again`;

/** Repeating the create could make a second deployment: a person must look at what the service made. */
function toOtherName(name: string, { id, name: answered }: LiveDeployment): DeploymentEnd {
  return {
    outcome: "failed",
    reason: "unknown",
    message: `the create of ${name} was answered with deployment ${id}, which is named ${answered}: whether ${name} was created is unknown`,
    next: [howToFindOut(name)],
  };
}

/**
 * Creates a deployment. After a lost response, looks up the name before anything else. `isThere`:
 * whether what was found is what the body asked for.
 */
function writeCreate(
  { context, directory, desired, tracker, deadlineMs }: DocumentRun,
  body: JsonObject,
  isThere: (live: LiveDeployment) => boolean,
): Promise<WriteEnd> {
  return sendAndReconcile(context, tracker, {
    what: `create of ${desired.name}`,
    conflictsOver: "name",
    lookAfterMs: LOOK_FOR_CREATE_MS,
    deadlineMs,
    send: (controlPlane) => controlPlane.createDeployment(body, desired.dialect),
    look: async (controlPlane) => {
      const lookup = await directory.again.find(desired.name, controlPlane);
      const unreadable = (found: NotFound) =>
        ({ state: "unreadable", error: new Error(describeNotFound(desired.name, found)) }) as const;
      if (lookup.state === "absent-lookup")
        return unreadable({ state: "lookup-unavailable", status: lookup.status, served: true });
      const living = lookup.items.filter((item) => !isDeleting(item));
      const [listed] = living;
      const nameless = namelessOf(lookup);
      if (listed === undefined)
        return nameless.length > 0
          ? unreadable({ state: "nameless", ids: nameless })
          : { state: "no" };
      const whole = await readWhole(controlPlane, listed);
      // Not proved to be deleted while the list names it: repeating the create could make a second deployment.
      if (whole === null)
        return {
          ...unreadable({ state: "deleting", id: listed.id, isListed: true }),
          isLagging: true,
        };
      // If two have the name, the check after every create reports it.
      return living.length > 1 || isThere(whole)
        ? { state: "yes", value: whole }
        : { state: "other", id: whole.id };
    },
    howToFindOut: [howToFindOut(desired.name)],
  });
}
