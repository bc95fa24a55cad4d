import { describe, expect, test } from "@jest/globals";
import { byId, type OwnReads, redeployedOf } from "../../src/deploy/own-revision.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import {
  BEFORE,
  CREATED_AT,
  OURS,
  type Script,
  endOf,
  timesOf,
  waitThrough,
} from "./scripted-wait.ts";

describe("a wait that times out", () => {
  const late = { timeoutMs: 60_000 };
  const DOWN = new Error("503");
  const MAY = "; it may still become DEPLOYED";
  const AT_LAST = ". The status could not be read at last: ";
  const queue = "after 1 m in the queue";
  const left = "after 1 m since it left the queue";

  test.each<[string, Script, string]>([
    ["in the queue", [], `is QUEUED ${queue}${MAY}`],
    ["in its build", [[5_000, { status: "BUILDING" }]], `is BUILDING ${left}${MAY}`],
    ["never visible", [[0, { status: null }]], `is not visible ${queue}${MAY}`],
    [
      "never readable",
      [[0, { status: DOWN, deployment: DOWN }]],
      `is not visible ${queue}${MAY}${AT_LAST}503`,
    ],
    [
      "gone, as far as an unreadable list shows",
      [[5_000, { status: null, deployment: null, listed: DOWN }]],
      `is QUEUED ${queue}${AT_LAST}deployment d is not found (404): was it deleted?`,
    ],
    [
      "DEPLOYED, with the previous one active",
      [[0, { status: "DEPLOYED" }]],
      `is DEPLOYED, but revision ${BEFORE} is active ${left}`,
    ],
    [
      "DEPLOYED, with none active",
      [[0, { status: "DEPLOYED", active: null }]],
      `is DEPLOYED, but no revision is active ${left}`,
    ],
    [
      "DEPLOYED, with an unreadable deployment",
      [[0, { status: "DEPLOYED", deployment: DOWN }]],
      `is DEPLOYED, but whether it is active could not be read in time, ${left}`,
    ],
    [
      "DEPLOYED after the last reading of its deployment",
      [
        [30_000, { status: "BUILDING" }],
        [40_000, { status: "DEPLOYED", deployment: DOWN }],
      ],
      `is DEPLOYED, but whether it is active could not be read in time, ${left}`,
    ],
    [
      "active, but unreadable",
      [[0, { status: DOWN, active: OURS }]],
      `is active, but its status could not be read after 1 m${AT_LAST}503`,
    ],
    [
      "active, but in its build",
      [[0, { status: "BUILDING", active: OURS }]],
      `is active, but its status was still BUILDING ${left}`,
    ],
    [
      "active, but in the queue",
      [[0, { active: OURS }]],
      "is active, but its status was still QUEUED after 1 m",
    ],
  ])("reports what it saw: %s", async (_, script, message) => {
    expect(await endOf(script, late)).toEqual([
      "timed-out",
      "timeout",
      `revision ${OURS} ${message}`,
    ]);
  });

  test("reports that no revision was named, or what the push did", async () => {
    const unnamed: Script = [[0, { latest: null }]];
    const own = byId(null, null);
    expect((await endOf(unnamed, { ...late, own }))[2]).toBe(
      "the service named no new revision of deployment d (after 1 m)",
    );
    const pushed = { ...own, neverNamed: "the push made no revision" };
    expect((await endOf(unnamed, { ...late, own: pushed }))[2]).toBe(
      "the push made no revision (after 1 m)",
    );
    expect((await endOf([[0, { deployment: DOWN }]], { ...late, own }))[2]).toBe(
      `the service named no new revision of deployment d (after 1 m)${AT_LAST}503`,
    );
  });

  test("knows what was serving at the last read, and no cause", async () => {
    const { tracker } = await waitThrough([[5_000, { status_message: "slow" }]], late);
    expect([tracker.serving, tracker.cause, tracker.untilMs]).toEqual([
      { revision_id: BEFORE, version: null },
      "",
      60_000,
    ]);
    const deployed = await waitThrough([[0, { status: "DEPLOYED", active: OURS }]], late);
    expect(deployed.tracker.serving).toBeUndefined();
  });

  test("looks 2 s before the limit, then after each half of the rest, and once at the deployment", async () => {
    const { reads, tookMs } = await waitThrough([], { ...late, pollMs: 50_000 });
    expect(timesOf(reads, "revision").slice(0, 5)).toEqual([0, 50_000, 58_000, 59_000, 59_500]);
    expect(timesOf(reads, "deployment")).toEqual([50_000, 58_000]);
    expect(tookMs).toBeLessThanOrEqual(60_000);
  });

  test("has its last looks even if the deployment does not answer", async () => {
    const { reads, tookMs } = await waitThrough([[0, { slow: { deployment: 90_000 } }]], late);
    expect(timesOf(reads, "deployment")[0]).toBe(5_000);
    expect(timesOf(reads, "revision").slice(5)).toEqual([
      5_000, 59_000, 59_750, 59_937.5, 59_984.375,
    ]);
    expect(tookMs).toBeLessThanOrEqual(60_000);
  });

  test("gives all the remaining time to the deciding read", async () => {
    const { end, tookMs } = await waitThrough(
      [[57_000, { status: "DEPLOYED", active: OURS, slow: { deployment: 2_500 } }]],
      { ...late, own: byId(OURS, null) },
    );
    expect([end.outcome, tookMs]).toEqual(["deployed", 59_500]);
  });

  test("logs nothing after the limit", async () => {
    const { lines } = await waitThrough([[29_000, { slow: { revision: 900 } }]], {
      timeoutMs: 30_010,
    });
    expect(lines).toEqual([`agent: revision ${OURS} of deployment d`, "agent: QUEUED after 0 s"]);
  });

  test("counts the time from leaving the queue, which has the same limit", async () => {
    const { end, tookMs } = await waitThrough(
      [
        [50_000, { status: "AWAITING_BUILD" }],
        [109_000, { status: "DEPLOYED", active: OURS }],
      ],
      late,
    );
    expect([end.outcome, tookMs]).toEqual(["deployed", 109_000]);
  });
});

describe("a redeploy under the same revision id", () => {
  const model = toRevision({
    id: OURS,
    status: "DEPLOYED",
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
  });
  const live = toDeployment({
    id: "d",
    name: "agent",
    active_revision_id: OURS,
    latest_revision_id: OURS,
  });
  const own = redeployedOf(live, live, model, OURS);
  const before = { status: "DEPLOYED", active: OURS };

  test("that has not begun times out, and reports the old status", async () => {
    const { end, lines } = await waitThrough([[0, before]], { own, timeoutMs: 60_000 });
    expect([end.outcome, end.message, end.unmoved]).toEqual([
      "timed-out",
      `revision ${OURS} is still DEPLOYED, as before its redeploy, after 1 m in the queue`,
      model,
    ]);
    expect(lines).toContain("agent: still DEPLOYED, as before the redeploy after 30 s");
  });

  test("that is not visible is reported with the old status only under the same id", async () => {
    const naming = (id: string) => toDeployment({ id: "d", name: "agent", latest_revision_id: id });
    const hidden: Script = [[0, { status: null, active: BEFORE }]];
    const same = await waitThrough(hidden, { own, timeoutMs: 60_000 });
    expect(same.end.message).toContain("is still DEPLOYED, as before its redeploy");
    const another = redeployedOf(naming(BEFORE), naming(OURS), { ...model, id: BEFORE }, BEFORE);
    const other = await waitThrough(hidden, { own: another, timeoutMs: 60_000 });
    expect(other.end.message).toContain("is not visible");
    for (const [named, words] of [
      [OURS, "is still DEPLOYED, as before its redeploy"],
      ["r9", "is not visible"],
    ] as const) {
      const late = { ...own, id: null, find: () => named };
      const { end } = await waitThrough(hidden, { own: late, timeoutMs: 60_000 });
      expect(end.message).toContain(`revision ${named} ${words}`);
    }
  });

  test("is deployed once it shows another time", async () => {
    const { end, tookMs } = await waitThrough(
      [
        [0, before],
        [7_000, { updated_at: "2026-01-02T00:00:00Z" }],
      ],
      { own },
    );
    expect([end.outcome, end.unmoved, tookMs]).toEqual(["deployed", undefined, 7_000]);
  });
});

describe("the log of a wait", () => {
  const done: Script = [[200_000, { status: "DEPLOYED", active: OURS }]];
  const usual = (lines: readonly string[]) => lines.filter((line) => line.includes("usually"));

  test("names the revision, each status once, and what it waits for at growing intervals", async () => {
    const { lines } = await waitThrough([[10_000, { status: "BUILDING" }], ...done], {
      own: byId(OURS, null),
      startMs: 5_000,
    });
    expect(lines).toEqual([
      `agent: revision ${OURS} of deployment d`,
      "agent: QUEUED after 0 s",
      "agent: BUILDING after 10 s",
      "agent: still BUILDING after 40 s",
      "agent: still BUILDING after 1 m 40 s",
      "agent: DEPLOYED after 3 m 20 s",
    ]);
  });

  test("says at least every five minutes that it is still waiting", async () => {
    const { lines } = await waitThrough(
      [
        [10_000, { status: "BUILDING" }],
        [1_200_000, { status: "DEPLOYED", active: OURS }],
      ],
      { own: byId(OURS, null), timeoutMs: 3_600_000 },
    );
    expect(lines.filter((line) => line.includes("still"))).toEqual(
      ["40 s", "1 m 40 s", "3 m 40 s", "7 m 40 s", "12 m 40 s", "17 m 40 s"].map(
        (after) => `agent: still BUILDING after ${after}`,
      ),
    );
  });

  test("says what is missing before a status is seen", async () => {
    const unnamed = await waitThrough(
      [
        [0, { latest: null }],
        [45_000, { latest: OURS, status: null }],
        [90_000, { status: "DEPLOYED", active: OURS }],
      ],
      {
        own: byId(null, null),
      },
    );
    expect(unnamed.lines).toEqual([
      "agent: still waiting for the service to name the revision after 30 s",
      `agent: revision ${OURS} of deployment d`,
      "agent: DEPLOYED after 1 m 30 s",
    ]);
    const unseen = await waitThrough([
      [0, { status: null }],
      [45_000, { status: "DEPLOYED", active: OURS }],
    ]);
    expect(unseen.lines[1]).toBe("agent: still waiting for the revision to appear after 30 s");
  });

  test("gives after 30 s the median time of the revisions that were deployed within the limit", async () => {
    const newest = [
      [OURS, "DEPLOYED", 5],
      ["r2", "DEPLOYED", 90],
      ["r3", "BUILD_FAILED", 4],
      ["r4", "DEPLOYED", 300],
      ["r5", "DEPLOYED", 60],
      ["r6", "DEPLOYED", 600],
      ["r7", "DEPLOYED", 500],
    ] as const;
    const { lines, reads } = await waitThrough(done, { newest, startMs: 5_000 });
    expect(usual(lines)).toEqual(["agent: usually takes 1 m 30 s"]);
    expect(timesOf(reads, "revisions")).toEqual([30_000]);
    const longer = await waitThrough(done, { newest, timeoutMs: 600_001 });
    expect(usual(longer.lines)).toEqual(["agent: usually takes 5 m"]);
    expect(usual((await waitThrough(done, { newest: new Error("503") })).lines)).toEqual([]);
    for (const [revisions, answers] of [
      [1_999, 1],
      [2_000, 0],
    ] as const) {
      const slow = await waitThrough([[0, { slow: { revisions } }], ...done], { newest });
      expect(usual(slow.lines)).toHaveLength(answers);
    }
  });

  test("requests no usual time if nothing was active before, or the wait is short", async () => {
    const first = await waitThrough(done, { own: byId(OURS, null) });
    const short = await waitThrough([[30_000, { status: "DEPLOYED", active: OURS }]]);
    for (const { reads } of [first, short]) expect(timesOf(reads, "revisions")).toEqual([]);
  });
});

describe("a wait with a live display", () => {
  const script: Script = [
    [1_000, { status: "PULLING" }],
    [2_000, { status: "BUILDING" }],
    [200_000, { status: "DEPLOYED", active: OURS }],
  ];
  const NEW = "(a status never seen before: still waiting)";

  test("shows each status there, and logs only new statuses and the end", async () => {
    const shown: unknown[] = [];
    const status = (name: string, now: string | null) => shown.push(`${name} ${now}`);
    const { lines } = await waitThrough(script, { live: { status, log: () => undefined } });
    expect(shown).toEqual(
      ["", "QUEUED", "PULLING", "BUILDING", "DEPLOYED", null].map((one) => `agent ${one}`),
    );
    expect(lines).toEqual([`agent: PULLING ${NEW} after 1 s`, "agent: DEPLOYED after 3 m 20 s"]);
  });

  test("that only shows logs prints each status as a line", async () => {
    const { lines } = await waitThrough(script, { live: { log: () => undefined } });
    expect(lines.slice(0, 4)).toEqual([
      `agent: revision ${OURS} of deployment d`,
      "agent: QUEUED after 0 s",
      `agent: PULLING ${NEW} after 1 s`,
      "agent: BUILDING after 2 s",
    ]);
  });
});

describe("a wait passes on", () => {
  test("to the interval: the status, the time in it and the time of the wait", async () => {
    const asked: unknown[] = [];
    const script: Script = [
      [3_000, { status: "BUILDING" }],
      [5_000, { status: "DEPLOYED", active: OURS }],
    ];
    await waitThrough(script, {
      startMs: 5_000,
      pollMs: (...given) => {
        asked.push(given);
        return 1_000;
      },
    });
    expect(asked).toEqual([
      ["QUEUED", 0, 0],
      ["QUEUED", 1_000, 1_000],
      ["QUEUED", 2_000, 2_000],
      ["BUILDING", 0, 3_000],
      ["BUILDING", 1_000, 4_000],
    ]);
  });

  test("at least 10 ms between looks", async () => {
    const { reads } = await waitThrough([[30, { status: "DEPLOYED", active: OURS }]], {
      pollMs: 0,
    });
    expect(timesOf(reads, "revision")).toEqual([0, 10, 20, 30]);
  });

  test("to the search for a revision: how much of the limit has passed", async () => {
    const passed: unknown[] = [];
    const find = (_: unknown, reads: OwnReads) => {
      passed.push(reads.passed());
      return passed.length < 3 ? null : OURS;
    };
    await waitThrough([[0, { status: "DEPLOYED", active: OURS }]], {
      startMs: 5_000,
      timeoutMs: 10_000,
      own: { ...byId(null, null), find },
    });
    expect(passed).toEqual([
      { ms: 0, share: 0 },
      { ms: 1_000, share: 0.1 },
      { ms: 2_000, share: 0.2 },
    ]);
  });

  test.each([
    ["pushed", true],
    ["written", false],
  ] as const)(
    "for a found revision that was %s: whether the run has changed anything",
    async (kind, changed) => {
      const { tracker } = await waitThrough([[0, { status: "DEPLOYED", active: OURS }]], {
        own: { ...byId(null, null), kind },
      });
      expect([tracker.revision_id, tracker.changed]).toEqual([OURS, changed]);
    },
  );
});
