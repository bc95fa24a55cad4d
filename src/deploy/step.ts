import { ONCE_GONE } from "../report/wording.ts";
import type { LiveDeployment } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { spellPath } from "../model/dialect.ts";
import { findNotShown } from "../plan/comparison.ts";
import { idKeyOf, judgeLatest, planDeployment } from "../plan/decision.ts";
import type { Step } from "../plan/plan.ts";
import { valueAt, withValue } from "../plan/value.ts";
import type { JsonObject } from "../model/json.ts";
import { timeoutOf, type DeployContext } from "./context.ts";
import { serviceOf, type DeploymentEnd, type DocumentRun } from "./document-run.ts";
import { findUntaken } from "./live-check.ts";
import { checkUniqueness, type UniquenessCheck } from "./duplicates.ts";
import { isDeleting } from "./identity.ts";
import { awaitNamed } from "./named.ts";
import { beforeLimitMs, isOver } from "./poll-schedule.ts";
import type { Prepared } from "./prepare.ts";
import { createPush } from "./push.ts";
import { servedAtEnd } from "./serving.ts";
import { track, type Tracker } from "./tracker.ts";
import { uploadSource } from "./upload-source.ts";
import { reattachLine, waitForRevision } from "./wait.ts";
import type { WaitRequest } from "./wait-request.ts";
import { toRedeployed, writeCreate, writePatch, writeRedeploy, type WriteEnd } from "./write.ts";

/** Pauses before the looks for an update in place that the reply does not show yet. */
const CONFIRM_AFTER_MS = [500, 1_500, 4_000];

/** What carrying out the steps came to. */
export type Written =
  | {
      readonly state: "waiting";
      readonly wait: WaitRequest | null;
      readonly live: LiveDeployment | null;
      /** The body that made the revision; null where none was made by one. */
      readonly sent: JsonObject | null;
      /** Null: nothing was created, or it was seen to be the only one. */
      readonly unproved: UniquenessCheck | null;
    }
  | { readonly state: "ended"; readonly end: DeploymentEnd }
  /** Somebody else got in between: read and plan again. `taken`: the name of a create. */
  | { readonly state: "again"; readonly taken: boolean; readonly message: string };

type Waiting = Extract<Written, { state: "waiting" }>;

/** Carries out the steps of a plan, in order, up to the wait. */
export async function carryOutSteps(run: DocumentRun, prepared: Prepared): Promise<Written> {
  const live = prepared.found.state === "live" ? prepared.found.deployment : null;
  let so: Waiting = { state: "waiting", wait: null, live, sent: null, unproved: null };
  for (const step of prepared.planned.steps) {
    if (so.wait !== null && so.live !== null && step.kind === "patch" && step.makesRevision) {
      const pushed = await letPushEnd(run, so.wait, so.live);
      if ("outcome" in pushed) return { state: "ended", end: pushed };
      so = { ...so, live: pushed };
    }
    const done = await carryOutStep(run, prepared, step, so.live);
    if (done.state !== "waiting") return done;
    so = {
      state: "waiting",
      live: done.live ?? so.live,
      wait: done.wait ?? so.wait,
      sent: done.sent ?? so.sent,
      unproved: done.unproved ?? so.unproved,
    };
  }
  return so;
}

/** The revision that a push made comes first: with it under way, a PATCH of ours could not be told from it. */
async function letPushEnd(
  run: DocumentRun,
  wait: WaitRequest,
  live: LiveDeployment,
): Promise<LiveDeployment | DeploymentEnd> {
  const { context, tracker } = run;
  const end = await waitForRevision(wait, portsFor(context, tracker));
  if (end.state === "timed-out" || isLate(run)) return toLate(run, end.message, end.deployment);
  tracker.notes.push(
    `the push's own revision ${end.revisionId ?? "(none appeared)"} ended ${end.status ?? end.state} before the update was sent`,
  );
  const now = (await serviceOf(run).getDeployment(live.id)) ?? live;
  tracker.previousRevisionId = now.active_revision_id;
  tracker.latestBefore = now.latest_revision_id;
  return now;
}

const isLate = ({ context, deadlineMs }: DocumentRun): boolean =>
  context.clock.monotonic() >= deadlineMs;

/** The time was up before the update could be sent. */
function toLate(
  { desired, tracker }: DocumentRun,
  why: string,
  last: LiveDeployment | null,
): DeploymentEnd {
  tracker.serving = servedAtEnd(last, tracker.servedBefore);
  return {
    outcome: "timed-out",
    reason: "timeout",
    message: `${why}. The update of ${desired.name} was not sent: the time was up`,
    next: [
      "Run again: it reads what is live and goes on from there",
      ...(tracker.id === null ? [] : [reattachLine(tracker.id, tracker.revisionId)]),
    ],
  };
}

function waiting(live: LiveDeployment, more: Partial<Waiting> = {}): Waiting {
  return { state: "waiting", live, wait: null, sent: null, unproved: null, ...more };
}

async function carryOutStep(
  run: DocumentRun,
  prepared: Prepared,
  step: Step,
  live: LiveDeployment | null,
): Promise<Written> {
  const { context, desired, tracker } = run;
  if (step.kind === "create") return createStep(run, prepared, step);
  if (live === null)
    throw new Error(`a ${step.kind} was planned for ${desired.name}, which is not live`);
  switch (step.kind) {
    case "attach": {
      tracker.revisionId = step.revisionId;
      return waiting(live, {
        wait: toWait(run, live, { revisionId: step.revisionId, notRevisionIds: [] }),
      });
    }
    case "await-push": {
      tracker.awaitsPush = true;
      // The push may have come before this run: then its revision is the one that is being built.
      const { found } = prepared;
      const underWay = found.state === "live" && judgeLatest(found) === "unfinished";
      const failed = found.state === "live" && endOf(found.latest?.status ?? "") === "failed";
      const commit = step.commit.slice(0, 12);
      context.progress(
        `${desired.name}: build_on_push is true: waiting for the revision that the push of ${commit} makes`,
      );
      const neverNamed = `the push of ${commit} made no revision: build_on_push is true, but the service began no build of it`;
      return waiting(live, {
        wait: {
          ...toWait(run, live, { revisionId: null, notRevisionIds: underWay ? [] : known(live) }),
          neverNamed,
          push: createPush(context, step.commit, live, {
            underWayId: underWay ? live.latest_revision_id : null,
            failedId: failed ? live.latest_revision_id : null,
          }),
        },
      });
    }
    case "patch":
      return patchStep(run, prepared, step, live);
    case "redeploy":
      return redeployStep(run, live, step.revisionId);
  }
}

async function patchStep(
  run: DocumentRun,
  prepared: Prepared,
  planned: Extract<Step, { kind: "patch" }>,
  given: LiveDeployment,
): Promise<Written> {
  const { context, desired, tracker, deadlineMs } = run;
  let step = planned;
  if (planned.upload !== undefined) {
    const uploaded = await uploadSource(run, given, planned.upload, planned.body);
    if ("outcome" in uploaded) return { state: "ended", end: uploaded };
    step = { ...planned, body: uploaded.body };
  }
  // It has to be known before one is made, or the new one could not be told from it.
  const isNamed = step.makesRevision && step.upload === undefined;
  const live = isNamed ? await awaitNamed(context, given, deadlineMs) : given;
  if (isNamed && live.latest_revision_id === null && isLate(run)) {
    const why = `the service names no revision of deployment ${live.id}`;
    return { state: "ended", end: toLate(run, why, live) };
  }
  const isThere = (now: LiveDeployment): boolean =>
    isApplied(prepared, step.makesRevision ? withHidden(now, step.body) : now);
  const sent = await writePatch(context, desired, live, step, isThere, deadlineMs);
  if (sent.state !== "taken") return toEnded(run, sent);
  noteWrite(tracker, sent.deployment, step.makesRevision ? live : null);
  for (const path of findNotShown(step.body, sent.deployment))
    tracker.notes.push(`${spellPath(path, desired.dialect)}: sent; the service does not show it`);
  if (!step.makesRevision) {
    const confirmed = await confirmInPlace(run, step.body, live, sent.deployment);
    return step.mayMakeRevision === true ? waitIfBuilt(run, step.body, live, confirmed) : confirmed;
  }
  const neverNamed = `the service took the update of ${desired.name}, but made no revision of it`;
  return waiting(sent.deployment, {
    sent: step.body,
    wait: { ...toWait(run, sent.deployment, newRevision(live, sent.deployment)), neverNamed },
  });
}

/** Of fields that no table knows, the service alone knows whether they make a revision: it shows one soon, or none was made. */
async function waitIfBuilt(
  run: DocumentRun,
  body: JsonObject,
  before: LiveDeployment,
  written: Written,
): Promise<Written> {
  const { context, deadlineMs } = run;
  if (written.state !== "waiting" || written.live === null) return written;
  let now = written.live;
  const isSame = (): boolean => now.latest_revision_id === before.latest_revision_id;
  for (const pauseMs of CONFIRM_AFTER_MS) {
    const left = deadlineMs - context.clock.monotonic();
    if (!isSame() || isOver(left)) break;
    await context.clock.sleep(beforeLimitMs(pauseMs, left), context.signal);
    now = (await serviceOf(run).getDeployment(before.id)) ?? now;
  }
  if (isSame()) return { ...written, live: now };
  return waiting(now, { sent: body, wait: toWait(run, now, newRevision(before, now)) });
}

/** The service said yes to an update in place; what it shows has to say so too, at the latest after a few looks. */
async function confirmInPlace(
  run: DocumentRun,
  body: JsonObject,
  before: LiveDeployment,
  replied: LiveDeployment,
): Promise<Written> {
  const { context, desired, tracker, deadlineMs } = run;
  let now = replied;
  let untaken = findUntaken(desired, body, before, now);
  for (const pauseMs of CONFIRM_AFTER_MS) {
    const left = deadlineMs - context.clock.monotonic();
    if (untaken.unmoved.length + untaken.other.length === 0 || isOver(left)) break;
    await context.clock.sleep(beforeLimitMs(pauseMs, left), context.signal);
    now = (await serviceOf(run).getDeployment(before.id)) ?? now;
    untaken = findUntaken(desired, body, before, now);
  }
  const spelled = (paths: readonly string[]): string =>
    paths.map((path) => spellPath(path, desired.dialect)).join(", ");
  if (untaken.other.length > 0)
    tracker.warnings.push(
      `${spelled(untaken.other)}: sent, and the service shows another value: somebody changed it at the same moment, or the service writes it its own way`,
    );
  // Nothing is waited for after it, so nothing else would see that.
  if (isDeleting(now)) return { state: "ended", end: toDeleting(now) };
  if (untaken.unmoved.length === 0) return waiting(now);
  const paths = spelled(untaken.unmoved);
  return {
    state: "ended",
    end: {
      outcome: "failed",
      reason: "not-taken",
      message: `the service answered that it took the update, and still shows ${paths} as before`,
    },
  };
}

function toDeleting({ id }: LiveDeployment): DeploymentEnd {
  return {
    outcome: "failed",
    reason: "deleting",
    message: `the update was taken, but deployment ${id} is being deleted: it will not last`,
    next: [ONCE_GONE],
  };
}

async function redeployStep(
  run: DocumentRun,
  planned: LiveDeployment,
  revisionId: string,
): Promise<Written> {
  const { context, desired, tracker, deadlineMs } = run;
  const service = serviceOf(run);
  // Read again: whether a lost answer was taken is told by what moved since.
  const live = (await service.getDeployment(planned.id)) ?? planned;
  const revision = await service.getRevision(live.id, revisionId);
  const sent = await writeRedeploy(context, desired.name, live, revision, revisionId, deadlineMs);
  if (sent.state !== "taken") return toEnded(run, sent);
  noteWrite(tracker, sent.deployment, null);
  const redeployed = toRedeployed(live, sent.deployment, revision, revisionId);
  tracker.revisionId = redeployed.revisionId;
  return waiting(sent.deployment, {
    wait: { ...toWait(run, sent.deployment, redeployed), stale: redeployed.stale },
  });
}

function toEnded(
  { context: { signal }, tracker }: DocumentRun,
  sent: Exclude<WriteEnd, { state: "taken" }>,
): Written {
  if (sent.state === "conflict")
    return { state: "again", taken: false, message: sent.error.message };
  if (sent.state === "refused")
    return {
      state: "ended",
      end: {
        outcome: "failed",
        reason: "refused",
        message: sent.error.message,
      },
    };
  // It may have been taken, and nobody is told that nothing was written.
  tracker.changed = true;
  const next = [sent.next, ...(tracker.id === null ? [] : [reattachLine(tracker.id, null)])];
  const ended = signal.aborted
    ? ({ outcome: "cancelled", reason: "signal" } as const)
    : ({ outcome: "failed", reason: "unknown" } as const);
  return { state: "ended", end: { ...ended, message: sent.message, next } };
}

/**
 * `before`: the deployment ahead of a write that makes a revision, which the reply may name. Null
 * for the other writes.
 */
function noteWrite(
  tracker: Tracker,
  deployment: LiveDeployment,
  before: Pick<LiveDeployment, "latest_revision_id"> | null,
): void {
  tracker.changed = true;
  track(tracker, deployment);
  const latest = deployment.latest_revision_id;
  if (before !== null && latest !== null && latest !== before.latest_revision_id)
    tracker.revisionId = latest;
}

const known = (live: LiveDeployment): string[] =>
  live.latest_revision_id === null ? [] : [live.latest_revision_id];

function newRevision(
  before: LiveDeployment,
  after: LiveDeployment,
): Pick<WaitRequest, "revisionId" | "notRevisionIds"> {
  const latest = after.latest_revision_id;
  return latest !== null && latest !== before.latest_revision_id
    ? { revisionId: latest, notRevisionIds: [] }
    : { revisionId: null, notRevisionIds: known(before) };
}

/** The deployment with what was sent and the service does not show: a revision that was made tells that it was taken. */
function withHidden(live: LiveDeployment, sent: JsonObject): LiveDeployment {
  const fill = (body: JsonObject, path: string): JsonObject =>
    withValue(body, path, valueAt(sent, path) ?? null);
  return { ...live, body: findNotShown(sent, live).reduce(fill, live.body) };
}

/** Whether nothing is left to send when planned against what is live now; hidden secret values count as sent. */
function isApplied(prepared: Prepared, now: LiveDeployment): boolean {
  const found = { state: "live", deployment: now, latest: null, active: null } as const;
  const { plan, steps } = planDeployment({
    desired: prepared.desired,
    found,
    commit: { state: "skipped", why: "", onMerge: false },
    lookups: prepared.lookups,
    policy: { create: "auto", force: false, secretsUnknown: "keep" },
  });
  return plan.blockers.length === 0 && !steps.some((step) => step.kind === "patch");
}

async function createStep(
  run: DocumentRun,
  prepared: Prepared,
  { body, builds }: Extract<Step, { kind: "create" }>,
): Promise<Written> {
  const { context, directory, desired, tracker, deadlineMs } = run;
  const asked = builds === false ? withoutSource(prepared) : prepared;
  const isThere = (now: LiveDeployment): boolean => isApplied(asked, withHidden(now, body));
  const sent = await writeCreate(context, directory, desired, body, isThere, deadlineMs);
  if (sent.state === "conflict") {
    context.progress(`${desired.name}: the name is taken: looking again`);
    return { state: "again", taken: true, message: sent.error.message };
  }
  if (sent.state !== "taken") return toEnded(run, sent);
  const { deployment, lost } = sent;
  noteWrite(tracker, deployment, { latest_revision_id: null });
  if (deployment.name !== "" && deployment.name !== desired.name)
    return { state: "ended", end: toOtherName(desired.name, deployment) };
  warnOfStaleId(run, prepared, deployment.id);
  const check = { id: deployment.id, createdAt: context.clock.monotonic(), lost };
  const unique = await checkUniqueness(run, check);
  context.signal.throwIfAborted();
  if (unique !== null && unique !== "unique") return { state: "ended", end: unique };
  const revisionId = deployment.latest_revision_id;
  return waiting(deployment, {
    sent: body,
    unproved: unique === "unique" ? null : check,
    wait: builds === false ? null : toWait(run, deployment, { revisionId, notRevisionIds: [] }),
  });
}

/** What a create asks for that builds nothing yet. */
function withoutSource(prepared: Prepared): Prepared {
  const { archive: _later, ...desired } = prepared.desired;
  const { source_revision_config: _built, ...body } = desired.body;
  return { ...prepared, desired: { ...desired, body } };
}

/** The next run would look for the one that is gone. */
function warnOfStaleId({ desired, tracker }: DocumentRun, { found }: Prepared, id: string): void {
  if (found.state !== "deleting" || found.isGiven !== true) return;
  const key = idKeyOf(desired, found.id);
  tracker.warnings.push(
    `put the new id ${id} into ${key}: while it names ${found.id}, runs are blocked`,
  );
}

/** A second create could make a second deployment: what the service made is for a person to see. */
function toOtherName(name: string, { id, name: answered }: LiveDeployment): DeploymentEnd {
  return {
    outcome: "failed",
    reason: "unknown",
    message: `the create of ${name} was answered with deployment ${id}, which is named ${answered}: whether ${name} was created is unknown`,
    next: [
      `Look for a deployment named ${name} in the service's own page: if it is there, run again with its id in deploy.id or deployment-id; if not, run again`,
    ],
  };
}

function toWait(
  { context, desired }: DocumentRun,
  live: LiveDeployment,
  revision: Pick<WaitRequest, "revisionId" | "notRevisionIds">,
): WaitRequest {
  return {
    name: desired.name,
    deploymentId: live.id,
    ...revision,
    previousActiveId: live.active_revision_id,
    timeoutMs: timeoutOf(context, desired.deploy),
    pollIntervalMs: context.policy.pollIntervalMs,
    stale: null,
  };
}

/** Ports of a wait that keeps the tracker up to date. */
export function portsFor(
  context: DeployContext,
  tracker: Tracker,
): Parameters<typeof waitForRevision>[1] {
  return {
    controlPlane: context.controlPlane,
    clock: context.clock,
    signal: context.signal,
    progress: context.progress,
    ...(context.live === undefined ? {} : { live: context.live }),
    onRevision: (id) => {
      tracker.revisionId = id;
      if (tracker.awaitsPush) tracker.changed = true;
    },
    timeline: tracker.timeline,
    onStatus: (status) => {
      tracker.revisionStatus = status;
    },
  };
}
