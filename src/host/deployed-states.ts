import { createGithubApi, toRouteRepository } from "./github-api.ts";
import { messageOf, statusOf } from "./github-error.ts";
import type { GithubHostSetup } from "./github.ts";
import type { Host } from "./host.ts";

const TIMEOUT_MS = 15_000;
/** Successful GitHub Deployments that are looked at, newest first. */
const MAX_READ = 20;

/** Digests of the wanted states that were last deployed to the environment, by deployment; null where nothing says. Never throws. */
export async function readDeployedStates(
  { context, options, clock }: GithubHostSetup,
  say: Host["say"],
): Promise<ReadonlyMap<string, string> | null> {
  if (context.repository === null || options.environment === "" || options.githubToken === "")
    return null;
  const repository = toRouteRepository(context.repository);
  try {
    const api = await createGithubApi({
      token: options.githubToken,
      baseUrl: context.apiUrl,
      clock,
      timeoutMs: () => TIMEOUT_MS,
    });
    const { data } = await api.request("GET /repos/{owner}/{repo}/deployments", {
      ...repository,
      environment: options.environment,
      task: "deploy",
      per_page: 100,
    });
    const ours = (Array.isArray(data) ? data : []).flatMap(toState).sort((a, b) => b.id - a.id);
    const states = new Map<string, string>();
    for (const { id, wanted } of ours.slice(0, MAX_READ)) {
      const reply = await api.request(
        "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses",
        { ...repository, deployment_id: id, per_page: 10 },
      );
      const seen = (Array.isArray(reply.data) ? reply.data : []) as { readonly state?: unknown }[];
      // A later deployment makes an earlier one inactive: it did succeed.
      if (!seen.some(({ state }) => state === "success")) continue;
      for (const [name, digest] of Object.entries(wanted))
        if (!states.has(name)) states.set(name, digest);
    }
    return states;
  } catch (error) {
    const status = statusOf(error);
    say(
      "warning",
      `Drift was not told from what is pending: GitHub Deployments could not be read (${status ?? "no answer"}: ${messageOf(error)}). Give the job \`permissions: deployments: read\`.`,
    );
    return null;
  }
}

function toState(
  one: unknown,
): readonly { id: number; wanted: Readonly<Record<string, string>> }[] {
  const { id, payload } = one as { readonly id?: unknown; readonly payload?: unknown };
  let read = payload;
  if (typeof read === "string") {
    try {
      read = JSON.parse(read);
    } catch {
      return [];
    }
  }
  const { tool, wanted } = (read ?? {}) as { readonly tool?: unknown; readonly wanted?: unknown };
  if (tool !== "agent-deploy" || typeof id !== "number") return [];
  if (typeof wanted !== "object" || wanted === null) return [];
  const entries = Object.entries(wanted).filter(([, digest]) => typeof digest === "string");
  return [{ id, wanted: Object.fromEntries(entries) as Readonly<Record<string, string>> }];
}
