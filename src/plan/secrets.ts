import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import { isShownLive, looksLikeKey } from "../secrets/key-like.ts";
import type { Change, SecretMark } from "./plan.ts";
import { ENVIRONMENT, environmentPath } from "./units.ts";
import { isReturned, valueAt } from "./value.ts";

/** A secret in a body. */
type Entry = { readonly name: string; readonly value: string };

/** The difference between two sets of secrets; `body` is the whole set that a PATCH would send. */
export interface SecretsDiff {
  readonly changes: readonly Change[];
  /** Every name of both sets with its mark; a live one kept by a merge is `same`. */
  readonly marks: readonly SecretMark[];
  /** Live entries that the spec lacks, kept by a merge, a null of the target or an unset optional secret. */
  readonly kept: readonly Entry[];
  readonly body: readonly Entry[];
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

const entriesOf = (values: ReadonlyMap<string, string>): Entry[] =>
  [...values].map(([name, value]) => ({ name, value }));

/** What a change shows in place of values, by mark. */
const WORDS: {
  readonly [mark in SecretMark["mark"]]?: readonly [before: string | null, after: string | null];
} = {
  added: [null, "(new value)"],
  changed: ["(old value)", "(new value)"],
  removed: ["(set)", null],
  "value unknown": ["value unknown", "(new value)"],
};

/** The change of one entry, with words in place of values; the spec's variables are shown by value. */
function toSecretChange(
  { variables, untrusted }: Desired,
  name: string,
  [before, after]: readonly [string | null, string | null],
  [was = "", is = ""]: readonly [string | undefined, string | undefined],
): Change {
  const effect = "new-revision";
  if (variables?.has(name) !== true)
    return { path: environmentPath(name), before, after, effect, sensitive: true };
  // An untrusted spec could list any secret as a variable to have it shown.
  const showsLive = untrusted !== true && was !== "" && isShownLive(name, was);
  return {
    path: `variables.${name}`,
    before: before !== null && before !== "value unknown" && showsLive ? was : before,
    after: after !== null && after !== KNOWN_AT_APPLY && !looksLikeKey(is) ? is : after,
    effect,
    sensitive: false,
  };
}

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
  const others = entriesOf(current).filter(({ name }) => !wantedValues.has(name));
  const isKept = ({ name }: Entry): boolean => merges || isLeft(desired, name);
  const kept = others.filter(isKept);
  const gone = others
    .filter((entry) => !isKept(entry))
    .map(({ name }): SecretMark => ({ name, mark: "removed" }));
  const changes = [...marks, ...gone].flatMap(({ name, mark }): readonly Change[] => {
    const isAtApply = mark === KNOWN_AT_APPLY && !current.has(name);
    const words = isAtApply
      ? ([live === undefined ? "value unknown" : null, KNOWN_AT_APPLY] as const)
      : WORDS[mark];
    if (words === undefined || (mark === "value unknown" && unknownPolicy === "keep")) return [];
    return [toSecretChange(desired, name, words, [current.get(name), wantedValues.get(name)])];
  });
  return {
    changes,
    marks: [...marks, ...gone, ...kept.map(({ name }): SecretMark => ({ name, mark: "same" }))],
    kept,
    body: merges ? entriesOf(new Map([...current, ...wantedValues])) : [...wanted, ...kept],
  };
}
