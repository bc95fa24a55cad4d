import { Readable } from "node:stream";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { EnvHttpProxyAgent, Pool, request, type Dispatcher } from "undici";
import { limitTime } from "../clock.ts";
import { isLoopback } from "../model/address.ts";
import { noProxyFor } from "./addresses.ts";
import { ServiceError } from "./control-plane.ts";

/** A request ready to send. A streamed body is given as a factory, so that a repeat never sends a consumed stream. */
export interface WireRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | (() => AsyncIterable<Uint8Array>);
  readonly contentLength?: number;
}

/** How one try ended. */
export type Exchange =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** By lower-case name; the first of repeated headers. */
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly text: string;
    }
  | { readonly kind: "redirect"; readonly status: number; readonly location: string }
  | {
      readonly kind: "unreadable";
      readonly status: number;
      readonly why: string;
      /** Whether it is a web page. */
      readonly html?: boolean;
    }
  | {
      readonly kind: "no-answer";
      /** False only if surely no byte of the request left this machine. */
      readonly sent: boolean;
      readonly code: string;
      readonly cause: unknown;
      /** Whether the request's own body failed, so the service cannot have received all of it. */
      readonly bodyFailed: boolean;
    };

/** How long one request may be silent, and over which connection it goes. */
export interface ExchangeLimits {
  /** The longest silence after the request is sent. */
  readonly silenceMs: number;
  /**
   * Whether each try opens its own connection: if the peer has just closed a kept one, the outcome
   * of a write is unknown.
   */
  readonly freshConnection: boolean;
}

/** Sends single tries, without repeats or judgement. */
export interface Wire {
  /** `tryMs` limits the try in real time; `signal` abandons it at once. */
  readonly send: (
    request: WireRequest,
    limits: ExchangeLimits,
    tryMs: number | null,
    signal?: AbortSignal,
  ) => Promise<Exchange>;
  readonly close: () => Promise<void>;
}

/** Options of the wire, and the environment that names proxies. */
export interface WireOptions {
  /** The largest reply, 32 MB by default: a page of a hundred of GitHub's longest comments is 7 MB. */
  readonly maxReplyBytes?: number;
  /** Source of HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Agents {
  readonly kept: Dispatcher;
  readonly fresh: Dispatcher;
}

/**
 * Longer than the longest pause between two polls, so that a wait keeps one connection. A shorter
 * limit of the service applies.
 */
const KEEP_ALIVE_MS = 65_000;
const MAX_REPLY_BYTES = 32 * 1024 * 1024;
const CONNECT_MS = 10_000;
/** Node's timers use 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The code of a try that exceeded its time. */
export const TIMED_OUT = "UND_ERR_TRY_TIMEOUT";

/** A proxy's URL; like curl, accepts one without a scheme. It contains a password, so errors do not repeat it. */
function proxyOf(env: WireOptions["env"], name: string): string {
  const text = (env[name.toLowerCase()] || env[name] || "").trim();
  if (text === "") return "";
  const url = text.includes("://") ? text : `http://${text}`;
  try {
    const { protocol, username, password } = new URL(url);
    decodeURIComponent(username + password);
    if (/^(https?|socks5?):$/.test(protocol)) return url;
  } catch {
    /* reported below */
  }
  throw new ServiceError(
    `${name}: is not a proxy address; write http://user:password@host:port, with special characters of the password percent-encoded`,
  );
}

/** Two agents: one that reuses connections, one that opens a new one for each request. */
function createAgents(env: WireOptions["env"], noProxy: string): Agents {
  // NODE_TLS_REJECT_UNAUTHORIZED=0 would silently disable certificate checks: requests with a key ignore it.
  const tls = { timeout: CONNECT_MS, rejectUnauthorized: true };
  const httpProxy = proxyOf(env, "HTTP_PROXY");
  const options = {
    connect: tls,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTls: tls,
    // Plain http goes only to loopback. Through a remote proxy that would be another machine, and the key would
    // travel in the clear.
    httpProxy: httpProxy !== "" && isLoopback(new URL(httpProxy)) ? httpProxy : "",
    httpsProxy: proxyOf(env, "HTTPS_PROXY") || httpProxy,
    noProxy,
    proxyTls: tls,
    // undici reconnects for ever, in a hot loop, if a proxy hangs up on CONNECT with an error that it considers
    // recoverable.
    clientFactory: (origin: URL, poolOptions: object): Dispatcher => {
      const pool = new Pool(origin, poolOptions);
      const connect = pool.connect.bind(pool) as (
        to: Dispatcher.ConnectOptions,
      ) => Promise<Dispatcher.ConnectData>;
      const failing = (to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> =>
        connect(to).catch((cause: unknown) => {
          throw proxyError(cause);
        });
      return Object.assign(pool, { connect: failing });
    },
  };
  return {
    kept: new EnvHttpProxyAgent(options),
    fresh: new EnvHttpProxyAgent({ ...options, pipelining: 0 }),
  };
}

/** A failure to reach the proxy is not a failure of the service. */
function proxyError(cause: unknown): Error {
  const code = codeOf(cause);
  const own = code.startsWith("UND_ERR_") ? "PROXY_CLOSED" : `PROXY_${code}`;
  return Object.assign(new Error("the proxy cannot be reached", { cause }), { code: own });
}

/** The code of a network failure, from whatever layer; its message if there is none. */
function codeOf(cause: unknown): string {
  const error = cause as {
    code?: unknown;
    message?: unknown;
    errors?: readonly unknown[];
    cause?: unknown;
  } | null;
  const proxyStatus = /^Proxy response \((\d+)\)/.exec(String(error?.message ?? ""));
  if (proxyStatus !== null) return `PROXY_${proxyStatus[1]}`;
  if (typeof error?.code === "string" && error.code !== "") return error.code;
  const inner = error?.errors?.[0] ?? error?.cause;
  return inner === undefined || inner === null
    ? String(error?.message ?? "unknown failure")
    : codeOf(inner);
}

/** Calls back when a connection is open and the request is about to be written. */
function noteSending(onSending: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        onSending();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
      onResponseStart: (...all) => handler.onResponseStart?.(...all),
      onResponseData: (...all) => handler.onResponseData?.(...all),
      onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
      onResponseError: (...all) => handler.onResponseError?.(...all),
    });
}

async function readBytes(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (maxBytes: number): string =>
  `the answer is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`;

/** Decodes an encoding that some proxies apply unasked; a text says why that is not possible. */
function decode(bytes: Buffer, encoding: string, maxBytes: number): Buffer | string {
  const word = encoding.trim().toLowerCase();
  if (word === "" || word === "identity" || bytes.length === 0) return bytes;
  const limit = { maxOutputLength: maxBytes };
  try {
    if (word === "gzip" || word === "x-gzip") return gunzipSync(bytes, limit);
    if (word === "deflate") return inflateSync(bytes, limit);
    if (word === "br") return brotliDecompressSync(bytes, limit);
  } catch (cause) {
    return (cause as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE"
      ? tooLarge(maxBytes)
      : `the answer says it is ${encoding.slice(0, 40)}, and is not`;
  }
  return `the answer is encoded as ${encoding.slice(0, 40)}, which was not asked for`;
}

async function receive(
  { statusCode, headers: given, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Exchange> {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  if (statusCode >= 300 && statusCode < 400) {
    body.on("error", () => undefined).destroy();
    return { kind: "redirect", status: statusCode, location: headers["location"] ?? "" };
  }
  const announced = Number(headers["content-length"] ?? 0);
  const bytes = announced > maxBytes ? null : await readBytes(body, maxBytes);
  const encoding = headers["content-encoding"] ?? "";
  const plain = bytes === null ? tooLarge(maxBytes) : decode(bytes, encoding, maxBytes);
  if (typeof plain === "string") {
    body.on("error", () => undefined).destroy();
    return { kind: "unreadable", status: statusCode, why: plain };
  }
  // The connection is free for the next request only one turn after its body has ended.
  await new Promise((resolve) => setImmediate(resolve));
  return { kind: "answer", status: statusCode, headers, text: new TextDecoder().decode(plain) };
}

/** A body stream that records its own failures; an error thrown into it by the connection is not one. */
function toStream(factory: () => AsyncIterable<Uint8Array>, onFailure: () => void): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const source = factory()[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<Uint8Array>> =>
      source.next().catch((cause: unknown) => {
        onFailure();
        throw cause;
      });
    try {
      for (let step = await next(); step.done !== true; step = await next()) yield step.value;
    } finally {
      await source.return?.();
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}

/**
 * The wire over undici to the service, GitHub and registries, with proxies from the environment
 * and Node's trust store (NODE_EXTRA_CA_CERTS).
 */
export function createWire({ env, maxReplyBytes = MAX_REPLY_BYTES }: WireOptions): Wire {
  const agents = new Map<string, Agents>();
  const agentsFor = (url: string): Agents => {
    const noProxy = noProxyFor(env, new URL(url));
    const known = agents.get(noProxy) ?? createAgents(env, noProxy);
    agents.set(noProxy, known);
    return known;
  };
  return {
    close: async () => {
      const all = [...agents.values()].flatMap(({ kept, fresh }) => [kept, fresh]);
      await Promise.all(all.map((agent) => agent.destroy()));
    },
    send: async (wire, rule, tryMs, signal) => {
      const { kept, fresh } = agentsFor(wire.url);
      const limit = limitTime(tryMs ?? LONGEST_TIMER_MS, signal === undefined ? [] : [signal]);
      const stopped = new Promise<never>((_, reject) => {
        const stop = (): void => reject(limit.signal.reason);
        limit.signal.addEventListener("abort", stop);
        // A signal that has already aborted calls no listener.
        if (limit.signal.aborted) stop();
      });
      let sent = false;
      let bodyFailed = false;
      const body =
        typeof wire.body === "function"
          ? toStream(wire.body, () => {
              bodyFailed = true;
            })
          : (wire.body ?? null);
      const talk = async (): Promise<Exchange> =>
        receive(
          await request(wire.url, {
            method: wire.method,
            body,
            signal: limit.signal,
            headersTimeout: rule.silenceMs,
            bodyTimeout: rule.silenceMs,
            headers: {
              "accept-encoding": "identity",
              ...wire.headers,
              ...(wire.contentLength === undefined
                ? {}
                : { "content-length": String(wire.contentLength) }),
            },
            dispatcher: (rule.freshConnection ? fresh : kept).compose(
              noteSending(() => {
                sent = true;
              }),
            ),
          }),
          maxReplyBytes,
        );
      try {
        // Raced, since undici notices an abort only once the connection is open.
        return await Promise.race([talk(), stopped]);
      } catch (cause) {
        const stop = signal?.aborted === true ? "ABORTED" : TIMED_OUT;
        const code = limit.signal.aborted ? stop : codeOf(cause);
        return { kind: "no-answer", sent, code, cause, bodyFailed };
      } finally {
        limit.clear();
      }
    },
  };
}
