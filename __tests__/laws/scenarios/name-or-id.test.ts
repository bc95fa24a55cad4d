import { rmSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { CONTAINER, createDeployed } from "../../scenarios/stage.ts";

test("each command that takes one deployment takes its name and its id", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id, latest_revision_id: revision } = await stage.live();
  rmSync(`${stage.workspace.path}/agent-deploy.yml`);
  for (const named of ["search-agent", id]) {
    for (const command of ["status", "history", "open", "logs", "wait", "export"]) {
      const run = await stage.cli([command, named]);
      expect([command, named, run.code, run.stderr]).toEqual([
        command,
        named,
        0,
        expect.anything(),
      ]);
      if (command === "export") expect(load(run.stdout)).toMatchObject({ name: "search-agent" });
    }
    expect((await stage.cli(["redeploy", named, "--poll-interval", "20ms"])).code).toBe(0);
    const spec = `${named}.yml`;
    expect((await stage.cli(["init", named, "--output", spec])).code).toBe(0);
    expect(stage.workspace.read(spec)).toContain(`id: ${id}`);
  }
  expect((await stage.live()).latest_revision_id).not.toBe(revision);
  const unknown = await stage.cli(["wait", "serch-agent"]);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining("there is no deployment serch-agent; did you mean search-agent?"),
  ]);
  for (const [name, code] of [
    ["nobody", 2],
    ["search-agent", 0],
  ] as const)
    expect((await stage.cli(["destroy", name, "--confirm", "search-agent"])).code).toBe(code);
});
