import { expect, test } from "@jest/globals";
import { readWhole } from "../../src/deploy/directory.ts";
import { changingAnswers, freezingList } from "./gateway.ts";
import { createFlow, desiredOf, repohost } from "./flow.ts";

const ID = "0b6f0000-0000-4000-8000-000000000001";
const secrets = [{ name: "TOKEN", value: "one" }];
const integrations = [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }];
const deployments = [{ ...desiredOf(repohost()).body, id: ID, secrets }];

test("a listed deployment without secrets is read, unless the list shows secrets of others", async () => {
  const { controlPlane } = createFlow({ emulator: { seed: { integrations, deployments } } });
  const whole = (await controlPlane.getDeployment(ID))!;
  const listed = { ...whole, isListed: true as const, body: { ...whole.body, secrets: [] } };
  const secretsOf = async (...how: [] | [boolean]) =>
    (await readWhole(controlPlane, listed, ...how))!.body["secrets"];
  expect(await secretsOf()).toMatchObject([{ name: "TOKEN" }]);
  expect(await secretsOf(false)).toMatchObject([{ name: "TOKEN" }]);
  expect(await secretsOf(true)).toEqual([]);
});

/** A flow whose list shows nothing new once `freeze` was called and the list was read. */
function createLagging() {
  let isFrozen = false;
  const flow = createFlow({
    emulator: { seed: { integrations } },
    between: freezingList(() => isFrozen),
  });
  return { flow, freeze: () => (isFrozen = true) };
}

test("a stale list does not make a deployment unchanged, since it is read again first", async () => {
  const { flow, freeze } = createLagging();
  const [first, second] = [desiredOf(repohost()), desiredOf(repohost({ graph: "other.json" }))];
  expect((await flow.apply(first)).outcome).toBe("deployed");
  freeze();
  expect((await flow.apply(second)).outcome).toBe("deployed");
  // The list still shows what the first spec wants.
  expect((await flow.apply(first)).outcome).toBe("deployed");
});

test("a newer revision that a stale list does not show is detected", async () => {
  const { flow, freeze } = createLagging();
  const [wanted, theirs] = [desiredOf(repohost()), desiredOf(repohost({ graph: "other.json" }))];
  await flow.apply(wanted);
  freeze();
  // Shows the list once, and builds on.
  await flow.apply(wanted);
  await createFlow({ beside: flow, policy: { wait: false } }).apply(theirs);
  expect((await flow.apply(wanted)).outcome).toBe("deployed");
  const [live] = flow.deployments();
  const graphs = live!.revisions.map(({ config }) => config.graph_config_path);
  expect(graphs).toEqual(["graph.json", "other.json", "graph.json"]);
});

/** A flow whose list shows other deployments in each of the first `readings`, since those before are gone. */
function createMoving(readings: number) {
  let lists = 0;
  return createFlow({
    emulator: { seed: { integrations } },
    between: changingAnswers((answer, { method, url }) => {
      const { pathname, searchParams } = new URL(url);
      const isFirstPage = Number(searchParams.get("offset") ?? 0) === 0;
      if (method !== "GET" || pathname !== "/v2/deployments" || !isFirstPage) return answer;
      const page = JSON.parse(answer.text) as { resources: readonly object[] };
      lists += 1;
      const id = `0b6f0000-0000-4000-8000-00000000010${Math.min(lists, readings)}`;
      const other = { id, name: "support-agent-of-others", source: "github", status: "READY" };
      return {
        ...answer,
        text: JSON.stringify({ ...page, resources: [...page.resources, other] }),
      };
    }),
  });
}

test("a list that keeps changing proves no absence, and after seven readings nothing is created", async () => {
  const moving = createMoving(Infinity);
  const report = await moving.apply(desiredOf(repohost()));
  expect(report).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("the deployment list kept changing over 6 readings"),
  });
  expect(moving.calls().filter((call) => !call.startsWith("GET"))).toEqual([]);
  const calm = createMoving(7);
  expect((await calm.apply(desiredOf(repohost()))).outcome).toBe("failed");
  expect((await createMoving(6).apply(desiredOf(repohost()))).outcome).toBe("deployed");
});
