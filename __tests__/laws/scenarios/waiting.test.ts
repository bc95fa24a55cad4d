import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed } from "../../scenarios/stage.ts";

test("wait on a revision that the service does not know fails long before the timeout", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  const unknown = "0b6f0000-0000-4000-8000-00000000dead";
  const run = await stage.cli([
    ...["wait", "--deployment-id", id, "--revision-id", unknown, "--timeout", "10m", "--json"],
  ]);
  expect(run.code).toBe(1);
  const [one] = JSON.parse(run.stdout).deployments;
  expect(one).toMatchObject({ outcome: "failed", reason: "not-found" });
  expect(one.message).toContain(unknown);
});
