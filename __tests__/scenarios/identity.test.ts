import { describe, expect, test } from "@jest/globals";
import {
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  movedByRequests,
  type Stage,
} from "./stage.ts";

const seeded = {
  name: "search-agent",
  source: "external_container",
  source_config: {},
  source_revision_config: { image_uri: `r.example.com/a@sha256:${"c".repeat(64)}` },
  secrets: [],
};

test("create: never blocks a missing deployment, and the message uses the entry point's spelling", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ create: "never" });
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(run.stdout).toContain("and create: never forbids creating one");
  const typed = await stage.cli(["apply", "--create", "never", "--json"]);
  expect(typed.stdout).toContain("and --create never forbids creating one");
  const [action, cli] = [run.outputs["fingerprint"], JSON.parse(typed.stdout).fingerprint];
  expect(cli).toBe(action);
  expect(stage.writes()).toEqual([]);
});

test("create: always is blocked by a live deployment of that name", async () => {
  const stage = await createDeployed(CONTAINER);
  expectEnd(await stage.run({ create: "always" }), { outcome: "blocked", changed: "false" }, 1);
  expect(stage.writes()).toEqual([]);
});

describe("an address that answers 404 to everything", () => {
  async function wrong(): Promise<{ stage: Stage; inputs: Record<string, string> }> {
    const stage = await createDeployed(CONTAINER);
    const url = `${stage.emulator.url}/not/here`;
    return { stage, inputs: { "control-plane-url": url, "tracing-url": stage.emulator.url } };
  }

  test("is reported as wrong, without suggesting create: always", async () => {
    const { stage, inputs } = await wrong();
    const run = await stage.run(inputs);
    expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
    expect(run.stdout).toContain("nothing of the service answers at this address");
    expect(run.stdout).not.toContain("create: always");
  });

  test("does not make destroy report that nothing is left to delete", async () => {
    const { stage, inputs } = await wrong();
    const { id } = await stage.live();
    for (const by of [{}, { "deployment-id": id }]) {
      const run = await stage.run({
        ...inputs,
        ...by,
        command: "destroy",
        confirm: "search-agent",
      });
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
    }
  });
});

test("destroy of an unknown id succeeds without a change", async () => {
  const stage = await createDeployed(CONTAINER);
  const gone = "55555555-5555-4555-8555-555555555555";
  const run = await stage.run({ command: "destroy", confirm: "x", "deployment-id": gone });
  expectEnd(run, { outcome: "unchanged", changed: "false" });
});

test("a list that fails otherwise fails the run, and nothing is created", async () => {
  const stage = await createStage(CONTAINER, {
    faults: [{ route: "GET /v2/deployments", kind: "status", status: 403, times: 0 }],
  });
  expectEnd(await stage.run({ create: "always" }), { outcome: "failed", changed: "false" }, 1);
  expect(stage.writes()).toEqual([]);
});

test("two live deployments of one name block the run with both ids, and deployment-id chooses one", async () => {
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const stage = await createStage(CONTAINER, {
    names: "duplicates",
    seed: { deployments: ids.map((id) => ({ ...seeded, id })) },
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  for (const id of ids) expect(run.stdout).toContain(id);
  expect(stage.writes()).toEqual([]);
  expectEnd(await stage.run({ "deployment-id": ids[1] }), {
    outcome: "deployed",
    "deployment-id": ids[1]!,
  });
  const destroy = await stage.run({ command: "destroy", confirm: "search-agent" });
  expectEnd(destroy, { outcome: "blocked", changed: "false" }, 1);
});

test("the name must match exactly, and is found on any page", async () => {
  const others = Array.from({ length: 120 }, (_, at) => ({
    ...seeded,
    name: `search-agent-${at}`,
  }));
  const stage = await createStage(CONTAINER, {
    seed: { deployments: [...others, { ...seeded, id: "33333333-3333-4333-8333-333333333333" }] },
  });
  expectEnd(await stage.run(), {
    outcome: "deployed",
    "deployment-id": "33333333-3333-4333-8333-333333333333",
  });
  expect(stage.writes()).toEqual([expect.stringMatching(/^PATCH/)]);
});

test("a create that is refused because the name exists finds and updates that deployment", async () => {
  // The list answers without the deployment twice: another run creates it right before the POST.
  const id = "44444444-4444-4444-8444-444444444444";
  const stage = await createStage(CONTAINER, {
    seed: { deployments: [{ ...seeded, id }] },
    faults: [
      {
        route: "GET /v2/deployments",
        kind: "status",
        status: 200,
        body: { resources: [], offset: 0 },
        times: 2,
      },
    ] as never,
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed", "deployment-id": id });
  expect(stage.writes()).toEqual(["POST /v2/deployments", `PATCH /v2/deployments/${id}`]);
});

test("a deployment that is being deleted is waited for, and a new one is created", async () => {
  const stage = await createDeployed(CONTAINER, {
    clock: movedByRequests(100),
    lags: { delete: 700 },
    deleteKeepsProject: false,
  });
  const deleting = await stage.live();
  await stage.send("DELETE", `/v2/deployments/${deleting.id}?delete_tracing_project=true`);
  stage.forget();
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(run.outputs["deployment-id"]).not.toBe(deleting.id);
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
});

test("an unknown id is blocked instead of created", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ "deployment-id": "55555555-5555-4555-8555-555555555555" });
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(stage.writes()).toEqual([]);
});

test("deploy.id selects a deployment, unless the input does", async () => {
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const stage = await createStage(`${CONTAINER}deploy: { id: ${ids[0]} }\n`, {
    names: "duplicates",
    seed: { deployments: ids.map((id) => ({ ...seeded, id })) },
  });
  expectEnd(await stage.run({ command: "plan" }), { outcome: "planned", "deployment-id": ids[0]! });
  expectEnd(await stage.run({ command: "plan", "deployment-id": ids[1] }), {
    outcome: "planned",
    "deployment-id": ids[1]!,
  });
});

test("another name with the id of a deployment is blocked", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  stage.spec(edit(CONTAINER, "search-agent", "other-name"));
  const run = await stage.run({ "deployment-id": id });
  expectEnd(run, { outcome: "blocked" }, 1);
  expect(deploymentOf(run).changes).toMatchObject([{ path: "name", effect: "impossible" }]);
});
