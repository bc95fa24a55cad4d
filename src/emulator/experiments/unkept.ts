import { findDataset } from "./dataset-reads.ts";
import { row, type Endpoints } from "../http/endpoint.ts";
import { ok, refuse } from "../http/reply.ts";
import { findRun } from "./run-reads.ts";

const nothing = row("Any", () => ok([]));

const QUEUE = "/annotation-queues/{queue_id}";
const SHARED = "/public/{share_token}";
/** Things that would have to be made first, and that the emulator does not keep: what is not found, and where. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
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
  "Insights report": ["GET /sessions/{session_id}/insights/{report_id}"],
};

/** What the emulator never keeps, below /api/v1. */
export const UNKEPT: Endpoints = {
  "GET /feedback/tokens": nothing,
  "GET /feedback-configs": nothing,
  "GET /annotation-queues": nothing,
  "GET /platform/issues": nothing,
  // Prompts, agents and skills.
  "GET /repos": row("Any", () => ok({ repos: [], total: 0 })),
  // Nothing is ever shared, which the service says with null where the run or the dataset is there.
  "GET /datasets/{dataset_id}/share": row("Any", (world, call) => {
    findDataset(world, call);
    return ok(null);
  }),
  "GET /runs/{run_id}/share": row("Any", (world, call) => {
    findRun(world, call);
    return ok(null);
  }),
  ...Object.fromEntries(
    Object.entries(MISSING).flatMap(([what, keys]) =>
      keys.map((key) => [key, row("Any", () => refuse(404, `${what} not found`))]),
    ),
  ),
};
