import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, edit, expectEnd, REPOSITORY } from "../../scenarios/stage.ts";

const SPEC = { min_scale: 1, max_scale: 3, cpu: 2, memory_mb: 1024 };
const cases = [
  [
    "repo_ref",
    REPOSITORY,
    "repo_ref: main",
    "repo_ref: release",
    { source_revision_config: { repo_ref: "release" } },
  ],
  [
    "graph_config_path",
    REPOSITORY,
    "graphs/support.json",
    "graphs/other.json",
    { source_revision_config: { graph_config_path: "graphs/other.json" } },
  ],
  [
    "image_uri",
    CONTAINER,
    "a".repeat(64),
    "b".repeat(64),
    {
      source_revision_config: {
        image_uri: `registry.example.com/acme/search@sha256:${"b".repeat(64)}`,
      },
    },
  ],
  [
    "secrets",
    CONTAINER,
    "first-value",
    "second-value",
    {
      secrets: [
        { name: "API_TOKEN", value: "***" },
        { name: "DB_URL", value: "***" },
      ],
    },
  ],
  ["resource_spec", CONTAINER, "cpu: 1,", "cpu: 2,", { source_config: { resource_spec: SPEC } }],
] as const;

test.each(cases)(
  "a changed %s is a PATCH of only that field, and one revision",
  async (_, spec, from, to, body) => {
    const stage = await createDeployed(spec);
    const before = await stage.live();
    stage.spec(edit(spec, from, to));
    const run = await stage.run();
    const live = await stage.live();
    expectEnd(run, {
      outcome: "deployed",
      changed: "true",
      "revision-id": live.active_revision_id,
      "previous-revision-id": before.active_revision_id,
    });
    expect(stage.writes()).toEqual([`PATCH /v2/deployments/${live.id}`]);
    expect(stage.patches()).toEqual([body]);
    expect(await stage.revisions()).toHaveLength(2);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  },
);

test.each(cases)(
  "a changed %s is the same PATCH if the service answers with defaults, nulls and commits",
  async (field, spec, from, to, body) => {
    const stage = await createDeployed(spec, { readback: "hosted" });
    stage.spec(edit(spec, from, to));
    expectEnd(await stage.run(), { outcome: "deployed" });
    // install_command is not returned there, so it travels with a PATCH that is made anyway.
    const unread = spec === REPOSITORY ? { source_config: { install_command: "npm ci" } } : {};
    expect(stage.patches()).toEqual([
      {
        ...unread,
        ...body,
        ...(field === "resource_spec" ? { source_config: { resource_spec: SPEC } } : {}),
      },
    ]);
    expect(await stage.revisions()).toHaveLength(2);
  },
);
