/** Holds what a report says of revisions against what the service knows: none plays another role than it played. */

/** A revision as the service has it at the end of a run. */
export interface Role {
  readonly id: string;
  /** The deployment it belongs to. */
  readonly deploymentId: string;
  /** Every status it was in, the last one last. */
  readonly statuses: readonly string[];
  /** Whether the deployment served it before the run, and at its end; after a run that only reads, either counts for both. */
  readonly wasActive: boolean;
  readonly isActive: boolean;
  /** Whether it came to be during the run. */
  readonly isNew: boolean;
  /** Whether the run asked for it to be deployed again. */
  readonly wasRedeployed: boolean;
}

/** What the emulator dumps as its state. */
export interface ServiceState {
  readonly deployments: readonly {
    readonly id: string;
    readonly active_revision_id: string | null;
    readonly revisions: readonly {
      readonly id: string;
      readonly timeline: readonly { readonly at?: string; readonly status: string }[];
    }[];
  }[];
}

/** A request that a run sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
}

const activeOf = ({ deployments }: ServiceState): ReadonlySet<string | null> =>
  new Set(deployments.map((one) => one.active_revision_id));

/** The roles of all revisions, by whole id, around a run that sent these requests. */
export function readRoles(
  before: ServiceState,
  after: ServiceState,
  requests: readonly Sent[],
): readonly Role[] {
  const old = new Set(before.deployments.flatMap((one) => one.revisions.map(({ id }) => id)));
  const served = activeOf(before);
  const serves = activeOf(after);
  // What somebody else had under way may go live between a look of the run and its end.
  const onlyReads = requests.every(({ method }) => method === "GET");
  const either = new Set([...served, ...serves]);
  return after.deployments.flatMap((one) =>
    one.revisions.map(({ id, timeline }) => ({
      id,
      deploymentId: one.id,
      statuses: timeline.map(({ status }) => status),
      wasActive: (onlyReads ? either : served).has(id),
      isActive: (onlyReads ? either : serves).has(id),
      isNew: !old.has(id),
      wasRedeployed: requests.some(({ path }) => path.endsWith(`/revisions/${id}/redeploy`)),
    })),
  );
}

const ID = "`?([0-9a-f]{8}(?:-[0-9a-f]{4}){0,3}(?:-[0-9a-f]{12})?)`?";
/** Whether a revision played a role; `words` are those that say so. */
type Holds = (role: Role, words: string) => boolean;

const ended =
  (pattern: RegExp): Holds =>
  ({ statuses }) =>
    statuses.some((status) => pattern.test(status));
const isActive: Holds = (role) => role.isActive;
/** Served by the deployment before what this run did: at its beginning, or by then. */
const cameBefore: Holds = (role) =>
  role.wasActive || (ended(/^DEPLOYED$/)(role, "") && !role.isActive);
/** Came to be during the run and never served. */
const startedNow: Holds = (role) => role.isNew && !ended(/^DEPLOYED$/)(role, "");
const not =
  (holds: Holds): Holds =>
  (role, words) =>
    !holds(role, words);
/** Was in the status that the last word names. */
const wasThat: Holds = ({ statuses }, words) => statuses.includes(/[A-Z_]+$/.exec(words)![0]);

/** The address of a request that failed: of a revision that may not be there. */
const ADDRESS = "/revisions/ID";

/** Every way in which a report names a revision: its words, with ID for an id, and what each id must be. The first that fits counts. */
const CLAIMS: readonly (readonly [words: string, ...roles: readonly Holds[]])[] = [
  ["Live now: revision ID", isActive],
  ["revision ID is still serving", (role) => role.wasActive && role.isActive],
  ["revision ID is serving", isActive],
  ["revision ID, which failed, is live", isActive],
  ["revision ID was built, but did not start", ended(/^DEPLOY_FAILED$/)],
  ["revision ID could not be created", ended(/^CREATE_FAILED$/)],
  ["replaced revision ID", not(isActive)],
  ["the service skipped revision ID", ended(/^SKIPPED$/)],
  ["revision ID \\(failed\\)", ended(/_FAILED$/)],
  ["revision ID \\(skipped\\)", ended(/^SKIPPED$/)],
  ["revision ID \\(is ", not(ended(/^DEPLOYED$/))],
  [
    "revision ID \\((?:started|in the queue|waiting for its build|building|waiting to start|starting)\\)",
    (role, words) => role.isNew || !ended(/^DEPLOYED$/)(role, words),
  ],
  ["[Rr]evision ID was (?:updated in place|live already)", isActive],
  ["before it ID", cameBefore],
  ["[Rr]evision ID is active since verify began, and not revision ID", isActive, cameBefore],
  ["not built from what revision ID was", (role, words) => !role.isNew && cameBefore(role, words)],
  ["[Rr]evision ID, newer than revision ID, is active", isActive, not(isActive)],
  ["[Rr]evision ID was built, but revision ID is active", not(isActive), isActive],
  ["rolling back to revision ID", not(startedNow)],
  [
    "revision ID, which was active before, is active again",
    (role) => role.wasRedeployed && role.isActive,
  ],
  [
    "revision ID, which was active before, was redeployed as revision ID",
    (role, words) => cameBefore(role, words) && role.wasRedeployed,
    (role) => role.isNew && role.isActive,
  ],
  [
    "roll back \\S+ from revision ID to ID",
    (role, words) => role.wasActive || ended(/_FAILED$/)(role, words),
    not(startedNow),
  ],
  ["and ID is still serving", isActive],
  ["again, add (?:--to|revision-id:) ID", isActive],
  ["revision ID of \\S+ is the active one already", isActive],
  ["the push's own revision ID ended [A-Z_]+", wasThat],
  ["revision ID shows the earlier commit", () => true],
  ["[Rr]evision ID was deployed, then a gate did not pass", ended(/^DEPLOYED$/)],
  ["rollback: deployed, revision ID", isActive],
  ["rollback: [a-z-]+, revision ID", (role) => role.isNew || role.wasRedeployed],
  ["Revision ID was made at the same time", (role) => role.isNew],
  ["revision ID, which is not of this run, became active", isActive],
  ["revision ID is newer", (role) => !role.wasRedeployed],
  ["[Rr]evision ID is DEPLOYED and active", isActive],
  ["[Rr]evision ID is DEPLOYED", ended(/^DEPLOYED$/)],
  ["[Rr]evision ID of deployment", () => true],
  ["[Rr]evision ID [A-Z]+(?:_[A-Z]+)*", wasThat],
  ["[Rr]evision ID was skipped by the service", ended(/^SKIPPED$/)],
  ["[Rr]evision ID was interrupted", ended(/^INTERRUPTED$/)],
  ["[Rr]evision ID failed", ended(/_FAILED$/)],
  ["[Rr]evision ID is active", isActive],
  ["revision ID, the previous one, is active already", isActive],
  ["--revision-id ID", () => true],
  // What a verify command printed of its environment.
  ["AGENT_DEPLOY_REVISION_\\w+=ID", (role) => role.isNew || role.isActive],
  ["[Rr]evision ID (?:was started|is still|is not visible|is [A-Z]|still building)", () => true],
  ["and revision ID with it", () => true],
  ["newest 100 revisions of \\S+ begins with ID", not(isActive)],
  [ADDRESS, () => true],
  // The log's line of facts, before the service has shown its status.
  ["\\n {2}revision ID(?=\\n)", () => true],
  ["revision ID(?=\\s*(?:·|\\n|$)|<)", ended(/^DEPLOYED$/)],
];

/** What the output `deployments`, and so the JSON report, says of one. */
interface ToldDeployment {
  readonly name: string;
  readonly id: string | null;
  readonly outcome: string;
  readonly reason: string;
  readonly revision_id: string | null;
  readonly previous_revision_id: string | null;
  readonly revision_status: string | null;
  readonly rollback?: { readonly revision_id: string; readonly outcome: string };
}

/** A field of the outputs, the id in it, and what that revision must be. */
type Claim = readonly [field: string, id: string, holds: Holds];

function claimsOf(told: ToldDeployment): readonly Claim[] {
  const { id, outcome, reason, revision_id: own, revision_status: status, rollback } = told;
  const ofDeployment: Holds = (role) => role.deploymentId === id;
  const claims: (Claim | null)[] = [
    own === null ? null : ["revision_id", own, ofDeployment],
    own === null || status === null
      ? null
      : ["revision_status", own, ({ statuses }) => statuses.includes(status)],
    own === null || !/_FAILED$/.test(reason) ? null : ["reason", own, ended(/_FAILED$/)],
    own !== null && outcome === "deployed" && rollback === undefined
      ? ["outcome deployed", own, isActive]
      : null,
    // What served when the run looked: it may have gone live since the test did.
    told.previous_revision_id === null
      ? null
      : [
          "previous_revision_id",
          told.previous_revision_id,
          (role, words) => ofDeployment(role, words) && ended(/^DEPLOYED$/)(role, words),
        ],
    rollback?.outcome === "deployed"
      ? ["rollback.revision_id", rollback.revision_id, isActive]
      : null,
  ];
  return claims.filter((claim) => claim !== null);
}

/** What is wrong with the ids in the output `deployments`. */
export function findOutputFaults(
  deployments: readonly ToldDeployment[],
  roles: readonly Role[],
): readonly string[] {
  return deployments.flatMap((told) =>
    claimsOf(told).flatMap(([field, id, holds]) => {
      const role = roles.find((one) => one.id === id);
      const where = `${told.name} (${told.outcome}): ${field} ${id}`;
      if (role === undefined) return [`${where}: the service has no such revision`];
      return holds(role, field) ? [] : [`${where}: it is ${JSON.stringify(role)}`];
    }),
  );
}

/**
 * What is wrong with the ids of a text: one in a role that it did not play, or one that no claim
 * above covers. `asked` are words of the caller, who may have named a revision that does not exist.
 */
export function findRoleFaults(
  body: string,
  roles: readonly Role[],
  asked: readonly string[] = [],
): readonly string[] {
  const covered = new Set<number>();
  const faults: string[] = [];
  for (const [words, ...holds] of CLAIMS)
    for (const match of body.matchAll(new RegExp(words.replaceAll("ID", ID), "gd")))
      match.slice(1).forEach((id, at) => {
        const from = match.indices![at + 1]![0];
        if (covered.has(from)) return;
        covered.add(from);
        const role = roles.find((one) => one.id.startsWith(id));
        if (role === undefined && (words === ADDRESS || asked.includes(id!))) return;
        if (role === undefined) faults.push(`${match[0]}: the service has no such revision`);
        else if (!holds[at]!(role, match[0]))
          faults.push(`${match[0]}: it is ${JSON.stringify(role)}`);
      });
  for (const { id } of roles)
    for (const match of body.matchAll(new RegExp(id.slice(0, 8), "g")))
      if (!covered.has(match.index))
        faults.push(
          `no claim covers: ${body.slice(Math.max(0, match.index - 60), match.index + 70)}`,
        );
  return faults;
}
