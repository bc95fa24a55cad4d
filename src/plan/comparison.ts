import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { userInfoOf } from "../model/user-info.ts";
import type { Desired } from "../spec/desired.ts";
import { type DiffContext, diffValue, type KeptLeaf } from "./diff.ts";
import { compareExtra, warnOfExtra } from "./extra.ts";
import {
  addClear,
  addImpossible,
  type Comparing,
  type DocumentComparison,
} from "./gathered-changes.ts";
import { compareEnvironment } from "./secrets-comparison.ts";
import { ENVIRONMENT, modeOf, patchUnits, REF } from "./units.ts";
import {
  answeredAt,
  isEmpty,
  isNull,
  toShown,
  valueAt,
  withNumbers,
  withoutDefaults,
  withoutNulls,
} from "./value.ts";
import { judgeMerged, toWhole } from "./whole-value.ts";

const COMMIT_LIKE = /^[0-9a-f]{40}$/i;

/**
 * The live ref. If the reply shows a commit in its place, the branch that some services return in
 * another field (contributing/service.md 2.6), else undefined.
 */
export function readableRef(live: LiveDeployment): string | undefined {
  const ref = valueAt(live.body, REF.path);
  if (typeof ref === "string" && !COMMIT_LIKE.test(ref)) return ref;
  const branch = valueAt(live.body, REF.meta.alias!);
  return typeof branch === "string" ? branch : undefined;
}

/** Paths that a PATCH sent and its reply still shows as not set. */
export function findNotShown(sent: JsonObject, live: LiveDeployment): string[] {
  return patchUnits()
    .filter(({ path }) => !isNull(valueAt(sent, path)) && answeredAt(live.body, path) === null)
    .map(({ path }) => path);
}

type LiveValue =
  | { readonly readable: true; readonly value: Json | undefined }
  /** The reply does not show it. */
  | { readonly readable: false; readonly value?: undefined };

const UNREADABLE: LiveValue = { readable: false };

/**
 * The live value to compare with. Null in a reply means "not set"; a missing key shows nothing
 * about the value (contributing/service.md 2.6).
 */
function readLive(field: Field, wanted: Json, live: LiveDeployment): LiveValue {
  if (field.path === "source") return { readable: true, value: live.source };
  const value = answeredAt(live.body, field.path);
  if (value === undefined) return UNREADABLE;
  if (field.meta.readback === "never" && isBlank(value)) return UNREADABLE;
  if (field === REF && value !== wanted && COMMIT_LIKE.test(String(value))) {
    const ref = readableRef(live);
    return ref === undefined ? UNREADABLE : { readable: true, value: ref };
  }
  return { readable: true, value: withNumbers(field.shape, value) };
}

/** Null, or an object with only null leaves. */
const isBlank = (value: Json): boolean =>
  isNull(value) || (isObject(value) && Object.keys(withoutNulls(value) as JsonObject).length === 0);

/** Compares the spec with the live deployment, unit by unit. Keys that the spec does not have are unmanaged. */
export function compareDeployment(
  desired: Desired,
  live: LiveDeployment,
  secretsUnknown: "keep" | "send",
): DocumentComparison {
  const extra = compareExtra(desired, live);
  const out: DocumentComparison = {
    changes: [],
    units: [],
    unreadable: [],
    blockers: [],
    dropped: [],
    unmanaged: [],
    kept: [],
    warnings: [],
    notes: [],
    secrets: [],
    environment: { body: [], blockers: [], isSent: false },
    extra,
  };
  for (const field of patchUnits()) {
    // A deployment may move between two sources: source.ts judges that.
    if (field.path === "source" && movesSource(desired, live)) continue;
    compareField({ desired, live, secretsUnknown, out }, field);
  }
  out.changes.push(...extra.changes);
  out.warnings.push(...warnOfExtra(desired, extra));
  return out;
}

/** Whether both sides are of the two sources that the service can move a deployment between. */
function movesSource(desired: Desired, live: LiveDeployment): boolean {
  return MOVABLE.includes(desired.source) && MOVABLE.includes(live.source);
}
const MOVABLE: readonly string[] = ["repohost", "internal_source"];

function compareField(comparing: Comparing, field: Field): void {
  const { desired, live, out } = comparing;
  const wanted = answeredAt(desired.body, field.path);
  if (field === ENVIRONMENT) {
    compareEnvironment(comparing, wanted, answeredAt(live.body, field.path));
    return;
  }
  if (wanted === undefined) {
    leaveUnmanaged(comparing, field);
    return;
  }
  const { readable, value } = readLive(field, wanted, live);
  if (readable && !isNull(wanted)) compareUnit(comparing, field, wanted, value);
  else if (isOtherKind(field, desired.source)) return;
  else if (!readable) out.unreadable.push({ field, value: wanted });
  // `null` over a set field means "clear", which the service cannot do.
  else if (!isNull(value) && !isEmpty(field.shape, value))
    addClear(comparing, field, field.path, toShown(field, field.shape, value));
}

/** Whether a field is for another source kind: the service filled it in, and it is ignored. */
const isOtherKind = (field: Field, source: string): boolean =>
  field.meta.only !== undefined && field.meta.only !== source;

/** Keeps a live value that the spec does not name, with a note, since it may once have been in the spec. */
function leaveUnmanaged({ desired, live, out }: Comparing, field: Field): void {
  if (isOtherKind(field, desired.source)) return;
  const value = answeredAt(live.body, field.path);
  if (isNull(value) || isEmpty(field.shape, value)) return;
  if (field.meta.sentWhole !== true || !isObject(value)) {
    out.unmanaged.push(field.path);
    return;
  }
  const context = { unknown: desired.unknown, filledIn: false, foreign: [], unmanaged: [] };
  diffValue(field, {}, withoutNulls(value), context);
  out.unmanaged.push(...pathsOf(context.unmanaged));
}

function compareUnit(
  comparing: Comparing,
  field: Field,
  wanted: Json,
  live: Json | undefined,
): void {
  const { desired, out } = comparing;
  const mode = modeOf(field, desired.deploy);
  const clean = isNull(live) ? undefined : withoutNulls(live);
  const filledIn = isObject(live) && Object.values(live).some(isNull);
  const context: DiffContext = { unknown: desired.unknown, filledIn, foreign: [], unmanaged: [] };
  const compared = mode === "replace" ? withoutNulls(wanted) : wanted;
  const found = diffValue(field, compared, clean, context, mode === "replace");
  if (mode === "merge")
    for (const [path, before] of findCleared(field.shape, wanted, live, field.path))
      addClear(comparing, field, path, before);
  noteUserInfo(field, wanted, clean, out);
  const loses = mode === "replace" && found.length > 0;
  if (!loses) out.unmanaged.push(...pathsOf(context.unmanaged));
  if (field.meta.sentWhole === true) noteForeign(mode, context.foreign, found.length > 0, out);
  if (found.length === 0) return;
  if (field.mutability === "create-only") {
    addImpossible(comparing, field, found);
    return;
  }
  const effect = field.meta.effect ?? "in-place";
  out.changes.push(...found.map(({ dropped: _, ...difference }) => ({ ...difference, effect })));
  const sent = toWhole(field, wanted, live, mode);
  out.units.push({ field, value: sent });
  for (const broken of judgeMerged(desired.source, desired.dialect, field.path, sent))
    out.blockers.push({
      code: "merge",
      path: field.path,
      message: `${broken}. That is so with the live values carried over: write them into the spec too, or use deploy.${field.name}: replace`,
    });
  if (field.meta.sentWhole === true)
    out.dropped.push(
      ...found.filter((one) => one.dropped).map((one) => one.path),
      ...(loses ? pathsOf(context.unmanaged) : []),
    );
  if (mode === "merge")
    out.kept.push(...context.unmanaged, ...context.foreign.map((path) => ({ path, value: null })));
}

const pathsOf = (leaves: readonly KeptLeaf[]): string[] => leaves.map(({ path }) => path);

/**
 * A merge keeps live members that the table does not know. A replace drops them with the next
 * write, but they never cause a write.
 */
function noteForeign(
  mode: "merge" | "replace",
  foreign: readonly string[],
  writes: boolean,
  out: DocumentComparison,
): void {
  if (foreign.length === 0) return;
  if (mode === "replace" && writes) out.dropped.push(...foreign);
  else
    out.notes.push(
      `live holds ${foreign.join(", ")}, which this version of agent-deploy does not know: kept as it is`,
    );
}

/** Warns if the user-info of a repository's URL differs: it cannot change, so it is not compared. */
function noteUserInfo(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  out: DocumentComparison,
): void {
  if (field.meta.compareWith !== "repository") return;
  if (typeof wanted !== "string" || typeof live !== "string") return;
  if (userInfoOf(wanted) !== userInfoOf(live))
    out.warnings.push(
      `${field.path}: the user or password in the URL differs from the live one, and cannot change after creation: not compared`,
    );
}

/**
 * Paths where the spec writes null over a live leaf that is not at its documented default, with
 * that leaf as it may be shown.
 */
function findCleared(
  shape: Shape,
  wanted: Json,
  live: Json | undefined,
  path: string,
): (readonly [path: string, before: Json])[] {
  if (shape.kind !== "struct" || !isObject(live) || !isObject(wanted)) return [];
  const kept = withoutDefaults(shape, withoutNulls(live) as JsonObject);
  return Object.entries(wanted).flatMap(([key, value]) => {
    const child = shape.fields.get(key);
    if (child === undefined) return [];
    const set = kept[key];
    if (value === null)
      return isNull(set) ? [] : [[`${path}.${key}`, toShown(child, child.shape, set)] as const];
    return isObject(value) ? findCleared(child.shape, value, live[key], `${path}.${key}`) : [];
  });
}
