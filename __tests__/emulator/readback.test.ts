import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import { container, open, repohost, type Client } from "./client.ts";

let client: Client;
const start = async (options: ServerOptions): Promise<Client> => (client = await open(options));
afterEach(() => client.running.close());
const COMMIT = "c".repeat(40);
const seed = {
  heads: { "https://git.example.com/acme/agents.git": { main: COMMIT } },
  integrations: [],
  listeners: [],
};

describe("reading back as the hosted service does", () => {
  test("a repository deployment shows its branch and commit, the image once it is built, and no commands", async () => {
    await start({ readback: "hosted", seed });
    const made = await client.create(repohost({ source_config: { install_command: "npm ci" } }));
    expect(made.source_revision_config).toEqual({
      repo_ref: COMMIT,
      repo_commit_sha: COMMIT,
      graph_config_path: "graph.json",
      image_uri: null,
      source_tarball_path: null,
    });
    expect(made.source_config).toMatchObject({
      repo_branch: "main",
      deployment_type: "prod",
      build_on_push: false,
    });
    expect(made.source_config).not.toHaveProperty("install_command");
    client.running.emulator.advance(1000);
    expect(
      (await client.call("GET", `/v2/deployments/${made.id}`)).body.source_revision_config
        .image_uri,
    ).toMatch(/:/);
  });

  test("a container deployment shows every resource field with defaults filled in, and the repository fields as null", async () => {
    await start({ readback: "hosted", seed });
    const made = await client.create(
      container({
        source_config: {
          resource_spec: {
            cpu: 2,
            queue_cpu: 3,
            min_scale: 4,
            sidecars: [{ name: "s", image: "i" }],
          },
          listener_config: { k8s_namespace: "n" },
        },
      }),
    );
    expect(made.source_config).toMatchObject({
      deployment_type: "prod",
      build_on_push: false,
      integration_id: null,
    });
    expect(made.source_config).not.toHaveProperty("listener_config");
    expect(made.source_config.resource_spec).toMatchObject({
      cpu: 2,
      cpu_limit: 4,
      queue_cpu: 3,
      queue_cpu_limit: 6,
      min_scale: 4,
      max_scale: 4,
      queue_min_scale: 4,
      memory_mb: 1024,
      memory_limit_mb: 2048,
      db_cpu: null,
      labels: null,
      sidecars: [{ name: "s", image: "i", command: null, imagePullPolicy: null }],
    });
  });

  test("a PATCH replaces the whole resource spec, including defaults that were read back", async () => {
    await start({ readback: "hosted", seed });
    const made = await client.create(
      container({ source_config: { resource_spec: { cpu: 2, labels: { a: "b" } } } }),
    );
    const patched = await client.call("PATCH", `/v2/deployments/${made.id}`, {
      source_config: { resource_spec: { memory_mb: 512 } },
    });
    expect(patched.body.source_config.resource_spec).toMatchObject({
      cpu: 1,
      memory_mb: 512,
      memory_limit_mb: 1024,
      labels: null,
    });
  });
});

test.each([
  ["stars", "***"],
  ["bullets", "••••••"],
  ["empty", ""],
  ["null", null],
] as const)("secret values are masked as %s on reading, and kept", async (secretValues, shown) => {
  await start({ secretValues, maskedSecrets: ["HIDDEN"] });
  const secrets = [
    { name: "HIDDEN", value: "h" },
    { name: "SHOWN", value: "s" },
  ];
  const made = await client.create(repohost({ secrets }));
  expect(made.secrets).toEqual([
    { name: "HIDDEN", value: shown },
    { name: "SHOWN", value: "s" },
  ]);
  client.running.emulator.configure({ secretValues: "plain" });
  expect((await client.call("GET", `/v2/deployments/${made.id}`)).body.secrets).toEqual(secrets);
});

test("a reply has the spelling of the create, also in a list with others", async () => {
  await start({});
  await client.create(repohost({ name: "document" }));
  const hosted = repohost({ name: "hosted" });
  await client.create({
    ...hosted,
    source: "github",
    source_revision_config: { repo_ref: "main", langgraph_config_path: "g.json" },
  });
  const { resources } = (await client.call("GET", "/v2/deployments")).body;
  expect(
    resources.map((one: any) => [one.name, one.source, Object.keys(one.source_revision_config)[1]]),
  ).toEqual([
    ["hosted", "github", "langgraph_config_path"],
    ["document", "repohost", "graph_config_path"],
  ]);
  const wrong = await client.call("POST", "/v2/deployments", {
    ...hosted,
    source: "github",
    source_revision_config: { langgraph_config_path: 1 },
  });
  expect(wrong.body.detail[0].loc).toEqual([
    "body",
    "source_revision_config",
    "langgraph_config_path",
  ]);
});

test("the list is paged, newest first, and can be filtered", async () => {
  await start({});
  for (let i = 0; i < 25; i++) await client.create(repohost({ name: `agent-${i}` }));
  const first = (await client.call("GET", "/v2/deployments")).body;
  const second = (await client.call("GET", `/v2/deployments?offset=${first.offset}`)).body;
  expect([
    first.resources.length,
    first.resources[0].name,
    second.resources.length,
    second.offset,
  ]).toEqual([20, "agent-24", 5, 25]);
  expect(
    (await client.call("GET", "/v2/deployments?name_contains=GENT-1&limit=100")).body.resources,
  ).toHaveLength(11);
  expect((await client.call("GET", "/v2/deployments?limit=101")).body.detail[0].loc).toEqual([
    "query",
    "limit",
  ]);
});

test("a list with an impossible filter value is a 422", async () => {
  await start({});
  const { source_config: config } = repohost();
  const { id } = await client.create(
    repohost({ source_config: { ...(config as object), deployment_type: "prod" } }),
  );
  const asked = async (path: string): Promise<unknown> => {
    const { status, body } = await client.call("GET", path);
    return status === 200 ? body.resources.length : [status, body.detail[0].loc.join(".")];
  };
  const listener = { listener_id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" };
  await client.create(container({ source_config: listener }));
  expect(await asked("/v2/deployments?deployment_type=prod&remote_reconciled=false")).toBe(1);
  expect(await asked("/v2/deployments?deployment_type=prod&remote_reconciled=true")).toBe(0);
  expect(await asked("/v2/deployments?remote_reconciled=true")).toBe(1);
  expect(await asked(`/v2/deployments/${id}/revisions?remote_reconciled=true`)).toBe(0);
  expect(await asked(`/v2/deployments/${id}/revisions?remote_reconciled=false`)).toBe(1);
  expect(await asked("/v2/deployments?image_version=1.2.3")).toBe(0);
  expect(await asked(`/v2/deployments?tag_value_ids=${listener.listener_id}`)).toBe(0);
  expect(await asked("/v2/deployments?deployment_type=dev")).toBe(0);
  expect(await asked("/v2/deployments?deployment_type=nope")).toEqual([
    422,
    "query.deployment_type",
  ]);
  const flawed = [422, "query.remote_reconciled"];
  expect(await asked("/v2/deployments?remote_reconciled=maybe")).toEqual(flawed);
  expect(await asked(`/v2/deployments/${id}/revisions?remote_reconciled=maybe`)).toEqual(flawed);
});

test("an id that is not a UUID is the 422 of the document, for listeners too", async () => {
  await start({});
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const { status, body } = await client.call(
      method,
      "/v2/listeners/x-7",
      method === "PATCH" ? {} : undefined,
    );
    expect([method, status, body.detail[0].loc]).toEqual([method, 422, ["path", "listener_id"]]);
  }
});

test("every log route shows the lines of a failed build", async () => {
  await start({
    revisions: [{ outcome: "build-failed", log: ["npm ERR! missing script", "exit 1"] }],
  });
  const { id, latest_revision_id: revision } = await client.create(repohost());
  client.running.emulator.advance(1000);
  const texts = (lines: any[]): string[] => lines.map(({ message }) => message);
  const logs = (
    await client.call(
      "GET",
      `/v2/deployments/${id}/revisions/${revision}/logs?type=build&order=desc&limit=3`,
    )
  ).body;
  expect([texts(logs.logs), logs.next_offset]).toEqual([
    ["the build failed", "exit 1", "npm ERR! missing script"],
    "3",
  ]);
  expect(
    texts(
      (
        await client.call(
          "GET",
          `/v2/deployment-logs?deployment_id=${id}&revision_id=${revision}&log_type=BUILD`,
        )
      ).body.items,
    ),
  ).toContain("npm ERR! missing script");
  expect(
    texts(
      (
        await client.call("POST", `/v1/projects/${id}/revisions/${revision}/build_logs`, {
          limit: 50,
        })
      ).body.logs,
    ),
  ).toContain("exit 1");
  expect(
    (await client.call("GET", `/v2/deployments/${id}/revisions/${revision}/logs`)).status,
  ).toBe(422);
});

test("each log route takes the order from its own parameter", async () => {
  await start({});
  const { id, latest_revision_id: revision } = await client.create(repohost());
  client.running.emulator.advance(1000);
  const first = async (method: string, path: string, body?: object): Promise<string> => {
    const answered = await client.call(method, path, body);
    return (answered.body.logs ?? answered.body.items)[0].message;
  };
  const [oldest, newest] = ["waiting for a builder", "the image is built"];
  const logs = `/v2/deployments/${id}/revisions/${revision}/logs?type=build`;
  expect(await first("GET", `${logs}&order=desc`)).toBe(newest);
  expect(await first("GET", `${logs}&sort_order=desc`)).toBe(oldest);
  const all = `/v2/deployment-logs?deployment_id=${id}&log_type=BUILD`;
  expect(await first("GET", `${all}&sort_order=desc`)).toBe(newest);
  expect(await first("GET", `${all}&order=desc`)).toBe(oldest);
  expect(await first("GET", `${all}&order=asc&sort_order=desc`)).toBe(newest);
  const posted = `/v1/projects/${id}/revisions/${revision}/build_logs`;
  expect(await first("POST", posted, { order: "desc" })).toBe(newest);
  expect(await first("POST", posted, { sort_order: "desc" })).toBe(oldest);
});

test.each(["build-failed", "deploy-failed"] as const)(
  "the log of a revision that ends in %s is append-only",
  async (outcome) => {
    await start({ revisions: [{ outcome, log: ["npm ERR! missing script", "exit 1"] }] });
    const { id, latest_revision_id: revision } = await client.create(repohost());
    const path = `/v2/deployments/${id}/revisions/${revision}/logs?limit=100&type=${outcome.split("-")[0]}`;
    let shown: readonly string[] = [];
    for (let looks = 0; looks < 40; looks += 1) {
      const now = (await client.call("GET", path)).body.logs.map(({ message }: any) => message);
      expect(now.slice(0, shown.length)).toEqual(shown);
      shown = now;
      client.running.emulator.advance(25);
    }
    expect(shown.slice(-3, -1)).toEqual(["npm ERR! missing script", "exit 1"]);
  },
);

test("the deployed agent answers /ok at its URL once a revision is active", async () => {
  await start({});
  const { id } = await client.create(repohost());
  const ok = (url: string): Promise<number> => fetch(`${url}/ok`).then(({ status }) => status);
  expect(await ok(`${client.running.url}/_emulator/agents/${id}`)).toBe(503);
  client.running.emulator.advance(1000);
  expect(await ok((await client.call("GET", `/v2/deployments/${id}`)).body.url)).toBe(200);
});
