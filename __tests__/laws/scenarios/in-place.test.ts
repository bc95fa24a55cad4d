import { expect, test } from "@jest/globals";
import { loseFirstAnswer } from "../../support/service-proxy.ts";
import { behind, createStage, deploymentOf, expectEnd, REPOSITORY } from "../../scenarios/stage.ts";

test("a create whose answer is lost is recognised, even if the service does not show all of it", async () => {
  const stage = await createStage(REPOSITORY);
  const run = await behind(stage, loseFirstAnswer());
  const end = await run();
  expectEnd(end, { outcome: "deployed", changed: "true" });
  expect(deploymentOf(end).action).toBe("create");
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
  expect(end.stdout).not.toContain("was changed after its plan was made");
});
