import * as z from "zod/v4";
import { STATUS_CODES } from "node:http";
import { ANY, FILLED, must, row, type Check, type ObjectOf } from "../control/schema.ts";
import { EXPIRED, ok, toText, withHeaders, type Reply } from "./reply.ts";
import { splitRoute, toRouteTest } from "./route-pattern.ts";

const HUGE_BYTES = 10 * 1024 * 1024;

/** A web page, as from a gateway or a sign-in. */
const page = (title: string, status: number, filler = ""): Reply =>
  toText(
    `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>${filler}</body></html>\n`,
    "text/html",
    status,
  );

/** What a fault may set in its response. */
const SHOWN = {
  status: row(z.int().min(200).max(599), "Status of `status`, `huge` and `redirect`."),
  body: row(ANY, "JSON body of `status`."),
  headers: row(z.record(z.string(), z.string()), "Headers of `status`, `huge` and `redirect`."),
  ms: row(z.number().min(0), "Delay before the answer, or how long connections are refused."),
  location: row(FILLED, "Target of `redirect`."),
};
type FaultFields = ObjectOf<typeof SHOWN>;

/** An error in the service's form or, as from a gateway, a web page. */
function errorOf({ body, headers, status = 503 }: FaultFields): Reply {
  const title = STATUS_CODES[status] ?? "Error";
  const isPage = body === undefined && [502, 503, 504].includes(status);
  const reply = isPage ? page(`${status} ${title}`, status) : ok(body ?? { detail: title }, status);
  return withHeaders(reply, headers);
}

function hugePage({ headers, status = 502 }: FaultFields): Reply {
  const title = `${status} ${STATUS_CODES[status] ?? "Error"}`;
  return withHeaders(page(title, status, "x".repeat(HUGE_BYTES)), headers);
}

/** What a fault does: a new kind is a row here. */
interface FaultKindRow {
  /** What changes in the service's own response, or in a 503 if the fault precedes the service. */
  readonly inject: (rule: FaultFields, answer: Reply) => Partial<Reply>;
  /** Whether the service does what was requested before the fault shows; `when` of a rule overrides it. */
  readonly after?: true;
  /** Keys that only some kinds take. */
  readonly takes?: readonly ("status" | "body" | "headers" | "location")[];
  /** The meaning of `ms`: the delay before the response, unless the kind uses it otherwise. */
  readonly ms?: "its own" | number;
  /** Breaks off while the body is sent: the rest is never read. */
  readonly cuts?: true;
  /** Why it cannot match a route; null if it can. */
  readonly whyNot?: (method: string, pattern: string) => string | null;
}

const reset: FaultKindRow["inject"] = () => ({ wire: { kind: "reset" } });
const refuse =
  (answered: boolean): FaultKindRow["inject"] =>
  ({ ms = 200 }) => ({ wire: { kind: "refuse", ms, answered } });

const KINDS = {
  status: { inject: errorOf, takes: ["status", "body", "headers"] },
  delay: { inject: () => ({}), after: true, ms: 1000 },
  refuse: { inject: refuse(false), ms: "its own" },
  "refuse-after": { inject: refuse(true), after: true, ms: "its own" },
  "reset-before": { inject: reset },
  "reset-after": { inject: reset, after: true },
  truncate: { inject: () => ({ wire: { kind: "truncate" } }), after: true },
  malformed: {
    inject: (_, answer) => ({
      ...withHeaders(answer, { "content-type": "application/json" }),
      body: answer.body.slice(0, Math.max(1, Math.floor(answer.body.length / 2))),
    }),
    after: true,
  },
  "wrong-type": {
    inject: (_, answer) => {
      const { headers, body } = page("Sign in", answer.status);
      return { ...withHeaders(answer, headers), body };
    },
    after: true,
  },
  redirect: {
    inject: ({ status = 307, location = "https://login.emulator.invalid/", headers }) =>
      withHeaders(toText("", "", status), { location, ...headers }),
    takes: ["status", "headers", "location"],
  },
  huge: { inject: hugePage, takes: ["status", "headers"] },
  drip: { inject: ({ ms = 5 }) => ({ wire: { kind: "drip", ms } }), after: true, ms: "its own" },
  cut: {
    inject: reset,
    cuts: true,
    whyNot: (method) =>
      /^(\*|POST|PUT|PATCH)$/i.test(method)
        ? null
        : "cut breaks off while a body is sent; it goes with POST, PUT, PATCH",
  },
  expired: {
    inject: () => EXPIRED,
    whyNot: (_, pattern) =>
      /^\/uploads\//.test(pattern) || pattern === "*"
        ? null
        : "expired is for the signed addresses: PUT /uploads/{upload}",
  },
} satisfies Readonly<Record<string, FaultKindRow>>;

/** The kinds of faults, as named in scenario files (docs/emulator/scenarios.md). */
type FaultKind = keyof typeof KINDS;
/** What can go wrong with one request. */
export const FAULT_KINDS = Object.keys(KINDS) as readonly FaultKind[];
const kindRow = (kind: FaultKind): FaultKindRow => KINDS[kind];

/** The keys of a fault in scenario files and admin bodies. */
export const FAULT_FIELDS = {
  route: must(
    FILLED,
    "Method and path, `*` for either: `POST /v2/deployments`, `GET /v2/deployments/{id}`, `* /v2/*`. `{x}` is one segment, a final `*` any rest; leave out `/api-host`.",
  ),
  kind: must(z.literal(FAULT_KINDS), "What goes wrong."),
  nth: row(z.int().min(1), "The first call of the route that fails.", 1),
  times: row(z.int().min(0), "How many calls fail from there on; 0 means all.", 1),
  ...SHOWN,
  when: row(
    z.literal(["before", "after"]),
    "`before`: the write never happened. `after`: it did, and the answer is lost.",
  ),
};
/** A fault as data: which requests it matches, and what it does to them. */
export type FaultRule = ObjectOf<typeof FAULT_FIELDS>;

/** Conflicts between the keys of a fault; if the kind cannot match the route, only that. */
export const checkFault: Check = (fault) => {
  const { route, kind } = fault as unknown as FaultRule;
  const { method, pattern } = splitRoute(route);
  const whyNot = kindRow(kind).whyNot?.(method, pattern) ?? null;
  if (whyNot !== null) return [{ path: ["kind"], message: whyNot }];
  return (["status", "body", "headers", "location"] as const).flatMap((key) => {
    const kinds = FAULT_KINDS.filter((one) => kindRow(one).takes?.includes(key) === true);
    const message = `${key} has no effect on kind ${kind}; it goes with ${kinds.join(", ")}`;
    return fault[key] !== undefined && !kinds.includes(kind) ? [{ path: [key], message }] : [];
  });
};

/** What a fault does to the call that meets it. */
function toEffect(rule: FaultRule) {
  const { inject, after = false, cuts = false, ms } = kindRow(rule.kind);
  return {
    kind: rule.kind,
    inject: (answer: Reply): Reply => ({ ...answer, ...inject(rule, answer) }),
    /** Whether the service does what was requested before the fault shows. */
    after: rule.when === undefined ? after : rule.when === "after",
    cuts,
    delayMs: ms === "its own" ? null : (rule.ms ?? ms ?? null),
  };
}

/** A rule with how often its route was called, and the fault met. */
export type MetFault = FaultRule & { readonly calls: number; readonly met: number };

/** Creates the counters of rules; each counts the calls of its own route. */
export function createFaults(initial: readonly FaultRule[]) {
  const arm = (rule: FaultRule) => ({ rule, fits: toRouteTest(rule.route), calls: 0, met: 0 });
  let armed = initial.map(arm);
  return {
    /** Counts the call in every rule of its route; what the first rule that applies does. */
    meet: (method: string, path: string) => {
      const called = armed.filter((one) => one.fits(method, path));
      for (const one of called) one.calls += 1;
      const found = called.find(({ calls, rule: { nth = 1, times = 1 } }) => {
        return calls >= nth && (times === 0 || calls < nth + times);
      });
      if (found === undefined) return null;
      found.met += 1;
      return toEffect(found.rule);
    },
    add: (rules: readonly FaultRule[]): void => {
      armed = [...armed, ...rules.map(arm)];
    },
    clear: (): void => {
      armed = [];
    },
    restart: (): void => {
      armed = initial.map(arm);
    },
    list: (): readonly MetFault[] => armed.map(({ rule, calls, met }) => ({ ...rule, calls, met })),
  };
}
