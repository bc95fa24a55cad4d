import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import { isShownLive, looksLikeKey } from "../secrets/key-like.ts";
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

const valuesOf = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map(entries.map(({ name, value }) => [name, value]));

type ToChange = (name: string, before: string | null, after: string | null) => Change;

/** Changes of single entries, with words in place of values; the spec's variables are shown by value. */
function createChanges(
  { variables, untrusted }: Desired,
  wanted: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, string>,
): ToChange {
  return (name, before, after) => {
    const effect = "new-revision";
    if (variables?.has(name) !== true)
      return { path: environmentPath(name), before, after, effect, sensitive: true };
    const [was, is] = [live.get(name) ?? "", wanted.get(name) ?? ""];
    // An untrusted spec could list any secret as a variable to have it shown.
    const showsLive = untrusted !== true && was !== "" && isShownLive(name, was);
    return {
      path: `variables.${name}`,
      before: isWord(before) && showsLive ? was : before,
      after: isWord(after) && !looksLikeKey(is) ? is : after,
      effect,
      sensitive: false,
    };
  };
}

/** Whether a word takes the place of a value that is known. */
const isWord = (word: string | null): boolean =>
  word !== null && word !== KNOWN_AT_APPLY && word !== "value unknown";

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
  unknownPolicy: "keep" | "send",
): SecretsDiff {
  const wanted = toEntries(valueAt(desired.body, ENVIRONMENT.path));
  const [wantedValues, current] = [valuesOf(wanted), valuesOf(toEntries(live))];
  const marks: SecretMark[] = wanted.map((entry, index) => ({
    name: entry.name,
    mark: markOf(
      entry,
      current.get(entry.name),
      desired.unknown.has(environmentPath(`${index}.value`)),
      live !== undefined,
    ),
  }));
  const merges = desired.deploy.secrets === "merge";
  const others = [...current].filter(([name]) => !wantedValues.has(name));
  const isKept = ([name]: readonly [string, string]): boolean => merges || isLeft(desired, name);
  const kept = others.filter(isKept);
  const gone = others.filter((one) => !isKept(one));
  const toChange = createChanges(desired, wantedValues, current);
  const changes = marks.flatMap(({ name, mark }): readonly Change[] => {
    switch (mark) {
      case KNOWN_AT_APPLY:
        if (current.has(name)) return [];
        return [toChange(name, live === undefined ? "value unknown" : null, KNOWN_AT_APPLY)];
      case "added":
        return [toChange(name, null, "(new value)")];
      case "changed":
        return [toChange(name, "(old value)", "(new value)")];
      case "value unknown":
        return unknownPolicy === "send" ? [toChange(name, "value unknown", "(new value)")] : [];
      default:
        return [];
    }
  });
  const body = merges
    ? new Map([...current, ...wantedValues])
    : [...wanted.map(({ name, value }): [string, string] => [name, value]), ...kept];
  return {
    changes: [...changes, ...gone.map(([name]) => toChange(name, "(set)", null))],
    marks: [
      ...marks,
      ...gone.map(([name]): SecretMark => ({ name, mark: "removed" })),
      ...kept.map(([name]): SecretMark => ({ name, mark: "same" })),
    ],
    knownAtApply: marks
      .filter(({ name, mark }) => mark === KNOWN_AT_APPLY && current.has(name))
      .map(({ name }) => name),
    unreadable: kept.filter(([, value]) => !isReturned(value)).map(([name]) => name),
    kept: kept.map(([name]) => name),
    body: [...body].map(([name, value]) => ({ name, value })),
  };
}
