import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { container, open, repohost, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

const LISTENER = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const INTEGRATION = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
let client: Client;
beforeEach(async () => {
  client = await open({ profile: "hosted" });
});
afterEach(() => client.running.close());

const repository = (over: object = {}): any =>
  repohost({
    name: "agent",
    source_config: { integration_id: INTEGRATION, deployment_type: "dev", build_on_push: false },
    ...over,
  });
const refusal = async (body: unknown): Promise<string> => {
  const { status, body: reply } = await client.call("POST", "/v2/deployments", body);
  return `${status} ${String(reply.detail)}`;
};

test("hosted accepts what the hosted service accepts, and reads it back in the same form", async () => {
  const made = await client.create(repository());
  expect(made.source_config).toMatchObject({ repo_branch: "main", resource_spec: {} });
});

test("hosted returns CPU counts with one decimal, and other numbers as given", async () => {
  const resource_spec = { cpu: 0.25, cpu_limit: 1.04, db_cpu: 0.25, memory_mb: 1025 };
  const made = await client.create(
    container({ source_config: { listener_id: LISTENER, resource_spec } }),
  );
  expect(made.source_config.resource_spec).toMatchObject({
    cpu: 0.3,
    cpu_limit: 1,
    queue_cpu: 0.3,
    db_cpu: 0.25,
    memory_mb: 1025,
  });
});

test.each([
  [
    "an unknown integration",
    {
      source_config: {
        integration_id: "00000000-0000-4000-8000-000000000000",
        deployment_type: "dev",
        build_on_push: false,
      },
    },
    /^404 Integration ID/,
  ],
  [
    "no config path",
    { source_revision_config: { graph_config_path: null } },
    /^400 .*graph_config_path is required/,
  ],
  [
    "a reserved secret",
    { secrets: [{ name: "LANGSMITH_API_KEY", value: "x" }] },
    /^400 .*reserved/,
  ],
  [
    "a secret twice",
    {
      secrets: [
        { name: "A", value: "x" },
        { name: "A", value: "y" },
      ],
    },
    /^400 .*more than once/,
  ],
  ["a name that no host can have", { name: "My_Agent" }, /^400 name must/],
] as const)("hosted refuses %s, and the document does not", async (_, over, said) => {
  const body = repository(over);
  expect(await refusal(body)).toMatch(said);
  const plain = await open();
  expect((await plain.call("POST", "/v2/deployments", body)).status).toBe(201);
  await plain.running.close();
});

test("hosted refuses a display name and another source's references in a create", async () => {
  expect(await refusal({ ...repository(), display_name: "Agent" })).toMatch(/^422/);
  const reference = { name: "A", secret_name: "b", secret_key: "c" };
  expect(await refusal({ ...repository(), secret_references: [reference] })).toBe(
    "400 secret_references is only applicable for external_container source.",
  );
  const made = await client.create(repository());
  const at = `/v2/deployments/${made.id}`;
  const named = await client.call("PATCH", at, { display_name: "Agent" });
  expect([named.status, named.body.display_name]).toEqual([200, "Agent"]);
  const pointed = await client.call("PATCH", at, { secret_references: [reference] });
  expect([pointed.status, pointed.body.detail]).toEqual([
    400,
    "secret_references is only applicable for external_container source.",
  ]);
});

test("hosted creates a deployment of a template, and names sources by its own words", async () => {
  const made = await client.call("POST", "/v2/deployments", {
    name: "from-template",
    source: "internal_template",
    source_config: { template_id: "chat", deployment_type: "prod" },
    source_revision_config: {},
    secrets: [{ name: "API_TOKEN", value: "x" }],
  });
  expect([made.status, made.body.source, made.body.source_config.template_id]).toEqual([
    201,
    "internal_template",
    "chat",
  ]);
  const typo = await client.call("POST", "/v2/deployments", {
    ...repository(),
    source: "internal_tmplate",
  });
  expect(typo.body.detail[0].msg).toContain("'github', 'external_docker'");
});

test("hosted refuses the same values in a PATCH and in a new revision", async () => {
  const spec = (value: object): object => ({ source_config: { resource_spec: value } });
  const seeded = await open({ profile: "hosted", seed: {} });
  const made = await seeded.create(container({ name: "box" }));
  const at = `/v2/deployments/${made.id}`;
  for (const [method, path] of [
    ["PATCH", at],
    ["POST", `${at}/revisions`],
  ] as const) {
    for (const wrong of [
      { cpu: 9 },
      { cpu: 0.01 },
      { redis_memory_mb: 100 },
      { min_scale: 3, max_scale: 1 },
    ])
      expect([method, wrong, (await seeded.call(method, path, spec(wrong))).status]).toEqual([
        method,
        wrong,
        400,
      ]);
  }
  await seeded.running.close();
});

test("hosted accepts a minimum of no replicas only if the deployment type scales to zero", async () => {
  const seeded = await open({ profile: "hosted", seed: {} });
  const words = "resource_spec.min_scale must be at least 1 unless deployment_type is dev_zero.";
  const none = { resource_spec: { min_scale: 0 } };
  const refused = await seeded.call("POST", "/v2/deployments", container({ source_config: none }));
  expect([refused.status, refused.body.detail]).toEqual([400, words]);
  const made = await seeded.create(container({ name: "box" }));
  const image = await seeded.create({
    name: "image",
    source: "internal_docker",
    source_config: { deployment_type: "dev_zero" },
    source_revision_config: {},
    secrets: [],
  });
  for (const [id, status] of [
    [made.id, 400],
    [image.id, 200],
  ]) {
    const patched = await seeded.call("PATCH", `/v2/deployments/${id}`, { source_config: none });
    expect([patched.status, patched.body.detail]).toEqual([
      status,
      status === 400 ? words : undefined,
    ]);
  }
  await seeded.running.close();
  const plain = await open();
  await plain.create(container({ source_config: none }));
  await plain.running.close();
});

test("hosted echoes the sent values in a 422, with the names that were sent", async () => {
  const { secrets: _, ...body } = { ...repository(), source: "github" };
  const inputsOf = async (method: string, path: string, sent: unknown): Promise<unknown[]> =>
    (await client.call(method, path, sent)).body.detail.map((one: any) => one.input);
  const sent = {
    ...body,
    source_revision_config: { repo_ref: "main", langgraph_config_path: "a.json" },
  };
  expect(await inputsOf("POST", "/v2/deployments", sent)).toEqual([sent]);
  const nested = { ...sent, secrets: [{ name: "A" }], source_config: { build_on_push: "maybe" } };
  expect((await inputsOf("POST", "/v2/deployments", nested)).sort()).toEqual(
    ["maybe", { name: "A" }].sort(),
  );
  const made = await client.create(repository());
  const at = `/v2/deployments/${made.id}`;
  for (const key of ["graph_config_path", "langgraph_config_path"])
    expect(await inputsOf("PATCH", at, { source_revision_config: { [key]: 5 } })).toEqual([5]);
  const lists = { source_revision_config: [{ langgraph_config_path: "a.json" }] };
  expect(await inputsOf("PATCH", at, lists)).toEqual([lists.source_revision_config]);
});

test("hosted fails a revision that lacks the database of an earlier one", async () => {
  const seeded = await open({ profile: "hosted", seed: {} });
  const made = await seeded.create(container({ name: "box" }));
  const at = `/v2/deployments/${made.id}`;
  const statusWith = async (...names: string[]): Promise<string> => {
    const secrets = names.map((name) => ({ name, value: "x" }));
    const { body } = await seeded.call("PATCH", at, { secrets });
    seeded.running.emulator.advance(60_000);
    return (await seeded.call("GET", `${at}/revisions/${body.latest_revision_id}`)).body.status;
  };
  expect(await statusWith("POSTGRES_URI_CUSTOM", "A")).toBe("DEPLOYED");
  expect(await statusWith("A")).toBe("DEPLOY_FAILED");
  await seeded.running.close();
});

test("pages of logs have the documented sizes", async () => {
  const made = await client.create(repository());
  const logs = `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}/logs?type=build`;
  for (const [limit, status] of [
    ["1", 200],
    ["1000", 200],
    ["0", 422],
    ["1001", 422],
    ["many", 422],
  ] as const)
    expect([limit, (await client.call("GET", `${logs}&limit=${limit}`)).status]).toEqual([
      limit,
      status,
    ]);
  const all = `/v2/deployment-logs?deployment_id=${made.id}&page_size=`;
  expect((await client.call("GET", `${all}100`)).status).toBe(200);
  expect((await client.call("GET", `${all}101`)).status).toBe(422);
});

test("hosted validates feedback as the service does, and shows statistics later", async () => {
  const row = experiment().results[0];
  const scored = (one: object): any =>
    experiment({ results: [{ ...row, evaluation_scores: [{ key: "k", score: 1, ...one }] }] });
  expect((await upload(client, scored({ feedback_source: { type: "robot" } }))).status).toBe(422);
  expect((await upload(client, scored({ feedback_config: { min: 0 } }))).status).toBe(422);
  const made = await upload(client, scored({ feedback_source: { type: "model" } }));
  const at = `/api/v1/sessions/${made.body.experiment.id}?include_stats=true`;
  client.running.emulator.advance(100);
  expect((await client.call("GET", at)).body.run_count).toBeNull();
  client.running.emulator.advance(400);
  expect((await client.call("GET", at)).body.run_count).toBe(1);
});

test("deleting several deployments takes the ids in one parameter or in one each", async () => {
  const make = async (name: string): Promise<string> =>
    (await client.create(repository({ name }))).id;
  const [a, b, c] = [await make("agent-a"), await make("agent-b"), await make("agent-c")];
  const [d, e] = [await make("agent-d"), await make("agent-e")];
  const remove = (query: string) => client.call("DELETE", `/v2/deployments?${query}`);
  expect(await remove(`deployment_ids=${a}&deployment_ids=${b}`)).toMatchObject({
    status: 200,
    body: { deleted: [a, b], failed: [] },
  });
  expect(await remove(`deployment_ids=${c},${LISTENER}`)).toMatchObject({
    status: 207,
    body: { deleted: [c], failed: [LISTENER] },
  });
  expect(await remove(`deployment_ids=${d}, ${e}, `)).toMatchObject({
    status: 200,
    body: { deleted: [d, e], failed: [] },
  });
});

test("an integration id that is not a UUID is a 422", async () => {
  const reply = await client.call("GET", "/v1/integrations/github/mine/repos");
  expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ["path", "integration_id"]]);
});
