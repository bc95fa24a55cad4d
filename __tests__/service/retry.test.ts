import { describe, expect, test } from "@jest/globals";
import {
  parseRetryAfter,
  repeats,
  ROUTE_RULES,
  waitMs,
  type RouteClass,
} from "../../src/service/retry.ts";
import type { Exchange } from "../../src/service/exchange.ts";

const answer = (status: number): Exchange => ({
  kind: "answer",
  status,
  headers: {},
  text: "",
});
const silent = (code: string, sent: boolean): Exchange => ({
  kind: "no-answer",
  code,
  sent,
  cause: null,
  bodyFailed: false,
});
const repeated = (route: RouteClass): number[] =>
  Array.from({ length: 500 }, (_, n) => n + 100).filter((status) =>
    repeats(ROUTE_RULES[route], answer(status)),
  );

describe("the retry table", () => {
  test("lists the statuses that are retried for each class of route", () => {
    const fives = Array.from({ length: 100 }, (_, n) => 500 + n).filter(
      (status) => status !== 501 && status !== 505,
    );
    expect(repeated("read")).toEqual([408, 425, 429, ...fives]);
    expect(repeated("write")).toEqual([425, 429]);
    expect(repeated("upload")).toEqual([425, 429]);
    expect(repeated("probe")).toEqual([]);
  });
  test("without a response retries reads always, writes only if nothing was sent, and neither for a certificate or proxy password", () => {
    for (const sent of [true, false])
      expect(repeats(ROUTE_RULES.read, silent("ECONNRESET", sent))).toBe(true);
    expect(repeats(ROUTE_RULES.write, silent("ECONNRESET", true))).toBe(false);
    expect(repeats(ROUTE_RULES.write, silent("ENOTFOUND", false))).toBe(true);
    for (const code of [
      "CERT_HAS_EXPIRED",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "PROXY_407",
    ])
      expect(repeats(ROUTE_RULES.read, silent(code, false))).toBe(false);
  });
  test("retries redirects of reads always, of writes only for 307 and 308, and of probes never", () => {
    const redirect = (status: number): Exchange => ({
      kind: "redirect",
      status,
      location: "https://login.example.com/",
    });
    const redirected = (route: RouteClass): number[] =>
      [301, 302, 303, 307, 308].filter((status) => repeats(ROUTE_RULES[route], redirect(status)));
    expect([
      redirected("read"),
      redirected("write"),
      redirected("upload"),
      redirected("probe"),
    ]).toEqual([[301, 302, 303, 307, 308], [307, 308], [307, 308], []]);
  });
  test("gives up on a persistent redirect after seven tries within seconds", () => {
    const redirect: Exchange = {
      kind: "redirect",
      status: 307,
      location: "https://login.example.com/",
    };
    for (const route of ["read", "write"] as const)
      expect([1, 6, 7, 8].map((tries) => repeats(ROUTE_RULES[route], redirect, tries))).toEqual([
        true,
        true,
        false,
        false,
      ]);
    expect([1, 2, 3, 4, 5, 6].map((tries) => waitMs(tries, null, () => 1, "redirect"))).toEqual([
      500, 1000, 2000, 2000, 2000, 2000,
    ]);
  });
  test("waits with full jitter, doubling up to 10 s", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 100].map((tries) => waitMs(tries, null, () => 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
    ]);
    expect(waitMs(5, null, () => 0)).toBe(0);
    expect(waitMs(1, 3000, () => 1)).toBe(3000);
  });
  test("parses Retry-After as seconds or a date, and waits between zero and a minute", () => {
    const now = Date.UTC(2026, 0, 1);
    expect(
      ["5", " 0 ", "0.25", "86400", "-5", "soon", "", undefined].map((header) =>
        parseRetryAfter(header, now),
      ),
    ).toEqual([5000, 0, 250, 60_000, expect.any(Number), null, null, null]);
    expect(parseRetryAfter("Thu, 01 Jan 2026 00:00:09 GMT", now)).toBe(9000);
    expect(parseRetryAfter("Wed, 31 Dec 2025 23:59:00 GMT", now)).toBe(0);
  });
});
