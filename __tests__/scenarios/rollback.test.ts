import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { startProxy } from "../support/service-proxy.ts";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  movedByRequests,
  REPO_URL,
  REPOSITORY,
  THIS_COMMIT,
} from "./stage.ts";

const NEXT = edit(CONTAINER, "a".repeat(64), "b".repeat(64));

const rollback = { "on-failure": "rollback" };

const SCORED = { inputs: { q: 1 }, evaluation_scores: [{ key: "m", score: 0.2 }] };

test.each(["new-revision", "same-revision"] as const)(
  "a failed deploy rolls back to the previously active revision, and the run fails (%s)",
  async (redeploy) => {
    const stage = await createDeployed(CONTAINER, {
      redeploy,
      revisions: [{ revision: 2, outcome: "deploy-failed" }],
    });
    const before = await stage.live();
    stage.spec(NEXT);
    const run = await stage.run(rollback);
    const live = await stage.live();
    const [failed] = (await stage.revisions()).filter((one) => one.status === "DEPLOY_FAILED");
    expectEnd(
      run,
      {
        outcome: "failed",
        changed: "true",
        "revision-id": failed.id,
        "previous-revision-id": before.active_revision_id,
        "revision-status": "DEPLOY_FAILED",
      },
      1,
    );
    expect(deploymentOf(run)).toMatchObject({
      rollback: { revision_id: live.active_revision_id, outcome: "deployed" },
    });
    expect(stage.writes()).toEqual([
      `PATCH /v2/deployments/${live.id}`,
      `POST /v2/deployments/${live.id}/revisions/${before.active_revision_id}/redeploy`,
    ]);
    expect(run.summary).toMatch(/secrets.*resource_spec/);
  },
);

test("a failed verify rolls back too", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(`${NEXT}deploy: { on_failure: rollback, verify: exit 1 }\n`);
  const run = await stage.run();
  expectEnd(run, { outcome: "failed", "revision-status": "DEPLOYED" }, 1);
  expect(deploymentOf(run)).toMatchObject({ reason: "verify", rollback: { outcome: "deployed" } });
  expect(stage.writes()).toEqual([
    expect.stringMatching(/^PATCH/),
    expect.stringMatching(/redeploy$/),
  ]);
});

test("a rollback to a revision built from a repository succeeds, though its image differs", async () => {
  const stage = await createDeployed(REPOSITORY, { readback: "hosted" });
  const next = edit(REPOSITORY, "graphs/support.json", "graphs/second.json");
  stage.spec(`${next}deploy: { on_failure: rollback, verify: exit 1 }\n`);
  const run = await stage.run();
  expectEnd(run, { outcome: "failed" }, 1);
  expect(deploymentOf(run)).toMatchObject({ reason: "verify", rollback: { outcome: "deployed" } });
  expect(run.stdout).not.toMatch(/newer revision exists|not built from/);
});

test("a failed rollback is reported as such", async () => {
  const stage = await createDeployed(CONTAINER, {
    revisions: [
      { revision: 2, outcome: "deploy-failed" },
      { revision: 3, outcome: "deploy-failed" },
    ],
  });
  stage.spec(NEXT);
  const run = await stage.run(rollback);
  expectEnd(run, { outcome: "failed" }, 1);
  expect(deploymentOf(run)).toMatchObject({
    reason: "DEPLOY_FAILED",
    rollback: { outcome: "failed" },
  });
});

test("without a previously active revision there is no rollback, and the run says so", async () => {
  const stage = await createStage(CONTAINER, { revisions: [{ outcome: "build-failed" }] });
  const run = await stage.run(rollback);
  expectEnd(run, { outcome: "failed", "previous-revision-id": "" }, 1);
  expect(run.stdout).toMatch(/nothing was active before/);
  expect(run.summary).toContain("Rollback: nothing was active before this run");
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
});

test("a rollback never replaces somebody else's newer revision", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(NEXT);
  const started = stage.start({
    ...rollback,
    verify: "touch verifying; while [ ! -e go ]; do sleep 0.05; done; exit 1",
  });
  await started.until(/verify:/);
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    source_revision_config: { image_uri: `r.example.com/hotfix@sha256:${"f".repeat(64)}` },
  });
  const [theirs] = await stage.revisions();
  while ((await stage.live()).active_revision_id !== theirs.id) await setTimeout(20);
  stage.forget();
  stage.workspace.write("go", "");
  const run = await started.done;
  expectEnd(run, { outcome: "failed" }, 1);
  expect(stage.writes()).toEqual([]);
  expect(run.stdout).toContain(theirs.id);
});

test.each(["upload", "gate"])(
  "a gate that fails in a later step rolls back too: %s",
  async (command) => {
    const stage = await createDeployed(CONTAINER);
    const good = (await stage.live()).active_revision_id;
    stage.spec(NEXT);
    const { outputs } = await stage.run();
    const { id, active_revision_id: bad } = await stage.live();
    stage.workspace.write(
      "rows.json",
      JSON.stringify(
        Array.from({ length: 20 }, (_, i) => ({
          inputs: { q: i },
          evaluation_scores: [{ key: "m", score: 0 }],
        })),
      ),
    );
    const run = await stage.run({
      command,
      experiment: "rows.json",
      gate: "m >= 0.5",
      "deployment-id": outputs["deployment-id"],
      "revision-id": outputs["revision-id"],
      "previous-revision-id": outputs["previous-revision-id"],
      ...rollback,
    });
    expectEnd(
      run,
      {
        outcome: "deployed",
        changed: "true",
        "gate-verdict": "fail",
        "revision-id": bad,
        "previous-revision-id": good,
      },
      1,
    );
    expect(deploymentOf(run)).toMatchObject({
      outcome: "deployed",
      reason: "gate",
      rollback: { revision_id: (await stage.live()).active_revision_id, outcome: "deployed" },
    });
    expect(stage.writes().at(-1)).toBe(`POST /v2/deployments/${id}/revisions/${good}/redeploy`);
  },
);

test("a later step does not roll back if somebody already did", async () => {
  const stage = await createDeployed(CONTAINER, { redeploy: "same-revision" });
  const { id, active_revision_id: good } = await stage.live();
  stage.spec(NEXT);
  const { outputs } = await stage.run();
  await stage.run({ command: "redeploy", "deployment-id": id, "revision-id": good });
  stage.forget();
  stage.workspace.write("rows.json", JSON.stringify([{ ...SCORED }]));
  const run = await stage.run({
    command: "gate",
    experiment: "rows.json",
    gate: "m >= 2",
    "deployment-id": id,
    "revision-id": outputs["revision-id"],
    "previous-revision-id": good,
    ...rollback,
  });
  expectEnd(run, { outcome: "unchanged", changed: "false", "gate-verdict": "fail" }, 1);
  expect(deploymentOf(run).rollback).toEqual({ revision_id: null, outcome: "superseded" });
  expect(run.stdout).toContain(`revision ${good}, the previous one, is active already`);
  expect(stage.writes()).toEqual([]);
});

test.each([
  ["upload", "is missing", null],
  ["gate", "is missing", null],
  ["upload", "is truncated", "[{"],
  ["gate", "is truncated", "[{"],
])(
  "in a later step (%s) a result file that %s fails the gate, and rolls back too",
  async (...[command, _, rows]) => {
    const stage = await createDeployed(CONTAINER);
    const good = (await stage.live()).active_revision_id;
    stage.spec(NEXT);
    const { outputs } = await stage.run();
    if (rows !== null) stage.workspace.write("rows.json", rows);
    const later = {
      command,
      experiment: "rows.json",
      gate: "m >= 0.5",
      "deployment-id": outputs["deployment-id"],
      "revision-id": outputs["revision-id"],
      "previous-revision-id": good,
    };
    stage.forget();
    expectEnd(await stage.run(later), { outcome: "failed", "gate-verdict": "none" }, 1);
    expect(stage.writes()).toEqual([]);
    const run = await stage.run({ ...later, ...rollback });
    expectEnd(run, { outcome: "deployed", changed: "true", "gate-verdict": "fail" }, 1);
    expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
    expect(run.stdout).toMatch(/::error.*rows\.json/u);
  },
);

test.each([
  ["has no rows", "[]"],
  ["is empty", ""],
  ["is truncated", "[{"],
  ["breaks a rule of the upload", JSON.stringify([{ ...SCORED, run_name: 7 }])],
  ["lacks the metric", JSON.stringify([{ ...SCORED, evaluation_scores: [] }])],
])("a result file of verify that %s fails the gate, and rolls back too", async (_, rows) => {
  const stage = await createDeployed(CONTAINER);
  const good = (await stage.live()).active_revision_id;
  stage.spec(NEXT);
  stage.workspace.write("made", rows);
  const run = await stage.run({
    verify: "cp made rows.json",
    experiment: "rows.json",
    gate: "m >= 0.5",
    ...rollback,
  });
  expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
  expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
  expect(stage.writes().at(-1)).toMatch(`/revisions/${good}/redeploy`);
});

test("a result file of verify that links outside the workspace fails the gate, and rolls back too", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(NEXT);
  const run = await stage.run({
    verify: "ln -sf /etc/hostname rows.json",
    experiment: "rows.json",
    gate: "m >= 0.5",
    ...rollback,
  });
  expectEnd(run, { outcome: "deployed", changed: "true", "gate-verdict": "fail" }, 1);
  expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
  expect(run.stdout).toMatch(/::error.*rows\.json/u);
});

test("a later step with an impossible calibration does not roll back", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(NEXT);
  const { outputs } = await stage.run();
  stage.workspace.write("averages.json", JSON.stringify({ m: 0.4 }));
  stage.forget();
  const run = await stage.cli([
    ...["gate", "averages.json", "--gate", "m >= 0.3", "--calibrate", "--on-failure", "rollback"],
    ...["deployment-id", "revision-id", "previous-revision-id"].flatMap((name) => [
      `--${name}`,
      outputs[name]!,
    ]),
  ]);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("calibrate needs gate")]);
  expect(stage.writes()).toEqual([]);
});

test("if gates judge only before, an unreadable result file causes no rollback", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(NEXT);
  stage.workspace.write("rows.json", JSON.stringify([{ ...SCORED }]));
  const run = await stage.run({
    verify: "printf '[{' > late.json",
    experiment: "*.json",
    gate: "m >= 0.1",
    "gate-when": "before",
    ...rollback,
  });
  expectEnd(run, { outcome: "deployed", "gate-verdict": "pass" }, 1);
  expect(deploymentOf(run).rollback).toBeUndefined();
});

test("a result file that verify did not write fails the gate, even if gates judge only before", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(NEXT);
  stage.workspace.write("rows.json", JSON.stringify([{ ...SCORED }]));
  const run = await stage.run({
    verify: "true",
    experiment: "rows.json, late.json",
    gate: "m >= 0.1",
    "gate-when": "before",
    ...rollback,
  });
  expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
  expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
});

test("an inconclusive gate that fails the run rolls back too, and is not reported as failed", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(NEXT);
  stage.workspace.write("made.json", JSON.stringify([{ ...SCORED }]));
  const run = await stage.run({
    verify: "cp made.json rows.json",
    experiment: "rows.json",
    gate: "m drop <= 0.1",
    "on-no-baseline": "fail",
    ...rollback,
  });
  expectEnd(run, { outcome: "deployed", "gate-verdict": "inconclusive" }, 1);
  expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
  expect(run.stdout).toContain("search-agent: its gate did not pass; rolled back to");
  expect(run.stdout + run.summary).not.toMatch(/a gate failed|: failed/u);
});

test("a deployment that is being deleted is not rolled back, and this is the reported reason", async () => {
  const stage = await createDeployed(CONTAINER, { lags: { delete: 600_000 } });
  stage.spec(NEXT);
  const { id } = await stage.live();
  const run = await behind(stage, async ({ method, forward }) => {
    const reply = await forward();
    if (method === "PATCH") await stage.send("DELETE", `/v2/deployments/${id}`);
    return reply;
  });
  const end = await run(rollback);
  expectEnd(end, { outcome: "failed", changed: "true" }, 1);
  expect(deploymentOf(end)).toMatchObject({
    reason: "deleting",
    rollback: { revision_id: null, outcome: "blocked" },
  });
  expect(end.stdout).toContain(
    "search-agent: it is being deleted, and the rollback was not possible",
  );
  expect(end.stdout).toContain("Run again once it is gone");
  expect(stage.writes().filter((write) => write.startsWith("POST"))).toEqual([]);
});

test("rollback --to requires a full id if the service has no list of revisions", async () => {
  const stage = await createDeployed([CONTAINER, NEXT], { revisionList: false });
  const { id } = await stage.live();
  const first = stage.emulator.emulator.world.store.all("revisions")[0]!.id;
  const to = async (revision: string): Promise<readonly [number | null, string]> => {
    const end = await stage.cli(["rollback", "search-agent", "--to", revision, "--yes"]);
    return [end.code, end.stderr];
  };
  const unlisted = "this service has no list of revisions (it answers 405): give the whole id";
  expect(await to(first.slice(0, 8))).toEqual([2, expect.stringContaining(unlisted)]);
  const unknown = "55555555-5555-4555-8555-555555555555";
  const missing = `search-agent has no revision ${unknown}`;
  expect(await to(unknown)).toEqual([2, expect.stringContaining(missing)]);
  expect(await to(first)).toEqual([0, expect.stringContaining(first)]);
  expect(stage.writes()).toEqual([`POST /v2/deployments/${id}/revisions/${first}/redeploy`]);
});

test("rollback --to accepts a revision older than the list, and if it fails reports what is still serving", async () => {
  const stage = await createDeployed([CONTAINER, NEXT], {
    revisions: [{ revision: 3, outcome: "deploy-failed" }],
  });
  const first = (await stage.revisions())[1].id;
  const listed = await startProxy(stage.emulator.url, async ({ method, path, forward }) => {
    const reply = await forward();
    if (method !== "GET" || !path.endsWith("/revisions")) return reply;
    const [newest] = JSON.parse(String(reply.body)).resources;
    const resources = Array.from({ length: 100 }, (_, at) =>
      at === 0
        ? newest
        : { ...newest, id: `55555555-5555-4555-8555-${String(at).padStart(12, "0")}` },
    );
    return { ...reply, body: JSON.stringify({ resources, offset: 100 }) };
  });
  const rolledBack = ["rollback", "search-agent", "--yes", "--control-plane-url", listed];
  const cut = await stage.cli([...rolledBack, "--to", first.slice(0, 8)]);
  expect([cut.code, cut.stderr]).toEqual([
    2,
    expect.stringContaining("none of the newest 100 revisions of search-agent begins with"),
  ]);
  const end = await stage.cli([...rolledBack, "--to", first]);
  expect([end.code, end.stdout]).toEqual([1, expect.stringContaining("is still serving")]);
});

describe("revisions of one branch are distinguished by id", () => {
  const changed = edit(REPOSITORY, "graphs/support.json", "graphs/other.json");

  test("if a build failed and the previous revision is still serving", async () => {
    const stage = await createDeployed(REPOSITORY, {
      revisions: [{ revision: 2, outcome: "build-failed" }],
    });
    const { active_revision_id: before } = await stage.live();
    stage.spec(changed);
    const run = await stage.run();
    const own = run.outputs["revision-id"]!.slice(0, 8);
    expect(run.stdout).toContain(
      `the build of revision ${own} failed; revision ${before.slice(0, 8)} is still serving`,
    );
  });

  test("if a wait timed out", async () => {
    const stage = await createDeployed(REPOSITORY, {
      revisions: [{ revision: 2, outcome: "stuck", at: "BUILDING" }],
    });
    stage.spec(changed);
    const run = await stage.run({ timeout: "1s" });
    const own = run.outputs["revision-id"]!.slice(0, 8);
    expect(run.stdout).toMatch(
      new RegExp(
        `timed out: revision ${own} is still building; revision [0-9a-f]{8} is still serving`,
      ),
    );
  });

  test("if the rollback of a failed verify failed", async () => {
    const stage = await createDeployed(REPOSITORY);
    stage.spec(changed);
    const run = await behind(stage, async ({ path, forward }) =>
      path.endsWith("/redeploy") ? { status: 400, body: '{"detail":"cannot"}' } : forward(),
    );
    const end = await run({ verify: "exit 3", "on-failure": "rollback" });
    const own = end.outputs["revision-id"]!.slice(0, 8);
    expect(end.stdout).toContain(
      `the verify command failed, and the rollback failed; revision ${own}, which failed, is live`,
    );
    expect(end.summary).toContain(`revision \`${own}\`, which failed, is live`);
  });
});

describe("rollback NAME restores what was active before", () => {
  test.each(["new-revision", "same-revision"] as const)("with %s", async (redeploy) => {
    const stage = await createDeployed(CONTAINER, { redeploy });
    const at = (digit: string): string => edit(CONTAINER, "a".repeat(64), digit.repeat(64));
    for (const digit of ["b", "c", "b"]) {
      stage.spec(at(digit));
      expectEnd(await stage.run(), { outcome: "deployed" });
    }
    const image = async (): Promise<string> => {
      const { active_revision_id: active } = await stage.live();
      const revisions = await stage.revisions();
      return revisions.find(({ id }) => id === active).source_revision_config.image_uri.at(-1);
    };
    for (const digit of ["c", "b"]) {
      const end = await stage.cli(["rollback", "search-agent", "--yes"]);
      expect([end.code, await image()]).toEqual([0, digit]);
    }
  });

  test("with new secrets of the same build, which are a revision like any other", async () => {
    const stage = await createDeployed(CONTAINER);
    const { active_revision_id: first } = await stage.live();
    stage.spec(edit(CONTAINER, "first-value", "second-value"));
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.forget();
    expect((await stage.cli(["rollback", "search-agent", "--yes"])).code).toBe(0);
    expect(stage.writes()).toEqual([expect.stringContaining(first)]);
  });
});

test("a failed rollback lists what stays as this run changed it", async () => {
  const stage = await createDeployed(REPOSITORY, {
    revisions: [
      { revision: 2, outcome: "build-failed" },
      { revision: 3, outcome: "build-failed" },
    ],
  });
  const next = edit(edit(REPOSITORY, "npm ci", "npm broken"), "support.json", "second.json");
  stage.spec(next);
  const run = await stage.run(rollback);
  expectEnd(run, { outcome: "failed" }, 1);
  expect(deploymentOf(run).rollback).toMatchObject({ outcome: "failed" });
  for (const text of [run.stdout, run.summary])
    expect(text).toContain("Still as this run changed them: install_command");
});

test("the headline names what the serving revision was built from", async () => {
  const stage = await createDeployed(REPOSITORY, {
    readback: "hosted",
    clock: movedByRequests(50),
    phases: { BUILDING: 300, DEPLOYING: 2_000 },
  });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "release", commit: THIS_COMMIT });
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    source_revision_config: { repo_ref: "release" },
  });
  while ((await stage.live()).source_revision_config.repo_ref !== THIS_COMMIT) await setTimeout(20);
  const run = await behind(stage, async ({ forward }) => {
    const reply = await forward();
    return {
      ...reply,
      body: String(reply.body).replaceAll(/"repo_branch":"[^"]*"/g, '"repo_branch":null'),
    };
  });
  const end = await run();
  expectEnd(end, { outcome: "deployed" });
  expect(end.summary).not.toContain("main` is live");
  expect(end.summary).toContain("1111111` is live");
});
