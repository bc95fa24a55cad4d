import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { createTree } from "../support/tree.ts";
import { runCli } from "../support/cli-run.ts";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  edit,
  expectEnd,
  REPOSITORY,
} from "./stage.ts";
import { expectEmptyPlan, HOSTED, HOSTED_CONTAINER, named, RICH } from "./exported.ts";
import type { ServerOptions } from "../../src/emulator/server.ts";

describe.each<[string, ServerOptions]>([
  ["as the document shows it", {}],
  ["hosted read-back", { readback: "hosted" }],
])("%s", (_, options) => {
  test("the exported specs of both kinds, in both spellings, have an empty plan", () =>
    expectEmptyPlan(options));
});

test("--all exports every deployment", async () => {
  const stage = await createDeployed(`${CONTAINER}---\n${REPOSITORY}`);
  const exported = await stage.cli(["export", "--all"]);
  expect(exported.stdout).not.toContain("$schema=");
  expect(exported.stdout.match(/^name: .*$/gm)!.sort()).toEqual([
    "name: search-agent",
    "name: support-agent",
  ]);
  const plan = await runCli(["plan", "--json"], {
    workspace: createTree({ "agent-deploy.yml": exported.stdout }),
    env: stage.emulator.env,
  });
  expect(JSON.parse(plan.stdout).outcome).toBe("unchanged");
});

test("--all and a name exclude each other", async () => {
  const stage = await createDeployed(CONTAINER);
  const run = await stage.cli(["export", "search-agent", "--all"]);
  expect([run.code, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain("--all exports every deployment: leave out search-agent, or --all");
});

test("the Action overwrites the spec's path, while the command line does not overwrite a file", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  expectEnd(await stage.run({ command: "export", "deployment-id": id, spec: "live/search.yml" }), {
    outcome: "unchanged",
    changed: "false",
  });
  expect(stage.workspace.read("live/search.yml")).toContain("name: search-agent");
  // The schema that the file's first line names.
  expect(stage.workspace.read("schema/agent-deploy.schema.json")).toContain("$schema");
  const refused = await stage.cli([
    "export",
    "--deployment-id",
    id,
    "--output",
    "agent-deploy.yml",
  ]);
  expect([refused.code, stage.workspace.read("agent-deploy.yml")]).toEqual([2, CONTAINER]);
  expectEnd(await stage.run({ command: "export", "deployment-id": id }), {
    outcome: "unchanged",
    changed: "false",
  });
  expect(stage.workspace.read("agent-deploy.yml")).toBe(
    stage.workspace.read("live/search.yml").replace("=../schema/", "=./schema/"),
  );
});

test.each([
  ["below", (path: string) => `${path}/live/search.yml`],
  ["outside", () => `${createTree().path}/search.yml`],
])("a file %s the folder, given by its full path, refers to an existing schema", async (_, to) => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  const file = to(stage.workspace.path);
  const run = await stage.cli([
    ...["export", "--deployment-id", id, "--output", file, "--allow-outside"],
  ]);
  expect(run.code).toBe(0);
  const [, schema] = /\$schema=(\S+)/u.exec(readFileSync(file, "utf8"))!;
  expect(readFileSync(join(dirname(file), schema!), "utf8")).toContain("$schema");
});

test("--all skips a deployment that is being deleted, and those that share a name, and says so", async () => {
  const others = ["going", "twice"].map((name) => edit(CONTAINER, "search-agent", name));
  const stage = await createDeployed([CONTAINER, ...others].join("---\n"), {
    names: "duplicates",
    lags: { delete: 600_000 },
  });
  const { id: going } = await stage.live("going");
  const { id: first, ...twice } = await stage.live("twice");
  const { name, source, source_config, source_revision_config, secrets } = twice;
  const body = { name, source, source_config, source_revision_config, secrets };
  const { id: second } = await stage.send("POST", "/v2/deployments", body);
  await stage.send("DELETE", `/v2/deployments/${going}`);
  const exported = await stage.cli(["export", "--all"]);
  expect(exported.code).toBe(0);
  expect(exported.stdout.match(/^name: .*$/gm)).toEqual(["name: search-agent"]);
  expect(exported.stderr).toContain(`going (${going}) is being deleted: not exported`);
  for (const id of [first, second]) expect(exported.stderr).toContain(id);
  const validated = await runCli(["validate"], {
    workspace: createTree({ "agent-deploy.yml": exported.stdout }),
    env: { API_TOKEN: "x", DB_URL: "x" },
  });
  expect(validated.code).toBe(0);
  await stage.send("DELETE", `/v2/deployments/${(await stage.live("search-agent")).id}`);
  const { code, stdout, stderr } = await stage.cli(["export", "--all"]);
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("export: nothing to export of 4 deployments in this workspace");
});

test("deployment types of the hosted service are exported, valid, and have an empty plan", async () => {
  const kinds = ["dev_zero", "dev_free_zero", "of_tomorrow"];
  const nameOf = (kind: string): string => kind.replaceAll("_", "-");
  const specs = kinds.map((kind) => named(HOSTED, nameOf(kind)));
  const stage = await createDeployed(specs.join("---\n"), { readback: "hosted" });
  const run = await behind(stage, async ({ method, forward }) => {
    const reply = await forward();
    if (method !== "GET") return reply;
    // The kind is in the name: what the emulator does not take, a service of tomorrow may show.
    const revive = (_key: string, one: any): unknown => {
      const kind = kinds.find((each) => nameOf(each) === one?.name);
      if (kind !== undefined) one.source_config.deployment_type = kind;
      return one;
    };
    return { ...reply, body: JSON.stringify(JSON.parse(String(reply.body), revive)) };
  });
  for (const kind of kinds) {
    const { id } = await stage.live(nameOf(kind));
    const inputs = { spec: "live.yml", "deployment-id": id };
    expectEnd(await run({ ...inputs, command: "export" }), { outcome: "unchanged" });
    expect(stage.workspace.read("live.yml")).toContain(`deployment_type: ${kind}`);
    const env = { API_TOKEN: "first-value" };
    const validated = await runCli(["validate", "live.yml"], { workspace: stage.workspace, env });
    expect([validated.code, validated.stderr]).toEqual([
      0,
      expect.stringContaining("is not one of the known words"),
    ]);
    expectEnd(await run({ ...inputs, command: "plan" }, { env }), { outcome: "unchanged" });
  }
});

describe("the display name", () => {
  const shown = (name: string): string =>
    edit(HOSTED_CONTAINER, "source:", `display_name: ${name}\nsource:`);

  test("is sent right after the create, which refuses it, and then has an empty plan", async () => {
    const stage = await createStage(shown("Search"), { profile: "hosted" });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(stage.patches()).toEqual([{ display_name: "Search" }]);
    expect((await stage.live()).display_name).toBe("Search");
    stage.forget();
    expectEnd(await stage.run(), { outcome: "unchanged" });
    expect(stage.writes()).toEqual([]);
  });

  test("is updated in place, and exported", async () => {
    const stage = await createStage(shown("Search"), { profile: "hosted" });
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.forget();
    stage.spec(shown("Find"));
    expectEnd(await stage.run(), { outcome: "updated" });
    expect(stage.patches()).toEqual([{ display_name: "Find" }]);
    const exported = await stage.cli(["export", "--all"]);
    expect(exported.stdout).toContain("display_name: Find\n");
  });
});

test("different live values get different variables, so that no secret is written into another deployment", async () => {
  const one = edit(RICH, "custom_url: https://", "custom_url: https://user:first-password@");
  const two = [
    ["sidecar-secret", "other-sidecar"],
    ["user:first-password", "user:second-password"],
    ["first-value", "second-value"],
  ].reduce((text, [from, to]) => edit(text, from!, to!), one);
  const stage = await createDeployed(`${named(one, "one")}---\n${named(two, "two-b")}`);
  const { stdout } = await stage.cli(["export", "--all"]);
  expect(stdout).not.toMatch(
    /first-password|second-password|first-value|second-value|sidecar-secret|other-sidecar/,
  );
  const env = {
    DB_URL: "postgres://db/search",
    ONE_API_TOKEN: "first-value",
    TWO_B_API_TOKEN: "second-value",
    ONE_PROXY_PROXY_KEY: "sidecar-secret",
    TWO_B_PROXY_PROXY_KEY: "other-sidecar",
    ONE_CUSTOM_URL_USER_INFO: "user:first-password",
    TWO_B_CUSTOM_URL_USER_INFO: "user:second-password",
  };
  for (const name of Object.keys(env)) expect(stdout).toContain(name);
  expect(stdout).toMatch(/value: .?\$\{TWO_B_API_TOKEN\}/);
  expect(stdout).toContain("named apart, since");
  stage.spec(stdout);
  const plan = await stage.run({ command: "plan" }, { env });
  expectEnd(plan, { outcome: "unchanged" });
  const { id } = await stage.live("one");
  stage.spec((await stage.cli(["export", "--deployment-id", id])).stdout);
  const { ONE_PROXY_PROXY_KEY, ONE_API_TOKEN, ONE_CUSTOM_URL_USER_INFO } = env;
  const plain = {
    DB_URL: env.DB_URL,
    PROXY_PROXY_KEY: ONE_PROXY_PROXY_KEY,
    API_TOKEN: ONE_API_TOKEN,
    CUSTOM_URL_USER_INFO: ONE_CUSTOM_URL_USER_INFO,
  };
  expectEnd(await stage.run({ command: "plan" }, { env: plain }), { outcome: "unchanged" });
});

test("a ${NAME} in live text is escaped, so that the exported spec has an empty plan", async () => {
  const text = "npm ci $${NOT_A_VARIABLE} && echo $$$${ALSO}";
  const stage = await createDeployed(
    edit(REPOSITORY, "install_command: npm ci", `install_command: "${text}"`),
  );
  const exported = await stage.cli(["export", "--all"]);
  expect(exported.code).toBe(0);
  stage.spec(exported.stdout);
  const run = await stage.run({ command: "plan" }, { env: { API_TOKEN: "first-value" } });
  expectEnd(run, { outcome: "unchanged" });
});

test("export warns if a secret masks part of the printed spec, but writes a file completely", async () => {
  const stage = await createDeployed(
    edit(CONTAINER, "min_scale: 1,", "min_scale: 1, labels: { team: first-value-team },"),
  );
  const warning = "values that repeat a secret are masked";
  const printed = await stage.cli(["export", "search-agent"]);
  expect(printed.stdout).not.toContain("first-value");
  expect(printed.stderr).toContain(warning);
  const written = await stage.cli(["export", "search-agent", "--output", "whole.yml"]);
  expect(written.stderr).not.toContain(warning);
  expect(stage.workspace.read("whole.yml")).toContain("team: first-value-team");
});

test("an exported setting is a variable, and the spec has an empty plan", async () => {
  const stage = await createDeployed(
    `${CONTAINER}variables: { LOG_LEVEL: info, APP_ENV: production }\n`,
  );
  const exported = await stage.cli(["export", "search-agent"]);
  expect(load(exported.stdout)).toMatchObject({
    secrets: ["API_TOKEN", "DB_URL"],
    variables: { LOG_LEVEL: "info", APP_ENV: "production" },
  });
  stage.spec(exported.stdout);
  const planned = await stage.cli(["plan"], {
    API_TOKEN: "first-value",
    DB_URL: "postgres://db/search",
  });
  expect([planned.code, planned.stdout]).toEqual([
    0,
    expect.stringContaining("search-agent: nothing to change"),
  ]);
});
