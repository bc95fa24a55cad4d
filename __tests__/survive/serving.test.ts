import { describe, expect, test } from "@jest/globals";
import {
  findActiveBefore,
  servedAtEnd,
  servedBefore,
  servedBy,
  versionOf,
  wantedVersion,
  withServing,
} from "../../src/deploy/serving.ts";
import { blankDeployment, type DeploymentReport } from "../../src/report/report.ts";
import type { ControlPlane } from "../../src/service/control-plane.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { createBareRun } from "./bare-run.ts";
import { desiredOf, IMAGE, repohost } from "./flow.ts";

const HASH = "f".repeat(64);
const mark = (path: string) => [{ name: "AGENT_DEPLOY_SOURCE", value: `sha256:${HASH} ${path}` }];

describe("the version of a revision, for", () => {
  test.each<
    [string, Parameters<typeof versionOf>[0], Parameters<typeof versionOf>[1], string | null]
  >([
    ["no configuration", undefined, undefined, null],
    ["an empty configuration", {}, undefined, null],
    ["an image", { image_uri: IMAGE }, undefined, IMAGE],
    ["a branch", { repo_ref: "main" }, undefined, "main"],
    [
      "a branch, whose image is the result",
      { repo_ref: "main", image_uri: IMAGE },
      undefined,
      "main",
    ],
    ["a branch without a name", { repo_ref: "", image_uri: IMAGE }, undefined, IMAGE],
    ["an upload without a record", { source_tarball_path: "p", repo_ref: "main" }, undefined, null],
    ["an upload with its record", { source_tarball_path: "p" }, mark("p"), "source ffffffff"],
    ["an upload with another record", { source_tarball_path: "p" }, mark("q"), null],
    ["an upload without a path", { source_tarball_path: "", repo_ref: "main" }, mark("p"), "main"],
  ])("%s", (_, config, secrets, version) => {
    expect(versionOf(config, secrets)).toBe(version);
  });

  test("the wanted version is the spec's, or else the live one", () => {
    const live = toDeployment({ id: "d", source_revision_config: { repo_ref: "old" } });
    const desired = desiredOf(repohost());
    expect([wantedVersion(desired, live), wantedVersion(desired, null)]).toEqual(["main", "main"]);
    const { source_revision_config: _, ...body } = desired.body;
    const silent = { ...desired, body };
    expect([wantedVersion(silent, live), wantedVersion(silent, null)]).toEqual(["old", null]);
    const archive = { hash: HASH } as NonNullable<Desired["archive"]>;
    expect(wantedVersion({ ...desired, archive }, live)).toBe("source ffffffff");
  });
});

const naming = (active: string | null, latest: string | null = active, ref = "main") =>
  toDeployment({
    id: "d",
    active_revision_id: active,
    latest_revision_id: latest,
    source_revision_config: { repo_ref: ref },
  });

describe("the active revision", () => {
  test("has the deployment's version if it is the latest", () => {
    expect(servedBy(naming("r1"))).toEqual({ revision_id: "r1", version: "main" });
    expect(servedBy(naming("r1", "r2"))).toEqual({ revision_id: "r1", version: null });
    expect(servedBy(naming(null, "r2"))).toBeNull();
    expect([servedBefore(null), servedBefore(undefined)]).toEqual([null, undefined]);
  });

  test("at the end of a wait keeps its earlier version", () => {
    expect(servedAtEnd(naming("r1", "r2"), naming("r1"))).toEqual({
      revision_id: "r1",
      version: "main",
    });
    expect(servedAtEnd(naming("r2", "r2", "new"), naming("r1"))).toEqual({
      revision_id: "r2",
      version: "new",
    });
    expect(servedAtEnd(naming(null, "r2"), naming("r1"))).toBeNull();
    expect(servedAtEnd(naming("r1"), undefined)).toEqual({ revision_id: "r1", version: "main" });
    expect(servedAtEnd(null, naming("r1"))).toBeUndefined();
  });
});

describe("the revision that was active right before another", () => {
  type Listed = readonly [id: string, status: string, updatedAt: string];
  const OWN: Listed = ["own", "BUILD_FAILED", "10:00"];
  const REMEMBERED: Listed = ["r1", "DEPLOYED", "08:00"];

  const before = async (...listed: readonly Listed[]) => {
    const items = listed.map(([id, status, at]) =>
      toRevision({ id, status, ...(at === "" ? {} : { updated_at: `2026-01-01T${at}:00Z` }) }),
    );
    const service = {
      listRevisions: async () => ({ state: "found", items }),
    } as unknown as ControlPlane;
    return findActiveBefore(service, "d", "own", "r1");
  };

  test.each<[string, readonly Listed[], string]>([
    ["the known one, if none is between", [OWN, REMEMBERED], "r1"],
    ["one in between", [OWN, ["r2", "DEPLOYED", "09:00"], REMEMBERED], "r2"],
    [
      "one that changed a minute after the known one",
      [OWN, ["r2", "DEPLOYED", "08:01"], REMEMBERED],
      "r2",
    ],
    ["not one that changed at the same time", [OWN, ["r2", "DEPLOYED", "08:00"], REMEMBERED], "r1"],
    ["not one that changed before it", [OWN, ["r2", "DEPLOYED", "07:59"], REMEMBERED], "r1"],
    ["one without a time", [OWN, ["r2", "DEPLOYED", ""], REMEMBERED], "r2"],
    [
      "the newest of them",
      [OWN, ["r3", "DEPLOYED", "09:30"], ["r2", "DEPLOYED", "09:00"], REMEMBERED],
      "r3",
    ],
    [
      "not a failed one",
      [OWN, ["r3", "BUILD_FAILED", "09:30"], ["r2", "DEPLOYED", "09:00"], REMEMBERED],
      "r2",
    ],
    [
      "not a newer or older one",
      [["r9", "DEPLOYED", "11:00"], OWN, REMEMBERED, ["r0", "DEPLOYED", "09:00"]],
      "r1",
    ],
    ["the known one, if it is not listed", [OWN, ["r2", "DEPLOYED", "09:00"]], "r1"],
    ["the known one, if ours is not listed", [["r2", "DEPLOYED", "09:00"], REMEMBERED], "r1"],
    ["the known one, if both are not listed", [["r2", "DEPLOYED", "09:00"]], "r1"],
  ])("is %s", async (_, listed, expected) => {
    expect(await before(...listed)).toBe(expected);
  });

  test("is the known one without a list", async () => {
    for (const listRevisions of [
      async () => ({ state: "absent-lookup", status: 404 }),
      () => Promise.reject(new Error("503")),
    ]) {
      const service = { listRevisions } as unknown as ControlPlane;
      expect(await findActiveBefore(service, "d", "own", "r1")).toBe("r1");
    }
  });
});

describe("a report of what serves at its end", () => {
  const report = (one: Partial<DeploymentReport>): DeploymentReport => ({
    ...blankDeployment("agent"),
    id: "d",
    revision_id: "own",
    previous_revision_id: "r1",
    ...one,
  });

  /** What is added to a report, and the limit of the reads; `live` null: 404. */
  async function serve(
    one: Partial<DeploymentReport>,
    {
      live = naming("r1"),
      read = null,
      timeoutMs = null,
      cancelled = false,
    }: {
      readonly live?: ReturnType<typeof naming> | null | Error;
      readonly read?: ReturnType<typeof toRevision> | null;
      readonly timeoutMs?: number | null;
      readonly cancelled?: boolean;
    } = {},
  ) {
    const { context, limits, abort } = createBareRun({
      policy: { timeoutMs },
      service: {
        getDeployment: async () => {
          if (live instanceof Error) throw live;
          return live;
        },
        getRevision: async () => read,
      },
    });
    if (cancelled) abort.abort();
    const { serving } = await withServing(context, report(one));
    return { serving, limits };
  }

  test("has its own revision after a success, without a request", async () => {
    expect(await serve({ outcome: "deployed", version: "main" })).toEqual({
      serving: { revision_id: "own", version: "main" },
      limits: [],
    });
    expect((await serve({ outcome: "deployed" })).serving).toEqual({
      revision_id: "own",
      version: null,
    });
  });

  test.each<[string, Partial<DeploymentReport>, boolean]>([
    ["an unchanged deployment", { outcome: "unchanged" }, false],
    ["a timed-out deployment", { outcome: "timed-out" }, false],
    [
      "a timed-out rollback",
      { outcome: "failed", rollback: { revision_id: "r1", outcome: "timed-out" } },
      false,
    ],
    ["a deployment without an id", { outcome: "failed", id: null }, false],
    ["a failed deployment", { outcome: "failed" }, true],
    ["a blocked deployment", { outcome: "blocked" }, true],
    [
      "a deployment that was rolled back",
      { outcome: "deployed", rollback: { revision_id: "r1", outcome: "deployed" } },
      true,
    ],
    [
      "an unchanged deployment that was rolled back",
      { outcome: "unchanged", rollback: { revision_id: "r1", outcome: "deployed" } },
      true,
    ],
    ["a deployed one without a revision", { outcome: "deployed", revision_id: null }, false],
  ])("asks the service or not for %s", async (_, one, asks) => {
    expect((await serve(one)).limits.length > 0).toBe(asks);
  });

  test("asks nothing in a cancelled run", async () => {
    expect((await serve({ outcome: "failed" }, { cancelled: true })).limits).toEqual([]);
  });

  test.each([
    ["BUILD_FAILED", null, 10_000],
    ["service", null, 2_000],
    ["unknown", null, 2_000],
    ["refused", null, 2_000],
    ["BUILD_FAILED", 5_000, 5_000],
    ["BUILD_FAILED", 60_000, 10_000],
    ["service", 60_000, 2_000],
  ])(
    "after %s with a limit of %s ms asks for at most %d ms",
    async (reason, timeoutMs, limitMs) => {
      expect((await serve({ outcome: "failed", reason }, { timeoutMs })).limits).toEqual([limitMs]);
    },
  );

  const failed = { outcome: "failed" } as const;
  const former = { ...failed, previous_version: "v1" };
  const asRevision = (ref: string) =>
    toRevision({ id: "r1", status: "DEPLOYED", source_revision_config: { repo_ref: ref } });

  test.each<[string, Partial<DeploymentReport>, Parameters<typeof serve>[1], unknown]>([
    ["nothing, if it is gone", failed, { live: null }, null],
    ["nothing, if none is active", failed, { live: naming(null, "r1") }, null],
    ["no statement, if it cannot be read", failed, { live: new Error("503") }, undefined],
    [
      "the revision's own version",
      former,
      { read: asRevision("tag") },
      { revision_id: "r1", version: "tag" },
    ],
    [
      "the deployment's version, if it is the latest",
      former,
      {},
      { revision_id: "r1", version: "main" },
    ],
    [
      "the previous version, as the run knows it",
      former,
      { live: naming("r1", "own") },
      { revision_id: "r1", version: "v1" },
    ],
    [
      "no version for another one",
      former,
      { live: naming("r7", "own") },
      { revision_id: "r7", version: null },
    ],
    [
      "the previous version, under the id of the rollback",
      { ...former, rollback: { revision_id: "r8", outcome: "deployed" } },
      { live: naming("r8", "own") },
      { revision_id: "r8", version: "v1" },
    ],
  ])("after a failure has %s", async (_, one, shown, expected) => {
    expect((await serve(one, shown)).serving).toEqual(expected);
  });
});
