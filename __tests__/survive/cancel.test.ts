import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import {
  BRISK,
  createFlow,
  createSeed,
  desiredOf,
  liveOf,
  repohost,
  type Flow,
  type FlowOptions,
} from "./flow.ts";

const seed = createSeed();
const plain = desiredOf(repohost());
const changed = desiredOf(repohost({ graph: "other.json" }));

interface Cancelled {
  readonly report: DeploymentReport;
  readonly flow: Flow;
  readonly later: number;
}

/** Runs and cancels as the nth request leaves; counts the requests that left after it. */
async function cancelAt(
  nth: number,
  run: (flow: Flow) => Promise<DeploymentReport>,
  options: FlowOptions = {},
): Promise<Cancelled> {
  let sent = 0;
  const flow = createFlow({
    ...options,
    emulator: { ...BRISK, ...options.emulator },
    onSend: (_, __, self) => {
      sent += 1;
      if (sent === nth) self.abort.abort(new Error("cancelled by SIGINT"));
    },
  });
  return { report: await run(flow), flow, later: sent - nth };
}

const RUNS: Readonly<
  Record<string, readonly [(flow: Flow) => Promise<DeploymentReport>, FlowOptions]>
> = {
  create: [(flow) => flow.apply(plain), {}],
  update: [(flow) => flow.apply(changed), { emulator: { seed } }],
  "update that fails and rolls back": [
    (flow) => flow.apply(changed),
    {
      emulator: { seed, revisions: [{ outcome: "build-failed" }] },
      policy: { onFailure: "rollback" },
    },
  ],
};

describe.each(Object.keys(RUNS))("%s", (name) => {
  const [run, options] = RUNS[name]!;
  test("cancelled at any request sends no further request, and reports what it created", async () => {
    const whole = createFlow({ ...options, emulator: { ...BRISK, ...options.emulator } });
    await run(whole);
    const count = whole.calls().length;
    expect(count).toBeGreaterThan(5);
    for (let nth = 1; nth <= count; nth += 1) {
      const { report, flow, later } = await cancelAt(nth, run, options);
      const live = liveOf(flow);
      const place = `${name}, request ${nth} of ${count}: ${report.message}`;
      const ended =
        later === 0 && report.outcome !== "cancelled" ? "ended already" : report.outcome;
      expect([place, ended, later]).toEqual([
        place,
        ended === "ended already" ? ended : "cancelled",
        0,
      ]);
      const made = live.revisions > (name === "create" ? 0 : 1);
      if (!made || ended !== "cancelled") continue;
      expect([place, report.id, report.changed]).toEqual([place, live.id, true]);
      if (report.revision_status === "DEPLOYED") continue;
      const newest = report.rollback?.revision_id ?? report.revision_id;
      expect([place, report.message]).toEqual([
        place,
        expect.stringMatching(
          new RegExp(`revision ${newest} still building|cancelled before it was sent`),
        ),
      ]);
      if (/still building/.test(report.message))
        expect([place, report.next]).toEqual([
          place,
          expect.arrayContaining([
            `agent-deploy wait --deployment-id ${live.id} --revision-id ${newest}`,
          ]),
        ]);
    }
  });
});

describe("a write in progress at the cancel", () => {
  test.each([
    ["create", "POST", 0],
    ["update", "PATCH", 1],
  ] as const)("keeps a response that arrives in time: %s", async (name, method, before) => {
    const [run, options] = RUNS[name]!;
    const flow: Flow = createFlow({
      ...options,
      emulator: { ...BRISK, ...options.emulator },
      onSend: (sent, _, self) => {
        if (sent === method) self.abort.abort(new Error("SIGTERM"));
      },
    });
    const report = await run(flow);
    expect([report.outcome, report.id, report.revision_id]).toEqual([
      "cancelled",
      liveOf(flow).id,
      liveOf(flow).latest,
    ]);
    expect(liveOf(flow).revisions).toBe(before + 1);
  });
  test.each(["reset-before", "reset-after", "status"] as const)(
    "that ends in %s is reported as unknown, with how to find out",
    async (kind) => {
      for (const [name, method, route] of [
        ["create", "POST", "POST /v2/deployments"],
        ["update", "PATCH", "PATCH /v2/deployments/{id}"],
      ] as const) {
        const [run, options] = RUNS[name]!;
        const faults: FaultRule[] = [{ route, kind }];
        const flow: Flow = createFlow({
          ...options,
          emulator: { ...BRISK, ...options.emulator, faults },
          onSend: (sent, _, self) => {
            if (sent === method) self.abort.abort(new Error("SIGTERM"));
          },
        });
        const report = await run(flow);
        expect([report.outcome, report.message]).toEqual([
          "cancelled",
          expect.stringMatching(
            /it is unknown whether the service took it .* the run was cancelled before it could be read/,
          ),
        ]);
        expect(report.next[0]).toMatch(
          name === "create" ? /Look for a deployment named agent/ : /Run again/,
        );
      }
    },
  );
  test("a cancel during verify is not a failed verify", async () => {
    const flow: Flow = createFlow({
      policy: { verify: "true", onFailure: "rollback" },
      emulator: { ...BRISK, seed },
      shell: {
        run: async () => {
          flow.abort.abort(new Error("SIGINT"));
          return { exitCode: 143, tail: [] };
        },
      },
    });
    const report = await flow.apply(changed);
    expect([report.outcome, report.rollback, report.message]).toEqual([
      "cancelled",
      undefined,
      expect.stringContaining("was DEPLOYED, before the run had ended"),
    ]);
    // A wait would be green without it.
    expect(report.next).toEqual(["Run again: it checks and verifies what is live"]);
  });
  test("a cancel before a rollback is sent reports what is live, and how to roll back by hand", async () => {
    let hasFailed = false;
    const flow: Flow = createFlow({
      policy: { verify: "false", onFailure: "rollback", placeFlags: " --region eu" },
      emulator: { ...BRISK, seed },
      shell: {
        run: async () => {
          hasFailed = true;
          return { exitCode: 1, tail: [] };
        },
      },
      onSend: () => {
        if (hasFailed) flow.abort.abort(new Error("SIGINT"));
      },
    });
    const report = await flow.apply(changed);
    expect([report.outcome, report.rollback?.outcome]).toEqual(["cancelled", "cancelled"]);
    expect(report.message).toMatch(
      new RegExp(
        `before it was sent: revision ${report.revision_id}, which failed, is still live$`,
      ),
    );
    expect(report.next).toEqual([
      `agent-deploy rollback agent --to ${report.previous_revision_id} --region eu`,
    ]);
  });
});
