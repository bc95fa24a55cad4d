import { describe, expect, test } from "@jest/globals";
import { startProxy } from "../support/service-proxy.ts";
import {
  CONTAINER,
  createDeployed,
  edit,
  expectEnd,
  REPO_URL,
  REPOSITORY,
  THIS_COMMIT,
} from "./stage.ts";
import { createFailed, createTwice, NEWER } from "./two-revisions.ts";

const NAME = "search-agent";

describe("a service with smaller pages than requested", () => {
  /** Three revisions; the service shows one a page. */
  async function createPaged() {
    const stage = await createDeployed([CONTAINER, NEWER, CONTAINER]);
    const url = await startProxy(stage.emulator.url, async ({ method, path, query, forward }) => {
      if (method !== "GET" || !path.endsWith("/revisions")) return forward();
      const page = new URLSearchParams({ ...Object.fromEntries(query), limit: "1" });
      const reply = await fetch(`${stage.emulator.url}${path}?${page}`, {
        headers: { "x-api-key": "test-key" },
      });
      return { status: reply.status, body: await reply.text() };
    });
    const env = { AGENT_DEPLOY_CONTROL_PLANE_URL: url, AGENT_DEPLOY_TRACING_URL: url };
    return { stage, env, revisions: await stage.revisions() };
  }

  test("is read by history until there are enough revisions", async () => {
    const { stage, env, revisions } = await createPaged();
    const ids = async (last: string): Promise<string[]> => {
      const run = await stage.cli(["history", NAME, "--json", "--last", last], env);
      return JSON.parse(run.stdout).map(({ id }: { id: string }) => id);
    };
    const all = revisions.map(({ id }) => id);
    expect(all).toHaveLength(3);
    expect(await ids("100")).toEqual(all);
    expect(await ids("2")).toEqual(all.slice(0, 2));
  });

  test("is searched by rollback --to beyond the first page", async () => {
    const { stage, env, revisions } = await createPaged();
    const run = await stage.cli(
      ["rollback", NAME, "--to", revisions[2].id.slice(0, 12), "--yes"],
      env,
    );
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(revisions[2].id)]);
  });
});

describe("rollback", () => {
  test("restores the previously active revision, lists what does not change, and waits", async () => {
    const stage = await createTwice();
    const [, before] = await stage.revisions();
    const run = await stage.cli(["rollback", NAME]);
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringMatching(/leaves secrets, resource_spec, .* as they are/),
    ]);
    expect(stage.writes()).toEqual([
      `POST /v2/deployments/${(await stage.live()).id}/revisions/${before.id}/redeploy`,
    ]);
    expect((await stage.live()).source_revision_config.image_uri).toContain("a".repeat(64));
  });

  test("with --dry-run prints the revision, and sends nothing", async () => {
    const stage = await createTwice();
    const [, before] = await stage.revisions();
    const run = await stage.cli(["rollback", NAME, "--dry-run"]);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(before.id)]);
    expect(stage.writes()).toEqual([]);
  });

  test("requires --to if the latest revision failed and the active one is live", async () => {
    const stage = await createFailed();
    const run = await stage.cli(["rollback", NAME]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("is still serving")]);
    expect(stage.writes()).toEqual([]);
    const [, given] = /add (--to \S+),/u.exec(run.stderr)!;
    const again = await stage.cli(["rollback", NAME, ...given!.split(" ")]);
    expect(again.code).toBe(0);
    const { active_revision_id, latest_revision_id } = await stage.live();
    expect(active_revision_id).toBe(latest_revision_id);
  });

  test("--to the active revision is refused if it is the latest", async () => {
    const stage = await createTwice();
    const [{ id }] = await stage.revisions();
    const run = await stage.cli(["rollback", NAME, "--to", id]);
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringContaining("is the active one already"),
    ]);
    expect(stage.writes()).toEqual([]);
  });

  test("repeated, restores what was active before the first, as kubectl rollout undo does", async () => {
    const third = edit(CONTAINER, "a".repeat(64), "c".repeat(64));
    const stage = await createDeployed([CONTAINER, NEWER, third]);
    for (const image of ["b", "c"]) {
      expect((await stage.cli(["rollback", NAME])).code).toBe(0);
      const { image_uri } = (await stage.live()).source_revision_config;
      expect(image_uri).toContain(image.repeat(64));
    }
  });

  test("is not reported as superseded because of another image from a repeated build", async () => {
    const specs = ["graphs/second.json", "graphs/third.json"].map((path) =>
      edit(REPOSITORY, "graphs/support.json", path),
    );
    const stage = await createDeployed([REPOSITORY, ...specs], { readback: "hosted" });
    for (const path of ["graphs/second.json", "graphs/third.json"]) {
      const run = await stage.cli(["rollback", "support-agent"]);
      expect([run.code, run.stdout + run.stderr]).toEqual([
        0,
        expect.not.stringContaining("superseded"),
      ]);
      const { graph_config_path, langgraph_config_path } = (await stage.live())
        .source_revision_config;
      expect(graph_config_path ?? langgraph_config_path).toBe(path);
    }
    const again = await stage.cli(["redeploy", "--deployment-id", (await stage.live()).id]);
    expect(again.code).toBe(0);
  });

  test("names an older revision of a branch by its commit, since the branch names the newest too", async () => {
    const stage = await createDeployed(REPOSITORY);
    const commit = "2".repeat(40);
    stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit });
    expectEnd(await stage.run({ commit }), { outcome: "deployed" });
    const run = await stage.cli(["rollback", "support-agent"]);
    expect([run.code, run.stdout + run.stderr]).toEqual([
      0,
      expect.stringContaining(`${THIS_COMMIT.slice(0, 7)} is live`),
    ]);
  });

  test("--to accepts the start of an id, and refuses an unknown one", async () => {
    const stage = await createTwice();
    const [, before] = await stage.revisions();
    const wrong = await stage.cli(["rollback", NAME, "--to", "ffffffff-ffff"]);
    expect([wrong.code, stage.writes()]).toEqual([2, []]);
    const run = await stage.cli(["rollback", NAME, "--to", before.id.slice(0, 12)]);
    expect(run.code).toBe(0);
  });
});

describe("rollback of a target instead of a name", () => {
  const SPEC = `${CONTAINER}  - SENTRY_DSN
deploy:
  targets:
    staging: {}
    production: { name: search-agent-production }
`;

  test("finds the deployment by the spec, and needs no values that it does not send", async () => {
    const stage = await createTwice();
    stage.spec(SPEC);
    const run = await stage.cli(["rollback", "--target", "staging", "--yes"]);
    expect([run.code, run.stdout + run.stderr]).toEqual([
      0,
      expect.not.stringMatching(/warning|SENTRY_DSN/i),
    ]);
    expect((await stage.live()).source_revision_config.image_uri).toContain("a".repeat(64));
  });

  test("fails if the target has no deployment, and sends nothing", async () => {
    const stage = await createTwice();
    stage.spec(SPEC);
    const run = await stage.cli(["rollback", "--target", "production", "--yes"]);
    expect([run.code, stage.writes()]).toEqual([1, []]);
    expect(run.stdout + run.stderr).toContain("search-agent-production");
  });

  test.each([
    ["rollback", "--target", "staging"],
    ["rollback", "--only", NAME],
    ["destroy", "--target", "staging", "--confirm", NAME],
  ])("is refused: %s of a name with %s", async (command, ...more) => {
    const stage = await createTwice();
    stage.spec(SPEC);
    const run = await stage.cli([command, NAME, ...more, "--yes"]);
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringContaining(`so ${more[0]} would not count`),
    ]);
    expect(stage.writes()).toEqual([]);
  });

  test("without a target or a name asks for the name and reads no spec", async () => {
    const stage = await createTwice();
    stage.spec("name: [broken");
    const run = await stage.cli(["rollback"]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("needs the name")]);
  });
});

test("a rollback to a blank revision is refused", async () => {
  const stage = await createTwice();
  const run = await stage.cli(["rollback", NAME, "--to", ""]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("--to: was given and is blank");
  expect(stage.writes()).toEqual([]);
});
