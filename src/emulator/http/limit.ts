import { type Reply, toError, withHeaders } from "./reply.ts";
import type { Settings } from "../options.ts";

type Identity = "x-api-key" | "x-user-id" | "ip";

/**
 * One row of the table in contributing/interface.md, "Limits": `count/seconds`, with separate
 * values where US and EU differ.
 */
interface LimitRow {
  readonly identity: Identity;
  readonly us: string;
  readonly eu: string;
  /** Matches `METHOD path`; absent on the default rows, which apply if no specific row does. */
  readonly match: RegExp | null;
}

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const row = (match: RegExp | null, identity: Identity, us: string, eu = us): LimitRow => ({
  match,
  identity,
  us,
  eu,
});
/** A path and everything below it, with or without `/api` and a version. */
const under = (path: string, method = "[A-Z]+"): RegExp =>
  new RegExp(`^${method} (/api)?(/v\\d+)?${path}(/|$)`);
const exactly = (method: string, path: string): RegExp =>
  new RegExp(`^${method} (/api)?(/v\\d+)?${path}$`);
const KEY = "x-api-key";
const USER = "x-user-id";

/** The whole table, in its order. */
const LIMITS: readonly LimitRow[] = [
  row(/^OPTIONS | (\/api)?(\/v\d+)?\/info(\/|$)|\/v1\/metadata\/submit$/, "ip", "2000/10"),
  row(under("/auth"), KEY, "2000/10"),
  row(under("/auth"), USER, "2000/10"),
  row(under("/beacon"), "ip", "2000/10"),
  row(under("/repos"), KEY, "100/60"),
  row(under("/repos"), USER, "100/60"),
  row(exactly("POST", "/runs/batch"), KEY, "2000/10"),
  row(/^POST .*\/otel\/v1\/traces$/, KEY, "2000/10"),
  row(/^POST .*\/charts/, KEY, "750/600"),
  row(/^POST .*\/charts/, USER, "750/600"),
  row(exactly("POST", "/runs/multipart"), KEY, "6000/10"),
  row(exactly("POST", "/runs/query"), KEY, "15/10"),
  row(exactly("POST", "/runs/query"), USER, "300/10"),
  row(under("/generate"), KEY, "30/3600"),
  row(under("/generate"), USER, "30/3600"),
  row(under("/commits"), KEY, "10000/60", "2000/60"),
  row(under("/commits"), USER, "10000/60", "2000/60"),
  row(/^DELETE ((\/api)?(\/v\d+)?\/sessions(\/|$)|.*\/trigger$)/, KEY, "10/60"),
  row(/^DELETE ((\/api)?(\/v\d+)?\/sessions(\/|$)|.*\/trigger$)/, USER, "30/60"),
  row(exactly("POST", "/runs"), KEY, "2000/10"),
  row(/^PATCH .*\/runs/, KEY, "2000/10"),
  row(exactly("POST", "/feedback"), KEY, "2000/10"),
  row(new RegExp(`^GET (/api/v1)?/runs/${UUID}$`), KEY, "30/60"),
  row(/^GET .*\/examples/, KEY, "5000/60"),
  row(null, KEY, "1000/10"),
  row(null, USER, "1000/10"),
  row(under("/public/download"), "ip", "5000/60"),
  row(under("/runs/stats"), KEY, "1/10", "20/10"),
  row(null, "ip", "100/60"),
];

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly ip: string;
  readonly now: number;
}

/** A row that counts a request, and the caller as the row sees it: `x-user-id` is combined with the address. */
type Counted = readonly [row: LimitRow, identity: string];

/**
 * The rows that count a request: every specific row that matches and finds its identity; else the
 * default row of the best identity (key, then user, then address).
 */
function rowsFor({ method, path, headers, ip }: Asked): readonly Counted[] {
  const user = headers.get(USER) ?? "";
  const identities = {
    [KEY]: headers.get(KEY) ?? "",
    [USER]: user === "" ? "" : `${user} ${ip}`,
    ip,
  };
  const named = LIMITS.map((one): Counted => [one, identities[one.identity]]).filter(
    ([, identity]) => identity !== "",
  );
  const specific = named.filter(([{ match }]) => match?.test(`${method} ${path}`) === true);
  return specific.length > 0 ? specific : named.filter(([{ match }]) => match === null).slice(0, 1);
}

/** A sliding window per row and identity. */
export function createLimiter() {
  const windows = new Map<string, number[]>();
  return {
    /** Counts a request; returns a 429 if it exceeds a limit. */
    count: (asked: Asked, settings: Settings): Reply | null => {
      const counted = rowsFor(asked).map(([one, identity]) => {
        const [most = 0, seconds = 0] = one[settings.region].split("/").map(Number);
        const key = `${LIMITS.indexOf(one)} ${identity}`;
        const since = asked.now - seconds * 1000;
        const times = windows.get(key) ?? [];
        const live = times.findIndex((time) => time > since);
        times.splice(0, live < 0 ? times.length : live);
        windows.set(key, times);
        return { most, seconds, times };
      });
      const full = counted.find(({ most, times }) => times.length >= most);
      if (full === undefined) {
        for (const { times } of counted) times.push(asked.now);
        return null;
      }
      return tooMany(full.times[0]! + full.seconds * 1000 - asked.now, asked.now, settings);
    },
    clear: (): void => windows.clear(),
  };
}

function tooMany(waitMs: number, now: number, settings: Settings): Reply {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const after = {
    none: null,
    seconds: String(seconds),
    date: new Date(now + seconds * 1000).toUTCString(),
  }[settings.retryAfter];
  const headers: Reply["headers"] = after === null ? {} : { "retry-after": after };
  return withHeaders(toError(429, "Rate limit exceeded"), headers);
}
