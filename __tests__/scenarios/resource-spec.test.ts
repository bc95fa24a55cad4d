import { expect, test } from "@jest/globals";
import { awaitSettled, CONTAINER, createDeployed, edit, expectEnd } from "./stage.ts";

const byHand = {
  min_scale: 1,
  max_scale: 3,
  cpu: 1,
  memory_mb: 1024,
  labels: { team: "search" },
  volumes: [{ name: "cache", emptyDir: {} }],
};

async function changedByHand(spec: string): Promise<Awaited<ReturnType<typeof createDeployed>>> {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, { source_config: { resource_spec: byHand } });
  stage.spec(spec);
  await awaitSettled(stage);
  stage.forget();
  return stage;
}

test("merge, the default, keeps what the spec does not name", async () => {
  const stage = await changedByHand(edit(CONTAINER, "cpu: 1,", "cpu: 2,"));
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect(stage.patches()).toEqual([{ source_config: { resource_spec: { ...byHand, cpu: 2 } } }]);
  expectEnd(await stage.run(), { outcome: "unchanged" });
});

test("replace sends only the spec, and lists what is dropped", async () => {
  const stage = await changedByHand(
    `${edit(CONTAINER, "cpu: 1,", "cpu: 2,")}deploy: { resource_spec: replace }\n`,
  );
  const plan = await stage.run({ command: "plan", "report-file": "plan.json" });
  const [one] = JSON.parse(stage.workspace.read("plan.json")).deployments;
  expect(one.plan.dropped).toEqual([
    "source_config.resource_spec.labels",
    "source_config.resource_spec.volumes",
  ]);
  expect(plan.stdout).toContain("source_config.resource_spec.labels");
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect(stage.patches()).toEqual([
    { source_config: { resource_spec: { min_scale: 1, max_scale: 3, cpu: 2, memory_mb: 1024 } } },
  ]);
  expectEnd(await stage.run(), { outcome: "unchanged" });
});
