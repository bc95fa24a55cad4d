import type { LiveDeployment } from "../model/live.ts";
import { deploymentShape, type Field, type Shape } from "../model/shape.ts";
import { spellSource } from "../model/dialect.ts";
import type { Desired, Json } from "../spec/desired.ts";
import { diffValue, type Difference } from "./diff.ts";
import type { Blocker, Change, JsonObject } from "./plan.ts";
import { showVariables } from "./variables.ts";
import { diffSecrets, toEntries, type SecretsDiff } from "./secrets.ts";
import {
  holdsSensitive,
  isNull,
  isObject,
  keyOf,
  toShown,
  valueAt,
  withDefaults,
  withItems,
  withMembers,
  withNumbers,
  withoutDefaults,
  withoutNulls,
} from "./value.ts";
import { judgeMerged, toWhole } from "./whole-value.ts";

/** A managed field that differs, with what a PATCH would carry for the whole unit it travels in. */
export interface ChangedUnit {
  readonly field: Field;
  readonly value: Json;
}

/** What holding one spec document against its live deployment gives. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly units: readonly ChangedUnit[];
  /** Units the reply does not carry; sent along with a PATCH that is made anyway. */
  readonly unreadable: readonly ChangedUnit[];
  readonly blockers: readonly Blocker[];
  readonly dropped: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Both states, canonical and without secret values: what the fingerprint is taken over. */
  readonly canonical: { readonly desired: Json; readonly live: Json };
}

/** The fields that travel as one in a PATCH, or that cannot be patched at all; in table order. */
export function patchUnits(): readonly Field[] {
  return UNITS;
}

const UNITS = unitsOf(deploymentShape);

function unitsOf(shape: Shape): Field[] {
  if (shape.kind !== "struct") return [];
  return [...shape.fields.values()].flatMap((field) => {
    if (field.mutability === "read-only") return [];
    return field.meta.effect !== undefined || field.mutability === "create-only"
      ? [field]
      : unitsOf(field.shape);
  });
}

const COMMIT_LIKE = /^[0-9a-f]{40}$/i;
const REPO_REF = "source_revision_config.repo_ref";

/** The live ref; where it reads back as a commit, the branch that some services give beside it (docs/service.md 2.6), else undefined. */
export function readableRef(live: LiveDeployment): string | undefined {
  const ref = valueAt(live.body, REPO_REF);
  if (typeof ref === "string" && !COMMIT_LIKE.test(ref)) return ref;
  const branch = valueAt(live.body, "source_config.repo_branch");
  return typeof branch === "string" ? branch : undefined;
}

/** The live value to compare with, or `unreadable` where the reply does not tell. */
function readLive(
  field: Field,
  wanted: Json,
  live: LiveDeployment,
): { readonly value: Json | undefined; readonly readable: boolean } {
  const value = field.path === "source" ? (live.source as Json) : valueAt(live.body, field.path);
  if (isNull(value) || (field.meta.readback !== undefined && isBlank(value)))
    return { value, readable: field.meta.readback === undefined };
  if (field.path === REPO_REF && value !== wanted) {
    const ref = readableRef(live);
    return { value: ref ?? value, readable: ref !== undefined };
  }
  return { value, readable: true };
}

/** An object that says nothing: no leaf but null. */
const isBlank = (value: Json): boolean =>
  isObject(value) && Object.keys(withoutNulls(value) as JsonObject).length === 0;

interface Gathered {
  readonly changes: Change[];
  readonly units: ChangedUnit[];
  readonly unreadable: ChangedUnit[];
  readonly blockers: Blocker[];
  readonly dropped: string[];
  readonly warnings: string[];
  readonly notes: string[];
  readonly desired: Record<string, Json>;
  readonly live: Record<string, Json>;
}

/** Holds the spec against the live deployment, unit by unit; keys absent from the spec are unmanaged. */
export function compareDeployment(
  desired: Desired,
  live: LiveDeployment,
  secretsUnknown: "keep" | "send",
): Comparison {
  const out: Gathered = {
    changes: [],
    units: [],
    unreadable: [],
    blockers: [],
    dropped: [],
    warnings: [],
    notes: [],
    desired: {},
    live: {},
  };
  for (const field of patchUnits()) {
    const wanted = wantedAt(desired.body, field.path);
    if (wanted === undefined) continue;
    const { value: answered, readable } = readLive(field, wanted, live);
    const value = answered === undefined ? undefined : withNumbers(field.shape, answered);
    if (
      field.path === "secrets" &&
      isNull(value) &&
      asksForSecrets(wanted) &&
      secretsUnknown === "keep"
    )
      leaveSecrets(desired, field, wanted, out);
    else if (field.path === "secrets")
      compareSecrets(desired, field, wanted, value, secretsUnknown, out);
    else if (isNull(wanted)) compareNull(desired, field, value, out);
    else if (!readable) out.unreadable.push({ field, value: wanted });
    else compareUnit(desired, field, wanted, value, out);
  }
  const { desired: canonicalDesired, live: canonicalLive, ...rest } = out;
  return { ...rest, canonical: { desired: canonicalDesired, live: canonicalLive } };
}

/** What the spec says of a unit; a null over the whole group it stands in is a null over each. */
function wantedAt(body: JsonObject, path: string): Json | undefined {
  const dot = path.indexOf(".");
  return dot > 0 && body[path.slice(0, dot)] === null ? null : valueAt(body, path);
}

/** `null` over a set field means "clear", which the service cannot do; what it filled in for another source kind is not set. */
function compareNull(desired: Desired, field: Field, live: Json | undefined, out: Gathered): void {
  if (field.meta.only !== undefined && field.meta.only !== desired.source) return;
  out.desired[field.path] = null;
  out.live[field.path] = toCanonical(field, field.shape, live ?? null);
  if (!isNull(live) && !isEmpty(field.shape, live))
    addClear(field, field.path, toShown(field, field.shape, live), out);
}

/** A list, map or struct that holds nothing but nulls and documented defaults. */
function isEmpty(shape: Shape, live: Json): boolean {
  const value = withoutNulls(live);
  if (Array.isArray(value)) return value.length === 0;
  return (
    isObject(value) &&
    Object.keys(shape.kind === "struct" ? withoutDefaults(shape, value) : value).length === 0
  );
}

function addClear(field: Field, path: string, before: Json, out: Gathered): void {
  out.changes.push({
    path,
    before,
    after: null,
    effect: "impossible",
    sensitive: holdsSensitive(field, field.shape, before),
  });
  out.blockers.push({
    code: "clear",
    path,
    message:
      `${path} is set and the spec clears it, which the service cannot do: null means no change there. ` +
      "Remove the key to leave the field alone, or write a value",
  });
}

const asksForSecrets = (wanted: Json): boolean => Array.isArray(wanted) && wanted.length > 0;

/** A reply without the list says nothing of the secrets: not compared, and sent along only with a revision that is made anyway. */
function leaveSecrets(desired: Desired, field: Field, wanted: Json, out: Gathered): void {
  out.unreadable.push({ field, value: wanted });
  if (desired.deploy.secrets === "merge")
    out.blockers.push({
      code: "secrets-unreadable",
      path: "secrets",
      message:
        "deploy.secrets: merge has to send the live secrets along, and the service returns none. List all of them in the spec and use deploy.secrets: replace",
    });
}

function compareSecrets(
  desired: Desired,
  field: Field,
  wanted: Json,
  live: Json | undefined,
  policy: "keep" | "send",
  out: Gathered,
): void {
  const names = (value: Json | undefined): string[] =>
    toEntries(value)
      .map((entry) => entry.name)
      .sort();
  out.desired["secrets"] = names(wanted);
  out.live["secrets"] = names(live);
  const clears =
    isNull(wanted) ||
    (Array.isArray(wanted) && wanted.length === 0 && desired.deploy.secrets === "replace");
  if (clears) {
    if (names(live).length > 0) addClear(field, "secrets", names(live).join(", "), out);
    return;
  }
  const diff = diffSecrets(desired, live, desired.deploy.secrets, policy);
  if (diff.changes.length > 0) {
    out.changes.push(...showVariables(desired, live, diff.changes));
    out.units.push({ field, value: diff.body });
  }
  warnOfSecrets(diff, out);
}

function warnOfSecrets(diff: SecretsDiff, out: Gathered): void {
  if (diff.changes.length > 0 && diff.unreadable.length > 0) {
    out.blockers.push({
      code: "secrets-unreadable",
      path: "secrets",
      message:
        `deploy.secrets: merge has to send the live secrets along, and the service does not return the value of ${diff.unreadable.join(", ")}. ` +
        "List these in the spec too, or use deploy.secrets: replace",
    });
  }
  if (diff.knownAtApply.length > 0) {
    out.notes.push(
      `${diff.knownAtApply.map((name) => `secrets.${name}`).join(", ")}: known at apply, compared by name only`,
    );
  }
  const kept = diff.unknownValues.filter(
    (name) => !diff.changes.some((change) => change.path === `secrets.${name}`),
  );
  if (kept.length > 0) {
    out.warnings.push(
      `the service does not return the value of ${kept.map((name) => `secrets.${name}`).join(", ")}: value unknown, compared by name only; ` +
        (diff.changes.length > 0
          ? "sent along with the other secrets"
          : "set secrets-unknown: send to send them"),
    );
  }
}

function compareUnit(
  desired: Desired,
  field: Field,
  wanted: Json,
  live: Json | undefined,
  out: Gathered,
): void {
  const whole =
    field.shape.kind === "struct" && field.meta.effect !== undefined && isObject(wanted)
      ? toWhole(field, field.shape, wanted, live, desired.deploy.resource_spec)
      : { compared: wanted, sent: withoutNulls(wanted), dropped: [], replaced: [] };
  const clean = live === undefined ? undefined : withoutNulls(live);
  const found = [
    ...diffValue(field, whole.compared, clean, { path: field.path, index: field.path }, desired),
    ...whole.replaced,
  ];
  const cleared = isObject(whole.compared)
    ? findCleared(field.shape, whole.compared, live, field.path)
    : [];
  out.desired[field.path] = toCanonical(field, field.shape, whole.sent);
  out.live[field.path] = toCanonical(field, field.shape, clean ?? null);
  for (const path of cleared) addClear(field, path, "(set)", out);
  if (found.length === 0) return;
  if (field.mutability === "create-only") return addImpossible(desired, field, found, out);
  out.changes.push(
    ...found.map((difference) => ({
      ...difference,
      effect: field.meta.effect ?? ("in-place" as const),
    })),
  );
  out.units.push({ field, value: whole.sent });
  for (const broken of judgeMerged(desired.source, desired.dialect, field.path, whole.sent))
    out.blockers.push({
      code: "merge",
      path: field.path,
      message: `${broken}. That is so with the live values carried over: write them into the spec too, or use deploy.resource_spec: replace`,
    });
  out.dropped.push(...whole.dropped);
}

function addImpossible(
  desired: Desired,
  field: Field,
  found: readonly Difference[],
  out: Gathered,
): void {
  for (const { path, before, after, sensitive } of found) {
    const [from, to] =
      field.path === "source"
        ? [
            spellSource(String(before), desired.dialect),
            spellSource(String(after), desired.dialect),
          ]
        : [before, after];
    out.changes.push({ path, before: from, after: to, effect: "impossible", sensitive });
    const hint =
      field.path === "source" && String(before).startsWith("internal_")
        ? "This deployment was made by the vendor's command line: what it is built from is changed there, or by a new deployment under another name"
        : "A new deployment under another name is needed; or write the live value into the spec";
    out.blockers.push({
      code: "immutable",
      path,
      message: `${path} cannot change after creation (live ${show(from)}, spec ${show(to)}). ${hint}`,
    });
  }
}

const show = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Paths where the spec writes null over a live leaf that is set to something other than its documented default. */
function findCleared(
  shape: Shape,
  wanted: JsonObject,
  live: Json | undefined,
  path: string,
): string[] {
  if (shape.kind !== "struct" || !isObject(live)) return [];
  const kept = withoutDefaults(shape, withoutNulls(live) as JsonObject);
  return Object.entries(wanted).flatMap(([key, value]) => {
    const child = shape.fields.get(key);
    if (child === undefined) return [];
    if (value === null) return isNull(kept[key]) ? [] : [`${path}.${key}`];
    return isObject(value) ? findCleared(child.shape, value, live[key], `${path}.${key}`) : [];
  });
}

/** A value in the one form the fingerprint knows: no nulls, defaults filled, keyed lists sorted, sensitive values hidden. */
function toCanonical(field: Field, shape: Shape, value: Json): Json {
  return canonical(shape, toShown(field, shape, withoutNulls(value)));
}

function canonical(shape: Shape, value: Json): Json {
  if (shape.kind === "list" && Array.isArray(value)) {
    const items = withItems(value as readonly Json[], (item) => canonical(shape.item, item));
    const match = shape.match;
    return (
      match === undefined || items.length < 2
        ? items
        : [...items].sort((a, b) => (keyOf(a, match) < keyOf(b, match) ? -1 : 1))
    ) as Json;
  }
  if (shape.kind !== "struct" || !isObject(value)) return value;
  return withMembers(withDefaults(shape, value), (item, key) => {
    const child = shape.fields.get(key);
    return child === undefined ? item : canonical(child.shape, item);
  });
}
