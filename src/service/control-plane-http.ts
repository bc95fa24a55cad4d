import type { Clock } from "../clock.ts";
import { integrationsPath, spell, type Dialect } from "../model/dialect.ts";
import { isObject, type Json } from "../model/json.ts";
import { statusRow } from "../model/revision-status.ts";
import { sensitiveTexts } from "../model/sensitive.ts";
import type {
  ControlPlane,
  Limits,
  LiveDeployment,
  LiveRevision,
  Lookup,
  ServiceError,
} from "./control-plane.ts";
import type { Http, Read, WriteRequest } from "./http.ts";
import { endedBy, PAGE_LIMIT, readAllPages, type Extent } from "./pages.ts";
import {
  toDeployment,
  toIntegrations,
  toListener,
  toLogTail,
  toNewestMs,
  toPage,
  toRevision,
  type Page,
} from "./replies.ts";
import { UnreadableReply } from "./repeat.ts";
import { uploadArchive } from "./source-upload.ts";

/** Answers by which a service says that it has no such list. */
const NO_LIST = [404, 405, 501];
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
 * The known log routes, in the order they are tried (contributing/service.md 2.7); none is in the
 * service's own OpenAPI.
 */
function logRoutes(
  deployment: string,
  revision: string,
  phase: "build" | "deploy",
  lines: number,
): readonly { method: "GET" | "POST"; path: string; body?: string; lines: number }[] {
  const many = Math.min(1000, Math.max(1, lines));
  const few = Math.min(100, many);
  return [
    {
      method: "GET",
      lines: many,
      path: `/v2/deployments/${deployment}/revisions/${revision}/logs?type=${phase}&order=desc&limit=${many}`,
    },
    {
      method: "GET",
      lines: few,
      path: `/v2/deployment-logs?deployment_id=${deployment}&revision_id=${revision}&log_type=${phase.toUpperCase()}&sort_order=desc&page_size=${few}`,
    },
    {
      method: "POST",
      lines: many,
      path: `/v1/projects/${deployment}/revisions/${revision}/${phase}_logs`,
      body: JSON.stringify({ limit: many, order: "desc" }),
    },
  ];
}

/** What to do next when a redeploy is refused, by status. */
const REDEPLOY_NEXT = {
  400: "This revision cannot be redeployed now: choose another one with revision-id, or apply the spec, which makes a new revision.",
  404: "Check deployment-id and revision-id: the service names the one it does not know.",
  422: "deployment-id and revision-id are UUIDs, as the service and the outputs of an earlier step give them.",
};

/** Where requests go and how long they may take. */
interface Wire {
  readonly http: Http;
  readonly base: string;
  readonly limits: Limits;
}

const at = encodeURIComponent;
const deploymentUrl = (base: string, id: string): string => `${base}/v2/deployments/${at(id)}`;
const revisionUrl = (base: string, id: string, revision: string): string =>
  `${deploymentUrl(base, id)}/revisions/${at(revision)}`;

const valueOrNull = <T>(read: Read<T>): T | null => (read.state === "found" ? read.value : null);

/** A reply about a deployment or a revision, which must be the one that was asked for. */
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
 * A revision that was asked for by its id: contributing/interface.md shows none in it, only a status and
 * what it is built from. Anything else without an id proves nothing.
 */
const revisionOf = (id: string) =>
  identified("revision", id, (json) => toRevision(lacksOnlyId(json) ? { ...json, id } : json));

const lacksOnlyId = (json: unknown): json is Body =>
  isObject(json) &&
  (json["id"] ?? null) === null &&
  (statusRow(String(json["status"])) !== undefined || isObject(json["source_revision_config"]));

function listAll<T extends { readonly id: string }>(
  { http, base, limits }: Wire,
  path: string,
  toItem: (json: unknown) => T,
  { absent, ...extent }: Extent & { readonly absent: readonly number[] },
): Promise<Lookup<T>> {
  const size = Math.min(PAGE_LIMIT, extent.most ?? PAGE_LIMIT);
  const list = `${base}${path}${path.includes("?") ? "&" : "?"}limit=${size}`;
  return readAllPages(
    (offset, signal): Promise<Read<Page<T>>> =>
      http.read(
        { url: `${list}&offset=${offset}`, absent },
        (json) => toPage(json, toItem),
        endedBy(limits, signal),
      ),
    extent,
  );
}

/** The control plane over HTTP; `base` keeps its path as the prefix of every request. */
export function createControlPlane(options: {
  readonly http: Http;
  readonly base: string;
  readonly clock: Clock;
  readonly limits?: Limits;
  readonly redact?: (text: string) => string;
}): ControlPlane {
  const { http, base, limits = {} } = options;
  const wire: Wire = { http, base, limits };
  return {
    within: (narrower) => createControlPlane({ ...options, limits: { ...limits, ...narrower } }),
    ...deploymentReads(wire),
    ...deploymentWrites(wire),
    ...revisionReads(wire),
    ...lookups(wire),
    uploadArchive: (id, archive) =>
      uploadArchive({ ...options, limits }, `${deploymentUrl(base, id)}/upload-url`, archive),
    logTail: (id, revision, phase, lines, dialect, onFailure) =>
      readLog(
        { ...options, limits },
        { id, revision, phase, lines, dialect },
        (reply, asked) => toLogTail(reply, asked, options.redact),
        onFailure,
      ),
    lastLogAt: (id, revision, phase, dialect) =>
      readLog({ ...options, limits }, { id, revision, phase, lines: 1, dialect }, toNewestMs),
  };
}

function deploymentReads(
  wire: Wire,
): Pick<ControlPlane, "listDeployments" | "probe" | "getDeployment"> {
  const { http, base, limits } = wire;
  const getDeployment: ControlPlane["getDeployment"] = async (id) =>
    valueOrNull(
      await http.read({ url: deploymentUrl(base, id), absent: [404] }, named(id), limits),
    );
  return {
    getDeployment,
    listDeployments: async ({ nameContains, ...extent }) => {
      const filter = nameContains === undefined ? "" : `?name_contains=${at(nameContains)}`;
      const lookup = await listAll(wire, `/v2/deployments${filter}`, toDeployment, {
        ...extent,
        absent: NO_LIST,
      });
      return lookup.state === "absent-lookup"
        ? lookup
        : { ...lookup, items: await readNameless(lookup.items, getDeployment) };
    },
    probe: async () => {
      const page = await http.read(
        { url: `${base}/v2/deployments?limit=1`, absent: [] },
        (json) => toPage(json, toDeployment),
        limits,
      );
      return page.state === "found" ? (page.value.items[0]?.tenant_id ?? null) : null;
    },
  };
}

/**
 * A list that shows no name of a deployment does not say which one it is: the deployment itself
 * may. One that is gone by now is left out.
 */
async function readNameless(
  items: readonly LiveDeployment[],
  getDeployment: ControlPlane["getDeployment"],
): Promise<readonly LiveDeployment[]> {
  const read = await Promise.all(
    items.map((item) => (item.name === "" ? getDeployment(item.id) : item)),
  );
  return read.filter((item) => item !== null);
}

function deploymentWrites({
  http,
  base,
  limits,
}: Wire): Pick<
  ControlPlane,
  "createDeployment" | "patchDeployment" | "redeploy" | "deleteDeployment"
> {
  const route = "write" as const;
  return {
    createDeployment: (body, dialect) =>
      http.write(
        { method: "POST", url: `${base}/v2/deployments`, route, ...jsonBody(body, dialect) },
        toDeployment,
        limits,
      ),
    patchDeployment: (id, body, dialect) =>
      http.write(
        { method: "PATCH", url: deploymentUrl(base, id), route, ...jsonBody(body, dialect) },
        named(id),
        limits,
      ),
    redeploy: (id, revision) => {
      const url = `${revisionUrl(base, id, revision)}/redeploy`;
      return http.write({ method: "POST", url, route, next: REDEPLOY_NEXT }, named(id), limits);
    },
    deleteDeployment: (id, { deleteTracingProject }) => {
      const url = `${deploymentUrl(base, id)}?delete_tracing_project=${deleteTracingProject}`;
      return http.write({ method: "DELETE", url, route }, () => null, limits);
    },
  };
}

function revisionReads(wire: Wire): Pick<ControlPlane, "getRevision" | "listRevisions"> {
  const { http, base, limits } = wire;
  return {
    getRevision: async (id, revision) =>
      valueOrNull(
        await http.read(
          { url: revisionUrl(base, id, revision), absent: [404] },
          revisionOf(revision),
          limits,
        ),
      ),
    listRevisions: async (id, most): Promise<Lookup<LiveRevision>> => {
      const path = `/v2/deployments/${at(id)}/revisions`;
      const lookup = await listAll(wire, path, toRevision, { absent: NO_LIST, most });
      return lookup.state === "absent-lookup"
        ? lookup
        : { ...lookup, items: newestFirst(lookup.items).slice(0, most) };
    },
  };
}

function lookups(wire: Wire): Pick<ControlPlane, "listIntegrations" | "listListeners"> {
  const { http, base, limits } = wire;
  return {
    listIntegrations: async (dialect) => {
      const read = (to: Dialect, absent: readonly number[]) =>
        http.read({ url: base + integrationsPath(to), absent }, toIntegrations, limits);
      const own = await read(dialect, [404]);
      if (own.state === "found") return own.value;
      const other = await read(dialect === "hosted" ? "document" : "hosted", []);
      return other.state === "found" ? other.value : [];
    },
    listListeners: async () => {
      const lookup = await listAll(wire, "/v2/listeners", toListener, { absent: [] });
      return lookup.state === "found" ? lookup.items : [];
    },
  };
}

/**
 * What the first log route that has it gives; null where none does, and then the first failure of a
 * route that may exist is returned.
 */
async function readLog<T>(
  { http, base, clock, limits }: Wire & { readonly clock: Clock },
  asked: {
    readonly id: string;
    readonly revision: string;
    readonly phase: "build" | "deploy";
    readonly lines: number;
    readonly dialect: Dialect | undefined;
  },
  read: (reply: unknown, lines: number) => T | null,
  onFailure: (error: ServiceError) => void = () => {},
): Promise<T | null> {
  const failures: ServiceError[] = [];
  const note = (error: ServiceError): void => {
    if (!NO_LIST.includes(error.status ?? 0)) failures.push(error);
  };
  const { id, revision, phase, dialect } = asked;
  const deadlineMs = Math.min(limits.deadlineMs ?? Infinity, clock.monotonic() + LOG_TAIL_MS);
  for (const { method, path, body, lines } of logRoutes(at(id), at(revision), phase, asked.lines)) {
    if (method === "POST" && dialect === "document") continue;
    const reply = await http.probe(
      { method, url: base + path, ...(body === undefined ? {} : { body }) },
      { ...limits, deadlineMs },
      note,
    );
    const found = read(reply, lines);
    if (found !== null) return found;
  }
  const [failure] = failures;
  if (failure !== undefined) onFailure(failure);
  return null;
}
