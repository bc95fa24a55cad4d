import { describe, expect, test } from "@jest/globals";
import { prepareAll } from "../../src/commands/plan.ts";
import { applyDeployment } from "../../src/deploy/apply.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import { createFlow, createSeed, desiredOf, ID, liveOf, repohost, type Flow } from "./flow.ts";
import { fetchFrom } from "../support/emulator-fetch.ts";

const emulator = { seed: createSeed() };

/** A plan with nothing to do, whose turn comes late: after other documents or an earlier wave. */
async function applyLate(
  flow: Flow,
  ms: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<{ report: DeploymentReport; reads: number; shown: string }> {
  const { directory, preparations } = await prepareAll(flow.context, [desiredOf(repohost())], 1);
  const [preparation] = preparations;
  if (preparation?.prepared == null) throw new Error("not planned");
  const { action, fingerprint: shown } = preparation.prepared.planned.plan;
  expect(action).toBe("none");
  await meanwhile();
  await flow.clock.sleep(ms);
  const before = flow.calls().length;
  const report = await applyDeployment(flow.context, directory, preparation.prepared);
  return { report, reads: flow.calls().length - before, shown };
}

/** Somebody else's update, which is active a while later. */
async function change(flow: Flow): Promise<void> {
  await fetchFrom(
    flow.emulator,
    new Request(`http://127.0.0.1:1/v2/deployments/${ID}`, {
      method: "PATCH",
      headers: { "X-Api-Key": "somebody-else" },
      body: JSON.stringify({ source_revision_config: { graph_config_path: "theirs.json" } }),
    }),
  );
}

describe("an unchanged plan whose turn comes late", () => {
  test("is read again, and changes since then are corrected and reported", async () => {
    const flow = createFlow({ emulator });
    const { report } = await applyLate(flow, 120_000, () => change(flow));
    expect([report.outcome, report.warnings.join()]).toEqual([
      "deployed",
      expect.stringContaining("changed after its plan was made"),
    ]);
    const revision = flow.deployments()[0]!.revisions.find(({ id }) => id === liveOf(flow).active);
    expect(revision?.config["graph_config_path"]).toBe("graph.json");
  });

  test("is blocked under expect-plan if live has changed, and nothing is sent", async () => {
    const flow = createFlow({ emulator, policy: { pinned: true } });
    const { report, shown } = await applyLate(flow, 120_000, () => change(flow));
    expect([report.outcome, report.reason]).toEqual(["blocked", "plan-changed"]);
    const now = report.plan!.fingerprint;
    expect(now).not.toBe(shown);
    expect(report.message).toBe(
      "agent was changed after its plan was made: none is now update; source_revision_config.graph_config_path. " +
        `The plan that was expected is ${shown}, the plan now is ${now}. ` +
        "Review the new plan, then approve its fingerprint",
    );
    expect(flow.calls().filter((call) => call.startsWith("PATCH"))).toHaveLength(1);
  });

  test("costs two reads if nothing has changed, and none if its turn comes soon", async () => {
    const late = await applyLate(createFlow({ emulator }), 31_000);
    const soon = await applyLate(createFlow({ emulator }), 29_000);
    expect([late.report.outcome, late.reads]).toEqual(["unchanged", 2]);
    expect([soon.report.outcome, soon.reads]).toEqual(["unchanged", 0]);
  });
});
