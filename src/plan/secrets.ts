import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import type { Change, SecretMark } from "./plan.ts";
import { ENVIRONMENT, environmentPath } from "./units.ts";
import { isReturned, valueAt } from "./value.ts";

/** A secret in a body. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

/** The difference between two sets of secrets; `body` is the whole set that a PATCH would send. */
export interface SecretsDiff {
  readonly changes: readonly Change[];
  /** Every name of both sets with its mark; a live one kept by a merge is `same`. */
  readonly marks: readonly SecretMark[];
  /** Live names whose wanted value only `apply` knows, compared by name. */
  readonly knownAtApply: readonly string[];
  /** Live names that the merged body must contain, but whose values are not returned. */
  readonly unreadable: readonly string[];
  /** Live names that the spec lacks, kept by a merge or by a null of the target. */
  readonly kept: readonly string[];
  readonly body: readonly Json[];
}

/**
 * Whether a live entry is kept although the whole list is sent: the target leaves it, or its
 * optional secret is not set in this run.
 */
export function isLeft({ leaves, leftOut }: Desired, name: string): boolean {
  return leaves?.has(name) === true || leftOut?.has(name) === true;
}

/** The entries of a list of environment values; ignores anything else in it. */
export function toEntries(value: Json | undefined): Entry[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) => {
    // A service may list only names.
    if (typeof item === "string") return [{ name: item, value: "" }];
    if (!isObject(item) || typeof item["name"] !== "string") return [];
    const text = item["value"];
    return [{ name: item["name"], value: typeof text === "string" ? text : "" }];
  });
}

/** A change of one entry, with words in place of its value. */
export const changeOfSecret = (
  name: string,
  before: string | null,
  after: string | null,
): Change => ({
  path: environmentPath(name),
  before,
  after,
  effect: "new-revision",
  sensitive: true,
});

/** How a wanted secret compares with the live one: by value if the service returns it, else by name. */
function markOf(
  wanted: Entry,
  live: string | undefined,
  atApply: boolean,
  isListRead: boolean,
): SecretMark["mark"] {
  if (atApply) return KNOWN_AT_APPLY;
  if (live === undefined) return isListRead ? "added" : "value unknown";
  // Equal stars may hide different values.
  if (live === wanted.value && (live === "" || isReturned(live))) return "same";
  return isReturned(live) ? "changed" : "value unknown";
}

/**
 * Compares secrets by name, and by value if the service returns it. A secret whose wanted value
 * only apply knows, or whose live value is hidden, is compared by name; a hidden one is sent only
 * with `send`. `live` undefined: the list itself is not returned.
 */
export function diffSecrets(
  desired: Desired,
  live: Json | undefined,
  mode: "merge" | "replace",
  unknownPolicy: "keep" | "send",
): SecretsDiff {
  const wanted = toEntries(valueAt(desired.body, ENVIRONMENT.path));
  const current = new Map(toEntries(live).map((entry) => [entry.name, entry.value]));
  const changes: Change[] = [];
  const marks: SecretMark[] = wanted.map((entry, index) => ({
    name: entry.name,
    mark: markOf(
      entry,
      current.get(entry.name),
      desired.unknown.has(environmentPath(`${index}.value`)),
      live !== undefined,
    ),
  }));
  const absent = live === undefined ? "value unknown" : null;
  for (const { name, mark } of marks) {
    const isNew = !current.has(name);
    if (mark === KNOWN_AT_APPLY && isNew)
      changes.push(changeOfSecret(name, absent, KNOWN_AT_APPLY));
    else if (mark === "added") changes.push(changeOfSecret(name, null, "(new value)"));
    else if (mark === "changed") changes.push(changeOfSecret(name, "(old value)", "(new value)"));
    else if (mark === "value unknown" && unknownPolicy === "send")
      changes.push(changeOfSecret(name, "value unknown", "(new value)"));
  }
  const names = new Set(wanted.map((entry) => entry.name));
  const others = [...current].filter(([name]) => !names.has(name));
  const isKept = (name: string): boolean => mode === "merge" || isLeft(desired, name);
  const gone = others.map(([name]) => name).filter((name) => !isKept(name));
  changes.push(...gone.map((name) => changeOfSecret(name, "(set)", null)));
  const kept = others.filter(([name]) => isKept(name));
  const wantedEntries = wanted.map(({ name, value }): [string, string] => [name, value]);
  const body =
    mode === "replace" ? [...wantedEntries, ...kept] : [...new Map([...current, ...wantedEntries])];
  return {
    changes,
    marks: [
      ...marks,
      ...gone.map((name): SecretMark => ({ name, mark: "removed" })),
      ...kept.map(([name]): SecretMark => ({ name, mark: "same" })),
    ],
    knownAtApply: marks
      .filter(({ name, mark }) => mark === KNOWN_AT_APPLY && current.has(name))
      .map(({ name }) => name),
    unreadable: kept.filter(([, value]) => !isReturned(value)).map(([name]) => name),
    kept: kept.map(([name]) => name),
    body: body.map(([name, value]) => ({ name, value })),
  };
}
