import { expect, test } from "@jest/globals";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  edit,
  expectEnd,
  REPOSITORY,
} from "./stage.ts";

const HOSTED = edit(
  edit(REPOSITORY, "source: repohost", "source: github"),
  "graph_config_path",
  "langgraph_config_path",
);

test.each(["document", "hosted"] as const)(
  "the hosted spelling is sent as written and read in either, with %s read-back",
  async (readback) => {
    const stage = await createStage(HOSTED, { readback });
    expectEnd(await stage.run(), { outcome: "deployed" });
    const [post] = stage.emulator.emulator.requests().filter(({ method }) => method === "POST");
    expect(post!.body).toMatchObject({
      source: "github",
      source_revision_config: { repo_ref: "main", langgraph_config_path: "graphs/support.json" },
    });
    const lookups = stage.emulator.emulator
      .requests()
      .map(({ path }) => path)
      .filter((path) => path.includes("integrations"));
    expect(lookups).toEqual(["/v1/integrations/github/install"]);
    stage.forget();
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.spec(edit(HOSTED, "graphs/support.json", "graphs/other.json"));
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(stage.patches()).toMatchObject([
      { source_revision_config: { langgraph_config_path: "graphs/other.json" } },
    ]);
    expect(JSON.parse(run.outputs["plan"]!).deployments[0].changes).toMatchObject([
      { path: "source_revision_config.langgraph_config_path" },
    ]);
  },
);

test.each([
  ["document", HOSTED],
  ["hosted", REPOSITORY],
  ["hosted", CONTAINER],
] as const)(
  "a service that answers in the %s spelling works with a spec in either",
  async (dialect, spec) => {
    const stage = await createStage(spec, { dialect });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  },
);

test("both spellings in one document are an error at the second one's line, and nothing is sent", async () => {
  const stage = await createStage(edit(HOSTED, "langgraph_config_path", "graph_config_path"));
  const run = await stage.run();
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  const line = HOSTED.split("\n").findIndex((text) => text.includes("langgraph_config_path")) + 1;
  expect(run.stdout).toMatch(new RegExp(`::error .*line=${line}\\b`));
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test.each([
  ["while it is waited for", {}],
  ["while verify runs", { verify: "touch begun" }],
])("a field that somebody changes %s is named in the spec's spelling", async (_, inputs) => {
  const stage = await createDeployed(HOSTED);
  stage.spec(edit(HOSTED, "graphs/support.json", "graphs/other.json"));
  const { id } = await stage.live();
  const run = await behind(stage, async ({ method, path, forward }) => {
    const reply = await forward();
    const isTheirs =
      method === "GET" &&
      path === `/v2/deployments/${id}` &&
      (!("verify" in inputs) || stage.workspace.has("begun"));
    return isTheirs
      ? { ...reply, body: String(reply.body).replace("graphs/other.json", "graphs/theirs.json") }
      : reply;
  });
  const end = await run(inputs);
  expectEnd(end, { outcome: "superseded" }, 1);
  expect(end.stdout).toContain("(source_revision_config.langgraph_config_path)");
  expect(end.stdout).not.toMatch(/(?<!lang)graph_config_path/);
});

test.each([
  ["hosted", "external_docker"],
  ["document", "external_container"],
] as const)(
  "list and status name a source in the %s spelling of the service",
  async (dialect, source) => {
    const stage = await createDeployed(CONTAINER, { dialect });
    const listed = JSON.parse((await stage.cli(["list", "--json"])).stdout);
    expect(listed).toMatchObject([{ source }]);
    const status = JSON.parse((await stage.cli(["status", "search-agent", "--json"])).stdout);
    expect(status).toMatchObject({ source });
  },
);

test("if a reply has a key in both spellings, the one that is set counts", async () => {
  const stage = await createDeployed(REPOSITORY);
  for (const [own, other] of [
    ["graph_config_path", "langgraph_config_path"],
    ["langgraph_config_path", "graph_config_path"],
  ] as const) {
    const run = await behind(stage, async ({ method, forward }) => {
      const reply = await forward();
      if (method !== "GET") return reply;
      const both = (text: string): string =>
        text.replaceAll(/"graph_config_path":("[^"]*")/g, `"${own}":$1,"${other}":null`);
      return { ...reply, body: both(String(reply.body)) };
    });
    expectEnd(await run(), { outcome: "unchanged", changed: "false" });
  }
  expect(stage.writes()).toEqual([]);
});
