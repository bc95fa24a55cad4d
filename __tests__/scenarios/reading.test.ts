import { execFileSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { startProxy, type Passed } from "../support/service-proxy.ts";
import {
  CONTAINER,
  createDeployed,
  createStage,
  edit,
  REPOSITORY,
  REPO_URL,
  type Stage,
} from "./stage.ts";
import { createFailed, createTwice } from "./two-revisions.ts";

const NAME = "search-agent";

describe("commands that read and print", () => {
  test("list shows every deployment with its ids, as a table and as JSON, without secrets", async () => {
    const stage = await createDeployed(CONTAINER);
    const live = await stage.live();
    const table = await stage.cli(["list"]);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^NAME +STATE +UPDATED +ID\n/);
    expect(table.stdout).toContain(live.id);
    const json = await stage.cli(["list", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ name: NAME, id: live.id }]);
    expect(table.stdout + json.stdout).not.toContain("first-value");
    expect(stage.writes()).toEqual([]);
  });

  test("list and status fit 80 columns with full ids, and print addresses on their own lines", async () => {
    const stage = await createDeployed(CONTAINER);
    const live = await stage.live();
    const list = (await stage.cli(["list"])).stdout.split("\n");
    expect(list).toEqual([
      expect.stringMatching(/ID$/),
      expect.stringMatching(new RegExp(`${live.id}$`)),
      "   https://search.example.com",
      "",
    ]);
    const status = (await stage.cli(["status", NAME])).stdout.split("\n");
    expect(status).toContain(`active  ${live.active_revision_id}  DEPLOYED`);
    expect(status).toContain("url     https://search.example.com");
    for (const line of [...list, ...status]) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("list shows what serves instead of READY, which a deployment with only failed builds has too", async () => {
    const serving = await createDeployed(CONTAINER);
    expect((await serving.cli(["list"])).stdout).toMatch(
      new RegExp(`^${NAME} +serving +\\d+[smhd] ago|^${NAME} +serving +now`, "m"),
    );
    const stage = await createFailed();
    expect((await stage.cli(["list"])).stdout).toMatch(
      new RegExp(`^${NAME} +serving; newer one failed `, "m"),
    );
    const never = await createDeployed(CONTAINER, {
      revisions: [{ revision: 1, outcome: "build-failed" }],
    });
    const shown = await never.cli(["list"]);
    expect(shown.stdout).toMatch(new RegExp(`^${NAME} +not serving: failed `, "m"));
    expect(shown.stdout).not.toContain("READY");
  });

  test("list shows the state as unknown if the service does not return the revision ids", async () => {
    const stage = await createDeployed(CONTAINER);
    const { id } = await stage.live();
    const resources = [{ id, name: NAME }];
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
      /\/deployments(?:\?|$)/u.test(path)
        ? { status: 200, body: JSON.stringify({ resources, offset: 1 }) }
        : forward(),
    );
    const run = await stage.cli(["list"], { AGENT_DEPLOY_CONTROL_PLANE_URL: url });
    expect(run.stdout).toMatch(new RegExp(`^${NAME} +unknown `, "m"));
  });

  test("list shows the state of a newer revision as unknown if the service does not have it", async () => {
    const stage = await createFailed();
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
      path.includes("/revisions/")
        ? { status: 404, body: '{"detail":"Revision not found."}' }
        : forward(),
    );
    const run = await stage.cli(["list"], { AGENT_DEPLOY_CONTROL_PLANE_URL: url });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(new RegExp(`^${NAME} +serving; newer one unknown `, "m"));
  });

  test("list and history show only failures in red", async () => {
    const red = /^\u001b\[31m.*\u001b\[39m$/gm;
    const colour = { FORCE_COLOR: "1" };
    const serving = await createDeployed(CONTAINER);
    expect((await serving.cli(["list"], colour)).stdout).not.toMatch(red);
    const stage = await createFailed();
    const listed = (await stage.cli(["list"], colour)).stdout;
    expect(listed.match(red)).toEqual([expect.stringContaining("newer one failed")]);
    const history = (await stage.cli(["history", NAME], colour)).stdout;
    expect(history.match(red)).toEqual([expect.stringContaining("DEPLOY_FAILED")]);
    expect((await stage.cli(["history", NAME])).stdout).not.toContain("\u001b");
  });

  test("list succeeds for an empty workspace, and says that it has no deployments", async () => {
    const stage = await createStage(CONTAINER);
    const run = await stage.cli(["list"]);
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(run.stderr).toContain("no deployments");
  });

  test("status shows what serves, and what failed after it", async () => {
    const stage = await createFailed();
    const live = await stage.live();
    const shown = await stage.cli(["status", NAME]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(
      new RegExp(`^active +${live.active_revision_id.slice(0, 8)}`, "m"),
    );
    expect(shown.stdout).toMatch(/^newer +\S+ {2}DEPLOY_FAILED/m);
    const json = JSON.parse((await stage.cli(["status", live.id, "--json"])).stdout);
    expect(json).toMatchObject({ name: NAME, active: { active: true }, newer: { active: false } });
  });

  test("history lists the revisions, newest first, and marks the active one", async () => {
    const stage = await createTwice();
    const live = await stage.live();
    const shown = await stage.cli(["history", NAME]);
    expect(shown.stdout).toMatch(new RegExp(`^\\* +${live.active_revision_id.slice(0, 8)}`, "m"));
    const rows = JSON.parse((await stage.cli(["history", NAME, "--json", "--last", "1"])).stdout);
    expect(rows).toMatchObject([{ id: live.latest_revision_id, active: true, status: "DEPLOYED" }]);
  });

  test("an unknown name is an error that names the only deployment", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await stage.cli(["status", "unknown"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`there is no deployment unknown; there is only ${NAME}`);
  });

  test("JSON stays valid if the value of a live secret is a JSON keyword", async () => {
    const stage = await createDeployed(edit(CONTAINER, "value: first-value", 'value: "true"'));
    const status = JSON.parse((await stage.cli(["status", NAME, "--json"])).stdout);
    expect(status).toMatchObject({ name: NAME, active: { active: true } });
    const rows = JSON.parse((await stage.cli(["history", NAME, "--json"])).stdout);
    expect(rows).toMatchObject([{ active: true, failed: false }]);
  });

  test("history shows no duration of a revision in progress", async () => {
    const stage = await createDeployed(CONTAINER, {
      revisions: [{ revision: 2, outcome: "stuck" }],
    });
    const { id } = await stage.live();
    const update = await fetch(`${stage.emulator.url}/v2/deployments/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json", "x-api-key": "any" },
      body: JSON.stringify({ secrets: [{ name: "NEW", value: "new-value-1" }] }),
    });
    expect(update.status).toBe(200);
    const [, newest, first] = (await stage.cli(["history", NAME])).stdout.split("\n");
    expect(newest).toMatch(/^ +\w{8} +[A-Z_]+ +\S+ \S+ +– /u);
    expect(first).toMatch(/^\* +\w{8} +DEPLOYED +\S+ \S+ +\d+m?s /u);
  });

  test("history of a built deployment shows the author of the commit and the time of each phase, in 80 columns", async () => {
    const stage = await createStage(REPOSITORY, {
      revisions: [{ revision: 2, outcome: "build-failed" }],
    });
    const git = (...args: string[]): string =>
      execFileSync(
        "git",
        ["-c", "user.name=Ada Byron", "-c", "user.email=a@example.com", ...args],
        {
          cwd: stage.workspace.path,
          encoding: "utf8",
        },
      ).trim();
    git("init", "-q", "-b", "main");
    for (const message of ["first", "second"]) {
      git("commit", "-q", "--allow-empty", "-m", message);
      const commit = git("rev-parse", "HEAD");
      stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit });
      await stage.run({ commit });
    }
    const rows = JSON.parse((await stage.cli(["history", "support-agent", "--json"])).stdout);
    expect(rows).toMatchObject([
      { status: "BUILD_FAILED", who: "Ada Byron", active: false, failed: true, deploy_ms: null },
      { status: "DEPLOYED", who: "Ada Byron", active: true, failed: false },
    ]);
    for (const row of rows) expect(row.build_ms).toBeGreaterThan(0);
    expect(rows[1].build_ms + rows[1].deploy_ms).toBe(rows[1].took_ms);
    const { stdout } = await stage.cli(["history", "support-agent"]);
    const [head, failed, deployed] = stdout.split("\n");
    expect(head).toMatch(/^ +REVISION +STATUS +CREATED UTC +BUILD +DEPLOY +COMMIT +WHO +REF$/);
    expect(failed).toMatch(/ BUILD_FAILED .* – +[0-9a-f]{7} +Ada Byron +main/);
    expect(deployed).toMatch(/^\* .* DEPLOYED .* [0-9a-f]{7} +Ada Byron +main$/);
    for (const line of [head, failed, deployed]) expect(line!.length).toBeLessThanOrEqual(80);
  });

  test("open prints the addresses that the service gives, one per line", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await stage.cli(["open", NAME]);
    expect(run.stdout.split("\n")[0]).toBe("https://search.example.com");
  });

  test("whoami asks both services, and exits with 1 if one refuses", async () => {
    const stage = await createDeployed(CONTAINER, { apiKeys: ["test-key"] });
    const good = await stage.cli(["whoami"]);
    expect(good).toMatchObject({ code: 0 });
    expect(good.stdout).toMatch(/^control plane: \S+ takes the key/);
    expect(good.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const bad = await stage.cli(["whoami"], { AGENT_DEPLOY_API_KEY: "another-key" });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/^tracing: refused: /m);
    expect(bad.stdout).not.toContain("another-key");
  });
});

test.each([
  ["deployments", 0, /^control plane: \S+ takes the key/],
  [
    "deployments|integrations|sessions",
    1,
    /^control plane: not checked: .*\ntracing: not checked: /,
  ],
] as const)(
  "whoami does not report the key as refused if the service has no %s",
  async (lists, code, said) => {
    const stage = await createDeployed(CONTAINER);
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
      new RegExp(`/(${lists})\\b`).test(path)
        ? { status: 404, body: '{"detail":"Not Found"}' }
        : forward(),
    );
    const env = { AGENT_DEPLOY_CONTROL_PLANE_URL: url, AGENT_DEPLOY_TRACING_URL: url };
    const run = await stage.cli(["whoami"], env);
    expect(run).toMatchObject({ code });
    expect(run.stdout).toMatch(said);
    expect(run.stdout).not.toContain("refused");
  },
);

test("history suggests status with the given id if the service has no lists", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
    /\/(?:deployments|revisions)(?:\?|$)/u.test(path)
      ? { status: 404, body: '{"detail":"Not Found"}' }
      : forward(),
  );
  const run = await stage.cli(["history", id], { AGENT_DEPLOY_CONTROL_PLANE_URL: url });
  expect([run.code, run.stderr]).toEqual([
    2,
    expect.stringContaining(`agent-deploy status ${id} shows the active one`),
  ]);
});

test("a timeout of list causes no warning", async () => {
  const stage = await createDeployed(CONTAINER);
  expect((await stage.cli(["list", "--timeout", "30s"])).stderr).toBe("");
});

test("status reads the deployment itself if the service's list is incomplete", async () => {
  const stage = await createDeployed(CONTAINER);
  const live = await stage.live();
  const url = await startProxy(stage.emulator.url, async ({ method, path, forward }) => {
    const reply = await forward();
    if (method !== "GET" || path !== "/v2/deployments") return reply;
    const { resources, ...page } = JSON.parse(String(reply.body));
    const few = resources.map(({ id, name }: Record<string, string>) => ({ id, name }));
    return { status: 200, body: JSON.stringify({ ...page, resources: few }) };
  });
  const run = await stage.cli(["status", NAME], {
    AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    AGENT_DEPLOY_TRACING_URL: url,
  });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(new RegExp(`^active +${live.active_revision_id.slice(0, 8)}`, "m"));
});

test("list aligns names of wide characters, emoji and combining marks by their display width", async () => {
  const cells = {
    "plain-agent": 11,
    検索エージェント: 16,
    "bot-👩": 6,
    "🇫🇷-agent": 8,
    "cafe\u0301": 4,
    검색: 4,
    "zero⟨U+200B⟩width": 17,
  };
  const deployments = Object.keys(cells).map((name) => ({
    name: name.replace("⟨U+200B⟩", "\u200b"),
    source: "external_container",
    source_config: {},
    source_revision_config: { image_uri: `r.example.com/a@sha256:${"c".repeat(64)}` },
    secrets: [],
  }));
  const stage = await createStage(CONTAINER, { seed: { deployments } });
  const { code, stdout } = await stage.cli(["list"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  for (const [name, taken] of Object.entries(cells)) {
    const line = lines.find((one) => one.startsWith(name));
    expect(line).toContain(`${name}${" ".repeat(17 - taken + 2)}serving `);
  }
});

/** Runs a command through a proxy that changes what the service answers to a read. */
async function readBehind(
  stage: Stage,
  args: readonly string[],
  change: (path: string, reply: Passed) => Passed,
  env: Readonly<Record<string, string>> = {},
) {
  const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
    change(path, await forward()),
  );
  return stage.cli([...args], {
    AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    AGENT_DEPLOY_TRACING_URL: url,
    ...env,
  });
}

test("status prints an active revision that the service does not show as unknown", async () => {
  const stage = await createDeployed(CONTAINER);
  const live = await stage.live();
  const run = await readBehind(stage, ["status", NAME], (path, reply) =>
    /\/revisions\/[^/]+$/.test(path) ? { status: 404, body: '{"detail":"Not found"}' } : reply,
  );
  expect(run.code).toBe(0);
  const id = live.active_revision_id;
  expect(run.stdout).toMatch(
    new RegExp(`^active +${id} {2}UNKNOWN\\n +the service does not show this revision$`, "m"),
  );
});

test("times without an offset are UTC in any time zone", async () => {
  const stage = await createDeployed(CONTAINER);
  const naive = (_: string, reply: Passed): Passed => ({
    ...reply,
    body: String(reply.body).replaceAll(/"(20[\d-]+T[\d:.]+)(?:Z|\+00:00)"/g, '"$1"'),
  });
  const shown = await Promise.all(
    ["UTC", "America/New_York", "Asia/Kolkata"].map(
      async (TZ) => (await readBehind(stage, ["history", NAME], naive, { TZ })).stdout,
    ),
  );
  expect(shown[0]).toMatch(/ \d\d-\d\d \d\d:\d\d /);
  expect(new Set(shown).size).toBe(1);
});

test("an export of an empty workspace says so, and writes no file", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.cli(["export", "--all", "--output", "live.yml"]);
  expect(run).toMatchObject({ code: 0, stdout: "" });
  expect(run.stderr).toContain("no deployment to export");
  expect(() => stage.workspace.read("live.yml")).toThrow();
});
