import type { DeployContext } from "../deploy/context.ts";
import { adaptiveDelayMs } from "../deploy/look.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { checkAccess } from "./access.ts";
import { maskLive } from "./live-secrets.ts";
import type { Session } from "./session.ts";

/** The part of a session that a deploy needs. With untrusted code nothing from the spec is executed. */
export function toDeployContext(session: Session, controlPlane: ControlPlane): DeployContext {
  const { options, clock, repository, shell, run, signal, host, trust } = session;
  const { pollIntervalMs } = options;
  return {
    controlPlane,
    clock,
    repository,
    shell,
    run,
    pollDelayMs: pollIntervalMs === undefined ? adaptiveDelayMs : () => pollIntervalMs,
    signal,
    progress: host.progress,
    ...(host.live === undefined ? {} : { live: host.live }),
    // Another run carries out what a pull request shows.
    ...(host.newerRun === undefined || run.baseRef !== "" ? {} : { newerRun: host.newerRun }),
    onLive: (live, desired) => {
      maskLive(session, live, desired);
    },
    policy: {
      entryPoint: session.entryPoint,
      create: options.create,
      force: options.force,
      secretsUnknown: options.secretsUnknown,
      wait: options.wait,
      timeoutMs: options.timeoutMs ?? null,
      onFailure: options.onFailure ?? null,
      keys: options.apiKey === undefined ? {} : { AGENT_DEPLOY_API_KEY: options.apiKey },
      verify: trust.state === "untrusted" ? "" : (options.verify ?? null),
      deploymentId: options.deploymentId ?? null,
      commit: options.commit ?? null,
      service: checkAccess(session).addresses.controlPlane,
      tenant: options.tenantId ?? "",
      placeFlags: session.placeFlags ?? "",
      pinned: options.expectPlan !== undefined,
    },
  };
}
