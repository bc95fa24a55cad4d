import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, expectEnd } from "./stage.ts";

test("a run that was killed while waiting is continued by the next, with the same revision and no write", async () => {
  // The service's clock is stopped until the test moves it, so the revision is surely under way
  // when the run is killed.
  const stage = await createStage(CONTAINER, { clock: { manual: true } });
  const first = stage.start();
  await first.until(/CREATING/);
  first.process.kill("SIGKILL");
  const { stdout } = await first.done;
  stage.forget();
  const { id, latest_revision_id: revision } = await stage.live();
  expect(stdout).toContain(`search-agent: revision ${revision} of deployment ${id}`);
  const plan = await stage.run({ command: "plan" });
  expectEnd(plan, { outcome: "planned", changed: "false" });
  expect(JSON.parse(plan.outputs["plan"]!).deployments).toMatchObject([
    { action: "attach", changes: [] },
  ]);
  const second = stage.start();
  await second.until(/CREATING/);
  stage.emulator.emulator.advance(60_000);
  expectEnd(await second.done, { outcome: "deployed", changed: "false", "revision-id": revision });
  expect(stage.writes()).toEqual([]);
});
