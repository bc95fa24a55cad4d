import { spawnSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { createStage, edit, expectEnd } from "../../scenarios/stage.ts";
import { runCli } from "../../support/cli-run.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";

const image = (letter: string): string =>
  `registry.example.com/acme/search@sha256:${letter.repeat(64)}`;

/** One spec for three environments. */
const SPEC = `name: search-agent
source: external_container
source_config:
  custom_url: https://search.example.com
  resource_spec: { min_scale: 1, max_scale: 3 }
source_revision_config:
  image_uri: ${image("a")}
secrets:
  - { name: API_TOKEN, value: first-value }
variables: { LOG_LEVEL: warning, REPLICAS: 2 }
deploy:
  targets:
    dev:
      name: search-agent-dev
      source_config: { custom_url: https://dev.search.example.com, resource_spec: { max_scale: 1 } }
      variables: { LOG_LEVEL: debug }
    staging:
      name: search-agent-staging
      source_config: { custom_url: https://staging.search.example.com }
    production:
      source_revision_config: { image_uri: "${image("9")}" }
      deploy: { verify: "echo verified $AGENT_DEPLOY_NAME" }
`;

describe("one spec, three targets", () => {
  test("are deployed, changed, promoted and destroyed separately", async () => {
    const stage = await createStage(SPEC);
    for (const target of ["dev", "staging", "production"])
      expectEnd(await stage.run({ target }), { outcome: "deployed", changed: "true" });
    const names = async (): Promise<string[]> =>
      (await stage.get("/v2/deployments?limit=100")).resources.map((one: any) => one.name).sort();
    expect(await names()).toEqual(["search-agent", "search-agent-dev", "search-agent-staging"]);
    const dev = await stage.live("search-agent-dev");
    expect(dev.source_config.resource_spec).toMatchObject({ min_scale: 1, max_scale: 1 });
    expect((await stage.live("search-agent")).source_config.custom_url).toBe(
      "https://search.example.com",
    );

    // Each target is as its document says.
    stage.forget();
    for (const target of ["dev", "staging", "production"])
      expectEnd(await stage.run({ target }), { outcome: "unchanged", changed: "false" });
    expect(stage.writes()).toEqual([]);

    // A change of one target leaves the others as they are.
    stage.spec(edit(SPEC, "LOG_LEVEL: debug", "LOG_LEVEL: info"));
    expectEnd(await stage.run({ target: "staging" }), { outcome: "unchanged" });
    const changed = await stage.run({ target: "dev" });
    expectEnd(changed, { outcome: "deployed" });
    expect(JSON.parse(changed.outputs["deployments"]!)[0].changes).toEqual([
      {
        path: "variables.LOG_LEVEL",
        before: "debug",
        after: "info",
        effect: "new-revision",
        sensitive: false,
      },
    ]);

    // Promotion: production takes the image that the others have.
    stage.spec(edit(SPEC, image("9"), image("a")));
    stage.forget();
    expectEnd(await stage.run({ target: "production" }), { outcome: "deployed" });
    expect(stage.patches()).toEqual([{ source_revision_config: { image_uri: image("a") } }]);

    // Destroyed by the name that the target gives.
    expect(
      (await stage.run({ command: "destroy", target: "dev", confirm: "search-agent" })).code,
    ).toBe(1);
    expectEnd(await stage.run({ command: "destroy", target: "dev", confirm: "search-agent-dev" }), {
      outcome: "updated",
    });
    expect(await names()).toEqual(["search-agent", "search-agent-staging"]);
  });

  test("take the name in `only` that the target gives", async () => {
    const stage = await createStage(SPEC);
    const wrong = await stage.cli(["plan", "--target", "dev", "--only", "search-agent"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("search-agent-dev");
    const right = await stage.cli(["plan", "--target", "dev", "--only", "search-agent-dev"]);
    expect(right.code).toBe(0);
  });

  test("exit 2 and send nothing if none is chosen, or one that no document has", async () => {
    const stage = await createStage(SPEC);
    for (const args of [[], ["--target", "prod"], ["--environment", "review"]]) {
      const run = await stage.cli(["plan", ...args]);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain("agent-deploy.yml:12:3: deploy.targets:");
    }
    expect(stage.emulator.emulator.requests()).toEqual([]);
  });

  test("are chosen by `environment` if it names one, and the plan names the target", async () => {
    const stage = await createStage(SPEC);
    const run = await stage.cli(["plan", "--environment", "staging", "--json"]);
    const report = JSON.parse(run.stdout);
    expect([report.target, report.deployments[0].name]).toEqual([
      "staging",
      "search-agent-staging",
    ]);
    expect(run.stderr).toContain("staging");
  });

  test("have different fingerprints even with the same text", async () => {
    const two = `${SPEC.slice(0, SPEC.indexOf("deploy:"))}deploy:\n  targets:\n    a: { region: us }\n    b: { region: eu }\n`;
    const stage = await createStage(two);
    const fingerprint = async (target: string): Promise<string> =>
      JSON.parse((await stage.cli(["plan", "--target", target, "--json"])).stdout).fingerprint;
    expect(await fingerprint("a")).not.toBe(await fingerprint("b"));
  });
});

describe("the address of a target", () => {
  const placed = (url: string): string =>
    SPEC.replace(
      "    staging:\n",
      `    staging:\n      control_plane_url: ${url}\n      tenant_id: 7c1d8f7e-3c1d-4c57-9a52-6f2b0d1c9e11\n`,
    );

  test("is used with the target's tenant if no input gives one", async () => {
    const other = await startTestEmulator();
    const stage = await createStage(placed(other.url));
    const inputs = { "control-plane-url": undefined, "tracing-url": undefined };
    expectEnd(await stage.run({ ...inputs, target: "staging" }), { outcome: "deployed" });
    expect(stage.emulator.writes()).toEqual([]);
    const [create] = other.emulator.requests().filter(({ method }) => method === "POST");
    expect(create).toBeDefined();
    expect(JSON.stringify(other.emulator.requests()[0])).toContain(
      "7c1d8f7e-3c1d-4c57-9a52-6f2b0d1c9e11",
    );
    for (const command of ["wait", "redeploy"])
      expect((await stage.run({ ...inputs, command, target: "staging" })).code).toBe(0);
    const destroyed = await stage.run({
      ...inputs,
      command: "destroy",
      target: "staging",
      confirm: "search-agent-staging",
    });
    expectEnd(destroyed, { outcome: "updated" });
  });

  test("gives way to an input", async () => {
    const other = await startTestEmulator();
    const stage = await createStage(placed(other.url));
    expectEnd(await stage.run({ target: "staging" }), { outcome: "deployed" });
    expect(other.emulator.requests()).toEqual([]);
  });

  test("is reported in the plan of a pull request if it differs from the base branch's", async () => {
    const other = await startTestEmulator();
    const stage = await createStage(placed("http://127.0.0.1:9"));
    const git = (...args: string[]): void => {
      const env = { PATH: process.env["PATH"], HOME: stage.workspace.path };
      const done = spawnSync("git", args, { cwd: stage.workspace.path, env });
      expect(String(done.stderr)).not.toContain("fatal");
    };
    const merge = (): void => {
      git("add", "agent-deploy.yml");
      git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "spec");
      git("update-ref", "refs/remotes/origin/main", "HEAD");
    };
    git("init", "-q", "-b", "main");
    merge();
    stage.spec(placed(other.url));
    const payload = {
      number: 7,
      pull_request: {
        number: 7,
        head: { sha: "2".repeat(40), repo: { full_name: "acme/agents" } },
        base: { ref: "main" },
      },
    };
    const inputs = {
      command: "plan",
      target: "staging",
      "control-plane-url": undefined,
      "tracing-url": undefined,
    };
    const event = { name: "pull_request", payload };
    const run = await stage.run(inputs, { event });
    expectEnd(run, { outcome: "planned" });
    expect(run.stdout).toContain(
      `target staging sends the key to ${other.url}, and in main to http://127.0.0.1:9: check this change`,
    );
    stage.spec(SPEC);
    merge();
    stage.spec(placed(other.url));
    expect((await stage.run(inputs, { event })).stdout).toContain(
      `target staging sends the key to ${other.url}, and in main it names no address: check this change`,
    );
    merge();
    expect((await stage.run(inputs, { event })).stdout).not.toContain("sends the key to");
  });

  test("is not taken from the spec by an untrusted run", async () => {
    const other = await startTestEmulator();
    const stage = await createStage(placed(other.url));
    const event = {
      name: "pull_request_target",
      payload: { pull_request: { head: { repo: null } } },
    };
    const run = await stage.run(
      {
        command: "plan",
        target: "staging",
        "control-plane-url": undefined,
        "tracing-url": undefined,
      },
      { event },
    );
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("an untrusted run takes no address from a spec");
    expect(other.emulator.requests()).toEqual([]);
  });
});

describe("render", () => {
  test("prints the resolved document, each value with its line, masks secrets, and sends no request", async () => {
    const stage = await createStage(SPEC);
    const run = await stage.cli(["render", "--target", "dev"], { AGENT_DEPLOY_API_KEY: "" });
    expect(run.code).toBe(0);
    expect(stage.emulator.emulator.requests()).toEqual([]);
    const lines = run.stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(lines).toEqual([
      "# target: dev # agent-deploy.yml:13",
      "name: search-agent-dev # agent-deploy.yml:14",
      "source: external_container # agent-deploy.yml:2",
      "source_config:",
      " custom_url: https://dev.search.example.com # agent-deploy.yml:15",
      " resource_spec:",
      " min_scale: 1 # agent-deploy.yml:5",
      " max_scale: 1 # agent-deploy.yml:15",
      "source_revision_config:",
      ` image_uri: "${image("a")}" # agent-deploy.yml:7`,
      "secrets:",
      ' - { name: API_TOKEN, value: "***" } # agent-deploy.yml:9',
      "variables:",
      " LOG_LEVEL: debug # agent-deploy.yml:16",
      ' REPLICAS: "2" # agent-deploy.yml:10',
      "deploy:",
      " secrets: replace # default",
      " resource_spec: merge # default",
      "",
    ]);
    expect(run.stdout + run.stderr).not.toContain("first-value");
    const json = await stage.cli(["render", "--target", "dev", "--json"]);
    expect(json.stdout).toBe(run.stdout);
    expect(json.stderr).toContain("--json has no effect on render");
  });

  test("validate checks every target", async () => {
    const stage = await createStage(edit(SPEC, "max_scale: 1 }", "max_scale: 0 }"));
    const run = await stage.cli(["validate"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("raise the maximum (in target dev, line 13)");
    stage.spec(SPEC);
    const good = await stage.cli(["validate"]);
    expect(good.code).toBe(0);
    expect(good.stderr).toContain("search-agent-dev (dev)");
  });
});

describe("the control plane of a target", () => {
  const placed = (url: string): string =>
    edit(
      SPEC,
      "      name: search-agent-staging\n",
      `      name: search-agent-staging\n      control_plane_url: ${url}\n`,
    );
  const newest = async (url: string): Promise<string[]> => {
    const answer = await fetch(`${url}/v2/deployments?limit=100`, {
      headers: { "x-api-key": "k" },
    });
    return ((await answer.json()) as { resources: { name: string }[] }).resources.map(
      ({ name }) => name,
    );
  };

  test("is used next to a tracing address that an input gives", async () => {
    const stage = await createStage(SPEC);
    const staging = await startTestEmulator();
    stage.spec(placed(staging.url));
    const run = await stage.run({ target: "staging", "control-plane-url": "" });
    expectEnd(run, { outcome: "deployed" });
    expect(stage.writes()).toEqual([]);
    expect(await newest(staging.url)).toEqual(["search-agent-staging"]);
  });

  test("takes precedence over the vendor's variables, which a shell has for other programs too, and a flag over the target", async () => {
    const other = await startTestEmulator();
    const staging = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": placed(staging.url) });
    const { env } = staging;
    const vendors = {
      AGENT_DEPLOY_API_KEY: env["AGENT_DEPLOY_API_KEY"]!,
      LANGSMITH_ENDPOINT: other.url,
      LANGGRAPH_HOST_URL: other.url,
    };
    const args = ["apply", "--target", "staging", "--poll-interval", "20ms"];
    expect((await runCli(args, { workspace, env: vendors })).code).toBe(0);
    expect([await newest(staging.url), await newest(other.url)]).toEqual([
      ["search-agent-staging"],
      [],
    ]);
    const flag = [...args, "--control-plane-url", other.url];
    expect((await runCli(flag, { workspace, env: vendors })).code).toBe(0);
    expect(await newest(other.url)).toEqual(["search-agent-staging"]);
  });
});
