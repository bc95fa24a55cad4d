import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { BRISK, createFlow, desiredOf, repohost, type Flow, type FlowOptions } from "./flow.ts";

const ID = "0b6f0000-0000-4000-8000-000000000001";
const seed = {
  integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
  deployments: [{ ...desiredOf(repohost()).body, id: ID }],
};
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
  test("whose answer was lost is read, and not sent again where it was taken", async () => {
    const flow = createSeeded({}, [{ route: DELETE, kind: "reset-after" }]);
    expect([(await flow.destroy(ID)).outcome, deletes(flow)]).toEqual(["updated", 1]);
  });
  test("that was not taken is sent again, at most five times in all", async () => {
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
  test("that can no longer be read is red, with what is unknown", async () => {
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
  test("goes on through an outage while it waits", async () => {
    const flow = createSeeded({ lags: { delete: 200_000 } }, [
      { route: "GET /v2/deployments/{id}", kind: "status", status: 503, nth: 3, times: 12 },
    ]);
    expect((await flow.destroy(ID)).outcome).toBe("updated");
  });
  test.each([404, 405, 501])(
    "of a service that cannot delete (%i) is said at once, and nothing is waited for",
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
  test("of what is gone already is done", async () => {
    const flow = createSeeded({ lags: { delete: 0 } }, [], {
      onSend: (method, _, self) => {
        if (method === "DELETE") self.emulator.world.store.remove("deployments", ID);
      },
    });
    expect((await flow.destroy(ID)).outcome).toBe("updated");
  });
  test("that is cancelled says what is under way", async () => {
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
