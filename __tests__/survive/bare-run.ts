import { readRunContext } from "../../src/ci/context.ts";
import type { DeployContext, DeployPolicy } from "../../src/deploy/context.ts";
import type { Directory } from "../../src/deploy/directory.ts";
import { type DocumentRun, startRun } from "../../src/deploy/document-run.ts";
import { createTracker, type Tracker } from "../../src/deploy/tracker.ts";
import type { ControlPlane, Lookup } from "../../src/service/control-plane.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { desiredOf, repohost } from "./flow.ts";

export interface Bare {
  /** What the service answers; anything else that is asked throws. */
  readonly service?: Partial<ControlPlane>;
  readonly clock?: ManualClock;
  readonly desired?: Desired;
  readonly timeoutMs?: number;
  readonly policy?: Partial<DeployPolicy>;
  readonly context?: Partial<DeployContext>;
  readonly tracker?: Partial<Tracker>;
  /** What a list shows of a name. */
  readonly find?: (controlPlane: ControlPlane) => Promise<Lookup<LiveDeployment>>;
}

/** A run of one document over a service of a few answers, with what it logs and each limit that it sets to a request. */
export function createBareRun(bare: Bare = {}) {
  const clock = bare.clock ?? createManualClock({ auto: true });
  const lines: string[] = [];
  const limits: (number | undefined)[] = [];
  const abort = new AbortController();
  const controlPlane = {
    ...bare.service,
    within: ({ deadlineMs }: { readonly deadlineMs?: number }) => {
      limits.push(deadlineMs);
      return controlPlane;
    },
  } as ControlPlane;
  const context: DeployContext = {
    controlPlane,
    clock,
    repository: {
      compare: async () => ({ relation: "unknown", files: null }),
      checkedOut: async () => null,
    },
    shell: { run: async () => ({ exitCode: 0, tail: [] }) },
    run: readRunContext({}, null),
    pollDelayMs: () => 1_000,
    signal: abort.signal,
    progress: (line) => lines.push(line),
    ...bare.context,
    policy: {
      create: "auto",
      force: false,
      secretsUnknown: "keep",
      service: "",
      tenant: "",
      wait: true,
      timeoutMs: null,
      onFailure: null,
      verify: null,
      deploymentId: null,
      commit: null,
      ...bare.policy,
    },
  };
  const desired = bare.desired ?? desiredOf(repohost());
  const tracker = Object.assign(createTracker(desired.name), bare.tracker);
  const run: DocumentRun = {
    ...startRun(context, tracker, bare.timeoutMs ?? 600_000),
    desired,
    directory: {
      again: { find: async (_: string, service: ControlPlane) => bare.find!(service) },
    } as unknown as Directory,
  };
  return { run, context, tracker, clock, lines, limits, abort, controlPlane };
}
