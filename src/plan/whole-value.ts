import type { SourceKind, Field } from "../model/field-shape.ts";
import { limitBelowRequest, minAboveMax, mountsMatchVolumes } from "../model/document-rules.ts";
import type { Dialect } from "../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { overlay, withoutDefaults, withoutNulls, withValue } from "./value.ts";

/**
 * The whole value a PATCH carries: `merge` keeps the live leaves that the spec does not name, but
 * lists are the spec's; `replace` is only the spec.
 */
export function toWhole(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  mode: "merge" | "replace",
): Json {
  const { shape } = field;
  if (shape.kind !== "struct" || !isObject(wanted) || mode === "replace")
    return withoutNulls(wanted);
  const current = isObject(live) ? (withoutNulls(live) as JsonObject) : {};
  return withoutNulls(overlay(shape, wanted, withoutDefaults(shape, current)));
}

/**
 * What a rule between fields has against the merged value: only the spec was validated, live
 * leaves carried over were not.
 */
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
