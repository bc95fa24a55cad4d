import { deploymentShape } from "../model/shape.ts";
import type { Field } from "../model/field-shape.ts";
import { isHostedSource } from "../model/dialect.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import type { Blocker, Change, Planned, Step } from "./plan.ts";
import type { JsonObject } from "../model/json.ts";
import { toEntries } from "./secrets.ts";
import { tellLeftOut } from "./secrets-comparison.ts";
import { createExtra, warnOfExtra, withExtra } from "./extra.ts";
import { sourceOfCreate } from "./source.ts";
import { ENVIRONMENT, environmentPath, patchUnits } from "./units.ts";
import { showVariables } from "./variables.ts";
import { holdsSensitive, isNull, toShown, valueAt, withoutNulls, withValue } from "./value.ts";
import { type Lookups, type PlanRequest, finish, blocked } from "./plan-draft.ts";

/** The plan where the lookup has proved that nothing of that name is live. */
export function planCreate(request: PlanRequest, notes: readonly string[]): Planned {
  const { desired } = request;
  if (isHostedSource(desired.source) && desired.source !== "internal_source") {
    return blocked(request, null, [
      {
        code: "internal-source",
        message:
          `a deployment of source ${desired.source} is made by the vendor's own tools; agent-deploy creates repohost (github) and external_container (external_docker) ones. ` +
          "Create it there first, or write a spec with one of these sources",
      },
    ]);
  }
  const chosen = chooseLookups(request);
  const written = withoutNulls(desired.body) as JsonObject;
  let body: JsonObject = { ...toCreateBody(written), name: desired.name, source: desired.source };
  // Nothing is built by the create of a deployment that is built from the checkout.
  if (desired.source === "internal_source") body = { ...body, source_revision_config: {} };
  for (const { path, id } of chosen.values) body = withValue(body, path, id);
  const changes = patchUnits().flatMap((field): Change[] => {
    const isLater = field.mutability === "patch-only";
    const value = valueAt(isLater ? written : body, field.path);
    if (isNull(value) || field.path === "source") return [];
    if (field === ENVIRONMENT) {
      const entries = toEntries(value).map(
        (entry, index): Change => ({
          path: environmentPath(entry.name),
          before: null,
          after: desired.unknown.has(environmentPath(`${index}.value`))
            ? KNOWN_AT_APPLY
            : "(new value)",
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
        effect: isLater ? "in-place" : "new-revision",
        sensitive: holdsSensitive(field, field.shape, value),
      },
    ];
  });
  return finish(request, {
    id: null,
    action: "create",
    secrets: toEntries(valueAt(body, ENVIRONMENT.path)).map(({ name }, index) => ({
      name,
      mark: desired.unknown.has(environmentPath(`${index}.value`)) ? KNOWN_AT_APPLY : "added",
    })),
    changes: [...sourceOfCreate(desired), ...changes, ...createExtra(desired)],
    blockers: chosen.blockers,
    steps: [
      {
        kind: "create",
        body: withExtra(body, desired.deploy.extra),
        ...(desired.archive === undefined ? {} : { builds: false }),
      },
      ...toLater(written),
      ...toUpload(desired, body),
    ],
    notes: [...notes, ...tellLeftOut(desired, null), ...(desired.archive?.notes ?? [])],
    warnings: [...chosen.warnings, ...(desired.archive?.warnings ?? []), ...warnOfExtra(desired)],
  });
}

/** The PATCH that builds the archive of the checkout. */
function toUpload({ archive }: PlanRequest["desired"], body: JsonObject): Step[] {
  if (archive === undefined) return [];
  const { hash, configPath } = archive;
  const secrets = Array.isArray(valueAt(body, ENVIRONMENT.path))
    ? (valueAt(body, ENVIRONMENT.path) as readonly Json[])
    : [];
  const upload = { hash, configPath, secrets };
  return [{ kind: "patch", body: {}, makesRevision: true, upload }];
}

/** What the service wants in every create, though it be empty. */
const ALWAYS_SENT: JsonObject = { source_config: {}, source_revision_config: {}, secrets: [] };

/** The groups and fields of the table that a create may carry, as far as the spec writes them. */
function toCreateBody(written: JsonObject): JsonObject {
  const known = [...deploymentShape.fields.values()].filter(
    ({ mutability, name }) =>
      mutability !== "read-only" && mutability !== "patch-only" && !isNull(written[name]),
  );
  return {
    ...ALWAYS_SENT,
    ...Object.fromEntries(known.map(({ name }) => [name, written[name] as Json])),
  };
}

/** Fields that a create refuses, as far as the spec writes them. */
function laterFields(written: JsonObject): readonly Field[] {
  return patchUnits().filter(
    ({ mutability, path }) => mutability === "patch-only" && !isNull(valueAt(written, path)),
  );
}

/** The update that follows a create; it builds nothing. */
function toLater(written: JsonObject): Step[] {
  const fields = laterFields(written);
  if (fields.length === 0) return [];
  const body = fields.reduce<JsonObject>(
    (partial, { path }) => withValue(partial, path, valueAt(written, path) ?? null),
    {},
  );
  return [{ kind: "patch", body, makesRevision: false }];
}

interface Chosen {
  readonly values: readonly { readonly path: string; readonly id: string }[];
  readonly blockers: readonly Blocker[];
  readonly warnings: readonly string[];
}

function toListenerWarning({ listenersUnread }: Lookups): string[] {
  return listenersUnread === undefined
    ? []
    : [`the listeners could not be read, so the create names no listener_id: ${listenersUnread}`];
}

/**
 * A create of a service that has no lookup names none; where the service forbids the lookup there
 * may be one that it needs.
 */
function withoutIntegrations(path: string, { integrationsUnread }: Lookups): Chosen {
  if (integrationsUnread === undefined)
    return {
      values: [],
      blockers: [],
      warnings: ["the service has no lookup of integrations: the create names no integration_id"],
    };
  const message =
    `${path} is not given, and the integrations cannot be read: ${integrationsUnread.replace(/\.$/, "")}. ` +
    `Write ${path} into the spec, or use a key that may read them`;
  return { values: [], warnings: [], blockers: [{ code: "integration", message, path }] };
}

/**
 * The integration or listener a create uses where the spec names none: the only one there is. Of
 * several integrations none is guessed.
 */
function chooseLookups({ desired, lookups }: PlanRequest): Chosen {
  const [path, items, what] =
    desired.source === "repohost"
      ? (["source_config.integration_id", lookups.integrations, "integration"] as const)
      : (["source_config.listener_id", lookups.listeners, "listener"] as const);
  if (!isNull(valueAt(desired.body, path))) return { values: [], blockers: [], warnings: [] };
  if (items === null)
    return what === "integration"
      ? withoutIntegrations(path, lookups)
      : { values: [], blockers: [], warnings: toListenerWarning(lookups) };
  if (items.length === 1)
    return { values: [{ path, id: items[0]!.id }], blockers: [], warnings: [] };
  const list = items.map((item) => `${item.id} (${item.name})`).join(", ");
  // Only a workspace that has listeners may need one: with several, the service says so itself
  // (contributing/service.md 2.8).
  if (what === "listener") {
    const warnings =
      items.length === 0
        ? []
        : [
            `${path} is not given and there are ${items.length}: ${list}. The create names none; write one of them into the spec if the service refuses`,
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
