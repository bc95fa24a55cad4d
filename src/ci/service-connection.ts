import { createRetryLog } from "./retry-log.ts";
import {
  createBudget,
  DEFAULT_LIMIT,
  parseRateLimit,
  shareOf,
  type RateBudget,
} from "../service/budget.ts";
import { createControlPlane } from "../service/control-plane-http.ts";
import type { Limits } from "../service/control-plane.ts";
import { createHttp, type Http } from "../service/http.ts";
import { createTracing } from "../service/tracing.ts";
import { checkAccess } from "./access.ts";
import { UsageError, type Session } from "./session.ts";

/**
 * This job's share of the default row of contributing/interface.md "Limits", or the limit in
 * AGENT_DEPLOY_RATE_LIMIT.
 */
function toBudget({ clock, env, options }: Session): RateBudget {
  const given = (env["AGENT_DEPLOY_RATE_LIMIT"] ?? "").trim();
  if (given === "") return createBudget({ clock, ...shareOf(DEFAULT_LIMIT, options.strategy) });
  const limit = parseRateLimit(given);
  if (limit === null)
    throw new UsageError(
      `AGENT_DEPLOY_RATE_LIMIT: "${given.slice(0, 40)}" is not a rate limit; write requests/seconds, such as 1000/10`,
    );
  return createBudget({ clock, ...limit });
}

/** Opens a connection for `work` and closes it in any case. */
export async function withConnection<T>(
  session: Session,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect(session);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Creates the clients without a request; throws a UsageError for a bad address or credential. */
function connect(session: Session) {
  const { options, clock, random, signal, host } = session;
  const { credentials, addresses } = checkAccess(session);
  const unbounded = createHttp({
    clock,
    random,
    signal,
    budget: toBudget(session),
    credentials,
    userAgent: `agent-deploy/${session.version}`,
    addresses: [
      { base: addresses.controlPlane, input: addresses.inputs.controlPlane },
      { base: addresses.tracing, input: addresses.inputs.tracing },
    ],
    region: addresses.inputs.controlPlane === "region" ? (options.region ?? "us") : null,
    redact: session.redact,
    onRetry: createRetryLog(clock, host.progress),
  });
  const http = boundByTimeout(unbounded, session);
  return {
    controlPlane: createControlPlane({
      http,
      base: addresses.controlPlane,
      clock,
      redact: session.redact,
    }),
    tracing: createTracing({ http, base: addresses.tracing }),
    /** Base URL of the service's UI; empty if unknown. */
    ui: addresses.ui,
    close: http.close,
  };
}

/** Both APIs of the service, with one key and one rate budget. */
export type Connection = ReturnType<typeof connect>;

/**
 * A given `timeout` limits whatever has no limit of its own: all requests of an upload together,
 * and every other request with its repeats. Deployments have their own limits, counted from
 * leaving the queue.
 */
function boundByTimeout(http: Http, { clock, command, options }: Session): Http {
  const { timeoutMs } = options;
  if (timeoutMs === undefined || timeoutMs === null) return http;
  const uploadUntil = clock.monotonic() + timeoutMs;
  const within = (limits: Limits = {}): Limits => ({
    ...limits,
    deadlineMs:
      limits.deadlineMs ?? (command === "upload" ? uploadUntil : clock.monotonic() + timeoutMs),
  });
  return {
    ...http,
    read: (request, parse, limits) => http.read(request, parse, within(limits)),
    write: (request, parse, limits) => http.write(request, parse, within(limits)),
  };
}
