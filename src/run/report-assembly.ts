import {
  isGreen,
  worstOutcome,
  type DeploymentReport,
  type LegIdentity,
  type Outcome,
  type Report,
  type Verdict,
} from "../report/report.ts";
import { resolveAddresses } from "../service/addresses.ts";
import type { CommandEnd, Session } from "./session.ts";

/** What a command adds to the one report. */
export interface Parts {
  readonly outcome?: Outcome;
  readonly deployments?: readonly DeploymentReport[];
  readonly experiments?: Report["experiments"];
  readonly gates?: Report["gates"];
  readonly gateVerdict?: Verdict | "none";
  readonly rowsWorse?: Report["rows_worse"];
  readonly rowsBetter?: Report["rows_better"];
  readonly rowsNew?: Report["rows_new"];
  readonly rowsMissing?: Report["rows_missing"];
  readonly rowCounts?: Report["row_counts"];
  readonly baseline?: Report["baseline"];
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
  readonly links?: Report["links"];
  readonly changed?: boolean;
  /** Of the run's plans; absent where nothing was planned. */
  readonly fingerprint?: string;
  readonly matrix?: Report["matrix"];
}

/** The report of a run from its parts; the worst outcome of its deployments wins. */
export function toReport(session: Session, parts: Parts): Report {
  const deployments = (parts.deployments ?? []).map((one) => withPage(session, one));
  const runLink =
    session.identity.runUrl === "" ? [] : [{ label: "Run", url: session.identity.runUrl }];
  return {
    version: 1,
    tool: `agent-deploy ${session.version}`,
    command: session.command,
    ...(session.target === undefined ? {} : { target: session.target }),
    outcome: parts.outcome ?? worstOutcome(deployments.map((one) => one.outcome)),
    changed: parts.changed ?? deployments.some((one) => one.changed),
    fingerprint: parts.fingerprint ?? "",
    deployments,
    ...(parts.matrix === undefined ? {} : { matrix: parts.matrix }),
    leg: toLegIdentity(session),
    experiments: parts.experiments ?? [],
    gates: parts.gates ?? [],
    gate_verdict: parts.gateVerdict ?? "none",
    rows_worse: parts.rowsWorse ?? [],
    rows_better: parts.rowsBetter ?? [],
    rows_new: parts.rowsNew ?? [],
    rows_missing: parts.rowsMissing ?? [],
    row_counts: parts.rowCounts ?? { new: 0, missing: 0, changed: {} },
    baseline: parts.baseline ?? null,
    problems: parts.problems ?? [],
    warnings: parts.warnings ?? [],
    links: [...(parts.links ?? []), ...runLink],
    ...(session.identity.sha === ""
      ? {}
      : {
          commit: {
            sha: session.identity.sha,
            url: session.identity.commitUrl,
            actor: session.identity.actor,
          },
        }),
    started_at: new Date(session.startedAtMs).toISOString(),
    finished_at: new Date(session.clock.now()).toISOString(),
  };
}

/** Keys of a leg of ours: they change from plan to plan, and tell no leg from another. */
const OWN_KEYS = ["name", "names", "action", "fingerprint", "wave"];

function toLegIdentity({ identity, options }: Session): LegIdentity {
  const place = options.controlPlaneUrl ?? options.tracingUrl ?? options.region ?? "us";
  return {
    run: identity.runId,
    attempt: Number(identity.attempt) || 1,
    matrix: toForeignMatrix(options.matrix),
    place: options.tenantId === undefined ? place : `${place} ${options.tenantId}`,
    event: identity.event,
  };
}

function toForeignMatrix(text = ""): string {
  try {
    const matrix: unknown = JSON.parse(text);
    if (typeof matrix !== "object" || matrix === null) return "";
    const foreign = Object.entries(matrix).filter(([key]) => !OWN_KEYS.includes(key));
    return foreign.length === 0 ? "" : JSON.stringify(Object.fromEntries(foreign.sort()));
  } catch {
    return "";
  }
}

/** Adds the deployment's page where both the service's pages and the workspace are known (docs/service.md 5); never invented. */
function withPage({ options }: Session, one: DeploymentReport): DeploymentReport {
  const tenant = options.tenantId ?? one.tenant_id ?? "";
  if (one.id === null || tenant === "" || one.page !== undefined) return one;
  const addresses = resolveAddresses({ ...options, region: options.region ?? "us" });
  if (addresses.kind !== "addresses" || addresses.ui === "") return one;
  const path = ["o", tenant, "host", "deployments", one.id].map(encodeURIComponent).join("/");
  return { ...one, page: `${addresses.ui}/${path}` };
}

/** Exit codes of the command line. */
const EXIT = { fine: 0, red: 1, changes: 3, gate: 4, timedOut: 5, cancelled: 130 } as const;

/** Adds the exit code to a report; `red` says that something besides the outcome makes the step red. */
export function toEnd(
  session: Session,
  report: Report,
  red: { readonly drift?: boolean; readonly gate?: boolean; readonly other?: boolean } = {},
): CommandEnd {
  return { report, exitCode: exitCodeOf(session, report, red) };
}

function exitCodeOf(
  session: Session,
  report: Report,
  red: { readonly drift?: boolean; readonly gate?: boolean; readonly other?: boolean },
): number {
  const tolerated = report.outcome === "superseded" && session.options.onSuperseded === "warn";
  if (report.outcome === "cancelled") return EXIT.cancelled;
  const gateAlone =
    report.outcome === "blocked" &&
    report.deployments.every((one) => one.outcome !== "blocked" || one.reason === "gate");
  if (red.gate === true && (isGreen(report.outcome) || tolerated || gateAlone)) return EXIT.gate;
  if (report.outcome === "timed-out") return EXIT.timedOut;
  if (!isGreen(report.outcome) && !tolerated) return EXIT.red;
  if (red.other === true) return EXIT.red;
  return red.drift === true ? EXIT.changes : EXIT.fine;
}
