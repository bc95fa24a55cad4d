import { createDirectory, toWanted, type Reads, type WantedLookups } from "../deploy/directory.ts";
import { asFound, findLive } from "../deploy/identity.ts";
import { withServing } from "../deploy/serving.ts";
import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { type LiveDeployment, UUID } from "../model/live.ts";
import { NOT_FOUND_CODES, describeNotFound, type Found } from "../plan/found.ts";
import { blankDeployment, type DeploymentReport, type JudgedReport } from "../report/report.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import { maskLive } from "../ci/live-secrets.ts";
import { publishStart } from "../ci/report-assembly.ts";
import { suggestName } from "./listed-items.ts";
import { withConnection } from "../ci/service-connection.ts";
import {
  isNamed,
  refuseUntrusted,
  UsageError,
  type CommandFunction,
  type Session,
} from "../ci/session.ts";
import { endSkipped, whyNoKey } from "../ci/skip.ts";
import { readSpec } from "../ci/spec-source.ts";
import { readPlaced } from "./place.ts";

/** What a command without a plan works on; without a spec if `deployment-id` or a name is given. */
export interface Target {
  readonly name: string;
  readonly desired: Desired | null;
  readonly found: Found;
}

/** The live deployment; null if none was found. */
export function liveOf({ found }: Target): LiveDeployment | null {
  return found.state === "live" ? found.deployment : null;
}

/** The same, but also one being deleted, as long as the service shows it. */
export async function readLeaving(
  controlPlane: ControlPlane,
  target: Target,
): Promise<LiveDeployment | null> {
  const { found } = target;
  return found.state === "deleting" ? controlPlane.getDeployment(found.id) : liveOf(target);
}

/** Finds the targets; `found` shows why one does not exist. */
export async function findTargets(
  session: Session,
  controlPlane: ControlPlane,
  documents: readonly Desired[] | null,
): Promise<readonly Target[]> {
  const startedAt = session.clock.monotonic();
  const within = (deploy?: Desired["deploy"]): ControlPlane =>
    controlPlane.within({
      deadlineMs: startedAt + timeoutOf(session.options.timeoutMs, deploy),
      signal: session.signal,
    });
  if (documents === null) return [await findGiven(session, within())];
  const reads = readsOf(session, controlPlane, toWanted(documents));
  return Promise.all(
    documents.map(async (desired): Promise<Target> => {
      const { name, deploy } = desired;
      const found = await findLive(within(deploy), name, deploy.id ?? null, reads);
      if (found.state === "live") maskLive(session, found.deployment, desired);
      return { name, desired, found };
    }),
  );
}

/** A list may be stale: it finds a deployment, whose own reply shows what is live. */
function readsOf({ clock }: Session, controlPlane: ControlPlane, wanted: WantedLookups): Reads {
  return {
    find: createDirectory({ controlPlane, clock }, wanted).find,
    get: (id, bounded) => bounded.getDeployment(id),
    whole: ({ id }, bounded) => bounded.getDeployment(id),
  };
}

async function findGiven(session: Session, controlPlane: ControlPlane): Promise<Target> {
  const id = session.options.deploymentId;
  const live =
    id === undefined
      ? await findNamed(session, controlPlane)
      : await controlPlane.getDeployment(id);
  maskLive(session, live);
  return live === null
    ? { name: id!, desired: null, found: { state: "id-not-found", id: id! } }
    : { name: live.name, desired: null, found: asFound(live) };
}

/** The one deployment with a name or id; throws a UsageError with suggestions if there is none, or several. */
export async function findNamed(
  session: Session,
  controlPlane: ControlPlane,
): Promise<LiveDeployment> {
  const name = session.options.name ?? session.options.deploymentId;
  if (name === undefined)
    throw new UsageError(
      `${session.command} needs the name of a deployment: agent-deploy ${session.command} NAME (agent-deploy list shows them)`,
    );
  const reads = readsOf(session, controlPlane, { names: 1, ids: 0 });
  const found = await findLive(controlPlane, name, UUID.test(name) ? name : null, reads);
  const target = { name, desired: null, found };
  const live = await readLeaving(controlPlane, target);
  if (live === null) {
    const isAbsent = found.state === "absent" || found.state === "id-not-found";
    throw new UsageError(
      isAbsent
        ? `there is no deployment ${name}${await suggest(controlPlane, name)}`
        : whyMissing(target, "its id instead of its name"),
    );
  }
  maskLive(session, live);
  return live;
}

async function suggest(controlPlane: ControlPlane, given: string): Promise<string> {
  const lookup = await controlPlane.listDeployments({});
  return lookup.state === "found" ? suggestName(given, lookup.items) : "";
}

/**
 * Why there is nothing to work on, and what to do; empty if there is something. `givenId`: how
 * this command takes an id.
 */
export function whyMissing({ name, desired, found }: Target, givenId = "deployment-id"): string {
  if (found.state === "live") return "";
  const what = describeNotFound(name, found);
  switch (found.state) {
    case "deleting":
      return what;
    case "absent":
      return `${what}: check the name, the region and the tenant-id`;
    case "id-not-found":
      return `${what}: check ${desired === null ? "deployment-id" : "deploy.id"}, the region and the tenant-id`;
    case "duplicates":
      return `${what}. Say which with ${givenId}`;
    case "nameless":
      return `${what}: give ${givenId}`;
    case "lookup-unavailable":
      return `${what}, so ${name} cannot be looked up: ${found.served ? `give ${givenId}` : "check control-plane-url and region"}`;
  }
}

/** Whether a missing deployment may exist after all. */
export function isUnproved({ found: { state } }: Target): boolean {
  return state === "duplicates" || state === "nameless" || state === "lookup-unavailable";
}

/** The report of a missing target: blocked if nothing is proved, else failed. */
export function toMissingReport(target: Target): DeploymentReport {
  const { state } = target.found;
  return {
    ...blankDeployment(target.name),
    outcome: isUnproved(target) ? "blocked" : "failed",
    reason: state === "live" ? "" : NOT_FOUND_CODES[state],
    message: whyMissing(target),
  };
}

/** Works on all targets that exist, and reports why the others are missing. */
export async function workOn(
  session: Session,
  controlPlane: ControlPlane,
  targets: readonly Target[],
  work: (
    context: DeployContext,
    live: LiveDeployment,
    timeoutMs: number,
  ) => Promise<DeploymentReport>,
): Promise<readonly DeploymentReport[]> {
  const context = toDeployContext(session, controlPlane);
  await publishStart(
    session,
    targets.map((target) => ({ name: target.name, live: liveOf(target) })),
  );
  return Promise.all(
    targets.map(async (target) => {
      const live = liveOf(target);
      if (live === null) return toMissingReport(target);
      const timeoutMs = timeoutOf(session.options.timeoutMs, target.desired?.deploy);
      return withServing(context, await work(context, live, timeoutMs));
    }),
  );
}

/** The one target of a command for single deployments. */
export async function findOnly(
  session: Session,
  controlPlane: ControlPlane,
  documents: readonly Desired[] | null,
): Promise<Target> {
  const [first, ...others] = await findTargets(session, controlPlane, documents);
  if (first === undefined || others.length > 0)
    throw new UsageError(
      `${session.command} works on one deployment, and the spec has ${others.length + 1}: name one with only, or give deployment-id`,
    );
  return first;
}

/** A command without a plan, on an open connection; documents are null if no spec is read. */
export type TargetCommand = (
  session: Session,
  documents: readonly Desired[] | null,
  controlPlane: ControlPlane,
) => Promise<JudgedReport>;

/**
 * Wraps a command over the deployments that a spec, an id or a name identifies. A run to which
 * GitHub gives no secrets only validates the spec.
 */
export function overTargets(effect: "reads" | "writes", run: TargetCommand): CommandFunction {
  return async (given) => {
    if (effect === "writes") refuseUntrusted(given);
    const noKeyReason = whyNoKey(given);
    if (noKeyReason !== null)
      return endSkipped(
        given,
        isNamed(given) ? [] : await readSpec(given, "validate"),
        noKeyReason,
      );
    const { session, documents } = await readPlaced(given);
    return withConnection(session, ({ controlPlane }) => run(session, documents, controlPlane));
  };
}
