import type { Random } from "../clock.ts";
import type { Exchange, ExchangeLimits } from "./exchange.ts";

/** What a route does when a try fails. One row per class; nothing else in the code decides about repeats. */
export interface RouteRule extends ExchangeLimits {
  /** The longest duration of a try, from connect to the last byte; null if only silence counts, as in a long upload. */
  readonly tryMs: number | null;
  /** How many redirects within the origin to follow. */
  readonly redirects: number;
  /** Which statuses to repeat. */
  readonly statuses: (status: number) => boolean;
  /** Without a response: repeat always, only if surely nothing was sent, or never. */
  readonly noAnswer: "always" | "unsent" | "never";
  /**
   * Whether to repeat after an unreadable response (broken JSON, another content type, too large,
   * a redirect elsewhere).
   */
  readonly unreadable: boolean;
  /** Repeat for this long, and for at least `minTries` tries. */
  readonly forMs: number;
  readonly minTries: number;
}

/** Decides what may be repeated; a `probe` is sent once. */
export type RouteClass = "read" | "write" | "upload" | "probe";

const TRANSIENT = [408, 425, 429];
/** The service says that it did not begin: too many requests, or too early. */
const NOT_BEGUN = [425, 429];
/** Redirects that keep the method (RFC 9110): the request was not begun here. */
const ELSEWHERE = [307, 308];
const NEVER_BETTER = [501, 505];

const WRITE: RouteRule = {
  tryMs: 60_000,
  silenceMs: 60_000,
  statuses: (status) => NOT_BEGUN.includes(status),
  noAnswer: "unsent",
  unreadable: false,
  forMs: 60_000,
  minTries: 6,
  redirects: 0,
  freshConnection: true,
};

/** The retry policy. */
export const ROUTE_RULES: Readonly<Record<RouteClass, RouteRule>> = {
  read: {
    tryMs: 20_000,
    silenceMs: 20_000,
    noAnswer: "always",
    unreadable: true,
    forMs: 60_000,
    minTries: 6,
    redirects: 3,
    freshConnection: false,
    statuses: (status) =>
      TRANSIENT.includes(status) || (status >= 500 && !NEVER_BETTER.includes(status)),
  },
  write: WRITE,
  upload: { ...WRITE, tryMs: null, silenceMs: 300_000 },
  probe: {
    tryMs: 5_000,
    silenceMs: 5_000,
    statuses: () => false,
    noAnswer: "never",
    unreadable: false,
    forMs: 0,
    minTries: 1,
    redirects: 3,
    freshConnection: false,
  },
};

const BASE_MS = 500;
const CAP_MS = 10_000;
const RETRY_AFTER_CAP_MS = 60_000;

/** Failures of certificates and proxy passwords do not go away, and a minute of silence would hide them. */
const CONFIGURATION_ERRORS =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_|PROXY_407)/;

/** Whether a connection failed because of configuration: certificates or the proxy's password. */
export function isConfigurationError(code: string): boolean {
  return CONFIGURATION_ERRORS.test(code);
}

/**
 * At the first contact of a run, a persistent failure is given up after this long: a minute of
 * silence would hide a wrong address.
 */
export const HOPELESS_MS = 10_000;

const NAME_ERRORS = ["ENOTFOUND", "EAI_AGAIN", "EAI_NONAME", "EAI_NODATA"];

/** Errors of a server without TLS. */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_)/;

/** Whether a try before the first response of a run failed in a way that more tries seldom change. */
export function isHopeless(exchange: Exchange): boolean {
  if (exchange.kind === "unreadable") return exchange.html === true;
  return (
    exchange.kind === "no-answer" &&
    (NAME_ERRORS.includes(exchange.code.replace(/^PROXY_/, "")) ||
      NO_TLS.test(exchange.code) ||
      isConfigurationError(exchange.code))
  );
}

/** Whether a redirect proves that a write was not begun; a 303, as after a form, does not. */
export function isUnbegunRedirect(exchange: Exchange): boolean {
  return exchange.kind === "redirect" && ELSEWHERE.includes(exchange.status);
}

/**
 * A redirect elsewhere may come from a failing gateway. A lasting one is a wrong address, which a
 * minute of silence would hide.
 */
const REDIRECTED = { tries: 7, capMs: 2_000 };

/** Whether the rule repeats after this end; `tries` counts those made. */
export function repeats(rule: RouteRule, exchange: Exchange, tries = 1): boolean {
  switch (exchange.kind) {
    case "answer":
      return rule.statuses(exchange.status);
    case "unreadable":
      return rule.unreadable;
    case "redirect":
      return (
        tries < REDIRECTED.tries &&
        (rule.unreadable || (rule.noAnswer === "unsent" && isUnbegunRedirect(exchange)))
      );
    case "no-answer":
      if (isConfigurationError(exchange.code)) return false;
      return rule.noAnswer === "always" || (rule.noAnswer === "unsent" && !exchange.sent);
  }
}

/** Wait before the next try: full jitter, or what the service asked for, at most a minute; short after a redirect. */
export function waitMs(
  tries: number,
  retryAfterMs: number | null,
  random: Random,
  kind?: Exchange["kind"],
): number {
  const jittered =
    random() *
    Math.min(
      kind === "redirect" ? REDIRECTED.capMs : CAP_MS,
      BASE_MS * 2 ** Math.min(tries - 1, 20),
    );
  return Math.max(jittered, retryAfterMs ?? 0);
}

/**
 * Parses `Retry-After`, in seconds or as an HTTP date, to milliseconds from now, at most a minute;
 * null if it is missing or invalid.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (text === "") return null;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(RETRY_AFTER_CAP_MS, Math.max(0, ms));
}
