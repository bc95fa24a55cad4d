import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, edit, expectEnd } from "./stage.ts";

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

test("every problem is reported at once with its place, and the exit code is 2", async () => {
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

test("a deployment-id that is not a UUID is a usage error with exit code 2 and no request", async () => {
  const stage = await createStage(CONTAINER);
  for (const command of ["plan", "apply", "wait", "redeploy", "destroy", "export", "upload"])
    for (const id of [
      "search-agent",
      "0b6f8f7e",
      "0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11x",
      "../x",
    ]) {
      const cli = await stage.cli([command, "--deployment-id", id]);
      expect(cli.code).toBe(2);
      expect(cli.stderr).toContain(`--deployment-id: "${id}" is not a deployment ID`);
    }
  const run = await stage.run({ "deployment-id": "search-agent" });
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  expect(run.stdout).toContain('deployment-id: "search-agent" is not a deployment ID');
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test("--json reports a usage error on stdout too", async () => {
  const stage = await createStage(CONTAINER);
  const message = "there is no flag --timout (did you mean --timeout?)";
  const plan = await stage.cli(["plan", "--json", "--timout", "5m"]);
  expect(plan.code).toBe(2);
  expect(plan.stderr.split(message)).toHaveLength(2);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    version: 1,
    outcome: "failed",
    changed: false,
    deployments: [],
    problems: [{ message }],
  });
  for (const [args, said] of [
    [["frobnicate", "--json"], 'there is no command "frobnicate"; agent-deploy --help lists them'],
    [["--json", "aply"], 'there is no command "aply" (did you mean apply?)'],
    [["help", "aply", "--json"], 'there is no command "aply" (did you mean apply?)'],
    [["constructor", "--json"], 'there is no command "constructor"'],
    [["--json"], "which command? one of "],
  ] as const) {
    const { code, stdout, stderr } = await stage.cli(args);
    expect(code).toBe(2);
    expect(stderr.split(said)).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "failed",
      command: "",
      problems: [{ message: expect.stringContaining(said) }],
    });
  }
  const text = await stage.cli(["frobnicate"]);
  expect([text.code, text.stdout]).toEqual([2, ""]);
  const outside = await stage.cli(["plan", "--json", "--report-file", "/elsewhere/report.json"]);
  expect(outside.code).toBe(2);
  expect(JSON.parse(outside.stdout).problems).toHaveLength(1);
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test("a warning names every image with a mutable tag, also of sidecars and init containers", async () => {
  const digest = `registry.example.com/proxy@sha256:${"c".repeat(64)}`;
  const spec = edit(
    CONTAINER,
    "cpu: 1, memory_mb: 1024 }",
    `cpu: 1, memory_mb: 1024, sidecars: [{ name: proxy, image: "proxy:1" }, { name: pinned, image: "${digest}" }], init_containers: [{ name: migrate, image: migrate }] }`,
  );
  const stage = await createStage(edit(spec, `@sha256:${"a".repeat(64)}`, ":2"));
  const run = await stage.cli(["validate"]);
  const warned = [...run.stderr.matchAll(/: (\S+): names an image by a tag that can move/g)];
  expect([run.code, warned.map(([, path]) => path).sort()]).toEqual([
    0,
    [
      "source_config.resource_spec.init_containers.0.image",
      "source_config.resource_spec.sidecars.0.image",
      "source_revision_config.image_uri",
    ],
  ]);
});
