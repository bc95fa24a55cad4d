import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ServiceError } from "../../src/service/control-plane.ts";
import { createRedactor } from "../../src/secrets/redaction.ts";
import type { Http, HttpOptions } from "../../src/service/http.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { httpFor, json, KEY, startService, type Answer, type FakeService } from "./fake-service.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function service(
  answer: Answer,
  options: { readonly port?: number; readonly early?: boolean } = {},
): Promise<FakeService> {
  const started = await startService(answer, options);
  open.push(started);
  return started;
}
function wire(base: string, options: Partial<HttpOptions> = {}): ReturnType<typeof httpFor> {
  const made = httpFor(base, options);
  open.push(made.http);
  return made;
}
const keep = (value: unknown): unknown => value;
const read = (http: Http, url: string, absent: readonly number[] = []): Promise<unknown> =>
  http.read({ url, absent }, keep);
const failure = async (promise: Promise<unknown>): Promise<ServiceError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("did not fail");
};
/** Answers the faults first, in order, then `{"ok":true}`. */
const okAfter = (...faults: readonly Answer[]): Answer => {
  let n = 0;
  return (request, response, raw) =>
    (faults[n++] ?? ((_, last) => json(last, 200, { ok: true })))(request, response, raw);
};
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    json(response, code, { detail: `fault ${code}` }, headers);
const FAULTS: Readonly<Record<string, Answer>> = {
  reset: (_, response) => {
    response.destroy();
  },
  "408": status(408),
  "425": status(425),
  "429": status(429),
  "429 with Retry-After": status(429, { "retry-after": "7" }),
  "500": status(500),
  "502": status(502),
  "503": status(503),
  "504": status(504),
  "520": status(520),
  "broken JSON": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"ok":');
  },
  "a truncated body": (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"ok":tr');
    setImmediate(() => response.destroy());
  },
  "a web page": (_, response) => {
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<html><title>Sign in</title></html>");
  },
  "a redirect to another origin": (_, response) => {
    response.writeHead(302, { location: "https://login.example.com/?next=x" }).end();
  },
  "a huge body": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(200_000)}"`);
  },
  silence: () => undefined,
  "a body that stops": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"ok":');
  },
};
const FAST = {
  maxReplyBytes: 100_000,
  // Far more than an answer on this machine takes, however busy it is.
  rules: { read: { tryMs: 1_000 }, write: { tryMs: 1_000 } },
  writeGraceMs: 50,
};

describe("reads", () => {
  test.each(Object.keys(FAULTS))("succeed after %s", async (fault) => {
    const { url, seen } = await service(okAfter(FAULTS[fault]!, FAULTS[fault]!));
    const { http, retries } = wire(url, FAST);
    expect(await read(http, `${url}/v2/x`)).toEqual({ state: "found", value: { ok: true } });
    expect([seen.length, retries.length]).toEqual([3, 2]);
  });
  test("retry a refused connection until the service is up", async () => {
    const gone = await startService(okAfter());
    await gone.close();
    const { http } = wire(gone.url, {
      onRetry: () => {
        if (open.length < 2) void service(okAfter(), { port: gone.port });
      },
    });
    expect(await read(http, `${gone.url}/v2/x`)).toEqual({ state: "found", value: { ok: true } });
  });
  test("print a wait as at least 0.1 s, and count the tries of the request", async () => {
    const { url } = await service(okAfter(status(503), status(503)));
    const told: [string, number][] = [];
    const { http } = wire(url, {
      random: () => 0.001,
      onRetry: (line, _, tries) => told.push([line, tries]),
    });
    await read(http, `${url}/v2/x`);
    expect(told).toEqual([
      [expect.stringMatching(/ Trying again in 0\.1 s\.$/), 1],
      [expect.stringMatching(/ Trying again in 0\.1 s\.$/), 2],
    ]);
  });
  test("share one connection for twenty in a row", async () => {
    const { url, server } = await service(status(200));
    server.keepAliveTimeout = 90_000;
    let sockets = 0;
    server.on("connection", () => {
      sockets += 1;
    });
    const { http } = wire(url);
    for (let i = 0; i < 20; i += 1) await read(http, `${url}/v2/deployments/${i}`);
    expect(sockets).toBe(1);
  });

  test("give up on a failing service after 60 s and at least 6 tries, and the error counts the tries", async () => {
    const { url, seen } = await service(status(503));
    const { http, clock } = wire(url);
    const error = await failure(read(http, `${url}/v2/x`));
    expect(clock.monotonic()).toBeGreaterThanOrEqual(60_000);
    expect(clock.monotonic()).toBeLessThan(61_000);
    expect(seen.length).toBeGreaterThanOrEqual(6);
    expect(error.message).toBe(
      `GET ${url}/v2/x: 503 (${seen.length} tries): fault 503. The service failed; run again later, and ask its operator if it stays so.`,
    );
    expect(error.status).toBe(503);
  });
  test("still make six tries if each is slow", async () => {
    const clock = createManualClock({ auto: true });
    const { url, seen } = await service((_, response) => {
      void clock.advance(30_000);
      json(response, 503, {});
    });
    const { http } = wire(url, { clock });
    await failure(read(http, `${url}/v2/x`));
    expect(seen.length).toBe(6);
  });
  test("end before a given deadline", async () => {
    const { url } = await service(status(503));
    const { http, clock } = wire(url);
    await failure(http.read({ url: `${url}/v2/x` }, keep, { deadlineMs: 5_000 }));
    expect(clock.monotonic()).toBeLessThan(5_000);
  });
  test.each([
    ["seconds", "42", 42_000],
    ["a fraction", "0.5", 500],
    ["an HTTP date", new Date(Date.UTC(2026, 0, 1, 0, 0, 30)).toUTCString(), 30_000],
    ["more than a minute", "3600", 60_000],
  ])("wait for a Retry-After in %s", async (_, header, wait) => {
    const { url } = await service(okAfter(status(429, { "retry-after": header })));
    const { http, clock } = wire(url);
    await read(http, `${url}/v2/x`);
    expect(clock.slept[0]).toBe(wait);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(wait);
    expect(clock.monotonic()).toBeLessThan(wait + 100);
  });
  test.each([
    ["20 seconds", { "retry-after": "20" }, 20_000],
    ["no time", {}, 1_000],
    ["no seconds", { "retry-after": "0" }, 1_000],
    ["a date in the past", { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }, 1_000],
  ])("of all callers in the run wait after a 429 with %s", async (_, headers, wait) => {
    const clock = createManualClock({ auto: true });
    const at: number[] = [];
    const { url } = await service((request, response) => {
      at.push(clock.monotonic());
      if (request.path === "/a" && at.length === 1) json(response, 429, {}, headers);
      else json(response, 200, {});
    });
    const { http } = wire(url, { clock });
    const first = read(http, `${url}/a`);
    while (clock.slept.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, read(http, `${url}/b`)]);
    expect(at[0]).toBe(0);
    expect(Math.min(...at.slice(1))).toBeGreaterThanOrEqual(wait);
  });
  test("fail after one request for statuses such as 401, 403, 404, 409 and 422", async () => {
    for (const code of [400, 401, 403, 404, 405, 409, 413, 422, 501]) {
      const { url, seen } = await service(status(code));
      expect((await failure(read(wire(url).http, `${url}/v2/x`))).status).toBe(code);
      expect(seen.length).toBe(1);
    }
  });
  test("return a status that the caller expects", async () => {
    const { url } = await service(status(404));
    expect(await read(wire(url).http, `${url}/v2/x`, [404])).toEqual({
      state: "absent",
      status: 404,
    });
  });
  test("follow three redirects within the origin, with the key", async () => {
    const { url, seen } = await service((request, response) => {
      const hop = Number(request.path.slice(1));
      if (hop < 3) response.writeHead(307, { location: `/${hop + 1}` }).end();
      else json(response, 200, { hop });
    });
    expect(await read(wire(url).http, `${url}/0`)).toEqual({ state: "found", value: { hop: 3 } });
    expect(seen.every(({ headers }) => headers["x-api-key"] === KEY)).toBe(true);
  });
  test("never send the key to another origin after a redirect, and the error names the input to change", async () => {
    const other = await service(okAfter());
    const { url } = await service((_, response) => {
      response.writeHead(302, { location: `${other.url}/steal?token=abc` }).end();
    });
    const error = await failure(read(wire(url).http, `${url}/v2/x`));
    expect(other.seen).toEqual([]);
    expect(error.message).toContain(`redirects to ${other.url}, which is refused`);
    expect(error.input).toBe("control-plane-url");
    expect(error.message).not.toContain("abc");
  });
  test("send the key only to the service's own address", async () => {
    const { url, seen } = await service(okAfter());
    const error = await failure(read(wire("https://service.example.com").http, `${url}/v2/x`));
    expect([seen.length, error.message]).toEqual([
      0,
      expect.stringContaining("is not a configured service URL"),
    ]);
  });
  test("send a token that was renewed during the run", async () => {
    const { url, seen } = await service(status(200));
    const tokens = ["first-token-of-the-run", "second-token-of-the-run"];
    const { http } = wire(url, {
      credentials: () => Promise.resolve({ Authorization: `Bearer ${tokens.shift()!}` }),
    });
    await read(http, `${url}/v2/x`);
    await read(http, `${url}/v2/x`);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first-token-of-the-run",
      "Bearer second-token-of-the-run",
    ]);
  });
  test("stop an endless body at the limit", async () => {
    let written = 0;
    const { url } = await service((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536))) written += 65_536;
      };
      response.on("drain", more);
      more();
    });
    const error = await failure(
      read(
        wire(url, { maxReplyBytes: 1024 * 1024, rules: { read: { forMs: 0, minTries: 1 } } }).http,
        `${url}/v2/x`,
      ),
    );
    expect(error.message).toContain("the answer is larger than 1 MB");
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });
  test("report a web page by its title instead of its text", async () => {
    const { url } = await service((_, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><title>Sign in ${KEY}</title><p>${"long ".repeat(1000)}`);
    });
    const { message } = await failure(read(wire(url).http, `${url}/v2/x`));
    expect(message).toContain('answers with a web page ("Sign in ***") where JSON is expected');
    expect(message).not.toContain("long");
  });
  test("end at once with the signal's reason when aborted, also between tries", async () => {
    const stop = new AbortController();
    const { url } = await service(() => stop.abort(new Error("SIGINT")));
    await expect(
      wire(url, { signal: stop.signal }).http.read({ url: `${url}/x` }, keep),
    ).rejects.toThrow("SIGINT");
    const pausing = new AbortController();
    const broken = await service(status(503));
    const { http } = wire(broken.url, {
      clock: createManualClock(),
      onRetry: () => {
        setImmediate(() => pausing.abort(new Error("SIGTERM")));
      },
    });
    await expect(
      http.read({ url: `${broken.url}/x` }, keep, { signal: pausing.signal }),
    ).rejects.toThrow("SIGTERM");
  });
});

describe("writes", () => {
  const write = (
    http: Http,
    url: string,
    body: string | (() => AsyncIterable<Uint8Array>) = '{"a":1}',
  ): ReturnType<Http["write"]> => http.write({ method: "POST", url, route: "write", body }, keep);

  test.each(Object.keys(FAULTS).filter((fault) => !/425|429/.test(fault)))(
    "that end in %s are unknown, and sent once",
    async (fault) => {
      const { url, seen } = await service(okAfter(FAULTS[fault]!));
      const result = await write(wire(url, FAST).http, `${url}/v2/deployments`);
      expect(result.state).toBe("unknown");
      expect(seen.length).toBe(1);
    },
  );
  test.each(["425", "429", "429 with Retry-After"])(
    "answered with %s were not processed, and are retried with their body",
    async (fault) => {
      const { url, seen } = await service(okAfter(FAULTS[fault]!, FAULTS[fault]!));
      expect(await write(wire(url).http, `${url}/v2/deployments`)).toEqual({
        state: "taken",
        reply: { ok: true },
      });
      expect(seen.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    },
  );
  test.each([307, 308])(
    "redirected with %i are retried at the original address, and refused if that does not help",
    async (code) => {
      const other = await service(okAfter());
      const elsewhere: Answer = (_, response) => {
        response.writeHead(code, { location: `${other.url}/v2/deployments` }).end();
      };
      const once = await service(okAfter(elsewhere));
      expect(await write(wire(once.url).http, `${once.url}/v2/deployments`)).toEqual({
        state: "taken",
        reply: { ok: true },
      });
      const always = await service(elsewhere);
      const result = await write(wire(always.url).http, `${always.url}/v2/deployments`);
      expect(result).toMatchObject({
        state: "refused",
        status: code,
        error: {
          message: expect.stringMatching(
            /which is refused: it would get the key\. Set control-plane-url/,
          ),
        },
      });
      expect([once.seen.length, other.seen]).toEqual([2, []]);
    },
  );
  test("with a refused connection are retried, with a streamed body generated again for each try", async () => {
    const gone = await startService(okAfter());
    await gone.close();
    let live: FakeService | undefined;
    const { http } = wire(gone.url, {
      onRetry: async () => {
        if (open.length < 2) live = await service(okAfter(status(429)), { port: gone.port });
      },
    });
    let made = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      made += 1;
      yield Buffer.from("hel");
      yield Buffer.from("lo");
    }
    expect(await write(http, `${gone.url}/v2/deployments`, body)).toEqual({
      state: "taken",
      reply: { ok: true },
    });
    expect(live?.seen.map((request) => request.body)).toEqual(["hello", "hello"]);
    expect(made).toBe(2);
  });
  test("are unknown if the connection breaks within a streamed body, and refused if the body itself fails", async () => {
    const { url } = await service((_, response) => json(response, 200, {}));
    const breaking = createServer((socket) => {
      let bytes = 0;
      socket
        .on("error", () => undefined)
        .on("data", (chunk) => {
          bytes += chunk.length;
          if (bytes > 300_000) socket.destroy();
        });
    });
    await new Promise<void>((resolve) => {
      breaking.listen(0, "127.0.0.1", resolve);
    });
    const base = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`;
    let released = 0;
    async function* body(failsAt = Infinity): AsyncGenerator<Uint8Array> {
      try {
        for (let n = 0; n < 200; n++) {
          if (n === failsAt) throw new Error("the file changed");
          yield Buffer.alloc(65_536, 120);
        }
      } finally {
        released += 1;
      }
    }
    expect(await write(wire(base).http, `${base}/v2/deployments`, () => body())).toMatchObject({
      state: "unknown",
      error: { message: expect.stringMatching(/no answer: .* broke/) },
    });
    expect(await write(wire(url).http, `${url}/v2/deployments`, () => body(3))).toMatchObject({
      state: "refused",
      status: 0,
      error: {
        message: expect.stringMatching(
          /not sent whole: the body could not be made: the file changed/,
        ),
      },
    });
    expect(released).toBe(2);
    await new Promise((resolve) => {
      breaking.close(resolve);
    });
  });
  test("that never reached the service are refused with status 0", async () => {
    const gone = await startService(okAfter());
    await gone.close();
    const result = await write(wire(gone.url).http, `${gone.url}/v2/deployments`);
    expect(result).toMatchObject({ state: "refused", status: 0 });
    expect((result as { error: Error }).error.message).toContain(
      `POST ${gone.url}/v2/deployments: nothing was sent (`,
    );
    expect((result as { error: Error }).error.message).toContain("ECONNREFUSED");
  });
  test("over https to a port without TLS send nothing, and are refused", async () => {
    const { port, seen } = await service(okAfter());
    const base = `https://127.0.0.1:${port}`;
    expect(await write(wire(base).http, `${base}/v2/deployments`)).toMatchObject({
      state: "refused",
      status: 0,
    });
    expect(seen).toEqual([]);
  });
  test.each([400, 401, 403, 404, 409, 413, 422, 501])(
    "answered with %i are refused with a descriptive error",
    async (code) => {
      const { url, seen } = await service(status(code));
      const result = await write(wire(url).http, `${url}/v2/deployments`);
      expect(result).toMatchObject({ state: "refused", status: code });
      expect((result as { error: Error }).error.message).toContain(
        `POST ${url}/v2/deployments: ${code}: fault ${code}`,
      );
      expect(seen.length).toBe(1);
    },
  );
  test("that keep getting a 429 are refused after the policy's tries", async () => {
    const { url, seen } = await service(status(429, { "retry-after": "30" }));
    const { http, clock } = wire(url);
    expect(await write(http, `${url}/v2/deployments`)).toMatchObject({
      state: "refused",
      status: 429,
    });
    expect(seen.length).toBe(6);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(150_000);
  });
  test("use a new connection each, so that a stale one cannot leave them unknown", async () => {
    const ports = new Set<number | undefined>();
    const { url } = await service((_, response, raw) => {
      ports.add(raw.socket.remotePort);
      json(response, 200, {});
    });
    const { http } = wire(url);
    for (let n = 0; n < 3; n++) await write(http, `${url}/v2/deployments`);
    expect(ports.size).toBe(3);
  });
  test("read a response that arrives before the whole body is sent", async () => {
    const { url } = await service(
      (_, response) => {
        response
          .writeHead(413, { "content-type": "application/json", connection: "close" })
          .end('{"detail":"too large"}');
      },
      { early: true },
    );
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 400; n++) yield Buffer.alloc(65_536, 97);
    }
    const result = await wire(url).http.write(
      { method: "POST", url: `${url}/upload`, route: "upload", body },
      keep,
    );
    expect(result).toMatchObject({ state: "refused", status: 413 });
  });
  test("whose body cannot be generated are refused with that cause, not as a network failure", async () => {
    const { url } = await service(okAfter());
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("[1,");
      throw new Error("results.json: line 7 is cut off");
    }
    const result = await write(wire(url).http, `${url}/upload`, body);
    expect(result).toMatchObject({ state: "refused", status: 0 });
    expect((result as { error: Error }).error.message).toContain("results.json: line 7 is cut off");
  });
  test("read a stream no faster than the service accepts it", async () => {
    let made = 0;
    let release = (): void => undefined;
    const { url } = await service(
      (_, response, raw) => {
        raw.pause();
        release = () => {
          raw.resume();
          raw.on("end", () => json(response, 200, {}));
        };
      },
      { early: true },
    );
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 2000; n++) {
        made += 1;
        yield Buffer.alloc(65_536);
      }
    }
    const done = write(wire(url).http, `${url}/upload`, body);
    let before = -1;
    while (before !== made || made === 0) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(made).toBeLessThan(500);
    release();
    expect((await done).state).toBe("taken");
    expect(made).toBe(2000);
  });
  test("in progress get a short grace period for the response after an abort", async () => {
    const stop = new AbortController();
    const { url } = await service((_, response) => {
      stop.abort(new Error("SIGINT"));
      setTimeout(() => json(response, 200, { id: "x" }), 20);
    });
    expect(
      await write(
        wire(url, { signal: stop.signal, writeGraceMs: 1_500 }).http,
        `${url}/v2/deployments`,
      ),
    ).toEqual({ state: "taken", reply: { id: "x" } });
    const hard = new AbortController();
    const silent = await service(() => hard.abort(new Error("SIGINT")));
    expect(
      (
        await write(
          wire(silent.url, { signal: hard.signal, writeGraceMs: 30 }).http,
          `${silent.url}/v2/deployments`,
        )
      ).state,
    ).toBe("unknown");
    await expect(
      write(wire(silent.url, { signal: hard.signal }).http, `${silent.url}/v2/deployments`),
    ).rejects.toThrow("SIGINT");
    expect(silent.seen.length).toBe(1);
  });
  test.each(["q7z", "true", "(){}"])(
    "do not repeat %s in an error, which a run's redactor would keep in text",
    async (secret) => {
      const redactor = createRedactor();
      redactor.add(secret);
      const { url } = await service((_, response) =>
        json(response, 422, { detail: `no ${secret}` }),
      );
      const { http } = wire(url, { redact: redactor.redact });
      const request = { method: "POST", url: `${url}/x`, route: "write", body: "{}" } as const;
      const result = await http.write({ ...request, secretValues: [secret] }, keep);
      expect((result as { error: Error }).error.message).toContain(": no ***.");
    },
  );
  test("never repeat a token in an error that was renewed during the run", async () => {
    const { url } = await service((request, response) =>
      json(response, 403, {
        detail: `the token ${request.headers.authorization!.slice(7)} has expired`,
      }),
    );
    const { http } = wire(url, {
      credentials: () => Promise.resolve({ Authorization: "Bearer Qw8zR2another9fKx" }),
    });
    const error: unknown = await read(http, `${url}/v2/x`).catch((cause: unknown) => cause);
    expect((error as Error).message).toContain("the token *** has expired");
  });
  test("send the length of a body if it is known, since stores refuse a chunked PUT", async () => {
    const { url, seen } = await service(status(200));
    const { http } = wire(url);
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("archive");
    }
    await http.putSigned({ url: `${url}/put`, headers: {}, body, contentLength: 7 });
    expect(seen[0]!.headers).toMatchObject({ "content-length": "7" });
    expect(seen[0]!.headers).not.toHaveProperty("transfer-encoding");
  });
  test("never repeat a secret of the body in an error, whatever the service echoes", async () => {
    const secret = 'p"ss wörd!';
    const echoes: readonly string[] = [
      JSON.stringify({ detail: `bad value ${secret} for DB` }),
      JSON.stringify({
        detail: [
          {
            loc: ["body", "secrets", 0, "value"],
            msg: "bad",
            input: secret,
            ctx: { given: secret },
          },
        ],
      }),
      `plain ${secret}`,
      `<title>${secret}</title>`,
      JSON.stringify({ error: JSON.stringify({ value: secret }) }),
      `x ${encodeURIComponent(secret)} ${KEY}`,
    ];
    for (const echo of echoes) {
      const { url } = await service((_, response) => {
        response
          .writeHead(422, {
            "content-type": echo.startsWith("{") ? "application/json" : "text/plain",
          })
          .end(echo);
      });
      const result = await wire(url).http.write(
        { method: "POST", url: `${url}/x`, route: "write", body: "{}", secretValues: [secret] },
        keep,
      );
      const { message } = (result as { error: Error }).error;
      for (const hidden of [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
        KEY,
      ])
        expect(message).not.toContain(hidden);
    }
  });
});
