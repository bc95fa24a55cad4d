import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, deploymentOf, edit, expectEnd, REPOSITORY } from "./stage.ts";

test.each([
  ["deployment_type", REPOSITORY, "deployment_type: prod", "deployment_type: dev"],
  ["repo_url", REPOSITORY, "acme/agents", "acme/others"],
])("a changed %s is blocked, and nothing is written", async (field, spec, from, to) => {
  const stage = await createDeployed(spec);
  stage.spec(edit(spec, from, to));
  const run = await stage.run();
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(stage.writes()).toEqual([]);
  expect(deploymentOf(run)).toMatchObject({
    action: "blocked",
    changes: [{ path: `source_config.${field}`, effect: "impossible" }],
  });
  expect(run.stdout).toContain(`source_config.${field} cannot change after creation`);
  expect(run.stdout).toContain("new deployment");
});

test("another source is blocked, also with the deployment's id", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  stage.spec(REPOSITORY.replace("support-agent", "search-agent"));
  expectEnd(await stage.run(), { outcome: "blocked" }, 1);
  expectEnd(await stage.run({ "deployment-id": id }), { outcome: "blocked" }, 1);
  expect(stage.writes()).toEqual([]);
});

test.each([
  [
    "null over a set field",
    CONTAINER,
    "custom_url: https://search.example.com",
    "custom_url: null",
    "source_config.custom_url",
  ],
  [
    "null over a set leaf",
    CONTAINER,
    "max_scale: 3",
    "max_scale: null",
    "source_config.resource_spec.max_scale",
  ],
  [
    "null over a whole group",
    CONTAINER,
    "resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 }",
    "resource_spec: null",
    "source_config.resource_spec",
  ],
])(
  "%s is a clear, which is blocked since the service cannot do it",
  async (_, spec, from, to, path) => {
    const stage = await createDeployed(spec);
    stage.spec(edit(spec, from, to));
    const run = await stage.run();
    expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
    expect(deploymentOf(run).changes).toMatchObject([{ path, after: null, effect: "impossible" }]);
    expect(run.stdout).toContain("clear");
    expect(stage.writes()).toEqual([]);
  },
);

test("secrets: [] over live secrets is a clear, which is blocked", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(`${CONTAINER.split("secrets:")[0]}secrets: []\n`);
  expectEnd(await stage.run(), { outcome: "blocked", changed: "false" }, 1);
  expect(stage.writes()).toEqual([]);
});

test.each([
  ["a trailing .git", "acme/agents.git"],
  ["a trailing slash", "acme/agents/"],
  ["another case of the host", "acme/agents", "http://LOCALHOST:1"],
])("repo_url with %s is the same repository", async (_name, path, host = "http://localhost:1") => {
  const named = (url: string): string => edit(REPOSITORY, "http://127.0.0.1:1/acme/agents", url);
  const stage = await createDeployed(named("http://localhost:1/acme/agents"));
  stage.spec(named(`${host}/${path}`));
  expectEnd(await stage.run(), { outcome: "unchanged", changed: "false" });
  expect(stage.writes()).toEqual([]);
});
