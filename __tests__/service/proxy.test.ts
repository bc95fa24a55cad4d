import { afterEach, describe, expect, test } from "@jest/globals";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { ServiceError } from "../../src/service/control-plane.ts";
import { httpFor, json, startService } from "./fake-service.ts";

const open: { close: () => Promise<void> | void }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Proxy {
  readonly port: number;
  readonly tunnels: string[];
  readonly credentials: (string | undefined)[];
}

/** A CONNECT proxy that wants `user:p@ss`, and answers anything else 407; `mute` hangs up instead. */
async function startProxy(
  options: { readonly mute?: boolean; readonly status?: number } = {},
): Promise<Proxy> {
  const tunnels: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = createServer((_, response) => {
    response.writeHead(405).end();
  });
  server.on("connect", (request, socket, head) => {
    socket.on("error", () => undefined);
    credentials.push(request.headers["proxy-authorization"]);
    if (options.mute) {
      socket.destroy();
      return;
    }
    if (
      request.headers["proxy-authorization"] !==
      `Basic ${Buffer.from("user:p@ss").toString("base64")}`
    ) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return;
    }
    if (options.status !== undefined) {
      socket.end(`HTTP/1.1 ${options.status} No\r\n\r\n`);
      return;
    }
    tunnels.push(request.url ?? "");
    const [host, port] = (request.url ?? "").split(":");
    const through = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      if (head.length > 0) through.write(head);
      through.pipe(socket).pipe(through);
    });
    through.on("error", () => socket.destroy());
    socket.on("close", () => through.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
  return { port: (server.address() as AddressInfo).port, tunnels, credentials };
}
const keep = (value: unknown): unknown => value;
async function through(
  env: Record<string, string>,
  forMs = 60_000,
): Promise<{
  readonly ended: unknown;
  readonly seen: number;
  readonly host: string;
  readonly retries: string[];
}> {
  const service = await startService((_, response) => json(response, 200, { ok: true }));
  const { http, retries } = httpFor(service.url, {
    env,
    rules: { read: { forMs, minTries: 2 }, write: { forMs, minTries: 2 } },
  });
  open.push(service, http);
  const ended = await http
    .read({ url: `${service.url}/v2/x` }, keep)
    .catch((error: unknown) => error);
  return { ended, seen: service.seen.length, host: `127.0.0.1:${service.port}`, retries };
}

describe("proxies from the environment", () => {
  test.each(["HTTP_PROXY", "http_proxy"])(
    "are used from %s with a user and a percent-decoded password",
    async (name) => {
      const proxy = await startProxy();
      const { ended, seen, host } = await through({
        [name]: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
      });
      expect(ended).toEqual({ state: "found", value: { ok: true } });
      expect([seen, proxy.tunnels]).toEqual([1, [host]]);
    },
  );
  test("may be written without a scheme", async () => {
    const proxy = await startProxy();
    expect(
      (await through({ HTTP_PROXY: `user:p%40ss@127.0.0.1:${proxy.port}` })).ended,
    ).toMatchObject({ state: "found" });
    expect(proxy.tunnels.length).toBe(1);
  });
  test.each(["127.0.0.1", "example.com, 127.0.0.1", "*"])(
    "are bypassed with NO_PROXY=%s",
    async (noProxy) => {
      const proxy = await startProxy();
      const { ended } = await through({
        HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
        NO_PROXY: noProxy,
      });
      expect(ended).toMatchObject({ state: "found" });
      expect(proxy.credentials).toEqual([]);
    },
  );
  test("are used if NO_PROXY lists other hosts", async () => {
    const proxy = await startProxy();
    await through({
      HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
      NO_PROXY: "example.com,127.0.0.2",
    });
    expect(proxy.tunnels.length).toBe(1);
  });
  test("from HTTPS_PROXY are for https, and a write through them that reaches no server is refused as not sent", async () => {
    const proxy = await startProxy();
    const plain = await startService((_, response) => json(response, 200, {}));
    const base = `https://127.0.0.1:${plain.port}`;
    const { http } = httpFor(base, {
      env: { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` },
      rules: { write: { forMs: 0, minTries: 1 } },
    });
    open.push(plain, http);
    const result = await http.write(
      { method: "POST", url: `${base}/x`, route: "write", body: "{}" },
      keep,
    );
    expect(result).toMatchObject({
      state: "refused",
      status: 0,
      error: { sent: false, message: expect.stringContaining("nothing was sent: ") },
    });
    expect(proxy.tunnels).toEqual([`127.0.0.1:${plain.port}`]);
  });
  test("that refuse the password are reported at once, by variable and without the password", async () => {
    const proxy = await startProxy();
    const { ended, seen, retries } = await through({
      HTTP_PROXY: `http://user:hunter2@127.0.0.1:${proxy.port}`,
    });
    expect(ended).toBeInstanceOf(ServiceError);
    expect((ended as Error).message).toMatch(
      /nothing was sent.*the proxy wants a user and password \(407\)\. Put them into HTTPS_PROXY/,
    );
    expect((ended as Error).message).not.toContain("hunter2");
    expect([seen, retries.length, proxy.credentials.length]).toEqual([0, 0, 1]);
  });
  test("that answer 502, hang up or do not exist are tried again, then reported", async () => {
    const failing = await startProxy({ status: 502 });
    const mute = await startProxy({ mute: true });
    for (const [port, words] of [
      [failing.port, "the proxy did not connect to"],
      [mute.port, "the proxy did not connect to"],
      [1, "nothing was sent (2 tries): the proxy on the way to 127.0.0.1"],
    ] as const) {
      const { ended, retries } = await through(
        { HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${port}` },
        0,
      );
      expect((ended as Error).message).toContain(words);
      expect(retries.length).toBe(1);
    }
    expect([failing.credentials.length, mute.credentials.length]).toEqual([2, 2]);
  });
  test.each(["http://user:100%@127.0.0.1:1", "http://[", "ftp://user:hunter2@127.0.0.1"])(
    "with an invalid address are reported without its value: %s",
    async (address) => {
      const { ended } = await through({ HTTP_PROXY: address });
      expect((ended as Error).message).toMatch(/^HTTP_PROXY: is not a proxy address/);
      expect((ended as Error).message).not.toContain("hunter2");
    },
  );
});
