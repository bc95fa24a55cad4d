import { canonicalJson } from "../canonical-json.ts";
import type { Json } from "../model/json.ts";
import { sha256 } from "../sha256.ts";

/** Digits of each half. */
const HALF = 32;

const digest = (value: Json): string => sha256(canonicalJson(value, "written")).slice(0, HALF);

/**
 * The fingerprint of one plan: 64 hex digits that alternate between two halves, so that any prefix
 * contains both. One half covers what the plan shows and will do; the other covers only the wanted
 * state, which distinguishes a plan that was already carried out from a different one.
 */
export function fingerprintOf(shown: Json, wanted: Json): string {
  const [ofShown, ofWanted] = [digest(shown), digest(wanted)];
  return [...ofShown].map((digit, at) => digit + ofWanted[at]!).join("");
}

/** The half that covers what the plan shows; for a prefix, its digits. */
export function shownHalf(fingerprint: string): string {
  return everySecond(fingerprint, 0);
}

/** The half that covers the wanted state; for a prefix, its digits. */
export function wantedHalf(fingerprint: string): string {
  return everySecond(fingerprint, 1);
}

function everySecond(digits: string, from: 0 | 1): string {
  return [...digits].filter((_, at) => at % 2 === from).join("");
}

/** The fingerprint of a run: over those of its deployments, in spec order. */
export function runFingerprint(
  plans: readonly { readonly name: string; readonly fingerprint: string }[],
): string {
  const halves = (half: (fingerprint: string) => string): Json =>
    plans.map(({ name, fingerprint }) => ({ name, fingerprint: half(fingerprint) }));
  return fingerprintOf(halves(shownHalf), halves(wantedHalf));
}
