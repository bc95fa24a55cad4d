import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { container, open, repohost, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

let client: Client;
beforeEach(async () => {
  client = await open();
});
afterEach(() => client.running.close());

/** What `langgraph deploy` sends first; 0.4.31 and 0.4.40 alike. */
const internal = (source: string): object => ({
  name: "agent",
  source,
  source_config: { deployment_type: "dev_zero" },
  source_revision_config: {},
  secrets: [{ name: "OPENAI_API_KEY", value: "x" }],
});

describe("the vendor's command line", () => {
  test("deploys an image: create, push token, then the image", async () => {
    const made = await client.create(internal("internal_docker"));
    expect([made.source, made.latest_revision_id, made.source_config.deployment_type]).toEqual([
      "internal_docker",
      null,
      "dev_zero",
    ]);
    const at = `/v2/deployments/${made.id}`;
    const push = await client.call("POST", `${at}/push-token`, {
      supports_registry_username: true,
    });
    expect([push.status, Object.keys(push.body).sort()]).toEqual([
      200,
      ["registry_url", "token", "username"],
    ]);
    const updated = await client.call("PATCH", at, {
      source_revision_config: { image_uri: "registry.example.com/a@sha256:1" },
      revision_source: "internal_docker",
      tracked_packages: ["langgraph"],
      secrets: [],
    });
    expect([updated.status, typeof updated.body.latest_revision_id]).toEqual([200, "string"]);
    const revisions = (await client.call("GET", `${at}/revisions?limit=1`)).body.resources;
    expect(revisions[0].source_revision_config.image_uri).toBe("registry.example.com/a@sha256:1");
    const logs = await client.call("POST", `/v1/projects/${made.id}/deploy_logs`, { limit: 5 });
    expect([logs.status, Array.isArray(logs.body.logs)]).toEqual([200, true]);
  });

  test("follows logs from the newest line on, which `--follow` requests by its time", async () => {
    const { id } = await client.create(container());
    client.running.emulator.advance(1000);
    const at = `/v1/projects/${id}/deploy_logs`;
    const times = async (body: object): Promise<string[]> =>
      (await client.call("POST", at, body)).body.logs.map((line: any) => line.timestamp);
    const [first = "", last = ""] = await times({ order: "asc" });
    expect(await times({ order: "asc", start_time: last })).toEqual([last]);
    expect(await times({ order: "asc", limit: 1, start_time: last })).toEqual([last]);
    expect(await times({ end_time: first })).toEqual([first]);
    expect(await times({ end_time: "2020-01-01" })).toEqual([]);
    const asked = `/v2/deployment-logs?deployment_id=${id}`;
    const { body } = await client.call("GET", `${asked}&start_time=${last}`);
    expect(body.items.map((line: any) => line.timestamp)).toEqual([last]);
  });

  test.each([
    ["POST", "/v1/projects/{id}/deploy_logs", { start_time: "yesterday" }, "start_time"],
    ["POST", "/v1/projects/{id}/deploy_logs", { order: "sideways" }, "order"],
    ["GET", "/v2/deployments/{id}/logs?type=deploy&order=up", undefined, "order"],
    ["GET", "/v2/deployments/{id}/logs?type=deploy&end_time=x", undefined, "end_time"],
    ["GET", "/v2/deployment-logs?deployment_id={id}&log_type=run", undefined, "log_type"],
    ["GET", "/v2/deployment-logs?deployment_id={id}&sort_order=up", undefined, "sort_order"],
  ])(
    "%s %s %j is refused instead of answered with other lines",
    async (method, path, body, name) => {
      const { id } = await client.create(container());
      const refused = await client.call(method, path.replace("{id}", id), body);
      expect([refused.status, refused.body.detail[0].loc.at(-1)]).toEqual([422, name]);
    },
  );

  test("builds remotely: upload URL, the archive, then its path", async () => {
    const made = await client.create(internal("internal_source"));
    const at = `/v2/deployments/${made.id}`;
    const { body } = await client.call("POST", `${at}/upload-url`, {
      supports_upload_headers: true,
    });
    const put = await fetch(body.upload_url, {
      method: "PUT",
      body: "archive",
      headers: { "content-type": "application/gzip", ...body.upload_headers },
    });
    expect(put.status).toBe(200);
    const updated = await client.call("PATCH", at, {
      revision_source: "internal_source",
      source_revision_config: {
        source_tarball_path: body.object_path,
        langgraph_config_path: "langgraph.json",
      },
      source_config: { install_command: "npm ci", build_command: "npm run build" },
      secrets: [],
    });
    expect([updated.status, updated.body.detail]).toEqual([200, undefined]);
    expect(updated.body.source_revision_config).toMatchObject({
      source_tarball_path: body.object_path,
      langgraph_config_path: "langgraph.json",
    });
  });

  test("cannot get a push token for a repository deployment", async () => {
    const made = await client.create(repohost());
    const token = await client.call("POST", `/v2/deployments/${made.id}/push-token`, {});
    expect([token.status, token.body.detail]).toEqual([
      400,
      expect.stringContaining("only available for 'internal_docker' source deployments"),
    ]);
  });
});

describe("POST …/revisions", () => {
  test("does what a PATCH does, and always creates a revision", async () => {
    const made = await client.create(container({ secrets: [{ name: "A", value: "a" }] }));
    const at = `/v2/deployments/${made.id}`;
    const revision = await client.call("POST", `${at}/revisions`, {
      source_revision_config: { image_uri: "registry.example.com/agent:2" },
      source_config: { resource_spec: { cpu: 2 } },
      secrets: [{ name: "B", value: "b" }],
      secret_references: [{ name: "C", secret_name: "s", secret_key: "k" }],
    });
    expect([revision.status, revision.body.source_revision_config]).toEqual([
      201,
      { image_uri: "registry.example.com/agent:2" },
    ]);
    const live = (await client.call("GET", at)).body;
    expect(live).toMatchObject({
      latest_revision_id: revision.body.id,
      source_config: { resource_spec: { cpu: 2 } },
      secrets: [{ name: "B", value: "b" }],
      secret_references: [{ name: "C", secret_name: "s", secret_key: "k" }],
    });
    const empty = await client.call("POST", `${at}/revisions`, {});
    expect([empty.status, empty.body.source_revision_config.image_uri]).toEqual([
      201,
      "registry.example.com/agent:2",
    ]);
  });

  test("validates as a PATCH does", async () => {
    const made = await client.create(container());
    const at = `/v2/deployments/${made.id}/revisions`;
    const wrong = await client.call("POST", at, { secrets: [{ name: 1 }] });
    const other = await client.call("POST", at, { source_revision_config: { repo_ref: "main" } });
    expect([wrong.status, other.status]).toEqual([422, 400]);
  });
});

test("the Terraform provider's calls change what needs no revision by PATCH, and the rest by a revision", async () => {
  const hosted = {
    ...container({ secrets: [{ name: "A", value: "a" }] }),
    source: "external_docker",
  };
  const made = await client.create(hosted);
  const at = `/v2/deployments/${made.id}`;
  client.running.emulator.advance(1000);
  const patched = await client.call("PATCH", at, {
    display_name: "Shown",
    source_config: { custom_url: "https://agent.example.com" },
  });
  expect([patched.status, patched.body.latest_revision_id, patched.body.display_name]).toEqual([
    200,
    made.latest_revision_id,
    "Shown",
  ]);
  const live = (await client.call("GET", at)).body;
  const revision = await client.call("POST", `${at}/revisions`, {
    source_revision_config: { image_uri: "registry.example.com/agent:2" },
    source_config: { resource_spec: { ...live.source_config.resource_spec, max_scale: 3 } },
    secrets: [{ name: "A", value: "changed" }],
  });
  expect(revision.status).toBe(201);
  client.running.emulator.advance(1000);
  const status = (await client.call("GET", `${at}/revisions/${revision.body.id}`)).body.status;
  const after = (await client.call("GET", at)).body;
  expect([status, after.active_revision_id, after.secrets]).toEqual([
    "DEPLOYED",
    revision.body.id,
    [{ name: "A", value: "changed" }],
  ]);
  expect((await client.call("DELETE", at)).status).toBe(204);
  client.running.emulator.advance(1000);
  expect((await client.call("GET", at)).status).toBe(404);
  expect((await client.call("PATCH", at, { display_name: "" })).status).toBe(404);
});

describe.each(["/api/v1", "/api/v1/", "", "/v1", "/api"])("the tracing API under %j", (given) => {
  const prefix = given.replace(/\/$/, "");
  test("reads datasets, sessions, examples, runs and feedback of an upload", async () => {
    const row = experiment().results[0];
    const scored = { ...row, evaluation_scores: [{ key: "right", score: 1 }] };
    const made = await upload(client, experiment({ results: [scored] }));
    const { dataset, experiment: session } = made.body;
    const get = async (path: string): Promise<any> =>
      (await client.call("GET", `${prefix}${path}`)).body;
    expect((await get(`/datasets?name=${dataset.name}`))[0].id).toBe(dataset.id);
    expect((await get(`/sessions/${session.id}`)).name).toBe(session.name);
    const examples = await get(`/examples?dataset=${dataset.id}`);
    expect(examples).toHaveLength(dataset.example_count);
    expect((await get(`/examples/${examples[0].id}`)).inputs).toEqual(examples[0].inputs);
    const runs = await client.call("POST", `${prefix}/datasets/${dataset.id}/runs`, {
      session_ids: [session.id],
      limit: 1,
    });
    expect(runs.body).toHaveLength(1);
    expect(runs.body[0].runs[0]).toMatchObject({ session_id: session.id });
    const feedback = await get(`/feedback?session=${session.id}`);
    expect(feedback.length).toBeGreaterThan(0);
    expect((await get(`/feedback/${feedback[0].id}`)).key).toBe(feedback[0].key);
    expect((await get(`/runs/${feedback[0].run_id}`)).reference_example_id).toEqual(
      expect.any(String),
    );
    expect((await get("/info")).version).toEqual(expect.any(String));
  });
});

test("experiment runs are paged with a cursor, and every example appears once", async () => {
  const many = Array.from({ length: 45 }, (_, i) => ({
    row_id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    inputs: { i },
    actual_outputs: { i },
    evaluation_scores: [{ key: "right", score: i % 2 }],
    start_time: "2026-01-01T00:00:01Z",
    end_time: "2026-01-01T00:00:02Z",
  }));
  const made = await upload(client, experiment({ results: many }));
  const { dataset, experiment: session } = made.body;
  const at = `/api/v2/datasets/${dataset.id}/experiment-runs`;
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.call("POST", at, {
      experiment_ids: [session.id],
      page_size: 20,
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...page.body.items.map((one: any) => one.inputs.i));
    expect(page.body.items[0].runs[0].feedback_stats.right).toMatchObject({ n: 1 });
    cursor = page.body.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(many.map((_, i) => i));
  expect((await client.call("POST", at, { experiment_ids: [] })).status).toBe(422);
  expect(
    (await client.call("POST", at, { experiment_ids: [session.id], cursor: "x" })).status,
  ).toBe(400);
});
