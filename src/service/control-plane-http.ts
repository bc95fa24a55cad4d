import type { Clock } from "../clock.ts";
import { integrationsPath, spell, type Dialect } from "../model/dialect.ts";
import { isObject, type Json } from "../model/json.ts";
import { statusRow } from "../model/revision-status.ts";
import { sensitiveTexts } from "../model/sensitive.ts";
import {
  PROVES_ABSENCE,
  ServiceError,
  type ControlPlane,
  type Limits,
  type LiveDeployment,
  type LiveRevision,
  type LogTail,
  type WriteResult,
} from "./control-plane.ts";
import type { Http, WriteRequest } from "./http.ts";
import { createReads } from "./pages.ts";
import { toDeployment, toIntegrations, toListener, toLogTail, toRevision } from "./replies.ts";
import { UnreadableReply, type Parse } from "./repeat.ts";
import { uploadArchive } from "./source-upload.ts";

const LOG_TAIL_MS = 10_000;

type Body = { readonly [key: string]: Json };

function jsonBody(body: Body, dialect: Dialect): Pick<WriteRequest, "body" | "secretValues"> {
  return { body: JSON.stringify(spell(body, dialect)), secretValues: sensitiveTexts(body) };
}

function newestFirst(revisions: readonly LiveRevision[]): readonly LiveRevision[] {
  const dated = revisions.every(({ created_at }) => !Number.isNaN(Date.parse(created_at)));
  return dated
    ? [...revisions].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    : revisions;
}

/**
 * The known log routes in the order to try them (contributing/service.md 2.7). The service's own
 * OpenAPI has none of them.
 */
function logRoutes({ id, revision, phase, lines }: AskedLog): readonly LogRoute[] {
  const many = Math.min(1000, Math.max(1, lines));
  const few = Math.min(100, many);
  const name = at(revision);
  return [
    {
      lines: many,
      path: `/v2/deployments/${at(id)}/revisions/${name}/logs?type=${phase}&order=desc&limit=${many}`,
    },
    {
      lines: few,
      path: `/v2/deployment-logs?deployment_id=${at(id)}&revision_id=${name}&log_type=${phase.toUpperCase()}&sort_order=desc&page_size=${few}`,
    },
    {
      lines: many,
      path: `/v1/projects/${at(id)}/revisions/${name}/${phase}_logs`,
      post: JSON.stringify({ limit: many, order: "desc" }),
    },
  ];
}

/** The log of a revision, and how many of its lines are wanted. */
interface AskedLog {
  readonly id: string;
  readonly revision: string;
  readonly phase: "build" | "deploy";
  readonly lines: number;
  readonly dialect: Dialect | undefined;
}

/** One way to read a log; `post`: the body of a POST. */
interface LogRoute {
  readonly path: string;
  readonly lines: number;
  readonly post?: string;
}

/** What to do next about a change of a deployment that is refused, by status. */
const CHANGE_NEXT = {
  409: "Another update of it may be under way: run again once that has ended.",
};
/** The same if a redeploy is refused. */
const REDEPLOY_NEXT = {
  ...CHANGE_NEXT,
  400: "This revision cannot be redeployed now: choose another one with revision-id, or apply the spec, which makes a new revision.",
  404: "Check deployment-id and revision-id: the service names the one it does not know.",
  422: "deployment-id and revision-id are UUIDs, as the service and the outputs of an earlier step give them.",
};

/** Where requests go and how long they may take; `base` is the prefix of every path. */
interface Place {
  readonly http: Http;
  readonly base: string;
  readonly clock: Clock;
  readonly limits?: Limits;
  /** Masks the run's secrets in logs. */
  readonly redact?: (text: string) => string;
}

const at = encodeURIComponent;
const DEPLOYMENTS = "/v2/deployments";
const deploymentPath = (id: string): string => `${DEPLOYMENTS}/${at(id)}`;
const revisionPath = (id: string, revision: string): string =>
  `${deploymentPath(id)}/revisions/${at(revision)}`;

/** A reply about a deployment or revision, which must be the requested one. */
const identified =
  <T extends { readonly id: string }>(what: string, id: string, read: (json: unknown) => T) =>
  (json: unknown): T => {
    const found = read(json);
    if (found.id.toLowerCase() !== id.toLowerCase())
      throw new UnreadableReply(`the answer is another ${what} than the one asked for`);
    return found;
  };

const named = (id: string) => identified("deployment", id, toDeployment);

/**
 * A revision requested by id. contributing/interface.md shows no id in the reply, only a status
 * and what it is built from; any other reply without an id proves nothing.
 */
const revisionOf = (id: string) =>
  identified("revision", id, (json) => toRevision(lacksOnlyId(json) ? { ...json, id } : json));

const lacksOnlyId = (json: unknown): json is Body =>
  isObject(json) &&
  (json["id"] ?? null) === null &&
  (statusRow(String(json["status"])) !== undefined || isObject(json["source_revision_config"]));

/** Creates the control plane over HTTP. */
export function createControlPlane(place: Place): ControlPlane {
  const { http, base, limits = {} } = place;
  const toUrl = (path: string): string => base + path;
  const { find, list, tenantOf } = createReads({ http, toUrl, limits });
  const write = <T>(
    method: WriteRequest["method"],
    path: string,
    parse: Parse<T>,
    more: Pick<WriteRequest, "body" | "secretValues" | "next"> = {},
  ): Promise<WriteResult<T>> =>
    http.write({ method, url: toUrl(path), route: "write", ...more }, parse, limits);
  const getDeployment: ControlPlane["getDeployment"] = (id) => find(deploymentPath(id), named(id));
  return {
    within: (narrower) => createControlPlane({ ...place, limits: { ...limits, ...narrower } }),
    createDeployment: (body, dialect) =>
      write("POST", DEPLOYMENTS, toDeployment, jsonBody(body, dialect)),
    patchDeployment: (id, body, dialect) =>
      write("PATCH", deploymentPath(id), named(id), {
        ...jsonBody(body, dialect),
        next: CHANGE_NEXT,
      }),
    redeploy: (id, revision) =>
      write("POST", `${revisionPath(id, revision)}/redeploy`, named(id), { next: REDEPLOY_NEXT }),
    deleteDeployment: (id, { deleteTracingProject }) => {
      const query = `?delete_tracing_project=${deleteTracingProject}`;
      return write("DELETE", deploymentPath(id) + query, () => null, { next: CHANGE_NEXT });
    },
    getDeployment,
    listDeployments: async ({ nameContains, ...extent }) => {
      const filter = nameContains === undefined ? "" : `?name_contains=${at(nameContains)}`;
      const lookup = await list(DEPLOYMENTS + filter, toListed, extent);
      return lookup.state === "absent-lookup"
        ? lookup
        : { ...lookup, items: await readNameless(lookup.items, getDeployment) };
    },
    probe: () => tenantOf(DEPLOYMENTS, toDeployment),
    getRevision: (id, revision) => find(revisionPath(id, revision), revisionOf(revision)),
    listRevisions: async (id, most) => {
      const lookup = await list(`${deploymentPath(id)}/revisions`, toRevision, { most });
      return lookup.state === "absent-lookup"
        ? lookup
        : { ...lookup, items: newestFirst(lookup.items).slice(0, most) };
    },
    listIntegrations: async (dialect) => {
      const own = await find(integrationsPath(dialect), toIntegrations);
      if (own !== null) return own;
      const url = toUrl(integrationsPath(dialect === "hosted" ? "document" : "hosted"));
      const other = await http.read({ url }, toIntegrations, limits);
      return other.state === "found" ? other.value : [];
    },
    listListeners: async () => {
      const lookup = await list("/v2/listeners", toListener, { absent: [] });
      return lookup.state === "found" ? lookup.items : [];
    },
    uploadArchive: (id, archive) =>
      uploadArchive({ ...place, limits }, toUrl(`${deploymentPath(id)}/upload-url`), archive),
    logTail: (id, revision, phase, lines, dialect, onFailure) =>
      readLog(place, { id, revision, phase, lines, dialect }, onFailure),
  };
}

const toListed = (json: unknown): LiveDeployment => ({ ...toDeployment(json), isListed: true });

/** If the list shows no name for a deployment, reads the deployment itself. One that no longer exists is left out. */
async function readNameless(
  items: readonly LiveDeployment[],
  getDeployment: ControlPlane["getDeployment"],
): Promise<readonly LiveDeployment[]> {
  const read = await Promise.all(
    items.map((item) => (item.name === "" ? getDeployment(item.id) : item)),
  );
  return read.filter((item) => item !== null);
}

/**
 * The result of the first log route that exists; null if there is none, with the first failure of
 * a route that may exist.
 */
async function readLog(
  { http, base, clock, limits = {}, redact }: Place,
  asked: AskedLog,
  onFailure: (error: ServiceError) => void = () => {},
): Promise<LogTail | null> {
  let failure: ServiceError | undefined;
  const note = (error: unknown): null => {
    if (error instanceof ServiceError && !PROVES_ABSENCE.includes(error.status ?? 0))
      failure ??= error;
    return null;
  };
  const deadlineMs = Math.min(limits.deadlineMs ?? Infinity, clock.monotonic() + LOG_TAIL_MS);
  for (const { path, post, lines } of logRoutes(asked)) {
    if (post !== undefined && asked.dialect === "document") continue;
    const request = { url: base + path, post, once: true, absent: PROVES_ABSENCE } as const;
    const reply = await http
      .read(request, (json) => toLogTail(json, lines, redact), { ...limits, deadlineMs })
      .catch(note);
    if (reply?.state === "found" && reply.value !== null) return reply.value;
  }
  if (failure !== undefined) onFailure(failure);
  return null;
}
