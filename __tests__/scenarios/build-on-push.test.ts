import { setTimeout } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import {
  behind,
  createDeployed,
  edit,
  expectEnd,
  movedByRequests,
  REPOSITORY,
  REPO_URL,
  THIS_COMMIT,
  type Stage,
} from "./stage.ts";

const SPEC = edit(REPOSITORY, "build_on_push: false", "build_on_push: true");
const NEXT = "2".repeat(40);
const on = { env: { GITHUB_SHA: NEXT } };

test("the revision of a push is waited for without a write, and counts as a change", async () => {
  const stage = await createDeployed(SPEC, {
    clock: movedByRequests(25),
    phases: { BUILDING: 1500 },
  });
  expect(
    await stage.send("POST", "/_emulator/push", { repo_url: REPO_URL, ref: "main", commit: NEXT }),
  ).toBeDefined();
  const run = await stage.run({}, on);
  const live = await stage.live();
  expectEnd(run, { outcome: "deployed", "revision-id": live.active_revision_id });
  expect(live.source_revision_config.repo_commit_sha).toBe(NEXT);
  expect(stage.writes()).toEqual([]);
});

test("a push whose revision does not exist yet is waited for", async () => {
  const stage = await createDeployed(SPEC);
  const started = stage.start({}, on);
  await started.until(/waiting for the revision that the push of 2{12} makes/);
  await stage.send("POST", "/_emulator/push", { repo_url: REPO_URL, ref: "main", commit: NEXT });
  const run = await started.done;
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(stage.writes()).toEqual([]);
  expect(await stage.revisions()).toHaveLength(2);
});

test.concurrent("a push without a revision is reported, and no other build is started", async () => {
  const stage = await createDeployed(SPEC);
  const run = await stage.run({ timeout: "4s", "poll-interval": "200ms" }, on);
  expectEnd(run, { outcome: "timed-out" }, 1);
  expect(run.stdout).toMatch(/push/);
  expect(stage.writes()).toEqual([]);
});

/** A stage whose service has missed the push of NEXT. */
async function createMissed(): Promise<Stage> {
  const stage = await createDeployed(SPEC);
  const switchTo = async (build_on_push: boolean): Promise<void> => {
    const path = `/v2/deployments/${(await stage.live()).id}`;
    await stage.send("PATCH", path, { source_config: { build_on_push } });
  };
  await switchTo(false);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: NEXT });
  await switchTo(true);
  stage.forget();
  return stage;
}

test.concurrent("force builds a commit that no push has built, as the timeout message suggests", async () => {
  const stage = await createMissed();
  const late = await stage.run({ timeout: "4s", "poll-interval": "200ms" }, on);
  expect(late.stdout).toContain("Run again with force: true to build it anyway");
  // There is no revision to wait for, so its wait may be green at once.
  expect(late.stdout).toContain("That wait takes the latest revision: the one from before");
  stage.forget();
  expectEnd(await stage.run({ force: "true" }, on), { outcome: "deployed", changed: "true" });
  expect(stage.patches()).toEqual([{ source_revision_config: { repo_ref: "main" } }]);
});

test.concurrent("an update after a push without a revision times out, and is reported as not sent", async () => {
  const stage = await createDeployed(SPEC);
  stage.spec(edit(SPEC, "graphs/support.json", "graphs/other.json"));
  const run = await stage.run({ timeout: "4s", "poll-interval": "200ms" }, on);
  expectEnd(run, { outcome: "timed-out", changed: "false" }, 1);
  expect(run.stdout).toContain("The update of support-agent was not sent: timed out");
  expect(run.stdout).not.toContain("rate limit");
  expect(stage.writes()).toEqual([]);
});

test("the push's revision is waited for before the PATCH of a changed trigger field", async () => {
  const stage = await createDeployed(SPEC);
  stage.spec(edit(SPEC, "graphs/support.json", "graphs/other.json"));
  const started = stage.start({}, on);
  await started.until(/waiting for the revision that the push/);
  await stage.send("POST", "/_emulator/push", { repo_url: REPO_URL, ref: "main", commit: NEXT });
  const run = await started.done;
  const live = await stage.live();
  expectEnd(run, { outcome: "deployed", changed: "true", "revision-id": live.active_revision_id });
  expect(stage.patches()).toEqual([
    { source_revision_config: { graph_config_path: "graphs/other.json" } },
  ]);
  expect(await stage.revisions()).toHaveLength(3);
});

test("switching build_on_push off builds the new commit with the same PATCH, without waiting for a push", async () => {
  const stage = await createMissed();
  stage.spec(REPOSITORY);
  const run = await stage.run({ timeout: "20s" }, on);
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect((await stage.live()).source_revision_config.repo_commit_sha).toBe(NEXT);
  expect(run.stdout).not.toMatch(/waiting for the revision that the push/);
  expect(stage.patches()).toEqual([
    { source_config: { build_on_push: false }, source_revision_config: { repo_ref: "main" } },
  ]);
});

test("build_on_push changes nothing without a new commit", async () => {
  const stage = await createDeployed(SPEC);
  expectEnd(await stage.run({}, { env: { GITHUB_SHA: THIS_COMMIT } }), { outcome: "unchanged" });
});

test("another repo_ref is sent at once, without waiting for a push", async () => {
  const stage = await createDeployed(SPEC);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "release", commit: NEXT });
  stage.forget();
  stage.spec(edit(SPEC, "repo_ref: main", "repo_ref: release"));
  const run = await stage.run(
    { timeout: "20s" },
    { env: { GITHUB_SHA: NEXT, GITHUB_REF: "refs/heads/release" } },
  );
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(run.stdout).not.toMatch(/waiting for the revision that the push/);
  expect(stage.patches()).toEqual([{ source_revision_config: { repo_ref: "release" } }]);
  expect((await stage.live()).source_revision_config.repo_ref).toBe("release");
});

/** Runs on a service that shows the former commit until `isTold`. */
const showingFormer = (stage: Stage, isTold: () => Promise<boolean>) =>
  behind(stage, async ({ forward }) => {
    const told = await isTold();
    const { status, body } = await forward();
    return { status, body: told ? body : String(body).replaceAll(NEXT, THIS_COMMIT) };
  });

test("a push's revision in progress is waited for, even while the service still shows the previous commit", async () => {
  const stage = await createDeployed(SPEC, {
    clock: movedByRequests(25),
    phases: { BUILDING: 1500 },
  });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: NEXT });
  const isBuilt = async (): Promise<boolean> =>
    (await stage.revisions()).every(({ status }) => status === "DEPLOYED");
  const run = await (await showingFormer(stage, isBuilt))({ timeout: "20s" }, on);
  const live = await stage.live();
  expectEnd(run, {
    outcome: "deployed",
    changed: "true",
    "revision-id": live.active_revision_id,
  });
  expect(stage.writes()).toEqual([]);
  expect(await stage.revisions()).toHaveLength(2);
});

test("a revision of the previous commit that was building before the push does not count", async () => {
  const stage = await createDeployed(SPEC, {
    clock: movedByRequests(25),
    phases: { BUILDING: 1500 },
  });
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    source_revision_config: { repo_ref: "main" },
  });
  stage.forget();
  const started = stage.start({ timeout: "30s" }, on);
  await started.until(/still waiting for ours/);
  await stage.send("POST", "/_emulator/push", { repo_url: REPO_URL, ref: "main", commit: NEXT });
  const run = await started.done;
  const live = await stage.live();
  expectEnd(run, { outcome: "deployed", "revision-id": live.active_revision_id });
  expect(live.source_revision_config.repo_commit_sha).toBe(NEXT);
});

test("a live revision that shows the push's commit late counts as that of the push", async () => {
  const stage = await createDeployed(SPEC);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: NEXT });
  while ((await stage.revisions()).some(({ status }) => status !== "DEPLOYED"))
    await setTimeout(100);
  // So many requests are answered with the former commit.
  let former = 40;
  const run = await (await showingFormer(stage, async () => former-- <= 0))({ timeout: "20s" }, on);
  expectEnd(run, { outcome: "deployed", "revision-id": (await stage.live()).active_revision_id });
  expect(stage.writes()).toEqual([]);
});

/** A service on which the build of the push of NEXT has failed, and which still shows the former commit. */
async function createFailed(): Promise<Awaited<ReturnType<typeof showingFormer>>> {
  const stage = await createDeployed(SPEC, {
    revisions: [{ revision: 2, outcome: "build-failed", status_message: "no module named graph" }],
  });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: NEXT });
  while ((await stage.revisions())[0].status !== "BUILD_FAILED") await setTimeout(50);
  return showingFormer(stage, async () => false);
}

test.concurrent("a push whose build failed before the run fails the run, even while the service still shows the previous commit", async () => {
  const run = await createFailed();
  const end = await run({ timeout: "20s" }, on);
  expectEnd(end, { outcome: "failed", "revision-status": "BUILD_FAILED", changed: "true" }, 1);
  expect(end.stdout).toContain("no module named graph");
});
