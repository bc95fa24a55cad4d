import { type Spelled, toMessage } from "../model/entry-point.ts";
import type { LiveDeployment } from "../model/live.ts";
import { boundedBy } from "./context.ts";
import type { DocumentRun } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { findForeignFields, SEND_MISSING, warnOfMoved } from "./live-check.ts";
import { failed, superseded, type DeploymentEnd } from "./tracker.ts";

/** Time limit of the check after `verify`. */
const LOOK_MS = 15_000;

/** What verify tests: a revision that this run waited for, or what was already live. */
type Standing = "deployed" | "updated" | "unchanged";

const STATE: Readonly<Record<Standing, string>> = {
  deployed: "is DEPLOYED",
  updated: "was updated in place",
  unchanged: "was live already",
};

const NEXT: Readonly<Record<Standing, string | Spelled>> = {
  deployed: (spell) =>
    `The revision is live: fix it and deploy again, or set ${spell("on-failure", "rollback")}`,
  updated: "What is live does not pass verify: fix it and deploy again",
  unchanged:
    "Nothing was changed or rolled back: what is live does not pass verify. Fix it and deploy again",
};

const NO_URL =
  "AGENT_DEPLOY_URL is empty, since the service returned no address: set source_config.custom_url, or write the address into verify";

/** Runs `verify` at the end of an apply; null if there is none or it passed. */
export async function runVerify(
  { context, desired, tracker, timeoutMs }: DocumentRun,
  standing: Standing,
): Promise<DeploymentEnd | null> {
  const script = context.policy.verify ?? desired.deploy.verify;
  if (script === undefined || script.trim() === "") return null;
  tracker.untilMs = context.clock.monotonic() + timeoutMs;
  context.progress(`${desired.name}: verify: ${script.split("\n")[0]}`);
  if (tracker.url === "" && script.includes("AGENT_DEPLOY_URL")) tracker.warnings.push(NO_URL);
  const { exitCode, tail } = await context.shell.run(script, {
    env: {
      AGENT_DEPLOY_DEPLOYMENT_ID: tracker.id ?? "",
      AGENT_DEPLOY_REVISION_ID: tracker.revision_id ?? "",
      AGENT_DEPLOY_URL: tracker.url,
      AGENT_DEPLOY_NAME: desired.name,
      ...keysFor(desired.deploy.verify_env ?? [], context.policy.keys ?? {}),
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
  const message = `revision ${tracker.revision_id} ${STATE[standing]}, but verify ${how}`;
  return failed("verify", message, toMessage(NEXT[standing], context.policy.entryPoint));
}

/** The credentials that the spec names for `verify`, as far as the run has them. */
function keysFor(
  names: readonly string[],
  keys: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (keys[name] === undefined ? [] : [[name, keys[name]] as const])),
  );
}

/**
 * Checks that what `verify` tested is still live, since it takes its time. Null if so, or if there
 * was no `verify`. If it cannot be read, only warns: it was live before.
 */
export async function judgeVerified(run: DocumentRun): Promise<DeploymentEnd | null> {
  const { context, tracker } = run;
  const { id, revision_id: revisionId } = tracker;
  if (tracker.verify === undefined || id === null || revisionId === null) return null;
  const untilMs = Math.min(tracker.untilMs ?? Infinity, context.clock.monotonic() + LOOK_MS);
  let live: LiveDeployment | null;
  try {
    live = await boundedBy(context, untilMs).getDeployment(id);
  } catch (error) {
    context.signal.throwIfAborted();
    tracker.warnings.push(
      `whether revision ${revisionId} is still active after verify could not be read: ${(error as Error).message}`,
    );
    return null;
  }
  if (live === null || isDeleting(live))
    return failed(
      "gone",
      `deployment ${id} was deleted while verify ran`,
      "Run again: it creates a new one",
    );
  const { active_revision_id: active, latest_revision_id: latest } = live;
  if (active !== revisionId) {
    const served = active === null ? "no revision" : `revision ${active}`;
    const message = `${served} is active since verify began, and not revision ${revisionId}: verify may have run against either revision`;
    return superseded(message, SEND_MISSING);
  }
  // If a newer revision exists, the deployment's values of what it builds are not the active one's.
  const fields = latest === active ? findForeignFields(run.desired, {}, live, null) : [];
  warnOfMoved(run, live);
  if (fields.length === 0) return null;
  const message = `revision ${revisionId} is active, but live does not hold what the spec says any more (${fields.join(", ")}): it was changed while verify ran`;
  return superseded(message, SEND_MISSING);
}
