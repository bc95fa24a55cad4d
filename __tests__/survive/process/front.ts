import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  createServer,
  request as send,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import { createTree } from "../../support/tree.ts";

const open: Server[] = [];
afterAll(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * What to do with a request: forward it and answer; or notify the test, before or after it was
 * forwarded, and never answer.
 */
export type Verdict = "pass" | "stop-before" | "stop-after";

/** A forwarding listener; `judge` is asked of each request, `onStop` is called once one is stopped. */
export function forwardTo(
  target: string,
  judge: (request: IncomingMessage) => Verdict = () => "pass",
  onStop: () => void = () => undefined,
): RequestListener {
  return (incoming, outgoing) => {
    const verdict = judge(incoming);
    incoming.on("error", () => undefined);
    outgoing.on("error", () => undefined);
    if (verdict === "stop-before") {
      onStop();
      return;
    }
    const upstream = send(
      new URL(incoming.url ?? "/", target),
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (reply) => {
        if (verdict === "stop-after") {
          reply.resume().on("end", onStop);
          return;
        }
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    upstream.on("error", () => {
      outgoing.destroy();
    });
    incoming.pipe(upstream);
  };
}

/** A server of plain HTTP on the loopback; gives its URL. */
export async function startFront(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`;
}

/** A front that may stop requests; `stopped` resolves once it has stopped one. */
export async function startStoppingFront(
  target: string,
  judge: (request: IncomingMessage) => Verdict,
): Promise<{ readonly front: string; readonly stopped: Promise<void> }> {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  return { front: await startFront(forwardTo(target, judge, stop)), stopped };
}

/** A private authority with one certificate for `names`; null where the machine has no openssl. */
export function createAuthority(
  names: readonly string[],
): { readonly caFile: string; readonly key: string; readonly cert: string } | null {
  const folder = createTree({
    "leaf.cnf": `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\n`,
  }).path;
  const openssl = (...args: string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  };
  try {
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      "2",
      "-subj",
      "/CN=Private Authority",
      "-addext",
      "basicConstraints=critical,CA:TRUE",
    );
    openssl(
      "req",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      "leaf.key",
      "-out",
      "leaf.csr",
      "-subj",
      `/CN=${names[0]}`,
    );
    openssl(
      "x509",
      "-req",
      "-in",
      "leaf.csr",
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-out",
      "leaf.pem",
      "-days",
      "2",
      "-extfile",
      "leaf.cnf",
    );
  } catch {
    return null;
  }
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { caFile: join(folder, "ca.pem"), key: read("leaf.key"), cert: read("leaf.pem") };
}

/** The same with TLS; gives its port. */
export async function startSecureFront(
  pair: { readonly key: string; readonly cert: string },
  listener: RequestListener,
): Promise<number> {
  return listen(
    createSecureServer({ key: pair.key, cert: pair.cert }, listener) as unknown as Server,
  );
}

export interface ConnectProxy {
  readonly port: number;
  /** Each `host:port` that was asked for, also one that it does not know. */
  readonly tunnels: string[];
  readonly refused: number[];
}

/** A CONNECT proxy that wants `user:p@ss` and knows where names lead that nobody else can resolve. */
export async function startConnectProxy(
  ports: Readonly<Record<string, number>>,
): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const refused: number[] = [];
  const server = createServer((_, response) => {
    response.writeHead(405).end();
  });
  server.on("connect", (request, socket, head) => {
    socket.on("error", () => undefined);
    if (
      request.headers["proxy-authorization"] !==
      `Basic ${Buffer.from("user:p@ss").toString("base64")}`
    ) {
      refused.push(407);
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return;
    }
    tunnels.push(request.url ?? "");
    const port = ports[request.url ?? ""];
    if (port === undefined) {
      socket.end("HTTP/1.1 502 No such host\r\n\r\n");
      return;
    }
    const through = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      if (head.length > 0) through.write(head);
      through.pipe(socket).pipe(through);
    });
    through.on("error", () => {
      socket.destroy();
    });
    socket.on("close", () => {
      through.destroy();
    });
  });
  return { port: await listen(server), tunnels, refused };
}
