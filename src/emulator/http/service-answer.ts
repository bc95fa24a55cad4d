import { STATUS_CODES } from "node:http";
import { checkBody, isUuid } from "../rules/validation.ts";
import type { Clock } from "../../clock.ts";
import { forgetGone } from "../deployments/deployment.ts";
import type { Json } from "../../model/json.ts";
import { authenticate } from "./auth.ts";
import { MAX_BODY_BYTES, readJson } from "./body.ts";
import type { createFaults } from "./fault.ts";
import type { createLimiter } from "./limit.ts";
import { type Reply, noUuid, refuse, refuseAny, Refusal, toError } from "./reply.ts";
import { type createRequestLog, maskBody, toLoggedHeaders } from "./request-log.ts";
import { inBody, inQuery } from "./parameter.ts";
import { toServicePath } from "./route-pattern.ts";
import { findRoute } from "./route.ts";
import type { Call, World } from "../world.ts";

interface Parts {
  readonly world: World;
  readonly log: ReturnType<typeof createRequestLog>;
  readonly faults: ReturnType<typeof createFaults>;
  readonly limiter: ReturnType<typeof createLimiter>;
  readonly clock: Clock;
}

/** Answers a request like the service, including limits and faults. */
export async function answerService(
  { world, log, faults, limiter, clock }: Parts,
  request: Request,
  url: URL,
  ip: string,
): Promise<Reply> {
  const path = toServicePath(url.pathname);
  const { method, headers } = request;
  const met = faults.meet(method, path);
  const limited =
    world.settings.limits === "on"
      ? limiter.count({ method, path, headers, ip, now: clock.now() }, world.settings)
      : null;
  const fault = limited === null ? met : null;
  // What the log shows of a body: the endpoint's note, else all of it, masked.
  const shown = { body: null as Json };
  let broke: string | null = null;
  let reply: Reply;
  if (limited !== null || fault?.after === false) {
    reply = limited ?? toError(503, "Service Unavailable");
    if (fault?.cuts === true) await readSome(request);
    else await readForLog(request, shown);
  } else {
    reply = await run(world, request, url, path, shown).catch((error: Error) => {
      if (error instanceof Refusal) return error.toReply(!world.settings.strict);
      broke = `emulator error: ${error.message}`;
      return toError(500, "Internal Server Error");
    });
  }
  const delayMs = met?.delayMs ?? null;
  if (delayMs !== null) await clock.sleep(delayMs);
  const answer = fault?.inject(reply) ?? reply;
  const { wire } = answer;
  const isBroken = wire.kind === "reset" || (wire.kind === "refuse" && !wire.answered);
  log.add(
    {
      at: new Date(clock.now()).toISOString(),
      method,
      path: url.pathname,
      query: url.search.slice(1).replace(/signature=[^&]*/, "signature=***"),
      headers: toLoggedHeaders(headers),
      body: shown.body,
      status: isBroken ? null : answer.status,
      fault: broke ?? met?.kind ?? null,
    },
    answer.body,
  );
  return answer;
}

/** Reads the first chunk of a body; the rest is never read. */
async function readSome(request: Request): Promise<void> {
  const reader = request.body?.getReader();
  await reader?.read();
  reader?.releaseLock();
}

/** Logs a body that the service never sees, unless it is an archive or experiment, which are too large. */
async function readForLog(request: Request, shown: { body: Json }): Promise<void> {
  if (/upload-experiment$|^\/uploads\//.test(new URL(request.url).pathname)) return;
  const sent = await readJson(request.body, MAX_BODY_BYTES).catch(() => undefined);
  shown.body = maskBody(sent?.body ?? null);
}

const uploadPort = ({ settings: { uploadOrigin } }: World): string | null =>
  uploadOrigin === null ? null : new URL(uploadOrigin).port;

/** Ids of the path in lower case; refuses all that are not uuids in one reply. */
function toIds(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const ids = Object.entries(params).filter(([name]) => name.endsWith("_id"));
  const wrong = ids.filter(([, value]) => !isUuid(value));
  refuseAny(wrong.map(([name, id]) => noUuid("path", name, id)));
  return { ...params, ...Object.fromEntries(ids.map(([name, id]) => [name, id.toLowerCase()])) };
}

async function run(
  world: World,
  request: Request,
  url: URL,
  path: string,
  shown: { body: Json },
): Promise<Reply> {
  const { settings } = world;
  const found = findRoute(request.method, path, settings, url.port === uploadPort(world));
  if (found === 404 && path.startsWith("/v2/auth/") && !settings.strict)
    return refuse(501, "The emulator keeps no OAuth providers, tokens and connections of agents.");
  if (typeof found === "number") return refuse(found, STATUS_CODES[found]!);
  const { route, params } = found;
  const tenant_id = route.open === true ? "" : authenticate(request.headers, settings);
  const sent =
    route.streams === true ? undefined : (await readJson(request.body, MAX_BODY_BYTES)).body;
  if (sent !== undefined) shown.body = maskBody(sent);
  const body = sent ?? (route.mayLackBody === true ? {} : undefined);
  const call: Call = {
    params: toIds(params),
    query: inQuery(url.searchParams),
    sent: inBody(body),
    body,
    stream: route.streams === true ? request.body : null,
    tenant_id,
    headers: request.headers,
    origin: url.origin,
    note: (summary) => {
      shown.body = summary;
    },
  };
  if (route.body !== undefined && route.ownCheck !== true)
    refuseAny(checkBody(route.body(settings), body));
  const reply = await route.answer(world, call);
  // Not by reads, which must succeed on a full disk.
  if (route.method !== "GET") forgetGone(world);
  world.store.commit();
  return reply.status === 200 && route.status !== undefined
    ? { ...reply, status: route.status(settings) }
    : reply;
}
