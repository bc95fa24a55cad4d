import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { ServerOptions } from "../../../src/emulator/server.ts";
import type { Passed } from "../../support/service-proxy.ts";
import { behind, createDeployed, edit, expectEnd, type Stage } from "../../scenarios/stage.ts";
import { createCheckout, createDeployedCheckout, SPEC } from "../../scenarios/checkout.ts";

describe("what cannot be packed", () => {
  test.each([
    [
      "no configuration",
      {},
      "langgraph_config_path: none.json",
      /there is no none\.json in the checkout/,
    ],
    [
      "a configuration outside of the repository",
      {},
      "langgraph_config_path: ../up.json",
      /there is no|outside of the repository/,
    ],
    [
      "a configuration that holds a secret",
      { "c.json": '{"x":"first-value-1"}' },
      "langgraph_config_path: c.json",
      /c\.json holds the value of a secret/,
    ],
    [
      "a configuration that is ignored",
      { "c.json": "{}", ".gitignore": "c.json" },
      "langgraph_config_path: c.json",
      /c\.json is left out of the archive/,
    ],
    [
      "a dependency outside of the repository",
      { "c.json": '{"dependencies":["../../x"]}' },
      "langgraph_config_path: c.json",
      /outside of the repository/,
    ],
    [
      "a configuration that is not JSON",
      { "c.json": "{" },
      "langgraph_config_path: c.json",
      /is not a JSON object/,
    ],
  ])("%s is exit 2, at its line, and nothing is sent", async (_, files, line, message) => {
    const spec = edit(SPEC, "secrets:", `source_revision_config:\n  ${line}\nsecrets:`);
    const stage = await createCheckout(spec, files);
    const run = await stage.cli(["apply"]);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toMatch(message);
    expect(run.stderr).toMatch(/agent-deploy\.yml:5:3/);
    expect(stage.emulator.emulator.requests()).toEqual([]);
    const action = await stage.run();
    expectEnd(action, { outcome: "failed", changed: "false" }, 1);
  });

  test.each([
    ["that does not exist", SPEC, "nowhere", /deploy\.source: there is no folder nowhere/],
    ["outside of the repository", SPEC, "../..", /deploy\.source: is outside of the repository/],
    [
      "for a source that is not packed",
      SPEC.replace("internal_source", "internal_docker"),
      "sub",
      /deploy\.source: is only for source internal_source/,
    ],
  ])(
    "a deploy.source %s is exit 2, by its name and at its line",
    async (_, spec, folder, message) => {
      const stage = await createCheckout(`${spec}deploy: { source: ${folder} }\n`);
      const run = await stage.cli(["plan"]);
      expect(run).toMatchObject({ code: 2 });
      expect(run.stderr).toMatch(message);
      expect(run.stderr).toContain("agent-deploy.yml:6:11");
      expect(stage.emulator.emulator.requests()).toEqual([]);
    },
  );
});

describe("moving between a repository and the checkout", () => {
  const REPO = `name: support-agent
source: github
source_config: { repo_url: http://127.0.0.1:1/acme/agents, deployment_type: dev, build_on_push: false }
source_revision_config: { repo_ref: main, langgraph_config_path: langgraph.json }
secrets:
  - { name: API_TOKEN, value: first-value-1 }
`;
  /** A checkout whose deployment is built from its repository. */
  const createRepository = async (options: ServerOptions = {}): Promise<Stage> => {
    const { emulator } = await createDeployed(REPO);
    return createCheckout(REPO, {}, options, emulator.emulator.world.store.entries());
  };

  test("is blocked without deploy.source_change, with the line to write", async () => {
    const stage = await createRepository();
    stage.spec(SPEC);
    const run = await stage.run();
    expectEnd(run, { outcome: "blocked" }, 1);
    expect(run.stdout).toContain("deploy: { source_change: true }");
    expect(stage.writes()).toEqual([]);
  });

  test("is allowed with it, in both directions", async () => {
    const stage = await createRepository();
    stage.spec(`${SPEC}deploy: { source_change: true }\n`);
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.spec(SPEC);
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.spec(REPO);
    expectEnd(await stage.run(), { outcome: "blocked" }, 1);
    stage.spec(`${REPO}deploy: { source_change: true }\n`);
    stage.forget();
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(stage.patches()[0]).toMatchObject({ revision_source: "github" });
  });

  test("also sends the path of the configuration file on the way back, since the live one was the archive's", async () => {
    const stage = await createRepository({ readback: "hosted" });
    stage.spec(`${SPEC}deploy: { source_change: true }\n`);
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.spec(`${REPO}deploy: { source_change: true }\n`);
    stage.forget();
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(stage.patches()).toMatchObject([
      { source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" } },
    ]);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });
});

describe("a checkout whose hash the service hides", () => {
  test.each([
    ["a change on every run if the spec names its secrets", SPEC, "planned"],
    [
      "blocked with the reason if it names none",
      SPEC.slice(0, SPEC.indexOf("secrets:")),
      "blocked",
    ],
  ])("is never unchanged: %s", async (_, spec, outcome) => {
    const stage = await createDeployedCheckout(spec);
    const hide = await behind(stage, async ({ forward }): Promise<Passed> => {
      const passed = await forward();
      return {
        ...passed,
        body: String(passed.body).replace(/sha256:[0-9a-f]{64} [^"]+/g, "********"),
      };
    });
    const run = await hide({ command: "plan" });
    expect(run.outputs["outcome"]).toBe(outcome);
  });
});

describe("an upload to a service that hides the values of secrets", () => {
  const NAMELESS = SPEC.slice(0, SPEC.indexOf("secrets:"));
  const hidden = (secretValues: "stars" | "bullets" | "empty" | "null") =>
    createDeployedCheckout(SPEC, { secretValues, maskedSecrets: ["API_TOKEN"] });

  test("is blocked because of an optional secret that is not set here, with one advice to set its variable", async () => {
    const optional = `${SPEC}  - { name: SENTRY_DSN, optional: true }\n`;
    const stage = await createCheckout(optional, {}, { secretValues: "stars" });
    expectEnd(await stage.run({}, { env: { SENTRY_DSN: "https://dsn.example.com/1" } }), {
      outcome: "deployed",
    });
    stage.forget();
    for (const text of [optional, `${optional}  - { name: MORE, value: "another-value" }\n`]) {
      stage.spec(text);
      const run = await stage.run();
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
      const report = JSON.parse(readFileSync(run.outputs["report"]!, "utf8"));
      const { message } = report.deployments[0];
      expect(message).toContain("Set the variables of these in this environment");
      expect(message).not.toContain("List all of them in the spec");
      expect(message.split("SENTRY_DSN")).toHaveLength(2);
    }
    expect(stage.writes()).toEqual([]);
  });

  test.each(["stars", "bullets", "empty", "null"] as const)(
    "is blocked if the spec names no secrets and they are shown as %s, since sending that back would replace them",
    async (secretValues) => {
      const stage = await hidden(secretValues);
      stage.spec(NAMELESS);
      stage.workspace.write("agent.py", "graph = 2\n");
      const run = await stage.run();
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
      expect(run.stdout).toContain("the service does not return API_TOKEN");
      expect(stage.writes()).toEqual([]);
    },
  );

  test("sends the spec's secrets if the spec names them, and the plan says so", async () => {
    const stage = await hidden("stars");
    expect((await stage.run({ command: "plan" })).stdout).toContain("set secrets-unknown: send");
    stage.workspace.write("agent.py", "graph = 2\n");
    const plan = await stage.run({ command: "plan" });
    expect(plan.stdout).toContain(
      "value of secrets.API_TOKEN: value unknown, compared by name only; sent along with the rest",
    );
  });
});
