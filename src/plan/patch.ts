import type { LiveDeployment } from "../model/live.ts";
import type { Desired } from "../spec/desired.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { readableRef } from "./comparison.ts";
import type { ChangedUnit, DocumentComparison } from "./gathered-changes.ts";
import type { SourceUpload, Step } from "./plan.ts";
import { patchWithExtra } from "./extra.ts";
import { ENVIRONMENT, patchUnits, REF } from "./units.ts";
import { isNull, valueAt, withoutNulls, withValue } from "./value.ts";

/** The ref to repeat when building the branch again: the spec's, else the live one if the reply contains it. */
export function refOf(desired: Desired, live: LiveDeployment): Json | null {
  return valueAt(desired.body, REF.path) ?? readableRef(live) ?? null;
}

/**
 * What a PATCH repeats to build the branch again: its ref. If the deployment `goesBack` to its
 * repository, the spec's other values of a build too: the live ones were those of an archive.
 */
export function repeatedUnits(
  desired: Desired,
  live: LiveDeployment,
  goesBack: boolean,
): readonly ChangedUnit[] {
  return patchUnits()
    .filter(({ meta }) => meta.only === "repohost" && meta.effect === "new-revision")
    .filter((field) => goesBack || field === REF)
    .map((field) => ({
      field,
      value: (field === REF ? refOf(desired, live) : valueAt(desired.body, field.path)) ?? null,
    }))
    .filter(({ value }) => !isNull(value));
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
 * The PATCH of exactly the changed units and of those to repeat; null if there is nothing to send.
 * Units that could not be read are sent along, but those that make a revision only if one is made
 * anyway.
 */
export function toPatch(
  comparison: DocumentComparison,
  repeated: readonly ChangedUnit[],
  live: LiveDeployment,
  source: Moves,
): Extract<Step, { kind: "patch" }> | null {
  const units: ChangedUnit[] = [...comparison.units];
  const makesRevision =
    source.upload !== null ||
    repeated.length > 0 ||
    units.some((unit) => unit.field.meta.effect === "new-revision");
  for (const unit of repeated)
    if (!units.some(({ field }) => field === unit.field)) units.push(unit);
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
