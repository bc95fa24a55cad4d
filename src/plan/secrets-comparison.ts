import type { Json } from "../model/json.ts";
import type { Field } from "../model/field-shape.ts";
import { type Desired, KNOWN_AT_APPLY } from "../spec/desired.ts";
import { addClear, type Gathered } from "./gathered-changes.ts";
import type { Blocker, PlanPart } from "./plan.ts";
import { diffSecrets, isLeft, type SecretsDiff, toEntries } from "./secrets.ts";
import { ENVIRONMENT, environmentPath } from "./units.ts";
import { isNull } from "./value.ts";
import { showVariables } from "./variables.ts";

/** Says which setting keeps live entries that the spec does not name, and what to do if they are hidden. */
function toKept({ deploy, leaves }: Desired, hidden: string, which: string): string {
  if (deploy.secrets === "merge")
    return `deploy.secrets: merge has to send the live secrets along, and ${hidden}. List ${which} in the spec and use deploy.secrets: replace`;
  return leaves === undefined
    ? `optional secrets that are not set here have to be sent along as they are live, and ${hidden}. Set the variables of ${which} in this environment`
    : `what the target leaves unmanaged under variables has to be sent along, and ${hidden}. Write the values of ${which} into the target`;
}

/** The list has to be sent with live entries in it whose values the service does not return. */
export const hiddenKept = (desired: Desired, names: readonly string[]): Blocker => ({
  code: "secrets-unreadable",
  path: ENVIRONMENT.path,
  message: toKept(desired, `the service does not return the value of ${names.join(", ")}`, "these"),
});

/** Says which optional secrets are not set in this run, and what happens to them. */
export function describeLeftOut({ leftOut }: Desired, live: Json | undefined): string[] {
  if (leftOut === undefined) return [];
  const names = new Set(toEntries(live).map(({ name }) => name));
  const all = [...leftOut].sort();
  const list = (some: readonly string[]): string =>
    some.map((name) => environmentPath(name)).join(", ");
  const [kept, out] = [
    all.filter((name) => names.has(name)),
    all.filter((name) => !names.has(name)),
  ];
  return [
    ...(kept.length === 0 ? [] : [`optional and not set here: ${list(kept)} kept as live`]),
    ...(out.length === 0 ? [] : [`optional and not set here: ${list(out)} left out`]),
  ];
}

/**
 * A reply without the list does not show the secrets: they are not compared, and sent only with a
 * revision that is made anyway, unless `secrets-unknown: send` is set.
 */
export function compareUnreadSecrets(
  desired: Desired,
  field: Field,
  wanted: Json,
  policy: "keep" | "send",
  out: Gathered,
): void {
  const merges =
    desired.deploy.secrets === "merge" ||
    desired.leaves !== undefined ||
    desired.leftOut !== undefined;
  const asks = Array.isArray(wanted) && wanted.length > 0;
  if (asks && policy === "send" && !merges) {
    compareSecrets(desired, field, wanted, undefined, policy, out);
    return;
  }
  // Merging an empty list changes nothing.
  if (asks || isNull(wanted) || !merges) out.unreadable.push({ field, value: wanted });
  if (asks && merges)
    out.blockers.push({
      code: "secrets-unreadable",
      path: ENVIRONMENT.path,
      message: toKept(desired, "the service returns none", "all of them"),
    });
}

/**
 * Compares the lists of secrets by name, according to `deploy.secrets`; `live` undefined: the live
 * list cannot be read.
 */
export function compareSecrets(
  desired: Desired,
  field: Field,
  wanted: Json,
  live: Json | undefined,
  policy: "keep" | "send",
  out: Gathered,
): void {
  const names = toEntries(live)
    .map((entry) => entry.name)
    .filter((name) => !isLeft(desired, name))
    .sort();
  out.notes.push(...describeLeftOut(desired, live));
  const clears =
    isNull(wanted) ||
    (Array.isArray(wanted) && wanted.length === 0 && desired.deploy.secrets === "replace");
  if (clears) {
    if (names.length > 0) addClear(field, field.path, names.join(", "), out);
    return;
  }
  const diff = diffSecrets(desired, live, desired.deploy.secrets, policy);
  out.secrets = diff.marks;
  out.unmanaged.push(
    ...diff.kept
      .filter((name) => desired.leftOut?.has(name) !== true)
      .map((name) => environmentPath(name)),
  );
  if (diff.changes.length > 0) {
    out.changes.push(...showVariables(desired, live, diff.changes));
    out.units.push({ field, value: diff.body });
  }
  warnOfSecrets(desired, diff, out);
}

/** Where the spec writes the entry of that name. */
const writtenPath = ({ variables }: Desired, name: string): string =>
  variables?.has(name) ? `variables.${name}` : environmentPath(name);

function warnOfSecrets(desired: Desired, diff: SecretsDiff, out: Gathered): void {
  if (diff.changes.length > 0 && diff.unreadable.length > 0) {
    out.blockers.push(hiddenKept(desired, diff.unreadable));
  }
  if (diff.knownAtApply.length > 0) {
    const names = diff.knownAtApply.map((name) => writtenPath(desired, name)).join(", ");
    out.notes.push(`${names}: ${KNOWN_AT_APPLY}, compared by name only`);
  }
}

/** Names the secrets whose live value is hidden, and says whether the spec's values are sent (`isListSent`). */
export function warnOfHidden(
  desired: Desired,
  { secrets, changes }: Pick<Gathered, "secrets" | "changes">,
  isListSent: boolean,
): PlanPart {
  const changed = new Set(changes.map(({ path }) => path));
  const kept = secrets
    .filter(({ mark }) => mark === "value unknown")
    .map(({ name }) => writtenPath(desired, name))
    .filter((path) => !changed.has(path));
  if (kept.length === 0) return {};
  const goes = isListSent
    ? "sent along with the rest of the list"
    : "set secrets-unknown: send to send them";
  return {
    warnings: [
      `the service does not return the value of ${kept.join(", ")}: value unknown, compared by name only; ${goes}`,
    ],
  };
}
