import { refused, type Reply } from "./reply.ts";
import type { Settings } from "./options.ts";

type Identity = "x-api-key" | "x-user-id" | "ip";

/** One row of the table in the interface document, "Limits": `count` requests per `seconds`, US and EU. */
export interface LimitRow {
  readonly match: string;
  readonly identity: Identity;
  readonly us: readonly [count: number, seconds: number];
  readonly eu: readonly [count: number, seconds: number];
  readonly category: string;
  /** Undefined on the default rows, which hold where no specific row does. */
  readonly fits?: (method: string, path: string, bare: string) => boolean;
}

const row = (
  match: string,
  identity: Identity,
  rate: readonly [number, number],
  category: string,
  fits?: LimitRow["fits"],
  eu = rate,
): LimitRow => ({
  match,
  identity,
  us: rate,
  eu,
  category,
  ...(fits === undefined ? {} : { fits }),
});

/** The path less `/api` and a version. */
const toBare = (path: string): string =>
  path.replace(/^\/api(?=\/)/, "").replace(/^\/v\d+(?=\/)/, "");
/** Whether the bare path begins with whole segments. */
const under = (start: string) => {
  const below = `${start}/`;
  return (_method: string, _path: string, bare: string): boolean =>
    bare === start || bare.startsWith(below);
};
const exactly =
  (method: string, whole: string) =>
  (called: string, _path: string, bare: string): boolean =>
    called === method && bare === whole;
const containing =
  (method: string, part: string) =>
  (called: string, path: string): boolean =>
    called === method && path.includes(part);
const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const ONE_RUN = new RegExp(`^(/api/v1)?/runs/${UUID}$`);

const openRow: LimitRow["fits"] = (method, path, bare) =>
  method === "OPTIONS" ||
  under("/info")(method, path, bare) ||
  /\/v1\/metadata\/submit$/.test(path);
const removal: LimitRow["fits"] = (method, path, bare) =>
  method === "DELETE" && (under("/sessions")(method, path, bare) || path.endsWith("/trigger"));
const otlp: LimitRow["fits"] = (method, path) =>
  method === "POST" && path.endsWith("/otel/v1/traces");

/** The whole table, in its order. */
const LIMITS: readonly LimitRow[] = [
  row("OPTIONS, `/info`, `*/v1/metadata/submit`", "ip", [2000, 10], "High throughput", openRow),
  row("`/auth`", "x-api-key", [2000, 10], "High throughput", under("/auth")),
  row("`/auth`", "x-user-id", [2000, 10], "High throughput", under("/auth")),
  row("`/v1/beacon`", "ip", [2000, 10], "High throughput", under("/beacon")),
  row("`/repos`", "x-api-key", [100, 60], "Repository", under("/repos")),
  row("`/repos`", "x-user-id", [100, 60], "Repository", under("/repos")),
  row(
    "POST `/runs/batch`",
    "x-api-key",
    [2000, 10],
    "High throughput",
    exactly("POST", "/runs/batch"),
  ),
  row("POST `/otel/v1/traces`", "x-api-key", [2000, 10], "Run ingest", otlp),
  row(
    "POST path containing `/charts`",
    "x-api-key",
    [750, 600],
    "Charts",
    containing("POST", "/charts"),
  ),
  row(
    "POST path containing `/charts`",
    "x-user-id",
    [750, 600],
    "Charts",
    containing("POST", "/charts"),
  ),
  row(
    "POST `/runs/multipart`",
    "x-api-key",
    [6000, 10],
    "Multipart ingest",
    exactly("POST", "/runs/multipart"),
  ),
  row(
    "POST `/runs/query`",
    "x-api-key",
    [15, 10],
    "Run query (API)",
    exactly("POST", "/runs/query"),
  ),
  row(
    "POST `/runs/query`",
    "x-user-id",
    [300, 10],
    "Run query (User)",
    exactly("POST", "/runs/query"),
  ),
  row("`/generate`", "x-api-key", [30, 3600], "Generation", under("/generate")),
  row("`/generate`", "x-user-id", [30, 3600], "Generation", under("/generate")),
  row("`/commits`", "x-api-key", [10_000, 60], "Commits", under("/commits"), [2000, 60]),
  row("`/commits`", "x-user-id", [10_000, 60], "Commits", under("/commits"), [2000, 60]),
  row("DELETE `/sessions` or `*/trigger`", "x-api-key", [10, 60], "Deletion", removal),
  row("DELETE `/sessions` or `*/trigger`", "x-user-id", [30, 60], "Deletion", removal),
  row("POST `/runs` (single run)", "x-api-key", [2000, 10], "Run ingest", exactly("POST", "/runs")),
  row(
    "PATCH path containing `/runs`",
    "x-api-key",
    [2000, 10],
    "Run ingest",
    containing("PATCH", "/runs"),
  ),
  row("POST `/feedback`", "x-api-key", [2000, 10], "High throughput", exactly("POST", "/feedback")),
  row(
    "GET `/runs/{uuid}` or `/api/v1/runs/{uuid}`",
    "x-api-key",
    [30, 60],
    "Run lookup",
    (method, path) => method === "GET" && ONE_RUN.test(path),
  ),
  row(
    "GET path containing `/examples`",
    "x-api-key",
    [5000, 60],
    "Examples",
    containing("GET", "/examples"),
  ),
  row("Any request with `x-api-key`", "x-api-key", [1000, 10], "Default (API key)"),
  row("Any request with `x-user-id`", "x-user-id", [1000, 10], "Default (User)"),
  row("`/public/download`", "ip", [5000, 60], "Public download", under("/public/download")),
  row("`/runs/stats`", "x-api-key", [1, 10], "Stats", under("/runs/stats"), [20, 10]),
  row("All other IPs (catch-all)", "ip", [100, 60], "Public (catch-all)"),
];

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly ip: string;
  readonly now: number;
}

/**
 * The caller as a row sees it; null where the row's header is missing. `x-user-id` counts together
 * with the address.
 */
function identify(identity: Identity, asked: Asked): string | null {
  if (identity === "ip") return asked.ip;
  const value = asked.headers.get(identity);
  if (value === null || value === "") return null;
  return identity === "x-api-key" ? value : `${value} ${asked.ip}`;
}

/**
 * The rows that count a request: every specific row that fits it and finds its identity; none: the
 * default row of the best identity it carries (key, then user, then address).
 */
function rowsFor(asked: Asked): readonly LimitRow[] {
  const bare = toBare(asked.path);
  const known = {
    "x-api-key": identify("x-api-key", asked) !== null,
    "x-user-id": identify("x-user-id", asked) !== null,
    ip: true,
  };
  const named = LIMITS.filter((one) => known[one.identity]);
  const specific = named.filter((one) => one.fits?.(asked.method, asked.path, bare) === true);
  if (specific.length > 0) return specific;
  const fallback = named.find((one) => one.fits === undefined);
  return fallback === undefined ? [] : [fallback];
}

/** Counts requests over the whole table. */
export interface Limiter {
  /** Counts a request; the 429 where it is one too many. */
  readonly count: (asked: Asked, settings: Settings) => Reply | null;
  readonly clear: () => void;
}

/** Times of the requests within the window, oldest first, from `start` on. */
interface Window {
  times: number[];
  start: number;
}

/** A sliding window per row and identity. */
export function createLimiter(): Limiter {
  let windows = new Map<string, Window>();
  const windowOf = (key: string, since: number): Window => {
    const window = windows.get(key) ?? { times: [], start: 0 };
    windows.set(key, window);
    while (window.start < window.times.length && window.times[window.start]! <= since)
      window.start += 1;
    if (window.start > 1000)
      Object.assign(window, { times: window.times.slice(window.start), start: 0 });
    return window;
  };
  return {
    count: (asked, settings) => {
      const counted = rowsFor(asked).map((one) => {
        const [count, seconds] = one[settings.region];
        return {
          count,
          seconds,
          window: windowOf(
            `${LIMITS.indexOf(one)} ${identify(one.identity, asked)!}`,
            asked.now - seconds * 1000,
          ),
        };
      });
      const full = counted.find(({ count, window }) => window.times.length - window.start >= count);
      if (full === undefined) {
        for (const { window } of counted) window.times.push(asked.now);
        return null;
      }
      const waitMs = full.window.times[full.window.start]! + full.seconds * 1000 - asked.now;
      return tooMany(waitMs, asked.now, settings);
    },
    clear: () => {
      windows = new Map();
    },
  };
}

function tooMany(waitMs: number, now: number, settings: Settings): Reply {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const header: Record<string, string> =
    settings.retryAfter === "none"
      ? {}
      : {
          "retry-after":
            settings.retryAfter === "date"
              ? new Date(now + seconds * 1000).toUTCString()
              : String(seconds),
        };
  return { ...refused(429, "Rate limit exceeded"), headers: header };
}
