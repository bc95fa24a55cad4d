import { afterEach, describe, expect, test } from "@jest/globals";
import {
  startEmulator,
  type RunningEmulator,
  type ServerOptions,
} from "../../src/emulator/server.ts";

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
      body:
        text === ""
          ? undefined
          : /json/.test(response.headers.get("content-type") ?? "")
            ? JSON.parse(text)
            : text,
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
  test("creates a deployment whose revision goes through every phase and becomes active only when DEPLOYED", async () => {
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

  test("the request log holds every request and no secret value", async () => {
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

  test("a hosted deployment is answered in the hosted spelling, also under /api-host", async () => {
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

test("a client that goes away in the middle of a body, or is refused before it was read, does not hurt the emulator", async () => {
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
