import { createHash } from "node:crypto";
import type { Json } from "../spec/desired.ts";
import { isObject } from "./value.ts";

/** JSON with sorted keys and no white space, so that equal values give equal text. */
export function toCanonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item as Json)).join(",")}]`;
  if (isObject(value)) {
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key] as Json)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** sha256 of the canonical JSON, in hex. */
export function fingerprintOf(value: Json): string {
  return createHash("sha256").update(toCanonicalJson(value)).digest("hex");
}

/** The fingerprint of a run: over its deployments', in the order of the spec. */
export function runFingerprint(plans: readonly { readonly name: string; readonly fingerprint: string }[]): string {
  return fingerprintOf(plans.map(({ name, fingerprint }) => ({ name, fingerprint })));
}
