import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, edit } from "./stage.ts";

const SPEC = edit(CONTAINER, "value: first-value", 'value: "${API_TOKEN}"');

test("--env-file sets variables that are not set, and warns of those that are", async () => {
  const stage = await createStage(SPEC);
  stage.workspace.write("prod.env", '# comment\nAPI_TOKEN="from-the-file"\nOTHER=1\n');
  const run = await stage.cli(["apply", "--env-file", "prod.env"]);
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining("from-the-file")]);
  expect((await stage.live()).secrets).toContainEqual({
    name: "API_TOKEN",
    value: "from-the-file",
  });
  const set = await stage.cli(["apply", "--env-file", "prod.env"], { API_TOKEN: "from-the-shell" });
  expect(set.code).toBe(0);
  const warning = "warning: --env-file: API_TOKEN: set already in the environment";
  expect([run.stderr, set.stderr]).toEqual([
    expect.not.stringContaining("set already"),
    expect.stringContaining(warning),
  ]);
  expect((await stage.live()).secrets).toContainEqual({
    name: "API_TOKEN",
    value: "from-the-shell",
  });
});

test("a missing --env-file is an error that names it, and nothing is sent", async () => {
  const stage = await createStage(SPEC);
  const run = await stage.cli(["apply", "--env-file", "none.env"]);
  // Node 20 reads this flag wherever it is, and ends with a code of its own.
  expect([2, 9]).toContain(run.code);
  expect(run.stderr).toContain("none.env");
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test("--quiet prints no progress, but the report", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.cli(["apply", "--quiet"]);
  const lines = run.stderr.split("\n").filter((line) => line !== "");
  expect(run.code).toBe(0);
  expect(lines.filter((line) => !line.startsWith("warning: "))).toEqual([]);
  expect(run.stdout).toContain("search-agent");
});
