import type { FaultRule } from "./fault.ts";
import { type Reply, EXPIRED } from "./reply.ts";

/** An answer as it goes out, and what is to happen to the connection instead of, or after, sending it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wire:
    | { readonly kind: "whole" }
    | { readonly kind: "reset" }
    /** No connection is accepted for `ms`. */
    | { readonly kind: "refuse"; readonly ms: number; readonly answered: boolean }
    /** Half of the body, then the connection ends. */
    | { readonly kind: "truncate" }
    /** A few bytes every `ms`. */
    | { readonly kind: "drip"; readonly ms: number };
}

const WHOLE = { kind: "whole" } as const;
const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** A reply as it goes out when nothing is wrong. */
export function toAnswer(reply: Reply): Answer {
  const body = reply.text ?? (reply.body === undefined ? "" : JSON.stringify(reply.body));
  const type =
    reply.text === undefined && reply.body !== undefined
      ? { "content-type": "application/json" }
      : {};
  return { status: reply.status, headers: { ...type, ...reply.headers }, body, wire: WHOLE };
}

const page = (title: string, filler = ""): string =>
  `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>${filler}</body></html>\n`;

function errorPage(rule: FaultRule, status: number, filler = ""): Answer {
  if (rule.body !== undefined && filler === "") {
    return {
      status,
      headers: { "content-type": "application/json", ...rule.headers },
      body: JSON.stringify(rule.body),
      wire: WHOLE,
    };
  }
  const title = `${status} ${TITLES[status] ?? "Error"}`;
  if (filler === "" && ![502, 503, 504].includes(status)) {
    return {
      status,
      headers: { "content-type": "application/json", ...rule.headers },
      body: JSON.stringify({ detail: TITLES[status] ?? "Error" }),
      wire: WHOLE,
    };
  }
  return {
    status,
    headers: { "content-type": "text/html", ...rule.headers },
    body: page(title, filler),
    wire: WHOLE,
  };
}

const HUGE_BYTES = 10 * 1024 * 1024;

/** What a fault makes of the true answer; the effect has or has not happened before. */
export function injectFault(rule: FaultRule, answer: Answer): Answer {
  const ms = rule.ms ?? 200;
  switch (rule.kind) {
    case "delay":
      return answer;
    case "status":
      return errorPage(rule, rule.status ?? 503);
    case "huge":
      return errorPage(rule, rule.status ?? 502, "x".repeat(HUGE_BYTES));
    case "redirect":
      return {
        status: rule.status ?? 307,
        headers: { location: rule.location ?? "https://login.emulator.invalid/", ...rule.headers },
        body: "",
        wire: WHOLE,
      };
    case "expired":
      return toAnswer(EXPIRED);
    case "cut":
    case "reset-before":
    case "reset-after":
      return { ...answer, wire: { kind: "reset" } };
    case "refuse":
      return { ...answer, wire: { kind: "refuse", ms, answered: false } };
    case "refuse-after":
      return { ...answer, wire: { kind: "refuse", ms, answered: true } };
    case "truncate":
      return { ...answer, wire: { kind: "truncate" } };
    case "malformed":
      return {
        ...answer,
        headers: { ...answer.headers, "content-type": "application/json" },
        body: answer.body.slice(0, Math.max(1, Math.floor(answer.body.length / 2))),
      };
    case "wrong-type":
      return {
        ...answer,
        headers: { ...answer.headers, "content-type": "text/html" },
        body: page("Sign in"),
      };
    case "drip":
      return { ...answer, wire: { kind: "drip", ms: rule.ms ?? 5 } };
  }
}

/** The same failure as undici's fetch shows it. */
export function connectionError(code: "ECONNRESET" | "ECONNREFUSED"): TypeError {
  const cause = Object.assign(
    new Error(code === "ECONNRESET" ? "read ECONNRESET" : "connect ECONNREFUSED 127.0.0.1"),
    { code, syscall: code === "ECONNRESET" ? "read" : "connect" },
  );
  return new TypeError("fetch failed", { cause });
}
