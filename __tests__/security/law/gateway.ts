import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A request on its way, and the ways to answer it. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  /** Everything the client said, as a service that repeats it would. */
  readonly said: string;
  /** Every secret that the client knows by now, in many forms. */
  readonly told: readonly string[];
  /** How many came to this method and path before. */
  readonly before: number;
  readonly forward: () => Promise<Answer>;
}

/** What is sent back; `cut` ends the connection in the middle, `reset` before the first byte. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cut?: boolean;
  readonly reset?: boolean;
}
export type Handle = (passing: Passing) => Promise<Answer>;

/** A service, or a GitHub, that does what a fault says. */
export interface Gateway {
  readonly url: string;
  /** What it was sent, oldest first. */
  readonly sent: string[];
  /** Whether an answer of the service itself that holds this text was passed on. */
  readonly showed: (text: string) => boolean;
  readonly close: () => Promise<void>;
}

/** Of one connection, not of what is passed on. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding"]);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, { status, body, headers, cut, reset }: Answer): void {
  if (reset === true) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(body);
  const empty = status === 204 || status === 304;
  response.writeHead(status, {
    "content-type": "application/json",
    ...headers,
    ...(empty ? {} : { "content-length": String(bytes.length) }),
  });
  if (cut !== true) response.end(empty ? undefined : bytes);
  else response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

/** What a gateway does besides passing requests on. */
export interface GatewayOptions {
  readonly handle: Handle;
  /** The answer a request may get, given all that was passed on before. */
  readonly tell: (showed: Gateway["showed"]) => readonly string[];
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

/**
 * Comes before `target`, or answers by itself where there is none (then `forward` answers 404). With `tls` its
 * certificate is nobody's.
 */
export async function startGateway(
  target: string | null,
  { handle, tell, tls }: GatewayOptions,
): Promise<Gateway> {
  const sent: string[] = [];
  const passed: string[] = [];
  const showed: Gateway["showed"] = (text) => passed.some((one) => one.includes(text));
  const counts = new Map<string, number>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const method = request.method ?? "GET";
    const { pathname } = new URL(request.url ?? "/", "http://x");
    const route = `${method} ${pathname}`;
    const before = counts.get(route) ?? 0;
    counts.set(route, before + 1);
    sent.push(`${method} ${request.url ?? ""} ${body}`);
    const headers = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name));
    const forward = async (): Promise<Answer> => {
      if (target === null) return { status: 404, body: '{"message":"Not Found"}' };
      const reply = await fetch(target + (request.url ?? ""), {
        method,
        headers: headers as [string, string][],
        redirect: "manual",
        ...(body === "" ? {} : { body }),
      });
      const text = await reply.text();
      passed.push(text);
      const type = reply.headers.get("content-type");
      return {
        status: reply.status,
        body: text,
        headers: type === null ? {} : { "content-type": type },
      };
    };
    const said = `${JSON.stringify(request.headers)} ${body}`;
    const told = tell(showed);
    send(response, await handle({ method, path: pathname, said, told, before, forward }));
  };
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(listen) : createTlsServer(tls, listen);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http${tls === undefined ? "" : "s"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    showed,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** GitHub, as far as a run reports there: lists are empty, what is made has an id. */
export const asGithub: Handle = ({ method, path }) => {
  const comment = { id: 7, html_url: "http://127.0.0.1:1/c", body: "", user: { type: "Bot" } };
  const json = (status: number, body: unknown): Promise<Answer> =>
    Promise.resolve({ status, body: JSON.stringify(body) });
  if (method !== "GET") return json(method === "POST" ? 201 : 200, { ...comment, number: 7 });
  return /\/comments\/\d+$/.test(path) ? json(200, comment) : json(200, []);
};
