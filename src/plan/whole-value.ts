import type { Field } from "../model/field-shape.ts";
import { limitBelowRequest, minAboveMax, mountsMatchVolumes } from "../model/document-rules.ts";
import type { Dialect } from "../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { overlay, withoutDefaults, withoutNulls, withValue } from "./value.ts";

/**
 * The whole value that a PATCH sends: a merge keeps live leaves that the spec does not name,
 * except in lists; a replace sends only the spec.
 */
export function toWhole(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  isMerged: boolean,
): Json {
  const { shape } = field;
  if (shape.kind !== "struct" || !isObject(wanted) || !isMerged) return withoutNulls(wanted);
  const current = isObject(live) ? (withoutNulls(live) as JsonObject) : {};
  return withoutNulls(overlay(shape, wanted, withoutDefaults(shape, current)));
}

/** Problems that rules across fields find in the merged value: only the spec was validated, not the live leaves. */
export function judgeMerged(source: string, dialect: Dialect, path: string, sent: Json): string[] {
  const body = withValue({}, path, sent);
  return [mountsMatchVolumes, limitBelowRequest, minAboveMax]
    .flatMap((rule) => rule({ source, dialect, body, adopted: true }))
    .filter((finding) => finding.level === "error")
    .map((finding) => `${finding.path.join(".")}: ${finding.message}`);
}
