import { createDirectory, toWanted, type Reads } from "../deploy/directory.ts";
import { findLive } from "../deploy/identity.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import { timeoutIn } from "../deploy/context.ts";
import type { LiveDeployment } from "../model/live.ts";
import { tellListed, tellNameless } from "../plan/decision.ts";
import type { Found } from "../plan/plan-draft.ts";
import type { DeploymentReport } from "../report/report.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { maskLive } from "../ci/live-secrets.ts";
import { findNamed } from "./named-deployment.ts";
import { withConnection } from "../ci/service-connection.ts";
import {
  refuseUntrusted,
  UsageError,
  type CommandEnd,
  type CommandFunction,
  type Session,
} from "../ci/session.ts";
import { skipWithoutKey } from "../ci/skip.ts";
import { readPlaced } from "./place.ts";

/**
 * The deployments a command without a plan works on: only `deployment-id` (no spec is read), or
 * those the spec names.
 */
export interface Target {
  readonly name: string;
  readonly desired: Desired | null;
  readonly live: LiveDeployment | null;
  /** The one that is being deleted, where that is why `live` is null. */
  readonly deletingId?: string;
  /** Why `live` is null: only `not-found` and `being deleted` prove that there is none; empty where there is one. */
  readonly missing: "" | "not-found" | "deleting" | "duplicates" | "nameless" | "no-lookup";
  readonly why: string;
}

/** Finds them; one that does not exist has `live: null` and says why. */
export async function findTargets(
  session: Session,
  controlPlane: ControlPlane,
  documents: readonly Desired[] | null,
): Promise<readonly Target[]> {
  const startedAt = session.clock.monotonic();
  const within = (deploy: Parameters<typeof timeoutIn>[1]): ControlPlane =>
    controlPlane.within({
      deadlineMs: startedAt + timeoutIn(session.options.timeoutMs ?? null, deploy),
      signal: session.signal,
    });
  if (documents === null) return [await findGiven(session, within({}))];
  const directory = createDirectory({ controlPlane, clock: session.clock }, toWanted(documents));
  // A list may be stale: it finds the deployment, and the deployment itself says what is live.
  const reads: Reads = {
    find: directory.find,
    get: (wanted, bounded) => bounded.getDeployment(wanted),
    whole: (listed, bounded) => bounded.getDeployment(listed.id),
  };
  return Promise.all(
    documents.map(async (desired): Promise<Target> => {
      const found = await findLive(
        within(desired.deploy),
        desired,
        desired.deploy.id ?? null,
        reads,
      );
      const { name } = desired;
      if (found.state === "live") {
        maskLive(session, found.deployment, desired.variables);
        return { name, desired, live: found.deployment, missing: "", why: "" };
      }
      return {
        name,
        desired,
        live: null,
        ...(found.state === "deleting" ? { deletingId: found.id } : {}),
        ...absence(name, found),
      };
    }),
  );
}

/** The one deployment that the call names. */
async function findGiven(session: Session, controlPlane: ControlPlane): Promise<Target> {
  const id = session.options.deploymentId;
  if (id === undefined) {
    const live = await findNamed(session, controlPlane);
    return { name: live.name, desired: null, live, missing: "", why: "" };
  }
  const live = await controlPlane.getDeployment(id);
  maskLive(session, live);
  return {
    name: live?.name ?? id,
    desired: null,
    live,
    missing: live === null ? "not-found" : "",
    why: `there is no deployment ${id}: check deployment-id, the region and the tenant-id`,
  };
}

function absence(
  name: string,
  found: Exclude<Found, { state: "live" }>,
): Pick<Target, "missing" | "why"> {
  switch (found.state) {
    case "duplicates":
      return {
        missing: "duplicates",
        why: `there are ${found.ids.length} live deployments named ${name}: ${found.ids.join(", ")}. Say which with deployment-id`,
      };
    case "nameless":
      return { missing: "nameless", why: `${tellNameless(name, found.ids)}: give deployment-id` };
    case "lookup-unavailable":
      return {
        missing: "no-lookup",
        why: found.served
          ? `this service has no list of deployments (${found.status}), so ${name} cannot be looked up: give deployment-id`
          : `nothing of the service answers at this address (${found.status}), so ${name} cannot be looked up: check control-plane-url and region`,
      };
    case "deleting":
      return {
        missing: "deleting",
        why:
          found.isListed === true
            ? tellListed(found.id, name)
            : `deployment ${found.id} named ${name} is being deleted`,
      };
    case "id-not-found":
      return {
        missing: "not-found",
        why: `there is no deployment ${found.id}: check deploy.id, the region and the tenant-id`,
      };
    case "absent":
      return { missing: "not-found", why: `there is no deployment named ${name}` };
  }
}

/** Whether what is missing may be there anyway. */
export function isUnproved({ missing }: Target): boolean {
  return missing === "duplicates" || missing === "nameless" || missing === "no-lookup";
}

/** The report of a target that does not exist: blocked where nothing is proved, else failed. */
export function toMissingReport(target: Target): DeploymentReport {
  const { name, missing, why } = target;
  return toDeploymentReport(createTracker(name), {
    outcome: isUnproved(target) ? "blocked" : "failed",
    reason: missing,
    message: why,
  });
}

/** The one target of a command that works on a single one. */
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

/**
 * A command without a plan, over what the spec, an id or a name means; documents are null where no spec is read. A run
 * that GitHub gave no secrets only validates.
 */
export function overTargets(
  effect: "reads" | "writes",
  run: (
    session: Session,
    documents: readonly Desired[] | null,
    controlPlane: ControlPlane,
  ) => Promise<CommandEnd>,
): CommandFunction {
  return async (given) => {
    if (effect === "writes") refuseUntrusted(given);
    const skipped = await skipWithoutKey(given);
    if (skipped !== null) return skipped;
    const { session, documents } = await readPlaced(given);
    return withConnection(session, ({ controlPlane }) => run(session, documents, controlPlane));
  };
}
