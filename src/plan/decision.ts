import { deploymentShape } from "../model/shape.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { spellKey, spellPath } from "../model/dialect.ts";
import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import {
  compareDeployment,
  patchUnits,
  readableRef,
  type ChangedUnit,
  type DocumentComparison,
} from "./comparison.ts";
import { judgeCommit, type CommitCheck, type CommitVerdict } from "./commit.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Action, Blocker, Change, DeploymentPlan, Planned, SecretMark, Step } from "./plan.ts";
import type { JsonObject } from "../model/json.ts";
import { judgeImage, settleImage, type NewerRun } from "./image.ts";
import { toEntries } from "./secrets.ts";
import { showVariables } from "./variables.ts";
import { holdsSensitive, isNull, toShown, valueAt, withoutNulls, withValue } from "./value.ts";

/** What was found where the spec's deployment should be. */
export type Found =
  /** A lookup that works proved that there is none. */
  | { readonly state: "absent" }
  /** The service has no lookup (`status`), and there is no id: nothing is proved. `served`: it answers elsewhere, so the address is right. */
  | { readonly state: "lookup-unavailable"; readonly status: number; readonly served: boolean }
  /** The one of that name is being deleted. */
  | { readonly state: "deleting"; readonly id: string }
  | {
      readonly state: "live";
      readonly deployment: LiveDeployment;
      /** The latest revision; read only where it is not the active one, null where it could not be. */
      readonly latest: LiveRevision | null;
      /** The active revision; read only where the latest is DEPLOYED and another one is active. */
      readonly active: LiveRevision | null;
    }
  | { readonly state: "duplicates"; readonly ids: readonly string[] }
  | { readonly state: "id-not-found"; readonly id: string };

/** An integration or a listener that a create may use; null where the service has no such lookup. */
export interface Lookups {
  readonly integrations: readonly { readonly id: string; readonly name: string }[] | null;
  readonly listeners: readonly { readonly id: string; readonly name: string }[] | null;
  /** Why the listeners could not be read; a create goes on without, since few deployments need one. */
  readonly listenersUnread?: string;
}

/** Everything a plan is made from: two states, what was read about commits and lookups, and the user's choices. */
export interface PlanRequest {
  readonly desired: Desired;
  readonly found: Found;
  readonly commit: CommitCheck;
  /** Read only where the image moves. */
  readonly newerRun?: NewerRun;
  /** Read only for a create. */
  readonly lookups: Lookups;
  readonly policy: {
    readonly create: "auto" | "never" | "always";
    readonly force: boolean;
    readonly secretsUnknown: "keep" | "send";
    /** Where the plan is for: another service or tenant is another plan. */
    readonly service?: string;
    readonly tenant?: string;
  };
}

/** Decides what a run does to one deployment; pure. */
export function planDeployment(given: PlanRequest): Planned {
  const { desired, notes, warnings, blockers } = settleImage(given.desired, given.found);
  const request = { ...given, desired };
  const id = given.found.state === "live" ? given.found.deployment.id : null;
  if (blockers.length > 0) return blocked(request, id, blockers);
  const { plan, steps } = planFound(request);
  const said = {
    notes: [...notes, ...plan.notes],
    warnings: [...aboutAddress(desired), ...warnings, ...plan.warnings],
  };
  return { plan: { ...plan, ...said }, steps };
}

const aboutAddress = ({ target }: Desired): readonly string[] =>
  target?.warning === undefined ? [] : [target.warning];

function planFound(request: PlanRequest): Planned {
  const { found, policy } = request;
  switch (found.state) {
    case "live":
      return planLive(request, found);
    case "duplicates":
      return blocked(request, null, [
        {
          code: "duplicates",
          message:
            `there are ${found.ids.length} live deployments named ${request.desired.name}: ${found.ids.join(", ")}. ` +
            "Say which one is meant with deploy.id or deployment-id, or delete the other",
        },
      ]);
    case "id-not-found":
      return blocked(request, found.id, [
        {
          code: "not-found",
          message: `there is no deployment ${found.id}. Check deploy.id or deployment-id, the region and the tenant-id`,
        },
      ]);
    case "lookup-unavailable":
      return policy.create === "always"
        ? planCreate(request, [])
        : blocked(request, null, [
            {
              code: "no-lookup",
              message: noLookup(request.desired.name, found),
            },
          ]);
    case "absent":
    case "deleting": {
      if (policy.create === "never") {
        return blocked(request, null, [
          {
            code: "create-never",
            message: `there is no deployment named ${request.desired.name}, and create: never forbids to make one`,
          },
        ]);
      }
      const notes =
        found.state === "deleting"
          ? [
              `deployment ${found.id} of this name is being deleted: it is waited for, then a new one is created`,
            ]
          : [];
      return planCreate(request, notes);
    }
  }
}

/** Switching the proof off is no way out of a wrong address. */
function noLookup(
  name: string,
  { status, served }: Extract<Found, { state: "lookup-unavailable" }>,
): string {
  if (!served)
    return (
      `nothing of the service answers at this address (${status}): check control-plane-url and region. ` +
      `Whether ${name} exists is not known, so nothing is created`
    );
  return (
    `this service has no list of deployments (${status}), so whether ${name} exists cannot be proved and nothing is created. ` +
    "Give its id with deploy.id or deployment-id, or set create: always for its first run"
  );
}

interface Draft {
  readonly id: string | null;
  readonly action: Action;
  readonly changes: readonly Change[];
  readonly blockers: readonly Blocker[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly comparison?: Pick<DocumentComparison, "dropped" | "unreadable" | "unmanaged">;
  readonly secrets?: readonly SecretMark[];
  /** The same without the commit and without which run is newer, which the fingerprint leaves out; absent: it is the same. */
  readonly aside?: Pick<Draft, "action" | "changes" | "blockers">;
}

function finish(request: PlanRequest, draft: Draft): Planned {
  const { desired } = request;
  const spelled = (path: string): string => spellPath(path, desired.dialect);
  const stopped = draft.blockers.length > 0;
  const steps = stopped ? [] : draft.steps;
  const plan: DeploymentPlan = {
    name: desired.name,
    source: desired.source,
    dialect: desired.dialect,
    id: draft.id,
    action: stopped ? "blocked" : draft.action,
    changes: draft.changes.map((change) => ({ ...change, path: spelled(change.path) })),
    blockers: draft.blockers.map((blocker) => ({
      ...blocker,
      message: spellWords(blocker.message, desired),
      ...(blocker.path === undefined ? {} : { path: spelled(blocker.path) }),
    })),
    revision: forecast(steps),
    dropped: (draft.comparison?.dropped ?? []).map(spelled),
    unreadable: (draft.comparison?.unreadable ?? []).map((unit) => spelled(unit.field.path)),
    unmanaged: (draft.comparison?.unmanaged ?? []).map(spelled),
    secrets: draft.secrets ?? [],
    notes: [...draft.notes, ...toUnmanagedNote(draft, spelled)],
    warnings: [...draft.warnings, ...toUnreadableWarning(draft, spelled)],
    fingerprint: toFingerprint(request, draft),
  };
  return { plan, steps };
}

/** What is not compared is never passed over in silence: one warning names all of it. */
function toUnreadableWarning({ comparison }: Draft, spelled: (path: string) => string): string[] {
  const names = (comparison?.unreadable ?? []).map(({ field }) => spelled(field.path));
  if (names.length === 0) return [];
  return [
    `the service does not show ${names.join(", ")}: not compared, and sent only along with another update`,
  ];
}

/** What cannot change after creation stays anyway: no note is needed. */
const FIXED: ReadonlySet<string> = new Set(
  patchUnits()
    .filter((field) => field.mutability === "create-only")
    .map((field) => field.path),
);

/** Names in one note. */
const MAX_UNMANAGED = 12;

function toUnmanagedNote({ comparison }: Draft, spelled: (path: string) => string): string[] {
  const names = (comparison?.unmanaged ?? []).filter((path) => !FIXED.has(path)).map(spelled);
  if (names.length === 0) return [];
  const more = names.length > MAX_UNMANAGED ? ` and ${names.length - MAX_UNMANAGED} more` : "";
  return [
    `live but not in the spec, so left as it is: ${names.slice(0, MAX_UNMANAGED).join(", ")}${more}`,
  ];
}

/** What a fingerprint covers: all that the plan shows but commits and unreadable fields, and the settings it is carried out with. */
function toFingerprint({ desired, policy }: PlanRequest, draft: Draft): string {
  const { action, changes, blockers } = draft.aside ?? draft;
  const {
    id = null,
    verify = null,
    on_failure = null,
    secrets,
    resource_spec,
    paths,
  } = desired.deploy;
  const { name = null, values = {} } = desired.target ?? {};
  const where = {
    service: policy.service ?? "",
    tenant: policy.tenant ?? "",
    target: { ...values, name },
    name: desired.name,
  };
  const deploy = { id, verify, on_failure, secrets, resource_spec, paths };
  const shown: Json = {
    ...where,
    dialect: desired.dialect,
    id: draft.id,
    action: blockers.length > 0 ? "blocked" : action,
    changes: byPath(changes).map(({ path, before, after, effect }) => {
      return { path, before, after, effect };
    }),
    blockers: blockers.map(({ code, path = null, message }) => ({ code, path, message })),
    secrets: [...(draft.secrets ?? [])].sort(byName).map(({ name, mark }) => ({ name, mark })),
    dropped: [...(draft.comparison?.dropped ?? [])].sort(),
    force: policy.force,
    deploy,
  };
  return fingerprintOf(shown, {
    ...where,
    source: desired.source,
    wanted: toDesiredCanonical(desired),
    deploy,
  });
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

const byPath = (changes: readonly Change[]): Change[] =>
  [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));

/** Field names in a sentence, as the user spells them. */
function spellWords(message: string, desired: Desired): string {
  return message.replace(/\b(?:langgraph_config_path|graph_config_path)\b/g, (word) =>
    spellKey(word, desired.dialect),
  );
}

function forecast(steps: readonly Step[]): DeploymentPlan["revision"] {
  if (
    steps.some(
      (step) =>
        step.kind === "create" ||
        step.kind === "redeploy" ||
        (step.kind === "patch" && step.makesRevision),
    )
  )
    return "makes";
  return steps.some((step) => step.kind === "attach" || step.kind === "await-push")
    ? "waits"
    : "none";
}

function blocked(request: PlanRequest, id: string | null, blockers: readonly Blocker[]): Planned {
  return finish(request, {
    id,
    action: "blocked",
    changes: [],
    blockers,
    steps: [],
    notes: [],
    warnings: [],
  });
}

/** The spec alone, for the fingerprint: secrets by name, nothing sensitive. */
function toDesiredCanonical(desired: Desired): Json {
  const out: Record<string, Json> = {};
  for (const field of patchUnits()) {
    const value = valueAt(desired.body, field.path);
    if (value === undefined) continue;
    out[field.path] =
      field.path === "secrets"
        ? toEntries(value)
            .map((entry) => entry.name)
            .sort()
        : toShown(field, field.shape, value);
  }
  return out;
}

// ---- create

function planCreate(request: PlanRequest, notes: readonly string[]): Planned {
  const { desired } = request;
  if (desired.source === "internal_docker" || desired.source === "internal_source") {
    return blocked(request, null, [
      {
        code: "internal-source",
        message:
          `a deployment of source ${desired.source} is made by the vendor's command line; agent-deploy creates repohost (github) and external_container (external_docker) ones. ` +
          "Create it there first, or write a spec with one of these sources",
      },
    ]);
  }
  const chosen = chooseLookups(request);
  const written = withoutNulls(desired.body) as JsonObject;
  let body: JsonObject = { ...toCreateBody(written), name: desired.name, source: desired.source };
  for (const { path, id } of chosen.values) body = withValue(body, path, id);
  const changes = patchUnits().flatMap((field): Change[] => {
    const value = valueAt(body, field.path);
    if (isNull(value) || field.path === "source") return [];
    if (field.path === "secrets") {
      const entries = toEntries(value).map(
        (entry, index): Change => ({
          path: `secrets.${entry.name}`,
          before: null,
          after: desired.unknown.has(`secrets.${index}.value`) ? KNOWN_AT_APPLY : "(new value)",
          effect: "new-revision",
          sensitive: true,
        }),
      );
      return [...showVariables(desired, null, entries)];
    }
    return [
      {
        path: field.path,
        before: null,
        after: toShown(field, field.shape, value),
        effect: "new-revision",
        sensitive: holdsSensitive(field, field.shape, value),
      },
    ];
  });
  return finish(request, {
    id: null,
    action: "create",
    secrets: toEntries(body["secrets"]).map(({ name }, index) => ({
      name,
      mark: desired.unknown.has(`secrets.${index}.value`) ? KNOWN_AT_APPLY : "added",
    })),
    changes,
    blockers: chosen.blockers,
    steps: [{ kind: "create", body }],
    notes,
    warnings: chosen.warnings,
  });
}

/** What the service wants in every create, though it be empty. */
const ALWAYS_SENT: JsonObject = { source_config: {}, source_revision_config: {}, secrets: [] };

/** The groups and fields of the table that a create may carry, as far as the spec writes them. */
function toCreateBody(written: JsonObject): JsonObject {
  const known = [...deploymentShape.fields.values()].filter(
    ({ mutability, name }) => mutability !== "read-only" && !isNull(written[name]),
  );
  return {
    ...ALWAYS_SENT,
    ...Object.fromEntries(known.map(({ name }) => [name, written[name] as Json])),
  };
}

interface Chosen {
  readonly values: readonly { readonly path: string; readonly id: string }[];
  readonly blockers: readonly Blocker[];
  readonly warnings: readonly string[];
}

function toListenerWarning({ listenersUnread }: Lookups): string[] {
  return listenersUnread === undefined
    ? []
    : [`the listeners could not be read, so created without a listener_id: ${listenersUnread}`];
}

/** The integration or listener a create uses where the spec names none: the only one there is. Of several integrations none is guessed. */
function chooseLookups({ desired, lookups }: PlanRequest): Chosen {
  const [path, items, what] =
    desired.source === "repohost"
      ? (["source_config.integration_id", lookups.integrations, "integration"] as const)
      : (["source_config.listener_id", lookups.listeners, "listener"] as const);
  if (!isNull(valueAt(desired.body, path))) return { values: [], blockers: [], warnings: [] };
  if (items === null) {
    const warnings =
      what === "integration"
        ? ["the service has no lookup of integrations: created without an integration_id"]
        : toListenerWarning(lookups);
    return { values: [], blockers: [], warnings };
  }
  if (items.length === 1)
    return { values: [{ path, id: items[0]!.id }], blockers: [], warnings: [] };
  const list = items.map((item) => `${item.id} (${item.name})`).join(", ");
  // Only a workspace that has listeners may need one: with several, the service says so itself (docs/service.md 2.8).
  if (what === "listener") {
    const warnings =
      items.length === 0
        ? []
        : [
            `${path} is not given and there are ${items.length}: ${list}. Created without; write one of them into the spec if the service refuses`,
          ];
    return { values: [], blockers: [], warnings };
  }
  const message =
    items.length === 0
      ? `${path} is not given and the service has no integration: install it for the account that owns the repository, then run again`
      : `${path} is not given and there are ${items.length}: ${list}. Write one of them into the spec`;
  return { values: [], blockers: [{ code: what, message, path }], warnings: [] };
}

// ---- update

type Live = Extract<Found, { state: "live" }>;
type LatestState = "settled" | "unfinished" | "ended";

/** Where the latest revision stands: a DEPLOYED one that is not active is either about to be, or somebody went back behind it. */
function judgeLatest({ deployment, latest, active }: Live): LatestState {
  const { latest_revision_id: latestId, active_revision_id: activeId } = deployment;
  if (latestId !== null && latestId === activeId) return "settled";
  if (latest === null) return "unfinished";
  const end = endOf(latest.status);
  if (end !== undefined && end !== "deployed") return "ended";
  const displaced =
    end === "deployed" &&
    active !== null &&
    Date.parse(active.updated_at) > Date.parse(latest.updated_at);
  return displaced ? "ended" : "unfinished";
}

function planLive(request: PlanRequest, live: Live): Planned {
  const { desired, policy } = request;
  const { deployment } = live;
  const comparison = compareDeployment(desired, deployment, policy.secretsUnknown);
  const refChanges = comparison.units.some((unit) => unit.field.path === REPO_REF);
  const commit = judgeCommit(desired, deployment, request.commit, policy.force || refChanges);
  const blockers = [...comparison.blockers, ...judgeInternalSource(desired, comparison)];
  if (policy.create === "always" && desired.deploy.id === undefined)
    blockers.push({
      code: "exists",
      message: `create: always, but there is a live deployment named ${deployment.name} (${deployment.id}). Use create: auto to update it`,
    });
  const image = judgeImage(comparison.units, request.newerRun ?? { state: "none" }, policy.force);
  const { steps, revisionChange } = toSteps(request, live, comparison, commit);
  const withoutCommit = toSteps(request, live, comparison, NO_COMMIT);
  const changesWith = (...more: readonly (Change | null)[]): Change[] => [
    ...comparison.changes,
    ...more.filter((change) => change !== null),
  ];
  return finish(request, {
    id: deployment.id,
    action: toAction(steps),
    changes: changesWith(commit.change, revisionChange),
    blockers: [...blockers, ...image.blockers, ...judgeRepeatedRef(desired, deployment, commit)],
    aside: {
      action: toAction(withoutCommit.steps),
      changes: changesWith(withoutCommit.revisionChange),
      blockers,
    },
    steps,
    comparison,
    secrets: comparison.secrets,
    notes: [...comparison.notes, ...commit.notes, ...image.notes],
    warnings: comparison.warnings,
  });
}

const NO_COMMIT: CommitVerdict = { change: null, blocker: null, notes: [] };

/** What the commit itself stops: an older run, or a build that needs a ref nobody knows. */
function judgeRepeatedRef(
  desired: Desired,
  deployment: LiveDeployment,
  commit: CommitVerdict,
): Blocker[] {
  if (commit.blocker !== null) return [commit.blocker];
  if (commit.change === null || refOf(desired, deployment) !== null) return [];
  return [
    {
      code: "no-ref",
      path: REPO_REF,
      message: `the commit moved, and building it means to send ${REPO_REF}, which the spec does not name and the service does not return. Write it into the spec`,
    },
  ];
}

/** What a deployment of the vendor's command line is built from is not ours to change; its secrets are. */
function judgeInternalSource(
  desired: Desired,
  { units, unreadable }: DocumentComparison,
): Blocker[] {
  if (desired.source !== "internal_docker" && desired.source !== "internal_source") return [];
  return [...units, ...unreadable]
    .filter(({ field }) => field.path !== "secrets")
    .map(({ field: { path } }) => ({
      code: "internal-source",
      path,
      message:
        `${path} cannot be changed for source ${desired.source}, which the vendor's command line builds. Keep only name, source, secrets and deploy in the spec, ` +
        "or migrate: write a new deployment under another name with source repohost (github) or external_container (external_docker)",
    }));
}

function toAction(steps: readonly Step[]): Action {
  if (steps.length === 0) return "none";
  if (steps.every((step) => step.kind === "attach")) return "attach";
  return steps.every((step) => step.kind === "redeploy") ? "redeploy" : "update";
}

function toSteps(
  request: PlanRequest,
  live: Live,
  comparison: DocumentComparison,
  commit: CommitVerdict,
): { steps: Step[]; revisionChange: Change | null } {
  const { desired, policy } = request;
  const { deployment, latest } = live;
  const steps: Step[] = [];
  // A changed ref is the PATCH's own: no push builds it.
  const byPush =
    commit.change !== null &&
    !comparison.units.some((unit) => unit.field.path === REPO_REF) &&
    valueAt(deployment.body, "source_config.build_on_push") === true;
  if (byPush) steps.push({ kind: "await-push", commit: String(commit.change?.after) });
  const patch = toPatch(
    comparison,
    commit.change !== null && !byPush ? refOf(desired, deployment) : null,
  );
  if (patch !== null) steps.push(patch);
  if (byPush || patch?.makesRevision === true) return { steps, revisionChange: null };
  const state = judgeLatest(live);
  if (state === "unfinished") {
    steps.push({ kind: "attach", revisionId: deployment.latest_revision_id });
    return { steps, revisionChange: null };
  }
  if ((state === "ended" || policy.force) && deployment.latest_revision_id !== null) {
    steps.push({ kind: "redeploy", revisionId: deployment.latest_revision_id });
    const before = state === "ended" ? (latest?.status ?? "not active") : "DEPLOYED";
    return {
      steps,
      revisionChange: {
        path: "revision",
        before,
        after: "redeployed",
        effect: "new-revision",
        sensitive: false,
      },
    };
  }
  return { steps, revisionChange: null };
}

const REPO_REF = "source_revision_config.repo_ref";

/** The ref that building the branch anew repeats: the spec's, else the live one where the reply still holds it. */
function refOf(desired: Desired, live: LiveDeployment): Json | null {
  return valueAt(desired.body, REPO_REF) ?? readableRef(live) ?? null;
}

/** The PATCH of exactly the changed units and of a ref to repeat, plus the units nobody could read where it is made anyway. */
function toPatch(
  comparison: DocumentComparison,
  repeatedRef: Json | null,
): Extract<Step, { kind: "patch" }> | null {
  const units: ChangedUnit[] = [...comparison.units];
  const repoRef = patchUnits().find((field) => field.path === REPO_REF);
  const makesRevision =
    repeatedRef !== null || units.some((unit) => unit.field.meta.effect === "new-revision");
  if (
    repoRef !== undefined &&
    repeatedRef !== null &&
    !units.some((unit) => unit.field.path === REPO_REF)
  )
    units.push({ field: repoRef, value: repeatedRef });
  if (units.length === 0) return null;
  for (const unit of comparison.unreadable) {
    if (
      isNull(unit.value) ||
      unit.field.mutability === "create-only" ||
      units.some((other) => other.field.path === unit.field.path)
    )
      continue;
    if (unit.field.meta.effect !== "new-revision" || makesRevision)
      units.push({ field: unit.field, value: withoutNulls(unit.value) });
  }
  const body = units.reduce<JsonObject>(
    (partial, unit) => withValue(partial, unit.field.path, unit.value),
    {},
  );
  return { kind: "patch", body, makesRevision };
}
