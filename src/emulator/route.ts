import type { LogFamily } from "./choices.ts";
import * as deployment from "./deployment.ts";
import * as experiment from "./experiment.ts";
import { getDeploymentLogs, getLogs, postLogs } from "./log-tail.ts";
import * as listener from "./listener.ts";
import * as lookup from "./lookup.ts";
import type { Settings } from "./options.ts";
import { type Reply, ok } from "./reply.ts";
import * as runs from "./run-reads.ts";
import * as session from "./session-reads.ts";
import { postUploadUrl, putUpload } from "./source-upload.ts";
import * as threads from "./thread-reads.ts";
import * as reads from "./tracing-reads.ts";
import * as unkept from "./unkept.ts";
import * as vendor from "./vendor.ts";
import type { Call, World } from "./world.ts";

/** One endpoint: `{x}` is a path parameter; `served` tells whether the choices have it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly answer: (world: World, call: Call) => Reply | Promise<Reply>;
  readonly served: (settings: Settings) => boolean;
  /** It is there only to say that it is not. */
  readonly refuses?: (settings: Settings) => boolean;
  /** The endpoint reads the body itself, as a stream. */
  readonly streams?: true;
  /** Answered without credentials. */
  readonly open?: true;
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

/** Endpoints by method and path, below a prefix, all of them served where the choices say so. */
const routes = (
  answers: Readonly<Record<string, Route["answer"]>>,
  served: Served = () => true,
  prefix = "",
  more: Partial<Route> = {},
): readonly Route[] =>
  Object.entries(answers).map(([key, answer]) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path: prefix + path, answer, served, ...more };
  });

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;
const REVISION = `${DEPLOYMENT}/revisions/{revision_id}`;
const LISTENER = "/v2/listeners/{listener_id}";
const PROJECT = "/v1/projects/{deployment_id}";
const UPLOADS = "/uploads/{upload}";
const REPOS = "{integration_id}/repos";

const CONTROL_PLANE: readonly Route[] = [
  ...routes({
    [`POST ${DEPLOYMENTS}`]: deployment.postDeployment,
    [`GET ${DEPLOYMENT}`]: deployment.getDeployment,
    [`PATCH ${DEPLOYMENT}`]: deployment.patchDeployment,
    [`GET ${REVISION}`]: deployment.getRevision,
    [`POST ${REVISION}/redeploy`]: deployment.postRedeploy,
    "GET /v1/integrations/repohost/install": lookup.listIntegrations,
    "GET /v2/listeners": listener.listListeners,
  }),
  ...routes({ [`GET ${DEPLOYMENTS}`]: lookup.listDeployments }, () => true, "", {
    refuses: ({ list }) => list !== "served",
  }),
  ...routes({ [`DELETE ${DEPLOYMENT}`]: lookup.deleteDeployment }, ({ remove }) => remove),
  ...routes(
    { [`DELETE ${DEPLOYMENTS}`]: lookup.deleteDeployments },
    ({ remove, list }) => remove && list === "served",
  ),
  ...routes(
    { [`GET ${DEPLOYMENT}/revisions`]: lookup.listRevisions },
    ({ revisionList }) => revisionList,
  ),
  ...routes(
    { [`POST ${DEPLOYMENT}/revisions`]: deployment.postRevision },
    ({ createRevision }) => createRevision,
  ),
  ...routes(
    { [`POST ${REVISION}/interrupt`]: lookup.postInterrupt },
    ({ interrupt }) => interrupt === "interrupt" || interrupt === "both",
  ),
  ...routes(
    { [`POST ${REVISION}/interruption`]: lookup.postInterrupt },
    ({ interrupt }) => interrupt === "interruption" || interrupt === "both",
  ),
  ...routes(
    {
      [`POST ${DEPLOYMENT}/push-token`]: vendor.postPushToken,
      [`POST ${DEPLOYMENT}/upload-url`]: postUploadUrl,
      [`GET /v1/integrations/github/${REPOS}`]: lookup.listRepos,
      [`GET /v1/integrations/repohost/${REPOS}`]: lookup.listRepos,
      "GET /v1/integrations/github/install": lookup.listIntegrations,
      "GET /v1/integrations/forge/github/install": lookup.listIntegrations,
      [`GET /v1/integrations/forge/github/${REPOS}`]: lookup.listRepos,
      "POST /v2/listeners": listener.postListener,
      [`GET ${LISTENER}`]: listener.getListener,
      [`PATCH ${LISTENER}`]: listener.patchListener,
      [`DELETE ${LISTENER}`]: listener.deleteListener,
    },
    hostedLookup,
  ),
  ...routes({ [`PUT ${UPLOADS}`]: putUpload }, hostedLookup, "", {
    streams: true,
    open: true,
  }),
  ...routes(
    { [`GET ${REVISION}/logs`]: getLogs, [`GET ${DEPLOYMENT}/logs`]: getLogs },
    serves("revision-logs"),
  ),
  ...routes({ "GET /v2/deployment-logs": getDeploymentLogs }, serves("deployment-logs")),
  ...routes(
    {
      [`POST ${PROJECT}/revisions/{revision_id}/build_logs`]: postLogs("build"),
      [`POST ${PROJECT}/revisions/{revision_id}/deploy_logs`]: postLogs("deploy"),
      [`POST ${PROJECT}/deploy_logs`]: postLogs("deploy"),
    },
    serves("project-logs"),
  ),
];

const SESSION = "/sessions/{session_id}";
const DATASET = "/datasets/{dataset_id}";
const RUN = "/runs/{run_id}";
const V1 = "/api/v1";
const tracing: Served = ({ sessions }) => sessions;

/** Endpoints of the tracing API that the vendor's SDKs read. */
const TRACING: readonly Route[] = [
  ...routes({ "POST /datasets/upload-experiment": experiment.postExperiment }, undefined, V1, {
    streams: true,
  }),
  ...routes(
    {
      "GET /sessions": session.listSessions,
      "GET /sessions/resolutions": session.resolveSession,
      [`GET ${SESSION}`]: session.getSession,
      [`DELETE ${SESSION}`]: session.deleteSession,
      ["GET /datasets"]: experiment.listDatasets,
      [`GET ${DATASET}`]: experiment.getDataset,
      [`GET ${DATASET}/versions`]: reads.listVersions,
      [`GET ${DATASET}/version`]: reads.getVersion,
      [`GET ${DATASET}/versions/diff`]: reads.diffVersions,
      [`GET ${DATASET}/splits`]: reads.listSplits,
      [`GET ${DATASET}/openai_ft`]: reads.getFineTuning,
      [`GET ${DATASET}/share`]: unkept.getDatasetShare,
      "GET /examples": reads.listExamples,
      "GET /examples/{example_id}": reads.getExample,
      "GET /feedback": reads.listFeedback,
      "GET /feedback/tokens": unkept.listNothing,
      "GET /feedback/{feedback_id}": reads.getFeedback,
      "GET /feedback-configs": unkept.listNothing,
      "GET /annotation-queues": unkept.listNothing,
      "GET /platform/issues": unkept.listNothing,
      "GET /repos": unkept.listRepos,
      [`GET ${RUN}`]: runs.getRun,
      [`GET ${RUN}/share`]: unkept.getRunShare,
      "GET /settings": reads.getSettings,
      [`POST ${DATASET}/runs`]: reads.postDatasetRuns,
      "POST /runs/query": runs.postRunsQuery,
      "POST /runs/stats": runs.postRunStats,
      "POST /runs/group": threads.postRunGroups,
      ...unkept.MISSING,
    },
    tracing,
    V1,
  ),
  ...routes(
    {
      "GET /sessions": session.listSessionsByCursor,
      [`GET ${SESSION}`]: session.getSessionV2,
      [`GET ${RUN}`]: runs.getRunV2,
      "GET /datasets": reads.listDatasetsByCursor,
      [`POST ${DATASET}/experiment-runs`]: reads.postExperimentRuns,
      "POST /runs/query": runs.postRunsQueryV2,
    },
    tracing,
    "/v2",
  ),
  ...routes({ "GET /info": info }, hostedLookup, V1, { open: true }),
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
