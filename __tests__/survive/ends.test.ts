import { describe, expect, test } from "@jest/globals";
import {
  blockedEnd,
  createTracker,
  toDeploymentReport,
  track,
  type Tracker,
  trackLatest,
} from "../../src/deploy/tracker.ts";
import { nextAfterTimeout, reportOf } from "../../src/deploy/wait.ts";
import { holdToShown } from "../../src/deploy/fresh-plan.ts";
import type { Prepared } from "../../src/deploy/prepare.ts";
import type { DeploymentPlan } from "../../src/plan/plan.ts";
import { ServiceError } from "../../src/service/control-plane.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import { createBareRun } from "./bare-run.ts";

const live = (active: string | null, latest: string | null, ref = "main") =>
  toDeployment({
    id: "d",
    active_revision_id: active,
    latest_revision_id: latest,
    source_revision_config: { repo_ref: ref },
  });
const done = { outcome: "unchanged", message: "" } as const;

describe("a reply about a deployment", () => {
  test.each([
    ["https://agent.example.com", true],
    ["HTTP://agent.example.com", true],
    ["agent.example.com", true],
    ["agent.example.com:8080/path", true],
    ["[::1]:8080", true],
    ["javascript:alert(1)", false],
    ["mailto:me@example.com", false],
    ["//agent.example.com", false],
    ["", false],
  ])("with the address %j is used: %s", (url, isAddress) => {
    const tracker = { ...createTracker("agent"), url: "before" };
    track(tracker, { ...live(null, null), url });
    expect(tracker.url).toBe(isAddress ? url : "before");
  });

  test("without a tenant keeps the known one", () => {
    const tracker = createTracker("agent");
    for (const tenant_id of ["t", null]) track(tracker, { ...live(null, null), tenant_id });
    expect([tracker.id, tracker.tenant_id]).toEqual(["d", "t"]);
  });

  const read = (status: string) => toRevision({ id: "r2", status });
  test.each([
    ["none", live(null, null), null, null, null],
    ["the active one", live("r2", "r2"), null, "r2", "DEPLOYED"],
    [
      "the active one, read in another status",
      live("r2", "r2"),
      read("BUILDING"),
      "r2",
      "BUILDING",
    ],
    ["one that is not active", live("r1", "r2"), null, "r2", null],
    ["one that is not active, read", live("r1", "r2"), read("BUILD_FAILED"), "r2", "BUILD_FAILED"],
    ["one newer than what was read", live("r3", "r3"), read("BUILDING"), "r3", "DEPLOYED"],
  ])("has as its latest revision %s", (_, deployment, latest, id, status) => {
    const tracker = createTracker("agent");
    trackLatest(tracker, { state: "live", deployment, latest, active: null });
    expect([tracker.revision_id, tracker.revision_status]).toEqual([id, status]);
  });
});

describe("the report of a deployment", () => {
  test("has the previous version if that was read and was active before", () => {
    const version = (before: Tracker["before"], previous_revision_id: string | null) =>
      toDeploymentReport({ ...createTracker("agent"), before, previous_revision_id }, done)
        .previous_version;
    expect(version(live("r1", "r1"), "r1")).toBe("main");
    expect(version(live("r1", "r2"), "r1")).toBeUndefined();
    expect(version(live("r1", "r1"), "r0")).toBeUndefined();
    expect(version(null, null)).toBeUndefined();
  });

  test("has only what is known", () => {
    const blank = toDeploymentReport(createTracker("agent"), done);
    for (const key of [
      "version",
      "cause",
      "serving",
      "request",
      "superseded_by",
      "before",
      "dialect",
      "standing",
      "untilMs",
    ])
      expect(blank).not.toHaveProperty(key);
    const known = { version: "main", cause: "no branch", serving: null };
    const report = toDeploymentReport(
      { ...createTracker("agent"), ...known },
      { ...done, supersededBy: "r9" },
    );
    expect(report).toMatchObject({ ...known, superseded_by: "r9" });
  });

  test.each([
    [{ tries: 1 }, {}],
    [{ tries: 2 }, { tries: 2 }],
    [{ tries: 1, untakenTries: 1 }, { untaken_tries: 1 }],
  ])("has the failed request: %j", (about, expected) => {
    const error = new ServiceError("503", { status: 503, headline: "down", ...about });
    const { request } = toDeploymentReport(createTracker("agent"), { ...done, error });
    expect(request).toEqual({ status: 503, headline: "down", sent: true, ...expected });
  });

  test("has the first code and all messages if it is blocked", () => {
    const of = (...blockers: object[]) => blockedEnd({ blockers } as unknown as DeploymentPlan);
    expect(of({ code: "a", message: "one" }, { code: "b", message: "two" })).toEqual({
      outcome: "blocked",
      reason: "a",
      message: "one · two",
    });
    expect(of().reason).toBe("blocked");
  });
});

describe("the advice after a timeout", () => {
  const again = "agent-deploy wait --deployment-id d --revision-id r1 --region eu";
  const unnamed = "agent-deploy wait --deployment-id d --region eu";
  const MAY_END =
    "That wait may end at once: the revision still shows DEPLOYED from before the redeploy. " +
    "The redeploy has begun only if the service shows another status or";
  const plan = {} as DeploymentPlan;
  const unmoved = (updated_at: string) => toRevision({ id: "r1", status: "DEPLOYED", updated_at });

  test.each<[string, Partial<Tracker>, Parameters<typeof nextAfterTimeout>[1], readonly string[]]>([
    ["is empty without a deployment", { id: null }, { revisionId: "r1" } as never, []],
    ["is to wait for the revision", { id: "d", plan }, { revisionId: "r1" } as never, [again]],
    [
      "is to wait for the latest one without a plan",
      { id: "d" },
      { revisionId: null } as never,
      [unnamed],
    ],
    [
      "is to build if no revision was named",
      { id: "d", plan },
      { revisionId: null } as never,
      [
        "Run again with force: true to build it anyway",
        unnamed,
        "That wait takes the latest revision: the one from before, as long as the service has begun no other",
      ],
    ],
    [
      "is to compare the times if a redeploy does not show",
      { id: "d" },
      { revisionId: "r1", unmoved: unmoved("2026-01-01T00:00:00Z") } as never,
      [
        again,
        `${MAY_END} an updated_at later than 2026-01-01T00:00:00Z. If it does not, redeploy again`,
      ],
    ],
    [
      "is to compare if the redeploy has no time",
      { id: "d" },
      { revisionId: "r1", unmoved: unmoved("") } as never,
      [again, `${MAY_END} an updated_at. If it does not, redeploy again`],
    ],
  ])("%s", (_, tracker, end, next) => {
    const { run } = createBareRun({ tracker, policy: { placeFlags: " --region eu" } });
    expect(nextAfterTimeout(run, end)).toEqual(next);
  });
});

describe("a cancelled run", () => {
  const plan = {
    action: "update",
    changes: [],
    warnings: [],
    notes: [],
  } as unknown as DeploymentPlan;
  const wait = "agent-deploy wait --deployment-id d";

  test.each<[Partial<Tracker>, string, readonly string[]]>([
    [{}, "cancelled before anything was started", []],
    [{ id: "d" }, "cancelled before anything was started", []],
    [{ revision_id: "r1", changed: true }, "cancelled before anything was started", []],
    [
      { id: "d", changed: true },
      "cancelled: the new revision of deployment d, not named yet, still building",
      [wait],
    ],
    [
      { id: "d", revision_id: "r1" },
      "cancelled: revision r1 still building",
      [`${wait} --revision-id r1`],
    ],
    [
      { id: "d", revision_id: "r1", revision_status: "DEPLOYED" },
      "cancelled after revision r1 was DEPLOYED, before the run had ended",
      [`${wait} --revision-id r1`],
    ],
    [
      { id: "d", revision_id: "r1", revision_status: "DEPLOYED", plan },
      "cancelled after revision r1 was DEPLOYED, before the run had ended",
      ["Run again: it checks and verifies what is live"],
    ],
    [
      { id: "d", revision_id: "r1", standing: "unchanged" },
      "cancelled before verify had ended: nothing was changed",
      ["Run again: it verifies what is live"],
    ],
    [
      { id: "d", revision_id: "r1", standing: "updated" },
      "cancelled before verify had ended: the update in place was made before",
      ["Run again: it verifies what is live"],
    ],
  ])("with %j known reports what it did and how to continue", async (tracker, message, next) => {
    const { run, abort } = createBareRun({ tracker });
    const report = await reportOf(run, () => {
      abort.abort();
      return Promise.reject(new Error("SIGINT"));
    });
    expect([report.outcome, report.reason, report.message, report.next]).toEqual([
      "cancelled",
      "signal",
      message,
      next,
    ]);
  });

  test("is not reported as cancelled if something else failed", async () => {
    const { run } = createBareRun();
    const fails = () => Promise.reject(new Error("503"));
    expect(await reportOf(run, fails, { next: () => ["later"] })).toMatchObject({
      outcome: "failed",
      reason: "service",
      message: "503",
      next: ["later"],
    });
    expect((await reportOf(run, fails)).next).toEqual([]);
  });
});

describe("a plan that is made again", () => {
  const planOf = (more: object): DeploymentPlan =>
    ({
      name: "agent",
      action: "update",
      fingerprint: "one",
      changes: [],
      ...more,
    }) as unknown as DeploymentPlan;
  const changes = (...paths: readonly string[]) =>
    paths.map((path) => ({ path, before: "a", after: "b" }));

  function hold(shown: object, now: object) {
    const bare = createBareRun();
    const fresh = { planned: { plan: planOf(now), steps: [] } } as unknown as Prepared;
    const held = holdToShown(bare.run, planOf(shown), fresh);
    return { isFresh: held === fresh, warnings: bare.tracker.warnings, lines: bare.lines };
  }

  test.each<[object, object, string]>([
    [{}, { fingerprint: "two" }, "live values changed"],
    [{}, { action: "none" }, "update is now none"],
    [{ changes: changes("a") }, { fingerprint: "two", changes: changes("a", "b") }, "b"],
    [{ changes: changes("a", "b") }, { fingerprint: "two", changes: changes("a") }, "b"],
    [
      { changes: changes("a") },
      { fingerprint: "two", changes: [{ path: "a", before: "a", after: "c" }] },
      "a",
    ],
    [
      { changes: changes("a") },
      { fingerprint: "two", changes: [{ path: "a", before: "c", after: "b" }] },
      "a",
    ],
    [{}, { action: "create", changes: changes("a") }, "update is now create; a"],
    [{}, { fingerprint: "two", changes: changes("a", "b", "c", "d", "e") }, "a, b, c, d, e"],
    [
      {},
      { fingerprint: "two", changes: changes("a", "b", "c", "d", "e", "f") },
      "a, b, c, d, e and 1 more",
    ],
  ])("from %j to %j reports what changed", (shown, now, words) => {
    const { isFresh, warnings, lines } = hold(shown, now);
    expect([isFresh, warnings, lines]).toEqual([
      true,
      [
        `agent was changed after its plan was made: ${words}. The plan was made again right before the first write`,
      ],
      ["agent: applying the updated plan"],
    ]);
  });

  test("with the same result is not mentioned", () => {
    expect(hold({}, {})).toMatchObject({ isFresh: true, warnings: [], lines: [] });
  });
});
