import type { LogFamily } from "./choices.ts";
import * as deployment from "./deployment.ts";
import * as experiment from "./experiment.ts";
import { getDeploymentLogs, getLogs, postLogs } from "./log-tail.ts";
import * as listener from "./listener.ts";
import * as lookup from "./lookup.ts";
import type { Settings } from "./options.ts";
import { ok, type Reply } from "./reply.ts";
import * as runs from "./run-reads.ts";
import * as session from "./session-reads.ts";
import * as reads from "./tracing-reads.ts";
import * as vendor from "./vendor.ts";
import type { Call, World } from "./world.ts";

/** One endpoint: `{x}` is a path parameter; `served` tells whether the choices have it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly answer: (world: World, call: Call) => Reply | Promise<Reply>;
  readonly served?: (settings: Settings) => boolean;
  /** The endpoint reads the body itself, as a stream. */
  readonly streams?: true;
  /** Answered without credentials. */
  readonly open?: true;
}

const LISTENER = "/v2/listeners/{listener_id}";
const REVISION = "/v2/deployments/{deployment_id}/revisions/{revision_id}";
const hostedLookup = (settings: Settings): boolean => !settings.strict;

const serves =
  (family: LogFamily) =>
  ({ logs }: Settings): boolean =>
    logs.includes(family);
/** The newest version that the vendor's SDKs ask for (0.15.0 in Python, 0.12.0 in npm: their `sessions`). */
const SERVES = "0.18.0";
const info = (): Reply => ok({ version: `${SERVES}+emulator`, instance_flags: {} });

/** Endpoints of the tracing API that the vendor's SDKs read. */
const tracing = (
  method: string,
  answers: Readonly<Record<string, Route["answer"]>>,
): readonly Route[] =>
  Object.entries(answers).map(([path, answer]) => ({
    method,
    path,
    answer,
    served: ({ sessions }) => sessions,
  }));

/** Every endpoint, in the order they are tried. */
export const ROUTES: readonly Route[] = [
  { method: "POST", path: "/v2/deployments", answer: deployment.postDeployment },
  { method: "GET", path: "/v2/deployments", answer: lookup.listDeployments },
  { method: "GET", path: "/v2/deployments/{deployment_id}", answer: deployment.getDeployment },
  { method: "PATCH", path: "/v2/deployments/{deployment_id}", answer: deployment.patchDeployment },
  {
    method: "DELETE",
    path: "/v2/deployments/{deployment_id}",
    answer: lookup.deleteDeployment,
    served: (settings) => settings.remove,
  },
  {
    method: "GET",
    path: "/v2/deployments/{deployment_id}/revisions",
    answer: lookup.listRevisions,
    served: (settings) => settings.revisionList,
  },
  {
    method: "POST",
    path: "/v2/deployments/{deployment_id}/revisions",
    answer: deployment.postRevision,
    served: (settings) => settings.createRevision,
  },
  {
    method: "DELETE",
    path: "/v2/deployments",
    answer: lookup.deleteDeployments,
    served: ({ remove, list }) => remove && list === "served",
  },
  {
    method: "POST",
    path: "/v2/deployments/{deployment_id}/push-token",
    answer: vendor.postPushToken,
    served: hostedLookup,
  },
  {
    method: "POST",
    path: "/v2/deployments/{deployment_id}/upload-url",
    answer: vendor.postUploadUrl,
    served: hostedLookup,
  },
  {
    method: "PUT",
    path: "/uploads/{upload}",
    answer: vendor.putUpload,
    streams: true,
    open: true,
    served: hostedLookup,
  },
  { method: "GET", path: REVISION, answer: deployment.getRevision },
  { method: "POST", path: `${REVISION}/redeploy`, answer: deployment.postRedeploy },
  {
    method: "POST",
    path: `${REVISION}/interrupt`,
    answer: lookup.postInterrupt,
    served: ({ interrupt }) => interrupt === "interrupt" || interrupt === "both",
  },
  {
    method: "POST",
    path: `${REVISION}/interruption`,
    answer: lookup.postInterrupt,
    served: ({ interrupt }) => interrupt === "interruption" || interrupt === "both",
  },
  { method: "GET", path: "/v1/integrations/repohost/install", answer: lookup.listIntegrations },
  { method: "GET", path: "/v1/integrations/github/install", answer: lookup.listIntegrations },
  {
    method: "GET",
    path: "/v1/integrations/github/{integration_id}/repos",
    answer: lookup.listRepos,
    served: hostedLookup,
  },
  {
    method: "GET",
    path: "/v1/integrations/repohost/{integration_id}/repos",
    answer: lookup.listRepos,
    served: hostedLookup,
  },
  { method: "GET", path: "/v2/listeners", answer: listener.listListeners },
  { method: "POST", path: "/v2/listeners", answer: listener.postListener, served: hostedLookup },
  { method: "GET", path: LISTENER, answer: listener.getListener, served: hostedLookup },
  { method: "PATCH", path: LISTENER, answer: listener.patchListener, served: hostedLookup },
  { method: "DELETE", path: LISTENER, answer: listener.deleteListener, served: hostedLookup },
  { method: "GET", path: `${REVISION}/logs`, answer: getLogs, served: serves("revision-logs") },
  {
    method: "GET",
    path: "/v2/deployments/{deployment_id}/logs",
    answer: getLogs,
    served: serves("revision-logs"),
  },
  {
    method: "GET",
    path: "/v2/deployment-logs",
    answer: getDeploymentLogs,
    served: serves("deployment-logs"),
  },
  {
    method: "POST",
    path: "/v1/projects/{deployment_id}/revisions/{revision_id}/build_logs",
    answer: postLogs("build"),
    served: serves("project-logs"),
  },
  {
    method: "POST",
    path: "/v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs",
    answer: postLogs("deploy"),
    served: serves("project-logs"),
  },
  {
    method: "POST",
    path: "/v1/projects/{deployment_id}/deploy_logs",
    answer: postLogs("deploy"),
    served: serves("project-logs"),
  },
  {
    method: "POST",
    path: "/api/v1/datasets/upload-experiment",
    answer: experiment.postExperiment,
    streams: true,
  },
  {
    method: "GET",
    path: "/api/v1/sessions",
    answer: session.listSessions,
    served: ({ sessions }) => sessions,
  },
  {
    method: "GET",
    path: "/api/v1/sessions/{session_id}",
    answer: session.getSession,
    served: ({ sessions }) => sessions,
  },
  {
    method: "DELETE",
    path: "/api/v1/sessions/{session_id}",
    answer: session.deleteSession,
    served: ({ sessions }) => sessions,
  },
  {
    method: "GET",
    path: "/api/v1/datasets",
    answer: experiment.listDatasets,
    served: ({ sessions }) => sessions,
  },
  {
    method: "GET",
    path: "/api/v1/datasets/{dataset_id}",
    answer: experiment.getDataset,
    served: ({ sessions }) => sessions,
  },
  ...tracing("GET", {
    "/v2/sessions": session.listSessionsByCursor,
    "/v2/sessions/{session_id}": session.getSessionV2,
    "/v2/runs/{run_id}": runs.getRunV2,
    "/v2/datasets": reads.listDatasetsByCursor,
    "/api/v1/datasets/{dataset_id}/versions": reads.listVersions,
    "/api/v1/datasets/{dataset_id}/version": reads.getVersion,
    "/api/v1/datasets/{dataset_id}/versions/diff": reads.diffVersions,
    "/api/v1/datasets/{dataset_id}/splits": reads.listSplits,
    "/api/v1/examples": reads.listExamples,
    "/api/v1/examples/{example_id}": reads.getExample,
    "/api/v1/feedback": reads.listFeedback,
    "/api/v1/feedback/tokens": reads.listNothing,
    "/api/v1/feedback/{feedback_id}": reads.getFeedback,
    "/api/v1/feedback-configs": reads.listNothing,
    "/api/v1/annotation-queues": reads.listNothing,
    "/api/v1/runs/{run_id}": runs.getRun,
    "/api/v1/settings": reads.getSettings,
  }),
  ...tracing("POST", {
    "/v2/datasets/{dataset_id}/experiment-runs": reads.postExperimentRuns,
    "/api/v1/datasets/{dataset_id}/runs": reads.postDatasetRuns,
    "/v2/runs/query": runs.postRunsQueryV2,
    "/api/v1/runs/query": runs.postRunsQuery,
    "/api/v1/runs/stats": runs.postRunStats,
  }),
  { method: "GET", path: "/api/v1/info", answer: info, open: true },
];

/** The endpoint for a method and path, with its parameters; or whether another method would do (405) or none (404). */
export function findRoute(
  method: string,
  path: string,
  settings: Settings,
): { readonly route: Route; readonly params: Record<string, string> } | 404 | 405 {
  const segments = path.split("/");
  let others = false;
  for (const route of ROUTES) {
    if (route.served !== undefined && !route.served(settings)) continue;
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
