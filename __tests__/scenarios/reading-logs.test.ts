import { describe, expect, test } from "@jest/globals";
import { createLogStream, newLines } from "../../src/deploy/log-stream.ts";
import type { LiveRevision } from "../../src/model/live.ts";
import type { ControlPlane } from "../../src/service/control-plane.ts";
import { startProxy } from "../support/service-proxy.ts";
import { CONTAINER, createDeployed, type Stage } from "./stage.ts";

const NAME = "search-agent";

describe("logs", () => {
  test("print the log of the latest revision with every secret masked", async () => {
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

  test("that are empty are reported as such", async () => {
    const stage = await createDeployed(CONTAINER, {
      revisions: [{ revision: 1, outcome: "create-failed" }],
    });
    const run = await stage.cli(["logs", NAME]);
    expect([run.code, run.stdout]).toEqual([0, ""]);
    expect(run.stderr).toContain(`${NAME}: the logs of this revision are empty`);
  });

  test("of an unknown revision are an error, not an empty log", async () => {
    const stage = await createDeployed(CONTAINER);
    const other = "0b6f0000-0000-4000-8000-00000000dead";
    const run = await stage.cli(["logs", NAME, "--revision-id", other]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`${NAME} has no revision ${other}`);
  });

  test("of an invalid revision id are an error with a hint", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await stage.cli(["logs", NAME, "--revision-id", "1f2e3d4c"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`${NAME} has no revision 1f2e3d4c; agent-deploy history ${NAME}`);
  });

  test.each([403, 405, 501])(
    "are printed even if the revision itself answers %d",
    async (status) => {
      const stage = await createDeployed(CONTAINER);
      const { latest_revision_id: id } = await stage.live();
      const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
        path.endsWith(`/revisions/${id}`)
          ? { status, body: '{"detail":"not for you"}' }
          : forward(),
      );
      const run = await stage.cli(["logs", NAME, "--revision-id", id], {
        AGENT_DEPLOY_CONTROL_PLANE_URL: url,
        AGENT_DEPLOY_TRACING_URL: url,
      });
      expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining("not for you")]);
      expect(run.stdout).not.toBe("");
    },
  );

  test("end with the revision under --follow", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await stage.cli(["logs", NAME, "--follow"]);
    expect(run.code).toBe(0);
  });

  /** `logs` through a gateway that answers the reads of logs itself. */
  async function readLogs(
    stage: Stage,
    reply: { status: number; body: unknown },
    ...flags: readonly string[]
  ) {
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) =>
      /logs/u.test(path) ? { ...reply, body: JSON.stringify(reply.body) } : forward(),
    );
    return stage.cli(["logs", NAME, ...flags], {
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
    });
  }

  test.each([
    [403, []],
    [500, []],
    [403, ["--timeout", "1m"]],
  ] as const)(
    "report an answer of %d as an error, not as missing logs (%j)",
    async (status, flags) => {
      const stage = await createDeployed(CONTAINER);
      const body = { detail: "your role may not read logs" };
      const run = await readLogs(stage, { status, body }, ...flags);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(String(status))]);
      expect(run.stderr).toContain(body.detail);
      expect(run.stderr).not.toContain("has no logs");
      const none = await readLogs(stage, { status: 404, body: { detail: "Not Found" } });
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("has no logs")]);
    },
  );

  test("report that earlier lines are not shown, only if there are some", async () => {
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

  test("report a tail as such, since the route of older services gives at most 100 lines", async () => {
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

  test("repeat nothing under --follow after one failed read", async () => {
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

  test("end with an error under --follow if the revision is gone", async () => {
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

  test("continue after the lines that were printed before", () => {
    expect(newLines([], ["a"])).toEqual(["a"]);
    expect(newLines(["a", "b"], ["a", "b", "c"])).toEqual(["c"]);
    expect(newLines(["a", "b"], ["b", "c"])).toEqual(["c"]);
    expect(newLines(["a", "b"], ["x", "y"])).toEqual(["x", "y"]);
    expect(newLines(["a", "a"], ["a", "a"])).toEqual([]);
  });
});

test("the last lines of a build come before the first line of the deploy", async () => {
  const said = { build: ["pull"], deploy: ["start"] };
  const logTail: ControlPlane["logTail"] = (_deployment, _revision, phase) =>
    Promise.resolve({ lines: [...said[phase]], isTail: true, newestMs: null });
  const shown: string[] = [];
  const stream = createLogStream(
    "d-1",
    () => ({ logTail }) as ControlPlane,
    (phase, lines) => shown.push(...lines.map((line) => `${phase}: ${line}`)),
  );
  const look = (status: string): Promise<void> => {
    stream.follow({ id: "r-1", status } as LiveRevision, undefined);
    return stream.settled();
  };
  await look("BUILDING");
  said.build.push("compile");
  await look("DEPLOYING");
  said.deploy.push("ready");
  await look("DEPLOYING");
  expect(shown).toEqual(["build: pull", "build: compile", "deploy: start", "deploy: ready"]);
});
