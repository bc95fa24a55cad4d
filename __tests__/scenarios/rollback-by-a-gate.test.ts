import { expect, test } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import {
  CONTAINER,
  createDeployed,
  deploymentOf,
  edit,
  expectEnd,
  movedByRequests,
  type Stage,
} from "./stage.ts";

const NEXT = edit(CONTAINER, "a".repeat(64), "b".repeat(64));
const ROWS = JSON.stringify([{ inputs: { q: 1 }, evaluation_scores: [{ key: "m", score: 0.2 }] }]);
/** A gate that fails after the deploy. */
const GATED = {
  experiment: "rows.json",
  gate: "m >= 0.5",
  "gate-when": "after",
  "on-failure": "rollback",
};
/** The second revision still builds when its run ends without waiting. */
const SLOW: ServerOptions = {
  clock: movedByRequests(20),
  revisions: [
    { revision: 2, timeline: [{ status: "DEPLOYING", ms: 3_000 }, { status: "DEPLOYED" }] },
  ],
};

async function createGated(...given: Parameters<typeof createDeployed>): Promise<Stage> {
  const stage = await createDeployed(...given);
  stage.workspace.write("rows.json", ROWS);
  return stage;
}

test("a deployment among several that a gate rolls back is reported as rolled back everywhere", async () => {
  const other = edit(NEXT, "search-agent", "other-agent");
  const stage = await createGated(CONTAINER);
  const { "on-failure": _, ...gated } = GATED;
  stage.spec(`${NEXT}deploy: { on_failure: rollback }\n---\n${other}`);
  const run = await stage.run(gated);
  expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
  const headline = "2 deployments: all deployed; 1 rolled back";
  expect(run.stdout).toContain(`${headline} (search-agent)`);
  expect(run.stdout).toMatch(/search-agent +deployed +1 change, new revision; rolled back/);
  expect(run.stdout).toMatch(
    /search-agent:\S*\n.*then a gate did not pass\. Rollback: .*was redeployed/,
  );
  expect(run.summary).toContain(`${headline} (\`search-agent\`)`);
  expect(run.summary).toContain(
    "| ❌ | `search-agent` [open](https://search.example.com) | deployed: 1 change, new revision; rolled back |",
  );
  expect(run.summary).toContain("❌ <b>search-agent</b> · deployed; rolled back");
  expect(run.summary).toContain("✅ <b>other-agent</b> · deployed<");
});

test("a gate that fails after an update in place reports no failed revision, and lists what stays changed", async () => {
  const stage = await createGated(CONTAINER);
  stage.spec(edit(CONTAINER, "https://search.example.com", "https://new.example.com"));
  const run = await stage.run(GATED);
  expectEnd(run, { outcome: "updated", "gate-verdict": "fail" }, 1);
  expect(run.stdout).toContain(
    "The gate failed: m missed its limit · search-agent was updated in place",
  );
  expect(run.stdout).toContain("Still as this run changed them: custom_url.");
  expect(deploymentOf(run)).not.toHaveProperty("rollback");
  expect(stage.writes().filter((one) => one.includes("redeploy"))).toEqual([]);
});

test("a revision that is still building when its gate fails is rolled back, since it would go live", async () => {
  const stage = await createGated(CONTAINER, SLOW);
  const before = (await stage.live()).active_revision_id;
  stage.spec(NEXT);
  const run = await stage.run({ ...GATED, wait: "false" });
  expectEnd(run, { outcome: "started", "gate-verdict": "fail" }, 1);
  expect(deploymentOf(run)).toMatchObject({ rollback: { outcome: "deployed" } });
  expect(stage.writes().at(-1)).toMatch(`/revisions/${before}/redeploy`);
  expect(run.stdout).toContain("search-agent: m missed its limit; rolled back to");
  expect(run.stdout).toContain("was started, then a gate did not pass. Rollback: ");
  expect(run.summary).not.toContain("agent-deploy wait");
});

test("a revision that a later step finds still building is rolled back, since it would go live", async () => {
  const stage = await createGated(CONTAINER, SLOW);
  const { id, active_revision_id: good } = await stage.live();
  stage.spec(NEXT);
  const { outputs } = await stage.run({ wait: "false" });
  const run = await stage.run({
    ...GATED,
    command: "gate",
    "deployment-id": id,
    "revision-id": outputs["revision-id"],
    "previous-revision-id": good,
  });
  expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
  expect(stage.writes().at(-1)).toMatch(`/revisions/${good}/redeploy`);
  expect(run.stdout).not.toContain("is active already");
});

test("missing results after a deploy are reported once on the command line", async () => {
  const stage = await createDeployed(`${CONTAINER}deploy: { verify: "true" }\n`);
  const run = await stage.cli(["apply", "--experiment", "rows.json", "--gate", "m >= 0.5"]);
  expect(run.code).toBe(4);
  expect(run.stderr.match(/no file matches rows\.json/g)).toHaveLength(1);
});

test("a later gate that runs again after its rollback reports the rollback's revision only as newer", async () => {
  const stage = await createGated(CONTAINER, { redeploy: "new-revision" });
  stage.spec(NEXT);
  const { outputs } = await stage.run();
  const given = {
    ...GATED,
    command: "gate",
    ...Object.fromEntries(
      ["deployment-id", "revision-id", "previous-revision-id"].map((id) => [id, outputs[id]]),
    ),
  };
  const first = await stage.run(given);
  const back = deploymentOf(first).rollback.revision_id;
  const again = await stage.run(given, { env: { GITHUB_RUN_ATTEMPT: "2" } });
  expect(again.code).toBe(1);
  expect(again.stdout).toContain(`Rollback: not done: revision ${back} is newer\n`);
});

test("a later gate with on-failure: rollback warns if it gets no deployment-id", async () => {
  const stage = await createGated(CONTAINER);
  const { "gate-when": _, ...gated } = GATED;
  for (const command of ["gate", "upload"]) {
    const run = await stage.run({ command, ...gated, "deployment-id": "" });
    expectEnd(run, { "gate-verdict": "fail" }, 1);
    expect(run.stdout).toMatch(
      /^::warning title=agent-deploy::on-failure: rollback does nothing without deployment-id/m,
    );
  }
});
