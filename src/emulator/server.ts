import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createEmulator, type Emulator } from "./emulator.ts";
import type { Kept } from "./service.ts";
import type { EmulatorOptions } from "./options.ts";
import { checkOptions } from "./control/scenario.ts";
import { toError, type Reply } from "./http/reply.ts";
import { systemClock } from "../clock.ts";

/** Where to listen, and all options of an emulator. */
export interface ServerOptions extends EmulatorOptions {
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Default: the loopback address; anything else is reachable by others. */
  readonly host?: string;
}

/** An emulator that is reachable over HTTP. */
export interface RunningEmulator {
  /** `http://127.0.0.1:PORT`, without a final slash: both APIs are below it. */
  readonly url: string;
  readonly emulator: Emulator;
  /** Breaks every open connection and frees the port. */
  readonly close: () => Promise<void>;
}

/** Serves an emulator over HTTP. */
export async function startEmulator(
  options: ServerOptions = {},
  kept?: Kept,
): Promise<RunningEmulator> {
  const { port: _port, host: _host, ...behaviour } = options;
  checkOptions(behaviour);
  const host = options.host ?? "127.0.0.1";
  const apart = options.uploads === "other-origin" ? createServer() : null;
  if (apart !== null) await listen(apart, 0, host);
  const more = apart === null ? {} : { uploadOrigin: toUrl(apart, host) };
  const emulator = createEmulator({ ...behaviour, ...more }, kept);
  const server = createServer({ keepAliveTimeout: 75_000 });
  const servers = apart === null ? [server] : [server, apart];
  const listening = { closed: false, reopening: null as NodeJS.Timeout | null };
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  const url = toUrl(server, host);
  const refuse = (ms: number): void => {
    server.close();
    server.closeAllConnections();
    if (listening.reopening !== null) clearTimeout(listening.reopening);
    listening.reopening = setTimeout(() => {
      if (!listening.closed) server.listen(port, host);
    }, ms);
  };
  for (const one of servers)
    one.on("request", (incoming, outgoing) => {
      const refused = one === server ? refuse : () => incoming.socket.destroy();
      void answerOver(emulator, toUrl(one, host), incoming, outgoing, refused).catch(() =>
        outgoing.destroy(),
      );
    });
  server.on("error", () => undefined);
  return {
    url,
    emulator,
    close: async () => {
      listening.closed = true;
      if (listening.reopening !== null) clearTimeout(listening.reopening);
      await Promise.all(servers.map(shut));
      emulator.close();
    },
  };
}

function toUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Whether a Host header can be meant for this machine: an address, localhost, a name without a
 * public suffix, or the one it listens on. A page of another site that points its own name at this
 * machine (DNS rebinding) has that name here.
 */
function isOwnHost(header: string | undefined, own: string): boolean {
  if (header === undefined || header === "") return true;
  if (!URL.canParse(`http://${header}`)) return false;
  const name = new URL(`http://${header}`).hostname.replace(/\.$/, "");
  if (name === own || /^\[.*\]$/.test(name) || /^\d+\.\d+\.\d+\.\d+$/.test(name)) return true;
  return !name.includes(".") || /\.(localhost|local|internal|test|invalid)$/.test(name);
}

/** Rejects if the address cannot be used. */
const listen = (server: Server, port: number, host: string): Promise<unknown> =>
  once(server.listen(port, host), "listening");

/** A body as a web stream. Not Readable.toWeb: cancelling that crashes the process. */
const toStream = (chunks: AsyncIterator<Buffer>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
  });

function toRequest(
  base: string,
  incoming: IncomingMessage,
  chunks: AsyncIterator<Buffer>,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  const host = incoming.headers.host;
  const origin = host === undefined ? base : `http://${host}`;
  const method = incoming.method ?? "GET";
  const url = new URL(incoming.url ?? "/", origin);
  const body = /^(GET|HEAD)$/.test(method) ? {} : { body: toStream(chunks), duplex: "half" };
  return new Request(url, { method, headers, ...body } as RequestInit);
}

/** The answer to what cannot be a request of the service; null for everything else. */
function turnAway({ headers, method = "" }: IncomingMessage, base: string): Reply | null {
  if (!isOwnHost(headers.host, new URL(base).hostname))
    return toError(403, `the Host header does not name this emulator; use ${base}`);
  // A Request cannot have these methods, and the service has no use for them.
  return /^(TRACE|TRACK|CONNECT)$/.test(method) ? toError(405, "Method Not Allowed") : null;
}

/** The pieces of a body as they are sent. */
async function* piecesOf({ body, wire }: Reply): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(body);
  if (wire.kind === "truncate") yield bytes.subarray(0, Math.ceil(bytes.length / 2));
  else if (wire.kind !== "drip") yield bytes;
  else
    for (let at = 0; at < bytes.length; at += 16) {
      yield bytes.subarray(at, at + 16);
      await systemClock.sleep(wire.ms);
    }
}

async function answerOver(
  emulator: Emulator,
  base: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refuse: (ms: number) => void,
): Promise<void> {
  const refusal = turnAway(incoming, base);
  const asked = `${incoming.method} ${incoming.url}`;
  if (refusal === null && /^GET \/_emulator\/events\/?$/.test(asked))
    return sendEvents(emulator, outgoing);
  const ip =
    incoming.headers["x-forwarded-for"]?.toString().split(",")[0]?.trim() ??
    incoming.socket.remoteAddress ??
    "127.0.0.1";
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const answer = refusal ?? (await emulator.answer(toRequest(base, incoming, chunks), ip));
  const { status, headers, wire, body } = answer;
  if (wire.kind === "reset") return void incoming.socket.resetAndDestroy();
  if (wire.kind === "refuse" && !wire.answered) return refuse(wire.ms);
  const length = status === 204 ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const last = wire.kind === "refuse" ? { connection: "close" } : {};
  outgoing.writeHead(status, { ...length, ...headers, ...last });
  for await (const piece of piecesOf(answer)) {
    if (outgoing.destroyed) return;
    if (piece.length > 0) outgoing.write(piece);
  }
  if (wire.kind === "truncate") return incoming.socket.destroySoon();
  outgoing.flushHeaders();
  // Closing a connection before its body was read resets it, and the client may lose the answer.
  while ((await chunks.next()).done !== true);
  outgoing.end(() => {
    if (wire.kind === "refuse") setImmediate(refuse, wire.ms);
  });
}

const EVENT_MS = 1000;

/** Server-sent events: one after every request, and one a second, since statuses change by themselves. */
function sendEvents(emulator: Emulator, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const send = (): void => {
    outgoing.write(`data: ${new Date(emulator.now()).toISOString()}\n\n`);
  };
  send();
  const unwatch = emulator.watch(send);
  const timer = setInterval(send, EVENT_MS);
  outgoing.on("close", () => {
    clearInterval(timer);
    unwatch();
  });
}
