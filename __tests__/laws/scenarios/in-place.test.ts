import { expect, test } from "@jest/globals";
import type { Passed, Passing } from "../../support/service-proxy.ts";
import { behind, createStage, deploymentOf, expectEnd, REPOSITORY } from "../../scenarios/stage.ts";

/** A gateway that loses the answer to the first write, over a service that shows no install_command. */
function loseFirstAnswer(): (passing: Passing) => Promise<Passed> {
  let lost = false;
  return async ({ method, forward }) => {
    const reply = await forward();
    if (method !== "GET" && !lost) {
      lost = true;
      return { status: 502, body: "bad gateway", headers: { "content-type": "text/plain" } };
    }
    const body = String(reply.body).replaceAll(
      /"install_command":"[^"]*"/g,
      '"install_command":null',
    );
    return { ...reply, body };
  };
}

test("a create whose answer is lost is known again, also where the service does not show all of it", async () => {
  const stage = await createStage(REPOSITORY);
  const run = await behind(stage, loseFirstAnswer());
  const end = await run();
  expectEnd(end, { outcome: "deployed", changed: "true" });
  expect(deploymentOf(end).action).toBe("create");
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
  expect(end.stdout).not.toContain("was changed after its plan was made");
});
