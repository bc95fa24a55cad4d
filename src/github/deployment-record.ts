import { isObject, own, parseJson } from "../model/json.ts";
import type { RunContext } from "../run-context.ts";
import type { GithubApi } from "./api.ts";

/** A status of a GitHub Deployment, as sent. */
export interface DeploymentStatus {
  readonly state: "in_progress" | "success" | "failure" | "inactive";
  readonly description: string;
  readonly log_url?: string;
  readonly environment_url?: string;
}

/** A recorded status of a GitHub Deployment, whoever wrote it. */
export type RecordedStatus = { readonly [Key in keyof DeploymentStatus]?: unknown };

/** GitHub's default task, which other tools list too. */
export const TASK = "deploy";
const STATUSES = "/repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
/** GitHub's largest page. */
const PAGE = 100;

/** Creates access to the records. One page is enough: only the newest count. */
export function createDeploymentRecords({ request, createOnce }: GithubApi) {
  const listOf = (data: unknown): readonly unknown[] => (Array.isArray(data) ? data : []);
  /** Newest first. */
  const statusesOf = async (id: number, most = PAGE) => {
    const { data } = await request(`GET ${STATUSES}`, { deployment_id: id, per_page: most });
    return listOf(data) as readonly RecordedStatus[];
  };
  /** Whether it is the last status, which is the one that GitHub shows. */
  const isLast = async (id: number, { state, description }: DeploymentStatus) => {
    const [last] = await statusesOf(id, 1);
    return last?.state === state && last.description === description;
  };
  const addOnce = async (id: number, status: DeploymentStatus) => {
    await request(`POST ${STATUSES}`, { deployment_id: id, auto_inactive: false, ...status });
    return true;
  };
  const addStatus = (id: number, status: DeploymentStatus): Promise<boolean> =>
    createOnce(
      () => addOnce(id, status),
      () => isLast(id, status),
    );
  return {
    statusesOf,
    isLast,
    addStatus,
    /** Our own in an environment, newest first. */
    list: async (environment: string) => {
      const { data } = await request("GET /repos/{owner}/{repo}/deployments", {
        environment,
        task: TASK,
        per_page: PAGE,
      });
      return listOf(data)
        .flatMap(readRecorded)
        .sort((a, b) => b.id - a.id);
    },
    /**
     * Adds how a leg ended. False: another leg ended red, and GitHub shows the last status, so that
     * one stays the last. `seen`: the revisions that the leg saw go live; a red end that only left
     * these building is over.
     */
    addEnd: (id: number, end: DeploymentStatus, seen: readonly string[]) => {
      // Read again for each try: another leg may have ended red in between.
      const add = async (): Promise<boolean> => {
        const statuses = QUIET.includes(end.state) ? await statusesOf(id) : [];
        const red = statuses.find(
          (one, at) => isRedStatus(one) && !isOver(one, statuses.slice(0, at), seen),
        );
        if (red === undefined)
          return addOnce(id, statuses.some(isRedStatus) ? withRevisions(end, seen) : end);
        if (red !== statuses[0]) await addOnce(id, toRepeated(red));
        return false;
      };
      return createOnce(add, () => isLast(id, end));
    },
  };
}

/** The GitHub Deployments of the run's repository. */
export type DeploymentRecords = ReturnType<typeof createDeploymentRecords>;

/** Digests of wanted states by deployment. */
export type WantedStates = Readonly<Record<string, string>>;

const TOOL = "agent-deploy";

/** The payload of a GitHub Deployment. */
export function toPayload(
  { runId, runAttempt }: Pick<RunContext, "runId" | "runAttempt">,
  wanted: WantedStates,
): Readonly<Record<string, unknown>> {
  return { tool: TOOL, run_id: runId, run_attempt: runAttempt, wanted };
}

/** Reads a GitHub Deployment whose payload is an object or its text; empty if it is not ours. */
function readRecorded(one: unknown) {
  const [id, payload] = [own(one, "id"), own(one, "payload")];
  const read = typeof payload === "string" ? parseJson(payload) : payload;
  if (!isObject(read) || read["tool"] !== TOOL || typeof id !== "number") return [];
  const { run_id, run_attempt, wanted } = read;
  const digests = Object.entries(isObject(wanted) ? wanted : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const states = Object.fromEntries(digests);
  return [{ id, run: String(run_id), attempt: Number(run_attempt), wanted: states }];
}

/** One of our GitHub Deployments: the run that made it, and the digests of the wanted states by deployment. */
export type RecordedRun = ReturnType<typeof readRecorded>[number];

/** GitHub accepts URLs of at least this length. */
const MAX_CHARS = 1_500;
const MARK = "#agent-deploy=";
/** Key of revisions in a log URL; no deployment can have this name. */
const REVISIONS = "*";

/**
 * Adds the wanted states of a leg to a status's log URL, in its fragment. Legs of one run share a
 * GitHub Deployment whose payload is the first leg's and cannot be changed. States that do not fit
 * are left out.
 */
export function withWanted(logUrl: string, wanted: WantedStates): string {
  let url = logUrl;
  for (const one of Object.entries(wanted)) {
    const next = `${url}${url.includes(MARK) ? "&" : MARK}${new URLSearchParams([one]).toString()}`;
    if (next.length > MAX_CHARS) break;
    url = next;
  }
  return url;
}

/** Adds the revisions that a red status left building, or that a green one saw go live. */
export function withRevisions(
  status: DeploymentStatus,
  revisions: readonly string[],
): DeploymentStatus {
  const { log_url: url } = status;
  if (url === undefined || revisions.length === 0) return status;
  return { ...status, log_url: withWanted(url, { [REVISIONS]: revisions.join(" ") }) };
}

function entriesIn(logUrl: unknown): readonly (readonly [string, string])[] {
  const [, ...fragment] = String(logUrl).split(MARK);
  return [...new URLSearchParams(fragment.join(MARK))];
}

/** The wanted states in a log URL; null if it has none, as for the first leg. */
export function wantedIn(logUrl: unknown): WantedStates | null {
  const entries = entriesIn(logUrl).filter(([name]) => name !== REVISIONS);
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.filter(([, digest]) => /^[0-9a-f]{32}$/.test(digest)));
}

function revisionsIn({ log_url }: RecordedStatus): readonly string[] {
  const listed = entriesIn(log_url).find(([name]) => name === REVISIONS);
  return listed === undefined ? [] : listed[1].split(" ");
}

/** Whether a red status only left revisions building that were seen live since. */
function isOver(
  red: RecordedStatus,
  later: readonly RecordedStatus[],
  seen: readonly string[],
): boolean {
  const left = revisionsIn(red);
  const live = later.filter(({ state }) => state === "success").flatMap(revisionsIn);
  return left.length > 0 && left.every((id) => seen.includes(id) || live.includes(id));
}

/** States that must not hide another leg's red one. */
const QUIET: readonly DeploymentStatus["state"][] = ["success", "inactive"];

const isRedStatus = ({ state }: RecordedStatus): boolean =>
  state === "failure" || state === "error";

function toRepeated({ description, log_url: url }: RecordedStatus): DeploymentStatus {
  const link = typeof url === "string" && url !== "" ? { log_url: url } : {};
  return { state: "failure", description: String(description ?? ""), ...link };
}
