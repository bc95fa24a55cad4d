import type { Desired } from "../spec/desired.ts";
import type { toDeploymentReport, Tracker } from "./tracker.ts";
import { timeoutOf, type DeployContext } from "./context.ts";

type End = Parameters<typeof toDeploymentReport>[1];

/** Runs `verify` once after DEPLOYED; null when there is none or it passed. */
export async function runVerify(
  context: DeployContext,
  desired: Desired,
  tracker: Tracker,
): Promise<End | null> {
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
    message: `revision ${tracker.revisionId} is DEPLOYED, but verify ${how}`,
    next: ["The revision is live: fix it and deploy again, or set on-failure: rollback"],
  };
}
