import { expect, test } from "@jest/globals";
import { runAction, type ActionRun } from "../support/action-run.ts";
import { startStub } from "../support/service-stub.mjs";
import { createTree } from "../support/tree.ts";
import { CONTAINER, edit, expectEnd } from "./stage.ts";

const FIRST = CONTAINER;
const SECOND = edit(CONTAINER, "a".repeat(64), "b".repeat(64));

test("an update that the service stored but did not build is built by the next run", async () => {
  const stub = await startStub({ timeline: ["DEPLOYED"] });
  const workspace = createTree({ "agent-deploy.yml": FIRST });
  const run = (inputs: Readonly<Record<string, string>> = {}): Promise<ActionRun> =>
    runAction(
      {
        command: "apply",
        "api-key": "test-key",
        "control-plane-url": stub.url,
        "tracing-url": stub.url,
        "poll-interval": "50ms",
        ...inputs,
      },
      { workspace },
    );
  try {
    expectEnd(await run(), { outcome: "deployed" });
    expectEnd(await run(), { outcome: "unchanged" });
    const [deployment] = [...stub.deployments.values()];
    // What a PATCH leaves when the service made no revision of it.
    deployment.source_revision_config.image_uri = `registry.example.com/acme/search@sha256:${"b".repeat(64)}`;
    workspace.write("agent-deploy.yml", SECOND);
    const planned = await run({ command: "plan" });
    expectEnd(planned, { outcome: "planned", changed: "true" });
    const built = await run({ "expect-plan": planned.outputs["fingerprint"]! });
    expectEnd(built, { outcome: "deployed", changed: "true" });
    expect(stub.revisions.get(deployment.active_revision_id).source_revision_config.image_uri).toBe(
      deployment.source_revision_config.image_uri,
    );
    expectEnd(await run(), { outcome: "unchanged", changed: "false" });
  } finally {
    await stub.close();
  }
});
