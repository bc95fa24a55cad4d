import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll } from "@jest/globals";

/** One request on its way to the service, and a way to send it on. */
export interface Passing {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of the request; empty where it has none. */
  readonly body: Buffer;
  readonly forward: () => Promise<Passed>;
}

/** What the service, or the proxy in its place, answers. */
export interface Passed {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A gateway before a service that may answer in its place; gives back its address. */
export async function startProxy(
  target: string,
  handle: (passing: Passing) => Promise<Passed>,
): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const method = request.method ?? "GET";
    const forward = async (): Promise<Passed> => {
      const reply = await fetch(target + (request.url ?? ""), {
        method,
        headers: {
          "x-api-key": String(request.headers["x-api-key"] ?? ""),
          "content-type": "application/json",
        },
        ...(body.length === 0 ? {} : { body }),
      });
      return { status: reply.status, body: await reply.text() };
    };
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", target);
    const passed = await handle({ method, path, query, body, forward });
    response.writeHead(passed.status, { "content-type": "application/json", ...passed.headers });
    response.end(passed.body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  );
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** What nginx answers where it knows no way. */
export const GATEWAY_404: Passed = {
  status: 404,
  body: "<html><head><title>404 Not Found</title></head><body>nginx</body></html>",
  headers: { "content-type": "text/html" },
};

/** A gateway that loses the answer to the first write, over a service that shows no install_command. */
export function loseFirstAnswer(): (passing: Passing) => Promise<Passed> {
  let lost = false;
  return async ({ method, forward }) => {
    const reply = await forward();
    if (method !== "GET" && !lost) {
      lost = true;
      return { status: 502, body: "bad gateway", headers: { "content-type": "text/plain" } };
    }
    const body = String(reply.body).replaceAll(
      /"install_command":"[^"]*"/g,
      '"install_command":null',
    );
    return { ...reply, body };
  };
}
