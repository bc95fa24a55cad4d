import { expect, test } from "@jest/globals";
import { behind, CONTAINER, createStage, expectEnd, REPOSITORY } from "./stage.ts";

const ONE = { id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" };
const TWO = { id: "8c9e6679-7425-40de-944b-e07fc1f90ae8", name: "acme-labs" };
const postOf = (stage: Awaited<ReturnType<typeof createStage>>): any =>
  stage.emulator.emulator.requests().find(({ method }) => method === "POST")?.body;

test("the only integration is used", async () => {
  const stage = await createStage(REPOSITORY, { seed: { integrations: [ONE] } });
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect(postOf(stage).source_config.integration_id).toBe(ONE.id);
  expectEnd(await stage.run(), { outcome: "unchanged" });
});

test("several integrations block the create, and are listed", async () => {
  const stage = await createStage(REPOSITORY, { seed: { integrations: [ONE, TWO] } });
  const run = await stage.run();
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  for (const { id, name } of [ONE, TWO]) expect(run.stdout).toContain(`${id} (${name})`);
  expect(stage.writes()).toEqual([]);
});

test("no integration blocks the create with a hint to install one", async () => {
  const stage = await createStage(REPOSITORY, { seed: { integrations: [] } });
  const run = await stage.run();
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(run.stdout).toContain("install");
});

test("an integration in the spec is not looked up", async () => {
  const stage = await createStage(
    REPOSITORY.replace("source_config:", `source_config:\n  integration_id: ${TWO.id}`),
    { seed: { integrations: [ONE, TWO] } },
  );
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect(postOf(stage).source_config.integration_id).toBe(TWO.id);
  expect(
    stage.emulator.emulator.requests().filter(({ path }) => path.includes("integrations")),
  ).toEqual([]);
});

test("the only listener is used, and otherwise the create names none", async () => {
  const listener = {
    id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    compute_id: "cluster-a",
    k8s_namespaces: ["default"],
  };
  const one = await createStage(CONTAINER, { seed: { listeners: [listener] } });
  expectEnd(await one.run(), { outcome: "deployed" });
  expect(postOf(one).source_config.listener_id).toBe(listener.id);
  const none = await createStage(CONTAINER, { seed: { listeners: [] } });
  expectEnd(await none.run(), { outcome: "deployed" });
  const two = await createStage(CONTAINER, {
    seed: { listeners: [listener, { ...listener, id: TWO.id, compute_id: "cluster-b" }] },
  });
  const run = await two.run();
  expectEnd(run, { outcome: "deployed" });
  expect(postOf(two).source_config).not.toHaveProperty("listener_id");
  expect(run.stdout).toContain(`${TWO.id} (cluster-b)`);
  const bare = await createStage("name: bare-agent\nsource: external_container\n", {
    seed: { listeners: [listener] },
  });
  await bare.run();
  expect(postOf(bare)).toEqual({
    name: "bare-agent",
    source: "external_container",
    source_config: {},
    source_revision_config: {},
    secrets: [],
  });
});

test("a create continues with a warning if the listeners cannot be read", async () => {
  const stage = await createStage(CONTAINER, {
    faults: [
      { route: "GET /v2/listeners", kind: "status", status: 422, times: 0, body: { detail: "no" } },
    ],
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed" });
  expect(postOf(stage).source_config).not.toHaveProperty("listener_id");
  expect(run.stdout).toMatch(
    /the listeners could not be read, so the create names no listener_id: .*422/,
  );
});

test("a create is blocked if the key may not read integrations, and nothing is reported as created", async () => {
  const stage = await createStage(REPOSITORY, { seed: { integrations: [ONE] } });
  const run = await behind(stage, async ({ path, forward }) =>
    path.endsWith("/install")
      ? { status: 403, body: JSON.stringify({ detail: "Forbidden" }) }
      : forward(),
  );
  for (const command of ["plan", "apply"]) {
    const end = await run({ command });
    expectEnd(end, { outcome: "blocked", changed: "false" }, 1);
    expect(end.stdout).toContain("the integrations cannot be read");
    expect(end.stdout).toContain("or use a key that may read them");
    expect(end.stdout).not.toMatch(/created|\.\. /);
  }
  expect(stage.writes()).toEqual([]);
});

test("a create continues if the key may not read listeners", async () => {
  const stage = await createStage(CONTAINER);
  const run = await behind(stage, async ({ path, forward }) =>
    path.endsWith("/listeners")
      ? { status: 403, body: JSON.stringify({ detail: "Forbidden" }) }
      : forward(),
  );
  expectEnd(await run(), { outcome: "deployed" });
});
