import { describe, expect, test } from "@jest/globals";
import {
  byId,
  hasChanged,
  newerThan,
  type OwnReads,
  pushedOf,
  redeployedOf,
} from "../../src/deploy/own-revision.ts";
import type { LiveDeployment, LiveRevision } from "../../src/model/live.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";

const [FORMER, OLDER, WANTED, LATER, UNRELATED] = ["a", "b", "c", "d", "e"].map((one) =>
  one.repeat(40),
) as [string, string, string, string, string];
/** What comes before what, as far as the history knows. */
const ANCESTORS = [`${FORMER} ${WANTED}`, `${OLDER} ${WANTED}`, `${WANTED} ${LATER}`];

const deployment = (latest: string | null, commit?: string, active: string | null = "r1") =>
  toDeployment({
    id: "d",
    name: "agent",
    latest_revision_id: latest,
    active_revision_id: active,
    source_revision_config: commit === undefined ? {} : { repo_commit_sha: commit },
  });

const revision = (id: string, status: string, commit?: string) =>
  toRevision({
    id,
    status,
    source_revision_config: commit === undefined ? {} : { repo_commit_sha: commit },
  });

/** What a service shows now. */
interface Now {
  readonly deployment?: LiveDeployment | null;
  readonly revision?: LiveRevision | null;
  readonly passed?: { readonly ms: number; readonly share: number };
}

/** A push of WANTED to a deployment that was found with this latest revision. */
function pushed(before: LiveDeployment, latest: LiveRevision | null = null) {
  const asked: string[] = [];
  const lines: string[] = [];
  const compare = async (older: string, newer: string) => {
    asked.push(`${older[0]} ${newer[0]}`);
    const relation = ANCESTORS.includes(`${older} ${newer}`) ? "ahead" : "behind";
    return { relation, files: null } as const;
  };
  const own = pushedOf({ repository: { compare, checkedOut: async () => null } }, WANTED, {
    state: "live",
    deployment: before,
    latest,
    active: null,
  });
  const readsOf = (now: Now): OwnReads => ({
    deployment: () => now.deployment ?? null,
    readDeployment: async () => now.deployment ?? null,
    readRevision: async () =>
      now.revision == null ? null : { state: "found", revision: now.revision },
    log: (line) => lines.push(line),
    passed: () => now.passed ?? { ms: 600_000, share: 1 },
  });
  return {
    asked,
    lines,
    own,
    find: async (now: LiveDeployment, more: Now = {}) =>
      own.find(now, readsOf({ deployment: now, ...more })),
    judge: async (one: LiveRevision, now: LiveDeployment | null = null) =>
      own.judge(one, readsOf({ deployment: now })),
  };
}

describe("the revision of a push, if no other was in progress,", () => {
  const settled = deployment("r1", FORMER);

  test.each<[string, LiveDeployment, string | null]>([
    ["is unknown if none is named", deployment(null), null],
    ["is unknown if the same one is the latest", settled, null],
    ["is unknown if the same one shows no commit", deployment("r1"), null],
    ["is the same one if that shows the wanted commit", deployment("r1", WANTED), "r1"],
    ["is the same one if that shows it abbreviated", deployment("r1", WANTED.slice(0, 7)), "r1"],
    ["is the same one if that shows a later commit", deployment("r1", LATER), "r1"],
    ["is unknown if the same one shows an unrelated commit", deployment("r1", UNRELATED), null],
  ])("%s", async (_, now, expected) => {
    expect(await pushed(settled).find(now)).toBe(expected);
  });

  test.each<[string, LiveRevision | null, string | null]>([
    ["is a new one that cannot be read", null, "r2"],
    ["is a new one that shows no commit", revision("r2", "BUILDING"), "r2"],
    ["is a new one that shows the wanted commit", revision("r2", "BUILDING", WANTED), "r2"],
    ["is a new one with the previous commit", revision("r2", "DEPLOYED", FORMER), "r2"],
    ["is a new one that shows a later commit", revision("r2", "BUILDING", LATER), "r2"],
    ["is not a new one that shows an earlier commit", revision("r2", "BUILDING", OLDER), null],
  ])("%s", async (_, shown, expected) => {
    expect(await pushed(settled).find(deployment("r2", FORMER), { revision: shown })).toBe(
      expected,
    );
  });

  test("is not a new one of an earlier commit, which is logged once, until the wanted commit shows", async () => {
    const push = pushed(settled);
    const earlier = revision("r2", "BUILDING", OLDER);
    expect(await push.judge(earlier)).toBe("other");
    expect(push.lines).toHaveLength(1);
    expect(await push.judge(earlier)).toBe("other");
    expect(await push.find(deployment("r2", OLDER), { revision: earlier })).toBeNull();
    expect(push.lines).toEqual([
      "revision r2 shows the earlier commit bbbbbbbbbbbb: still waiting for ours",
    ]);
    expect(await push.find(deployment("r2", WANTED), { revision: earlier })).toBe("r2");
    // Each pair is looked up once.
    expect(push.asked).toEqual(["b c", "c b"]);
  });

  test("has the deployment's commit if it shows none and is the latest", async () => {
    const none = revision("r2", "BUILDING");
    expect(await pushed(settled).judge(none, deployment("r2", OLDER))).toBe("other");
    expect(await pushed(settled).judge(none, deployment("r3", OLDER))).toBe("own");
    expect(await pushed(settled).judge(none, null)).toBe("own");
  });
});

describe("the revision of a push, if the latest one had failed,", () => {
  const before = deployment("r2", FORMER);
  const failed = revision("r2", "BUILD_FAILED");

  test.each([
    ["is not assumed", 29_999, 0.2499, null],
    ["is assumed", 30_000, 0.2499, "r2"],
    ["is assumed", 29_999, 0.25, "r2"],
  ])("%s after %d ms and %d of the limit", async (_, ms, share, expected) => {
    const now = deployment("r2", FORMER);
    expect(await pushed(before, failed).find(now, { passed: { ms, share } })).toBe(expected);
  });

  test.each(["DEPLOYED", "SKIPPED", "INTERRUPTED"])(
    "is not assumed for %s, which is not failed",
    async (status) => {
      const found = pushed(deployment("r1", FORMER), revision("r1", status));
      expect(await found.find(deployment("r1", FORMER))).toBeNull();
    },
  );

  test("is not one that showed an earlier commit", async () => {
    const push = pushed(before, failed);
    expect(await push.judge(revision("r2", "BUILD_FAILED", OLDER))).toBe("other");
    expect(await push.find(before)).toBeNull();
  });

  test("is not a later one that showed an earlier commit", async () => {
    const push = pushed(before, failed);
    expect(await push.judge(revision("r3", "BUILDING", OLDER))).toBe("other");
    expect(await push.find(deployment("r3", FORMER))).toBeNull();
  });
});

describe("the revision of a push, if one was in progress,", () => {
  const before = deployment("r2", FORMER);
  const building = revision("r2", "BUILDING");

  test("is that one, unless it shows an earlier commit", async () => {
    const find = async (shown: LiveRevision | null) =>
      pushed(before, building).find(before, { revision: shown });
    expect(await find(null)).toBe("r2");
    expect(await find(revision("r2", "BUILDING", WANTED))).toBe("r2");
    expect(await find(revision("r2", "BUILDING", OLDER))).toBeNull();
  });

  test.each<[string, string, LiveDeployment | null, "own" | "other"]>([
    ["may be that one, BUILDING as the latest", "BUILDING", before, "own"],
    ["may be that one, INTERRUPTED as the latest", "INTERRUPTED", before, "own"],
    ["may be that one, INTERRUPTED before a newer one", "INTERRUPTED", deployment("r3"), "own"],
    ["is not that one, DEPLOYED as the latest", "DEPLOYED", before, "other"],
    ["is not that one, DEPLOYED in an unread deployment", "DEPLOYED", null, "other"],
    ["may be that one, BUILD_FAILED as the latest", "BUILD_FAILED", before, "own"],
    ["may be that one, BUILD_FAILED in an unread deployment", "BUILD_FAILED", null, "own"],
    ["is not that one, BUILD_FAILED before a newer one", "BUILD_FAILED", deployment("r3"), "other"],
  ])("%s with the previous commit", async (_, status, now, expected) => {
    const push = pushed(before, building);
    expect(await push.judge(revision("r2", status, FORMER), now)).toBe(expected);
  });

  test("may be another one that shows the previous commit until it is built", async () => {
    const push = pushed(before, building);
    expect(await push.judge(revision("r3", "DEPLOYED", FORMER), deployment("r3"))).toBe("own");
  });
});

test("a push without a revision is reported by its commit", () => {
  const { own } = pushed(deployment("r1", FORMER));
  expect([own.kind, own.id, own.previousActiveId, own.neverNamed]).toEqual([
    "pushed",
    null,
    "r1",
    "the push of cccccccccccc made no revision: build_on_push is true, but the service began no build of it",
  ]);
});

describe("the revision of a write", () => {
  const none = {} as OwnReads;

  test("is the latest one, unless it is the previous one", async () => {
    const before = deployment("r1");
    expect([newerThan(before, before).id, newerThan(before, deployment("r2")).id]).toEqual([
      null,
      "r2",
    ]);
    const own = newerThan(before, before, "none was made");
    expect([
      await own.find(deployment("r1"), none),
      await own.find(deployment("r2"), none),
    ]).toEqual([null, "r2"]);
    expect([own.kind, own.neverNamed, own.previousActiveId]).toEqual([
      "written",
      "none was made",
      "r1",
    ]);
  });

  test("is the named one, or else the latest", async () => {
    expect(await byId("r1", null).find(deployment("r2"), none)).toBe("r1");
    expect(await byId(null, null).find(deployment("r2"), none)).toBe("r2");
  });

  test.each([
    ["has changed if its status has", { status: "BUILDING" }, true],
    ["has changed if its updated_at has", { updated_at: "2026-01-02T00:00:00Z" }, true],
    ["has not changed if only its message has", { status_message: "x" }, false],
  ])("%s", (_, change, expected) => {
    const before = revision("r1", "DEPLOYED");
    expect(hasChanged(before, { ...before, ...change })).toBe(expected);
    expect(hasChanged(before, before)).toBe(false);
  });
});

describe("the revision of a redeploy", () => {
  const none = {} as OwnReads;
  const model = revision("r1", "DEPLOYED");

  test("under the same id is unchanged until it changes, and then its own for good", async () => {
    const own = redeployedOf(deployment("r1"), deployment("r1"), model, "r1");
    expect(own.id).toBe("r1");
    const shown = [model, { ...model, status: "BUILDING" }, model];
    const seen = [];
    for (const one of shown) seen.push(await own.judge(one, none));
    expect(seen).toEqual(["before", "own", "own"]);
  });

  test("under a new id, or without an earlier state, is its own at once", async () => {
    const own = redeployedOf(deployment("r1"), deployment("r2"), model, "r1");
    expect([own.id, await own.judge(revision("r2", "DEPLOYED"), none)]).toEqual(["r2", "own"]);
    const unread = redeployedOf(deployment("r1"), deployment("r1"), null, "r1");
    expect(await unread.judge(model, none)).toBe("own");
  });

  test.each([
    ["r3", "r3", "r1", "r1"],
    ["r3", "r4", "r1", "r4"],
    ["r3", null, "r1", null],
    [null, null, "r1", null],
    [null, "r4", "r1", "r4"],
  ])(
    "with %s the latest before, %s after, and %s redeployed is %s",
    async (before, after, id, expected) => {
      const own = redeployedOf(deployment(before), deployment(after), model, id);
      expect([own.id, await own.find(deployment(after), none)]).toEqual([expected, expected]);
    },
  );
});
