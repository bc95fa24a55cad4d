import { limitBelowRequest, minAboveMax, mountsMatchVolumes } from "../model/document-rules.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { Field } from "../model/field-shape.ts";
import { userInfoOf } from "../model/user-info.ts";
import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { COMMIT_LIKE } from "./commit.ts";
import { diffValue, isDifference, type Leaf } from "./diff.ts";
import { compareExtra, warnOfExtra } from "./extra.ts";
import {
  addClear,
  addImpossible,
  type Comparing,
  type DocumentComparison,
} from "./gathered-changes.ts";
import { compareEnvironment } from "./secrets.ts";
import { ENVIRONMENT, isMerged, patchUnits, REF } from "./units.ts";
import {
  answeredAt,
  isEmpty,
  isNull,
  type BodyPath,
  toDotted,
  toShown,
  toWhole,
  valueAt,
  withNumbers,
  withoutNulls,
  withValue,
} from "./value.ts";

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

/** Paths that a PATCH sent and its reply still shows as not set; by default of the fields that the table knows. */
export function findNotShown(
  sent: JsonObject,
  live: LiveDeployment,
  paths: readonly BodyPath[] = patchUnits().map(({ path }) => path),
): string[] {
  return paths
    .filter((path) => !isNull(valueAt(sent, path)) && answeredAt(live.body, path) === null)
    .map(toDotted);
}

/**
 * The live value to compare with; undefined if the reply does not show it. Null in a reply means
 * "not set"; a missing key shows nothing about the value (contributing/service.md 2.6).
 */
function readLive(field: Field, wanted: Json, live: LiveDeployment): Json | undefined {
  if (field.path === "source") return live.source;
  const value = answeredAt(live.body, field.path);
  if (value === undefined || (field.meta.readback === "never" && isBlank(value))) return undefined;
  if (field === REF && value !== wanted && COMMIT_LIKE.test(String(value)))
    return readableRef(live);
  return withNumbers(field.shape, value);
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
    atApply: [],
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
  const value = readLive(field, wanted, live);
  if (value !== undefined && wanted !== null) compareUnit(comparing, field, wanted, value);
  else if (isOtherKind(field, desired.source)) return;
  else if (value === undefined) out.unreadable.push({ field, value: wanted });
  // `null` over a set field means "clear", which the service cannot do.
  else if (!isEmpty(field.shape, value))
    addClear(comparing, field, field.path, toShown(field, value));
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
  const options = { ...desired, filledIn: false, whole: false };
  out.unmanaged.push(...pathsOf(diffValue(field, {}, withoutNulls(value), options), "unmanaged"));
}

function compareUnit(
  comparing: Comparing,
  field: Field,
  wanted: Json,
  live: Json | undefined,
): void {
  const { desired, out } = comparing;
  const merges = isMerged(field, desired.deploy);
  const clean = isNull(live) ? undefined : withoutNulls(live);
  const leaves = diffValue(field, merges ? wanted : withoutNulls(wanted), clean, {
    ...desired,
    filledIn: isObject(live) && Object.values(live).some(isNull),
    whole: !merges,
  });
  const found = leaves.filter(isDifference);
  const stays = leaves.filter(({ kind }) => kind === "unmanaged" || kind === "foreign");
  const atApply = pathsOf(leaves, "at-apply");
  out.atApply.push(...atApply);
  if (atApply.length > 0)
    out.notes.push(`${atApply.join(", ")}: no value here ${KNOWN_AT_APPLY}, so not compared`);
  for (const { kind, path, before } of leaves)
    if (kind === "cleared") addClear(comparing, field, path, before);
  noteUserInfo(field, wanted, clean, out);
  // A replace drops live members that the spec does not name with the next write, but those that the table does not
  // know never cause one.
  const loses = !merges && found.length > 0;
  if (!loses) out.unmanaged.push(...pathsOf(stays, "unmanaged"));
  const foreign = pathsOf(stays, "foreign");
  if (field.meta.sentWhole === true && !loses && foreign.length > 0)
    out.notes.push(
      `live holds ${foreign.join(", ")}, which this version of agent-deploy does not know: kept as it is`,
    );
  if (found.length === 0) return;
  if (field.mutability === "create-only") {
    addImpossible(comparing, field, found);
    return;
  }
  const effect = field.meta.effect ?? "in-place";
  out.changes.push(...found.map(({ kind: _, ...difference }) => ({ ...difference, effect })));
  const sent = toWhole(field, wanted, live, merges);
  out.units.push({ field, value: sent });
  for (const broken of judgeMerged(desired, field.path, sent))
    out.blockers.push({
      code: "merge",
      path: field.path,
      message: `${broken}. That is so with the live values carried over: write them into the spec too, or use deploy.${field.name}: replace`,
    });
  if (field.meta.sentWhole === true)
    out.dropped.push(
      ...(loses ? foreign : []),
      ...pathsOf(found, "dropped"),
      ...(loses ? pathsOf(stays, "unmanaged") : []),
    );
  if (merges) out.kept.push(...stays);
}

/** Problems that rules across fields find in the merged value: only the spec was validated, not the live leaves. */
function judgeMerged(desired: Desired, path: string, sent: Json): string[] {
  const body = withValue({}, path, sent);
  return [mountsMatchVolumes, limitBelowRequest, minAboveMax]
    .flatMap((rule) => rule({ ...desired, body, adopted: true }))
    .filter((finding) => finding.level === "error")
    .map((finding) => `${finding.path.join(".")}: ${finding.message}`);
}

const pathsOf = (leaves: readonly Leaf[], kind: Leaf["kind"]): string[] =>
  leaves.filter((leaf) => leaf.kind === kind).map(({ path }) => path);

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
