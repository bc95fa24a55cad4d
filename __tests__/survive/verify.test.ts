import { describe, expect, test } from "@jest/globals";
import { judgeVerified, runVerify } from "../../src/deploy/verify.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";
import { container, createFlow, createSeed, desiredOf, ID, repohost, type Flow } from "./flow.ts";
import { changingAnswers } from "./gateway.ts";

const seed = createSeed();
const changed = desiredOf(repohost({ graph: "other.json" }));

/** An update during whose `verify` something happens. */
async function applyWhile(what: (flow: Flow) => Promise<unknown>): Promise<DeploymentReport> {
  const flow: Flow = createFlow({
    emulator: { seed },
    policy: { verify: "npm run smoke" },
    shell: {
      run: async () => {
        await what(flow);
        return { exitCode: 0, tail: [] };
      },
    },
  });
  return flow.apply(changed);
}

describe("while verify runs", () => {
  test("an unchanged deployment succeeds", async () => {
    const report = await applyWhile(async () => {});
    expect([report.outcome, report.verify]).toMatchObject(["deployed", { exit_code: 0 }]);
  });

  test("another active revision supersedes the run", async () => {
    const report = await applyWhile((flow) =>
      createFlow({ beside: flow }).apply(desiredOf(repohost({ graph: "theirs.json" }))),
    );
    expect([report.outcome, report.reason, report.message]).toEqual([
      "superseded",
      "superseded",
      expect.stringMatching(
        `^revision [0-9a-f-]{36} is active since verify began, and not revision ${report.revision_id}: verify may have run against either revision$`,
      ),
    ]);
    expect(report.message).not.toContain(`revision ${report.revision_id} is active`);
  });

  test("a newer revision and a change that builds nothing cause a warning that names the field", async () => {
    const theirs = repohost({ graph: "theirs.json", push: true });
    const report = await applyWhile((flow) =>
      createFlow({ beside: flow, policy: { wait: false } }).apply(desiredOf(theirs)),
    );
    expect(report.outcome).toBe("deployed");
    expect(report.warnings).toEqual([
      expect.stringContaining("source_config.build_on_push: the live value differs from the spec"),
    ]);
  });

  test("a changed secret of an unchanged deployment supersedes the run, and the service is not blamed", async () => {
    const first = createFlow();
    await first.apply(desiredOf(container()));
    let isChanged = false;
    const again = createFlow({
      beside: first,
      between: changingAnswers((answer) =>
        isChanged
          ? { ...answer, text: answer.text.replace('"value":"one"', '"value":"two"') }
          : answer,
      ),
      policy: { verify: "npm run smoke" },
      shell: {
        run: async () => {
          isChanged = true;
          return { exitCode: 0, tail: [] };
        },
      },
    });
    const report = await again.apply(desiredOf(container()));
    expect([report.outcome, report.reason, report.message]).toEqual([
      "superseded",
      "superseded",
      expect.stringMatching(/secrets.*: it was changed while verify ran$/),
    ]);
  });

  test("a deletion of the deployment fails the run", async () => {
    const report = await applyWhile((flow) =>
      flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true }),
    );
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "gone",
      `deployment ${ID} was deleted while verify ran`,
    ]);
  });
});

describe("verify", () => {
  /** Runs a script that ends so: how it is judged, what is logged and warned of. */
  async function verify(
    script: string,
    {
      exitCode = 0 as number | null,
      url = "",
      standing = "deployed" as "deployed" | "updated" | "unchanged",
    } = {},
  ) {
    const bare = createBareRun({
      policy: { verify: script },
      tracker: { id: "d", revision_id: "r1", url },
      context: {
        shell: {
          run: async (_, { onLine }) => {
            onLine("all well");
            return { exitCode, tail: [] };
          },
        },
      },
    });
    const end = await runVerify(bare.run, standing);
    return { end, lines: bare.lines, warnings: bare.tracker.warnings };
  }

  test("is logged by its first line, and its output under the deployment's name", async () => {
    expect(await verify("npm run smoke\necho done")).toEqual({
      end: null,
      lines: ["agent: verify: npm run smoke", "agent | all well"],
      warnings: [],
    });
  });

  test.each(["", " \n"])("does not run if it is empty: %j", async (script) => {
    expect((await verify(script)).lines).toEqual([]);
  });

  test.each([
    ["curl $AGENT_DEPLOY_URL", "", [expect.stringMatching(/^AGENT_DEPLOY_URL is empty/)]],
    ["curl $AGENT_DEPLOY_URL", "https://agent.example.com", []],
    ["npm run smoke", "", []],
    ["npm run smoke", "https://agent.example.com", []],
  ])("%j with the address %j causes the warnings %j", async (script, url, warnings) => {
    expect((await verify(script, { url })).warnings).toEqual(warnings);
  });

  test.each([
    [
      "deployed",
      7,
      "revision r1 is DEPLOYED, but verify ended with exit code 7",
      /^The revision is live: fix it/,
    ],
    [
      "updated",
      null,
      "revision r1 was updated in place, but verify did not end within the timeout",
      /^What is live does not pass verify/,
    ],
    [
      "unchanged",
      1,
      "revision r1 was live already, but verify ended with exit code 1",
      /^Nothing was changed or rolled back/,
    ],
  ] as const)(
    "after what was %s that ends with %s fails",
    async (standing, exitCode, message, next) => {
      const { end } = await verify("npm run smoke", { standing, exitCode });
      expect([end?.outcome, end?.reason, end?.message]).toEqual(["failed", "verify", message]);
      expect(end?.next?.[0]).toMatch(next);
    },
  );

  test.each([
    [5_000, 5_000],
    [15_000, 15_000],
    [60_000, 16_000],
    [null, 16_000],
  ])("with a limit of %s at 1 s may be followed by a check until %d", async (untilMs, limitMs) => {
    const clock = createManualClock();
    await clock.advance(1_000);
    const { run, limits, tracker } = createBareRun({
      clock,
      tracker: { id: "d", revision_id: "r1", verify: { exit_code: 0, tail: [] }, untilMs },
      service: { getDeployment: () => Promise.reject(new Error("503")) },
    });
    expect(await judgeVerified(run)).toBeNull();
    expect([limits, tracker.warnings]).toEqual([
      [limitMs],
      ["whether revision r1 is still active after verify could not be read: 503"],
    ]);
  });

  test("of no deployment is not checked", async () => {
    for (const tracker of [
      { id: "d", revision_id: "r1" },
      { id: null, revision_id: "r1", verify: { exit_code: 0, tail: [] } },
      { id: "d", revision_id: null, verify: { exit_code: 0, tail: [] } },
    ]) {
      const { run, limits } = createBareRun({ tracker });
      expect([await judgeVerified(run), limits]).toEqual([null, []]);
    }
  });

  test.each([
    [null, "no revision"],
    ["r2", "revision r2"],
  ])("after which %s is active is superseded", async (active, words) => {
    const { run } = createBareRun({
      tracker: { id: "d", revision_id: "r1", verify: { exit_code: 0, tail: [] } },
      service: {
        getDeployment: async () => toDeployment({ id: "d", active_revision_id: active }),
      },
    });
    expect((await judgeVerified(run))?.message).toBe(
      `${words} is active since verify began, and not revision r1: verify may have run against either revision`,
    );
  });
});
