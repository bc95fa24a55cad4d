import type { LogFamily } from "../rules/choices.ts";
import * as deployment from "../deployments/deployment.ts";
import * as experiment from "../experiments/experiment.ts";
import { getDeploymentLogs, getLogs, postLogs } from "../deployments/log-tail.ts";
import * as listener from "../deployments/listener.ts";
import * as lookup from "../deployments/lookup.ts";
import type { Settings } from "../options.ts";
import { type Reply, ok } from "./reply.ts";
import * as runs from "../experiments/run-reads.ts";
import * as session from "../experiments/session-reads.ts";
import { postUploadUrl, putUpload } from "../deployments/source-upload.ts";
import * as threads from "../experiments/thread-reads.ts";
import * as reads from "../experiments/tracing-reads.ts";
import * as unkept from "../experiments/unkept.ts";
import * as vendor from "../deployments/vendor.ts";
import type { Call, World } from "../world.ts";

/** What an endpoint takes and gives, for its own checks and for the OpenAPI. */
interface RouteRow {
  readonly answer: (world: World, call: Call) => Reply | Promise<Reply>;
  /** Schema of the reply, by name; `[]` after the name of a list's items; null: no body. */
  readonly reply: string | null;
  /** Schema of the body, by name. */
  readonly body?: string;
  /** Names of query parameters. */
  readonly query?: string;
  /** Of success, where it is not 200. */
  readonly status?: (settings: Settings) => number;
  /** It is there only to say that it is not. */
  readonly refuses?: (settings: Settings) => boolean;
  /** The endpoint reads the body itself, as a stream. */
  readonly streams?: true;
  /** Answered without credentials. */
  readonly open?: true;
}

/** One endpoint: `{x}` is a path parameter; `served` says whether the choices have it. */
export interface Route extends RouteRow {
  readonly method: string;
  readonly path: string;
  readonly served: (settings: Settings) => boolean;
}

const hostedLookup = (settings: Settings): boolean => !settings.strict;

const serves =
  (family: LogFamily) =>
  ({ logs }: Settings): boolean =>
    logs.includes(family);
/** The newest version that the vendor's SDKs ask for (0.15.0 in Python, 0.12.0 in npm: their `sessions`). */
const SERVES = "0.18.0";
const info = (): Reply => ok({ version: `${SERVES}+emulator`, instance_flags: {} });

type Served = Route["served"];
const always: Served = () => true;
const made = (): number => 201;
const accepted = (): number => 202;
const gone = (): number => 204;

const row = (
  answer: RouteRow["answer"],
  reply: string | null = "Any",
  more: Omit<RouteRow, "answer" | "reply"> = {},
): RouteRow => ({ answer, reply, ...more });

/** Endpoints by method and path, below a prefix, all of them served where the choices say so. */
const routes = (
  served: Served,
  rows: Readonly<Record<string, RouteRow>>,
  prefix = "",
): readonly Route[] =>
  Object.entries(rows).map(([key, one]) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path: prefix + path, served, ...one };
  });

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;
const REVISION = `${DEPLOYMENT}/revisions/{revision_id}`;
const LISTENERS = "/v2/listeners";
const LISTENER = `${LISTENERS}/{listener_id}`;
const PROJECT = "/v1/projects/{deployment_id}";
const GITHUB = "/v1/integrations/github";
const REPOS = "{integration_id}/repos";
const UPLOADS = "/uploads/{upload}";
const PAGE = "limit offset";
const CURSOR = "cursor page_size";
const NAMED = "name name_contains id metadata";

const install = row(lookup.listIntegrations, "Integration[]");
const repos = row(lookup.listRepos);
const interrupts = row(lookup.postInterrupt, "Revision");
const logs = row(getLogs, "Logs", {
  query: "type limit offset order level query start_time end_time",
});
const posted = (phase: "build" | "deploy"): RouteRow =>
  row(postLogs(phase), "Logs", { body: "LogsRequest" });

const CONTROL_PLANE: readonly Route[] = [
  ...routes(always, {
    [`POST ${DEPLOYMENTS}`]: row(deployment.postDeployment, "Deployment", {
      body: "DeploymentCreate",
      status: ({ strict }) => (strict ? 200 : 201),
    }),
    [`GET ${DEPLOYMENTS}`]: row(lookup.listDeployments, "DeploymentsList", {
      query: `${PAGE} name name_contains status deployment_ids deployment_type image_version remote_reconciled tag_value_ids`,
      refuses: ({ list }) => list !== "served",
    }),
    [`GET ${DEPLOYMENT}`]: row(deployment.getDeployment, "Deployment"),
    [`PATCH ${DEPLOYMENT}`]: row(deployment.patchDeployment, "Deployment", {
      body: "DeploymentPatch",
    }),
    [`GET ${REVISION}`]: row(deployment.getRevision, "Revision"),
    [`POST ${REVISION}/redeploy`]: row(deployment.postRedeploy, "Deployment"),
    "GET /v1/integrations/repohost/install": install,
    [`GET ${LISTENERS}`]: row(listener.listListeners, "ListenersList", { query: PAGE }),
  }),
  ...routes(({ remove }) => remove, {
    [`DELETE ${DEPLOYMENT}`]: row(lookup.deleteDeployment, null, {
      status: gone,
      query: "delete_tracing_project",
    }),
  }),
  ...routes(({ remove, list }) => remove && list === "served", {
    [`DELETE ${DEPLOYMENTS}`]: row(lookup.deleteDeployments, "Any", {
      query: "deployment_ids delete_tracing_project",
    }),
  }),
  ...routes(({ revisionList }) => revisionList, {
    [`GET ${DEPLOYMENT}/revisions`]: row(lookup.listRevisions, "RevisionsList", {
      query: `${PAGE} status remote_reconciled`,
    }),
  }),
  ...routes(hostedLookup, {
    [`POST ${DEPLOYMENT}/revisions`]: row(deployment.postRevision, "Revision", {
      body: "DeploymentPatch",
      status: made,
    }),
  }),
  ...routes(hostedLookup, {
    // Sources conflict on its name (contributing/service.md 2).
    [`POST ${REVISION}/interrupt`]: interrupts,
    [`POST ${REVISION}/interruption`]: interrupts,
    [`POST ${DEPLOYMENT}/push-token`]: row(vendor.postPushToken),
    [`POST ${DEPLOYMENT}/upload-url`]: row(postUploadUrl),
    [`PUT ${UPLOADS}`]: row(putUpload, null, { streams: true, open: true }),
    [`GET ${GITHUB}/install`]: install,
    [`GET ${GITHUB}/${REPOS}`]: repos,
    [`GET /v1/integrations/repohost/${REPOS}`]: repos,
    "GET /v1/integrations/forge/github/install": install,
    [`GET /v1/integrations/forge/github/${REPOS}`]: repos,
    [`POST ${LISTENERS}`]: row(listener.postListener, "Listener", {
      body: "ListenerCreate",
      status: made,
    }),
    [`GET ${LISTENER}`]: row(listener.getListener, "Listener"),
    [`PATCH ${LISTENER}`]: row(listener.patchListener, "Listener", { body: "ListenerPatch" }),
    [`DELETE ${LISTENER}`]: row(listener.deleteListener, null, { status: gone }),
  }),
  ...routes(serves("revision-logs"), {
    [`GET ${REVISION}/logs`]: logs,
    [`GET ${DEPLOYMENT}/logs`]: logs,
  }),
  ...routes(serves("deployment-logs"), {
    "GET /v2/deployment-logs": row(getDeploymentLogs, "LogItems", {
      query: `deployment_id revision_id log_type sort_order ${CURSOR}`,
    }),
  }),
  ...routes(serves("project-logs"), {
    [`POST ${PROJECT}/revisions/{revision_id}/build_logs`]: posted("build"),
    [`POST ${PROJECT}/revisions/{revision_id}/deploy_logs`]: posted("deploy"),
    [`POST ${PROJECT}/deploy_logs`]: posted("deploy"),
  }),
];

const SESSION = "/sessions/{session_id}";
const DATASET = "/datasets/{dataset_id}";
const RUN = "/runs/{run_id}";
const V1 = "/api/v1";
const tracing: Served = ({ sessions }) => sessions;
const nothing = row(unkept.listNothing);
const STATS = { query: "include_stats" };

/** Endpoints of the tracing API that the vendor's SDKs read. */
const TRACING: readonly Route[] = [
  ...routes(
    always,
    {
      "POST /datasets/upload-experiment": row(experiment.postExperiment, "Uploaded", {
        body: "ExperimentUpload",
        streams: true,
      }),
    },
    V1,
  ),
  ...routes(
    tracing,
    {
      "GET /sessions": row(session.listSessions, "Session[]", {
        query: `${PAGE} ${NAMED} reference_dataset reference_free sort_by sort_by_desc include_stats`,
      }),
      "GET /sessions/resolutions": row(session.resolveSession),
      [`GET ${SESSION}`]: row(session.getSession, "Session", STATS),
      [`DELETE ${SESSION}`]: row(session.deleteSession, "Any", { status: accepted }),
      "GET /datasets": row(experiment.listDatasets, "Dataset[]", {
        query: `${PAGE} ${NAMED} data_type`,
      }),
      [`GET ${DATASET}`]: row(experiment.getDataset, "Dataset"),
      [`GET ${DATASET}/versions`]: row(reads.listVersions),
      [`GET ${DATASET}/version`]: row(reads.getVersion),
      [`GET ${DATASET}/versions/diff`]: row(reads.diffVersions),
      [`GET ${DATASET}/splits`]: row(reads.listSplits),
      [`GET ${DATASET}/openai_ft`]: row(reads.getFineTuning, null),
      [`GET ${DATASET}/share`]: row(unkept.getDatasetShare),
      "GET /examples": row(reads.listExamples, "Example[]", {
        query: `${PAGE} dataset id metadata splits as_of filter`,
      }),
      "GET /examples/{example_id}": row(reads.getExample, "Example"),
      "GET /feedback": row(reads.listFeedback, "Feedback[]", {
        query: `${PAGE} run session key source has_comment has_score`,
      }),
      "GET /feedback/tokens": nothing,
      "GET /feedback/{feedback_id}": row(reads.getFeedback),
      "GET /feedback-configs": nothing,
      "GET /annotation-queues": nothing,
      "GET /platform/issues": nothing,
      "GET /repos": row(unkept.listRepos),
      [`GET ${RUN}`]: row(runs.getRun),
      [`GET ${RUN}/share`]: row(unkept.getRunShare),
      "GET /settings": row(reads.getSettings),
      [`POST ${DATASET}/runs`]: row(reads.postDatasetRuns, "Example[]", { body: "RunsRequest" }),
      "POST /runs/query": row(runs.postRunsQuery),
      "POST /runs/stats": row(runs.postRunStats),
      "POST /runs/group": row(threads.postRunGroups),
      ...Object.fromEntries(
        Object.entries(unkept.MISSING).map(([key, answer]) => [key, row(answer)]),
      ),
    },
    V1,
  ),
  ...routes(
    tracing,
    {
      "GET /sessions": row(session.listSessionsByCursor, "CursorPage", {
        query: `${CURSOR} ${NAMED} type reference_dataset_id sort_by sort_order include_stats`,
      }),
      [`GET ${SESSION}`]: row(session.getSessionV2, "Session", STATS),
      [`GET ${RUN}`]: row(runs.getRunV2, "Any", { query: "project_id selects start_time" }),
      "GET /datasets": row(reads.listDatasetsByCursor, "CursorPage", {
        query: `${CURSOR} ${NAMED} data_type`,
      }),
      [`POST ${DATASET}/experiment-runs`]: row(reads.postExperimentRuns, "CursorPage", {
        body: "ExperimentRunsRequest",
      }),
      "POST /runs/query": row(runs.postRunsQueryV2, "CursorPage", { body: "RunsQuery" }),
    },
    "/v2",
  ),
  ...routes(hostedLookup, { "GET /info": row(info, "Any", { open: true }) }, V1),
];

/** Every endpoint, in the order they are tried. */
export const ROUTES: readonly Route[] = [...CONTROL_PLANE, ...TRACING];

/** The endpoint for a method and path, with its parameters; or whether another method would do (405) or none (404). */
export function findRoute(
  method: string,
  path: string,
  settings: Settings,
  forUploads = false,
): { readonly route: Route; readonly params: Record<string, string> } | 404 | 405 {
  const segments = path.split("/");
  let others = false;
  for (const route of ROUTES) {
    if (
      !route.served(settings) ||
      (settings.uploadOrigin !== null && forUploads !== (route.path === UPLOADS))
    )
      continue;
    const params = matchPath(route.path.split("/"), segments);
    if (params === null) continue;
    if (route.method === method) return { route, params };
    others = true;
  }
  return others ? 405 : 404;
}

function matchPath(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i]!;
    if (!part.startsWith("{")) {
      if (part !== segment) return null;
    } else {
      try {
        params[part.slice(1, -1)] = decodeURIComponent(segment);
      } catch {
        params[part.slice(1, -1)] = segment;
      }
    }
  }
  return params;
}
