import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  movedByRequests,
} from "./stage.ts";

test.concurrent("wait: false starts a revision and prints how to wait for it, and the next run waits for it", async () => {
  // Each request moves the service's clock, so that the revision is still in progress for the next run.
  const stage = await createStage(CONTAINER, {
    clock: movedByRequests(50),
    phases: { DEPLOYING: 1500 },
  });
  const run = await stage.run({ wait: "false" });
  const live = await stage.live();
  expectEnd(run, { outcome: "started", changed: "true", "revision-id": live.latest_revision_id });
  expect(run.stdout).toContain(
    `agent-deploy wait --deployment-id ${live.id} --revision-id ${live.latest_revision_id}`,
  );
  expect(live.active_revision_id).toBeNull();
  stage.forget();
  const next = await stage.run();
  expectEnd(next, {
    outcome: "deployed",
    changed: "false",
    "revision-id": live.latest_revision_id,
  });
  expect(stage.writes()).toEqual([]);
});

test.concurrent("wait: false warns of what does not happen without a wait", async () => {
  const stage = await createStage(CONTAINER);
  const asked = { verify: "exit 1", "on-failure": "rollback" };
  const run = await stage.run({ wait: "false", ...asked });
  expectEnd(run, { outcome: "started" });
  const warnings = run.stdout.split("\n").filter((line) => line.includes("wait is false: "));
  expect(warnings).toEqual([
    expect.stringContaining("verify does not run"),
    expect.stringContaining("a revision that fails is not rolled back"),
  ]);
});

test.concurrent("a dry run prints its plan once", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.run({ "dry-run": "true" });
  expectEnd(run, { outcome: "planned" });
  expect(run.stdout.match(/image_uri/g)).toHaveLength(1);
  const { stdout, stderr } = await stage.cli(["apply", "--dry-run"]);
  expect((stdout + stderr).match(/image_uri/g)).toHaveLength(1);
});

test.concurrent("a timeout fails with the command to wait again in log and report, and wait continues", async () => {
  const stage = await createStage(CONTAINER, { clock: { manual: true } });
  // Long enough for a first look on a busy machine; the run waits for all of it.
  const run = await stage.run({ timeout: "10s", "poll-interval": "200ms" });
  const live = await stage.live();
  expectEnd(
    run,
    { outcome: "timed-out", changed: "true", "revision-id": live.latest_revision_id },
    1,
  );
  const line = `agent-deploy wait --deployment-id ${live.id} --revision-id ${live.latest_revision_id}`;
  expect(run.stdout).toContain(line);
  expect(run.summary).toContain(line);
  expect(deploymentOf(run)).toMatchObject({ reason: "timeout" });
  const cli = await stage.cli([
    ...line.split(" ").slice(1),
    "--timeout",
    "10s",
    "--poll-interval",
    "200ms",
  ]);
  expect(cli.code).toBe(5);
  stage.emulator.emulator.advance(60_000);
  stage.forget();
  const wait = await stage.run({
    command: "wait",
    "deployment-id": live.id,
    spec: "there-is-none.yml",
  });
  expectEnd(wait, {
    outcome: "deployed",
    changed: "false",
    "revision-id": live.latest_revision_id,
  });
  expect(stage.writes()).toEqual([]);
});

test.concurrent("the command to wait again has the place of the target", async () => {
  const stage = await createStage(CONTAINER);
  const { url } = stage.emulator;
  const tenant = "5f1e6f4c-0000-4000-a000-000000000001";
  const place = `{ control_plane_url: "${url}", tenant_id: ${tenant} }`;
  stage.spec(`${CONTAINER}deploy: { targets: { prod: ${place} } }\n`);
  const inputs = { target: "prod", "control-plane-url": undefined, "tracing-url": undefined };
  const run = await stage.run({ ...inputs, wait: "false" });
  expectEnd(run, { outcome: "started" });
  const [line] = /agent-deploy wait .*/.exec(run.stdout)!;
  expect(line).toContain(` --control-plane-url ${url} --tenant-id ${tenant}`);
  const again = await runCli(line.split(" ").slice(1), {
    workspace: stage.workspace,
    env: { AGENT_DEPLOY_API_KEY: "test-key" },
  });
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("is live")]);
});

test.concurrent("a timeout reports that a revision is active though its status cannot be read", async () => {
  const stage = await createStage(CONTAINER);
  const run = await behind(stage, async ({ method, path, forward }) =>
    method === "GET" && path.includes("/revisions/")
      ? { status: 404, body: '{"detail":"Revision not found."}' }
      : forward(),
  );
  // Long enough for the build on a busy machine; the run waits for all of it.
  const late = await run({ timeout: "10s", "poll-interval": "100ms" });
  expectEnd(late, { outcome: "timed-out" }, 1);
  const { latest_revision_id: id } = await stage.live();
  expect(late.stdout).toContain(
    "search-agent timed out: search@aaaaaaaa is live, but its end was not confirmed",
  );
  expect(late.stdout).toContain(`revision ${id} is active, but its status could not be read after`);
  expect(late.stdout).not.toContain("is not live");
});

/** More requests than a plan makes, fewer than a run of four seconds. */
const ANSWERED = 8;

test.concurrent("an update of a deployment without a named revision times out, without blaming the network", async () => {
  const stage = await createDeployed(CONTAINER);
  let asked = 0;
  const run = await behind(stage, async ({ forward }) => {
    // The limit ends a look that is under way.
    if (++asked > ANSWERED) return new Promise(() => undefined);
    const { status, body } = await forward();
    const unnamed = /"(latest|active)_revision_id":"[^"]*"/g;
    return { status, body: String(body).replace(unnamed, '"$1_revision_id":null') };
  });
  stage.spec(edit(CONTAINER, "cpu: 1", "cpu: 2"));
  const late = await run({ timeout: "4s" });
  expectEnd(late, { outcome: "timed-out", changed: "false" }, 1);
  expect(late.stdout).toContain("the service names no revision of deployment");
  expect(late.stdout).not.toContain("did not answer in time");
  expect(stage.writes()).toEqual([]);
});

test("wait by the spec finds the deployment by name, and reports a failed revision", async () => {
  const stage = await createStage(CONTAINER, { revisions: [{ outcome: "build-failed" }] });
  expectEnd(await stage.run({ wait: "false" }), { outcome: "started" });
  expectEnd(
    await stage.run({ command: "wait" }),
    { outcome: "failed", changed: "false", "revision-status": "BUILD_FAILED" },
    1,
  );
});

test("a late latest revision, a 404 and a late active revision are waited for", async () => {
  const stage = await createStage(CONTAINER, {
    clock: movedByRequests(20),
    lags: { latest: 150, revision: 250, active: 300, database: 200 },
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed", "revision-id": (await stage.live()).active_revision_id });
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
});

test.each(["new-status", "interrupted-resumes", "unknown-resumes"] as const)(
  "a revision that goes through %s is waited for",
  async (outcome) => {
    // The clock moves with each request, so that no status is over before it was looked at.
    const stage = await createStage(CONTAINER, {
      clock: { manual: true, stepMs: 10 },
      revisions: [{ outcome }],
    });
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    if (outcome === "new-status") expect(run.stdout).toContain("PULLING_IMAGE");
  },
);

test("errors and a 429 during the wait do not end it", async () => {
  const stage = await createStage(CONTAINER, {
    faults: [
      {
        route: "GET /v2/deployments/{id}/revisions/{id}",
        kind: "status",
        status: 503,
        nth: 2,
        times: 2,
      },
      {
        route: "GET /v2/deployments/{id}/revisions/{id}",
        kind: "status",
        status: 429,
        nth: 6,
        headers: { "retry-after": "0" },
      },
    ],
  });
  expectEnd(await stage.run(), { outcome: "deployed" });
});

test("a newer active revision supersedes the run, which succeeds with on-superseded: warn", async () => {
  for (const [policy, code] of [
    ["fail", 1],
    ["warn", 0],
  ] as const) {
    const stage = await createDeployed(CONTAINER, {
      clock: { manual: true, stepMs: 20 },
      overtaken: "skip",
      revisions: [
        {
          revision: 2,
          timeline: [
            { status: "QUEUED", ms: 400 },
            { status: "SKIPPED", ms: 0 },
          ],
        },
      ],
    });
    stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
    const run = await stage.run({ "on-superseded": policy });
    expectEnd(run, { outcome: "superseded" }, code);
  }
});

test.concurrent("a timeout applies to all documents together, and limits retries of reads", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const specs = names.map((name) => edit(CONTAINER, "search-agent", name)).join("---\n");
  const stage = await createStage(specs);
  stage.emulator.emulator.addFaults([
    { route: "GET /v2/deployments", kind: "status", status: 503, times: 0 },
  ]);
  const run = await stage.run({ timeout: "3s" });
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  const ends = JSON.parse(run.outputs["deployments"]!);
  expect(ends.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
    names.map(() => "failed"),
  );
  // Without the timeout a read is tried at least six times, over a minute.
  const [, tries = "1"] = /\((\d+) tries\)/.exec(ends[0].message) ?? [];
  expect(Number(tries)).toBeLessThan(6);
});

test("force over a stuck revision explains why it builds nothing", async () => {
  const stage = await createDeployed(CONTAINER, {
    revisions: [{ revision: 2, outcome: "stuck", at: "DEPLOYING" }],
  });
  const next = edit(CONTAINER, "a".repeat(64), "b".repeat(64));
  stage.spec(next);
  expectEnd(await stage.run({ wait: "false" }), { outcome: "started" });
  const run = await stage.run({ force: "true", timeout: "1s" });
  expectEnd(run, { outcome: "timed-out" }, 1);
  for (const text of [run.stdout, run.summary])
    expect(text).toContain("force: true builds nothing while a revision is under way");
});

test.each(["wait", "redeploy", "rollback"])(
  "%s of a missing deployment says what to check",
  async (command) => {
    const stage = await createStage(CONTAINER);
    const run = await stage.run({ command });
    expect(run.stdout).toContain(
      "there is no deployment named search-agent: check the name, the region and the tenant-id",
    );
  },
);
