import type { Clock } from "../clock.ts";
import { link } from "../report/escape.ts";
import { parseHeader, renderHeader } from "./comment-header.ts";
import { readRunContext, type RunContext } from "./context.ts";
import { createGithubApi, toRouteRepository, type GithubApi } from "./github-api.ts";
import { messageOf } from "./github-error.ts";
import { createRedactor } from "./redaction.ts";
import * as runner from "./runner.ts";
import { toLogText } from "./workflow-command.ts";

/** What a run has open on GitHub; kept for the post step, which runs even when the run was killed. */
export interface Sinks {
  readonly open: boolean;
  readonly commentId: number | null;
  readonly deploymentId: number | null;
}

const STATE = "agent_deploy_sinks";

/** Tells the post step; the last call counts. */
export function saveSinks(sinks: Sinks): void {
  runner.saveState(STATE, JSON.stringify(sinks));
}

function readSinks(saved: string | undefined): Sinks | null {
  try {
    const { open, commentId, deploymentId } = JSON.parse(saved ?? "") as {
      open?: unknown;
      commentId?: unknown;
      deploymentId?: unknown;
    };
    const id = (value: unknown): number | null =>
      typeof value === "number" && Number.isSafeInteger(value) ? value : null;
    return { open: open === true, commentId: id(commentId), deploymentId: id(deploymentId) };
  } catch {
    return null; // The run opened nothing, or ended before it could say so.
  }
}

/**
 * Closes what a killed run left open: the comment says so, the GitHub Deployment failed. Never
 * throws; gives back what it closed.
 */
export async function closeOpenSinks(
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<readonly ("comment" | "deployment")[]> {
  const sinks = readSinks(env[`STATE_${STATE}`]);
  const token = env["INPUT_GITHUB-TOKEN"] ?? "";
  const context = readRunContext(env, null);
  if (sinks === null || !sinks.open || token === "" || context.repository === null) return [];
  const closed: ("comment" | "deployment")[] = [];
  const redactor = createRedactor();
  redactor.add(token);
  const deadlineMs = clock.monotonic() + 20_000;
  const api = await createGithubApi({
    token,
    baseUrl: context.apiUrl,
    clock,
    timeoutMs: () => deadlineMs - clock.monotonic(),
  });
  const attempt = async (
    name: "comment" | "deployment",
    close: () => Promise<boolean>,
  ): Promise<void> => {
    try {
      if (await close()) closed.push(name);
    } catch (error) {
      runner.annotate(
        "warning",
        toLogText(
          redactor.redact(
            `The ${name} that the killed run left open was not closed: ${messageOf(error)}.`,
          ),
        ),
      );
    }
  };
  if (sinks.commentId !== null)
    await attempt("comment", () => closeComment(api, context, sinks.commentId!));
  if (sinks.deploymentId !== null)
    await attempt("deployment", () => closeDeployment(api, context, sinks.deploymentId!));
  return closed;
}

async function closeComment(api: GithubApi, context: RunContext, id: number): Promise<boolean> {
  const repository = toRouteRepository(context.repository!);
  const { data } = await api.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    ...repository,
    comment_id: id,
  });
  const body = String((data as { body?: unknown }).body ?? "");
  const header = parseHeader(body);
  // Another run may have taken the comment over since.
  if (
    header === null ||
    !header.open ||
    header.run !== context.runId ||
    header.attempt !== context.runAttempt
  )
    return false;
  const rest = body.split(/\r?\n/).slice(2).join("\n").trim();
  const run = context.runUrl === "" ? "" : ` See ${link("the run", context.runUrl)}.`;
  await api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    ...repository,
    comment_id: id,
    body: `${renderHeader({ ...header, open: false })}\n### ⏹️ Cancelled: the run was killed before it could report\n\nWhat it had begun goes on at the service, and may still go live.${run}\n\n${rest}\n`,
  });
  return true;
}

async function closeDeployment(api: GithubApi, context: RunContext, id: number): Promise<boolean> {
  await api.request("POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses", {
    ...toRouteRepository(context.repository!),
    deployment_id: id,
    state: "failure",
    auto_inactive: false,
    description: "The run was killed before it could report.",
    ...(context.runUrl === "" ? {} : { log_url: context.runUrl }),
  });
  return true;
}
