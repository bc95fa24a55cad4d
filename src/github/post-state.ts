import { isObject, ownString, parseJson } from "../model/json.ts";
import { saveState } from "@actions/core";
import type { Clock } from "../clock.ts";
import { link } from "../report/escape.ts";
import { parseHeader, renderHeader } from "./comment-header.ts";
import { readRunContext } from "../ci/context.ts";
import type { RunContext } from "../run-context.ts";
import type { Environment } from "../spec/interpolation.ts";
import { createGithubApi, type GithubApi } from "./api.ts";
import { createDeploymentRecords, type DeploymentStatus } from "./deployment-record.ts";
import { isRateLimited, messageOf, reasonOf } from "./error.ts";
import { createRedactor } from "../secrets/redaction.ts";
import * as runner from "../ci/runner.ts";
import { toLogText } from "../ci/workflow-command.ts";

/** What a run has open on GitHub, saved for the post step, which runs even if the run was killed. */
export interface Sinks {
  readonly open: boolean;
  readonly commentId: number | null;
  readonly deploymentId: number | null;
  /** How the run ended, if it could not report that; absent while it runs. */
  readonly end?: SinksEnd;
}

/** What to report at the end of a run; null: nothing. */
interface SinksEnd {
  /** The comment without its header. */
  readonly comment: string | null;
  readonly status: DeploymentStatus | null;
}

const STATE = "agent_deploy_sinks";

/** Saves the state for the post step; the last call counts. */
export function saveSinks(sinks: Sinks): void {
  saveState(STATE, JSON.stringify(sinks));
}

function readSinks(saved: string | undefined): Sinks | null {
  const read = parseJson(saved ?? "");
  // The run opened nothing, or ended before it could say so.
  if (!isObject(read)) return null;
  const { open, commentId, deploymentId, end } = read;
  const id = (value: unknown): number | null =>
    typeof value === "number" && Number.isSafeInteger(value) ? value : null;
  return {
    open: open === true,
    commentId: id(commentId),
    deploymentId: id(deploymentId),
    ...(end === undefined ? {} : { end: end as SinksEnd }),
  };
}

/**
 * Closes what a run left open. For a killed run, the comment says so and the GitHub Deployment
 * fails; for one that ended while GitHub was unreachable, both report its end. Never throws;
 * returns what it closed.
 */
export async function closeOpenSinks(env: Environment, clock: Clock): Promise<readonly string[]> {
  const sinks = readSinks(env[`STATE_${STATE}`]);
  const token = env["INPUT_GITHUB-TOKEN"] ?? "";
  const context = readRunContext(env, null);
  if (sinks === null || !sinks.open || token === "" || context.repository === null) return [];
  const closed: string[] = [];
  const redactor = createRedactor();
  redactor.add(token);
  const deadlineMs = clock.monotonic() + 20_000;
  const timeoutMs = (): number => deadlineMs - clock.monotonic();
  const api = createGithubApi({ token, run: context, clock, timeoutMs });
  const attempt = async (name: string, close: () => Promise<boolean>): Promise<void> => {
    try {
      if (await close()) closed.push(name);
    } catch (error) {
      const why = isRateLimited(error) ? reasonOf(error) : messageOf(error);
      const words = `The ${name} that the run left open was not closed: ${why}.`;
      runner.annotate("warning", toLogText(redactor.redact(words)));
    }
  };
  const { commentId, deploymentId, end } = sinks;
  if (commentId !== null)
    await attempt("comment", () => closeComment(api, context, commentId, end?.comment ?? null));
  // The end has nothing to report: the deployment continues, as the run itself said.
  if (deploymentId !== null && end?.status !== null)
    await attempt("deployment", () =>
      closeDeployment(api, context, deploymentId, end?.status ?? undefined),
    );
  return closed;
}

async function closeComment(
  api: GithubApi,
  context: RunContext,
  id: number,
  end: string | null,
): Promise<boolean> {
  const { data } = await api.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    comment_id: id,
  });
  const body = ownString(data, "body") ?? "";
  const header = parseHeader(body);
  // Another run may have taken over the comment since.
  if (
    header === null ||
    !header.open ||
    header.run !== context.runId ||
    header.attempt !== context.runAttempt
  )
    return false;
  await api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    comment_id: id,
    body: `${renderHeader({ ...header, open: false })}\n${end ?? killedComment(body, context)}`,
  });
  return true;
}

/** The comment of a killed run, above what it said before. */
function killedComment(body: string, { runUrl }: RunContext): string {
  const rest = body.split(/\r?\n/).slice(2).join("\n").trim();
  const run = runUrl === "" ? "" : ` See ${link("the run", runUrl)}.`;
  return `### ⏹️ Cancelled: the run was killed before it could report\n\nThe service continues what the run had begun; it may still go live.${run}\n\n${rest}\n`;
}

async function closeDeployment(
  api: GithubApi,
  { runUrl }: RunContext,
  id: number,
  end: DeploymentStatus | undefined,
): Promise<boolean> {
  const { isLast, addEnd } = createDeploymentRecords(api);
  // Recorded although no response came.
  if (end !== undefined && (await isLast(id, end))) return false;
  const killed: DeploymentStatus = {
    state: "failure",
    description: "The run was killed before it could report.",
    ...(runUrl === "" ? {} : { log_url: runUrl }),
  };
  return addEnd(id, end ?? killed, []);
}
