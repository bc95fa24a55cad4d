import { describe, expect, test } from "@jest/globals";
import { createStage, deploymentOf, expectEnd, type Stage } from "../../scenarios/stage.ts";

const CHECKOUT = {
  "agents/one/langgraph.json": '{"dependencies":["."]}',
  "agents/one/agent.py": "graph = 1\n",
  "agents/two/langgraph.json": '{"dependencies":["."]}',
  "agents/two/agent.py": "graph = 1\n",
};
const agent = (name: string, more = ""): string => `name: ${name}
source: internal_source
source_config: { deployment_type: dev }
source_revision_config: { langgraph_config_path: agents/${name.split("-")[0]}/langgraph.json }
secrets:
  - { name: API_TOKEN, value: first-value-1 }
${more}`;

async function createEstate(spec: string): Promise<Stage> {
  const stage = await createStage(spec);
  for (const [path, text] of Object.entries(CHECKOUT)) stage.workspace.write(path, text);
  return stage;
}

const endsOf = (run: { readonly outputs: Readonly<Record<string, string>> }): string[] =>
  JSON.parse(run.outputs["deployments"]!).map(
    (one: { name: string; outcome: string }) => `${one.name} ${one.outcome}`,
  );
const uploadsOf = (stage: Stage): string[] =>
  stage.writes().filter((write) => write.startsWith("PUT /uploads/"));

describe("deployments that are built from one checkout", () => {
  test("in waves: a build that fails stops the next wave, whose source is not uploaded", async () => {
    const stage = await createEstate(
      [agent("two", "deploy: { wave: 1 }\n"), agent("one")].join("---\n"),
    );
    stage.emulator.emulator.addRevisionRules([{ deployment: "one", outcome: "build-failed" }]);
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    expect(endsOf(red)).toEqual(["two not-run", "one failed"]);
    expect(uploadsOf(stage)).toHaveLength(1);
    const next = await stage.run();
    expectEnd(next, { outcome: "deployed" });
    expect(endsOf(next)).toEqual(["two deployed", "one deployed"]);
    stage.forget();
    stage.workspace.write("agents/two/agent.py", "graph = 2\n");
    const one = await stage.run();
    expect([endsOf(one), uploadsOf(stage).length]).toEqual([["two deployed", "one unchanged"], 1]);
  });

  test("for targets: each stage has its own deployment, hash and change", async () => {
    const stage = await createEstate(
      agent("one", "deploy: { targets: { staging: { name: one-staging }, production: {} } }\n"),
    );
    for (const target of ["staging", "production"])
      expectEnd(await stage.run({ target }), { outcome: "deployed" });
    stage.workspace.write("agents/one/agent.py", "graph = 2\n");
    expectEnd(await stage.run({ target: "staging" }), { outcome: "deployed" });
    expectEnd(await stage.run({ target: "staging" }), { outcome: "unchanged" });
    expectEnd(await stage.run({ command: "plan", target: "production" }), { outcome: "planned" });
  });

  test("as a preview: created for a pull request, deleted with it, and created again", async () => {
    const stage = await createEstate(agent("one", "").replace("name: one", "name: one-pr-${PR}"));
    const at = { env: { PR: "7" } };
    expectEnd(await stage.run({}, at), { outcome: "deployed" });
    expectEnd(await stage.run({}, at), { outcome: "unchanged" });
    const gone = { command: "destroy", confirm: "one-pr-7", "delete-traces": "true" };
    // What is destroyed needs no checkout.
    stage.workspace.write("agents/one/langgraph.json", "not JSON");
    expectEnd(await stage.run(gone, at), { outcome: "updated" });
    stage.workspace.write("agents/one/langgraph.json", CHECKOUT["agents/one/langgraph.json"]);
    expectEnd(await stage.run({}, at), { outcome: "deployed" });
  });

  test("by an approved plan: the approved files are deployed, and others are refused", async () => {
    const stage = await createEstate(agent("one"));
    const plan = await stage.run({ command: "plan" });
    expectEnd(plan, { outcome: "planned" });
    const approved = { "expect-plan": plan.outputs["fingerprint"]!.slice(0, 12) };
    stage.workspace.write("agents/one/agent.py", "graph = 2\n");
    const refused = await stage.run(approved);
    expectEnd(refused, { outcome: "blocked" }, 1);
    expect(deploymentOf(refused).reason).toBe("plan-changed");
    expect(stage.writes()).toEqual([]);
    stage.workspace.write("agents/one/agent.py", CHECKOUT["agents/one/agent.py"]);
    expectEnd(await stage.run(approved), { outcome: "deployed" });
    expectEnd(await stage.run(approved), { outcome: "unchanged" });
  });

  test("verify sees what was deployed; a failure rolls back, and the next apply builds the checkout again", async () => {
    const verify =
      'deploy: { verify: "! grep -q bad agents/one/agent.py", on_failure: rollback }\n';
    const stage = await createEstate(agent("one", verify));
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.workspace.write("agents/one/agent.py", "bad = 1\n");
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    expect(deploymentOf(red).rollback).toMatchObject({ outcome: "deployed" });
    // Other code is live than the checkout holds: that is a change, whatever the hash says.
    expectEnd(await stage.run({ command: "plan" }), { outcome: "planned" });
    stage.workspace.write("agents/one/agent.py", "graph = 3\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });
});
