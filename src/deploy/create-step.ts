import { idKeyOf } from "../plan/decision.ts";
import { describeNotFound, idsOf, type NotFound } from "../plan/found.ts";
import type { Step } from "../plan/plan.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { DocumentRun } from "./document-run.ts";
import { checkUniqueness } from "./duplicates.ts";
import { judgeListed } from "./identity.ts";
import { isApplied } from "./live-check.ts";
import { newerThan } from "./own-revision.ts";
import type { Prepared } from "./prepare.ts";
import { failed, type DeploymentEnd } from "./tracker.ts";
import { endedBy, sendAndReconcile, type Written } from "./write.ts";

type CreateStep = Extract<Step, { kind: "create" }>;

/** Creates the deployment and checks that it is the only one of its name. */
export async function createStep(
  run: DocumentRun,
  prepared: Prepared,
  step: CreateStep,
): Promise<Written> {
  const { context, desired, tracker } = run;
  const sent = await writeCreate(run, prepared, step);
  if (sent.state === "conflict")
    context.progress(`${desired.name}: name already in use; checking again`);
  if (sent.state !== "taken") return sent;
  const { live, lost } = sent;
  tracker.revision_id = live.latest_revision_id ?? tracker.revision_id;
  if (live.name !== "" && live.name !== desired.name)
    return endedBy(toOtherName(desired.name, live));
  warnOfStaleId(run, prepared, live.id);
  const check = { id: live.id, createdAt: context.clock.monotonic(), lost };
  const unique = await checkUniqueness(run, check);
  context.signal.throwIfAborted();
  if (unique !== null && unique !== "unique") return endedBy(unique);
  return {
    ...sent,
    sent: step.body,
    unproved: unique === "unique" ? null : check,
    wait: step.builds === false ? null : newerThan({ latest_revision_id: null }, live),
  };
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
  const message = `the create of ${name} was answered with deployment ${id}, which is named ${answered}: whether ${name} was created is unknown`;
  return failed("unknown", message, howToFindOut(name));
}

/**
 * Sends the create. After a lost response, looks up the name before anything else, and takes what
 * is there for ours if it is what the body asked for.
 */
function writeCreate(
  run: DocumentRun,
  prepared: Prepared,
  { body, builds }: CreateStep,
): Promise<Written> {
  const { directory, desired } = run;
  const { name } = desired;
  const asked = builds === false ? withoutSource(prepared) : prepared;
  return sendAndReconcile(run, {
    what: `create of ${name}`,
    creates: true,
    send: (controlPlane) => controlPlane.createDeployment(body, desired.dialect),
    look: async (controlPlane) => {
      const lookup = await directory.again.find(name, controlPlane);
      const unreadable = (found: NotFound, isLagging = false) =>
        ({ state: "unreadable", why: describeNotFound(name, found), isLagging }) as const;
      if (lookup.state === "absent-lookup")
        return unreadable({ state: "lookup-unavailable", status: lookup.status, served: true });
      const listed = judgeListed(lookup);
      if (listed.state === "nameless") return unreadable(listed);
      const [first] = idsOf(listed);
      const item = lookup.items.find(({ id }) => id === first);
      if (item === undefined) return { state: "no" };
      const live = await directory.again.whole(item, controlPlane);
      // Not proved to be deleted while the list names it: repeating the create could make a second deployment.
      if (live === null)
        return unreadable({ state: "deleting", id: item.id, isListed: true }, true);
      // If two have the name, the check after every create reports it.
      return listed.state === "duplicates" || isApplied(asked, live, body)
        ? { state: "yes", live }
        : { state: "other", id: live.id };
    },
    howToFindOut: [howToFindOut(name)],
  });
}
