import { DEPLOYED } from "../model/revision-status.ts";
import { KNOWN_AT_APPLY, toDeployBlock, type Desired } from "../spec/desired.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { planDeployment } from "./decision.ts";
import type { PlanRequest } from "./plan-draft.ts";
import { liveOf } from "./found.ts";
import { runFingerprint, shownHalf, wantedHalf } from "./fingerprint.ts";
import type { DeploymentPlan, Planned } from "./plan.ts";
import { ENVIRONMENT, environmentPath } from "./units.ts";
import { valueAt } from "./value.ts";

/** The fewest digits by which a fingerprint can identify a plan. */
const MIN_FINGERPRINT = 12;

/** What was approved: a fingerprint or its first digits, and from a report file the plan of each deployment. */
export interface Approval {
  /** Lower-case hex digits. */
  readonly fingerprint: string;
  readonly plans?: readonly ApprovedPlan[];
}

/** One deployment in the report file of an approved plan. */
export interface ApprovedPlan {
  readonly name: string;
  readonly fingerprint: string;
  /** Paths whose value was only known after apply. */
  readonly unknown?: readonly string[];
}

/** Whether the current plan is the approved one; `notes` name the differences that a rule allowed. */
export type ApprovalVerdict =
  | { readonly state: "approved"; readonly notes: readonly string[] }
  | { readonly state: "refused"; readonly message: string };

/** The digits of an `expect-plan` that is not a file; undefined if it is no fingerprint. */
export function toApproval(text: string): Approval | undefined {
  const digits = text.trim().toLowerCase();
  return new RegExp(`^[0-9a-f]{${MIN_FINGERPRINT},64}$`).test(digits)
    ? { fingerprint: digits }
    : undefined;
}

/** The approval in the report of a plan; undefined if the report has no plan. */
export function approvalOf(report: {
  readonly fingerprint: string;
  readonly deployments: readonly { readonly plan: DeploymentPlan | null }[];
}): Approval | undefined {
  const { fingerprint, deployments } = report;
  const plans = deployments.flatMap(({ plan }) =>
    plan === null
      ? []
      : [{ name: plan.name, fingerprint: plan.fingerprint, unknown: unknownOf(plan) }],
  );
  return plans.length === 0 || fingerprint === "" ? undefined : { fingerprint, plans };
}

/**
 * The approval with this run's names: a report file has them as printed, where a secret may hide a
 * part of them. Documents that are printed alike are taken in order.
 */
export function withNames(
  approval: Approval,
  names: readonly string[],
  redact: (text: string) => string,
): Approval {
  if (approval.plans === undefined) return approval;
  const left = names.map((name) => ({ name, printed: redact(name) }));
  const plans = approval.plans.map((plan) => {
    const at = left.findIndex(({ name, printed }) => plan.name === name || plan.name === printed);
    return at < 0 ? plan : { ...plan, name: left.splice(at, 1)[0]!.name };
  });
  return { ...approval, plans };
}

/** Paths that a plan shows as known after apply, including secrets by name. */
const unknownOf = ({ changes, secrets }: DeploymentPlan): string[] => [
  ...changes
    .filter(({ after }) => JSON.stringify(after).includes(KNOWN_AT_APPLY))
    .map(({ path }) => path),
  ...secrets.filter(({ mark }) => mark === KNOWN_AT_APPLY).map(({ name }) => environmentPath(name)),
];

/**
 * Compares the current plan with the approved one. A value that was only known after apply when
 * approved may have any value now. A fingerprint does not say which values those were, so each
 * possibility is tried. A plan made again right before its first write is compared in the same way
 * with the fingerprint of the one that was shown.
 */
export function judgeApproval(
  approval: Approval,
  requests: readonly PlanRequest[],
): ApprovalVerdict {
  const { fingerprint, plans } = approval;
  // A report file has one fingerprint for each deployment.
  const groups =
    plans === undefined
      ? [{ given: fingerprint, requests }]
      : requests.map((request) => {
          const own = plans.find(({ name }) => name === request.desired.name);
          return { given: own?.fingerprint ?? "", requests: [request] };
        });
  for (const variables of possibilities(approval, requests)) {
    const ends = groups.map((one) => judgeOnce(one.given, one.requests, variables));
    if (ends.includes(null)) continue;
    const carriedOut = ends.flatMap((names) => names ?? []);
    return { state: "approved", notes: toNotes(variables, carriedOut) };
  }
  const now = requests.map((request) => planDeployment(request).plan);
  return {
    state: "refused",
    message:
      `the plan is not the one that was approved: expect-plan is ${fingerprint}, the plan now is ${runFingerprint(now)}. ` +
      "Review the new plan, then approve its fingerprint",
  };
}

/**
 * Names of the deployments whose plan was already carried out, if the fingerprint approves these
 * plans as they are without the variables; null if it does not.
 */
function judgeOnce(
  given: string,
  requests: readonly PlanRequest[],
  variables: ReadonlySet<string>,
): readonly string[] | null {
  const seen = requests.map((request) => planDeployment(without(request, variables)).plan);
  const candidates = fingerprintsOf(seen);
  if (candidates.some((one) => covers(given, one))) return [];
  if (approvesNothing(given, requests)) return null;
  const isCarriedOut =
    candidates.some((one) => hasSameWanted(given, one)) &&
    requests.every((request) => isDone(planDeployment(request)));
  return isCarriedOut ? seen.map(({ name }) => name) : null;
}

/** The fingerprints that people may have copied: the run's, and for a single deployment also its own. */
function fingerprintsOf(plans: readonly DeploymentPlan[]): readonly string[] {
  return [runFingerprint(plans), ...(plans.length === 1 ? [plans[0]!.fingerprint] : [])];
}

/**
 * Whether the approved plan had no changes: it approves no write, such as redeploying a revision
 * that has failed since.
 */
function approvesNothing(fingerprint: string, requests: readonly PlanRequest[]): boolean {
  const plans = requests.map((request) => planDeployment(toSettled(request)).plan);
  if (plans.some(({ action }) => action !== "none")) return false;
  return fingerprintsOf(plans).some((one) => covers(fingerprint, one));
}

/** The request as if the latest revision were active. */
function toSettled(request: PlanRequest): PlanRequest {
  const live = liveOf(request.found);
  if (live === null) return request;
  const deployment = { ...live, active_revision_id: live.latest_revision_id };
  return { ...request, found: { state: "live", latest: null, active: null, deployment } };
}

/**
 * Whether the approved fingerprint matches a plan's. All digits of a prefix count; for a whole
 * fingerprint, the half that covers what the plan shows is enough.
 */
function covers(given: string, fingerprint: string): boolean {
  if (given.length < MIN_FINGERPRINT) return false;
  return given.length < fingerprint.length
    ? fingerprint.startsWith(given)
    : shownHalf(given) === shownHalf(fingerprint);
}

/** Whether the digits belong to a plan for the same wanted state. */
function hasSameWanted(given: string, fingerprint: string): boolean {
  return given.length >= MIN_FINGERPRINT && wantedHalf(fingerprint).startsWith(wantedHalf(given));
}

/** Whether nothing is left to do but wait, or redeploy a latest revision that failed. */
function isDone({ plan, steps }: Planned): boolean {
  if (plan.blockers.length > 0) return false;
  const forced = plan.changes.some(
    ({ path, before }) => path === "revision" && before === DEPLOYED,
  );
  return !forced && steps.every(({ kind }) => kind === "attach" || kind === "redeploy");
}

/** The most plans made to find the variables that were unknown; for few names this covers every set. */
const MAX_PLANNED = 8192;
const MIN_TRIED = 256;

/**
 * Sets of variables that may have been unknown when the plan was approved: none, all, those shown
 * in a report file, then every other set up to a limit, starting with small and nearly complete
 * ones.
 */
function* possibilities(
  { plans }: Approval,
  requests: readonly PlanRequest[],
): Generator<ReadonlySet<string>> {
  const names = [
    ...new Set(requests.flatMap(({ desired }) => [...desired.fromEnvironment.keys()])),
  ];
  yield new Set();
  if (names.length === 0) return;
  yield new Set(names);
  if (plans !== undefined)
    yield new Set(requests.flatMap(({ desired }) => shownUnknown(plans, desired)));
  let left = Math.max(MIN_TRIED, Math.floor(MAX_PLANNED / requests.length));
  for (let size = 1; size <= names.length / 2; size++)
    for (const set of subsets(names, size)) {
      yield set;
      yield new Set(names.filter((name) => !set.has(name)));
      left -= 2;
      if (left <= 0) return;
    }
}

function* subsets(names: readonly string[], size: number): Generator<ReadonlySet<string>> {
  if (size === 0) {
    yield new Set();
    return;
  }
  for (let first = 0; first + size <= names.length; first++)
    for (const rest of subsets(names.slice(first + 1), size - 1))
      yield new Set([names[first]!, ...rest]);
}

/** Variables of a document whose value the approved plan's report shows as known after apply. */
function shownUnknown(plans: readonly ApprovedPlan[], desired: Desired): string[] {
  const unknown = plans.find(({ name }) => name === desired.name)?.unknown ?? [];
  const secrets = valueAt(desired.body, ENVIRONMENT.path);
  const toShown = (path: string): string => {
    const at = /^secrets\.(\d+)(?=\.|$)/u.exec(path)?.[1];
    const secret = at !== undefined && Array.isArray(secrets) ? secrets[Number(at)] : undefined;
    return isObject(secret) ? environmentPath(String(secret["name"])) : path;
  };
  return [...desired.fromEnvironment].flatMap(([name, paths]) =>
    paths.map(toShown).some((path) => unknown.some((one) => isWithin(path, one))) ? [name] : [],
  );
}

/** Whether one path is, or contains, the other. */
function isWithin(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

/** The request as if these variables were not set. */
function without(request: PlanRequest, variables: ReadonlySet<string>): PlanRequest {
  const { desired } = request;
  const paths = [...desired.fromEnvironment].flatMap(([name, at]) =>
    variables.has(name) ? at : [],
  );
  if (paths.length === 0) return request;
  const sent = paths.filter((path) => !path.startsWith("deploy.") || isOfExtra(path));
  const { deploy, ...body } = paths.reduce<Json>((value, path) => unset(value, path), {
    ...desired.body,
    deploy: desired.deploy as unknown as Json,
  }) as Desired["body"];
  return {
    ...request,
    desired: {
      ...desired,
      body,
      deploy: toDeployBlock(deploy as JsonObject, (value) => value !== KNOWN_AT_APPLY),
      unknown: new Set([...desired.unknown, ...sent]),
    },
  };
}

const isOfExtra = (path: string): boolean => path.startsWith("deploy.extra.");

/**
 * The body with the value at a dotted path set to unknown; unchanged if the path does not exist. A
 * key may itself contain dots.
 */
function unset(value: Json, path: string): Json {
  const within = (key: string, child: Json): Json => {
    if (path === key) return KNOWN_AT_APPLY;
    return path.startsWith(`${key}.`) ? unset(child, path.slice(key.length + 1)) : child;
  };
  if (Array.isArray(value)) return value.map((item: Json, index) => within(String(index), item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, within(key, child as Json)]),
  );
}

function toNotes(variables: ReadonlySet<string>, carriedOut: readonly string[]): string[] {
  const names = [...variables].join(", ");
  const whose = variables.size === 1 ? "it" : "them";
  const accepted = `approved with ${names} ${KNOWN_AT_APPLY}: any value of ${whose} is accepted`;
  const done = `the approved plan of ${carriedOut.join(", ")} was carried out already`;
  return [...(names === "" ? [] : [accepted]), ...(carriedOut.length === 0 ? [] : [done])];
}
