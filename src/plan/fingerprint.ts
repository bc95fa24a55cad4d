import { canonicalJson } from "../canonical-json.ts";
import type { Json } from "../model/json.ts";
import { sha256 } from "../sha256.ts";

/** Digits of each half. */
const HALF = 32;

const digest = (value: Json): string => sha256(canonicalJson(value, "written")).slice(0, HALF);

/**
 * The fingerprint of one plan: 64 hex digits. The first half is over what the plan shows and will
 * do, the second over the wanted state alone, which tells a plan that was carried out already from
 * another one.
 */
export function fingerprintOf(shown: Json, wanted: Json): string {
  return digest(shown) + digest(wanted);
}

/** The half that binds what the plan shows. */
export function shownHalf(fingerprint: string): string {
  return fingerprint.slice(0, HALF);
}

/** The half that binds the wanted state; empty where only a prefix is given. */
export function wantedHalf(fingerprint: string): string {
  return fingerprint.length === 2 * HALF ? fingerprint.slice(HALF) : "";
}

/** The fingerprint of a run: over its deployments', in the order of the spec. */
export function runFingerprint(
  plans: readonly { readonly name: string; readonly fingerprint: string }[],
): string {
  const halves = (half: (fingerprint: string) => string): Json =>
    plans.map(({ name, fingerprint }) => ({ name, fingerprint: half(fingerprint) }));
  return fingerprintOf(halves(shownHalf), halves(wantedHalf));
}
