import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { deploymentOf, edit, expectEnd, type Stage } from "./stage.ts";
import {
  createCheckout,
  createDeployedCheckout,
  firstDeploy,
  packed,
  SPEC,
  uploads,
} from "./checkout.ts";

const markOf = (live: any): string | undefined =>
  live.secrets.find(({ name }: { name: string }) => name === "AGENT_DEPLOY_SOURCE")?.value;

describe("a deployment built from the checkout", () => {
  test("is created, then uploaded, then built, and keeps the hash", async () => {
    const { stage, run } = await firstDeploy();
    expectEnd(run, { outcome: "deployed", changed: "true" });
    const writes = stage.writes();
    expect(writes.map((write) => write.replace(/[0-9a-f-]{36}/g, "ID"))).toEqual([
      "POST /v2/deployments",
      "POST /v2/deployments/ID/upload-url",
      "PUT /uploads/ID.tar.gz",
      "PATCH /v2/deployments/ID",
    ]);
    const [create] = stage.emulator.emulator.requests().filter(({ method }) => method === "POST");
    expect(create!.body).toMatchObject({ source_revision_config: {} });
    expect(packed(stage)).toEqual(["agent.py", "langgraph.json"]);
    const live = await stage.live();
    const [upload] = uploads(stage);
    const tar = gunzipSync(Buffer.from(upload!.archive!.data!, "base64"));
    const hash = createHash("sha256").update(tar).digest("hex");
    expect(markOf(live)).toContain(hash);
    expect(markOf(live)).toContain(upload!.object_path);
    expect(live.source_revision_config).toMatchObject({
      source_tarball_path: upload!.object_path,
      langgraph_config_path: "langgraph.json",
    });
    expect(deploymentOf(run).changes[0]).toEqual({
      path: "source",
      before: null,
      after: hash.slice(0, 8),
      effect: "new-revision",
      sensitive: false,
    });
  });

  test("is not touched if nothing changed: no upload, no write, and no variable in the output", async () => {
    const stage = await createDeployedCheckout();
    utimesSync(join(stage.workspace.path, "agent.py"), 1, 1);
    const run = await stage.run();
    expectEnd(run, { outcome: "unchanged", changed: "false" });
    expect(stage.writes()).toEqual([]);
    expect(run.stdout + run.summary).not.toContain("AGENT_DEPLOY_SOURCE");
  });

  test("shows a changed file as a change of the source with both hashes, which is part of the fingerprint", async () => {
    const stage = await createDeployedCheckout();
    const before = await stage.run({ command: "plan" });
    stage.workspace.write("agent.py", "graph = 2\n");
    const plan = await stage.run({ command: "plan" });
    expectEnd(plan, { outcome: "planned" });
    expect(deploymentOf(plan).changes).toEqual([
      {
        path: "source",
        before: expect.stringMatching(/^[0-9a-f]{8}$/),
        after: expect.stringMatching(/^[0-9a-f]{8}$/),
        effect: "new-revision",
        sensitive: false,
      },
    ]);
    expect(plan.outputs["fingerprint"]).not.toBe(before.outputs["fingerprint"]);
    expect(plan.stdout).toMatch(/source [0-9a-f]{8} → [0-9a-f]{8}/);
    const approved = { "expect-plan": plan.outputs["fingerprint"]! };
    stage.workspace.write("agent.py", "graph = 3\n");
    expectEnd(await stage.run(approved), { outcome: "blocked" }, 1);
    expect(stage.writes()).toEqual([]);
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(approved), { outcome: "deployed" });
    expectEnd(await stage.run(approved), { outcome: "unchanged" });
  });

  test("uploads nothing for a changed secret, and keeps the record of the source", async () => {
    const stage = await createDeployedCheckout();
    const mark = markOf(await stage.live());
    stage.spec(edit(SPEC, "first-value-1", "second-value"));
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(stage.writes().filter((write) => write.includes("upload"))).toEqual([]);
    expect(markOf(await stage.live())).toBe(mark);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("sends the live secrets back with an upload if the spec names none", async () => {
    const stage = await createDeployedCheckout();
    stage.spec(SPEC.slice(0, SPEC.indexOf("secrets:")));
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect((await stage.live()).secrets).toMatchObject([
      { name: "API_TOKEN", value: "first-value-1" },
      { name: "AGENT_DEPLOY_SOURCE" },
    ]);
  });

  test("shows a change after a rollback, since other code is live than recorded", async () => {
    const stage = await createDeployedCheckout();
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    const back = await stage.cli(["rollback", "support-agent", "--poll-interval", "20ms"]);
    expect(back).toMatchObject({ code: 0 });
    const plan = await stage.run({ command: "plan" });
    expectEnd(plan, { outcome: "planned" });
    expect(deploymentOf(plan).changes).toMatchObject([{ path: "source", before: "unknown" }]);
    expect(plan.stdout).toContain("other code is live");
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("shows a change after a deployment with the vendor's CLI", async () => {
    const stage = await createDeployedCheckout();
    const { id } = await stage.live();
    const { upload_url, object_path } = await stage.send(
      "POST",
      `/v2/deployments/${id}/upload-url`,
      {},
    );
    const archive = Buffer.from(uploads(stage)[0]!.archive!.data!, "base64");
    const put = await fetch(upload_url, {
      method: "PUT",
      body: archive,
      headers: {
        "content-type": "application/gzip",
        "x-goog-content-length-range": "0,209715200",
      },
    });
    expect(put.status).toBe(200);
    await stage.send("PATCH", `/v2/deployments/${id}`, {
      revision_source: "internal_source",
      source_revision_config: { source_tarball_path: object_path },
    });
    expectEnd(await stage.run({ command: "plan" }), { outcome: "planned" });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("builds the same upload again in the run after a failed build", async () => {
    const stage = await createCheckout(SPEC, {}, {
      revisions: [{ outcome: "build-failed", status_message: "no module named graph" }],
    } as never);
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    stage.forget();
    const again = await stage.run();
    expect(stage.writes().filter((write) => write.includes("upload"))).toEqual([]);
    expect(["deployed", "failed"]).toContain(again.outputs["outcome"]);
    expect(stage.writes().some((write) => write.endsWith("/redeploy"))).toBe(true);
  });

  test("is exported as a spec with an empty plan", async () => {
    const stage = await createDeployedCheckout();
    const { id } = await stage.live();
    const { stdout } = await stage.cli(["export", "--deployment-id", id]);
    expect(stdout).toContain("source: internal_source");
    expect(stdout).not.toContain("AGENT_DEPLOY_SOURCE");
    stage.workspace.write("agent-deploy.yml", stdout);
    const plan = await stage.run({ command: "plan" }, { env: { API_TOKEN: "first-value-1" } });
    expectEnd(plan, { outcome: "unchanged" });
  });

  test("supports verify, force and wait: false", async () => {
    const stage = await createDeployedCheckout(
      `${SPEC}deploy: { verify: "test -n \\"$AGENT_DEPLOY_REVISION_ID\\"" }\n`,
    );
    expectEnd(await stage.run({ force: "true" }), { outcome: "deployed" });
    stage.workspace.write("agent.py", "graph = 9\n");
    expectEnd(await stage.run({ wait: "false" }), { outcome: "started" });
  });
});

describe("the headline names the serving source", () => {
  const deployed = async (): Promise<{ stage: Stage; hash: string }> => {
    const { run } = await firstDeploy();
    return { stage: await createDeployedCheckout(), hash: deploymentOf(run).changes[0].after };
  };

  test("after a deploy, and after a failed build both that source and the failed one", async () => {
    const { run } = await firstDeploy();
    const stage = await createDeployedCheckout();
    const { after: one } = deploymentOf(run).changes[0];
    expect(run.summary).toContain(`\`support-agent\` was created: \`source ${one}\` is live`);
    stage.workspace.write("agent.py", "graph = 2\n");
    stage.emulator.emulator.addRevisionRules([{ outcome: "build-failed" }]);
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    const { after: two } = deploymentOf(red).changes[0];
    expect(red.summary).toContain(
      `the build of \`source ${two}\` failed; \`source ${one}\` is still serving`,
    );
  });

  test("after the rollback of a failed verify", async () => {
    const { stage, hash } = await deployed();
    stage.spec(`${SPEC}deploy: { verify: "exit 1", on_failure: rollback }\n`);
    stage.workspace.write("agent.py", "graph = 2\n");
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    expect(red.summary).toContain(`rolled back to \`source ${hash}\``);
    // The redeploy builds the earlier upload: the source is no field that stays changed.
    expect(red.summary).not.toContain("Still as this run changed them");
  });

  test("after a changed secret, which builds the same source", async () => {
    const { stage, hash } = await deployed();
    stage.spec(edit(SPEC, "first-value-1", "second-value"));
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(run.summary).toContain(`\`source ${hash}\` is live`);
  });

  test("unless other code is live than recorded", async () => {
    const { stage, hash } = await deployed();
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    const back = await stage.cli(["rollback", "support-agent", "--poll-interval", "20ms"]);
    expect(back).toMatchObject({ code: 0 });
    expect(back.stdout).not.toMatch(/source [0-9a-f]{8} is live/);
    const { id } = await stage.live();
    const waited = await stage.run({ command: "wait", "deployment-id": id });
    expectEnd(waited, { outcome: "deployed" });
    expect(waited.summary).not.toContain(hash);
  });
});
