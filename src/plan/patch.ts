import type { LiveDeployment } from "../model/live.ts";
import type { Desired } from "../spec/desired.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { readableRef } from "./comparison.ts";
import type { ChangedUnit, DocumentComparison } from "./gathered-changes.ts";
import type { SourceUpload, Step } from "./plan.ts";
import { patchWithExtra } from "./extra.ts";
import { ENVIRONMENT, REF } from "./units.ts";
import { isNull, valueAt, withoutNulls, withValue } from "./value.ts";

/** The ref to repeat when building the branch again: the spec's, else the live one if the reply contains it. */
export function refOf(desired: Desired, live: LiveDeployment): Json | null {
  return valueAt(desired.body, REF.path) ?? readableRef(live) ?? null;
}

/**
 * Whether a field that could not be compared is sent along with a PATCH: not if the service can
 * neither change nor clear it.
 */
export function isSentUnread({ field, value }: ChangedUnit): boolean {
  if (isNull(value) || field.mutability === "create-only") return false;
  return field !== ENVIRONMENT || (Array.isArray(value) && value.length > 0);
}

/** An archive to upload, and the other source that the deployment moves to. */
export interface Moves {
  readonly upload: SourceUpload | null;
  readonly movesTo: string | null;
}

/**
 * The PATCH of exactly the changed units and of a ref to repeat; null if there is nothing to send.
 * Units that could not be read are sent along, but those that make a revision only if one is made
 * anyway.
 */
export function toPatch(
  comparison: DocumentComparison,
  repeatedRef: Json | null,
  live: LiveDeployment,
  source: Moves,
): Extract<Step, { kind: "patch" }> | null {
  const units: ChangedUnit[] = [...comparison.units];
  const makesRevision =
    source.upload !== null ||
    repeatedRef !== null ||
    units.some((unit) => unit.field.meta.effect === "new-revision");
  if (repeatedRef !== null && !units.some(({ field }) => field === REF))
    units.push({ field: REF, value: repeatedRef });
  const { extra } = comparison;
  if (units.length === 0 && extra.changes.length === 0 && source.upload === null) return null;
  for (const unit of comparison.unreadable) {
    if (!isSentUnread(unit) || units.some((other) => other.field.path === unit.field.path))
      continue;
    if (unit.field.meta.effect !== "new-revision" || makesRevision)
      units.push({ field: unit.field, value: withoutNulls(unit.value) });
  }
  const body = units.reduce<JsonObject>(
    (partial, unit) => withValue(partial, unit.field.path, unit.value),
    {},
  );
  return {
    kind: "patch",
    body: {
      ...patchWithExtra(body, extra.sent, live),
      ...(source.movesTo === null ? {} : { revision_source: source.movesTo }),
    },
    makesRevision,
    ...(source.upload === null ? {} : { upload: source.upload }),
    ...(extra.sent.length === 0 || makesRevision ? {} : { mayMakeRevision: true }),
  };
}
