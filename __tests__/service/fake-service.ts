import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createBudget } from "../../src/service/budget.ts";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { createHttp, type Http, type HttpOptions } from "../../src/service/http.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
export type Answer = (request: Seen, response: ServerResponse, raw: IncomingMessage) => void;
export interface FakeService {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  readonly server: Server;
  readonly close: () => Promise<void>;
}

/** A real server on 127.0.0.1; `answer` runs once the request's body has arrived, unless `early`. */
export async function startService(
  answer: Answer,
  options: { readonly port?: number; readonly early?: boolean } = {},
): Promise<FakeService> {
  const seen: Seen[] = [];
  const server = createServer((raw, response) => {
    const chunks: Buffer[] = [];
    const told = (): void => {
      const request = {
        method: raw.method ?? "",
        path: raw.url ?? "",
        headers: raw.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(request);
      answer(request, response, raw);
    };
    raw.on("error", () => undefined);
    if (options.early) {
      told();
      return;
    }
    raw.on("data", (chunk: Buffer) => chunks.push(chunk));
    raw.on("end", told);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    server,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));
}

export const KEY = "lsv2_sk_0123456789abcdef";

/** Knows the key, as a run does. */
const redactor = createRedactor();
redactor.add(KEY);

/**
 * The Http under test on a clock that jumps, with the middle of every jitter, no proxy, and what
 * heard of repeats.
 */
export function httpFor(
  base: string,
  options: Partial<HttpOptions> = {},
): { readonly http: Http; readonly clock: ManualClock; readonly retries: string[] } {
  const clock = (options.clock as ManualClock | undefined) ?? createManualClock({ auto: true });
  const retries: string[] = [];
  const http = createHttp({
    clock,
    random: () => 0.5,
    budget: createBudget({ clock }),
    credentials: () => Promise.resolve({ "X-Api-Key": KEY }),
    redact: redactor.redact,
    userAgent: "agent-deploy/test",
    env: {},
    addresses: [{ base, input: "control-plane-url" }],
    region: null,
    onRetry: (line) => {
      retries.push(line);
    },
    ...options,
  });
  return { http, clock, retries };
}
