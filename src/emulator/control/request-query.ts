import type { Json, JsonObject } from "../../model/json.ts";
import { type Reply, ok, refuseAll } from "../http/reply.ts";
import type { LoggedRequest } from "../http/request-log.ts";
import { contains } from "../http/filter.ts";
import { toRouteTest, toServicePath } from "../http/route-pattern.ts";
import { FAULT_KINDS } from "../http/fault.ts";
import { whyNoMethod, whyUnreachable } from "./route-reach.ts";
import { ANY, COUNT, FILLED, object, row, suggest, type ValueOf } from "./schema.ts";

/** Query parameters that narrow the request log. */
export const REQUEST_FILTERS = [
  "method",
  "path",
  "status",
  "fault",
  "contains",
  "since",
  "limit",
] as const;

/** The body of an assertion; without `count`, `min` and `max` at least one request must fit. */
export const ASSERTION = object({
  method: row(FILLED, "Method, or *."),
  path: row(FILLED, "Path; {x} is one segment, a final * any rest."),
  status: row(COUNT, "Status of the answer."),
  body: row(ANY, "What the body must contain."),
  count: row(COUNT, "Exactly so many."),
  min: row(COUNT, "At least so many."),
  max: row(COUNT, "At most so many."),
});
/** What POST /_emulator/requests/assert takes. */
export type RequestAssertion = ValueOf<typeof ASSERTION>;

/**
 * The log less what the filters leave out, or its count where no answers are to be had; 422 on a
 * filter that is wrong.
 */
export function filterRequests(
  log: readonly LoggedRequest[],
  query: URLSearchParams,
  replyTo: ((seq: number) => Json) | null,
): Reply {
  const number = (name: string): number | null => {
    const text = query.get(name);
    return text === null ? null : Number(text);
  };
  for (const name of ["status", "since", "limit"]) {
    const text = query.get(name);
    if (text !== null && !/^\d+$/.test(text))
      return refuseAll([
        { loc: ["query", name], msg: `"${text}" is not a whole number`, type: "int_parsing" },
      ]);
  }
  const wrong = whyBadFilter(log, query);
  if (wrong !== null) return refuseAll([{ ...wrong, type: "value_error" }]);
  const fits = toFilter(query.get("method") ?? "*", query.get("path") ?? "*");
  const text = query.get("contains");
  const fault = query.get("fault");
  const since = number("since") ?? 0;
  const status = number("status");
  const found = log.filter(
    (one) =>
      one.seq > since &&
      fits(one.method, toServicePath(one.path)) &&
      (status === null || one.status === status) &&
      (fault === null || (fault === "any" ? one.fault !== null : one.fault === fault)) &&
      (text === null || JSON.stringify([one.path, one.query, one.body]).includes(text)),
  );
  if (replyTo === null) return ok({ count: found.length });
  const limited = found.slice(-(number("limit") ?? found.length) || found.length);
  const withReplies = query.get("replies") === "true";
  return ok(
    limited.map((one) =>
      withReplies ? { ...one, reply: replyTo(one.seq) } : one,
    ) as unknown as Json,
  );
}

const toFilter = (method = "*", path = "*"): ReturnType<typeof toRouteTest> =>
  toRouteTest(`${method} ${toServicePath(path)}`);

/** A method or path that nothing can ever have: 0 requests of it would say nothing. */
function whyNeverMet(
  log: readonly LoggedRequest[],
  method: string,
  path: string,
): readonly [name: "method" | "path", message: string] | null {
  const noMethod = whyNoMethod(method);
  if (noMethod !== null) return ["method", noMethod];
  const pattern = toServicePath(path);
  const fits = toFilter(method, pattern);
  const why = log.some((one) => fits(one.method, toServicePath(one.path)))
    ? null
    : whyUnreachable(method, pattern);
  return why === null ? null : ["path", why];
}

function whyBadFilter(
  log: readonly LoggedRequest[],
  query: URLSearchParams,
): { readonly loc: readonly string[]; readonly msg: string } | null {
  const never = whyNeverMet(log, query.get("method") ?? "*", query.get("path") ?? "*");
  if (never !== null) return { loc: ["query", never[0]], msg: never[1] };
  const fault = query.get("fault");
  const kinds = ["any", ...FAULT_KINDS];
  if (fault !== null && !kinds.includes(fault))
    return {
      loc: ["query", "fault"],
      msg: `unknown kind "${fault}"; ${suggest(fault, kinds, "use one of")}`,
    };
  const replies = query.get("replies");
  return replies === null || ["true", "false"].includes(replies)
    ? null
    : { loc: ["query", "replies"], msg: `"${replies}" is not true or false` };
}

function whyBadCount({ count, min, max }: RequestAssertion): string | null {
  if (count !== undefined && (min !== undefined || max !== undefined))
    return "count goes by itself; leave out min and max";
  return min !== undefined && max !== undefined && min > max ? "min is greater than max" : null;
}

/** Whether the log holds what was asserted, with what was seen; 422 where the assertion itself is wrong. */
export function assertRequests(
  log: readonly LoggedRequest[],
  wanted: RequestAssertion,
): JsonObject {
  const never = whyNeverMet(log, wanted.method ?? "*", wanted.path ?? "*");
  const [name, msg] = never ?? ["count", whyBadCount(wanted)];
  if (msg !== null) return refuseAll([{ loc: ["body", name], msg, type: "value_error" }]);
  const fits = toFilter(wanted.method, wanted.path);
  const near = log.filter((one) => fits(one.method, toServicePath(one.path)));
  const found = near.filter(
    (one) =>
      (wanted.status === undefined || one.status === wanted.status) &&
      (wanted.body === undefined || contains(one.body, wanted.body)),
  );
  const open = wanted.count === undefined && wanted.min === undefined && wanted.max === undefined;
  const least = wanted.count ?? wanted.min ?? (open ? 1 : 0);
  const most = wanted.count ?? wanted.max ?? Infinity;
  const passed = found.length >= least && found.length <= most;
  const range = least === most ? String(least) : `${least} to ${most}`;
  return {
    passed,
    count: found.length,
    expected: most === Infinity ? `at least ${least}` : range,
    seen: near
      .slice(-20)
      .map(({ seq, method, path, status, body }) => ({ seq, method, path, status, body })),
  };
}
