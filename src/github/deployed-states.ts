import type { NewerRun } from "../plan/plan.ts";
import { isNewer } from "./comment-header.ts";
import { createGithubApi } from "./api.ts";
import { REPLACED } from "./deployment.ts";
import {
  createDeploymentRecords,
  wantedIn,
  type RecordedRun,
  type RecordedStatus,
} from "./deployment-record.ts";
import { reasonOf, refusalOf } from "./error.ts";
import type { GithubHostSetup } from "./setup.ts";
import type { Host } from "../ci/host.ts";

const TIMEOUT_MS = 15_000;
/**
 * How many GitHub Deployments are read whatever they hold, newest first. An older one is read if
 * its payload, which names what its run or that run's first leg deployed, has a name looked for.
 */
const MAX_READ = 20;

/** Our records in the run's environment; null without an environment or a token. */
async function readRecords({ context, options, clock }: GithubHostSetup) {
  const { environment, githubToken: token } = options;
  if (context.repository === null || environment === undefined || token === undefined) return null;
  const api = createGithubApi({ token, run: context, clock, timeoutMs: () => TIMEOUT_MS });
  const { list, statusesOf } = createDeploymentRecords(api);
  return { list: await list(environment), statusesOf };
}

/** A deployment's name as reports print it, and so as it was recorded: a secret may hide a part of it. */
const toPrinted = ({ redactor }: GithubHostSetup, name: string): string =>
  redactor.redactAll({ name }).name;

/**
 * Finds the digest of the wanted state that was last deployed to the environment, by a deployment's
 * name; null if there is no record. Never throws.
 */
export async function readDeployedStates(
  setup: GithubHostSetup,
  notify: Host["notify"],
): Promise<((name: string) => string | undefined) | null> {
  try {
    const records = await readRecords(setup);
    if (records === null) return null;
    const states = new Map<string, string>();
    for (const [at, { id, wanted }] of records.list.entries()) {
      if (at >= MAX_READ && Object.keys(wanted).every((name) => states.has(name))) continue;
      // A later deployment makes an earlier one inactive, but it did succeed.
      const statuses = await records.statusesOf(id);
      for (const { log_url } of statuses.filter(({ state }) => state === "success"))
        for (const [name, digest] of Object.entries(wantedIn(log_url) ?? wanted))
          if (!states.has(name)) states.set(name, digest);
    }
    if (states.size === 0 && setup.options.driftIssue)
      notify(
        "warning",
        `No drift issue: no run has deployed to the environment ${setup.options.environment} yet, so drift cannot be distinguished from what is pending. The step that applies needs the same \`environment\`.`,
      );
    return (name) => states.get(toPrinted(setup, name));
  } catch (error) {
    const refusal = refusalOf(error, "`permissions: deployments: read`");
    notify(
      "warning",
      `Drift cannot be distinguished from pending changes: GitHub Deployments could not be read ${refusal}`,
    );
    return null;
  }
}

/**
 * States that still hold or are in progress: a failed deployment may have changed nothing, an
 * inactive one was replaced or destroyed.
 */
const STANDING: readonly unknown[] = ["success", "in_progress", "queued", "pending"];

/** Whether a newer run has deployed `name` to the environment. Never throws. */
export async function readNewerRun(setup: GithubHostSetup, name: string): Promise<NewerRun> {
  const { runId: run, runAttempt: attempt } = setup.context;
  const printed = toPrinted(setup, name);
  if (run === "") return { state: "none" };
  try {
    const records = await readRecords(setup);
    const others = (records?.list ?? [])
      .filter((one) => one.run !== run || one.attempt !== attempt)
      .filter((one, at) => at < MAX_READ || Object.hasOwn(one.wanted, printed));
    // The last successful one replaced all earlier ones, whichever run made it.
    for (const one of others) {
      const state = stateOf(printed, one, (await records?.statusesOf(one.id)) ?? []);
      if (STANDING.includes(state) && isNewer(one, { run, attempt }))
        return { state: "newer", run: one.run, attempt: one.attempt };
      if (state === "success") break;
    }
    return { state: "none" };
  } catch (error) {
    return { state: "unreadable", why: reasonOf(error) };
  }
}

/**
 * State of a deployment's leg; undefined if the run has no such leg. An inactive status with
 * REPLACED is skipped: a run that replaces one leg retires the whole GitHub Deployment, and its
 * own, later record shows which leg it replaced.
 */
function stateOf(name: string, { wanted }: RecordedRun, all: readonly RecordedStatus[]): unknown {
  const statuses = all.map((one) => ({ ...one, leg: wantedIn(one.log_url) }));
  const isFirst = Object.hasOwn(wanted, name);
  if (!isFirst && !statuses.some(({ leg }) => leg !== null && Object.hasOwn(leg, name)))
    return undefined;
  return statuses.find(({ state, description, leg }) => {
    if (state === "inactive" && description === REPLACED) return false;
    if (leg === null) return isFirst || state === "inactive";
    return Object.hasOwn(leg, name);
  })?.state;
}
