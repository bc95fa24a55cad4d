import { expect, test } from "@jest/globals";
import { HOSTED_CONTAINER } from "./exported.ts";
import { behind, CONTAINER, createStage, edit, expectEnd, REPOSITORY } from "./stage.ts";

test("a first run creates the deployment, waits for its revision and reports its address", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run();
  const live = await stage.live();
  expectEnd(run, {
    outcome: "deployed",
    changed: "true",
    "deployment-id": live.id,
    "revision-id": live.active_revision_id,
    "previous-revision-id": "",
    "revision-status": "DEPLOYED",
    url: "https://search.example.com",
  });
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
  expect(JSON.parse(run.outputs["plan"]!).deployments).toMatchObject([
    { name: "search-agent", id: live.id, action: "create" },
  ]);
  expect(run.summary).toContain("search-agent");
  expect(run.stdout + run.stderr + run.summary + JSON.stringify(run.outputs)).not.toContain(
    'first-value"',
  );
});

test("absent secrets are sent as an empty list, and absent configs as empty objects", async () => {
  const stage = await createStage(
    "name: bare\nsource: external_container\nsource_revision_config: { image_uri: r.example.com/a@sha256:" +
      "a".repeat(64) +
      " }\n",
  );
  expectEnd(await stage.run(), { outcome: "deployed" });
  const [post] = stage.emulator.emulator.requests().filter(({ method }) => method === "POST");
  expect(post!.body).toMatchObject({ name: "bare", source: "external_container", secrets: [] });
  expect(post!.body).toHaveProperty("source_config");
});

test("url is the address in the service's reply, and is empty until there is one", async () => {
  const stage = await createStage(REPOSITORY, { clock: { manual: true } });
  expectEnd(await stage.run({ command: "plan" }), { outcome: "planned", url: "" });
  expectEnd(await stage.run({ wait: "false" }), { outcome: "started", url: "" });
  stage.emulator.emulator.advance(60_000);
  const run = await stage.run();
  const live = await stage.live();
  expectEnd(run, { outcome: "unchanged", url: live.url });
  expect((await fetch(`${live.url}/ok`)).status).toBe(200);
});

test("the job summary links to the deployment's page in the service", async () => {
  const stage = await createStage(CONTAINER);
  // Only experiments are sent there, and this run has none. The service names the workspace.
  const elsewhere = { "tracing-url": "https://smith.example.com/api/v1", "tenant-id": undefined };
  const run = await stage.run(elsewhere);
  const { id, tenant_id } = await stage.live();
  const page = `https://smith.example.com/o/${tenant_id}/host/deployments/${id}`;
  expect(tenant_id).toEqual(expect.any(String));
  expect(run.summary).toContain(`[Deployment in the service](${page})`);
});

test("an update after a create is retried after a 409, and the created revision is waited for", async () => {
  const stage = await createStage(
    edit(HOSTED_CONTAINER, "source:", "display_name: Search\nsource:"),
    { profile: "hosted" },
  );
  let patches = 0;
  const run = await behind(stage, async ({ method, forward }) => {
    if (method === "PATCH") patches += 1;
    if (method !== "PATCH" || patches > 2) return forward();
    return { status: 409, body: JSON.stringify({ detail: "Another update is under way." }) };
  });
  const end = await run();
  expectEnd(end, { outcome: "deployed", changed: "true" });
  expect(end.stdout.match(/another update is under way/g)).toHaveLength(1);
  expect(stage.patches()).toEqual([{ display_name: "Search" }]);
  expect((await stage.live()).display_name).toBe("Search");
});
