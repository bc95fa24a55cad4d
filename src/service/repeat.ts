import type { Clock, Random } from "../clock.ts";
import { MAX_JSON_DEPTH, nestsDeeper, parseJson } from "../model/json.ts";
import type { RateBudget } from "./budget.ts";
import { PROVES_ABSENCE, type Limits } from "./control-plane.ts";
import { isHtml, isJson, serviceWords, toServiceError, type RequestStory } from "./error-text.ts";
import type { Exchange, Wire, WireRequest } from "./exchange.ts";
import {
  HOPELESS_MS,
  isHopeless,
  parseRetryAfter,
  repeats,
  waitMs,
  type RouteClass,
  type RouteRule,
} from "./retry.ts";

/** Converts a reply's JSON (null for an empty body); throws an UnreadableReply if it has another form. */
export type Parse<T> = (json: unknown) => T;

/** A reply that is JSON but not what the route should return. */
export class UnreadableReply extends Error {
  override readonly name = "UnreadableReply";
}

/** A request, with what decides about repeats and what errors say about it. */
export interface RoutedRequest extends WireRequest {
  readonly route: RouteClass;
  readonly story: RequestStory;
  /** Statuses that are a regular result and never repeated. */
  readonly absent: readonly number[];
}

/** The end of the last try; `value` is set if the response could be read. `tries` is 0 if there was no turn. */
export interface Ended<T> {
  readonly exchange: Exchange;
  readonly tries: number;
  readonly value?: { readonly is: T };
}

/** What repeating needs: a clock, randomness, the run's budget and a log. */
export interface RepeatOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: RateBudget;
  /** How long a write in progress may still wait for its response after an abort, in real time. */
  readonly writeGraceMs?: number;
  /**
   * Called with one line before each repeat. `kind` names the failure without its address; `tries`
   * counts those of this request so far, as the final error does.
   */
  readonly onRetry?: (line: string, kind: string, tries: number) => void;
}

const WRITE_GRACE_MS = 2_000;
/** Pause for all callers if a 429 gives no time. */
const DEFAULT_PAUSE_MS = 1_000;

/** `NO_TURN`: the rate limit left no room before the time limit. `NO_TIME`: the time limit had already passed. */
const unsent = (code: "NO_TURN" | "NO_TIME"): Exchange => ({
  kind: "no-answer",
  sent: false,
  bodyFailed: false,
  code,
  cause: undefined,
});

/**
 * Reads a response. Anything that is not JSON of the known form is an unreadable exchange, and so
 * is a 404, 405 or 501 from a gateway, which proves nothing.
 */
function readAnswer<T>(
  exchange: Exchange,
  parse: Parse<T>,
  redact: (text: string) => string,
): { exchange: Exchange; value?: { is: T } } {
  if (exchange.kind !== "answer") return { exchange };
  const { status, text, headers } = exchange;
  const contentType = headers["content-type"] ?? "";
  const html = isHtml(contentType, text);
  const unreadable = (why: string): { exchange: Exchange } => ({
    exchange: { kind: "unreadable", status, html, why },
  });
  if (status < 200 || status > 299) {
    if (!PROVES_ABSENCE.includes(status) || isJson(text)) return { exchange };
    const words = serviceWords(text, contentType, redact);
    return unreadable(
      `answers with ${html ? "a web page" : "an answer"}${words === "" ? "" : ` ("${words}")`} where JSON is expected, so it proves nothing`,
    );
  }
  if (html)
    return unreadable(
      `answers with a web page ("${serviceWords(text, contentType, redact)}") where JSON is expected`,
    );
  const json = text === "" ? null : parseJson(text);
  if (json === undefined)
    return unreadable(
      /json/i.test(contentType)
        ? "the answer is broken JSON"
        : `answers with ${contentType || "no content type"} where JSON is expected`,
    );
  if (nestsDeeper(json)) return unreadable(`the answer nests deeper than ${MAX_JSON_DEPTH} levels`);
  try {
    return { exchange, value: { is: parse(json) } };
  } catch (cause) {
    if (cause instanceof UnreadableReply) return unreadable(cause.message);
    throw cause;
  }
}

/** A signal that aborts some time after another, so that a write may still get its response. */
function delayed(
  signal: AbortSignal | undefined,
  graceMs: number,
): { signal: AbortSignal | undefined; done: () => void } {
  if (signal === undefined) return { signal, done: () => undefined };
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => late.abort(), graceMs);
  };
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  return {
    signal: late.signal,
    done: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", start);
    },
  };
}

/** One try, including the redirects that its rule follows; `send` makes a single request. */
async function tryOnce(
  { clock, budget, writeGraceMs = WRITE_GRACE_MS }: RepeatOptions,
  request: RoutedRequest,
  rule: RouteRule,
  limits: Limits,
  send: (url: string, tryMs: number | null, signal?: AbortSignal) => Promise<Exchange>,
): Promise<Exchange> {
  const patient = request.route === "write" || request.route === "upload";
  const grace = patient
    ? delayed(limits.signal, writeGraceMs)
    : { signal: limits.signal, done: () => undefined };
  try {
    for (let url = request.url, hops = 0; ; hops++) {
      const left =
        limits.deadlineMs === undefined ? Infinity : limits.deadlineMs - clock.monotonic();
      const tryMs = Math.min(rule.tryMs ?? Infinity, Math.max(1, left));
      const exchange = await send(url, tryMs === Infinity ? null : tryMs, grace.signal);
      if (
        exchange.kind !== "redirect" ||
        hops >= rule.redirects ||
        !URL.canParse(exchange.location, url)
      )
        return exchange;
      const target = new URL(exchange.location, url);
      if (target.origin !== new URL(url).origin || !(await budget.take(limits))) return exchange;
      url = target.href;
    }
  } finally {
    grace.done();
  }
}

/**
 * How long a response delays all callers: as the service asked, else 0. After a 429 at least a
 * second where it gives no time, or 0, as gateways do: everybody would be refused again.
 */
function pauseMs(exchange: Exchange, retryAfterMs: number | null, wait: number): number {
  if (exchange.kind !== "answer") return 0;
  if (exchange.status === 429) return retryAfterMs || Math.max(DEFAULT_PAUSE_MS, wait);
  return exchange.status >= 500 ? (retryAfterMs ?? 0) : 0;
}

/**
 * Whether a try ends the first contact of a run: the service itself responded, or a write may have
 * been accepted, so that looking for it must not be given up early.
 */
function endsFirstContact(request: RoutedRequest, exchange: Exchange): boolean {
  if (exchange.kind === "answer") return isJson(exchange.text);
  const isWrite = request.route === "write" || request.route === "upload";
  return isWrite && exchange.kind === "no-answer" && exchange.sent;
}

/** A failure in a few words, the same for every address. */
function kindOf(ended: Exchange): string {
  switch (ended.kind) {
    case "answer":
      return `the service answers ${ended.status}`;
    case "redirect":
      return "the service redirects";
    case "unreadable":
      return `the service's answer (${ended.status}) cannot be read`;
    case "no-answer":
      return `the service does not answer (${ended.code})`;
  }
}

/** Seconds with one decimal; never shown as 0. */
const secondsOf = (ms: number): string => Math.max(0.1, ms / 1000).toFixed(1);

/**
 * Creates what sends a request as often as its rule, the deadline and the response allow. It
 * rejects with the signal's reason if that aborts between tries.
 */
export function createRepeat(wire: Wire, options: RepeatOptions) {
  const { clock, random, budget, onRetry } = options;
  /** Whether the service has responded in this run at all. */
  let contacted = false;
  const repeat = async <T>(
    request: RoutedRequest,
    rule: RouteRule,
    parse: Parse<T>,
    limits: Limits,
  ): Promise<Ended<T>> => {
    const startedAt = clock.monotonic();
    const isLate = startedAt >= (limits.deadlineMs ?? Infinity);
    const exchange = unsent(isLate ? "NO_TIME" : "NO_TURN");
    let last: Ended<T> = { exchange, tries: 0 };
    for (let tries = 1; ; tries++) {
      if (!(await budget.take(limits))) return last;
      const tried = await tryOnce(options, request, rule, limits, (url, tryMs, signal) =>
        wire.send({ ...request, url }, rule, tryMs, signal),
      );
      last = { ...readAnswer(tried, parse, request.story.redact), tries };
      const ended = last.exchange;
      contacted ||= last.value !== undefined || endsFirstContact(request, ended);
      const hopeless = !contacted && isHopeless(ended);
      const retryAfterMs =
        ended.kind === "answer" ? parseRetryAfter(ended.headers["retry-after"], clock.now()) : null;
      let wait = waitMs(tries, retryAfterMs, random, ended.kind);
      const pause = pauseMs(ended, retryAfterMs, wait);
      if (pause > 0) budget.pause(pause);
      if (ended.kind === "answer" && request.absent.includes(ended.status)) return last;
      if (!repeats(rule, ended, tries) || limits.signal?.aborted) return last;
      const elapsed = clock.monotonic() - startedAt;
      if (hopeless && elapsed >= HOPELESS_MS) return last;
      if (hopeless) wait = Math.max(1, Math.min(wait, HOPELESS_MS - elapsed));
      if (tries >= rule.minTries) {
        if (elapsed >= rule.forMs) return last;
        wait = Math.max(retryAfterMs ?? 0, Math.min(wait, rule.forMs - elapsed));
      }
      if (clock.monotonic() + wait >= (limits.deadlineMs ?? Infinity)) return last;
      onRetry?.(
        `${toServiceError(ended, request.story).message} Trying again in ${secondsOf(wait)} s.`,
        kindOf(ended),
        tries,
      );
      await clock.sleep(wait, limits.signal);
    }
  };
  return repeat;
}
