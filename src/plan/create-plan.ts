import { deploymentShape } from "../model/shape.ts";
import type { Field } from "../model/field-shape.ts";
import { isVendorBuilt } from "../model/dialect.ts";
import type { Desired } from "../spec/desired.ts";
import { itemsOf, type Json, type JsonObject } from "../model/json.ts";
import { type Change, gather, type Planned, type Step, type PlanPart } from "./plan.ts";
import { describeLeftOut, diffSecrets } from "./secrets.ts";
import { createExtra, warnOfExtra, withExtra } from "./extra.ts";
import { sourceOfCreate } from "./source.ts";
import { withReferences } from "./references.ts";
import { ENVIRONMENT, patchUnits } from "./units.ts";
import { holdsSensitive, isNull, toShown, valueAt, withoutNulls, withValue } from "./value.ts";
import { type PlanRequest, finish, blocked } from "./plan-draft.ts";

/**
 * Plans a create: no deployment has the name, the one that has it is being deleted, or the service
 * has no lookup and `create: always` is set.
 */
export function planCreate(request: PlanRequest, notes: readonly string[]): Planned {
  const { desired } = request;
  if (isVendorBuilt(desired.source)) {
    return blocked(request, null, {
      code: "internal-source",
      message:
        `a deployment of source ${desired.source} is made by the vendor's own tools; agent-deploy creates repohost (github) and external_container (external_docker) ones. ` +
        "Create it there first, or write a spec with one of these sources",
    });
  }
  const chosen = choose(request);
  const written = withoutNulls(desired.body) as JsonObject;
  let body: JsonObject = { ...toCreateBody(written), name: desired.name, source: desired.source };
  // The create of a deployment from the checkout builds nothing.
  if (desired.source === "internal_source") body = { ...body, source_revision_config: {} };
  if (chosen.id !== undefined) body = withValue(body, chosen.path, chosen.id);
  // Against an empty list all of them are new.
  const secrets = diffSecrets(desired, [], "keep");
  return finish(request, {
    ...gather([
      { notes, changes: sourceOfCreate(desired) },
      {
        changes: patchUnits().flatMap((field) =>
          field === ENVIRONMENT ? secrets.changes : toAdded(desired, field, written, body),
        ),
      },
      { notes: describeLeftOut(desired, null) },
      chosen,
      desired.archive ?? {},
      { changes: createExtra(desired), warnings: warnOfExtra(desired) },
    ]),
    id: null,
    secrets: secrets.marks,
    steps: [
      {
        kind: "create",
        body: withExtra(body, desired.deploy.extra),
        ...(desired.archive === undefined ? {} : { builds: false }),
      },
      ...toLater(written),
      ...toUpload(desired, body),
    ],
  });
}

/** What a create shows for one field; `body` is what it sends, `written` is all that the spec says. */
function toAdded(
  { shown }: Desired,
  field: Field,
  written: JsonObject,
  body: JsonObject,
): readonly Change[] {
  const isLater = field.mutability === "patch-only";
  const value = valueAt(isLater ? written : body, field.path);
  if (isNull(value) || field.path === "source") return [];
  return [
    {
      path: field.path,
      before: null,
      after: toShown(field, withReferences(value, { path: field.path, shown })),
      effect: isLater ? "in-place" : "new-revision",
      sensitive: holdsSensitive(field, value),
    },
  ];
}

/** The PATCH that builds the archive of the checkout. */
function toUpload({ archive }: Desired, body: JsonObject): Step[] {
  if (archive === undefined) return [];
  const { hash, configPath } = archive;
  const secrets = itemsOf(valueAt(body, ENVIRONMENT.path));
  return [{ kind: "patch", body: {}, makesRevision: true, upload: { hash, configPath, secrets } }];
}

/** Required in every create, even if empty. */
const ALWAYS_SENT: JsonObject = { source_config: {}, source_revision_config: {}, secrets: [] };

/** The groups and fields that a create may contain, as far as the spec writes them. */
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

/** The update that follows a create, with the fields that a create refuses; it builds nothing. */
function toLater(written: JsonObject): Step[] {
  const fields = patchUnits().filter(
    ({ mutability, path }) => mutability === "patch-only" && !isNull(valueAt(written, path)),
  );
  if (fields.length === 0) return [];
  const body = fields.reduce<JsonObject>(
    (partial, { path }) => withValue(partial, path, valueAt(written, path) ?? null),
    {},
  );
  return [{ kind: "patch", body, makesRevision: false }];
}

/** The integration or listener that a create uses if the spec names none; without `id` the create names none either. */
interface Chosen extends PlanPart {
  readonly path: string;
  readonly id?: string;
}

/**
 * Chooses the integration or listener of a create if the spec names none: the only one there is. It
 * never picks one of several. Of several integrations, the spec must name one; of several
 * listeners, the service says so itself if one is needed (contributing/service.md 2.8). If the
 * service has no lookup, the create names none; if it forbids the lookup, there may be one that the
 * create needs.
 */
function choose({ desired, choices: { items, unread } }: PlanRequest): Chosen {
  const isListener = desired.source !== "repohost";
  const path = isListener ? "source_config.listener_id" : "source_config.integration_id";
  if (!isNull(valueAt(desired.body, path))) return { path };
  if (items?.length === 1) return { path, id: items[0]!.id };
  const list = items?.map((item) => `${item.id} (${item.name})`).join(", ");
  const several = `${path} is not given and there are ${items?.length}: ${list}`;
  const warned = (warning: string): Chosen => ({ path, warnings: [warning] });
  const blocked = (message: string): Chosen => ({
    path,
    blockers: [{ code: "integration", message, path }],
  });
  if (isListener) {
    if (unread !== undefined)
      return warned(
        `the listeners could not be read, so the create names no listener_id: ${unread}`,
      );
    return items === null || items.length === 0
      ? { path }
      : warned(
          `${several}. The create names none; write one of them into the spec if the service refuses`,
        );
  }
  if (unread !== undefined)
    return blocked(
      `${path} is not given, and the integrations cannot be read: ${unread.replace(/\.$/, "")}. ` +
        `Write ${path} into the spec, or use a key that may read them`,
    );
  if (items === null)
    return warned("the service has no lookup of integrations: the create names no integration_id");
  return blocked(
    items.length === 0
      ? `${path} is not given and the service has no integration: install it for the account that owns the repository, then run again`
      : `${several}. Write one of them into the spec`,
  );
}
