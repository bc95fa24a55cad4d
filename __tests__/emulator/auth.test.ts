import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import { open, repohost, type Client } from "./client.ts";
import { experiment } from "./upload-body.ts";

let client: Client;
const start = async (options: ServerOptions): Promise<Client> => (client = await open(options));
afterEach(() => client.running.close());

const TENANT = "66666666-6666-4666-8666-666666666666";
const OTHER = "77777777-7777-4777-8777-777777777777";
const KEYS: NonNullable<ServerOptions["apiKeys"]> = [
  { key: "workspace", tenant_id: TENANT },
  { key: "organization", scope: "organization" },
  { key: "european", region: "eu" },
];
const ask = async (headers: Record<string, string>): Promise<readonly [number, unknown]> => {
  const answered = await client.call("GET", "/v2/listeners", undefined, {
    "x-api-key": "",
    ...headers,
  });
  return [answered.status, answered.body.detail ?? answered.body.error ?? "fine"];
};

describe("credentials", () => {
  test("that are missing or unknown are a 401 on both APIs", async () => {
    await start({ apiKeys: KEYS });
    expect(await ask({})).toEqual([401, "Invalid token"]);
    expect(await ask({ "x-api-key": "unknown" })).toEqual([401, "Invalid token"]);
    expect(
      (
        await client.call("POST", "/api/v1/datasets/upload-experiment", experiment(), {
          "x-api-key": "unknown",
        })
      ).status,
    ).toBe(401);
  });

  test("of an organization need a tenant, of another region are a 403, and of a workspace are valid for its tenant only", async () => {
    await start({ apiKeys: KEYS, region: "us" });
    expect(await ask({ "x-api-key": "organization" })).toEqual([
      403,
      "org_scoped_key_requires_workspace",
    ]);
    expect(await ask({ "x-api-key": "organization", "x-tenant-id": TENANT })).toEqual([
      200,
      "fine",
    ]);
    expect(await ask({ "x-api-key": "european" })).toEqual([403, "Forbidden"]);
    expect(await ask({ "x-api-key": "workspace" })).toEqual([200, "fine"]);
    expect(await ask({ "x-api-key": "workspace", "x-tenant-id": OTHER })).toEqual([
      403,
      "Forbidden",
    ]);
    expect((await ask({ "x-api-key": "workspace", "x-tenant-id": "no-uuid" }))[0]).toBe(422);
  });

  test("by bearer token need a tenant as well", async () => {
    await start({ bearerTokens: ["t"] });
    expect(await ask({ authorization: "Bearer t", "x-tenant-id": TENANT })).toEqual([200, "fine"]);
    expect((await ask({ authorization: "Bearer t" }))[0]).toBe(403);
    expect((await ask({ authorization: "Bearer wrong", "x-tenant-id": TENANT }))[0]).toBe(401);
  });

  test("show only the deployments of their own tenant", async () => {
    await start({});
    const made = await client.call("POST", "/v2/deployments", repohost(), {
      "x-tenant-id": TENANT,
    });
    expect(made.body.tenant_id).toBe(TENANT);
    const see = async (tenant: string): Promise<number> =>
      (
        await client.call("GET", `/v2/deployments/${made.body.id}`, undefined, {
          "x-tenant-id": tenant,
        })
      ).status;
    expect([await see(TENANT), await see(OTHER)]).toEqual([200, 404]);
  });
});

describe("the request log and the state dump", () => {
  test("contain no credential, secret, container variable or user of a URL", async () => {
    await start({});
    const body = {
      name: "box",
      source: "external_container",
      secrets: [{ name: "A", value: "hush-secret" }],
      source_revision_config: { image_uri: "https://user:hush-url@registry.example.com/a" },
      source_config: {
        custom_url: "https://me:hush-custom@x.example.com",
        resource_spec: {
          sidecars: [{ name: "s", image: "i", env: [{ name: "E", value: "hush-env" }] }],
        },
      },
    };
    const made = await client.call("POST", "/v2/deployments", body, {
      authorization: "Bearer hush-bearer",
      "x-api-key": "hush-key",
    });
    expect(made.status).toBe(201);
    await client.call("POST", "/v2/deployments", {
      ...body,
      secrets: { odd: [{ name: "A", value: "hush-odd" }] },
    });
    await client.call("PATCH", `/v2/deployments/${made.body.id}`, {
      secrets: [{ name: "A", value: "hush-patch" }],
    });
    client.running.emulator.addFaults([{ route: "* *", kind: "reset-before" }]);
    await client
      .call("POST", "/v2/deployments", { ...body, secrets: [{ name: "A", value: "hush-fault" }] })
      .catch(() => undefined);
    const shown = JSON.stringify([
      (await client.call("GET", "/_emulator/requests")).body,
      (await client.call("GET", "/_emulator/state")).body,
    ]);
    expect(shown).not.toMatch(/hush-/);
    expect(shown).toMatch(/registry\.example\.com/);
  });

  test("are only for pages of the emulator's own origin", async () => {
    await start({});
    expect(
      (
        await client.call("POST", "/_emulator/reset", undefined, {
          origin: "https://evil.example.com",
        })
      ).status,
    ).toBe(403);
    expect((await client.call("POST", "/_emulator/nothing")).body.detail).toMatch(
      /POST \/_emulator\/reset/,
    );
  });
});

test("the hosted profile refuses in a create what the hosted service refuses beyond the document", async () => {
  await start({
    profile: "hosted",
    seed: {
      integrations: [{ id: TENANT, name: "acme" }],
      listeners: [{ id: OTHER, k8s_namespaces: ["agents"] }],
    },
  });
  const repo = (config: object, secrets: unknown = []): any =>
    repohost({
      source_config: {
        deployment_type: "dev",
        build_on_push: false,
        integration_id: TENANT,
        ...config,
      },
      secrets,
    });
  const box = (config: object): any => ({
    name: "box",
    source: "external_container",
    source_config: config,
    source_revision_config: { image_uri: "a:1" },
    secrets: [],
  });
  const refused = async (body: unknown): Promise<readonly [number, string]> => {
    const {
      status,
      body: { detail },
    } = await client.call("POST", "/v2/deployments", body);
    return [status, detail];
  };
  expect(await refused(repo({ deployment_type: undefined }))).toEqual([
    400,
    expect.stringContaining("deployment_type"),
  ]);
  expect(await refused(repo({ integration_id: OTHER }))).toEqual([
    404,
    `Integration ID ${OTHER} not found.`,
  ]);
  expect(await refused(repo({}, [{ name: "LANGSMITH_API_KEY", value: "x" }]))).toEqual([
    400,
    expect.stringContaining("LANGSMITH_API_KEY"),
  ]);
  expect(await refused(box({}))).toEqual([400, expect.stringContaining("resource_spec")]);
  expect(await refused(box({ resource_spec: {} }))).toEqual([400, expect.stringContaining(OTHER)]);
  expect(await refused(box({ resource_spec: {}, listener_id: TENANT }))).toEqual([
    404,
    `Listener ID ${TENANT} not found.`,
  ]);
  expect(
    await refused(box({ resource_spec: { redis_memory_mb: 100 }, listener_id: OTHER })),
  ).toEqual([400, expect.stringContaining("redis_memory_mb")]);
  expect(
    await refused(
      box({
        resource_spec: {},
        listener_id: OTHER,
        listener_config: { k8s_namespace: "elsewhere" },
      }),
    ),
  ).toEqual([400, expect.stringContaining("agents")]);
  expect(
    (
      await client.call(
        "POST",
        "/v2/deployments",
        box({
          resource_spec: {},
          listener_id: OTHER,
          listener_config: { k8s_namespace: "agents" },
        }),
      )
    ).status,
  ).toBe(201);
  expect((await client.call("POST", "/v2/deployments", repo({}))).status).toBe(201);
});
