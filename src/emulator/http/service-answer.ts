import { isUuid } from "../rules/validation.ts";
import type { Clock } from "../../clock.ts";
import { nestsDeeper, type Json } from "../../model/json.ts";
import { authenticate } from "./auth.ts";
import { type createFaults, cutsBody, delayOf, injectFault, takesEffect } from "./fault.ts";
import type { createLimiter } from "./limit.ts";
import { type Reply, refuse, refuseAll, Refusal, toError, toRefused } from "./reply.ts";
import { type createRequestLog, maskBody, toLoggedHeaders } from "./request-log.ts";
import { toServicePath } from "./route-pattern.ts";
import { findRoute } from "./route.ts";
import { type Answer, connectionError, toAnswer } from "./answer.ts";
import type { Call, World } from "../world.ts";

const MOST_BODY_CHARS = 400 * 1024 * 1024;

interface Parts {
  readonly world: World;
  readonly log: ReturnType<typeof createRequestLog>;
  readonly faults: ReturnType<typeof createFaults>;
  readonly limiter: ReturnType<typeof createLimiter>;
  readonly clock: Clock;
}

/** Answers a request as the service would: limits, faults and all. */
export async function answerService(
  parts: Parts,
  request: Request,
  url: URL,
  ip: string,
): Promise<Answer> {
  const { world, log, faults, limiter, clock } = parts;
  const path = toServicePath(url.pathname);
  const fault = faults.meet(request.method, path);
  const shown = { body: null as Json };
  let broke: string | null = null;
  const limited =
    world.settings.limits === "on"
      ? limiter.count(
          { method: request.method, path, headers: request.headers, ip, now: clock.now() },
          world.settings,
        )
      : null;
  let answer: Answer;
  if (limited !== null) answer = toAnswer(limited);
  else if (fault !== null && !takesEffect(fault))
    answer = injectFault(fault, toAnswer(toError(503, "Service Unavailable")));
  else {
    answer = toAnswer(
      await run(world, request, url, path, shown).catch(async (error: Error) => {
        await drain(request);
        if (error instanceof Refusal) return toRefused(error, !world.settings.strict);
        broke = `emulator error: ${error.message}`;
        return toError(500, "Internal Server Error");
      }),
    );
  }
  if (limited === null && fault !== null && cutsBody(fault)) await readSome(request);
  else if (limited !== null || (fault !== null && !takesEffect(fault)))
    await readForLog(request, shown);
  const delayMs = fault === null ? null : delayOf(fault);
  if (delayMs !== null) await clock.sleep(delayMs);
  if (fault !== null && limited === null && takesEffect(fault)) answer = injectFault(fault, answer);
  const broken =
    answer.wire.kind === "reset" || (answer.wire.kind === "refuse" && !answer.wire.answered);
  log.add(
    {
      at: new Date(clock.now()).toISOString(),
      method: request.method,
      path: url.pathname,
      query: url.search.slice(1).replace(/signature=[^&]*/, "signature=***"),
      headers: toLoggedHeaders(request.headers),
      body: shown.body,
      status: broken ? null : answer.status,
      fault: broke ?? fault?.kind ?? null,
    },
    answer.body,
  );
  return answer;
}

/** What was not read of a refused body: the answer must not wait for it. */
async function drain(request: Request): Promise<void> {
  if (!request.bodyUsed) await request.body?.cancel();
}

/** The first piece of a body; the rest is never read. */
async function readSome(request: Request): Promise<void> {
  const reader = request.body?.getReader();
  await reader?.read();
  reader?.releaseLock();
}

async function readForLog(request: Request, shown: { body: Json }): Promise<void> {
  if (
    request.body === null ||
    /upload-experiment$|^\/uploads\//.test(new URL(request.url).pathname)
  ) {
    await request.body?.cancel();
    return;
  }
  try {
    const body = JSON.parse(await request.text()) as Json;
    shown.body = nestsDeeper(body) ? null : maskBody(body);
  } catch {
    shown.body = null;
  }
}

const uploadPort = ({ settings: { uploadOrigin } }: World): string | null =>
  uploadOrigin === null ? null : new URL(uploadOrigin).port;

/** Ids of the path in lower case; every one that is no uuid is refused at once. */
function toIds(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const ids = Object.entries(params).filter(([name]) => name.endsWith("_id"));
  const wrong = ids.filter(([, value]) => !isUuid(value));
  if (wrong.length > 0)
    refuseAll(
      wrong.map(([name, input]) => ({
        loc: ["path", name],
        msg: "Input should be a valid UUID",
        type: "uuid_parsing",
        input,
      })),
    );
  return { ...params, ...Object.fromEntries(ids.map(([name, id]) => [name, id.toLowerCase()])) };
}

async function run(
  world: World,
  request: Request,
  url: URL,
  path: string,
  shown: { body: Json },
): Promise<Reply> {
  const found = findRoute(request.method, path, world.settings, url.port === uploadPort(world));
  if (found === 404)
    return path.startsWith("/v2/auth/") && !world.settings.strict
      ? refuse(501, "The emulator keeps no OAuth providers, tokens and connections of agents.")
      : refuse(404, "Not Found");
  if (found === 405) return refuse(405, "Method Not Allowed");
  const { route, params } = found;
  const caller =
    route.open === true ? { tenant_id: "" } : authenticate(request.headers, world.settings);
  let body: Json | undefined;
  if (route.streams !== true && request.body !== null) {
    const text = await request.text();
    if (text.length > MOST_BODY_CHARS) return refuse(413, "Request Entity Too Large");
    if (text.trim() !== "") {
      try {
        body = JSON.parse(text) as Json;
      } catch {
        return refuseAll([{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }]);
      }
      if (nestsDeeper(body))
        return refuseAll([
          { loc: ["body"], msg: "The body nests too deeply", type: "recursion_loop" },
        ]);
      shown.body = maskBody(body);
    }
  }
  const call: Call = {
    params: toIds(params),
    query: url.searchParams,
    body,
    stream: route.streams === true ? request.body : null,
    caller,
    headers: request.headers,
    origin: url.origin,
    note: (summary) => {
      shown.body = summary;
    },
  };
  const reply = await route.answer(world, call);
  world.store.commit();
  return reply;
}

/** The answer as fetch gives it; a broken connection rejects. */
export function toResponse(answer: Answer, clock: Clock): Response {
  const { wire, status, headers, body } = answer;
  if (wire.kind === "reset") throw connectionError("ECONNRESET");
  if (wire.kind === "refuse" && !wire.answered) throw connectionError("ECONNREFUSED");
  const bodiless = status === 204 || status === 304;
  if (wire.kind === "whole" || wire.kind === "refuse" || bodiless)
    return new Response(bodiless ? null : body, { status, headers });
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (wire.kind === "truncate") {
        if (at === 0) controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
        else controller.error(connectionError("ECONNRESET"));
        at = bytes.length;
        return;
      }
      await clock.sleep(wire.ms);
      controller.enqueue(bytes.slice(at, at + 16));
      at += 16;
      if (at >= bytes.length) controller.close();
    },
  });
  return new Response(stream, { status, headers });
}
