import { execFileSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { newLines } from "../../src/deploy/log-stream.ts";
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

const NAME = "search-agent";
const NEWER = edit(CONTAINER, "a".repeat(64), "b".repeat(64));

/** Two revisions, the second one active. */
const createTwice = (): Promise<Stage> => createDeployed([CONTAINER, NEWER]);

/** The second revision failed. */
const createFailed = (): Promise<Stage> =>
  createDeployed([CONTAINER, NEWER], { revisions: [{ revision: 2, outcome: "deploy-failed" }] });

describe("commands that read and print", () => {
  test("a name that cannot be looked up, or that two have: the id takes its place", async () => {
    const unlisted = await createStage(CONTAINER, { list: 404 });
    for (const command of ["status", "history", "logs", "open", "export", "rollback"])
      expect((await unlisted.cli([command, NAME])).stderr).toContain(
        `this service has no list of deployments (404), so ${NAME} cannot be looked up: give its id instead of its name`,
      );
    const one = { name: NAME, source: "external_container", source_config: {} } as const;
    const duplicated = await createStage(CONTAINER, {
      names: "duplicates",
      seed: { deployments: [one, one] },
    });
    const { code, stderr } = await duplicated.cli(["status", NAME]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/Say which with its id instead of its name$/m),
    ]);
  });

  test("list shows every deployment with its ids, as a table and as JSON, and no secret", async () => {
    const stage = await createDeployed(CONTAINER);
    const live = await stage.live();
    const table = await stage.cli(["list"]);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^NAME +STATE +UPDATED +ID +URL\n/);
    expect(table.stdout).toContain(live.id);
    const json = await stage.cli(["list", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ name: NAME, id: live.id }]);
    expect(table.stdout + json.stdout).not.toContain("first-value");
    expect(stage.writes()).toEqual([]);
  });

  test("list says what serves: not READY, which a deployment whose only build failed is as well", async () => {
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

  test("in colour, list and history show what failed in red, and only that", async () => {
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

  test("list of an empty workspace is fine, and says that there is nothing", async () => {
    const stage = await createStage(CONTAINER);
    const run = await stage.cli(["list"]);
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(run.stderr).toContain("no deployments");
  });

  test("status tells what serves, and what failed after it", async () => {
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

  test("history of a built deployment tells who wrote the commit and how long each phase took, in 80 columns", async () => {
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

  test("open prints the addresses that the service gives, one a line", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await stage.cli(["open", NAME]);
    expect(run.stdout.split("\n")[0]).toBe("https://search.example.com");
  });

  test("whoami asks both sides, and is 1 where one refuses", async () => {
    const stage = await createDeployed(CONTAINER, { apiKeys: ["test-key"] });
    const good = await stage.cli(["whoami"]);
    expect(good).toMatchObject({ code: 0 });
    expect(good.stdout).toMatch(/^control plane: \S+ takes the key/);
    const bad = await stage.cli(["whoami"], { AGENT_DEPLOY_API_KEY: "another-key" });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/^tracing: refused: /m);
    expect(bad.stdout).not.toContain("another-key");
  });

  test.each(["status", "history", "logs", "open", "rollback"])(
    "%s of a name that is not there is exit 2 with the nearest name, and sends no write",
    async (command) => {
      const stage = await createDeployed(CONTAINER);
      const run = await stage.cli([command, "serch-agent"]);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`did you mean ${NAME}?`);
      expect((await stage.cli([command])).code).toBe(2);
      expect(stage.writes()).toEqual([]);
    },
  );
});

describe("a service whose pages are smaller than what is asked for", () => {
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

  test("history reads on until it has as many as asked for", async () => {
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

  test("rollback --to finds one that is not on the first page", async () => {
    const { stage, env, revisions } = await createPaged();
    const run = await stage.cli(
      ["rollback", NAME, "--to", revisions[2].id.slice(0, 12), "--yes"],
      env,
    );
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(revisions[2].id)]);
  });
});

test("status of a service whose list holds little reads the deployment itself", async () => {
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

describe("logs", () => {
  test("prints the log of the latest revision with every secret masked", async () => {
    const log = ["value is first-value", "the pod crashed"];
    const stage = await createDeployed(CONTAINER, {
      revisions: [{ revision: 1, outcome: "deploy-failed", log }],
    });
    const run = await stage.cli(["logs", NAME]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("the pod crashed");
    expect(run.stdout).not.toContain("first-value");
    const lines = (await stage.cli(["logs", NAME, "--json"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      phase: "deploy",
      message: "the pod crashed",
    });
  });

  test("--follow ends with the revision", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await stage.cli(["logs", NAME, "--follow"]);
    expect(run.code).toBe(0);
  });

  /** `logs` through a gateway that answers the reads of logs itself. */
  async function readLogs(stage: Stage, reply: { status: number; body: unknown }) {
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
      /logs/u.test(path) ? { ...reply, body: JSON.stringify(reply.body) } : forward(),
    );
    return stage.cli(["logs", NAME], {
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
    });
  }

  test.each([403, 500])(
    "an answer of %d is told as it is, and is no lack of logs",
    async (status) => {
      const stage = await createDeployed(CONTAINER);
      const body = { detail: "your role may not read logs" };
      const run = await readLogs(stage, { status, body });
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(String(status))]);
      expect(run.stderr).toContain(body.detail);
      expect(run.stderr).not.toContain("has no logs");
      const none = await readLogs(stage, { status: 404, body: { detail: "Not Found" } });
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("has no logs")]);
    },
  );

  test("a log that is longer than what is read says so, and one that is not does not", async () => {
    const stage = await createDeployed(CONTAINER);
    const logs = (count: number) => ({
      status: 200,
      body: {
        logs: Array.from({ length: count }, (_, at) => ({
          timestamp: count - at,
          message: `${count - at}`,
        })),
      },
    });
    const long = await readLogs(stage, logs(1000));
    expect([long.code, long.stderr]).toEqual([
      0,
      expect.stringContaining("earlier lines are not shown"),
    ]);
    expect((await readLogs(stage, logs(999))).stderr).not.toContain("earlier lines");
  });

  test("a tail says that it is one: the route of older services gives at most 100 lines", async () => {
    const stage = await createDeployed(CONTAINER);
    const readTail = async (count: number, next: string | null) => {
      const url = await startProxy(stage.emulator.url, async ({ path, forward }) => {
        if (path !== "/v2/deployment-logs")
          return /logs$/u.test(path) ? { status: 404, body: "{}" } : forward();
        const items = Array.from({ length: count }, (_, at) => ({
          timestamp: count - at,
          message: `${count - at}`,
        }));
        return { status: 200, body: JSON.stringify({ items, next_cursor: next }) };
      });
      return stage.cli(["logs", NAME], {
        AGENT_DEPLOY_CONTROL_PLANE_URL: url,
        AGENT_DEPLOY_TRACING_URL: url,
      });
    };
    const long = await readTail(100, "100");
    expect([long.code, long.stderr]).toEqual([
      0,
      expect.stringContaining(
        "build and deploy log: the last 100 lines; earlier lines are not shown",
      ),
    ]);
    expect((await readTail(20, "20")).stderr).toContain("the last 20 lines");
    expect((await readTail(20, null)).stderr).not.toContain("earlier lines");
  });

  test("--follow repeats nothing after a log was missing for once", async () => {
    const stage = await createDeployed(CONTAINER);
    const looks = { build: 0, deploy: 0 };
    const url = await startProxy(stage.emulator.url, async ({ path, query, forward }) => {
      const passed = await forward();
      if (/\/revisions\/[^/]+$/u.test(path) && looks.deploy < 3)
        return { ...passed, body: String(passed.body).replace('"DEPLOYED"', '"DEPLOYING"') };
      if (!/logs/u.test(path)) return passed;
      // The older routes of a log are not there.
      if (!path.endsWith("/logs")) return { status: 404, body: "{}" };
      const phase = query.get("type") === "build" ? "build" : "deploy";
      looks[phase] += 1;
      if (phase === "deploy" && looks.deploy === 2) return { status: 503, body: "{}" };
      const logs = [2, 1].map((at) => ({ timestamp: at, message: `${phase} line ${at}` }));
      return { status: 200, body: JSON.stringify({ logs }) };
    });
    const run = await stage.cli(["logs", NAME, "--follow"], {
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
    });
    expect([run.code, looks.deploy]).toEqual([0, 4]);
    expect(run.stdout.match(/deploy line 1/gu)).toHaveLength(1);
  });

  test("--follow of a revision that is gone ends with an error", async () => {
    const stage = await createDeployed(CONTAINER);
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
      /\/revisions\/[^/]+$/u.test(path)
        ? { status: 404, body: JSON.stringify({ detail: "Revision not found" }) }
        : forward(),
    );
    const run = await stage.cli(["logs", NAME, "--follow"], {
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
    });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("does not exist (404)")]);
  });

  test("only the lines that came after those shown are new", () => {
    expect(newLines([], ["a"])).toEqual(["a"]);
    expect(newLines(["a", "b"], ["a", "b", "c"])).toEqual(["c"]);
    expect(newLines(["a", "b"], ["b", "c"])).toEqual(["c"]);
    expect(newLines(["a", "b"], ["x", "y"])).toEqual(["x", "y"]);
    expect(newLines(["a", "a"], ["a", "a"])).toEqual([]);
  });
});

describe("rollback", () => {
  test("goes to the revision that was active before, says what stays as it is, and waits", async () => {
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

  test("--dry-run says where it would go, and sends nothing", async () => {
    const stage = await createTwice();
    const [, before] = await stage.revisions();
    const run = await stage.cli(["rollback", NAME, "--dry-run"]);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(before.id)]);
    expect(stage.writes()).toEqual([]);
  });

  test("where the latest failed and the active one stays live, it asks for --to", async () => {
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

  test("--to the active revision is refused where it is the latest", async () => {
    const stage = await createTwice();
    const [{ id }] = await stage.revisions();
    const run = await stage.cli(["rollback", NAME, "--to", id]);
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringContaining("is the active one already"),
    ]);
    expect(stage.writes()).toEqual([]);
  });

  test("a second one returns to what was active before the first, as kubectl rollout undo does", async () => {
    const third = edit(CONTAINER, "a".repeat(64), "c".repeat(64));
    const stage = await createDeployed([CONTAINER, NEWER, third]);
    for (const image of ["b", "c"]) {
      expect((await stage.cli(["rollback", NAME])).code).toBe(0);
      const { image_uri } = (await stage.live()).source_revision_config;
      expect(image_uri).toContain(image.repeat(64));
    }
  });

  test("an image that comes back with each build of a repository makes no revision another's", async () => {
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

  test("--to takes the beginning of an id, and refuses one that no revision has", async () => {
    const stage = await createTwice();
    const [, before] = await stage.revisions();
    const wrong = await stage.cli(["rollback", NAME, "--to", "ffffffff-ffff"]);
    expect([wrong.code, stage.writes()]).toEqual([2, []]);
    const run = await stage.cli(["rollback", NAME, "--to", before.id.slice(0, 12)]);
    expect(run.code).toBe(0);
  });
});

test("list aligns names of wide characters, emoji and combining marks by the cells they take", async () => {
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

test("status names an active revision that the service does not show", async () => {
  const stage = await createDeployed(CONTAINER);
  const live = await stage.live();
  const run = await readBehind(stage, ["status", NAME], (path, reply) =>
    /\/revisions\/[^/]+$/.test(path) ? { status: 404, body: '{"detail":"Not found"}' } : reply,
  );
  expect(run.code).toBe(0);
  const id = live.active_revision_id.slice(0, 8);
  expect(run.stdout).toMatch(
    new RegExp(`^active +${id} {2}UNKNOWN {2}the service does not show this revision$`, "m"),
  );
});

test("times without an offset are UTC, whatever the machine's time zone", async () => {
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

test("a rollback to a blank revision is refused", async () => {
  const stage = await createTwice();
  const run = await stage.cli(["rollback", NAME, "--to", ""]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("--to: was given and is blank");
  expect(stage.writes()).toEqual([]);
});

test("an export of an empty workspace says so, and writes no empty spec", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.cli(["export", "--all", "--output", "live.yml"]);
  expect(run).toMatchObject({ code: 0, stdout: "" });
  expect(run.stderr).toContain("no deployment to export");
  expect(() => stage.workspace.read("live.yml")).toThrow();
});
