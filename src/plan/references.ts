import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { isObject, sameJson, withMembers, type Json } from "../model/json.ts";

/** A value's path in the spec, with list positions as indexes, and the texts to show by path. */
export interface ShownPlace {
  readonly path: string;
  readonly shown: Desired["shown"] | undefined;
}

const below = ({ path, shown }: ShownPlace, key: string | number): ShownPlace => ({
  path: `${path}.${key}`,
  shown,
});

/** A wanted value as it is shown: `${NAME}` in place of what a variable with a secret's name fills in. */
export function withReferences(value: Json, place: ShownPlace): Json {
  if (place.shown === undefined || value === KNOWN_AT_APPLY) return value;
  const text = place.shown.get(place.path);
  if (text !== undefined) return text;
  if (Array.isArray(value))
    return value.map((item: Json, index) => withReferences(item, below(place, index)));
  return isObject(value)
    ? withMembers(value, (item, key) => withReferences(item, below(place, key)))
    : value;
}

/** Shown for the live value that a secret is to replace: most likely it is the secret's previous value. */
const OLD_VALUE = "(old value)";

/**
 * A live value as it is shown next to the wanted one: where a variable with a secret's name fills
 * that in, an equal text is shown as the reference, and any other is hidden.
 */
export function withoutOldSecrets(live: Json, wanted: Json, place: ShownPlace): Json {
  if (live === null || !isFilled(place)) return live;
  if (sameJson(live, wanted)) return withReferences(live, place);
  if (Array.isArray(live) && Array.isArray(wanted))
    return live.map((item: Json) => {
      const at = wanted.findIndex((one: Json) => isCounterpart(one, item));
      return at < 0 ? OLD_VALUE : withoutOldSecrets(item, wanted[at] as Json, below(place, at));
    });
  if (!isObject(live) || !isObject(wanted)) return OLD_VALUE;
  return withMembers(live, (item, key) =>
    withoutOldSecrets(item, wanted[key] ?? null, below(place, key)),
  );
}

/** Whether such a variable fills in the value at a place, or a part of it. */
function isFilled({ path, shown }: ShownPlace): boolean {
  if (shown === undefined) return false;
  return [...shown.keys()].some((one) => one === path || one.startsWith(`${path}.`));
}

/** Whether two items of a list are equal, or have the same name. */
function isCounterpart(wanted: Json, live: Json): boolean {
  if (sameJson(wanted, live)) return true;
  const name = isObject(live) ? live["name"] : undefined;
  return name !== undefined && isObject(wanted) && sameJson(wanted["name"], name);
}
