import { expect, test } from "@jest/globals";
import {
  CONTAINER,
  createDeployed,
  createStage,
  edit,
  expectEnd,
  REPOSITORY,
  type Stage,
} from "../scenarios/stage.ts";

const HOSTED = edit(
  edit(REPOSITORY, "source: repohost", "source: github"),
  "graph_config_path",
  "langgraph_config_path",
);

const inOrder = (value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** All that the service holds, without ids and times. */
const heldBy = (stage: Stage): string =>
  JSON.stringify(
    stage.emulator.emulator.world.store.entries().filter(([table]) => table !== "meta"),
    (key, value) => (/(_ms|_at|^at|seenFrom|_time)$/.test(key) ? 0 : inOrder(value)),
    1,
  ).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");

test.each([
  [
    "an image",
    [
      CONTAINER,
      edit(CONTAINER, "a".repeat(64), "b".repeat(64)),
      edit(CONTAINER, "first-value", "second-value"),
      edit(CONTAINER, "max_scale: 3", "max_scale: 4"),
    ],
  ],
  [
    "a repository",
    [
      REPOSITORY,
      edit(REPOSITORY, "npm ci", "npm install"),
      edit(REPOSITORY, "graphs/support.json", "graphs/other.json"),
    ],
  ],
  ["a repository in the hosted spelling", [HOSTED]],
  ["an image in the hosted spelling", [edit(CONTAINER, "external_container", "external_docker")]],
])("a seeded deployment equals one made by apply: %s", async (_, specs) => {
  const seeded = await createDeployed(specs);
  const applied = await createStage(specs[0]!);
  for (const spec of specs) {
    applied.spec(spec);
    const { outcome } = (await applied.run()).outputs;
    expect(outcome).toMatch(/deployed|updated/);
  }
  expect(heldBy(seeded)).toBe(heldBy(applied));
  expectEnd(await seeded.run(), { outcome: "unchanged" });
});
