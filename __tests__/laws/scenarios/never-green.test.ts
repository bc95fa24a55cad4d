import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { GATEWAY_404, startProxy } from "../../support/service-proxy.ts";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  REPOSITORY,
  type Stage,
} from "../../scenarios/stage.ts";

const OTHER_IMAGE = `registry.example.com/acme/search@sha256:${"b".repeat(64)}`;
const THEIR_IMAGE = `registry.example.com/acme/search@sha256:${"c".repeat(64)}`;

describe("a gateway's page is not an answer of the service", () => {
  test("after a delete without an answer: red, and never reported as deleted", async () => {
    const stage = await createDeployed(CONTAINER);
    let lost = false;
    const run = await behind(stage, async ({ method, forward }) => {
      if (method !== "DELETE" && !lost) return forward();
      if (method !== "DELETE") return GATEWAY_404;
      lost = true;
      return { status: 500, body: '{"detail":"Internal Server Error"}' };
    });
    const end = await run({ command: "destroy", confirm: "search-agent", timeout: "3s" });
    expectEnd(end, { outcome: "failed" }, 1);
    expect(end.stdout).not.toMatch(/was deleted|were deleted/);
    expect((await stage.live()).name).toBe("search-agent");
  });

  test("in place of the list: nothing is created, also with create: always", async () => {
    const stage = await createStage(CONTAINER);
    const run = await behind(stage, async ({ method, path, forward }) =>
      method === "GET" && path === "/v2/deployments" ? GATEWAY_404 : forward(),
    );
    const end = await run({ create: "always", timeout: "8s" });
    expectEnd(end, { outcome: "failed", changed: "false" }, 1);
    expect(end.stdout).toContain("a web page");
    expect(stage.writes()).toEqual([]);
  });

  test.each([403, 404, 405, 501])(
    "in place of the revision, with status %d: red, and never unchanged",
    async (status) => {
      const stage = await createDeployed(CONTAINER);
      const run = await behind(stage, async ({ path, forward }) =>
        path.includes("/revisions/") ? { ...GATEWAY_404, status } : forward(),
      );
      const end = await run({ timeout: "2s" });
      expectEnd(end, { outcome: "failed", changed: "false" }, 1);
      expect(stage.writes()).toEqual([]);
    },
  );

  test("in place of the integrations: nothing is created without one", async () => {
    const stage = await createStage(REPOSITORY);
    const run = await behind(stage, async ({ path, forward }) =>
      path.startsWith("/v1/integrations/") ? GATEWAY_404 : forward(),
    );
    const end = await run({ timeout: "2s" });
    expectEnd(end, { outcome: "failed", changed: "false" }, 1);
    expect(stage.writes()).toEqual([]);
  });
});

test("a service that serves no revisions is read without them", async () => {
  const stage = await createDeployed(CONTAINER);
  const run = await behind(stage, async ({ path, forward }) =>
    path.includes("/revisions/")
      ? { status: 405, body: '{"detail":"Method Not Allowed"}' }
      : forward(),
  );
  expectEnd(await run(), { outcome: "unchanged" });
});

test("a branch that the service has not seen move yet, and whose history cannot be read, is not green", async () => {
  const stage = await createDeployed(REPOSITORY);
  const run = await stage.run({}, { env: { GITHUB_SHA: "2".repeat(40) } });
  expectEnd(run, { outcome: "failed", changed: "true" }, 1);
  expect(deploymentOf(run)).toMatchObject({ reason: "commit" });
  expect(run.stdout).toContain("does not hold the wanted commit");
});

test("a reply that names another run's revision is not taken for ours", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, `sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`));
  const { id } = await stage.live();
  const run = await behind(stage, async ({ method, forward }) => {
    const ours = await forward();
    if (method !== "PATCH") return ours;
    const theirs = await stage.send("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: THEIR_IMAGE },
    });
    return { status: 200, body: JSON.stringify(theirs) };
  });
  const end = await run();
  expectEnd(end, { outcome: "superseded" }, 1);
  expect(end.stdout).toContain("image_uri");
  expect(end.stdout).toContain("::error");
});

describe("a plan is carried out as it is right before the first write", () => {
  const merged = `${CONTAINER}deploy: { secrets: merge }\n`;
  const spec = edit(merged, `sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`);
  const rotated = {
    secrets: [
      { name: "API_TOKEN", value: "first-value" },
      { name: "DB_URL", value: "postgres://db/search" },
      { name: "BY_HAND", value: "new-by-hand" },
    ],
  };

  /** After `rotate`, somebody adds a secret right after a run read what it plans from. */
  async function rotating(): Promise<{
    stage: Stage;
    run: Awaited<ReturnType<typeof behind>>;
    rotate: () => void;
  }> {
    const stage = await createDeployed(merged);
    stage.spec(edit(spec, "first-value", "second-value"));
    const { id } = await stage.live();
    let readsLeft = Infinity;
    const run = await behind(stage, async ({ method, forward }) => {
      const reply = await forward();
      if (method === "GET") readsLeft -= 1;
      if (method === "GET" && readsLeft === 0) {
        await stage.send("PATCH", `/v2/deployments/${id}`, rotated);
        await new Promise((resolve) => {
          setTimeout(resolve, 400);
        });
      }
      return reply;
    });
    const rotate = (): void => {
      // A list ends with an empty page.
      readsLeft = 2;
    };
    return { stage, run, rotate };
  }

  test("is refused under expect-plan if it differs, both plans are shown, and nothing is sent", async () => {
    const { stage, run, rotate } = await rotating();
    const { fingerprint, plan } = (await run({ command: "plan" })).outputs;
    stage.forget();
    rotate();
    const end = await run({ "expect-plan": fingerprint! });
    expectEnd(end, { outcome: "blocked", changed: "false" }, 1);
    expect(deploymentOf(end)).toMatchObject({ outcome: "blocked", reason: "plan-changed" });
    const [, expected, now] =
      /The plan that was expected is (\w+), the plan now is (\w+)\./.exec(end.stdout) ?? [];
    expect(expected).toBe(JSON.parse(plan!).deployments[0].fingerprint);
    expect(now).not.toBe(expected);
    // The one PATCH is somebody else's.
    expect(stage.patches()).toHaveLength(1);
    expectEnd(await run({ "expect-plan": now! }), { outcome: "deployed" });
  });

  test("keeps a change that was made by hand in between, and reports it", async () => {
    const { stage, run, rotate } = await rotating();
    rotate();
    const end = await run();
    expectEnd(end, { outcome: "deployed" });
    expect(end.stdout).toContain(
      "search-agent was changed after its plan was made: live values changed. The plan was made again right before the first write",
    );
    const { secrets } = await stage.live();
    expect(secrets.map(({ name }: { name: string }) => name).sort()).toEqual([
      "API_TOKEN",
      "BY_HAND",
      "DB_URL",
    ]);
  });
});

describe("two runs that create at once, where names may be duplicates and the list lags", () => {
  test.each([0, 30])("by %d requests: never two green duplicates", async (lag) => {
    const stage = await createStage(CONTAINER, { names: "duplicates" });
    const seenAt = new Map<string, number>();
    let requests = 0;
    const run = await behind(stage, async ({ method, path, forward }) => {
      requests += 1;
      const reply = await forward();
      if (path !== "/v2/deployments") return reply;
      const body = JSON.parse(String(reply.body));
      if (method === "POST") seenAt.set(body.id, requests + lag);
      if (method !== "GET") return reply;
      const resources = body.resources.filter(
        ({ id }: { id: string }) => (seenAt.get(id) ?? Infinity) <= requests,
      );
      return { status: 200, body: JSON.stringify({ ...body, resources }) };
    });
    const runs = await Promise.all([run(), run()]);
    const { resources } = await stage.get("/v2/deployments?limit=100");
    const green = runs.filter(({ code }) => code === 0);
    expect(resources.length === 1 || green.length <= 1).toBe(true);
    for (const one of runs.filter(({ code }) => code !== 0)) {
      expect(deploymentOf(one)).toMatchObject({ outcome: "blocked", reason: "duplicates" });
      for (const { id } of resources) expect(one.stdout).toContain(id);
    }
  });
});

test("a compressed answer that was not asked for is still read", async () => {
  const stage = await createStage(CONTAINER);
  const run = await behind(stage, async ({ forward }) => {
    const { status, body } = await forward();
    return { status, body: gzipSync(body), headers: { "content-encoding": "gzip" } };
  });
  expectEnd(await run(), { outcome: "deployed" });
});

describe("a gate whose result files do not exist", () => {
  const inputs = { experiment: "results.json", gate: "correctness >= 0.8" };
  test("blocks before the first write if no verify can make them", async () => {
    const stage = await createStage(CONTAINER);
    const run = await stage.run(inputs);
    expectEnd(run, { outcome: "blocked", changed: "false", "gate-verdict": "fail" }, 1);
    expect(deploymentOf(run)).toMatchObject({ reason: "gate" });
    expect(stage.writes()).toEqual([]);
    const cli = await stage.cli(["apply", "--experiment", "results.json", "--gate", inputs.gate]);
    expect(cli.code).toBe(4);
  });
  test("fails after a verify that did not make them, and rolls back if asked to", async () => {
    const stage = await createDeployed(CONTAINER);
    const before = (await stage.live()).active_revision_id;
    stage.spec(edit(CONTAINER, `sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`));
    const run = await stage.run({ ...inputs, verify: "true", "on-failure": "rollback" });
    expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
    expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
    expect(deploymentOf(run).previous_revision_id).toBe(before);
  });
});

describe("the rollback of a later gate", () => {
  const failing = {
    command: "gate",
    experiment: "results.jsonl",
    gate: "correctness >= 0.99",
    "on-failure": "rollback",
  };
  /** The gate's revision is the second. */
  async function createTwice(
    ...more: string[]
  ): Promise<{ stage: Stage; ids: Record<string, string> }> {
    const stage = await createDeployed([
      CONTAINER,
      edit(CONTAINER, `sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`),
      ...more,
    ]);
    const { id } = await stage.live();
    const [second, first] = (await stage.revisions()).slice(-2).map((one) => one.id);
    stage.workspace.write(
      "results.jsonl",
      Array.from({ length: 40 }, (_, at) =>
        JSON.stringify({
          row_id: `00000000-0000-4000-8000-0000000000${10 + at}`,
          inputs: { q: at },
          actual_outputs: { a: at },
          evaluation_scores: [{ key: "correctness", score: 0 }],
        }),
      ).join("\n"),
    );
    return {
      stage,
      ids: { "deployment-id": id, "revision-id": second, "previous-revision-id": first },
    };
  }
  test.each(["upload", "gate"])(
    "needs revision-id, and %s says so before anything is sent, whatever the gate decides",
    async (command) => {
      const { stage, ids } = await createTwice();
      const { "revision-id": _, ...without } = ids;
      for (const gate of [failing.gate, "correctness <= 0.5"]) {
        const run = await stage.run({ ...failing, command, gate, ...without });
        expect([run.code, run.stdout]).toEqual([1, expect.stringContaining("needs revision-id")]);
      }
      expect(stage.writes()).toEqual([]);
    },
  );
  test("has nothing to return to after a first deployment: the gate fails, and what was uploaded is reported", async () => {
    const { stage, ids } = await createTwice();
    const { "previous-revision-id": _, ...without } = ids;
    const run = await stage.run({ ...failing, command: "upload", ...without });
    expectEnd(run, { outcome: "unchanged", changed: "false", "gate-verdict": "fail" }, 1);
    expect(run.outputs["experiment-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(deploymentOf(run)).toMatchObject({
      id: ids["deployment-id"],
      rollback: { revision_id: null, outcome: "blocked" },
    });
    expect(run.stdout).toContain("nothing was active before this run");
    expect(stage.writes().filter((write) => write.includes("/redeploy"))).toEqual([]);
  });
  test("reports what was uploaded even if the deployment cannot be read by then", async () => {
    const { stage, ids } = await createTwice();
    stage.emulator.emulator.addFaults([
      { route: "GET /v2/deployments/{id}", kind: "status", status: 400 },
    ]);
    const run = await stage.run({ ...failing, command: "upload", ...ids });
    expectEnd(run, { outcome: "failed", changed: "false", "gate-verdict": "fail" }, 1);
    expect(run.outputs["experiment-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(deploymentOf(run)).toMatchObject({ id: ids["deployment-id"], reason: "service" });
  });
  test("is refused if another revision is active by then, and says that nothing was changed", async () => {
    const { stage, ids } = await createTwice(
      edit(CONTAINER, `sha256:${"a".repeat(64)}`, `sha256:${"c".repeat(64)}`),
    );
    const run = await stage.run({ ...failing, ...ids });
    expectEnd(run, { changed: "false", "gate-verdict": "fail" }, 1);
    expect(deploymentOf(run).rollback).toEqual({ revision_id: null, outcome: "superseded" });
    expect(stage.writes()).toEqual([]);
    expect((await stage.live()).source_revision_config.image_uri).toBe(THEIR_IMAGE);
  });
  test("happens while its revision is the active one", async () => {
    const { stage, ids } = await createTwice();
    const run = await stage.run({ ...failing, ...ids });
    expectEnd(run, { changed: "true" }, 1);
    expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
    expect(OTHER_IMAGE).not.toBe(THEIR_IMAGE);
  });
});

test("the reason for a red run is in its annotation and its headline", async () => {
  const stage = await createDeployed(REPOSITORY);
  stage.spec(edit(REPOSITORY, "npm ci", "npm install"));
  const run = await stage.run({ command: "plan", "fail-on-changes": "true" });
  expectEnd(run, { outcome: "planned" }, 1);
  expect(run.stdout).toMatch(/::error[^\n]*fail-on-changes/);
  expect(run.summary).toContain("❌");
  const cli = await stage.cli(["plan", "--fail-on-changes", "--json"]);
  expect([cli.code, JSON.parse(cli.stdout).judgement]).toEqual([
    3,
    { red: true, exit_code: 3, why: expect.stringContaining("fail-on-changes") },
  ]);
});

describe("a service that takes a field and shows it as not set", () => {
  const toldBy = ({ outputs }: { readonly outputs: Readonly<Record<string, string>> }): string =>
    readFileSync(outputs["report"]!, "utf8");

  /** Every reply with the field as null. */
  async function hiding(
    field: string,
  ): Promise<{ stage: Stage; run: Awaited<ReturnType<typeof behind>> }> {
    const stage = await createStage(REPOSITORY);
    const run = await behind(stage, async ({ forward }) => {
      const reply = await forward();
      const text = String(reply.body);
      const hidden = text.replaceAll(new RegExp(`"${field}":\\s*"[^"]*"`, "g"), `"${field}":null`);
      return { status: reply.status, body: hidden };
    });
    expectEnd(await run({ create: "always" }), { outcome: "deployed" });
    stage.forget();
    return { stage, run };
  }

  test("gets install_command by itself, without a revision, and the run says that it is not shown", async () => {
    const { stage, run } = await hiding("install_command");
    const end = await run();
    expectEnd(end, { outcome: "updated", changed: "true" });
    expect(stage.patches()).toEqual([{ source_config: { install_command: "npm ci" } }]);
    expect(deploymentOf(end).outcome).toBe("updated");
    expect(toldBy(end)).toContain(
      "source_config.install_command: sent; the service does not show it",
    );
    expect(end.stdout).not.toContain("live is what the spec says");
    expect(end.stdout.match(/install_command: sent; the service does not show it/g)).toHaveLength(
      1,
    );
  });

  test("gets the config path, and the revision is still recognised as ours", async () => {
    const { stage, run } = await hiding("graph_config_path");
    const end = await run();
    expectEnd(end, { outcome: "deployed", changed: "true" });
    expect(stage.patches()).toEqual([
      { source_revision_config: { graph_config_path: "graphs/support.json" } },
    ]);
    expect(toldBy(end)).toContain("graph_config_path: sent; the service does not show it");
    expect(end.stdout).toContain("graph_config_path: sent; the service does not show it");
  });
});

describe("a write with an unknown outcome", () => {
  const lost = { status: 500, body: '{"detail":"database is on fire"}' };
  /** Takes the first write, loses its answer, and answers nothing after it. */
  const losing = async (stage: Stage, write: string): ReturnType<typeof behind> => {
    let isLost = false;
    return behind(stage, async ({ method, forward }) => {
      if (isLost) return lost;
      isLost = method === write;
      const reply = await forward();
      return isLost ? lost : reply;
    });
  };

  test.each([
    ["an update", "PATCH", {}],
    ["a redeploy", "POST", { command: "redeploy" }],
    ["a deletion", "DELETE", { command: "destroy", confirm: "search-agent" }],
  ])("%s: changed is true in outputs and report, and the run is red", async (_, write, inputs) => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
    const run = await losing(stage, write);
    const end = await run({ timeout: "4s", ...inputs });
    expectEnd(end, { outcome: "failed", changed: "true" }, 1);
    expect(deploymentOf(end)).toMatchObject({ reason: "unknown" });
    const report = JSON.parse(readFileSync(end.outputs["report"]!, "utf8"));
    expect([report.changed, report.deployments[0].changed]).toEqual([true, true]);
    expect(end.stdout).toContain("it is unknown whether the service took it");
  });

  test("a create: changed is true, even though no id is known", async () => {
    const stage = await createStage(CONTAINER);
    const end = await (await losing(stage, "POST"))({ timeout: "4s" });
    expectEnd(end, { outcome: "failed", changed: "true" }, 1);
  });

  test("a cancel while the answer is outstanding: changed is true", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
    let sent = (): void => undefined;
    const hanging = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const url = await startProxy(stage.emulator.url, async ({ method, forward }) => {
      if (method !== "PATCH") return forward();
      sent();
      return new Promise(() => undefined);
    });
    const started = stage.start({ "control-plane-url": url, "tracing-url": url });
    await hanging;
    started.process.kill("SIGTERM");
    const run = await started.done;
    expect(run.outputs).toMatchObject({ outcome: "cancelled", changed: "true" });
  });

  test("leaves changed false if the service refused it", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
    const run = await behind(stage, async ({ method, forward }) =>
      method === "PATCH" ? { ...lost, status: 400 } : forward(),
    );
    expectEnd(await run(), { outcome: "failed", changed: "false" }, 1);
  });
});

test("a run that attached and then rolled back counts as changed", async () => {
  const stage = await createStage(CONTAINER, { clock: { manual: true } });
  const first = stage.start();
  await first.until(/CREATING/);
  stage.emulator.emulator.advance(60_000);
  expectEnd(await first.done, { outcome: "deployed" });
  stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
  expectEnd(await stage.run({ wait: "false" }), { outcome: "started" });
  stage.forget();
  const second = stage.start({ verify: "exit 3", "on-failure": "rollback" });
  await second.until(/CREATING/);
  stage.emulator.emulator.advance(60_000);
  await second.until(/\(rollback\): CREATING/);
  stage.emulator.emulator.advance(60_000);
  const run = await second.done;
  expectEnd(run, { outcome: "failed", changed: "true" }, 1);
  expect(deploymentOf(run)).toMatchObject({ action: "attach", rollback: { outcome: "deployed" } });
  expect(stage.writes()).toEqual([expect.stringMatching(/redeploy$/)]);
});
