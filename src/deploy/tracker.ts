import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { Dialect } from "../model/dialect.ts";
import { DEPLOYED } from "../model/revision-status.ts";
import { liveOf, type Found } from "../plan/found.ts";
import type { DeploymentPlan } from "../plan/plan.ts";
import type { Outcome } from "../report/outcome.ts";
import {
  blankDeployment,
  type DeploymentReport,
  type FailedRequest,
  type StatusTransition,
} from "../report/report.ts";
import { ServiceError } from "../service/control-plane.ts";
import type { Prepared } from "./prepare.ts";
import { servedBefore, wantedVersion } from "./serving.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
/** What the tracker holds in a form of its own until the end. */
type Held = "timeline" | "warnings" | "notes" | "version" | "cause" | "serving";
/** What only the end says, or what is made of the rest. */
type Ending =
  | ("outcome" | "reason" | "message" | "next" | "changes" | "request" | "superseded_by")
  | ("page" | "moved" | "previous_version");

/**
 * The report of one deployment as far as it is known, so that nothing is lost when the run ends in the middle: ids of
 * what was already made are reported whatever happens next. The end completes it.
 */
export interface Tracker extends Writable<Omit<DeploymentReport, Held | Ending>> {
  readonly timeline: StatusTransition[];
  /** Besides those of the plan. */
  readonly warnings: string[];
  readonly notes: string[];
  version: string | null;
  cause: string;
  /** Active at the last reading. */
  serving: DeploymentReport["serving"];
  /** The deployment before this run wrote; null: there was none; undefined: not read. */
  before: LiveDeployment | null | undefined;
  /** Dialect of the service's replies; null before it replied about the deployment. */
  dialect: Dialect | null;
  /** The end of a run that waited for no revision, before `verify`; null: none yet. */
  standing: "unchanged" | "updated" | null;
  /** Clock time when the limit of the last wait ends; null: nothing was waited for. */
  untilMs: number | null;
}

/** A tracker that knows only the name. */
export function createTracker(name: string): Tracker {
  return {
    ...blankDeployment(name),
    timeline: [],
    warnings: [],
    notes: [],
    version: null,
    cause: "",
    serving: undefined,
    before: undefined,
    dialect: null,
    standing: null,
    untilMs: null,
  };
}

/**
 * A URL for a browser, or a host without a scheme, as some services store it; `javascript:` and
 * the like are neither.
 */
const isAddress = (url: string): boolean =>
  /^https?:\/\//i.test(url) || (/^[a-z0-9[]/i.test(url) && !/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url));

/** Takes over what a reply shows about the deployment. */
export function track(tracker: Tracker, deployment: LiveDeployment): void {
  tracker.id = deployment.id;
  tracker.dialect = deployment.dialect;
  if (isAddress(deployment.url)) tracker.url = deployment.url;
  if (deployment.tenant_id !== null) tracker.tenant_id = deployment.tenant_id;
}

/** Takes over what a plan was made from, and what it wants to run. */
export function trackPlan(tracker: Tracker, { desired, planned: { plan }, found }: Prepared): void {
  tracker.plan = plan;
  tracker.id = plan.id;
  const live = liveOf(found);
  if (live !== null) track(tracker, live);
  tracker.previous_revision_id = live?.active_revision_id ?? null;
  tracker.version = wantedVersion(desired, live);
}

/**
 * Takes over the latest revision if nothing is waited for. An active one counts as DEPLOYED,
 * unless it was read with another status.
 */
export function trackLatest(tracker: Tracker, found: Found, live = liveOf(found)): void {
  const id = live?.latest_revision_id ?? null;
  tracker.revision_id = id;
  const read = found.state === "live" ? found.latest : null;
  if (id !== null && read?.id === id) tracker.revision_status = read.status;
  else if (id !== null && live?.active_revision_id === id) tracker.revision_status = DEPLOYED;
}

/** How a deployment ended, with the wording for its report. */
export interface DeploymentEnd {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly message: string;
  readonly next?: readonly string[];
  /** The error that it failed with. */
  readonly error?: unknown;
  /** The newer revision that replaced it. */
  readonly supersededBy?: string | undefined;
}

/** How a wait ended, with what was seen last. A value, since every end is expected. */
export interface WaitEnd extends DeploymentEnd {
  readonly outcome: "deployed" | "failed" | "superseded" | "timed-out";
  /** The last status seen; null before any was. */
  readonly status: string | null;
  /** Null: the service has not named it. */
  readonly revisionId: string | null;
  readonly revision: LiveRevision | null;
  readonly deployment: LiveDeployment | null;
  /** The last revision seen active that is neither ours nor `previousActiveId`; null if there was none. */
  readonly activeBefore: string | null;
  /** Clock time when the wait's limit ends: later reads about its end may take no longer. */
  readonly untilMs: number;
  /** Set if the revision still shows its state from before the redeploy. */
  readonly unmoved?: LiveRevision;
}

/** Ends of one kind, by their message and what to do next. */
const ending =
  <O extends Outcome>(outcome: O, reason: string) =>
  (message: string, ...next: readonly string[]): DeploymentEnd & { readonly outcome: O } => ({
    outcome,
    reason,
    message,
    ...(next.length === 0 ? {} : { next }),
  });

/** A red end; `reason` is for machines. */
export const failed = (reason: string, message: string, ...next: readonly string[]) =>
  ending("failed", reason)(message, ...next);
/** An end before any write, since none may follow. */
export const blocked = (reason: string, message: string, ...next: readonly string[]) =>
  ending("blocked", reason)(message, ...next);
/** The end of a run whose time was up. */
export const timedOut = ending("timed-out", "timeout");
/** The end of a run that another one has overtaken. */
export const superseded = ending("superseded", "superseded");
/** The end of a run that a signal stopped. */
export const cancelled = ending("cancelled", "signal");

/** The end of a run whose plan is blocked. */
export const blockedEnd = ({ blockers }: DeploymentPlan): DeploymentEnd =>
  blocked(blockers[0]?.code ?? "blocked", blockers.map(({ message }) => message).join(" · "));

/** The report of a deployment as far as it is known, with its end. */
export function toDeploymentReport(tracker: Tracker, end: DeploymentEnd): DeploymentReport {
  const { version, cause, serving, before, dialect, standing, untilMs, ...known } = tracker;
  const { plan } = known;
  const served = servedBefore(before);
  const isKnown = served?.revision_id === known.previous_revision_id && served.version !== null;
  return {
    ...blankDeployment(tracker.name),
    ...known,
    outcome: end.outcome,
    reason: end.reason ?? "",
    message: end.message,
    next: end.next ?? [],
    ...(isKnown ? { previous_version: served.version } : {}),
    ...(plan === null ? {} : { action: plan.action, changes: plan.changes }),
    warnings: [...(plan?.warnings ?? []), ...tracker.warnings],
    notes: [...(plan?.notes ?? []), ...tracker.notes],
    ...(version === null ? {} : { version }),
    ...(cause === "" ? {} : { cause }),
    ...(serving === undefined ? {} : { serving }),
    ...(end.error instanceof ServiceError ? { request: toFailedRequest(end.error) } : {}),
    ...(end.supersededBy === undefined ? {} : { superseded_by: end.supersededBy }),
  };
}

function toFailedRequest(error: ServiceError): FailedRequest {
  const { status, headline, sent, tries, untakenTries } = error;
  return {
    status,
    headline,
    sent,
    ...(tries > 1 ? { tries } : {}),
    ...(untakenTries === null ? {} : { untaken_tries: untakenTries }),
  };
}
