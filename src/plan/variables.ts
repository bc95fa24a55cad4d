import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import { isShownLive, looksLikeKey } from "../secrets/key-like.ts";
import type { Change } from "./plan.ts";
import { toEntries } from "./secrets.ts";
import { ENVIRONMENT, environmentPath } from "./units.ts";
import { valueAt } from "./value.ts";

const SECRET = environmentPath("");

/** Changes of the service's one list, with the spec's variables shown by value under `variables.NAME`. */
export function showVariables(
  desired: Desired,
  live: Json | undefined,
  changes: readonly Change[],
): readonly Change[] {
  const names = desired.variables;
  if (names === undefined) return changes;
  const valuesOf = (list: Json | undefined): ReadonlyMap<string, string> => {
    const items = Array.isArray(list) ? (list as readonly Json[]) : [];
    // A null value was not returned, which differs from an empty one.
    return new Map(
      toEntries(items.filter((one) => isObject(one) && typeof one["value"] === "string")).map(
        ({ name, value }) => [name, value],
      ),
    );
  };
  const before = valuesOf(live);
  const after = valuesOf(valueAt(desired.body, ENVIRONMENT.path));
  return changes.map((change) => {
    const name = change.path.startsWith(SECRET) ? change.path.slice(SECRET.length) : "";
    if (!names.has(name)) return change;
    // An untrusted spec could list any secret as a variable to have it shown.
    const isShownAs = (value: string): boolean =>
      desired.untrusted !== true && isShownLive(name, value);
    return {
      ...change,
      path: `variables.${name}`,
      before: shown(change.before, before.get(name), isShownAs),
      after: shown(change.after, after.get(name), (value) => !looksLikeKey(value)),
      sensitive: false,
    };
  });
}

/** The value in place of a word about it; a possible secret keeps the word. */
function shown(word: Json, value: string | undefined, isShown: (value: string) => boolean): Json {
  const isWord = word !== null && word !== KNOWN_AT_APPLY && word !== "value unknown";
  return isWord && value !== undefined && isShown(value) ? value : word;
}
