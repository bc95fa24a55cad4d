import { systemClock, type Clock } from "../clock.ts";
import { nestsDeeper } from "../model/json-depth.ts";
import { answerAdmin } from "./admin.ts";
import { authenticate } from "./auth.ts";
import { push } from "./deployment.ts";
import { createFaults, takesEffect, type FaultRule } from "./fault.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { createLimiter } from "./limit.ts";
import {
  toSettings,
  type EmulatorOptions,
  type ManualClock,
  type Seed,
  type Settings,
} from "./options.ts";
import { invalid, isReply, refused, type Reply } from "./reply.ts";
import { createRequestLog, maskBody, toLoggedHeaders, type LoggedRequest } from "./request-log.ts";
import type { RevisionRule } from "./revision.ts";
import { findRoute } from "./route.ts";
import { toServicePath } from "./route-pattern.ts";
import { beganOtherwise, DEFAULT_SEED, seedWorld, startWithSeed } from "./seed.ts";
import { renderComparePage } from "./compare-page.ts";
import { LIVE_POLICY, renderLivePage } from "./live-page.ts";
import { renderPage } from "./page.ts";
import { dumpState } from "./state-dump.ts";
import { createStore, type Entry, type Journal } from "./store.ts";
import { connectionError, injectFault, toAnswer, type Answer } from "./wire-fault.ts";
import { toUuid, uuidOf, type Call, type World } from "./world.ts";

/** The service, in this process: no port, no timer, no file unless a journal was given. */
export interface Emulator {
  /**
   * Answers a request; a broken connection rejects as undici's fetch does. `ip` is the client's
   * address, for the limits.
   */
  readonly fetch: (request: Request, ip?: string) => Promise<Response>;
  /** The same before it is a Response: for servers, which can break a connection for real. */
  readonly answer: (request: Request, ip: string) => Promise<Answer>;
  readonly now: () => number;
  /** Moves the clock on; one that runs by itself keeps running from there. */
  readonly advance: (ms: number) => void;
  /** Back to the start: the seed, the first faults and revision rules, an empty request log. */
  readonly reset: () => void;
  readonly requests: () => readonly LoggedRequest[];
  /** What a request was answered, secrets masked; null where that is not kept. */
  readonly replyTo: (seq: number) => Json;
  readonly clearRequests: () => void;
  /** Everything held, statuses as of now, secret values masked. */
  readonly state: () => JsonObject;
  /** A push to a repository; gives the ids of the deployments that build it. */
  readonly push: (what: {
    readonly repo_url: string;
    readonly ref: string;
    readonly commit: string;
  }) => readonly string[];
  readonly addFaults: (rules: readonly FaultRule[]) => void;
  readonly clearFaults: () => void;
  readonly faults: () => readonly JsonObject[];
  readonly addRevisionRules: (rules: readonly RevisionRule[]) => void;
  readonly seed: (seed: Seed) => void;
  /** True where the kept state began with another seed than the one given: that one is not used. */
  readonly ignoresSeed: () => boolean;
  /** Changes options (choices, phases, read-back…) while running; time scale and phases hold for later revisions. */
  readonly configure: (
    options: Omit<EmulatorOptions, "clock" | "random" | "seed" | "faults" | "revisions">,
  ) => void;
  readonly settings: () => Settings;
  /** Calls back after every request that is not about the emulator itself, until the returned function is called. */
  readonly watch: (happened: () => void) => () => void;
  readonly world: World;
  readonly close: () => void;
}

/** Where state is kept over restarts: what was read from it, and where to add. */
export interface Kept {
  readonly entries: readonly Entry[];
  readonly journal: Journal;
}

interface Ticking {
  readonly clock: Clock;
  readonly advance: (ms: number) => void;
  readonly step: () => void;
  readonly restart: () => void;
}

/** The clock that was given, which can be moved on; it starts no earlier than what the kept state saw. */
function toClock(given: EmulatorOptions["clock"], startAt: number): Ticking {
  let moved = 0;
  const advance = (ms: number): void => {
    moved += ms;
  };
  if (given !== undefined && "manual" in given) {
    const manual: ManualClock = given;
    const start = Math.max(manual.startMs ?? Date.UTC(2026, 0, 1), startAt);
    const now = (): number => start + moved;
    const sleep = async (ms: number): Promise<void> => advance(ms);
    return {
      clock: { now, monotonic: now, sleep },
      advance,
      step: () => advance(manual.stepMs ?? 0),
      restart: () => {
        moved = 0;
      },
    };
  }
  const base = given ?? systemClock;
  moved = Math.max(0, startAt - base.now());
  return {
    clock: {
      now: () => base.now() + moved,
      monotonic: () => base.monotonic() + moved,
      sleep: base.sleep,
    },
    advance,
    step: () => undefined,
    restart: () => {
      moved = 0;
    },
  };
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'";
const toPage = (text: string, policy: string): Answer =>
  toAnswer({
    status: 200,
    text,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });

/** The pages for people; null for every other request. */
function showPage(emulator: Emulator, request: Request, url: URL): Answer | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { world } = emulator;
  if (url.pathname === "/") {
    const page = renderPage(world, url.searchParams, emulator.requests(), emulator.faults());
    return toPage(page, PAGE_POLICY);
  }
  const compared = renderComparePage(world, url);
  return compared === null ? null : toPage(compared, PAGE_POLICY);
}

const MOST_BODY_CHARS = 400 * 1024 * 1024;

/** An emulator over its options; every reading of time and randomness comes from them. */
export function createEmulator(given: EmulatorOptions = {}, kept?: Kept): Emulator {
  let options = given;
  let settings = toSettings(options);
  const rules = createRuleBook(options.revisions ?? []);
  const store = createStore(kept?.entries ?? [], kept?.journal ?? null);
  const { clock, advance, step, restart } = toClock(options.clock, store.get("meta", "now") ?? 0);
  const faults = createFaults(options.faults ?? []);
  const log = createRequestLog();
  const limiter = createLimiter();
  const watchers = createWatchers();
  const world = toWorld({
    options: () => options,
    settings: () => settings,
    store,
    now: clock.now,
    ruleFor: rules.take,
  });
  if (kept === undefined || kept.entries.length === 0)
    startWithSeed(world, options.seed ?? DEFAULT_SEED);

  const reset = (): void => {
    store.clear();
    restart();
    options = given;
    settings = toSettings(options);
    faults.clear();
    faults.add(options.faults ?? []);
    rules.restart();
    log.clear();
    limiter.clear();
    startWithSeed(world, options.seed ?? DEFAULT_SEED);
  };
  const emulator: Emulator = {
    fetch: async (request, ip = "127.0.0.1") =>
      toResponse(await emulator.answer(request, ip), clock),
    answer: async (request, ip) => {
      const url = new URL(request.url);
      const own = await answerItself(emulator, request, url);
      if (own !== null) return own;
      step();
      const answer = await answerService({ world, log, faults, limiter, clock }, request, url, ip);
      watchers.call();
      return answer;
    },
    now: clock.now,
    advance: (ms) => {
      advance(ms);
      store.put("meta", "now", clock.now());
      store.commit();
    },
    reset,
    ...toInspection(world, log, faults),
    addRevisionRules: rules.add,
    seed: (seed) => seedWorld(world, seed),
    ignoresSeed: () => options.seed !== undefined && beganOtherwise(world, options.seed),
    configure: (more) => {
      options = { ...options, ...more };
      settings = toSettings(options);
    },
    settings: () => settings,
    watch: watchers.add,
    world,
    close: () => kept?.journal.close(),
  };
  return emulator;
}

function toWorld({
  options,
  settings,
  ...held
}: Pick<World, "store" | "now" | "ruleFor"> & {
  readonly options: () => EmulatorOptions;
  readonly settings: () => Settings;
}): World {
  return {
    ...held,
    get settings() {
      return settings();
    },
    get phases() {
      return settings().phases;
    },
    newId: (name) => (settings().ids === "stable" ? uuidOf(name) : toUuid(options().random)),
  };
}

function createWatchers(): { add: Emulator["watch"]; call: () => void } {
  const watchers = new Set<() => void>();
  return {
    add: (happened) => {
      watchers.add(happened);
      return () => watchers.delete(happened);
    },
    call: () => {
      for (const happened of watchers) happened();
    },
  };
}

/** What tests do to it, look at and set while it runs. */
function toInspection(
  world: World,
  log: ReturnType<typeof createRequestLog>,
  faults: ReturnType<typeof createFaults>,
): Pick<
  Emulator,
  | "push"
  | "requests"
  | "replyTo"
  | "clearRequests"
  | "state"
  | "addFaults"
  | "clearFaults"
  | "faults"
> {
  return {
    push: ({ repo_url, ref, commit }) => {
      const built = push(world, repo_url, ref, commit);
      world.store.commit();
      return built;
    },
    requests: log.list,
    replyTo: log.replyTo,
    clearRequests: log.clear,
    state: () => dumpState(world),
    addFaults: faults.add,
    clearFaults: faults.clear,
    faults: () => faults.list() as unknown as JsonObject[],
  };
}

/** What is about the emulator and not the service: its pages and its own endpoints; null for every other request. */
async function answerItself(
  emulator: Emulator,
  request: Request,
  url: URL,
): Promise<Answer | null> {
  if (url.pathname === "/_emulator/live" && request.method === "GET")
    return toPage(renderLivePage(), LIVE_POLICY);
  const admin = await answerAdmin(emulator, request, url);
  return admin === null ? showPage(emulator, request, url) : toAnswer(admin);
}

interface RuleBook {
  readonly take: World["ruleFor"];
  readonly add: (rules: readonly RevisionRule[]) => void;
  readonly restart: () => void;
}

/** Revision rules with how often each is still to be used. */
function createRuleBook(initial: readonly RevisionRule[]): RuleBook {
  const arm = (rules: readonly RevisionRule[]): { readonly rule: RevisionRule; left: number }[] =>
    rules.map((rule) => ({ rule, left: rule.times === 0 ? Infinity : (rule.times ?? 1) }));
  let armed = arm(initial);
  return {
    take: (deployment, revision) => {
      const found = armed.find(
        (one) =>
          one.left > 0 &&
          (one.rule.deployment ?? deployment) === deployment &&
          (one.rule.revision ?? revision) === revision,
      );
      if (found === undefined) return {};
      found.left -= 1;
      return found.rule;
    },
    add: (rules) => {
      armed = [...armed, ...arm(rules)];
    },
    restart: () => {
      armed = arm(initial);
    },
  };
}

interface Parts {
  readonly world: World;
  readonly log: ReturnType<typeof createRequestLog>;
  readonly faults: ReturnType<typeof createFaults>;
  readonly limiter: ReturnType<typeof createLimiter>;
  readonly clock: Clock;
}

async function answerService(
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
    answer = injectFault(fault, toAnswer(refused(503, "Service Unavailable")));
  else {
    answer = toAnswer(
      await run(world, request, url, path, shown).catch((error: Error) => {
        broke = `emulator error: ${error.message}`;
        return refused(500, "Internal Server Error");
      }),
    );
  }
  if (limited !== null || (fault !== null && !takesEffect(fault))) await readForLog(request, shown);
  if (
    fault?.kind === "delay" ||
    (fault?.ms !== undefined && !["drip", "refuse", "refuse-after"].includes(fault.kind))
  )
    await clock.sleep(fault.ms ?? 1000);
  if (fault !== null && limited === null && takesEffect(fault)) answer = injectFault(fault, answer);
  const broken =
    answer.wire.kind === "reset" || (answer.wire.kind === "refuse" && !answer.wire.answered);
  log.add(
    {
      at: new Date(clock.now()).toISOString(),
      method: request.method,
      path: url.pathname,
      query: url.search.slice(1),
      headers: toLoggedHeaders(request.headers),
      body: shown.body,
      status: broken ? null : answer.status,
      fault: broke ?? fault?.kind ?? null,
    },
    answer.body,
  );
  return answer;
}

async function readForLog(request: Request, shown: { body: Json }): Promise<void> {
  if (request.body === null || /upload-experiment$/.test(new URL(request.url).pathname)) {
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

async function run(
  world: World,
  request: Request,
  url: URL,
  path: string,
  shown: { body: Json },
): Promise<Reply> {
  const found = findRoute(request.method, path, world.settings);
  if (found === 404) return refused(404, "Not Found");
  if (found === 405) return refused(405, "Method Not Allowed");
  const caller =
    found.route.open === true ? { tenant_id: "" } : authenticate(request.headers, world.settings);
  if (isReply(caller)) {
    await request.body?.cancel();
    return caller;
  }
  let body: Json | undefined;
  if (found.route.streams !== true && request.body !== null) {
    const text = await request.text();
    if (text.length > MOST_BODY_CHARS) return refused(413, "Request Entity Too Large");
    if (text.trim() !== "") {
      try {
        body = JSON.parse(text) as Json;
      } catch {
        return invalid(
          [{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }],
          false,
        );
      }
      if (nestsDeeper(body))
        return invalid(
          [{ loc: ["body"], msg: "The body nests too deeply", type: "recursion_loop" }],
          false,
        );
      shown.body = maskBody(body);
    }
  }
  const call: Call = {
    params: found.params,
    query: url.searchParams,
    body,
    stream: found.route.streams === true ? request.body : null,
    caller,
    origin: url.origin,
    note: (summary) => {
      shown.body = summary;
    },
  };
  const reply = await found.route.answer(world, call);
  world.store.commit();
  return reply;
}

function toResponse(answer: Answer, clock: Clock): Response {
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
