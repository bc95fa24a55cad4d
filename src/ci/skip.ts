import { blankDeployment, type JudgedReport } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";
import { hasCredentials } from "./access.ts";
import { endWith } from "./report-assembly.ts";
import type { Session } from "./session.ts";

/**
 * Why a run has no key and may still end green: only where a pull request gets no secrets
 * (forks, Dependabot). Null for any other run.
 */
export function whyNoKey(session: Session): string | null {
  const { trust } = session;
  return trust.state === "no-secrets" && !hasCredentials(session) ? trust.why : null;
}

/** The end of a run without secrets: the spec was validated and no request was made. */
export function endSkipped(
  session: Session,
  documents: readonly Desired[],
  why: string,
): JudgedReport {
  const message = `the spec is valid; not compared with what is live: ${why}`;
  session.host.notify("notice", `skipped: ${message}`);
  const deployments = documents.map(({ name }) => ({
    ...blankDeployment(name),
    outcome: "skipped" as const,
    reason: "no-key",
    message,
  }));
  return endWith(session, { deployments, outcome: "skipped", changed: false });
}
