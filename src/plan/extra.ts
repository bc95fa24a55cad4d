import { isObject, sameJson, type Json, type JsonObject } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import { fieldAt } from "../model/shape.ts";
import type { Desired } from "../spec/desired.ts";
import { toChange, type Change } from "./plan.ts";
import { withoutOldSecrets, withReferences, type ShownPlace } from "./references.ts";
import { patchUnits } from "./units.ts";
import { answeredAt, toDotted, valueAt, withoutNulls, withValue } from "./value.ts";

/** The part of `deploy.extra` that a PATCH sends. */
export interface ExtraComparison {
  readonly changes: readonly Change[];
  /** Leaves that differ, or that the reply does not show. */
  readonly sent: readonly Leaf[];
  /** Paths that the reply does not show, so they are not compared. */
  readonly unread: readonly string[];
  /** Those inside a value that is sent whole, if neither the reply nor the spec has it: they are not sent. */
  readonly unsent: readonly string[];
}

/** A value of `deploy.extra` with its keys, which may hold dots (`acme.com/team`). */
type Leaf = readonly [keys: readonly string[], value: Json];

/**
 * Each leaf of `deploy.extra`. An empty mapping under a key of the table adds nothing to what is
 * there; an unknown one is sent as written.
 */
function leavesOf(value: JsonObject, path: readonly string[] = []): Leaf[] {
  return Object.entries(value).flatMap(([key, child]): Leaf[] => {
    const at = [...path, key];
    if (!isObject(child)) return [[at, child]];
    const isEmpty = Object.keys(child).length === 0;
    if (!isEmpty) return leavesOf(child as JsonObject, at);
    return fieldAt(at) === undefined ? [[at, child]] : [];
  });
}

/** Paths of what `deploy.extra` holds. */
export const extraPaths = ({ deploy }: Desired): (readonly string[])[] =>
  leavesOf(deploy.extra ?? {}).map(([keys]) => keys);

const placeOf = (path: string, shown: ShownPlace["shown"]): ShownPlace => ({
  path: `deploy.extra.${path}`,
  shown,
});

const EFFECT = "may make a revision";

/** Compares `deploy.extra` with the live deployment, as far as the reply shows it. */
export function compareExtra(
  { deploy, body, shown: texts }: Desired,
  live: LiveDeployment,
): ExtraComparison {
  const rows = leavesOf(deploy.extra ?? {}).map(([keys, value]) => {
    const shown = valueAt(live.body, keys);
    const isSent = shown === undefined || !sameJson(shown, value);
    return { keys, path: toDotted(keys), value, shown, isSent };
  });
  const sent = rows.filter(({ isSent }) => isSent);
  return {
    changes: sent.flatMap(({ path, shown, value }) => {
      if (shown === undefined) return [];
      const at = placeOf(path, texts);
      const before = withoutOldSecrets(shown, value, at);
      return [toChange(path, before, withReferences(value, at), EFFECT)];
    }),
    sent: sent.map(({ keys, value }) => [keys, value]),
    unread: sent.flatMap(({ path, shown }) => (shown === undefined ? [path] : [])),
    unsent: rows.flatMap(({ path }) => {
      const whole = wholeOf(path);
      const isLost = whole !== undefined && answeredAt(live.body, whole) === undefined;
      return isLost && valueAt(body, whole) === undefined ? [path] : [];
    }),
  };
}

/** The changes that a create shows for `deploy.extra`. */
export function createExtra({ deploy, shown }: Desired): Change[] {
  return leavesOf(deploy.extra ?? {}).map(([keys, value]) => {
    const path = toDotted(keys);
    return toChange(path, null, withReferences(value, placeOf(path, shown)), EFFECT);
  });
}

/** A body with `deploy.extra` merged into it, as written. */
export function withExtra(body: JsonObject, extra: JsonObject | undefined): JsonObject {
  return leavesOf(extra ?? {}).reduce(
    (merged, [keys, value]) => withValue(merged, keys, value),
    body,
  );
}

/**
 * A PATCH with leaves of `deploy.extra`. A leaf inside a value that the service replaces whole
 * takes the rest of the live value along.
 */
export function patchWithExtra(
  body: JsonObject,
  sent: ExtraComparison["sent"],
  live: LiveDeployment,
): JsonObject {
  return sent.reduce<JsonObject>((merged, [keys, value]) => {
    const whole = wholeOf(toDotted(keys));
    if (whole === undefined || valueAt(merged, whole) !== undefined)
      return withValue(merged, keys, value);
    const current = answeredAt(live.body, whole);
    // The rest would be lost.
    if (current === undefined) return merged;
    const base = current === null ? merged : withValue(merged, whole, withoutNulls(current));
    return withValue(base, keys, value);
  }, body);
}

/** Values that a PATCH replaces completely. */
const WHOLE = patchUnits()
  .filter(({ meta }) => meta.sentWhole === true)
  .map(({ path }) => path);

const wholeOf = (path: string): string | undefined =>
  WHOLE.find((one) => path.startsWith(`${one}.`));

/** One warning that names everything the table does not know. */
export function warnOfExtra(
  desired: Desired,
  { unread, unsent }: Pick<ExtraComparison, "unread" | "unsent"> = { unread: [], unsent: [] },
): string[] {
  const paths = extraPaths(desired).map(toDotted);
  if (paths.length === 0) return [];
  const verb = (some: readonly string[]): string => (some.length === 1 ? "is" : "are");
  const asked = unread.filter((path) => !unsent.includes(path));
  const hidden =
    asked.length === 0
      ? ""
      : `; the service does not show ${asked.join(", ")}: not compared, and sent only along with another update`;
  const wholes = [...new Set(unsent.map(wholeOf))].join(", ");
  const lost =
    unsent.length === 0
      ? ""
      : `; ${unsent.join(", ")} ${verb(unsent)} not sent, since the service does not show the rest of ${wholes}, which would be lost: write ${wholes} into the spec`;
  return [
    `deploy.extra: ${paths.join(", ")} ${verb(paths)} not known to this version of agent-deploy: sent as written, and a change may make a revision${hidden}${lost}`,
  ];
}
