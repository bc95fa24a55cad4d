import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, expectEnd, movedByRequests, type Stage } from "./stage.ts";

test("destroy requires confirm: <name>, and deletes nothing with another name", async () => {
  const stage = await createDeployed(CONTAINER);
  for (const confirm of [undefined, "support-agent"]) {
    expectEnd(
      await stage.run({ command: "destroy", confirm }),
      { outcome: "failed", changed: "false" },
      1,
    );
  }
  const requests = stage.emulator.emulator.requests().length;
  expect((await stage.cli(["destroy", "--confirm", "support-agent"])).code).toBe(2);
  expect(stage.emulator.emulator.requests()).toHaveLength(requests);
  expect(stage.writes()).toEqual([]);
});

/** The queries of the DELETEs so far. */
const deletes = (stage: Stage): string[] =>
  stage.emulator.emulator
    .requests()
    .filter(({ method }) => method === "DELETE")
    .map(({ query }) => query);

test("destroy keeps the traces by default, and says so before it deletes", async () => {
  const stage = await createDeployed(CONTAINER, {
    faults: [{ route: "DELETE /v2/deployments/{id}", kind: "status", status: 405, times: 1 }],
  } as never);
  const refused = await stage.run({ command: "destroy", confirm: "search-agent" });
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("its traces stay")]);
  const run = await stage.run({ command: "destroy", confirm: "search-agent" });
  expectEnd(run, { outcome: "updated", changed: "true" });
  expect(run.stdout).toMatch(/its traces stay[\s\S]*was deleted; its traces stay/);
  expect(deletes(stage)).toEqual(["delete_tracing_project=false", "delete_tracing_project=false"]);
});

test.concurrent("a deletion in progress is waited for without a write", async () => {
  const stage = await createDeployed(CONTAINER, {
    clock: movedByRequests(100),
    lags: { delete: 1_500 },
  });
  const { id } = await stage.live();
  await stage.send("DELETE", `/v2/deployments/${id}?delete_tracing_project=true`);
  stage.forget();
  const run = await stage.run({ command: "destroy", confirm: "search-agent" });
  expectEnd(run, { outcome: "unchanged", changed: "false" });
  expect((await stage.get(`/v2/deployments/${id}`)).detail).toContain("not found");
  expect(stage.writes()).toEqual([]);
});

test.concurrent("destroy with delete-traces deletes the tracing project too, waits, and frees the name", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  const run = await stage.run({
    command: "destroy",
    confirm: "search-agent",
    "delete-traces": "true",
  });
  expectEnd(run, { changed: "true", "deployment-id": id });
  expect(run.stdout).toMatch(/and its tracing project with all traces[\s\S]*were deleted/);
  expect(stage.writes()).toEqual([`DELETE /v2/deployments/${id}`]);
  expect(deletes(stage)).toEqual(["delete_tracing_project=true"]);
  expect((await stage.get(`/v2/deployments/${id}`)).detail).toContain("not found");
  expectEnd(await stage.run({ command: "destroy", confirm: "search-agent" }), {
    outcome: "unchanged",
    changed: "false",
  });
  expectEnd(await stage.run(), { outcome: "deployed" });
});

test("a service that cannot delete is reported clearly", async () => {
  const stage = await createDeployed(CONTAINER, { remove: false });
  const run = await stage.run({ command: "destroy", confirm: "search-agent" });
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  expect(run.stdout).toMatch(/cannot delete/);
});

test.concurrent("a deletion in progress is waited for by id too", async () => {
  const stage = await createDeployed(CONTAINER, {
    clock: movedByRequests(100),
    lags: { delete: 1_500 },
  });
  const { id } = await stage.live();
  await stage.send("DELETE", `/v2/deployments/${id}?delete_tracing_project=true`);
  stage.forget();
  const run = await stage.run({
    command: "destroy",
    confirm: "search-agent",
    "deployment-id": id,
  });
  expectEnd(run, { outcome: "unchanged", changed: "false" });
  expect((await stage.get(`/v2/deployments/${id}`)).detail).toContain("not found");
  expect(stage.writes()).toEqual([]);
});

test.concurrent("a deletion that is not waited for, or times out, is reported as a deletion", async () => {
  const stage = await createDeployed(CONTAINER, {
    lags: { delete: 600_000 },
    clock: movedByRequests(50),
  });
  const destroy = { command: "destroy", confirm: "search-agent" };
  const started = await stage.run({ ...destroy, wait: "false" });
  expectEnd(started, { outcome: "started" });
  expect(started.stdout).toContain("Started deleting search-agent (not waiting)");
  const late = await stage.run({ ...destroy, timeout: "500ms" });
  expectEnd(late, { outcome: "timed-out" }, 1);
  expect(late.summary).toContain("Run destroy again: it waits until the deployment is gone");
  stage.emulator.emulator.advance(600_000);
  const gone = await stage.run(destroy);
  expectEnd(gone, { outcome: "unchanged" });
  expect(gone.summary).toContain("`search-agent`: nothing to delete");
});
