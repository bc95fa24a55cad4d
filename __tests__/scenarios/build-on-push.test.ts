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

test("the revision that a push made is found and waited for: nothing is written, and that counts as changed", async () => {
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

test("a push whose revision is not there yet is waited for", async () => {
  const stage = await createDeployed(SPEC);
  const started = stage.start({}, on);
  await started.until(/waiting for the revision that the push of 2{12} makes/);
  await stage.send("POST", "/_emulator/push", { repo_url: REPO_URL, ref: "main", commit: NEXT });
  const run = await started.done;
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(stage.writes()).toEqual([]);
  expect(await stage.revisions()).toHaveLength(2);
});

test.concurrent("a push that made no revision is reported, and none is triggered in its place", async () => {
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

test.concurrent("force builds what no push has built, as the message of the time-out says", async () => {
  const stage = await createMissed();
  const late = await stage.run({ timeout: "4s", "poll-interval": "200ms" }, on);
  expect(late.stdout).toContain("Run again with force: true to build it anyway");
  // There is no revision to wait for, so its wait may be green at once.
  expect(late.stdout).toContain("That wait takes the latest revision: the one from before");
  stage.forget();
  expectEnd(await stage.run({ force: "true" }, on), { outcome: "deployed", changed: "true" });
  expect(stage.patches()).toEqual([{ source_revision_config: { repo_ref: "main" } }]);
});

test.concurrent("an update behind a push that made no revision ends in time, and says that it was not sent", async () => {
  const stage = await createDeployed(SPEC);
  stage.spec(edit(SPEC, "graphs/support.json", "graphs/other.json"));
  const run = await stage.run({ timeout: "4s", "poll-interval": "200ms" }, on);
  expectEnd(run, { outcome: "timed-out", changed: "false" }, 1);
  expect(run.stdout).toContain("The update of support-agent was not sent: timed out");
  expect(run.stdout).not.toContain("rate limit");
  expect(stage.writes()).toEqual([]);
});

test("with a changed trigger field the push's own revision is waited for first, and the PATCH's revision is ours", async () => {
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

test("where the spec switches build_on_push off, the moved commit is built by the same PATCH, and no push is waited for", async () => {
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

test("without a moved commit build_on_push changes nothing", async () => {
  const stage = await createDeployed(SPEC);
  expectEnd(await stage.run({}, { env: { GITHUB_SHA: THIS_COMMIT } }), { outcome: "unchanged" });
});

test("with another repo_ref no push is waited for: the PATCH goes at once", async () => {
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

test("a push's revision that is being built already is waited for, though the service shows the former commit until it is", async () => {
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

test("a revision that was being built before the push, and is of the former commit, is left alone", async () => {
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

test("a revision that is live already and shows the commit of the push late is that of the push", async () => {
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

test.concurrent("a push whose build failed before the run ends as that, though the service still shows the former commit", async () => {
  const run = await createFailed();
  const end = await run({ timeout: "20s" }, on);
  expectEnd(end, { outcome: "failed", "revision-status": "BUILD_FAILED", changed: "true" }, 1);
  expect(end.stdout).toContain("no module named graph");
});
