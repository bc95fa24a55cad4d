import { readRunContext } from "../../src/ci/context.ts";
import type { DeployContext, DeployPolicy } from "../../src/deploy/context.ts";
import { createDirectory, type Directory } from "../../src/deploy/directory.ts";
import { type DocumentRun, startRun } from "../../src/deploy/document-run.ts";
import { createTracker, type Tracker } from "../../src/deploy/tracker.ts";
import type { ControlPlane, Lookup } from "../../src/service/control-plane.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { desiredOf, POLICY, repohost } from "./flow.ts";

export interface Bare {
  /** What the service answers; anything else that is asked throws. */
  readonly service?: Partial<ControlPlane>;
  readonly clock?: ManualClock;
  readonly desired?: Desired;
  readonly timeoutMs?: number;
  readonly policy?: Partial<DeployPolicy>;
  readonly context?: Partial<DeployContext>;
  readonly tracker?: Partial<Tracker>;
  /** What a list shows of a name before a write and after it; absent: what the service lists. */
  readonly find?: (controlPlane: ControlPlane) => Promise<Lookup<LiveDeployment>>;
}

/**
 * A run of one document over a service of a few answers, with what it logs and each limit that it
 * sets to a request.
 */
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
    policy: { ...POLICY, ...bare.policy },
  };
  const desired = bare.desired ?? desiredOf(repohost());
  const tracker = Object.assign(createTracker(desired.name), bare.tracker);
  const listed = createDirectory(context, { names: 1, ids: 0 });
  const { find } = bare;
  const directory: Directory =
    find === undefined
      ? listed
      : { ...listed, again: { ...listed.again, find: (_, service) => find(service) } };
  const run: DocumentRun = {
    ...startRun(context, tracker, bare.timeoutMs ?? 600_000),
    desired,
    directory,
  };
  return { run, context, tracker, clock, lines, limits, abort, controlPlane };
}
