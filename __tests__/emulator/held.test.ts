import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import { container, open, repohost, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

let client: Client;
afterEach(() => client.running.close());
const start = async (options: ServerOptions = {}): Promise<void> => {
  client = await open(options);
};
const LISTENER = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

describe.each(["document", "hosted"] as const)("profile %s", (profile) => {
  test.each([
    ["default", 201],
    ["other", 400],
  ])(
    "a deployment's namespace must be one of its listener's: %s is %i",
    async (k8s_namespace, status) => {
      await start({ profile });
      const body = container({
        source_config: { listener_id: LISTENER, listener_config: { k8s_namespace } },
      });
      const made = await client.call("POST", "/v2/deployments", body);
      expect(made.status).toBe(status);
      if (status === 400) expect(made.body.detail).toContain("must be one of default");
    },
  );
});

test("feedback without times gets the time of the upload", async () => {
  await start();
  client.running.emulator.advance(5000);
  const at = new Date(client.running.emulator.now()).toISOString();
  const [row] = experiment().results;
  const given = "2025-01-01T00:00:00Z";
  const scored = {
    ...row,
    evaluation_scores: [{ key: "a" }, { key: "b", created_at: given, modified_at: given }],
  };
  const made = await upload(client, experiment({ results: [scored] }));
  const session = made.body.experiment.id;
  const { body } = await client.call("GET", `/api/v1/feedback?session=${session}`);
  expect(body.map((one: any) => [one.key, one.created_at, one.modified_at])).toEqual([
    ["a", at, at],
    ["b", given, given],
  ]);
});

test("statistics appear after a few seconds, as in the document", async () => {
  await start();
  const made = await upload(client, experiment());
  const at = `/api/v1/sessions/${made.body.experiment.id}`;
  expect((await client.call("GET", at)).body.run_count).toBeNull();
  client.running.emulator.advance(10_000);
  expect((await client.call("GET", at)).body.run_count).toBe(1);
  expect((await client.call("GET", `${at}?include_stats=false`)).body.run_count).toBeNull();
  client.running.emulator.configure({ profile: "hosted" });
  expect((await client.call("GET", at)).body.run_count).toBeNull();
  expect((await client.call("GET", `${at}?include_stats=true`)).body.run_count).toBe(1);
});

test("the OpenAPI declares the three security schemes, for every operation", async () => {
  await start();
  const { body } = await client.call("GET", "/openapi.json");
  expect(Object.keys(body.components.securitySchemes)).toEqual([
    "API Key",
    "Tenant ID",
    "Bearer Auth",
  ]);
  expect(body.security).toEqual([{ "API Key": [] }, { "Tenant ID": [] }, { "Bearer Auth": [] }]);
});

test("strict mode serves the eight endpoints of the interface document, and its OpenAPI lists them", async () => {
  await start({ strict: true });
  const { body } = await client.call("GET", "/openapi.json");
  const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const D = "/v2/deployments/{deployment_id}";
  expect(listed.sort()).toEqual(
    [
      "POST /v2/deployments",
      `GET ${D}`,
      `PATCH ${D}`,
      `GET ${D}/revisions/{revision_id}`,
      `POST ${D}/revisions/{revision_id}/redeploy`,
      "GET /v1/integrations/repohost/install",
      "GET /v2/listeners",
      "POST /api/v1/datasets/upload-experiment",
    ].sort(),
  );
  const absent = ["/v1/integrations/github/install", "/api/v1/info", "/v2/deployments"];
  for (const path of absent) expect((await client.call("GET", path)).status).toBe(404);
});

test("a fault with a wrong route and a wrong kind reports both", async () => {
  await start();
  const { status, body } = await client.call("POST", "/_emulator/faults", {
    route: "GET /v2/deploymens",
    kind: "stat",
  });
  expect([status, body.detail.map((one: any) => one.loc.at(-1)).sort()]).toEqual([
    422,
    ["kind", "route"],
  ]);
});

test("a limit or offset that is not a number is a 422 in every list", async () => {
  await start();
  const { id } = await client.create(repohost());
  const at = `/v2/deployments/${id}`;
  const lists = [
    "/v2/deployments?limit=",
    "/v2/deployments?offset=",
    `${at}/revisions?limit=`,
    "/v2/listeners?limit=",
    `${at}/logs?type=build&limit=`,
    `/v2/deployment-logs?deployment_id=${id}&page_size=`,
    "/api/v1/sessions?limit=",
    "/api/v1/sessions?offset=",
    "/api/v1/datasets?limit=",
    "/api/v1/examples?dataset=x&limit=",
    "/api/v1/feedback?limit=",
    "/api/v2/sessions?page_size=",
    "/api/v2/datasets?page_size=",
  ];
  const answered = await Promise.all(
    lists.map(async (path) => [path, (await client.call("GET", `${path}abc`)).status]),
  );
  expect(answered).toEqual(lists.map((path) => [path, 422]));
  const logs = `/v1/projects/${id}/deploy_logs`;
  expect((await client.call("POST", logs, { limit: "abc" })).status).toBe(422);
});

test("the status page that the vendor's command line links to shows the deployment", async () => {
  await start();
  const { id, name } = await client.create(repohost());
  const tenant = "5f1e6f4c-0000-4000-a000-000000000001";
  const page = await client.call("GET", `/o/${tenant}/host/deployments/${id}`);
  expect([page.status, page.body]).toEqual([200, expect.stringContaining(name)]);
  const none = await client.call("GET", `/o/${tenant}/host/deployments/${tenant}`);
  expect(none.status).toBe(404);
});

test.each(["UNUSED", "UNKNOWN"])("a deployment can be %s", async (status) => {
  await start({
    deploymentStatus: { agent: status } as ServerOptions["deploymentStatus"] & object,
  });
  const { id } = await client.create(repohost({ name: "agent" }));
  client.running.emulator.advance(10_000);
  expect((await client.call("GET", `/v2/deployments/${id}`)).body.status).toBe(status);
  const found = (await client.call("GET", `/v2/deployments?status=${status}`)).body.resources;
  expect(found).toHaveLength(1);
});

test("deleting an experiment keeps its dataset's examples and their count", async () => {
  await start();
  const made = await upload(client, experiment());
  const { dataset, experiment: session } = made.body;
  await client.call("DELETE", `/api/v1/sessions/${session.id}`);
  const after = (await client.call("GET", `/api/v1/datasets/${dataset.id}`)).body;
  const examples = (await client.call("GET", `/api/v1/examples?dataset=${dataset.id}`)).body;
  expect([after.example_count, examples.length, after.session_count]).toEqual([1, 1, 0]);
  const row = experiment().results[0]!;
  const one = await client.call("GET", `/api/v1/examples/${examples[0].id}`);
  expect([one.status, one.body.inputs]).toEqual([200, row.inputs]);
});
