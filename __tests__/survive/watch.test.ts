import { describe, expect, test } from "@jest/globals";
import { byId } from "../../src/deploy/own-revision.ts";
import { ServiceError } from "../../src/service/control-plane.ts";
import { OURS, type Script, THEIRS, endOf, timesOf, waitThrough } from "./scripted-wait.ts";

describe("a revision that ends", () => {
  test("as DEPLOYED and active is deployed", async () => {
    const { end, tracker } = await waitThrough([
      [3_000, { status: "DEPLOYED" }],
      [5_000, { active: OURS }],
    ]);
    expect(end).toMatchObject({
      outcome: "deployed",
      message: `revision ${OURS} is active`,
      status: "DEPLOYED",
      revisionId: OURS,
      activeBefore: null,
    });
    expect(tracker).toMatchObject({ revision_id: OURS, revision_status: "DEPLOYED", cause: "" });
    // It was seen at these times, one second apart.
    const seen = tracker.timeline.map(({ status, atMs, seenMs }) => [status, seenMs! - atMs]);
    expect(seen).toEqual([
      ["QUEUED", 2_000],
      ["DEPLOYED", 2_000],
    ]);
  });

  test.each([
    ["CREATE_FAILED", " while it was created"],
    ["BUILD_FAILED", " in its build"],
    ["DEPLOY_FAILED", " while it was rolled out"],
    ["SCAN_FAILED", ""],
  ])("as %s is failed, with the service's message if there is one", async (status, where) => {
    const { end, tracker } = await waitThrough([[2_000, { status, status_message: "no branch" }]]);
    expect([end.outcome, end.reason, end.message, tracker.cause]).toEqual([
      "failed",
      status,
      `revision ${OURS} failed${where} (${status}): no branch`,
      "no branch",
    ]);
    expect(await endOf([[2_000, { status }]])).toEqual([
      "failed",
      status,
      `revision ${OURS} failed${where} (${status})`,
    ]);
  });

  test.each([
    [THEIRS, ": a newer one overtook it", THEIRS],
    [OURS, ", which names no newer one", undefined],
    [null, ", which names no newer one", undefined],
  ])(
    "as SKIPPED is superseded, by the latest one if that is another: %s",
    async (latest, why, by) => {
      const { end } = await waitThrough([[2_000, { status: "SKIPPED", latest }]]);
      expect(end).toMatchObject({
        outcome: "superseded",
        reason: "SKIPPED",
        message: `revision ${OURS} was skipped by the service${why}`,
        supersededBy: by,
        next: ["Run again: it compares the spec with what is live now"],
      });
    },
  );

  test("as INTERRUPTED is failed after 30 s in that status", async () => {
    const { end, tookMs } = await waitThrough([[2_000, { status: "INTERRUPTED" }]]);
    expect([end.outcome, end.reason, end.message, tookMs]).toEqual([
      "failed",
      "INTERRUPTED",
      `revision ${OURS} was interrupted and did not recover within 30 s`,
      32_000,
    ]);
    const resumed = [
      [2_000, { status: "INTERRUPTED" }],
      [31_500, { status: "BUILDING" }],
      [33_000, { status: "DEPLOYED", active: OURS }],
    ] as const;
    expect((await waitThrough(resumed)).end.outcome).toBe("deployed");
  });
});

describe("another active revision", () => {
  const newer = { active: THEIRS, otherSince: "2026-01-01T00:05:00Z" };

  test("that is newer supersedes ours, whether ours is DEPLOYED or not", async () => {
    expect(await endOf([[2_000, { status: "DEPLOYED", ...newer }]])).toEqual([
      "superseded",
      "superseded",
      `revision ${OURS} was built, but revision ${THEIRS} is active: somebody deployed on top of it`,
    ]);
    const { end, tookMs } = await waitThrough([[2_000, { status: "BUILDING", ...newer }]]);
    expect([end.outcome, end.reason, end.message, end.supersededBy]).toEqual([
      "superseded",
      "superseded",
      `revision ${THEIRS}, newer than revision ${OURS}, is active`,
      THEIRS,
    ]);
    // While ours is under way, the deployment is read 5 s after the start at the earliest.
    expect(tookMs).toBe(5_000);
  });

  test("that is older counts as the previous one, once ours is active", async () => {
    const { end } = await waitThrough([
      [2_000, { status: "DEPLOYED", active: THEIRS }],
      [4_000, { active: OURS }],
    ]);
    expect([end.outcome, end.activeBefore]).toEqual(["deployed", THEIRS]);
  });
});

describe("a deployment that disappears while its revision is in progress", () => {
  test.each([
    ["BUILDING", 5_000],
    ["DEPLOYED", 2_000],
  ])("fails if it is being deleted, with the revision %s", async (status, tookMs) => {
    const going = await waitThrough([[2_000, { status, deployment: "AWAITING_DELETE" }]]);
    expect([going.end.outcome, going.end.reason, going.end.message, going.tookMs]).toEqual([
      "failed",
      "deleting",
      `deployment d is being deleted, and revision ${OURS} with it`,
      tookMs,
    ]);
  });

  test("fails if it is being deleted before its revision was named", async () => {
    expect(
      await endOf(
        [
          [0, { latest: null }],
          [3_000, { deployment: "AWAITING_DELETE" }],
        ],
        {
          own: byId(null, null),
        },
      ),
    ).toEqual([
      "failed",
      "deleting",
      "deployment d is being deleted, and revision (not named yet) with it",
    ]);
  });

  test("fails after 20 s if the list does not show it either", async () => {
    const gone = { status: null, deployment: null };
    const { end, tookMs } = await waitThrough([[3_000, { ...gone, listed: false }]]);
    expect([end.outcome, end.reason, end.message, end.next, tookMs]).toEqual([
      "failed",
      "gone",
      `deployment d was deleted: it and revision ${OURS} answer 404, and the list does not show it`,
      ["Run again: it creates a new deployment"],
      23_000,
    ]);
    const shown = await waitThrough([
      [3_000, { ...gone }],
      [30_000, { listed: false }],
    ]);
    // The list showed it after 20 s, so another 20 s pass.
    expect([shown.end.reason, shown.tookMs]).toEqual(["gone", 44_000]);
    const back = await waitThrough([
      [3_000, { ...gone, listed: false }],
      [15_000, { status: "BUILDING", deployment: "READY" }],
      [20_000, { ...gone }],
      [35_000, { status: "DEPLOYED", deployment: "READY", active: OURS }],
    ]);
    expect(back.end.outcome).toBe("deployed");
  });

  test("fails after the same time if its revision was not named yet", async () => {
    const script = [[0, { deployment: null, listed: false }]] as const;
    const { end, tookMs } = await waitThrough(script, { own: byId(null, null) });
    expect([end.reason, end.message, tookMs]).toEqual([
      "gone",
      "deployment d was deleted: it and revision (not named yet) answer 404, and the list does not show it",
      20_000,
    ]);
  });

  test("is read at once if its revision disappears, but not if that cannot be read", async () => {
    const deleted = { deployment: "AWAITING_DELETE" };
    const gone = await waitThrough([[10_000, { status: null, ...deleted }]]);
    expect([gone.end.reason, gone.tookMs]).toEqual(["deleting", 10_000]);
    const unread = await waitThrough([[10_000, { status: new Error("503"), ...deleted }]]);
    expect([unread.end.reason, unread.tookMs]).toEqual(["deleting", 17_000]);
  });

  test("fails 20 s after its first read if its revision was not seen yet", async () => {
    const gone = { status: null, deployment: null, listed: false };
    const { end, tookMs } = await waitThrough([[0, gone]]);
    expect([end.reason, tookMs]).toEqual(["gone", 25_000]);
  });

  test("is not gone if it cannot be read, or if only the revision is a 404", async () => {
    for (const hidden of [{ status: null, deployment: new Error("503") }, { status: null }])
      expect(
        (
          await waitThrough([
            [3_000, { ...hidden, listed: false }],
            [60_000, { status: "DEPLOYED", deployment: "READY", active: OURS }],
          ])
        ).end.outcome,
      ).toBe("deployed");
  });
});

describe("a given revision that the service does not know", () => {
  const given = byId(OURS, null, "given");
  test("fails after 20 s, with a look at least every 5 s", async () => {
    for (const [pollMs, looks] of [
      [1_000, 21],
      [60_000, 5],
    ] as const) {
      const { end, reads, tookMs } = await waitThrough([[0, { status: null }]], {
        own: given,
        pollMs,
      });
      expect([end.outcome, end.reason, end.message, end.next, tookMs]).toEqual([
        "failed",
        "not-found",
        `deployment d has no revision ${OURS} (asked for 20 s)`,
        ["Check revision-id: it has to be a revision of this deployment"],
        20_000,
      ]);
      expect(timesOf(reads, "revision")).toHaveLength(looks);
    }
  });

  test("fails at once with an invalid id, but a valid one that a service refuses is read again", async () => {
    const status = new ServiceError("not a uuid", { status: 422, ownWords: true });
    const service = [[0, { status }]] as const;
    expect((await waitThrough(service, { own: given })).tookMs).toBe(20_000);
    const { end, tookMs } = await waitThrough(service, { own: byId("main", null, "given") });
    expect([end.reason, end.message, tookMs]).toEqual([
      "not-found",
      "deployment d has no revision main (that is not an id)",
      0,
    ]);
    const missing = await waitThrough([[0, { status: null }]], {
      own: byId("main", null, "given"),
    });
    expect(missing.tookMs).toBe(20_000);
  });

  test("fails by the time since the first response, which restarts once it was seen", async () => {
    const { end, tookMs } = await waitThrough(
      [
        [0, { status: new Error("503") }],
        [10_000, { status: null }],
        [25_000, { status: new Error("503") }],
        [26_000, { status: null }],
      ],
      { own: given },
    );
    expect([end.reason, tookMs]).toEqual(["not-found", 46_000]);
    const seen = await waitThrough(
      [
        [2_000, { status: null }],
        [60_000, { status: "DEPLOYED", active: OURS }],
      ],
      { own: given },
    );
    expect(seen.end.outcome).toBe("deployed");
  });

  test.each([OURS, "r-1"])("is waited for if a reply named it: %s", async (id) => {
    const script: Script = [
      [0, { status: null }],
      [60_000, { status: "DEPLOYED", active: id }],
    ];
    expect((await waitThrough(script, { own: byId(id, null) })).end.outcome).toBe("deployed");
  });
});
