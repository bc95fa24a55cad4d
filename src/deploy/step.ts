import { ONCE_GONE } from "../report/wording.ts";
import type { LiveDeployment } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { spellPath } from "../model/dialect.ts";
import { findNotShown } from "../plan/comparison.ts";
import { idKeyOf, judgeLatest, planDeployment } from "../plan/decision.ts";
import type { Step } from "../plan/plan.ts";
import { valueAt, withValue } from "../plan/value.ts";
import type { JsonObject } from "../model/json.ts";
import { timeoutOf } from "./context.ts";
import { serviceOf, type DocumentRun } from "./document-run.ts";
import { findUntaken } from "./live-check.ts";
import { checkUniqueness, type UniquenessCheck } from "./duplicates.ts";
import { isDeleting } from "./identity.ts";
import { awaitNamed } from "./named.ts";
import { isOver, lookUntil, pausesOf } from "./look.ts";
import type { Prepared } from "./prepare.ts";
import { byId, newerThan, pushedOf, type LatestAtStart, type OwnRevision } from "./own-revision.ts";
import { sendRedeploy } from "./redeployment.ts";
import { servedAtEnd } from "./serving.ts";
import { track, type Tracker, type DeploymentEnd } from "./tracker.ts";
import { uploadSource } from "./upload-source.ts";
import { reattachLine, waitForRevision } from "./wait.ts";
import type { WaitRequest } from "./wait-request.ts";
import { writeCreate, writePatch, type WriteEnd } from "./write.ts";

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
  | Exclude<WriteEnd, { state: "taken" }>;

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
  const end = await waitForRevision(context, wait, tracker);
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
  isOver(deadlineMs - context.clock.monotonic());

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
      return waiting(live, { wait: toWait(run, live, byId(step.revisionId, "written")) });
    }
    case "await-push": {
      context.progress(
        `${desired.name}: build_on_push is true: waiting for the revision that the push of ${step.commit.slice(0, 12)} makes`,
      );
      const own = pushedOf(context, step.commit, live, latestAtStart(prepared.found));
      return waiting(live, { wait: toWait(run, live, own) });
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
  if (sent.state !== "taken") return sent;
  noteWrite(tracker, sent.deployment, step.makesRevision ? live : null);
  for (const path of findNotShown(step.body, sent.deployment))
    tracker.notes.push(`${spellPath(path, desired.dialect)}: sent; the service does not show it`);
  if (!step.makesRevision) {
    const confirmed = await confirmInPlace(run, step.body, live, sent.deployment);
    return step.mayMakeRevision === true ? waitIfBuilt(run, step.body, live, confirmed) : confirmed;
  }
  const neverNamed = `the service took the update of ${desired.name}, but made no revision of it`;
  const own = newerThan(live, sent.deployment, neverNamed);
  return waiting(sent.deployment, { sent: step.body, wait: toWait(run, sent.deployment, own) });
}

/** Of fields that no table knows, the service alone knows whether they make a revision: it shows one soon, or none was made. */
async function waitIfBuilt(
  run: DocumentRun,
  body: JsonObject,
  before: LiveDeployment,
  written: Written,
): Promise<Written> {
  if (written.state !== "waiting" || written.live === null) return written;
  const isSame = (now: LiveDeployment): boolean =>
    now.latest_revision_id === before.latest_revision_id;
  const now = await readUntil(run, written.live, (live) => !isSame(live));
  if (isSame(now)) return { ...written, live: now };
  return waiting(now, { sent: body, wait: toWait(run, now, newerThan(before, now)) });
}

/** The deployment once it shows what is waited for, at the latest after a few looks. */
async function readUntil(
  run: DocumentRun,
  known: LiveDeployment,
  isEnd: (live: LiveDeployment) => boolean,
): Promise<LiveDeployment> {
  const { seen } = await lookUntil(run.context, {
    known,
    look: async (last = known) => (await serviceOf(run).getDeployment(known.id)) ?? last,
    isEnd,
    schedule: pausesOf(CONFIRM_AFTER_MS),
    deadlineMs: run.deadlineMs,
  });
  return seen;
}

/** The service said yes to an update in place; what it shows has to say so too, at the latest after a few looks. */
async function confirmInPlace(
  run: DocumentRun,
  body: JsonObject,
  before: LiveDeployment,
  replied: LiveDeployment,
): Promise<Written> {
  const { desired, tracker } = run;
  const untakenOf = (live: LiveDeployment) => findUntaken(desired, body, before, live);
  const now = await readUntil(run, replied, (live) => {
    const { unmoved, other } = untakenOf(live);
    return unmoved.length + other.length === 0;
  });
  const untaken = untakenOf(now);
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
  // Read again: whether a lost answer was taken follows from what moved since.
  const live = (await serviceOf(run).getDeployment(planned.id)) ?? planned;
  const redeploying = { name: desired.name, live, revisionId, deadlineMs };
  const sent = await sendRedeploy(context, redeploying);
  if (sent.state !== "sent") return sent;
  noteWrite(tracker, sent.deployment, null);
  tracker.revisionId = sent.own.id;
  return waiting(sent.deployment, { wait: toWait(run, sent.deployment, sent.own) });
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

/** The latest revision as the run found it: a push that came before the run has made it, and may have failed already. */
function latestAtStart(found: Prepared["found"]): LatestAtStart {
  if (found.state !== "live") return { id: null, state: "settled" };
  const { latest, deployment } = found;
  const isFailed = latest !== null && endOf(latest.status) === "failed";
  const settled = isFailed ? "failed" : "settled";
  return {
    id: deployment.latest_revision_id,
    state: judgeLatest(found) === "unfinished" ? "underWay" : settled,
  };
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
  if (sent.state === "conflict")
    context.progress(`${desired.name}: name already in use; checking again`);
  if (sent.state !== "taken") return sent;
  const { deployment, lost } = sent;
  noteWrite(tracker, deployment, { latest_revision_id: null });
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
  own: OwnRevision,
): WaitRequest {
  return {
    name: desired.name,
    deploymentId: live.id,
    own,
    previousActiveId: live.active_revision_id,
    timeoutMs: timeoutOf(context, desired.deploy),
    pollIntervalMs: context.policy.pollIntervalMs,
  };
}
