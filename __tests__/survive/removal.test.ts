import { describe, expect, test } from "@jest/globals";
import { removeDeployment } from "../../src/deploy/removal.ts";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { ServiceError, type WriteResult } from "../../src/service/control-plane.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { createBareRun } from "./bare-run.ts";
import { BRISK, createFlow, createSeed, ID, type Flow, type FlowOptions } from "./flow.ts";

const seed = createSeed();
const DELETE = "DELETE /v2/deployments/{id}";

function createSeeded(
  options: FlowOptions["emulator"],
  faults: readonly FaultRule[] = [],
  more: Partial<FlowOptions> = {},
): Flow {
  return createFlow({
    ...more,
    emulator: { ...BRISK, seed, lags: { delete: 5_000 }, faults, ...options },
  });
}
const deletes = (flow: Flow): number => flow.calls().filter((call) => call === DELETE).length;

describe("a delete", () => {
  test("is waited for until the deployment is gone", async () => {
    const flow = createSeeded({});
    const report = await flow.destroy(ID);
    expect([report.outcome, report.changed, flow.deployments().length, deletes(flow)]).toEqual([
      "updated",
      true,
      0,
      1,
    ]);
    expect(report.url).toBe("");
  });
  test("whose response was lost is checked, and not sent again if it was accepted", async () => {
    const flow = createSeeded({}, [{ route: DELETE, kind: "reset-after" }]);
    expect([(await flow.destroy(ID)).outcome, deletes(flow)]).toEqual(["updated", 1]);
  });
  test("that was not accepted is sent again, at most five times in all", async () => {
    const once = createSeeded({}, [{ route: DELETE, kind: "status", status: 503 }]);
    expect([(await once.destroy(ID)).outcome, deletes(once)]).toEqual(["updated", 2]);
    const never = createSeeded({}, [{ route: DELETE, kind: "status", status: 503, times: 0 }]);
    const report = await never.destroy(ID);
    expect([report.outcome, report.reason, report.changed, deletes(never)]).toEqual([
      "failed",
      "refused",
      false,
      5,
    ]);
    expect(report.message).toMatch(
      /tried 5 times, and each time a read showed that the service had not taken it/,
    );
  });
  test("that conflicts with another update is sent again once that update has ended", async () => {
    const flow = createSeeded({}, [{ route: DELETE, kind: "status", status: 409, times: 2 }]);
    expect([(await flow.destroy(ID)).outcome, deletes(flow)]).toEqual(["updated", 3]);
  });
  test("that can no longer be checked fails, with what is unknown", async () => {
    const flow = createSeeded({}, [
      { route: DELETE, kind: "reset-after" },
      { route: "GET /v2/deployments/{id}", kind: "status", status: 500, nth: 2, times: 0 },
    ]);
    const report = await flow.destroy(ID);
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "unknown",
      expect.stringMatching(/delete of agent: it is unknown whether the service took it/),
    ]);
    expect(report.next).toEqual([expect.stringMatching(/Run destroy again/)]);
  });
  test("continues to wait through an outage", async () => {
    const flow = createSeeded({ lags: { delete: 200_000 } }, [
      { route: "GET /v2/deployments/{id}", kind: "status", status: 503, nth: 3, times: 12 },
    ]);
    expect((await flow.destroy(ID)).outcome).toBe("updated");
  });
  test.each([404, 405, 501])(
    "of a service that cannot delete (%i) fails at once without a wait",
    async (status) => {
      const flow = createSeeded({}, [{ route: DELETE, kind: "status", status, times: 0 }]);
      const report = await flow.destroy(ID);
      expect([report.outcome, report.reason, report.changed, report.message]).toEqual([
        "failed",
        "no-delete",
        false,
        expect.stringContaining(`it answers ${status}`),
      ]);
      expect(flow.clock.monotonic()).toBeLessThan(5_000);
    },
  );
  test("of what is already gone succeeds", async () => {
    const flow = createSeeded({ lags: { delete: 0 } }, [], {
      onSend: (method, _, self) => {
        if (method === "DELETE") self.emulator.world.store.remove("deployments", ID);
      },
    });
    expect((await flow.destroy(ID)).outcome).toBe("updated");
  });
  test("that is cancelled reports that the deletion is in progress", async () => {
    const going = createSeeded({ lags: { delete: 60_000 } }, [], {
      onSend: (method, _, self) => {
        if (method === "DELETE")
          void self.clock.sleep(3_000).then(() => {
            self.abort.abort(new Error("SIGINT"));
          });
      },
    });
    const report = await going.destroy(ID);
    expect([report.outcome, report.id, report.message, report.next]).toEqual([
      "cancelled",
      ID,
      expect.stringContaining("is still being deleted"),
      [expect.stringContaining("Run destroy again")],
    ]);
  });
});

describe("the end of a delete", () => {
  const show = (status: string) =>
    toDeployment({ id: "d", name: "agent", status, url: "https://agent.example.com" });
  const GOING = "AWAITING_DELETE";
  const refused = (status: number): WriteResult<null> => ({
    state: "refused",
    status,
    error: new ServiceError(`refused ${status}`, { status }),
  });

  interface Removal {
    readonly status?: string;
    readonly deleteTraces?: boolean;
    readonly wait?: boolean;
    readonly answer?: WriteResult<null>;
    /** What reads show, one after the other, the last one for ever; null: 404. */
    readonly shows?: readonly (string | null)[];
    /** The request, from 1, at which the run is cancelled. */
    readonly cancelAt?: number;
    readonly timeoutMs?: number;
  }

  /** Deletes a deployment: the report, the deletes that were sent and when, and the log. */
  async function remove({
    status = "READY",
    deleteTraces = true,
    wait = true,
    answer = { state: "taken", reply: null },
    shows = [GOING, null],
    cancelAt,
    timeoutMs = 60_000,
  }: Removal) {
    let [requests, reads] = [0, 0];
    const sent: boolean[] = [];
    const sentAtMs: number[] = [];
    const step = () => {
      requests += 1;
      if (requests === cancelAt) bare.abort.abort(new Error("SIGINT"));
    };
    const bare = createBareRun({
      policy: { wait },
      service: {
        deleteDeployment: async (_, { deleteTracingProject }) => {
          step();
          sent.push(deleteTracingProject);
          sentAtMs.push(bare.clock.monotonic());
          return answer;
        },
        getDeployment: async () => {
          step();
          const now = shows[Math.min(reads, shows.length - 1)]!;
          reads += 1;
          return now === null ? null : show(now);
        },
      },
    });
    const options = { deleteTraces, timeoutMs };
    const report = await removeDeployment(bare.context, show(status), options);
    const { outcome, reason, message, next, changed, url } = report;
    return {
      end: [outcome, reason, message],
      next,
      changed,
      url,
      sent,
      sentAtMs,
      lines: bare.lines,
    };
  }

  test("with or without the traces, as requested", async () => {
    const all = await remove({});
    expect([all.end, all.sent, all.changed, all.url]).toEqual([
      ["updated", "", "deployment d and its tracing project were deleted"],
      [true],
      true,
      "",
    ]);
    expect(all.lines).toEqual([
      "agent: deleting deployment d and its tracing project with all traces (delete-traces: true)",
    ]);
    const kept = await remove({ deleteTraces: false });
    expect([kept.end, kept.sent]).toEqual([
      ["updated", "", "deployment d was deleted; its traces stay"],
      [false],
    ]);
    expect(kept.lines).toEqual([
      "agent: deleting deployment d; its traces stay (delete-traces: true deletes them too)",
    ]);
  });

  test("that somebody else started sends nothing", async () => {
    const { end, sent, changed, lines } = await remove({ status: GOING });
    expect([end, sent, changed, lines]).toEqual([
      ["unchanged", "", "deployment d was being deleted already, and is gone now"],
      [],
      false,
      ["deployment d is being deleted already: waiting until it is gone"],
    ]);
  });

  test.each([
    ["READY", "started", "deployment d is being deleted, and "],
    [GOING, "unchanged", "deployment d is being deleted already, and "],
  ])("without a wait, in status %s", async (status, outcome, words) => {
    const { end, url } = await remove({ status, wait: false });
    expect(end).toEqual([outcome, "", expect.stringMatching(`^${words}.* does not wait for it$`)]);
    expect(url).toBe("https://agent.example.com");
  });

  test.each([true, false])(
    "that is answered with 404 while the deployment exists means that the service cannot delete (wait: %s)",
    async (wait) => {
      const { end, changed } = await remove({ answer: refused(404), shows: ["READY"], wait });
      expect([end, changed]).toEqual([
        [
          "failed",
          "no-delete",
          "this service cannot delete deployments (it answers 404, and deployment d is there): delete d in its own page",
        ],
        false,
      ]);
    },
  );

  test.each([[[GOING, null]], [[null]]])(
    "that is answered with 404, while reads show %j, is a success",
    async (shows) => {
      expect((await remove({ answer: refused(404), shows })).end[0]).toBe("updated");
    },
  );

  test.each([
    [
      405,
      "no-delete",
      "this service cannot delete deployments (it answers 405): delete d in its own page",
    ],
    [
      501,
      "no-delete",
      "this service cannot delete deployments (it answers 501): delete d in its own page",
    ],
    [403, "refused", "refused 403"],
  ])("that is refused with %d", async (status, reason, message) => {
    expect((await remove({ answer: refused(status) })).end).toEqual(["failed", reason, message]);
  });

  test("that always conflicts with another update, at a steady pace up to the limit", async () => {
    const { end, sentAtMs } = await remove({ answer: refused(409), timeoutMs: 20_000 });
    expect(end).toEqual([
      "failed",
      "busy",
      "agent: another update is under way, and it did not end in 9 tries: refused 409",
    ]);
    expect(sentAtMs).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 18_000, 19_000, 19_500]);
  });

  test("that times out", async () => {
    const { end, next } = await remove({ shows: [GOING] });
    expect([end, next]).toEqual([
      ["timed-out", "timeout", "deployment d is still being deleted after 1 m"],
      ["Run destroy again: it waits until the deployment is gone"],
    ]);
  });

  test.each<[string, Removal, string]>([
    [
      "before its response",
      { cancelAt: 1, answer: { state: "unknown", error: new Error("502") } },
      "delete of agent: it is unknown whether the service took it (502)",
    ],
    [
      "after its response",
      { cancelAt: 2, shows: [GOING] },
      "cancelled: deployment d is still being deleted",
    ],
    [
      "while somebody else deletes it",
      { status: GOING, cancelAt: 1, shows: [GOING] },
      "cancelled: deployment d is still being deleted",
    ],
  ])("that is cancelled %s", async (_, removal, message) => {
    const { end } = await remove(removal);
    expect(end).toEqual(["cancelled", "signal", expect.stringContaining(message)]);
  });

  test("without a response succeeds if the deployment is being deleted or gone, and is sent again if it exists", async () => {
    const answer = { state: "unknown", error: new Error("502") } as const;
    for (const [shows, sends] of [
      [[GOING, null], 1],
      [[null], 1],
      [["READY", "READY", "READY", null], 2],
    ] as const)
      expect((await remove({ answer, shows })).sent).toHaveLength(sends);
  });
});
