import { findDataset } from "./dataset-reads.ts";
import { oneRow, row, type Endpoints } from "../http/endpoint.ts";
import { ok, refuse } from "../http/reply.ts";
import { findRun } from "./run-reads.ts";

const nothing = row("Any", () => ok([]));

const QUEUE = "/annotation-queues/{queue_id}";
const SHARED = "/public/{share_token}";
/** Things that must be created first and that the emulator does not store: what is not found, and at which paths. */
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

/** What the emulator never stores, below /api/v1. */
export const UNKEPT: Endpoints = {
  "GET /feedback/tokens": nothing,
  "GET /feedback-configs": nothing,
  "GET /annotation-queues": nothing,
  "GET /platform/issues": nothing,
  // Prompts, agents and skills.
  "GET /repos": row("Any", () => ok({ repos: [], total: 0 })),
  // Nothing is ever shared; for an existing run or dataset the service says so with null.
  "GET /datasets/{dataset_id}/share": oneRow("Any", findDataset, () => () => null),
  "GET /runs/{run_id}/share": oneRow("Any", findRun, () => () => null),
  ...Object.fromEntries(
    Object.entries(MISSING).flatMap(([what, keys]) =>
      keys.map((key) => [key, row("Any", () => refuse(404, `${what} not found`))]),
    ),
  ),
};
