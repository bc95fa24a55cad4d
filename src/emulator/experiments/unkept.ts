import { findDataset } from "./experiment.ts";
import { type Reply, ok, refuse } from "../http/reply.ts";
import { findRun } from "./run-reads.ts";
import type { Call, World } from "../world.ts";

type Answer = (world: World, call: Call) => Reply;

/** Nothing is ever shared here, which the service says with null where the dataset is there. */
export const getDatasetShare: Answer = (world, call) => {
  findDataset(world, call);
  return ok(null);
};

/** Null as well, where there is such a run. */
export const getRunShare: Answer = (world, call) => {
  findRun(world, call, []);
  return ok(null);
};

/** Lists that are always empty here: queues, issues, tokens and configurations of feedback. */
export const listNothing: Answer = () => ok([]);

/** Prompts, agents and skills: there are none. */
export const listRepos: Answer = () => ok({ repos: [], total: 0 });

const SHARED = `/public/{share_token}`;
const QUEUE = `/annotation-queues/{queue_id}`;

/** Things that would have to be made first, and that the emulator does not keep: by the path, what is not found. */
export const MISSING: Readonly<Record<string, Answer>> = Object.fromEntries(
  Object.entries({
    "Annotation queue": ["", "/runs", "/run/{index}", "/size"].map((end) => `GET ${QUEUE}${end}`),
    Share: [
      `POST ${SHARED}/runs/query`,
      ...["/run", "/run/{run_id}", "/datasets", "/datasets/sessions", "/examples"].map(
        (end) => `GET ${SHARED}${end}`,
      ),
    ],
    Repository: [
      "repos/{owner}/{repo}",
      "commits/{owner}/{repo}",
      "commits/{owner}/{repo}/{commit}",
      "platform/hub/repos/{owner}/{repo}/directories",
    ].map((path) => `GET /${path}`),
    "Insights report": [`GET /sessions/{session_id}/insights/{report_id}`],
  }).flatMap(([what, paths]) =>
    paths.map((path) => [path, () => refuse(404, `${what} not found`)]),
  ),
);
