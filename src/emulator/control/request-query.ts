import * as z from "zod/v4";
import type { Json, JsonObject } from "../../model/json.ts";
import { FAULT_KINDS } from "../http/fault.ts";
import { contains } from "../http/listing.ts";
import { type Reply, ok, refuseValue } from "../http/reply.ts";
import type { LoggedRequest } from "../http/request-log.ts";
import { toRouteTest, toServicePath } from "../http/route-pattern.ts";
import { whyNoMethod, whyUnreachable } from "../http/route.ts";
import { ANY, FILLED, object, row, textThat, type ObjectOf } from "./schema.ts";

const MET = {
  method: row(textThat(FILLED, whyNoMethod), "Method, or *."),
  path: row(FILLED, "Path; {x} is one segment, a final * any rest."),
  status: row(z.int().min(0), "Status of the answer."),
};
/** Query parameters that filter the request log. */
export const REQUEST_FILTERS = {
  ...MET,
  fault: row(z.literal(["any", ...FAULT_KINDS]), "Kind of the fault that met it, or any."),
  contains: row(z.string(), "Text in the path, the query or the body."),
  since: row(z.int().min(0), "Only requests after this number."),
  limit: row(z.int().min(0), "Only the latest so many."),
};
/** See `GET requests`. */
export const WITH_REPLIES = { ...REQUEST_FILTERS, replies: row(z.boolean(), "Adds the answers.") };

/** The body of an assertion; without `count`, `min` and `max`, at least one request must match. */
export const ASSERTION = object(
  {
    ...MET,
    body: row(ANY, "What the body must contain."),
    count: row(z.int().min(0), "Exactly so many."),
    min: row(z.int().min(0), "At least so many."),
    max: row(z.int().min(0), "At most so many."),
  },
  ({ count, min = null, max = null }) => {
    if (count !== undefined && (min ?? max) !== null)
      return [{ path: ["count"], message: "count goes by itself; leave out min and max" }];
    return min !== null && max !== null && min > max
      ? [{ path: ["min"], message: "min is greater than max" }]
      : [];
  },
);

/** The requests that match a method and a path pattern, and of them those that match the rest. */
function select(
  where: "query" | "body",
  log: readonly LoggedRequest[],
  asked: ObjectOf<typeof REQUEST_FILTERS> & { readonly body?: Json | undefined },
): { readonly near: readonly LoggedRequest[]; readonly found: readonly LoggedRequest[] } {
  const { method = "*", path = "*", status, fault, contains: text, since = 0, body } = asked;
  const pattern = toServicePath(path);
  const fits = toRouteTest(`${method} ${pattern}`);
  const near = log.filter((one) => fits(one.method, toServicePath(one.path)));
  // Rejects a path that can never occur, for which a count of 0 would prove nothing.
  const why = near.length > 0 ? null : whyUnreachable(method, pattern);
  if (why !== null) refuseValue(where, "path", why, "value_error");
  const found = near.filter(
    (one) =>
      one.seq > since &&
      (status === undefined || one.status === status) &&
      (fault === undefined || (fault === "any" ? one.fault !== null : one.fault === fault)) &&
      (text === undefined || JSON.stringify([one.path, one.query, one.body]).includes(text)) &&
      (body === undefined || contains(one.body, body)),
  );
  return { near, found };
}

/** The filtered log; only its count if `replyTo` is null. */
export function filterRequests(
  log: readonly LoggedRequest[],
  asked: ObjectOf<typeof WITH_REPLIES>,
  replyTo: ((seq: number) => Json) | null,
): Reply {
  const { found } = select("query", log, asked);
  if (replyTo === null) return ok({ count: found.length });
  const { limit = 0, replies = false } = asked;
  const latest = found.slice(-limit);
  return ok(latest.map((one) => (replies ? { ...one, reply: replyTo(one.seq) } : one)));
}

/** Whether the log contains what was asserted, with what was found; 422 if the assertion itself is wrong. */
export function assertRequests(
  log: readonly LoggedRequest[],
  wanted: z.infer<typeof ASSERTION>,
): JsonObject {
  const { near, found } = select("body", log, wanted);
  const { count, min, max } = wanted;
  const least = count ?? min ?? (max === undefined ? 1 : 0);
  const most = count ?? max ?? Infinity;
  const range = least === most ? String(least) : `${least} to ${most}`;
  return {
    passed: found.length >= least && found.length <= most,
    count: found.length,
    expected: most === Infinity ? `at least ${least}` : range,
    seen: near
      .slice(-20)
      .map(({ seq, method, path, status, body }) => ({ seq, method, path, status, body })),
  };
}
