import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import {
  DEFAULT_PHASES,
  OUTCOMES,
  statusAt,
  toRun,
  toTimelines,
  type Timed,
} from "../../src/emulator/deployments/revision.ts";
import { createStore } from "../../src/emulator/state/store.ts";
import { momentOf } from "../../src/emulator/deployments/readback.ts";
import { container, open, repohost } from "./client.ts";
import { fetchFrom } from "../support/emulator-fetch.ts";

interface Driven {
  readonly emulator: Emulator;
  readonly call: (method: string, path: string, body?: unknown) => Promise<any>;
}

function drive(options: EmulatorOptions = {}): Driven {
  const emulator = createEmulator({ clock: { manual: true }, ...options });
  return {
    emulator,
    call: async (method, path, body) => {
      const response = await fetchFrom(
        emulator,
        new Request(`http://emulator${path}`, {
          method,
          headers: { "x-api-key": "k" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      return response.status === 204 ? undefined : response.json();
    },
  };
}

/** Statuses of a revision, each once, while time passes in steps of 5 ms. */
async function watch(
  { emulator, call }: Driven,
  id: string,
  revision: string,
  forMs = 500,
): Promise<string[]> {
  const seen: string[] = [];
  for (let ms = 0; ms <= forMs; ms += 5) {
    const { status } = await call("GET", `/v2/deployments/${id}/revisions/${revision}`);
    if (seen.at(-1) !== status) seen.push(status);
    emulator.advance(5);
  }
  return seen;
}

describe("a revision", () => {
  test.each([
    ["create-failed", ["CREATING", "CREATE_FAILED"]],
    ["build-failed", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "BUILD_FAILED"]],
    [
      "deploy-failed",
      [
        "CREATING",
        "QUEUED",
        "AWAITING_BUILD",
        "BUILDING",
        "AWAITING_DEPLOY",
        "DEPLOYING",
        "DEPLOY_FAILED",
      ],
    ],
    ["skipped", ["CREATING", "QUEUED", "SKIPPED"]],
    ["interrupted", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "INTERRUPTED"]],
    [
      "interrupted-resumes",
      [
        "CREATING",
        "QUEUED",
        "AWAITING_BUILD",
        "BUILDING",
        "AWAITING_DEPLOY",
        "INTERRUPTED",
        "DEPLOYING",
        "DEPLOYED",
      ],
    ],
    [
      "unknown-resumes",
      [
        "CREATING",
        "QUEUED",
        "AWAITING_BUILD",
        "BUILDING",
        "AWAITING_DEPLOY",
        "UNKNOWN",
        "DEPLOYING",
        "DEPLOYED",
      ],
    ],
    [
      "new-status",
      [
        "CREATING",
        "QUEUED",
        "AWAITING_BUILD",
        "BUILDING",
        "AWAITING_DEPLOY",
        "PULLING_IMAGE",
        "DEPLOYING",
        "DEPLOYED",
      ],
    ],
    ["stuck", ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING"]],
  ] as const)(
    "whose outcome is %s goes exactly through its statuses",
    async (outcome, statuses) => {
      const driven = drive({ revisions: [{ outcome, status_message: "because" }] });
      const made = await driven.call("POST", "/v2/deployments", repohost());
      expect(await watch(driven, made.id, made.latest_revision_id)).toEqual(statuses);
      const live = await driven.call("GET", `/v2/deployments/${made.id}`);
      expect(live.active_revision_id).toBe(
        statuses.at(-1) === "DEPLOYED" ? made.latest_revision_id : null,
      );
      expect(live.status).toBe("READY");
    },
  );

  test("of a prebuilt image is not built", async () => {
    const driven = drive();
    const made = await driven.call("POST", "/v2/deployments", container());
    expect(await watch(driven, made.id, made.latest_revision_id)).toEqual([
      "CREATING",
      "QUEUED",
      "AWAITING_DEPLOY",
      "DEPLOYING",
      "DEPLOYED",
    ]);
  });

  test("waits while another one runs, and is skipped if a newer one overtakes it", async () => {
    const driven = drive();
    const made = await driven.call("POST", "/v2/deployments", repohost());
    driven.emulator.advance(30);
    const second = await driven.call("PATCH", `/v2/deployments/${made.id}`, {
      source_revision_config: { repo_ref: "main" },
    });
    driven.emulator.advance(50);
    const third = await driven.call("PATCH", `/v2/deployments/${made.id}`, {
      secrets: [{ name: "A", value: "a" }],
    });
    expect(third.active_revision_id).toBeNull();
    driven.emulator.advance(1000);
    const { resources } = await driven.call("GET", `/v2/deployments/${made.id}/revisions`);
    expect(resources.map((one: any) => [one.id, one.status])).toEqual([
      [third.latest_revision_id, "DEPLOYED"],
      [second.latest_revision_id, "SKIPPED"],
      [made.latest_revision_id, "DEPLOYED"],
    ]);
    expect((await driven.call("GET", `/v2/deployments/${made.id}`)).active_revision_id).toBe(
      third.latest_revision_id,
    );
  });

  test("that is stuck keeps later ones queued until it is interrupted", async () => {
    const driven = drive({ revisions: [{ outcome: "stuck" }] });
    const made = await driven.call("POST", "/v2/deployments", repohost());
    driven.emulator.advance(30);
    const next = await driven.call("PATCH", `/v2/deployments/${made.id}`, {
      source_revision_config: { repo_ref: "fix" },
    });
    driven.emulator.advance(100_000);
    const at = `/v2/deployments/${made.id}/revisions`;
    expect((await driven.call("GET", `${at}/${next.latest_revision_id}`)).status).toBe("QUEUED");
    expect((await driven.call("POST", `${at}/${made.latest_revision_id}/interrupt`)).status).toBe(
      "INTERRUPTED",
    );
    expect(await watch(driven, made.id, next.latest_revision_id)).toEqual([
      "QUEUED",
      "AWAITING_BUILD",
      "BUILDING",
      "AWAITING_DEPLOY",
      "DEPLOYING",
      "DEPLOYED",
    ]);
  });

  test("keeps the previous one active while a newer one builds or fails", async () => {
    const driven = drive({ revisions: [{ revision: 2, outcome: "build-failed" }] });
    const made = await driven.call("POST", "/v2/deployments", repohost());
    driven.emulator.advance(1000);
    const failed = await driven.call("PATCH", `/v2/deployments/${made.id}`, {
      source_revision_config: { repo_ref: "broken" },
    });
    driven.emulator.advance(1000);
    const live = await driven.call("GET", `/v2/deployments/${made.id}`);
    expect([live.latest_revision_id, live.active_revision_id]).toEqual([
      failed.latest_revision_id,
      made.latest_revision_id,
    ]);
    expect(live.source_revision_config.repo_ref).toBe("broken");
  });

  test("is redeployed as a new one, or again under its id while it stays active", async () => {
    for (const redeploy of ["new-revision", "same-revision"] as const) {
      const driven = drive({ redeploy, lags: { stale: 10 } });
      const made = await driven.call("POST", "/v2/deployments", repohost());
      driven.emulator.advance(1000);
      const before = await driven.call(
        "GET",
        `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}`,
      );
      const again = await driven.call(
        "POST",
        `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}/redeploy`,
      );
      expect(again.latest_revision_id === made.latest_revision_id).toBe(
        redeploy === "same-revision",
      );
      expect(again.active_revision_id).toBe(made.latest_revision_id);
      const seen = await watch(driven, made.id, again.latest_revision_id);
      expect(seen).toEqual([
        redeploy === "same-revision" ? "DEPLOYED" : "CREATING",
        "QUEUED",
        "AWAITING_BUILD",
        "BUILDING",
        "AWAITING_DEPLOY",
        "DEPLOYING",
        "DEPLOYED",
      ]);
      const after = await driven.call(
        "GET",
        `/v2/deployments/${made.id}/revisions/${again.latest_revision_id}`,
      );
      expect(after.updated_at > before.updated_at).toBe(true);
    }
  });

  test("can be named late, found late and become active late", async () => {
    const driven = drive({ lags: { latest: 15, revision: 30, active: 40 } });
    const made = await driven.call("POST", "/v2/deployments", repohost());
    expect(made.latest_revision_id).toBeNull();
    driven.emulator.advance(20);
    const live = await driven.call("GET", `/v2/deployments/${made.id}`);
    expect(
      (await driven.call("GET", `/v2/deployments/${made.id}/revisions/${live.latest_revision_id}`))
        .detail,
    ).toMatch(/not found/);
    driven.emulator.advance(150);
    expect(
      (await driven.call("GET", `/v2/deployments/${made.id}/revisions/${live.latest_revision_id}`))
        .status,
    ).toBe("DEPLOYED");
    expect((await driven.call("GET", `/v2/deployments/${made.id}`)).active_revision_id).toBeNull();
    driven.emulator.advance(40);
    expect((await driven.call("GET", `/v2/deployments/${made.id}`)).active_revision_id).toBe(
      live.latest_revision_id,
    );
  });
});

const TERMINAL = /^(DEPLOYED|SKIPPED|INTERRUPTED|.*_FAILED)$/;

test("past statuses never change, at most one revision runs at a time, and only a stuck one keeps others unfinished", () => {
  const one = fc.record({
    at: fc.integer({ min: 0, max: 400 }),
    outcome: fc.constantFrom(...OUTCOMES),
    cut: fc.option(fc.integer({ min: 0, max: 900 })),
  });
  fc.assert(
    fc.property(
      fc.array(one, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("skip" as const, "run" as const),
      (asked, overtaken) => {
        const revisions = asked
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, outcome, cut }, i): Timed => {
            const run = toRun({
              at,
              seenFrom: at,
              rule: { outcome },
              builds: true,
              again: false,
              phases: DEFAULT_PHASES,
            });
            return {
              id: String(i),
              runs: [{ ...run, cut: cut === null || cut <= at ? null : cut }],
            };
          });
        const whole = toTimelines(revisions, overtaken);
        for (const [i, revision] of revisions.entries()) {
          const at = revision.runs[0]!.at;
          const early = toTimelines(revisions.slice(0, i), overtaken);
          for (const [id, steps] of early)
            expect(statusAt(steps, at - 1)).toEqual(statusAt(whole.get(id)!, at - 1));
        }
        for (let now = 0; now < 2000; now += 13) {
          const running = revisions.filter(({ id }) =>
            ["AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"].includes(
              statusAt(whole.get(id)!, now).status,
            ),
          );
          if (running.length > 1) throw new Error(`at ${now} ms ${running.length} revisions run`);
        }
        const open = revisions.filter(
          ({ id }) => !TERMINAL.test(statusAt(whole.get(id)!, 1e9).status),
        );
        const stuck = revisions.filter(
          ({ runs }) => runs[0]!.end === null && runs[0]!.cut === null,
        );
        if (stuck.length === 0) expect(open).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

test("statuses calculated one revision at a time equal those calculated at once", async () => {
  const client = await open({ revisions: [{ revision: 7, outcome: "build-failed" }] });
  const { emulator } = client.running;
  const made = await client.create(repohost());
  const steps = [10, 400, 0, 0, 35, 90, 1000, 5, 160, 0, 500, 3, 3, 3, 700];
  for (const [i, step] of steps.entries()) {
    emulator.advance(step);
    await client.call("PATCH", `/v2/deployments/${made.id}`, {
      source_revision_config: { repo_ref: `b${i}` },
    });
    const { store, settings } = emulator.world;
    const kept = store.get("deployments", made.id)!;
    const fresh = createStore(structuredClone(store.entries()), null);
    for (const ahead of [0, 50, 120, 2000]) {
      const at = emulator.now() + ahead;
      const [one, other] = [store, fresh].map((each) =>
        momentOf({ store: each, settings, now: () => at }, kept),
      );
      expect([...one!.timelines]).toEqual([...other!.timelines]);
      expect(one!.active?.id).toBe(other!.active?.id);
    }
  }
  await client.running.close();
});
