import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, expectEnd } from "./stage.ts";

test("validate needs no key and no network", async () => {
  const stage = await createStage(CONTAINER);
  expectEnd(
    await stage.run({
      command: "validate",
      "api-key": "",
      "control-plane-url": "",
      "tracing-url": "",
    }),
    { changed: "false" },
  );
  const cli = await stage.cli(["validate"], { AGENT_DEPLOY_API_KEY: "" });
  expect(cli.code).toBe(0);
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test("every problem is told at once, each with its place, and the exit code is 2", async () => {
  const stage = await createStage(
    "name: search\nsource: external_container\nsource_config:\n  resource_spec: { cpu: many }\n  build_on_psh: true\n",
  );
  const cli = await stage.cli(["validate"]);
  expect(cli.code).toBe(2);
  expect(cli.stderr).toMatch(/agent-deploy\.yml:4:\d+: source_config\.resource_spec\.cpu/);
  expect(cli.stderr).toMatch(/agent-deploy\.yml:5:\d+: source_config\.build_on_psh.*build_on_push/);
  const run = await stage.run({ command: "validate" });
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  expect(run.stdout.match(/::error .*file=agent-deploy\.yml/g)!.length).toBeGreaterThanOrEqual(2);
});
