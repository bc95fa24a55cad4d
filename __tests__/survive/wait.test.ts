import { describe, expect, test } from "@jest/globals";
import type { Clock } from "../../src/clock.ts";
import { adaptiveDelayMs } from "../../src/deploy/look.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import {
  createFlow,
  createSeed,
  desiredOf,
  ID,
  liveOf,
  REPO,
  repohost,
  SLOW,
  type Flow,
} from "./flow.ts";
import { changingAnswers } from "./gateway.ts";

const MINUTE = 60_000;
const seed = createSeed();
const plain = desiredOf(repohost());
const changed = desiredOf(repohost({ graph: "other.json" }));

/** Another run's update, next to the one under test. */
async function somebodyPatches(flow: Flow, graph: string): Promise<string> {
  const sent = await flow.controlPlane.patchDeployment(
    liveOf(flow).id,
    { source_revision_config: { graph_config_path: graph } },
    "document",
  );
  return sent.state === "taken" ? sent.reply.latest_revision_id! : "";
}

describe("a plain run", () => {
  test("creates once, waits, and ends deployed, and a second run sends nothing", async () => {
    const flow = createFlow();
    const first = await flow.apply(plain);
    expect([first.outcome, first.message]).toEqual([
      "deployed",
      expect.stringContaining("is DEPLOYED and active"),
    ]);
    expect(liveOf(flow)).toMatchObject({ count: 1, revisions: 1, active: first.revision_id });
    flow.emulator.clearRequests();
    expect((await flow.apply(plain)).outcome).toBe("unchanged");
    expect(flow.calls().filter((call) => !call.startsWith("GET"))).toEqual([]);
  });
});

describe("a revision that is slow to show", () => {
  const lags = { latest: 8_000, revision: 15_000, active: 20_000, database: 12_000 };
  test.each([
    ["create", {}, plain],
    ["update", { seed }, changed],
  ] as const)(
    "is waited for in a %s while its id is null, it is 404, or the active one is late",
    async (_, more, desired) => {
      const flow = createFlow({ emulator: { lags, ...more } });
      const report = await flow.apply(desired);
      expect(report.outcome).toBe("deployed");
      expect(report.revision_id).toBe(liveOf(flow).active);
    },
  );
  test("of a redeploy is not confused with the previous one", async () => {
    const flow = createFlow({ emulator: { lags, seed } });
    const before = liveOf(flow).active;
    const report = await flow.redeploy(ID);
    expect(report.outcome).toBe("deployed");
    expect(report.revision_id).not.toBe(before);
    expect(liveOf(flow)).toMatchObject({ revisions: 2, active: report.revision_id });
  });
});

describe("a redeploy that keeps the revision's id", () => {
  test("does not succeed with the old DEPLOYED", async () => {
    const flow = createFlow({
      emulator: { seed, redeploy: "same-revision", lags: { stale: 25_000 } },
    });
    const report = await flow.redeploy(ID);
    expect(report.outcome).toBe("deployed");
    expect(flow.clock.monotonic()).toBeGreaterThan(25_000 + SLOW.phases.BUILDING);
    expect(flow.deployments()[0]!.revisions[0]!.runs.length).toBe(2);
  });
  test("that stays in its old status times out, and says so", async () => {
    const flow = createFlow({
      emulator: { seed, redeploy: "same-revision", lags: { stale: 24 * 60 * MINUTE } },
    });
    const report = await flow.redeploy(ID);
    expect([report.outcome, report.message]).toEqual([
      "timed-out",
      expect.stringMatching(/is still DEPLOYED, as before its redeploy, after 30 m/),
    ]);
  });
});

describe("somebody else's revision", () => {
  test("that is newer and active supersedes a skipped one of ours", async () => {
    let patched = false;
    const flow = createFlow({
      emulator: { seed, phases: { ...SLOW.phases, QUEUED: 30_000 } },
      onSend: (method, path, self) => {
        if (method !== "GET" || !/revisions/.test(path) || patched || liveOf(self).revisions < 2)
          return;
        patched = true;
        void somebodyPatches(self, "third.json");
      },
    });
    const report = await flow.apply(changed);
    expect([report.outcome, report.reason]).toEqual(["superseded", "SKIPPED"]);
  });
  test("that is newer and active supersedes ours in BUILDING", async () => {
    let [ours, theirs] = ["", ""];
    const flow = createFlow({
      emulator: { seed },
      onSend: (method, path, self) => {
        if (
          ours !== "" ||
          method !== "GET" ||
          !/revisions/.test(path) ||
          liveOf(self).revisions < 2
        )
          return;
        ours = liveOf(self).latest!;
        void somebodyPatches(self, "third.json").then((id) => {
          theirs = id;
        });
      },
      between: changingAnswers((answer, { url }) =>
        ours !== "" && url.endsWith(ours)
          ? { ...answer, text: answer.text.replace(/"status":"[A-Z_]+"/, '"status":"BUILDING"') }
          : answer,
      ),
    });
    const report = await flow.apply(changed);
    expect([report.outcome, report.reason, report.revision_id]).toEqual([
      "superseded",
      "superseded",
      ours,
    ]);
    expect(liveOf(flow).active).toBe(theirs);
    expect(report.message).toContain(theirs);
  });
  test.each([
    ["in progress", null, (before: string) => before],
    ["active", "the active one", () => null],
  ] as const)(
    "wait on a revision that is %s names the previous one only if that is known",
    async (_, given, expected) => {
      const flow = createFlow({ emulator: { seed } });
      const before = liveOf(flow).active!;
      if (given === null) await somebodyPatches(flow, "third.json");
      const report = await flow.wait(ID, given === null ? null : before);
      expect([report.outcome, report.previous_revision_id]).toEqual(["deployed", expected(before)]);
    },
  );
  test.each([
    ["that the service does not know", "99999999-9999-4999-8999-999999999999", 30_000],
    ["with an invalid or abbreviated id", "99999999", 100],
  ])("wait on a revision %s fails within 30 s", async (_, unknown, withinMs) => {
    for (const pollIntervalMs of [null, 60_000]) {
      const flow = createFlow({ emulator: { seed }, pollIntervalMs });
      const at = flow.clock.monotonic();
      const report = await flow.wait(ID, unknown);
      expect([report.outcome, report.reason, report.message]).toEqual([
        "failed",
        "not-found",
        expect.stringContaining("has no revision 99999999"),
      ]);
      expect(flow.clock.monotonic() - at).toBeLessThan(withinMs);
    }
  });
  test("wait on a replaced revision ends at once", async () => {
    const flow = createFlow({ emulator: { seed } });
    const old = liveOf(flow).active;
    await flow.apply(changed);
    const at = flow.clock.monotonic();
    const report = await flow.wait(ID, old);
    expect([report.outcome, report.reason, report.message]).toEqual([
      "superseded",
      "superseded",
      expect.stringContaining(`revision ${liveOf(flow).active} is active`),
    ]);
    expect(flow.clock.monotonic() - at).toBeLessThan(10_000);
  });
});

describe("statuses", () => {
  test.each(["create-failed", "build-failed", "deploy-failed"] as const)(
    "%s fails with the phase and the service's reason",
    async (outcome) => {
      const revisions = [{ outcome, status_message: "no such branch" }];
      const flow = createFlow({ emulator: { revisions } });
      const report = await flow.apply(plain);
      expect([report.outcome, report.reason]).toEqual([
        "failed",
        outcome.toUpperCase().replace("-", "_"),
      ]);
      expect(report.cause).toBe("no such branch");
    },
  );
  test("INTERRUPTED is waited for, and fails after 30 s", async () => {
    const on = createFlow({ emulator: { revisions: [{ outcome: "interrupted-resumes" }] } });
    expect((await on.apply(plain)).outcome).toBe("deployed");
    const off = createFlow({ emulator: { revisions: [{ outcome: "interrupted" }] } });
    const report = await off.apply(plain);
    expect([report.outcome, report.reason]).toEqual(["failed", "INTERRUPTED"]);
    expect(off.clock.monotonic()).toBeLessThan(47_000 + 30_000 + 10_000);
  });
  test("an unknown status, and UNKNOWN, are logged and waited for", async () => {
    const flow = createFlow({
      emulator: { revisions: [{ outcome: "new-status" }] },
      pollIntervalMs: 1_000,
    });
    expect((await flow.apply(plain)).outcome).toBe("deployed");
    expect(flow.lines.join("\n")).toMatch(
      /PULLING_IMAGE \(a status never seen before: still waiting\)/,
    );
    expect(
      (await createFlow({ emulator: { revisions: [{ outcome: "unknown-resumes" }] } }).apply(plain))
        .outcome,
    ).toBe("deployed");
  });
  test("the log has one line per status, and a sign of life at growing intervals", async () => {
    const flow = createFlow({ emulator: { phases: { ...SLOW.phases, BUILDING: 20 * MINUTE } } });
    await flow.apply(plain);
    const said = flow.lines.filter((line) => line.startsWith("agent: "));
    expect(said.filter((line) => /^agent: BUILDING/.test(line)).length).toBe(1);
    const still = said.filter((line) => /still BUILDING/.test(line));
    expect(still.length).toBeGreaterThan(3);
    expect(still.length).toBeLessThan(10);
  });
  test("the log counts from the start of the wait, not of the run", async () => {
    const flow = createFlow({ emulator: { phases: { ...SLOW.phases, BUILDING: 4 * MINUTE } } });
    const minutes = async (desired: typeof plain): Promise<string[]> => {
      flow.lines.length = 0;
      await flow.apply(desired);
      return flow.lines.flatMap((line) => /(?:QUEUED|DEPLOYED) after (?:\d+ m)?/.exec(line) ?? []);
    };
    const first = await minutes(plain);
    expect(first.at(-1)).toBe("DEPLOYED after 4 m");
    expect(await minutes(changed)).toEqual(first);
  });
  test("a wait of half a minute logs once how long revisions of the deployment usually take", async () => {
    const flow = createFlow({ emulator: { phases: { ...SLOW.phases, BUILDING: 4 * MINUTE } } });
    await flow.apply(plain);
    expect(flow.lines.join("\n")).not.toMatch(/usually/);
    await flow.apply(changed);
    const usual = flow.lines.filter((line) => /usually/.test(line));
    expect(usual).toEqual([expect.stringMatching(/^agent: usually takes 4 m( \d+ s)?$/)]);
    const at = (line: RegExp): number => flow.lines.findLastIndex((one) => line.test(one));
    expect(at(/usually/)).toBeGreaterThan(at(/BUILDING after 12 s/));
  });
});

describe("time", () => {
  test("the timeout applies to the queue and to the rest separately", async () => {
    const flow = createFlow({
      emulator: { phases: { ...SLOW.phases, QUEUED: 25 * MINUTE, BUILDING: 25 * MINUTE } },
    });
    expect((await flow.apply(plain)).outcome).toBe("deployed");
  });
  test.each([
    ["QUEUED", "in the queue"],
    ["BUILDING", "since it left the queue"],
  ])("a revision stuck in %s times out, with the command to wait again", async (at, words) => {
    const flow = createFlow({
      emulator: { revisions: [{ outcome: "stuck", at }] },
      policy: { timeoutMs: 10 * MINUTE },
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.message]).toEqual([
      "timed-out",
      expect.stringContaining(`${at} after 10 m ${words}; it may still become DEPLOYED`),
    ]);
    expect(report.next).toEqual([
      `agent-deploy wait --deployment-id ${report.id} --revision-id ${report.revision_id}`,
    ]);
    expect(flow.clock.monotonic()).toBeLessThan(10 * MINUTE + 10_000);
  });
  test("DEPLOYED that never becomes active times out, and reports which one is", async () => {
    const flow = createFlow({ emulator: { seed, lags: { active: 24 * 60 * MINUTE } } });
    const report = await flow.apply(changed);
    expect([report.outcome, report.message]).toEqual([
      "timed-out",
      expect.stringMatching(/is DEPLOYED, but revision \S+ is active after 30 m/),
    ]);
  });
  test("wait continues after a timeout, and finds what happened since", async () => {
    const flow = createFlow({
      emulator: { phases: { ...SLOW.phases, BUILDING: 20 * MINUTE } },
      policy: { timeoutMs: 5 * MINUTE },
    });
    const report = await flow.apply(plain);
    expect(report.outcome).toBe("timed-out");
    expect((await flow.wait(report.id!, report.revision_id)).outcome).toBe("deployed");
  });
  test("a push without a revision is reported as such", async () => {
    const live = {
      ...seed,
      deployments: [{ ...desiredOf(repohost({ push: true })).body, id: ID }],
    };
    const flow = createFlow({
      emulator: { seed: live },
      policy: { commit: "c".repeat(40) },
      run: { repositoryUrl: "https://git.example.com/acme/agents", ref: "refs/heads/main" },
      repository: {
        compare: async () => ({ relation: "ahead", files: null }),
        checkedOut: async () => null,
      },
    });
    const report = await flow.apply(desiredOf(repohost({ push: true })));
    expect([report.outcome, report.message]).toEqual([
      "timed-out",
      expect.stringContaining("the push of cccccccccccc made no revision"),
    ]);
    expect(flow.calls().filter((call) => !call.startsWith("GET"))).toEqual([]);
  });
  test("a push with a revision is waited for, and nothing is sent", async () => {
    const commit = "d".repeat(40);
    const live = {
      ...seed,
      deployments: [{ ...desiredOf(repohost({ push: true })).body, id: ID }],
    };
    let reads = 0;
    const flow = createFlow({
      emulator: { seed: live },
      policy: { commit },
      run: { repositoryUrl: "https://git.example.com/acme/agents", ref: "refs/heads/main" },
      repository: {
        compare: async () => ({ relation: "ahead", files: null }),
        checkedOut: async () => null,
      },
      onSend: (_, __, self) => {
        reads += 1;
        if (reads === 6) self.emulator.push({ repo_url: REPO, ref: "main", commit });
      },
    });
    const report = await flow.apply(desiredOf(repohost({ push: true })));
    expect([report.outcome, report.changed, liveOf(flow).revisions]).toEqual(["deployed", true, 2]);
    expect(report.revision_id).toBe(liveOf(flow).active);
  });
  test("a suspended runner looks once more before it times out", async () => {
    const manual = createManualClock({ auto: true });
    let slept = 0;
    const sleep: Clock["sleep"] = (ms, signal) => {
      slept += 1;
      return manual.sleep(slept === 12 ? 3 * 60 * MINUTE : ms, signal);
    };
    const flow = createFlow({ clock: { ...manual, sleep } as ManualClock });
    expect((await flow.apply(plain)).outcome).toBe("deployed");
  });
  test("jumps of the wall clock have no effect", async () => {
    let calls = 0;
    const flow = createFlow({
      onSend: (_, __, self) => {
        calls += 1;
        if (calls === 10) self.clock.jumpWall(5 * 60 * MINUTE);
        if (calls === 20) self.clock.jumpWall(-10 * 60 * MINUTE);
      },
    });
    expect((await flow.apply(plain)).outcome).toBe("deployed");
  });
});

describe("a service that cannot be read during a wait", () => {
  test.each([500, 502, 503, 429, 401, 403, 404])(
    "%d for ten minutes does not end the wait",
    async (status) => {
      const flow = createFlow({
        emulator: { seed, phases: { ...SLOW.phases, BUILDING: 12 * MINUTE } },
      });
      const start = flow.clock.monotonic();
      await somebodyPatches(flow, "other.json");
      flow.emulator.addFaults(
        ["GET /v2/deployments/{id}/revisions/{id}", "GET /v2/deployments/{id}"].map((route) => ({
          route,
          kind: "status",
          status,
          times: 0,
          nth: 4,
        })),
      );
      const pending = flow.wait(ID);
      void flow.clock.sleep(10 * MINUTE).then(() => {
        flow.emulator.clearFaults();
      });
      const report = await pending;
      expect([report.outcome, liveOf(flow).active === report.revision_id]).toEqual([
        "deployed",
        true,
      ]);
      expect(flow.clock.monotonic()).toBeLessThan(start + 14 * MINUTE);
    },
  );
  test("a deployment that is deleted ends the wait, if a list confirms it", async () => {
    for (const [lag, list, outcome, words] of [
      [60 * MINUTE, "served", "failed", "is being deleted"],
      [0, "served", "failed", "was deleted: it and revision"],
      [0, 404, "timed-out", "is not found (404): was it deleted?"],
    ] as const) {
      let reads = 0;
      const flow: Flow = createFlow({
        policy: { deploymentId: ID },
        emulator: { seed, list, lags: { delete: lag } },
        onSend: (method, __, self) => {
          reads += 1;
          if (reads === 12 && method === "GET")
            void self.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
        },
      });
      const report = await flow.apply(changed);
      expect([report.outcome, report.message]).toEqual([outcome, expect.stringContaining(words)]);
      expect(report.message).not.toContain("may still become DEPLOYED");
      if (list === "served") expect(flow.clock.monotonic()).toBeLessThan(3 * MINUTE);
    }
  });
});

test("a vanished revision causes an immediate read of its deployment", async () => {
  let deletedAt: number | null = null;
  const flow: Flow = createFlow({
    emulator: {
      seed,
      lags: { delete: 60 * MINUTE },
      phases: { ...SLOW.phases, BUILDING: 25 * MINUTE },
    },
    onSend: (method, __, self) => {
      if (deletedAt !== null || method !== "GET" || self.clock.monotonic() < 15 * MINUTE) return;
      deletedAt = self.clock.monotonic();
      self.emulator.addFaults([
        {
          route: "GET /v2/deployments/{id}/revisions/{id}",
          kind: "status",
          status: 404,
          times: 0,
        },
      ]);
      void self.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
    },
  });
  const report = await flow.apply(changed);
  expect([report.outcome, report.message]).toEqual([
    "failed",
    expect.stringContaining("is being deleted"),
  ]);
  expect(flow.clock.monotonic() - deletedAt!).toBeLessThan(40_000);
});

describe("the interval of looks", () => {
  test("costs less than 250 requests for half an hour, and finds the end within 20 s", async () => {
    const flow = createFlow({
      emulator: { seed, phases: { ...SLOW.phases, BUILDING: 29 * MINUTE } },
    });
    await flow.apply(changed);
    expect(flow.calls().length).toBeLessThan(250);
    expect(flow.clock.monotonic()).toBeLessThan(29 * MINUTE + 20_000 + 20_000);
  });
  test("stays fixed if given", async () => {
    const flow = createFlow({ pollIntervalMs: 7_000 });
    await flow.apply(plain);
    expect(new Set(flow.clock.slept)).toEqual(new Set([7_000]));
  });
  test("grows with the wait, and is short and constant in the last phases", () => {
    expect([
      adaptiveDelayMs(null, 0, 0),
      adaptiveDelayMs("QUEUED", 1_000, 1_000),
      adaptiveDelayMs("BUILDING", 0, 60_000),
      adaptiveDelayMs("BUILDING", 100_000, 110_000),
      adaptiveDelayMs("BUILDING", 3_600_000, 3_600_000),
      adaptiveDelayMs("DEPLOYING", 0, 60_000),
      adaptiveDelayMs("DEPLOYING", 3_600_000, 3_600_000),
    ]).toEqual([1_000, 5_500, 15_000, 16_000, 16_000, 6_000, 2_600]);
  });
});
