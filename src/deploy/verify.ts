import { timeoutOf } from "./context.ts";
import type { DeploymentEnd, DocumentRun } from "./document-run.ts";

/** What verify stands on: a revision that this run waited for, or what was live already. */
type Standing = "deployed" | "updated" | "unchanged";

const STATE: Readonly<Record<Standing, string>> = {
  deployed: "is DEPLOYED",
  updated: "was updated in place",
  unchanged: "was live already",
};

const NEXT: Readonly<Record<Standing, string>> = {
  deployed: "The revision is live: fix it and deploy again, or set on-failure: rollback",
  updated: "What is live does not pass verify: fix it and deploy again",
  unchanged:
    "Nothing was changed or rolled back: what is live does not pass verify. Fix it and deploy again",
};

/** Runs `verify` at the end of an apply; null when there is none or it passed. */
export async function runVerify(
  { context, desired, tracker }: DocumentRun,
  standing: Standing,
): Promise<DeploymentEnd | null> {
  const script = context.policy.verify ?? desired.deploy.verify;
  if (script === undefined || script.trim() === "") return null;
  const timeoutMs = timeoutOf(context, desired.deploy);
  context.progress(`${desired.name}: verify: ${script.split("\n")[0]}`);
  const { exitCode, tail } = await context.shell.run(script, {
    env: {
      AGENT_DEPLOY_DEPLOYMENT_ID: tracker.id ?? "",
      AGENT_DEPLOY_REVISION_ID: tracker.revisionId ?? "",
      AGENT_DEPLOY_URL: tracker.url,
      AGENT_DEPLOY_NAME: desired.name,
    },
    timeoutMs,
    signal: context.signal,
    onLine: (line) => {
      context.progress(`${desired.name} | ${line}`);
    },
  });
  tracker.verify = { exit_code: exitCode, tail };
  if (exitCode === 0) return null;
  const how =
    exitCode === null ? "did not end within the timeout" : `ended with exit code ${exitCode}`;
  return {
    outcome: "failed",
    reason: "verify",
    message: `revision ${tracker.revisionId} ${STATE[standing]}, but verify ${how}`,
    next: [NEXT[standing]],
  };
}
