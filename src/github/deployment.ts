import { wantedHalf } from "../plan/fingerprint.ts";
import { cutEnd, toHref, toSentence } from "../report/escape.ts";
import { isRed } from "../report/judgement.ts";
import type { Outcome } from "../report/outcome.ts";
import type { DeploymentReport, Report } from "../report/report.ts";
import { toHeadline } from "../report/verdict.ts";
import type { Stage } from "../report/wording.ts";
import type { RunContext } from "../run-context.ts";
import type { GithubApi } from "./api.ts";
import { isDenied, reasonOf } from "./error.ts";
import {
  createDeploymentRecords,
  isQuiet,
  isRedStatus,
  TASK,
  toPayload,
  withWanted,
  type DeploymentStatus,
  type RecordedRun,
  type WantedStates,
} from "./deployment-record.ts";

/** The GitHub Deployment of a run in one environment. */
export interface GithubDeployment {
  /**
   * Follows the report: created once there is work, completed at the end. Never throws: a refusal
   * becomes one warning. Returns whether GitHub holds the report.
   */
  readonly follow: (stage: Stage, report: Report) => Promise<boolean>;
  /** Its id; null before it is created. */
  readonly id: () => number | null;
  /** Its final status, for a later try; null before it is created. */
  readonly endOf: (report: Report) => DeploymentStatus | null;
}

/** What a GitHub Deployment needs to know about its run; `environment` is not empty. */
export interface GithubDeploymentOptions {
  readonly api: GithubApi;
  readonly context: RunContext;
  readonly environment: string;
  readonly notify: (level: "notice" | "warning", message: string) => void;
}

/** GitHub's own limit. */
const MAX_DESCRIPTION = 140;
/** The description of one that a later run replaced. */
export const REPLACED = "Replaced by a later deployment.";
type State = DeploymentStatus["state"];

/**
 * One GitHub Deployment per run and environment: the legs of a run share it, and a green leg does
 * not hide a red one.
 */
export function createGithubDeployment(options: GithubDeploymentOptions): GithubDeployment {
  const calls = createCalls(options);
  let begun: Begun | null = null;
  let warned = false;
  let isReported = false;

  const move = async (stage: Stage, report: Report): Promise<void> => {
    if (begun === null) {
      if (!hasWork(report, stage)) {
        // The deployment is gone, however that happened: its record on GitHub is outdated.
        if (stage === "end" && isDestroyed(report)) await calls.retireBefore(Infinity, report);
        return;
      }
      begun = await calls.begin(report);
      if (stage === "begin" || !begun.shared)
        await calls.setState(begun, "in_progress", report, "begin");
    }
    if (stage === "begin") return;
    const state = toState(report);
    if (
      state === "in_progress" ||
      (isQuiet(state) && begun.shared && (await calls.wasRed(begun.id)))
    )
      return;
    await calls.setState(begun, state, report, "end");
    isReported = true;
    if (state === "success" || isDestroyed(report)) await calls.retireBefore(begun.id, report);
  };

  const follow: GithubDeployment["follow"] = async (stage, report) => {
    isReported = false;
    try {
      await move(stage, report);
      isReported = true;
    } catch (error) {
      if (!warned) options.notify("warning", toWarning(error));
      warned = true;
    }
    return isReported;
  };
  const endOf: GithubDeployment["endOf"] = (report) => {
    const state = toState(report);
    return begun === null || state === "in_progress"
      ? null
      : toStatus(options.context, begun, { state, report, stage: "end" });
  };
  return { follow, id: () => begun?.id ?? null, endOf };
}

/** The GitHub Deployment of a run. */
interface Begun {
  readonly id: number;
  /** Another leg or step of the run created it. */
  readonly shared: boolean;
  /** From its payload, which is the first leg's. */
  readonly wanted: WantedStates;
}

interface Calls {
  /** Finds the one of this run and attempt, or creates it. */
  readonly begin: (report: Report) => Promise<Begun>;
  readonly setState: (begun: Begun, state: State, report: Report, stage: Stage) => Promise<void>;
  readonly wasRed: (id: number) => Promise<boolean>;
  /** Makes our earlier ones inactive, newest first, up to the first that already is. */
  readonly retireBefore: (id: number, report: Report) => Promise<void>;
}

function createCalls({ api, context, environment }: GithubDeploymentOptions): Calls {
  const { list, statusesOf, addStatus } = createDeploymentRecords(api);

  const begin: Calls["begin"] = async (report) => {
    const ours = (await list(environment)).find(
      (one) => one.run === context.runId && one.attempt === context.runAttempt,
    );
    if (ours !== undefined) return { id: ours.id, shared: true, wanted: ours.wanted };
    const wanted = toWanted(report);
    const { data } = await api.request("POST /repos/{owner}/{repo}/deployments", {
      ref: context.headSha,
      task: TASK,
      auto_merge: false,
      required_contexts: [],
      description: describe(report, "begin"),
      payload: toPayload(context, wanted),
      environment,
    });
    const { id } = data as { id?: unknown };
    if (typeof id !== "number") throw new Error("GitHub answered without a deployment");
    return { id, shared: false, wanted };
  };

  const setState: Calls["setState"] = (begun, state, report, stage) =>
    addStatus(begun.id, toStatus(context, begun, { state, report, stage }));

  const wasRed: Calls["wasRed"] = async (id) => (await statusesOf(id)).some(isRedStatus);

  const retireBefore: Calls["retireBefore"] = async (id, report) => {
    const description = isDestroyed(report) ? "Destroyed." : REPLACED;
    const all = await list(environment);
    const earlier = all.filter((one) => one.id < id && !isOfOther(one, report));
    for (const one of earlier.slice(0, 20)) {
      const state = (await statusesOf(one.id, 1))[0]?.state;
      if (state === "inactive") return;
      if (state === "success" || state === "in_progress")
        await addStatus(one.id, { state: "inactive", description });
    }
  };
  return { begin, setState, wasRed, retireBefore };
}

function toStatus(
  context: RunContext,
  { wanted }: Begun,
  { state, report, stage }: { state: State; report: Report; stage: Stage },
): DeploymentStatus {
  const [only] = report.deployments;
  const href = report.deployments.length === 1 && only !== undefined ? toHref(only.url) : null;
  return {
    state,
    description: describe(report, stage),
    ...toLogUrl(context, report, wanted),
    ...(href === null || state !== "success" ? {} : { environment_url: href }),
  };
}

/** Whether it belongs to another deployment in the environment than the destroyed one, and so is still live. */
function isOfOther({ wanted }: RecordedRun, report: Report): boolean {
  const destroyed = new Set(report.deployments.map(({ name }) => name));
  return isDestroyed(report) && Object.keys(wanted).some((name) => !destroyed.has(name));
}

/** The run's URL, with the digests that the payload does not have. */
function toLogUrl(
  { runUrl }: RunContext,
  report: Report,
  wanted: Readonly<Record<string, string>>,
): { readonly log_url?: string } {
  if (runUrl === "") return {};
  const own = Object.entries(toWanted(report)).filter(([name, digest]) => wanted[name] !== digest);
  return { log_url: withWanted(runUrl, Object.fromEntries(own)) };
}

/** The most deployments whose wanted state fits in the payload, which GitHub limits. */
const MAX_WANTED = 500;

/** Digests of the wanted states by name. They show a later plan whether the live state or the spec changed. */
function toWanted({ deployments }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(
    deployments
      .slice(0, MAX_WANTED)
      .flatMap(({ name, plan }) => (plan === null ? [] : [[name, wantedHalf(plan.fingerprint)]])),
  );
}

/** Commands without a plan, which have work if the deployment exists. */
const WITHOUT_PLAN = ["redeploy", "wait", "destroy"];
/** Outcomes of a deployment that was not touched. */
const IDLE = ["blocked", "unchanged", "skipped", "planned", "not-run"];

/**
 * False for a plan, and if every deployment was already as wanted or never reached a write. A live
 * deployment that fails its `verify` or gates is reported.
 */
function hasWork(report: Report, stage: Stage): boolean {
  const planless = WITHOUT_PLAN.includes(report.command);
  if (!planless && report.command !== "apply") return false;
  const failsVerified = stage === "end" && !planless && isRed(report);
  const works = (one: DeploymentReport): boolean => {
    if (failsVerified && one.verify !== undefined) return true;
    if (stage === "end" && IDLE.includes(one.outcome)) return false;
    if (planless) return one.id !== null;
    if (one.action === "none" || one.action === "blocked") return false;
    return stage === "end" || one.plan !== null;
  };
  return report.deployments.some(works);
}

/** Whether a run leaves nothing live: it deleted the deployment, or proved that there is none. */
function isDestroyed(report: Report): boolean {
  return report.command === "destroy" && !isRed(report) && report.outcome !== "started";
}

const STATES: Readonly<Partial<Record<Outcome, State>>> = {
  superseded: "inactive",
  started: "in_progress",
};

function toState(report: Report): State {
  if (isRed(report)) return report.outcome === "superseded" ? "inactive" : "failure";
  if (isDestroyed(report)) return "inactive";
  return STATES[report.outcome] ?? "success";
}

function describe(report: Report, stage: Stage): string {
  return cutEnd(toSentence(toHeadline(report, stage)), MAX_DESCRIPTION);
}

function toWarning(error: unknown): string {
  if (isDenied(error))
    return `The GitHub Deployment was not written: the token may not (${reasonOf(error)}). Give the job \`permissions: deployments: write\`, or leave \`environment\` out.`;
  return `The GitHub Deployment was not written (${reasonOf(error)}).`;
}
