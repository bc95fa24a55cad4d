import { canonicalJson } from "../canonical-json.ts";
import type { Json } from "../model/json.ts";
import { sha256 } from "../sha256.ts";

/** Digits of each half. */
const HALF = 32;

const digest = (value: Json): string => sha256(canonicalJson(value, "written")).slice(0, HALF);

/**
 * The fingerprint of one plan: 64 hex digits in turn of two halves, so that each is in any prefix.
 * One half is over what the plan shows and will do, the other only over the wanted state, which
 * distinguishes a plan that was carried out already from another one.
 */
export function fingerprintOf(shown: Json, wanted: Json): string {
  const [ofShown, ofWanted] = [digest(shown), digest(wanted)];
  return [...ofShown].map((digit, at) => digit + ofWanted[at]!).join("");
}

/** The half that binds what the plan shows; of a prefix, its digits. */
export function shownHalf(fingerprint: string): string {
  return everySecond(fingerprint, 0);
}

/** The half that binds the wanted state; of a prefix, its digits. */
export function wantedHalf(fingerprint: string): string {
  return everySecond(fingerprint, 1);
}

function everySecond(digits: string, from: 0 | 1): string {
  return [...digits].filter((_, at) => at % 2 === from).join("");
}

/** The fingerprint of a run: over its deployments', in the order of the spec. */
export function runFingerprint(
  plans: readonly { readonly name: string; readonly fingerprint: string }[],
): string {
  const halves = (half: (fingerprint: string) => string): Json =>
    plans.map(({ name, fingerprint }) => ({ name, fingerprint: half(fingerprint) }));
  return fingerprintOf(halves(shownHalf), halves(wantedHalf));
}
