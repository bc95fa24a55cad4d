import type { RunContext } from "../run-context.ts";

/** Whether the checked-out code may use secrets and change what is live. */
export type Trust =
  | { readonly state: "trusted" }
  /** A fork's or Dependabot's pull request, which gets no secrets. */
  | { readonly state: "no-secrets"; readonly why: string }
  /** Secrets are present, but the code may be foreign: no interpolation, no verify, no writes. */
  | { readonly state: "untrusted"; readonly why: string };

/** Judges the event of a run; `allowed` is the input allow-untrusted. */
export function judgeTrust(
  run: Pick<RunContext, "event" | "fork" | "dependabot" | "untrustedHead">,
  allowed: boolean,
): Trust {
  if (run.untrustedHead) {
    if (allowed) return { state: "trusted" };
    const what = run.fork ? "on the head of a fork" : "and does not say whose code was checked out";
    return {
      state: "untrusted",
      why: `${run.event} runs with secrets ${what}: nothing is interpolated, verified or written (allow-untrusted: true trusts it)`,
    };
  }
  if (run.fork) return { state: "no-secrets", why: "a pull request from a fork gets no secrets" };
  if (run.dependabot)
    return { state: "no-secrets", why: "a Dependabot run gets no secrets of the repository" };
  return { state: "trusted" };
}
