import { wantedHalf } from "../plan/fingerprint.ts";
import { cutEnd, toHref, toSentence } from "../report/escape.ts";
import { isRed } from "../report/judgement.ts";
import type { DeploymentReport, Report } from "../report/report.ts";
import { toHeadline } from "../report/verdict.ts";
import type { Stage } from "../report/wording.ts";
import { own } from "../model/json.ts";
import type { RunContext } from "../run-context.ts";
import type { GithubApi } from "./api.ts";
import { refusalOf } from "./error.ts";
import {
  createDeploymentRecords,
  TASK,
  toPayload,
  withRevisions,
  withWanted,
  type DeploymentRecords,
  type DeploymentStatus,
  type RecordedRun,
  type WantedStates,
} from "./deployment-record.ts";

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
const DESTROYED = "Destroyed.";
const DUPLICATE = "Another job of this run had created one.";
const MAX_RETIRED = 20;
type State = DeploymentStatus["state"];

/** The GitHub Deployment of a run; `shared`: another leg or step of the run created it. */
interface Begun extends Pick<RecordedRun, "id" | "wanted"> {
  readonly shared: boolean;
}

/** One per run and environment: its legs share it, and a green one does not hide a red one. */
export function createGithubDeployment(options: GithubDeploymentOptions) {
  const { api, context, environment, notify } = options;
  const records = createDeploymentRecords(api);
  let begun: Begun | null = null;
  let warned = false;
  let isReported = false;

  const retireBefore = async (id: number, report: Report): Promise<void> => {
    const earlier = (await records.list(environment)).filter((one) => one.id < id);
    await retire(records, earlier, report);
  };

  const move = async (stage: Stage, report: Report, onBegun: () => void): Promise<void> => {
    if (begun === null) {
      if (!hasWork(report, stage)) {
        // The deployment is gone, however that happened: its record on GitHub is outdated.
        if (stage === "end" && isDestroyed(report)) await retireBefore(Infinity, report);
        return;
      }
      begun = await beginOn(records, options, report);
      onBegun();
      if (stage === "begin" || !begun.shared)
        await records.addStatus(begun.id, toStatus(context, begun, "in_progress", report));
    }
    const { id } = begun;
    const state = toState(report);
    if (stage === "begin" || state === "in_progress") return;
    if (!(await records.addEnd(id, toStatus(context, begun, state, report), seenLive(report))))
      return;
    isReported = true;
    if (state === "success" || isDestroyed(report)) await retireBefore(id, report);
  };

  return {
    /**
     * Follows the report: created once there is work, completed at the end. Never throws: a refusal
     * becomes one warning. Returns whether GitHub holds the report. `onBegun`: as soon as it has an id.
     */
    follow: async (stage: Stage, report: Report, onBegun: () => void) => {
      isReported = false;
      try {
        await move(stage, report, onBegun);
        return true;
      } catch (error) {
        const refusal = refusalOf(
          error,
          "`permissions: deployments: write`, or leave `environment` out",
        );
        if (!warned) notify("warning", `The GitHub Deployment was not written ${refusal}`);
        warned = true;
        return isReported;
      }
    },
    /** Null before it is created, and so is its end. */
    id: () => begun?.id ?? null,
    /** Its final status, for a later try. */
    endOf: (report: Report) => {
      const state = toState(report);
      return begun === null || state === "in_progress"
        ? null
        : toStatus(context, begun, state, report);
    },
  };
}

/** The GitHub Deployment of a run in one environment. */
export type GithubDeployment = ReturnType<typeof createGithubDeployment>;

/** Finds the one of this run and attempt, or creates it. */
async function beginOn(
  records: DeploymentRecords,
  { api, context, environment }: GithubDeploymentOptions,
  report: Report,
): Promise<Begun> {
  const findOldest = async () => {
    const all = await records.list(environment);
    const isOurs = ({ run, attempt }: RecordedRun): boolean =>
      run === context.runId && attempt === context.runAttempt;
    return all.findLast(isOurs);
  };
  const ours = await findOldest();
  if (ours !== undefined) return { ...ours, shared: true };
  const wanted = toWanted(report);
  const create = async () => {
    const { data } = await api.request("POST /repos/{owner}/{repo}/deployments", {
      ref: context.headSha,
      task: TASK,
      auto_merge: false,
      required_contexts: [],
      description: describe(report, "begin"),
      payload: toPayload(context, wanted),
      environment,
    });
    return { id: own(data, "id"), wanted };
  };
  const { id, ...made } = await api.createOnce(create, findOldest);
  if (typeof id !== "number") throw new Error("GitHub answered without a deployment");
  // Another leg may have looked and created one at the same time: the oldest counts.
  const oldest = await findOldest();
  if (oldest === undefined || oldest.id >= id) return { id, shared: false, wanted: made.wanted };
  await records.addStatus(id, { state: "inactive", description: DUPLICATE });
  return { ...oldest, shared: true };
}

/**
 * Makes earlier ones inactive, newest first, up to the first that was made so before, since all
 * earlier ones were then too. One that ended inactive, as it was superseded, says nothing of them.
 */
async function retire(
  { statusesOf, addStatus }: DeploymentRecords,
  earlier: readonly RecordedRun[],
  report: Report,
): Promise<void> {
  const description = isDestroyed(report) ? DESTROYED : REPLACED;
  for (const { id } of earlier.filter((one) => !isOfOther(one, report)).slice(0, MAX_RETIRED)) {
    const { state, description: why } = (await statusesOf(id, 1))[0] ?? {};
    if (state === "inactive" && (why === REPLACED || why === DESTROYED)) return;
    if (state === "success" || state === "in_progress")
      await addStatus(id, { state: "inactive", description });
  }
}

function toStatus(
  { runUrl }: RunContext,
  { wanted }: Begun,
  state: State,
  report: Report,
): DeploymentStatus {
  const [only, ...others] = report.deployments;
  const href = only === undefined || others.length > 0 ? null : toHref(only.url);
  // The digests that the payload, which is the first leg's, does not have.
  const own = Object.entries(toWanted(report)).filter(([name, digest]) => wanted[name] !== digest);
  const status = {
    state,
    description: describe(report, state === "in_progress" ? "begin" : "end"),
    ...(runUrl === "" ? {} : { log_url: withWanted(runUrl, Object.fromEntries(own)) }),
    ...(href === null || state !== "success" ? {} : { environment_url: href }),
  };
  return state === "failure" ? withRevisions(status, leftBuilding(report)) : status;
}

/** The revisions of a run that was red only because it did not wait for their end. */
function leftBuilding({ outcome, gate_verdict: verdict, deployments }: Report): readonly string[] {
  const late = deployments.filter((one) => one.outcome === "timed-out");
  const ids = late.flatMap(({ revision_id: id, rollback }) =>
    id === null || rollback !== undefined ? [] : [id],
  );
  return outcome === "timed-out" && verdict !== "fail" && ids.length === late.length ? ids : [];
}

const seenLive = ({ deployments }: Report): readonly string[] =>
  deployments.flatMap(({ outcome, revision_id: id }) =>
    outcome === "deployed" && id !== null ? [id] : [],
  );

/** Whether it belongs to another deployment in the environment than the destroyed one, and so is still live. */
function isOfOther({ wanted }: RecordedRun, report: Report): boolean {
  const destroyed = new Set(report.deployments.map(({ name }) => name));
  return isDestroyed(report) && Object.keys(wanted).some((name) => !destroyed.has(name));
}

/** The most deployments whose wanted state fits in the payload, which GitHub limits. */
const MAX_WANTED = 500;

/** Digests of the wanted states by name. They show a later plan whether the live state or the spec changed. */
function toWanted({ deployments }: Report): WantedStates {
  return Object.fromEntries(
    deployments
      .slice(0, MAX_WANTED)
      .flatMap(({ name, plan }) => (plan === null ? [] : [[name, wantedHalf(plan.fingerprint)]])),
  );
}

/** Commands without a plan, which have work if the deployment exists. */
const WITHOUT_PLAN = ["redeploy", "rollback", "wait", "destroy"];
/** Outcomes of a deployment that was not touched. */
const IDLE = ["blocked", "unchanged", "skipped", "planned", "not-run"];

/**
 * False for a plan, and if every deployment was already as wanted or never reached a write. A live
 * deployment that fails its `verify` or gates is reported.
 */
function hasWork(report: Report, stage: Stage): boolean {
  const planless = WITHOUT_PLAN.includes(report.command);
  if (!planless && report.command !== "apply")
    return stage === "end" && report.deployments.some(isRolledBack);
  const failsVerified = stage === "end" && !planless && isRed(report);
  const works = (one: DeploymentReport): boolean => {
    if (failsVerified && one.verify !== undefined) return true;
    if (one.outcome === "blocked" || (stage === "end" && IDLE.includes(one.outcome))) return false;
    if (planless) return one.id !== null;
    if (one.action === "none" || one.action === "blocked") return false;
    return stage === "end" || one.plan !== null;
  };
  return report.deployments.some(works);
}

/** Whether a gate took back what an earlier step deployed, or tried to; not if a newer revision was in its way. */
const isRolledBack = ({ rollback }: DeploymentReport): boolean =>
  rollback !== undefined && rollback.outcome !== "superseded";

/** Whether a run leaves nothing live: it deleted the deployment, or proved that there is none. */
function isDestroyed(report: Report): boolean {
  return report.command === "destroy" && !isRed(report) && report.outcome !== "started";
}

function toState(report: Report): State {
  if (isRed(report)) return report.outcome === "superseded" ? "inactive" : "failure";
  if (isDestroyed(report) || report.outcome === "superseded") return "inactive";
  return report.outcome === "started" ? "in_progress" : "success";
}

function describe(report: Report, stage: Stage): string {
  return cutEnd(toSentence(toHeadline(report, stage)), MAX_DESCRIPTION);
}
