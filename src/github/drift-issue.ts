import { comparisonCaveat } from "../plan/plan.ts";
import { code, text } from "../report/escape.ts";
import type { DeploymentReport, Report } from "../report/report.ts";
import { renderList } from "../report/table.ts";
import { listSome } from "../model/count-words.ts";
import { own } from "../model/json.ts";
import { createGithubApi, isByApp, type GithubApi } from "./api.ts";
import { toLeg } from "./comment-key.ts";
import { refusalOf } from "./error.ts";
import type { GithubHostSetup } from "./setup.ts";
import { sha256 } from "../sha256.ts";
import type { Host } from "../ci/host.ts";

const TIMEOUT_MS = 30_000;
/** GitHub allows 65,536 characters; the rest is room for the marker and the sentences. */
const MAX_LIST_CHARS = 60_000;
/** How many rows are shown: so few of the longest always fit. */
const ROWS = { most: 50, surely: 8 };

/**
 * Maintains one issue about drift: created when something drifted, updated while it does, closed
 * when nothing does. Never throws.
 */
export async function publishDriftIssue(
  setup: GithubHostSetup,
  report: Report,
  notify: Host["notify"],
): Promise<void> {
  const { context, options, clock } = setup;
  const { githubToken: token, environment } = options;
  if (report.command !== "plan" || context.repository === null || context.readOnlyToken) return;
  if (report.deployments.length === 0 || report.deployments.some(isUnread)) return;
  if (token === undefined) {
    notify("warning", "No drift issue: `github-token` is empty. Leave it at its default.");
    return;
  }
  // Shown on every run, so that nobody learns about it only after waiting for an issue in vain.
  if (environment === undefined)
    notify(
      "warning",
      "No drift issue: `environment` is not set, and its GitHub Deployments distinguish drift from what is pending. Set the `environment` of the step that applies, here and there.",
    );
  try {
    const api = createGithubApi({ token, run: context, clock, timeoutMs: () => TIMEOUT_MS });
    await keepIssue(api, setup, report);
  } catch (error) {
    const refusal = refusalOf(error, "`permissions: issues: write`");
    notify("warning", `The drift issue was not written ${refusal}`);
  }
}

/** If the service could not be read, there is no proof of drift, or of its end. */
const isUnread = (one: DeploymentReport): boolean => one.plan === null || one.outcome === "failed";

async function keepIssue(
  api: GithubApi,
  { context, options }: GithubHostSetup,
  report: Report,
): Promise<void> {
  const marker = markerOf(options, report.target ?? "");
  const drifted = report.deployments.filter((one) => one.moved === "live");
  const close = (issue_number: number, body: string): Promise<unknown> =>
    api.request("PATCH /repos/{owner}/{repo}/issues/{issue_number}", {
      issue_number,
      state: "closed",
      state_reason: "completed",
      body,
    });
  const open = await listIssues(api, marker);
  if (drifted.length === 0) {
    // Pending changes, and a plan that is blocked, hide whether there is drift too.
    if (report.deployments.some((one) => one.outcome !== "unchanged")) return;
    const shown = comparisonCaveat({
      unreadable: report.deployments.flatMap(({ plan }) => plan?.unreadable ?? []),
      secrets: report.deployments.flatMap(({ plan }) => plan?.secrets ?? []),
      at_apply: report.deployments.flatMap(({ plan }) => plan?.at_apply ?? []),
    });
    const body = `${marker}\nNothing drifts any more: live has the settings of the spec${shown}.${runLine(context.runUrl)}\n`;
    for (const number of open) await close(number, body);
    return;
  }
  const issue = { title: titleOf(report, drifted), body: bodyOf(marker, drifted, context.runUrl) };
  const [kept] = open;
  if (kept === undefined)
    await api.createOnce<unknown>(
      () => api.request("POST /repos/{owner}/{repo}/issues", issue),
      async () => (await listIssues(api, marker))[0],
    );
  else
    await api.request("PATCH /repos/{owner}/{repo}/issues/{issue_number}", {
      issue_number: kept,
      ...issue,
    });
  // Another run may have looked and created one at the same time: the oldest stays.
  const [oldest, ...others] = kept === undefined ? await listIssues(api, marker) : open;
  for (const number of others) await close(number, `${marker}\nContinued in #${oldest}.\n`);
}

/**
 * One marker per spec, target and environment, and for what a run leaves out: a leg of a matrix, or
 * one with `only`, knows nothing of the others' drift.
 */
function markerOf({ spec, environment, matrix, only }: MarkedOptions, target: string): string {
  const of = [spec.join("\n"), target, environment ?? "", toLeg(matrix ?? ""), only.toSorted()];
  return `<!-- agent-deploy drift: ${sha256(JSON.stringify(of)).slice(0, 32)} -->`;
}

type MarkedOptions = Pick<GithubHostSetup["options"], "spec" | "environment" | "matrix" | "only">;

/**
 * Whose issues may be ours without a bot or an app: those of people that the repository trusts, with
 * a personal token. A stranger's copy of the marker must not take the place of a new issue.
 */
const TRUSTED_AUTHORS: readonly unknown[] = ["OWNER", "MEMBER", "COLLABORATOR"];

const isTrusted = (issue: unknown): boolean =>
  isByApp(issue) || TRUSTED_AUTHORS.includes(own(issue, "author_association"));

/** Numbers of the open issues that begin with the marker and have a trusted author, oldest first. */
async function listIssues(api: GithubApi, marker: string): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const issue of api.items("GET /repos/{owner}/{repo}/issues", { state: "open" })) {
    const isIssue = own(issue, "pull_request") === undefined;
    const isOurs = isTrusted(issue) && String(own(issue, "body")).startsWith(marker);
    const number = own(issue, "number");
    if (isIssue && isOurs && typeof number === "number") found.push(number);
  }
  return found.sort((a, b) => a - b);
}

function titleOf({ target }: Report, drifted: readonly DeploymentReport[]): string {
  const names = drifted.length === 1 ? drifted[0]!.name : `${drifted.length} deployments`;
  return `Drift: ${names}${target === undefined ? "" : ` (${target})`}`.slice(0, 200);
}

function bodyOf(marker: string, drifted: readonly DeploymentReport[], runUrl: string): string {
  const row = ({ name, changes }: DeploymentReport): string =>
    `${code(name, 100)}: ${listSome(changes, ({ path }) => code(path, 120), 10)}`;
  const rows = drifted.map(row);
  const list = renderList(rows, ROWS.most);
  return [
    marker,
    "These deployments were changed outside of the spec since it was last deployed:",
    "",
    list.length <= MAX_LIST_CHARS ? list : renderList(rows, ROWS.surely),
    "",
    `Apply the spec to undo the changes, or write them into the spec. This issue closes itself.${runLine(runUrl)}`,
    "",
  ].join("\n");
}

const runLine = (url: string): string => (url === "" ? "" : `\n\n${text(`Run: ${url}`, 300)}`);
