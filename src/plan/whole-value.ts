import type { SourceKind } from "../model/fields.ts";
import { limitBelowRequest, minAboveMax, mountsMatchVolumes } from "../model/rules.ts";
import type { Field, Shape } from "../model/shape.ts";
import type { Dialect } from "../model/dialect.ts";
import type { Json } from "../spec/desired.ts";
import { labelOf, type Difference } from "./diff.ts";
import type { JsonObject } from "./plan.ts";
import {
  holdsSensitive,
  isNull,
  isObject,
  keyOf,
  overlay,
  toShown,
  withDefaults,
  withoutDefaults,
  withoutNulls,
  withValue,
} from "./value.ts";

type Struct = Extract<Shape, { kind: "struct" }>;

/** A value that the service replaces whole, made ready to be compared and sent. */
export interface Whole {
  /** The spec's side of the comparison. */
  readonly compared: Json;
  /** The whole value a PATCH carries. */
  readonly sent: Json;
  /** Live leaves that sending it loses, dotted. */
  readonly dropped: readonly string[];
  /** Differences that only sending it whole makes: lost leaves, and values that go back to their documented default. */
  readonly replaced: readonly Difference[];
}

/** `merge` carries the live leaves over, but lists are the spec's; `replace` is the spec alone. */
export function toWhole(
  field: Field,
  shape: Struct,
  wanted: JsonObject,
  live: Json | undefined,
  mode: "merge" | "replace",
): Whole {
  const current = isObject(live) ? (withoutNulls(live) as JsonObject) : {};
  const kept = withoutDefaults(shape, current);
  const alone = withoutNulls(wanted) as JsonObject;
  const sent =
    mode === "merge" ? (withoutNulls(overlay(shape, wanted, kept)) as JsonObject) : alone;
  const lost = findLost(shape, kept, sent, field.path);
  const dropped = lost.map((leaf) => leaf.path);
  // A reply that spells out what is not set was filled in by the service: its scalars may be nobody's (docs/service.md 2.6).
  const filledIn = isObject(live) && Object.values(live).some(isNull);
  const counted = lost
    .filter((leaf) => !filledIn || leaf.compound)
    .map(({ compound: _, ...difference }) => difference);
  if (mode === "merge") return { compared: wanted, sent, dropped, replaced: counted };
  return {
    compared: alone,
    sent,
    dropped,
    replaced: [...backToDefault(field, shape, kept, alone, current), ...counted],
  };
}

function backToDefault(
  field: Field,
  shape: Struct,
  kept: JsonObject,
  alone: JsonObject,
  current: JsonObject,
): Difference[] {
  const [filledWanted, filledLive] = [withDefaults(shape, alone), withDefaults(shape, current)];
  return Object.keys(kept).flatMap((name) => {
    const fallback = filledWanted[name];
    if (!isNull(alone[name]) || fallback === undefined || fallback === filledLive[name]) return [];
    return [
      {
        path: `${field.path}.${name}`,
        before: kept[name] ?? null,
        after: fallback,
        sensitive: false,
      },
    ];
  });
}

interface Lost extends Difference {
  readonly compound: boolean;
}

/** Live leaves that the value to be sent does not have; items of lists that differ as a whole are changes by themselves. */
function findLost(
  shape: Shape,
  kept: Json | undefined,
  sent: Json | undefined,
  path: string,
): Lost[] {
  if (shape.kind === "struct" && isObject(kept) && isObject(sent)) {
    let filled: JsonObject | null = null;
    const wouldBe = (name: string): Json | undefined =>
      (filled ??= withDefaults(shape, sent))[name];
    return Object.entries(withoutDefaults(shape, kept)).flatMap(([name, value]) => {
      const child = shape.fields.get(name);
      if (child === undefined || isNull(value) || isBlank(child.shape, value)) return [];
      if (isNull(sent[name]))
        return isNull(wouldBe(name)) ? [lose(child, value, `${path}.${name}`)] : [];
      return findLost(child.shape, value, sent[name], `${path}.${name}`);
    });
  }
  if (shape.kind === "map" && isObject(kept) && isObject(sent)) {
    return Object.entries(kept)
      .filter(([key]) => isNull(sent[key]))
      .map(([key, value]) => ({
        path: `${path}.${key}`,
        before: value,
        after: null,
        sensitive: false,
        compound: true,
      }));
  }
  return shape.kind === "list" && Array.isArray(kept) && Array.isArray(sent)
    ? findLostOfItems(shape, kept, sent, path)
    : [];
}

/** An empty list or map says nothing; empty free-form JSON does (`emptyDir: {}`). */
function isBlank(shape: Shape, value: Json): boolean {
  if (shape.kind === "scalar" || shape.kind === "free") return false;
  return Array.isArray(value)
    ? value.length === 0
    : isObject(value) &&
        Object.values(value).every(
          (item) => isNull(item) || (isObject(item) && Object.keys(item).length === 0),
        );
}

function findLostOfItems(
  shape: Extract<Shape, { kind: "list" }>,
  kept: readonly Json[],
  sent: readonly Json[],
  path: string,
): Lost[] {
  const { match, item } = shape;
  if (match !== undefined) {
    const byKey = new Map(sent.map((one) => [keyOf(one, match), one]));
    return kept.flatMap((one) =>
      findLost(item, one, byKey.get(keyOf(one, match)), `${path}.${keyOf(one, match)}`),
    );
  }
  const labels = sent.map(labelOf);
  if (
    kept.length !== sent.length ||
    kept.some((one, index) => labelOf(one, index) !== labels[index])
  )
    return [];
  return kept.flatMap((one, index) => findLost(item, one, sent[index], `${path}.${labels[index]}`));
}

function lose(field: Field, value: Json, path: string): Lost {
  const before =
    field.meta.sensitive === "value" ? "(old value)" : toShown(field, field.shape, value);
  return {
    path,
    before,
    after: null,
    sensitive: holdsSensitive(field, field.shape, value),
    compound: field.shape.kind !== "scalar",
  };
}

/** What a rule between fields has against the merged value: the spec alone was validated, live leaves carried over were not. */
export function judgeMerged(
  source: SourceKind,
  dialect: Dialect,
  path: string,
  sent: Json,
): string[] {
  const body = withValue({}, path, sent);
  return [mountsMatchVolumes, limitBelowRequest, minAboveMax]
    .flatMap((rule) => rule({ source, dialect, body, adopted: true }))
    .filter((finding) => finding.level === "error")
    .map((finding) => `${finding.path.join(".")}: ${finding.message}`);
}
