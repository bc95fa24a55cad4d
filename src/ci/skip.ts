import { type Report, blankDeployment } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";
import { hasCredentials } from "./access.ts";
import { endWith } from "./report-assembly.ts";
import { isNamed, type Session } from "./session.ts";
import { readSpec } from "./spec-source.ts";

/** Whether a run without a key may end green: only where a pull request gets no secrets (forks, Dependabot). */
export function mustSkip(session: Session): boolean {
  return session.trust.state === "no-secrets" && !hasCredentials(session);
}

/** The end of a run without secrets: the spec was validated and no request was made. */
export function endSkipped(session: Session, documents: readonly Desired[]): Report {
  const why = session.trust.state === "trusted" ? "" : session.trust.why;
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

/** The end of a command that needs the service, in a run without secrets; null if it can continue. */
export async function skipWithoutKey(session: Session): Promise<Report | null> {
  if (!mustSkip(session)) return null;
  return endSkipped(session, isNamed(session) ? [] : await readSpec(session, "validate"));
}
