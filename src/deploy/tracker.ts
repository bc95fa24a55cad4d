import type { LiveDeployment } from "../model/live.ts";
import type { Dialect } from "../model/dialect.ts";
import { DEPLOYED } from "../model/revision-status.ts";
import type { Found } from "../plan/found.ts";
import type { DeploymentPlan } from "../plan/plan.ts";
import type { Outcome } from "../report/outcome.ts";
import type { DeploymentReport, FailedRequest, StatusTransition } from "../report/report.ts";
import { ServiceError } from "../service/control-plane.ts";
import type { Prepared } from "./prepare.ts";
import { wantedVersion } from "./serving.ts";

/**
 * What is known of one deployment so far, so that nothing is lost when the run ends in the middle: ids of what was
 * already made are reported whatever happens next.
 */
export interface Tracker {
  readonly name: string;
  plan: DeploymentPlan | null;
  /** What is done without a plan. */
  action: DeploymentReport["action"];
  id: string | null;
  /** What the service replied in; null where it said nothing of the deployment yet. */
  dialect: Dialect | null;
  url: string;
  /** The revision this run waits for. */
  revisionId: string | null;
  revisionStatus: string | null;
  /** Active before this run's revision came to serve: what a rollback returns to. */
  previousRevisionId: string | null;
  /** The latest revision when this run wrote. */
  latestBefore: string | null;
  /** Somebody else's revision was under way when the run wrote: it may have been active meanwhile. */
  wentBehind: boolean;
  /** This run wrote, or waited for a revision that a push made. */
  changed: boolean;
  /** How the run ends but for `verify`, where no revision was waited for; null: there is none yet. */
  standing: "unchanged" | "updated" | null;
  readonly timeline: StatusTransition[];
  readonly warnings: string[];
  readonly notes: string[];
  logTail: readonly string[];
  verify: DeploymentReport["verify"];
  rollback: DeploymentReport["rollback"];
  /** What this run's revision is built from. */
  version: string | null;
  /** The service's own sentence about the failure. */
  cause: string;
  /** Active as it was last read. */
  serving: DeploymentReport["serving"];
  /** Active before this run. */
  servedBefore: DeploymentReport["serving"];
  /** Time of the clock at which the limit of what was last waited for ends; null: nothing was. */
  untilMs: number | null;
  tenantId: string | null;
}

/** A tracker that knows only the name. */
export function createTracker(name: string): Tracker {
  return {
    name,
    plan: null,
    action: "none",
    id: null,
    dialect: null,
    url: "",
    revisionId: null,
    revisionStatus: null,
    previousRevisionId: null,
    latestBefore: null,
    wentBehind: false,
    changed: false,
    standing: null,
    timeline: [],
    warnings: [],
    notes: [],
    logTail: [],
    verify: undefined,
    rollback: undefined,
    version: null,
    cause: "",
    serving: undefined,
    servedBefore: undefined,
    untilMs: null,
    tenantId: null,
  };
}

/**
 * An address for a browser, or a host with no scheme as some services keep it; a word such as
 * `javascript:` is neither.
 */
const isAddress = (url: string): boolean =>
  /^https?:\/\//i.test(url) || (/^[a-z0-9[]/i.test(url) && !/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url));

/** Takes over what a reply shows of the deployment. */
export function track(tracker: Tracker, deployment: LiveDeployment): void {
  tracker.id = deployment.id;
  tracker.dialect = deployment.dialect;
  if (isAddress(deployment.url)) tracker.url = deployment.url;
  tracker.tenantId = deployment.tenant_id ?? tracker.tenantId;
}

/** Takes over what a plan was made of, and what it wants to run. */
export function trackPlan(tracker: Tracker, { desired, planned: { plan }, found }: Prepared): void {
  tracker.plan = plan;
  tracker.id = plan.id;
  const live = found.state === "live" ? found.deployment : null;
  if (live !== null) track(tracker, live);
  tracker.previousRevisionId = live?.active_revision_id ?? null;
  tracker.version = wantedVersion(desired, live);
}

/**
 * Takes over the latest revision, where nothing is waited for. One that is active counts as
 * DEPLOYED, unless it was read and says another word.
 */
export function trackLatest(tracker: Tracker, live: LiveDeployment | null, found: Found): void {
  const id = live?.latest_revision_id ?? null;
  tracker.revisionId = id;
  const read = found.state === "live" ? found.latest : null;
  if (id !== null && read?.id === id) tracker.revisionStatus = read.status;
  else if (id !== null && live?.active_revision_id === id) tracker.revisionStatus = DEPLOYED;
}

/** The end of a run whose plan is blocked. */
export const blockedEnd = ({ blockers }: DeploymentPlan): DeploymentEnd => ({
  outcome: "blocked",
  reason: blockers[0]?.code ?? "blocked",
  message: blockers.map(({ message }) => message).join(" · "),
});

/** How a deployment ended, as its report words it. */
export interface DeploymentEnd {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly message: string;
  readonly next?: readonly string[];
  /** What it failed at. */
  readonly error?: unknown;
  /** The newer revision that took over. */
  readonly supersededBy?: string;
}

/** The report of a deployment as far as it is known, with its end. */
export function toDeploymentReport(tracker: Tracker, end: DeploymentEnd): DeploymentReport {
  const { plan, servedBefore: before } = tracker;
  const isKnown = before?.revision_id === tracker.previousRevisionId && before.version !== null;
  return {
    name: tracker.name,
    id: tracker.id,
    action: plan?.action ?? tracker.action,
    outcome: end.outcome,
    reason: end.reason ?? "",
    message: end.message,
    next: end.next ?? [],
    revision_id: tracker.revisionId,
    previous_revision_id: tracker.previousRevisionId,
    ...(isKnown ? { previous_version: before.version } : {}),
    revision_status: tracker.revisionStatus,
    url: tracker.url,
    changes: plan?.changes ?? [],
    plan,
    changed: tracker.changed,
    timeline: tracker.timeline,
    warnings: [...(plan?.warnings ?? []), ...tracker.warnings],
    notes: [...(plan?.notes ?? []), ...tracker.notes],
    log_tail: tracker.logTail,
    ...(tracker.verify === undefined ? {} : { verify: tracker.verify }),
    ...(tracker.rollback === undefined ? {} : { rollback: tracker.rollback }),
    ...(tracker.version === null ? {} : { version: tracker.version }),
    ...(tracker.cause === "" ? {} : { cause: tracker.cause }),
    ...(tracker.serving === undefined ? {} : { serving: tracker.serving }),
    ...(end.error instanceof ServiceError ? { request: toFailedRequest(end.error) } : {}),
    ...(end.supersededBy === undefined ? {} : { superseded_by: end.supersededBy }),
    ...(tracker.tenantId === null ? {} : { tenant_id: tracker.tenantId }),
  };
}

function toFailedRequest({ status, headline, sent, untakenTries }: ServiceError): FailedRequest {
  return {
    status,
    headline,
    sent,
    ...(untakenTries === null ? {} : { untaken_tries: untakenTries }),
  };
}
