import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { Passed } from "../../support/service-proxy.ts";
import {
  awaitSettled,
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  REPOSITORY,
  type Stage,
} from "../../scenarios/stage.ts";

const imageOf = (letter: string): string =>
  `registry.example.com/acme/search@sha256:${letter.repeat(64)}`;
const withImage = (letter: string): string => edit(CONTAINER, "a".repeat(64), letter.repeat(64));
const toImage = (letter: string): unknown => ({
  source_revision_config: { image_uri: imageOf(letter) },
});

/** Somebody else's update, to its end. */
async function deployBeside(stage: Stage, letter: string): Promise<void> {
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, toImage(letter));
  await awaitSettled(stage);
}

/** A gateway whose list keeps showing what it shows now, as a lagging search index does. */
async function withOldList(stage: Stage): ReturnType<typeof behind> {
  const old = JSON.stringify(await stage.get("/v2/deployments?limit=100"));
  return behind(stage, async ({ method, path, forward }) =>
    method === "GET" && path === "/v2/deployments" ? { status: 200, body: old } : forward(),
  );
}

const toldBy = ({ outputs }: { readonly outputs: Readonly<Record<string, string>> }): string =>
  readFileSync(outputs["report"]!, "utf8");

describe("a list that lags", () => {
  test("does not make an apply unchanged: what is live by then is replaced", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await withOldList(stage);
    await deployBeside(stage, "b");
    expectEnd(await run(), { outcome: "deployed" });
    expect((await stage.live()).source_revision_config.image_uri).toBe(imageOf("a"));
  });

  test("does not make an apply of many documents unchanged", async () => {
    const names = ["one", "two", "three", "four", "five"];
    const specs = names.map((name) => edit(CONTAINER, "search-agent", name)).join("---\n");
    const stage = await createDeployed(specs);
    const run = await withOldList(stage);
    const { id } = await stage.live("three");
    await stage.send("PATCH", `/v2/deployments/${id}`, toImage("b"));
    const end = await run();
    expectEnd(end, { outcome: "deployed" });
    const ends = JSON.parse(end.outputs["deployments"]!);
    expect(ends.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
      "deployed",
      "unchanged",
      "unchanged",
    ]);
  });

  test("does not end a wait with the earlier revision", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await withOldList(stage);
    await deployBeside(stage, "b");
    const { latest_revision_id: latest } = await stage.live();
    expectEnd(await run({ command: "wait" }), { outcome: "deployed", "revision-id": latest });
  });

  test("does not make a redeploy return to the earlier revision", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await withOldList(stage);
    await deployBeside(stage, "b");
    expectEnd(await run({ command: "redeploy" }), { outcome: "deployed" });
    expect((await stage.live()).source_revision_config.image_uri).toBe(imageOf("b"));
  });

  test("does not make destroy green without deleting a deployment that is not shown yet", async () => {
    const stage = await createStage(CONTAINER);
    let hidden = 0;
    const run = await behind(stage, async ({ method, path, forward }) => {
      const reply = await forward();
      if (method !== "GET" || path !== "/v2/deployments" || hidden === 0) return reply;
      hidden -= 1;
      return { status: 200, body: '{"resources":[],"offset":0}' };
    });
    expectEnd(await run(), { outcome: "deployed" });
    hidden = 1;
    const end = await run({ command: "destroy", confirm: "search-agent" });
    expectEnd(end, { outcome: "updated", changed: "true" });
    expect((await stage.get("/v2/deployments?limit=100")).resources).toEqual([]);
  });
});

describe("a change by another run during verify", () => {
  const cases = [
    ["deployed", withImage("b")],
    ["unchanged", CONTAINER],
  ] as const;

  test.each(cases)("supersedes an apply that was %s if it is a new revision", async (_, spec) => {
    const stage = await createDeployed(CONTAINER);
    const { id } = await stage.live();
    stage.spec(spec);
    const address = `${stage.emulator.url}/v2/deployments/${id}`;
    const body = JSON.stringify(toImage("c"));
    stage.workspace.write(
      "meddle.mjs",
      `const headers = { "x-api-key": "theirs", "content-type": "application/json" };
await fetch("${address}", { method: "PATCH", headers, body: ${JSON.stringify(body)} });
for (;;) {
  const live = await (await fetch("${address}", { headers })).json();
  if (live.active_revision_id === live.latest_revision_id) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
`,
    );
    const end = await stage.run({ verify: "node meddle.mjs" });
    expectEnd(end, { outcome: "superseded" }, 1);
    expect(end.stdout).toContain("since verify began");
    expect(deploymentOf(end).rollback).toBeUndefined();
  });

  test.each(cases)("fails an apply that was %s if it is a deletion", async (_, spec) => {
    const stage = await createDeployed(CONTAINER);
    const { id } = await stage.live();
    stage.spec(spec);
    stage.workspace.write(
      "meddle.mjs",
      `await fetch("${stage.emulator.url}/v2/deployments/${id}", { method: "DELETE", headers: { "x-api-key": "theirs" } });\n`,
    );
    const end = await stage.run({ verify: "node meddle.mjs" });
    expectEnd(end, { outcome: "failed" }, 1);
    expect(deploymentOf(end)).toMatchObject({ reason: "gone" });
  });

  test("leaves the run green if there is none, after one more read of the deployment", async () => {
    const stage = await createDeployed(CONTAINER);
    expectEnd(await stage.run({ verify: "true" }), { outcome: "unchanged" });
  });
});

describe("a reply that names another run's revision", () => {
  const isRedeploy = (method: string, path: string): boolean =>
    method === "POST" && path.endsWith("/redeploy");

  /** A gateway that lets somebody else's update come between a redeploy and its answer. */
  function racing(stage: Stage): ReturnType<typeof behind> {
    return behind(stage, async ({ method, path, forward }): Promise<Passed> => {
      const reply = await forward();
      if (!isRedeploy(method, path)) return reply;
      const { id } = JSON.parse(String(reply.body));
      const theirs = await stage.send("PATCH", `/v2/deployments/${id}`, toImage("c"));
      return { status: 200, body: JSON.stringify(theirs) };
    });
  }

  test("is not taken for the one that a redeploy made", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await racing(stage);
    const end = await run({ command: "redeploy" });
    expectEnd(end, { outcome: "superseded" }, 1);
    expect(end.stdout).toContain("image_uri");
  });

  test("is not taken for the one that a rollback made", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(withImage("b"));
    const run = await racing(stage);
    const end = await run({ verify: "false", "on-failure": "rollback" });
    expectEnd(end, { outcome: "failed" }, 1);
    expect(deploymentOf(end).rollback).toMatchObject({ outcome: "superseded" });
  });
});

test("an answer with another revision than the requested one says nothing about it", async () => {
  const stage = await createDeployed(CONTAINER);
  const { latest_revision_id: first } = await stage.live();
  const { id } = await stage.live();
  stage.spec(withImage("b"));
  const run = await behind(stage, async ({ path, forward }) => {
    if (!/\/revisions\/[^/]+$/.test(path)) return forward();
    return {
      status: 200,
      body: JSON.stringify(await stage.get(`/v2/deployments/${id}/revisions/${first}`)),
    };
  });
  const end = await run({ timeout: "25s" });
  expect(end.code).toBe(1);
  expect(end.outputs["outcome"]).not.toBe("deployed");
});

describe("a service that redeploys a revision under its own id", () => {
  const options = { redeploy: "same-revision" } as const;

  test("whose active revision is in progress again: an apply waits for it", async () => {
    const stage = await createDeployed(CONTAINER, options);
    const { latest_revision_id: revision } = await stage.live();
    let reads = 0;
    const run = await behind(stage, async ({ method, path, forward }) => {
      const reply = await forward();
      if (method !== "GET" || !path.endsWith(`/revisions/${revision}`)) return reply;
      reads += 1;
      if (reads > 3) return reply;
      return { status: 200, body: String(reply.body).replace('"DEPLOYED"', '"DEPLOYING"') };
    });
    const end = await run();
    expectEnd(end, { outcome: "deployed", changed: "false", "revision-id": revision });
    expect(deploymentOf(end)).toMatchObject({ action: "attach" });
    expect(stage.writes()).toEqual([]);
  });

  test.each(["DEPLOY_FAILED", "INTERRUPTED", "SKIPPED"])(
    "whose active revision is %s: an apply redeploys it, and is not unchanged",
    async (status) => {
      const stage = await createDeployed(CONTAINER, options);
      const { id, latest_revision_id: revision } = await stage.live();
      const run = await behind(stage, async ({ method, path, forward }) => {
        const reply = await forward();
        const redeployed = stage.writes().some((write) => write.endsWith("/redeploy"));
        if (method !== "GET" || !path.endsWith(`/revisions/${revision}`) || redeployed)
          return reply;
        const body = { ...JSON.parse(String(reply.body)), status };
        return { status: 200, body: JSON.stringify(body) };
      });
      const end = await run();
      expectEnd(end, { outcome: "deployed", changed: "true" });
      expect(stage.writes()).toEqual([`POST /v2/deployments/${id}/revisions/${revision}/redeploy`]);
    },
  );
});

test("a create that is answered with another deployment is unknown, and is not sent again", async () => {
  const stage = await createDeployed(CONTAINER);
  const other = await stage.live();
  stage.spec(edit(CONTAINER, "search-agent", "other-agent"));
  const run = await behind(stage, async ({ method, path, forward }) => {
    const reply = await forward();
    if (method !== "POST" || path !== "/v2/deployments") return reply;
    return { status: 201, body: JSON.stringify(other) };
  });
  const end = await run();
  expectEnd(end, { outcome: "failed" }, 1);
  expect(deploymentOf(end)).toMatchObject({ reason: "unknown" });
  expect(stage.writes()).toEqual(["POST /v2/deployments"]);
});

test("somebody else's write at the same moment as an update in place is reported", async () => {
  const stage = await createDeployed(REPOSITORY);
  const { id } = await stage.live();
  stage.spec(edit(REPOSITORY, "npm ci", "npm install"));
  const run = await behind(stage, async ({ method, forward }) => {
    const reply = await forward();
    if (method !== "PATCH") return reply;
    const theirs = { source_config: { install_command: "theirs" } };
    return {
      status: 200,
      body: JSON.stringify(await stage.send("PATCH", `/v2/deployments/${id}`, theirs)),
    };
  });
  const end = await run();
  expect(toldBy(end)).toContain(
    "source_config.install_command: sent, and the service shows another",
  );
});
