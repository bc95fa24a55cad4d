import type { AddressInput } from "./addresses.ts";
import { endedBy, ServiceError, type Limits, type WriteResult } from "./control-plane.ts";
import { shownUrl, toServiceError } from "./error-text.ts";
import {
  createWire,
  type Exchange,
  type Wire,
  type WireOptions,
  type WireRequest,
} from "./exchange.ts";
import {
  createRepeat,
  type Ended,
  type Parse,
  type RepeatOptions,
  type RoutedRequest,
} from "./repeat.ts";
import { isUnbegunRedirect, ROUTE_RULES, type RouteClass, type RouteRule } from "./retry.ts";

/** A GET that is repeated until there is a response or no time. */
export interface ReadRequest {
  readonly url: string;
  /** Body of a POST that only reads. */
  readonly post?: string | undefined;
  /** One try, in a short time: it may not exist, and nothing depends on it. */
  readonly once?: true;
  /** Statuses that are a regular result rather than a failure, such as 404 for something deleted. */
  readonly absent?: readonly number[];
}

/** A request that changes something: repeated only if the service surely did not accept it. */
export interface WriteRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly route: "write" | "upload";
  readonly body?: string | (() => AsyncIterable<Uint8Array>);
  /** Values of the body that no error message may repeat. */
  readonly secretValues?: readonly string[];
  /** What to do next, by status, where the route knows better than the general table. */
  readonly next?: Readonly<Record<number, string>>;
}

/** The result of a successful read. */
export type Read<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent"; readonly status: number };

/** The wire with retry policy, rate budget and worded errors. The key goes only to the given addresses. */
export interface Http {
  /** Repeated on failure; in the end throws a ServiceError, or the signal's reason if that aborts. */
  readonly read: <T>(request: ReadRequest, parse: Parse<T>, limits?: Limits) => Promise<Read<T>>;
  /**
   * Sent once, repeated only if surely not accepted; throws only the signal's reason, if it aborts
   * before anything was sent.
   */
  readonly write: <T>(
    request: WriteRequest,
    parse: Parse<T>,
    limits?: Limits,
  ) => Promise<WriteResult<T>>;
  /** One try to PUT a body to a signed URL: sends no key and follows no redirect. */
  readonly putSigned: (request: Omit<WireRequest, "method">, limits?: Limits) => Promise<Exchange>;
  readonly close: () => Promise<void>;
}

/** What all requests of a run share. Holds the key: never print it. */
export interface HttpOptions extends RepeatOptions, Partial<WireOptions> {
  /** The headers that carry the key or token; asked for before each request, since a token may expire during a wait. */
  readonly credentials: () => Promise<Readonly<Record<string, string>>>;
  readonly userAgent: string;
  /** The base URLs that receive the key, each with the input that set it. */
  readonly addresses: readonly { readonly base: string; readonly input: AddressInput }[];
  /** Named in messages about 401 and 403; null if addresses were given. */
  readonly region: string | null;
  /** Aborts every request of the run. */
  readonly signal?: AbortSignal;
  /** Masks the run's secrets. */
  readonly redact: (text: string) => string;
  readonly rules?: Partial<Record<RouteClass, Partial<RouteRule>>>;
  /** A replacement for undici's wire: a service in the same process. */
  readonly wire?: Wire;
}

type Given = Pick<WireRequest, "method" | "url"> &
  Partial<ReadRequest & Omit<WriteRequest, "method" | "url">>;

/**
 * Masks what this request sends, too: a token that was renewed during the run, and values that the
 * run's redactor leaves in a text because they are short or an ordinary word.
 */
function masking(
  secrets: readonly string[],
  redact: (text: string) => string,
): (text: string) => string {
  // Longest first, so that a secret within another does not leave its rest readable.
  const forms = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
  ]);
  const spelled = [...new Set(forms)]
    .filter((form) => form.length >= 3)
    .sort((a, b) => b.length - a.length);
  return (text) => spelled.reduce((clean, secret) => clean.replaceAll(secret, "***"), redact(text));
}

/** Adds the key and the error context to a request; refuses one that is not for the service. */
async function toRouted(
  { credentials, addresses, region, userAgent, redact }: HttpOptions,
  route: RouteClass,
  { method, url, absent = [], body, secretValues = [], next }: Given,
): Promise<RoutedRequest> {
  const address =
    addresses.find(({ base }) => url.startsWith(`${base}/`)) ??
    addresses.find(({ base }) => new URL(base).origin === new URL(url).origin);
  if (address === undefined)
    throw new ServiceError(
      `${method} ${shownUrl(url)}: is not a configured service URL, so the key is not sent there`,
    );
  const secret = await credentials();
  const sent = Object.values(secret).flatMap((value) => [value, value.replace(/^Bearer /, "")]);
  return {
    method,
    url,
    route,
    absent,
    headers: {
      ...secret,
      accept: "application/json",
      "user-agent": userAgent,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
    story: {
      method,
      url,
      next,
      addressInput: address.input,
      region: address.input === "region" ? region : null,
      bearer: secret["Authorization"] !== undefined && secret["X-Api-Key"] === undefined,
      tenant: secret["X-Tenant-Id"] !== undefined,
      redact: masking([...sent, ...secretValues], redact),
    },
  };
}

function toWriteResult<T>(
  { exchange, tries, value }: Ended<T>,
  { story }: RoutedRequest,
): WriteResult<T> {
  if (value !== undefined) return { state: "taken", reply: value.is };
  const error = toServiceError(exchange, story, tries);
  if (exchange.kind === "no-answer" && (!exchange.sent || exchange.bodyFailed))
    return { state: "refused", status: 0, error };
  if (isUnbegunRedirect(exchange)) return { state: "refused", status: error.status ?? 0, error };
  const refused =
    exchange.kind === "answer" &&
    ((exchange.status >= 400 && exchange.status < 500 && exchange.status !== 408) ||
      exchange.status === 501);
  return refused
    ? { state: "refused", status: exchange.status, error }
    : { state: "unknown", error };
}

/** Creates the run's HTTP client. Nothing is loaded or connected before the first request. */
export function createHttp(options: HttpOptions): Http {
  const wire = options.wire ?? createWire({ ...options, env: options.env ?? process.env });
  const repeat = createRepeat(wire, options);
  const boundedBy = (limits: Limits): Limits =>
    options.signal === undefined || options.signal === limits.signal
      ? limits
      : endedBy(limits, options.signal);
  const ruleOf = ({ route }: RoutedRequest): RouteRule => ({
    ...ROUTE_RULES[route],
    ...options.rules?.[route],
  });

  return {
    close: wire.close,
    read: async (given, parse, limits = {}) => {
      const bounds = boundedBy(limits);
      const { post, once, ...rest } = given;
      const request = await toRouted(
        options,
        once === true ? "probe" : "read",
        post === undefined ? { method: "GET", ...rest } : { method: "POST", body: post, ...rest },
      );
      const ended = await repeat(request, ruleOf(request), parse, bounds);
      if (ended.value !== undefined) return { state: "found", value: ended.value.is };
      bounds.signal?.throwIfAborted();
      const { exchange, tries } = ended;
      if (exchange.kind === "answer" && request.absent.includes(exchange.status))
        return { state: "absent", status: exchange.status };
      throw toServiceError(exchange, request.story, tries);
    },
    write: async (given, parse, limits = {}) => {
      const bounds = boundedBy(limits);
      const request = await toRouted(options, given.route, given);
      try {
        const result = toWriteResult(
          await repeat(request, ruleOf(request), parse, bounds),
          request,
        );
        if (result.state === "refused" && result.status === 0) bounds.signal?.throwIfAborted();
        return result;
      } catch (cause) {
        // Thrown before anything is sent: the address of a proxy is invalid.
        if (cause instanceof ServiceError) return { state: "refused", status: 0, error: cause };
        throw cause;
      }
    },
    putSigned: (request, limits = {}) => {
      const { deadlineMs, signal } = boundedBy(limits);
      const leftMs =
        deadlineMs === undefined ? null : Math.max(1, deadlineMs - options.clock.monotonic());
      return wire.send({ method: "PUT", ...request }, ROUTE_RULES.upload, leftMs, signal);
    },
  };
}
