import { afterEach, describe, expect, test } from "@jest/globals";
import { get } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import {
  startEmulator,
  type RunningEmulator,
  type ServerOptions,
} from "../../src/emulator/server.ts";
import { open, repohost } from "./client.ts";

const parse = (text: string) => (text === "" ? undefined : JSON.parse(text));

let running: RunningEmulator | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(
  options: ServerOptions = {},
): Promise<
  (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: any; headers: Headers }>
> {
  running = await startEmulator({ clock: { manual: true }, ...options });
  return async (method, path, body, headers = {}) => {
    const response = await fetch(running!.url + path, {
      method,
      headers: { "x-api-key": "k", "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    const text = await response.text();
    return {
      status: response.status,
      body: /json/.test(response.headers.get("content-type") ?? "") ? parse(text) : text,
      headers: response.headers,
    };
  };
}

const REPOHOST = {
  name: "a",
  source: "repohost",
  source_config: { repo_url: "https://git.example.com/acme/agents" },
  source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
  secrets: [{ name: "K", value: "s3cret-value" }],
};

describe("the emulator over HTTP", () => {
  test("creates a deployment whose revision goes through every phase, and is active once DEPLOYED", async () => {
    const call = await start();
    const made = await call("POST", "/v2/deployments", REPOHOST);
    expect(made.status).toBe(201);
    expect(made.body.source).toBe("repohost");
    const seen: string[] = [];
    for (let i = 0; i < 40; i++) {
      const { body } = await call(
        "GET",
        `/v2/deployments/${made.body.id}/revisions/${made.body.latest_revision_id}`,
      );
      if (seen.at(-1) !== body.status) seen.push(body.status);
      const live = await call("GET", `/v2/deployments/${made.body.id}`);
      expect(live.body.active_revision_id).toBe(
        body.status === "DEPLOYED" ? made.body.latest_revision_id : null,
      );
      await call("POST", "/_emulator/clock", { advance_ms: 5 });
    }
    expect(seen).toEqual([
      "CREATING",
      "QUEUED",
      "AWAITING_BUILD",
      "BUILDING",
      "AWAITING_DEPLOY",
      "DEPLOYING",
      "DEPLOYED",
    ]);
  });

  test("the request log has every request and no secret value", async () => {
    const call = await start();
    await call("POST", "/v2/deployments", REPOHOST, { "x-api-key": "key-in-header" });
    const { body } = await call("GET", "/_emulator/requests");
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      method: "POST",
      path: "/v2/deployments",
      status: 201,
      body: { name: "a", secrets: [{ name: "K", value: "***" }] },
    });
    expect(JSON.stringify(body)).not.toMatch(/s3cret-value|key-in-header/);
    expect(JSON.stringify((await call("GET", "/_emulator/state")).body)).not.toMatch(
      /s3cret-value/,
    );
  });

  test.each([["s3cret-value"], [["s3cret-value"]], [{ K: "s3cret-value" }]])(
    "the request log hides secrets that are written as %j",
    async (secrets) => {
      const call = await start();
      await call("POST", "/v2/deployments", { ...REPOHOST, secrets });
      const { body } = await call("GET", "/_emulator/requests");
      expect(body).toMatchObject([{ status: 422, body: { name: "a" } }]);
      expect(JSON.stringify(body)).not.toContain("s3cret-value");
    },
  );

  test("a hosted deployment is returned in the hosted spelling, also under /api-host", async () => {
    const call = await start({ readback: "hosted" });
    const made = await call("POST", "/api-host/v2/deployments", {
      name: "c",
      source: "external_docker",
      source_config: { resource_spec: { cpu: 2 } },
      source_revision_config: { image_uri: "r/x:1" },
      secrets: [],
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      source: "external_docker",
      source_revision_config: { image_uri: "r/x:1", langgraph_config_path: null },
      source_config: { resource_spec: { cpu: 2, cpu_limit: 4, queue_cpu: 2 } },
    });
    expect(made.body.source_config).not.toHaveProperty("listener_config");
  });
});

test("a client that disconnects within a body, or is refused before its body is read, does not affect others", async () => {
  const call = await start();
  const { request } = await import("node:http");
  await new Promise<void>((resolve) => {
    const sent = request(`${running!.url}/v2/deployments`, {
      method: "POST",
      headers: { "x-api-key": "k", "content-length": "1000" },
    });
    sent.on("error", () => resolve());
    sent.write("{");
    setTimeout(() => sent.destroy(), 20);
  });
  const big = "x".repeat(3_000_000);
  const refused = await fetch(`${running!.url}/v2/deployments`, { method: "POST", body: big });
  expect(refused.status).toBe(401);
  expect((await call("GET", "/v2/deployments")).status).toBe(200);
});

describe("hostile requests", () => {
  test("another site's name in the Host header is refused on every route (DNS rebinding)", async () => {
    const running = await startEmulator();
    const ask = (host: string, path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const { port } = new URL(running.url);
        get({ port, host: "127.0.0.1", path, headers: { host, "x-api-key": "k" } }, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        }).on("error", reject);
      });
    for (const path of ["/_emulator/state", "/_emulator/health", "/v2/deployments", "/"]) {
      expect([path, await ask("evil.example.com:80", path)]).toEqual([path, 403]);
      for (const host of ["localhost:1", "127.0.0.1", "[::1]:2", "emulator:4010"])
        expect([path, host, await ask(host, path)]).toEqual([path, host, 200]);
    }
    await running.close();
  });

  test("deeply nested JSON is refused with a 422", async () => {
    const client = await open();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const at = "/api/v1/datasets/upload-experiment";
    for (const [method, path] of [
      ["POST", "/v2/deployments"],
      ["POST", "/_emulator/options"],
      ["POST", at],
    ] as const) {
      const body = path === at ? `{"results":[{"inputs":{"a":${deep}}}]}` : `{"a":${deep}}`;
      expect([path, (await client.call(method, path, body)).status]).toEqual([path, 422]);
    }
    await client.running.close();
  });
});

describe("for tests and CI", () => {
  test("requests are filtered, counted and asserted, and replies shown on request", async () => {
    const client = await open();
    const made = await client.create(repohost({ name: "a", secrets: [{ name: "S", value: "v" }] }));
    await client.call("GET", `/v2/deployments/${made.id}`);
    await client.call("GET", "/v2/nothing");
    const get = async (path: string): Promise<unknown> =>
      (await client.call("GET", `/_emulator/requests${path}`)).body;
    expect(await get("/count?method=GET&path=/v2/deployments/{id}")).toEqual({ count: 1 });
    expect(await get("/count?status=404")).toEqual({ count: 1 });
    expect(await get("?method=POST&replies=true")).toMatchObject([
      { method: "POST", reply: { id: made.id, secrets: [{ name: "S", value: "***" }] } },
    ]);
    const assert = async (body: object): Promise<number> =>
      (await client.call("POST", "/_emulator/requests/assert", body)).status;
    expect(await assert({ method: "POST", path: "/v2/deployments", body: { name: "a" } })).toBe(
      200,
    );
    expect(await assert({ method: "POST", path: "/v2/deployments", count: 2 })).toBe(417);
    expect(await assert({ metod: "POST" })).toBe(422);
    expect((await client.call("GET", "/_emulator/requests?stauts=404")).status).toBe(422);
    for (const name of ["constructor", "toString", "__proto__"])
      expect((await client.call("GET", `/_emulator/requests?${name}=1`)).status).toBe(422);
    expect((await client.call("GET", "/_emulator/requests?status=007")).status).toBe(200);
    expect((await client.call("HEAD", "/")).status).toBe(200);
    await client.running.close();
  });

  test("null in an admin body counts as absent", async () => {
    const client = await open();
    const post = async (name: string, body: object): Promise<number> =>
      (await client.call("POST", `/_emulator/${name}`, body)).status;
    const asked = { method: "GET", path: "/v2/deployments" };
    expect(await post("requests/assert", { ...asked, max: null })).toBe(417);
    expect(await post("requests/assert", { ...asked, count: 0, min: null, max: null })).toBe(200);
    expect(await post("clock", { advance_ms: 1, advance_until: null })).toBe(200);
    const fault = { route: "GET /v2/deployments", kind: "reset-before", nth: null, status: null };
    expect(await post("faults", { ...fault, kind: "status", status: 503, times: null })).toBe(200);
    expect(await post("faults", fault)).toBe(200);
    expect((await client.call("GET", "/v2/deployments")).status).toBe(503);
    expect(await post("options", { timeScale: 7, region: "eu", phases: { QUEUED: null } })).toBe(
      200,
    );
    const back = await client.call("POST", "/_emulator/options", { region: null });
    expect(back.body).toMatchObject({ timeScale: 7, region: "us", phases: { QUEUED: 140 } });
    const again = await client.call("POST", "/_emulator/options", { timeScale: null });
    expect(again.body).toMatchObject({ timeScale: 1, phases: { QUEUED: 20 } });
    await client.running.close();
  });

  test("the last value of a repeated query parameter counts", async () => {
    const client = await open();
    const made = await client.create(repohost({ name: "a" }));
    client.running.emulator.advance(60_000);
    const one = `/v2/deployments/${made.id}`;
    const lengths = await Promise.all(
      [
        "/v2/deployments?name=b&name=a",
        "/v2/deployments?status=UNUSED&status=READY",
        `${one}/revisions?status=SKIPPED&status=DEPLOYED`,
        "/api/v1/sessions?name_contains=z&name_contains=A",
      ].map(async (path) => {
        const { body } = await client.call("GET", path);
        return (body.resources ?? body).length;
      }),
    );
    expect(lengths).toEqual([1, 1, 1, 1]);
    const logs = await client.call("GET", `${one}/logs?type=build&type=deploy`);
    expect(logs.body.logs.map((line: any) => line.message)).toContain("the new revision is ready");
    await client.running.close();
  });

  test("a log requested with a POST needs no body", async () => {
    const client = await open();
    const made = await client.create(repohost({ name: "a" }));
    client.running.emulator.advance(60_000);
    const at = `/v1/projects/${made.id}/revisions/${made.latest_revision_id}/build_logs`;
    const [bare, empty] = [await client.call("POST", at), await client.call("POST", at, {})];
    expect([bare.status, bare.body.logs.length > 0]).toEqual([200, true]);
    expect(bare.body).toEqual(empty.body);
    await client.running.close();
  });

  test("the clock can be advanced until a status, and a reset undoes changes", async () => {
    const running = await startEmulator({ timeScale: 1000 });
    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
      const headers = { "x-api-key": "k" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(running.url + path, { method, headers, ...sent })).json();
    };
    const made = await call("POST", "/v2/deployments", repohost({ name: "slow" }));
    await call("POST", "/_emulator/clock", { advance_until: "DEPLOYED", deployment: "slow" });
    const at = `/v2/deployments/${made.id}`;
    expect((await call("GET", at)).active_revision_id).toBe(made.latest_revision_id);
    const never = await call("POST", "/_emulator/clock", { advance_until: "BUILD_FAILED" });
    expect(never.detail).toContain("never is BUILD_FAILED: it ends DEPLOYED");
    await call("POST", "/_emulator/options", { list: 501 });
    await call("POST", "/_emulator/reset", {});
    expect((await call("GET", "/v2/deployments")).resources).toEqual([]);
    await running.close();
  });
});

const UPLOAD = "/api/v1/datasets/upload-experiment";

test.each([
  ["a fault", { faults: [{ route: "* *", kind: "status", status: 401 }] }, 401, UPLOAD],
  ["a refusal", {}, 404, "/nothing"],
] as const)(
  "after %s a body is read to its end: a client that still sends it gets the answer",
  async (_, options, status, path) => {
    await start(options as ServerOptions);
    const { port } = new URL(running!.url);
    const socket = connect(Number(port), "127.0.0.1");
    const half = "x".repeat(1024 * 1024);
    const length = `content-length: ${2 * half.length}`;
    const head = [`POST ${path} HTTP/1.1`, "host: 127.0.0.1", "connection: close", length];
    socket.write(`${head.join("\r\n")}\r\nx-api-key: k\r\n\r\n${half}`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.write(half);
    // A connection that the server resets while it is written to rejects this.
    await once(socket.resume(), "close");
  },
);
