import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, createStage, edit, expectEnd, REPOSITORY } from "./stage.ts";

test.each([
  ["container", CONTAINER],
  ["repository", REPOSITORY],
])("the same %s spec writes nothing when run again", async (_, spec) => {
  const stage = await createStage(spec);
  expectEnd(await stage.run(), { outcome: "deployed" });
  stage.forget();
  const live = await stage.live();
  expectEnd(await stage.run(), {
    outcome: "unchanged",
    changed: "false",
    "deployment-id": live.id,
    "revision-id": live.latest_revision_id,
    "revision-status": "DEPLOYED",
  });
  expect(stage.writes()).toEqual([]);
});

test("the same spec writes nothing if the service answers with defaults, nulls and commits", async () => {
  for (const spec of [CONTAINER, REPOSITORY]) {
    const stage = await createDeployed(spec, { readback: "hosted" });
    expectEnd(await stage.run(), { outcome: "unchanged", changed: "false" });
    expect(stage.writes()).toEqual([]);
  }
});

test("another order of secrets is not a change", async () => {
  const stage = await createDeployed(CONTAINER);
  const [head, secrets] = CONTAINER.split("secrets:\n") as [string, string];
  stage.spec(`${head}secrets:\n${secrets.trimEnd().split("\n").reverse().join("\n")}\n`);
  expectEnd(await stage.run(), { outcome: "unchanged" });
  expect(stage.writes()).toEqual([]);
});

test("cpu_limit equal to its documented default is not a change", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(
    edit(
      CONTAINER,
      "cpu: 1,",
      "cpu: 1, cpu_limit: 2, queue_cpu: 1, queue_max_scale: 3, memory_limit_mb: 2048,",
    ),
  );
  expectEnd(await stage.run(), { outcome: "unchanged" });
  expect(stage.writes()).toEqual([]);
});

test("null over a field that is not set is not a change", async () => {
  const stage = await createDeployed(REPOSITORY);
  stage.spec(
    edit(REPOSITORY, "install_command: npm ci", "install_command: npm ci\n  build_command: null"),
  );
  expectEnd(await stage.run(), { outcome: "unchanged" });
});
