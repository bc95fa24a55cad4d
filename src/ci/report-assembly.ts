import { parseJson } from "../model/json.ts";
import { createTracker, toDeploymentReport, track } from "../deploy/tracker.ts";
import { judge, type JudgementFacts, type JudgementPolicy } from "../report/judgement.ts";
import { worstOutcome } from "../report/outcome.ts";
import {
  type DeploymentReport,
  type JudgedReport,
  type LegIdentity,
  type Report,
  type ReportProblem,
  toProblemLine,
} from "../report/report.ts";
import { isLoopback } from "../model/address.ts";
import { resolveAddresses } from "../service/addresses.ts";
import { isAccepting, UsageError, type Session } from "./session.ts";
import type { LiveDeployment } from "../model/live.ts";

/** What a command adds to the report; the session provides the rest. */
export type Parts = Partial<Report>;

/** Shows problems that neither an annotation nor the terminal's report shows; returns all of them. */
export function showProblems(session: Session, error: unknown): readonly ReportProblem[] {
  const problems = problemsOf(error);
  if (session.entryPoint !== "cli")
    for (const problem of problems)
      if (problem.file === undefined) session.host.notify("error", toProblemLine(problem));
  return problems;
}

/** An error as problems of the report. */
export function problemsOf(error: unknown): readonly ReportProblem[] {
  if (error instanceof UsageError) return error.problems;
  const { message = String(error) } = error as { readonly message?: string };
  return [{ message }];
}

/** Assembles the report of a run; its outcome is the worst of its deployments, unless the parts have one. */
export function toReport(session: Session, { links = [], ...parts }: Parts): Report {
  const deployments = (parts.deployments ?? []).map((one) => withPage(session, one));
  const { run } = session;
  const runLink = run.runUrl === "" ? [] : [{ label: "Run", url: run.runUrl }];
  return {
    version: 1,
    tool: `agent-deploy ${session.version}`,
    command: session.command,
    entry_point: session.entryPoint,
    ...(session.target === undefined ? {} : { target: session.target }),
    outcome: worstOutcome(deployments.map((one) => one.outcome)),
    changed: deployments.some((one) => one.changed),
    fingerprint: "",
    leg: toLegIdentity(session),
    experiments: [],
    gates: [],
    gate_verdict: "none",
    rows_worse: [],
    rows_better: [],
    rows_new: [],
    rows_missing: [],
    row_counts: { new: 0, missing: 0, changed: {} },
    baseline: null,
    problems: [],
    warnings: [],
    ...parts,
    deployments,
    links: [...links, ...runLink],
    ...(run.headSha === ""
      ? {}
      : { commit: { sha: run.headSha, url: run.commitUrl, actor: run.actor } }),
    started_at: new Date(session.startedAtMs).toISOString(),
    finished_at: new Date(session.clock.now()).toISOString(),
  };
}

/** Matrix keys that we set ourselves. They change from plan to plan and do not distinguish legs. */
const OWN_KEYS = ["name", "names", "action", "fingerprint", "wave"];

function toLegIdentity({ run, options }: Session): LegIdentity {
  const place = options.controlPlaneUrl ?? options.tracingUrl ?? options.region ?? "us";
  return {
    run: run.runId,
    attempt: run.runAttempt,
    matrix: toForeignMatrix(options.matrix),
    place: options.tenantId === undefined ? place : `${place} ${options.tenantId}`,
    event: run.event,
  };
}

function toForeignMatrix(text = ""): string {
  const matrix = parseJson(text);
  if (typeof matrix !== "object" || matrix === null) return "";
  const foreign = Object.entries(matrix).filter(([key]) => !OWN_KEYS.includes(key));
  return foreign.length === 0 ? "" : JSON.stringify(Object.fromEntries(foreign.sort()));
}

/**
 * Adds the URL of the deployment's page if both the service's UI and the workspace are known
 * (contributing/service.md 5).
 */
function withPage({ options }: Session, one: DeploymentReport): DeploymentReport {
  const tenant = options.tenantId ?? one.tenant_id ?? "";
  if (one.id === null || tenant === "" || one.page !== undefined) return one;
  const addresses = resolveAddresses({ ...options, region: options.region ?? "us" });
  if (addresses.kind !== "addresses") return one;
  const page = toServicePage(addresses.ui, { id: one.id, tenant_id: tenant });
  return page === "" ? one : { ...one, page };
}

/** Reports the start of a run with what is known so far: the names, or what was looked up. */
export async function publishStart(
  session: Session,
  targets: readonly { readonly name: string; readonly live?: LiveDeployment | null }[],
): Promise<void> {
  const deployments = targets.map(({ name, live = null }) => {
    const tracker = createTracker(name);
    if (live !== null) track(tracker, live);
    return toDeploymentReport(tracker, { outcome: "not-run", message: "" });
  });
  await session.host.publish("begin", toReport(session, { deployments }));
}

/** The inputs that decide between red and green. */
export function judgementPolicyOf(session: Session): JudgementPolicy {
  const { onSuperseded, onInconclusive, onNoBaseline, failOnChanges } = session.options;
  const acceptBaseline = isAccepting(session);
  return { onSuperseded, onInconclusive, onNoBaseline, acceptBaseline, failOnChanges };
}

/** Ends a command with these parts of the report. */
export function endWith(session: Session, parts: Parts, facts: JudgementFacts = {}): JudgedReport {
  return toEnd(session, toReport(session, parts), facts);
}

/** Judges a report. Every sink and the exit code follow this judgement. */
export function toEnd(session: Session, report: Report, facts: JudgementFacts = {}): JudgedReport {
  return { ...report, judgement: judge(report, judgementPolicyOf(session), facts) };
}

/**
 * URL of the deployment's page (contributing/service.md 3); empty if the UI or the tenant is
 * unknown, and for a local service, since the emulator has no such page.
 */
export function toServicePage(ui: string, live: Pick<LiveDeployment, "id" | "tenant_id">): string {
  if (ui === "" || live.tenant_id === null || isLoopback(new URL(ui))) return "";
  return `${ui}/o/${encodeURIComponent(live.tenant_id)}/host/deployments/${encodeURIComponent(live.id)}`;
}
