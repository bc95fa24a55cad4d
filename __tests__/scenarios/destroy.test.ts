import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, expectEnd } from "./stage.ts";

test("destroy needs confirm: <name>, and deletes nothing with another name", async () => {
  const stage = await createDeployed(CONTAINER);
  for (const confirm of [undefined, "support-agent"]) {
    expectEnd(
      await stage.run({ command: "destroy", confirm }),
      { outcome: "failed", changed: "false" },
      1,
    );
  }
  expect((await stage.cli(["destroy", "--confirm", "support-agent"])).code).toBe(2);
  expect(stage.writes()).toEqual([]);
});

test("destroy deletes the deployment and its tracing project, waits until it is gone, and the name is free again", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  expectEnd(await stage.run({ command: "destroy", confirm: "search-agent" }), {
    changed: "true",
    "deployment-id": id,
  });
  expect(stage.writes()).toEqual([`DELETE /v2/deployments/${id}`]);
  expect(stage.emulator.emulator.requests().find(({ method }) => method === "DELETE")!.query).toBe(
    "delete_tracing_project=true",
  );
  expect((await stage.get(`/v2/deployments/${id}`)).detail).toContain("not found");
  expectEnd(await stage.run({ command: "destroy", confirm: "search-agent" }), {
    outcome: "unchanged",
    changed: "false",
  });
  expectEnd(await stage.run(), { outcome: "deployed" });
});

test("a service without delete is told in a clear word", async () => {
  const stage = await createDeployed(CONTAINER, { remove: false });
  const run = await stage.run({ command: "destroy", confirm: "search-agent" });
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  expect(run.stdout).toMatch(/cannot delete/);
});
