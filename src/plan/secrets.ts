import { spellInput, type EntryPoint } from "../model/entry-point.ts";
import { isObject, itemsOf, type Json } from "../model/json.ts";
import { sourceEntryOf, withoutSourceEntry } from "../model/source-mark.ts";
import { isShownLive, looksLikeKey } from "../secrets/key-like.ts";
import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import {
  addClear,
  type Comparing,
  type DocumentComparison,
  type WholeList,
} from "./gathered-changes.ts";
import type { Blocker, Change, PlanPart, SecretMark } from "./plan.ts";
import { ENVIRONMENT, environmentPath } from "./units.ts";
import { isNull, isReturned, valueAt } from "./value.ts";

type Entry = { readonly name: string; readonly value: string };

/** The difference between two sets of secrets; `body` is the whole set that a PATCH would send. */
interface SecretsDiff {
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
function isLeft({ leaves, leftOut }: Desired, name: string): boolean {
  return leaves?.has(name) === true || leftOut?.has(name) === true;
}

/** The entries of a list of environment values; ignores anything else in it. */
export function toEntries(value: Json | undefined): Entry[] {
  return itemsOf(value).flatMap((item) => {
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
  { variables, untrusted, shown }: Desired,
  name: string,
  [before, after]: readonly [string | null, string | null],
  [was = "", is = ""]: readonly [string | undefined, string | undefined],
): Change {
  const effect = "new-revision";
  if (variables?.has(name) !== true)
    return { path: environmentPath(name), before, after, effect, sensitive: true };
  // An untrusted spec could list any secret as a variable to have it shown.
  const path = `variables.${name}`;
  const text = shown?.get(path);
  const showsLive = untrusted !== true && text === undefined && isShownLive(name, was);
  const asShown = text ?? is;
  return {
    path,
    before: before !== null && before !== "value unknown" && showsLive ? was : before,
    after: after !== null && after !== KNOWN_AT_APPLY && !looksLikeKey(asShown) ? asShown : after,
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

const toBlocker = (message: string): Blocker => ({
  code: "secrets-unreadable",
  path: ENVIRONMENT.path,
  message,
});

/** Says which setting keeps live entries that the spec does not name, and what to do if they are hidden. */
function toKept(
  { body, variables, deploy, leaves }: Desired,
  hidden: string,
  which: string,
): Blocker {
  // Only variables are written, which keeps the secrets without any setting.
  if (deploy.secrets === "merge" && variables?.size === namesOf(body[ENVIRONMENT.path]).length)
    return toBlocker(
      `variables and secrets are one list of the service, so the live secrets have to be sent along, and ${hidden}. List ${which} under secrets in the spec`,
    );
  if (deploy.secrets === "merge")
    return toBlocker(
      `deploy.secrets: merge has to send the live secrets along, and ${hidden}. List ${which} in the spec and use deploy.secrets: replace`,
    );
  return toBlocker(
    leaves === undefined
      ? `optional secrets that are not set here have to be sent along as they are live, and ${hidden}. Set the variables of ${which} in this environment`
      : `what the target leaves unmanaged under variables has to be sent along, and ${hidden}. Write the values of ${which} into the target`,
  );
}

/** Says which optional secrets are not set in this run, and what happens to them. */
export function describeLeftOut(
  { leftOut = new Set() }: Desired,
  live: Json | undefined,
): string[] {
  const names = new Set(namesOf(live));
  const note = (isLive: boolean, what: string): string[] => {
    const some = [...leftOut].sort().filter((name) => names.has(name) === isLive);
    return some.length === 0
      ? []
      : [`optional and not set here: ${pathsOf(some).join(", ")} ${what}`];
  };
  return [...note(true, "kept as live"), ...note(false, "left out")];
}

/**
 * Compares the lists of environment values by name, according to `deploy.secrets`, and says what a
 * write of the whole list would send. `wanted` undefined: the spec has none. `given` undefined: the
 * reply does not show the list, so secrets are sent only with a revision that is made anyway, or
 * with `secrets-unknown: send`.
 */
export function compareEnvironment(
  comparing: Comparing,
  wanted: Json | undefined,
  given: Json | undefined,
): void {
  const { desired, out, secretsUnknown } = comparing;
  const field = ENVIRONMENT;
  const live = withoutSourceEntry(given);
  if (isNull(wanted)) {
    out.environment = sentBack(live);
    if (wanted === undefined) out.unmanaged.push(...pathsOf(namesOf(live)));
    else if (given === undefined) out.unreadable.push({ field, value: wanted });
    else clearAll(comparing, live);
    return;
  }
  const diff = diffSecrets(desired, live, secretsUnknown);
  const { body, changes } = diff;
  const asks = Array.isArray(wanted) && wanted.length > 0;
  const { leaves, leftOut, deploy } = desired;
  const merges = deploy.secrets === "merge" || leaves !== undefined || leftOut !== undefined;
  if (given === undefined && (merges || !asks || secretsUnknown === "keep")) {
    const blockers = merges ? [toKept(desired, "the service returns none", "all of them")] : [];
    out.environment = { body, blockers, isSent: asks && merges };
    // Merging an empty list changes nothing.
    if (asks || !merges) out.unreadable.push({ field, value: wanted });
    return;
  }
  const clears = body.length === 0 && deploy.secrets === "replace";
  const unreadable = diff.kept.filter(({ value }) => !isReturned(value)).map(({ name }) => name);
  const hidden = `the service does not return the value of ${unreadable.join(", ")}`;
  out.environment = {
    body,
    blockers: unreadable.length === 0 ? [] : [toKept(desired, hidden, "these")],
    isSent: !clears && changes.length > 0,
  };
  if (clears) clearAll(comparing, live);
  else noteDiff(comparing, diff, given);
}

const namesOf = (list: Json | undefined): string[] => toEntries(list).map(({ name }) => name);
const pathsOf = (names: readonly string[]): string[] => names.map((name) => environmentPath(name));

/**
 * The spec names no list, so an upload sends the live one back, which requires its values. A list
 * that is hidden as a whole leaves the live source unknown, which blocks such an upload.
 */
function sentBack(live: Json | undefined): WholeList {
  const entries = toEntries(live);
  // An empty value may be a hidden one, which sending it back would delete.
  const unread = entries.filter(({ value }) => !isReturned(value)).map(({ name }) => name);
  const message = `an upload sends the whole list of environment values, and the service does not return ${unread.join(", ")}. List all of them in the spec`;
  return {
    body: entries.map(({ name, value }) => ({ name, value })),
    blockers: unread.length === 0 ? [] : [toBlocker(message)],
    isSent: false,
  };
}

/** The spec clears the list, except what a target or an optional secret leaves. */
function clearAll(comparing: Comparing, live: Json | undefined): void {
  const { desired, out } = comparing;
  out.notes.push(...describeLeftOut(desired, live));
  const names = namesOf(live).filter((name) => !isLeft(desired, name));
  if (names.length > 0) addClear(comparing, ENVIRONMENT, ENVIRONMENT.path, names.sort().join(", "));
}

function noteDiff({ desired, out }: Comparing, diff: SecretsDiff, given: Json | undefined): void {
  out.notes.push(...describeLeftOut(desired, given));
  out.secrets = diff.marks;
  const unmanaged = diff.kept.map(({ name }) => name);
  out.unmanaged.push(...pathsOf(unmanaged.filter((name) => desired.leftOut?.has(name) !== true)));
  if (diff.changes.length > 0) {
    out.changes.push(...diff.changes);
    // Every write of the list keeps the record of the uploaded source.
    const mark = sourceEntryOf(given);
    const value = mark === undefined ? diff.body : [...diff.body, mark];
    out.units.push({ field: ENVIRONMENT, value });
  }
  const live = namesOf(given);
  const known = diff.marks.filter(
    ({ name, mark }) => mark === KNOWN_AT_APPLY && live.includes(name),
  );
  if (known.length > 0) {
    const names = known.map(({ name }) => writtenPath(desired, name)).join(", ");
    out.notes.push(`${names}: no value here ${KNOWN_AT_APPLY}, so compared by name only`);
  }
}

/** Where the spec writes the entry of that name. */
const writtenPath = ({ variables }: Desired, name: string): string =>
  variables?.has(name) ? `variables.${name}` : environmentPath(name);

/** What a write of the whole list meets, and what it means for secrets whose live value is hidden. */
export function judgeWholeList(
  desired: Desired,
  {
    secrets,
    changes,
    environment,
  }: Pick<DocumentComparison, "secrets" | "changes" | "environment">,
  isUploaded: boolean,
  entryPoint?: EntryPoint,
): PlanPart {
  const isSent = isUploaded || environment.isSent;
  const blockers = isSent ? environment.blockers : [];
  const changed = new Set(changes.map(({ path }) => path));
  const kept = secrets
    .filter(({ mark }) => mark === "value unknown")
    .map(({ name }) => writtenPath(desired, name))
    .filter((path) => !changed.has(path));
  if (kept.length === 0) return { blockers };
  const goes = isSent
    ? "sent along with the rest of the list"
    : `set ${spellInput(entryPoint, "secrets-unknown", "send")} to send them`;
  const warning = `the service does not return the value of ${kept.join(", ")}: value unknown, compared by name only; ${goes}`;
  return { blockers, warnings: [warning] };
}
