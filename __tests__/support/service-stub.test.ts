import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { startStub } from "./service-stub.mjs";
import { repositoryRoot } from "./tree.ts";

let stub: Awaited<ReturnType<typeof startStub>>;
const start = async (options?: Parameters<typeof startStub>[0]): Promise<void> => {
  stub = await startStub(options);
};
afterEach(() => stub.close());

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const reply = await fetch(stub.url + path, {
    method,
    headers: { "x-api-key": "k", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text === "" ? undefined : JSON.parse(text) };
}
const container = {
  name: "a",
  source: "external_container",
  source_config: {},
  source_revision_config: { image_uri: "r/a@sha256:1" },
  secrets: [],
};

test("the stub imports nothing of the sources, and has at most 350 lines", async () => {
  await start();
  const text = readFileSync(join(repositoryRoot, "__tests__/support/service-stub.mjs"), "utf8");
  expect([...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name)).toEqual([
    "node:crypto",
    "node:http",
  ]);
  expect(text.split("\n").length).toBeLessThanOrEqual(350);
});

test("a revision advances one status with each read, and is active once DEPLOYED", async () => {
  await start();
  const { body: made } = await call("POST", "/v2/deployments", container);
  const path = `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}`;
  const seen = [];
  for (let looks = 0; looks < 5; looks++) seen.push((await call("GET", path)).body.status);
  expect(seen).toEqual(["QUEUED", "BUILDING", "DEPLOYING", "DEPLOYED", "DEPLOYED"]);
  expect((await call("GET", `/v2/deployments/${made.id}`)).body.active_revision_id).toBe(
    made.latest_revision_id,
  );
});

test("a PATCH creates a revision exactly if one of the five triggers is not null", async () => {
  await start();
  const { body: made } = await call("POST", "/v2/deployments", container);
  let latest = made.latest_revision_id;
  const makes = async (body: unknown): Promise<boolean> => {
    const after = (await call("PATCH", `/v2/deployments/${made.id}`, body)).body.latest_revision_id;
    const moved = after !== latest;
    latest = after;
    return moved;
  };
  expect(await makes({ source_config: { custom_url: "https://a.example" } })).toBe(false);
  expect(await makes({ source_config: { resource_spec: null }, secrets: null })).toBe(false);
  expect(await makes({ source_config: { resource_spec: { cpu: 1 } } })).toBe(true);
  expect(await makes({ source_revision_config: { image_uri: "r/a@sha256:1" } })).toBe(true);
  expect(await makes({ secrets: [{ name: "A", value: "1" }] })).toBe(true);
});

test("a fixed, missing, unknown or taken value is refused", async () => {
  await start();
  const { body: made } = await call("POST", "/v2/deployments", container);
  expect(
    (await call("PATCH", `/v2/deployments/${made.id}`, { source_config: { listener_id: made.id } }))
      .status,
  ).toBe(400);
  expect((await call("POST", "/v2/deployments", container)).status).toBe(409);
  expect(
    (await call("POST", "/v2/deployments", { ...container, secrets: undefined })).body.detail[0]
      .loc,
  ).toEqual(["body", "secrets"]);
  expect((await call("GET", "/v2/deployments/not-a-uuid")).status).toBe(422);
  expect((await fetch(`${stub.url}/v2/deployments`)).status).toBe(403);
  expect(stub.writes()).toEqual([
    "POST /v2/deployments",
    `PATCH /v2/deployments/${made.id}`,
    "POST /v2/deployments",
    "POST /v2/deployments",
  ]);
});

test("a redeploy creates a new revision, or runs the same one again", async () => {
  for (const redeploy of ["new", "reuse"] as const) {
    await start({ redeploy, timeline: ["DEPLOYED"] });
    const { body: made } = await call("POST", "/v2/deployments", container);
    const { body } = await call(
      "POST",
      `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}/redeploy`,
    );
    expect(body.latest_revision_id === made.latest_revision_id).toBe(redeploy === "reuse");
    if (redeploy === "new") await stub.close();
  }
});

test("the list is paged, or does not exist", async () => {
  await start({ pageSize: 2 });
  for (const name of ["a", "b", "c"]) await call("POST", "/v2/deployments", { ...container, name });
  const first = await call("GET", "/v2/deployments?limit=100");
  const second = await call("GET", `/v2/deployments?limit=100&offset=${first.body.offset}`);
  expect([...first.body.resources, ...second.body.resources].map(({ name }) => name)).toEqual([
    "a",
    "b",
    "c",
  ]);
  await stub.close();
  await start({ lookup: false });
  expect((await call("GET", "/v2/deployments")).status).toBe(404);
});
