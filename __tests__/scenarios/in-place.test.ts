import { expect, test } from "@jest/globals";
import { loseFirstAnswer, startProxy } from "../support/service-proxy.ts";
import { behind, CONTAINER, createDeployed, edit, expectEnd, REPOSITORY } from "./stage.ts";

test.each([
  [
    "build_on_push",
    REPOSITORY,
    "build_on_push: false",
    "build_on_push: true",
    { source_config: { build_on_push: true } },
    "in-place",
  ],
  [
    "custom_url",
    CONTAINER,
    "https://search.example.com",
    "https://find.example.com",
    { source_config: { custom_url: "https://find.example.com" } },
    "in-place",
  ],
  [
    "install_command",
    REPOSITORY,
    "npm ci",
    "npm ci --omit=dev",
    { source_config: { install_command: "npm ci --omit=dev" } },
    "next-build",
  ],
])(
  "a changed %s is patched in place, without a revision or a wait",
  async (field, spec, from, to, body, effect) => {
    const stage = await createDeployed(spec);
    const before = await stage.live();
    stage.spec(edit(spec, from, to));
    const run = await stage.run();
    expectEnd(run, { outcome: "updated", changed: "true" });
    expect(run.stdout).not.toContain("shows another value");
    expect(stage.patches()).toEqual([body]);
    expect((await stage.live()).latest_revision_id).toBe(before.latest_revision_id);
    expect(JSON.parse(run.outputs["plan"]!).deployments[0].changes).toMatchObject([
      { path: `source_config.${field}`, effect },
    ]);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  },
);

test("force builds a changed install_command now", async () => {
  const stage = await createDeployed(REPOSITORY);
  stage.spec(edit(REPOSITORY, "npm ci", "npm ci --omit=dev"));
  expectEnd(await stage.run({ force: "true" }), { outcome: "deployed", changed: "true" });
  const live = await stage.live();
  expect(stage.writes()).toEqual([
    `PATCH /v2/deployments/${live.id}`,
    expect.stringMatching(/\/redeploy$/),
  ]);
  expect(await stage.revisions()).toHaveLength(2);
});

test("force redeploys the latest revision if nothing changed", async () => {
  const stage = await createDeployed(CONTAINER);
  const before = await stage.live();
  expectEnd(await stage.run({ force: "true" }), {
    outcome: "deployed",
    changed: "true",
    "previous-revision-id": before.active_revision_id,
  });
  expect(stage.writes()).toEqual([
    `POST /v2/deployments/${before.id}/revisions/${before.latest_revision_id}/redeploy`,
  ]);
});

test.concurrent("an accepted update in place fails if the service does not show it", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "https://search.example.com", "https://find.example.com"));
  const url = await startProxy(stage.emulator.url, async ({ method, forward }) =>
    method === "PATCH" ? { status: 200, body: JSON.stringify(await stage.live()) } : forward(),
  );
  const run = await stage.run({ "control-plane-url": url, "tracing-url": url });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toContain("still shows source_config.custom_url as before");
});

test("an update in place that the service shows a little later succeeds", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "https://search.example.com", "https://find.example.com"));
  const url = await startProxy(stage.emulator.url, async ({ method, forward }) => {
    if (method !== "PATCH") return forward();
    const before = await stage.live();
    await forward();
    return { status: 200, body: JSON.stringify(before) };
  });
  const run = await stage.run({ "control-plane-url": url, "tracing-url": url });
  expectEnd(run, { outcome: "updated" });
});

test.concurrent("an update in place succeeds with a warning if the service shows another value", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "https://search.example.com", "https://find.example.com"));
  const run = await behind(stage, async ({ method, forward }) => {
    if (method !== "PATCH") return forward();
    const path = `/v2/deployments/${(await stage.live()).id}`;
    await forward();
    const theirs = { source_config: { custom_url: "https://theirs.example.com" } };
    return { status: 200, body: JSON.stringify(await stage.send("PATCH", path, theirs)) };
  });
  const end = await run();
  expectEnd(end, { outcome: "updated" });
  expect(end.stdout).toMatch(
    /source_config\.custom_url: sent, and the service shows another value/,
  );
});

test("an update in place fails if somebody deletes the deployment at that moment", async () => {
  const stage = await createDeployed(CONTAINER, { lags: { delete: 600_000 } });
  stage.spec(edit(CONTAINER, "https://search.example.com", "https://find.example.com"));
  const { id } = await stage.live();
  const run = await behind(stage, async ({ method, forward }) => {
    const reply = await forward();
    if (method !== "PATCH") return reply;
    await stage.send("DELETE", `/v2/deployments/${id}`);
    const shown = { ...JSON.parse(String(reply.body)), status: "AWAITING_DELETE" };
    return { ...reply, body: JSON.stringify(shown) };
  });
  const end = await run();
  expectEnd(end, { outcome: "failed", "deployment-id": id }, 1);
  expect(end.stdout).toContain(`deployment ${id} is being deleted`);
});

test("an update whose response is lost is sent only once", async () => {
  const stage = await createDeployed(REPOSITORY);
  stage.spec(edit(REPOSITORY, "graphs/support.json", "graphs/other.json"));
  const run = await behind(stage, loseFirstAnswer());
  expectEnd(await run(), { outcome: "deployed", changed: "true" });
  expect(stage.writes()).toEqual([`PATCH /v2/deployments/${(await stage.live()).id}`]);
  expect(await stage.revisions()).toHaveLength(2);
});
