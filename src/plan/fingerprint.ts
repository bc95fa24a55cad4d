import { hash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import type { Json } from "../spec/desired.ts";

/** sha256 of the canonical JSON, in hex. */
export function fingerprintOf(value: Json): string {
  return hash("sha256", canonicalJson(value, "written"));
}

/** The fingerprint of a run: over its deployments', in the order of the spec. */
export function runFingerprint(
  plans: readonly { readonly name: string; readonly fingerprint: string }[],
): string {
  return fingerprintOf(plans.map(({ name, fingerprint }) => ({ name, fingerprint })));
}
