import { expect, test } from "@jest/globals";
import { readWhole } from "../../src/deploy/directory.ts";
import { createFlow, desiredOf, repohost } from "./flow.ts";

const ID = "0b6f0000-0000-4000-8000-000000000001";
const secrets = [{ name: "TOKEN", value: "one" }];
const integrations = [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }];
const deployments = [{ ...desiredOf(repohost()).body, id: ID, secrets }];

test("a list that shows no secrets proves nothing, unless it shows those of others: the deployment is read", async () => {
  const { controlPlane } = createFlow({ emulator: { seed: { integrations, deployments } } });
  const whole = (await controlPlane.getDeployment(ID))!;
  const listed = { ...whole, body: { ...whole.body, secrets: [] } };
  const secretsOf = async (...how: [] | [boolean]) =>
    (await readWhole(controlPlane, listed, ...how))!.body["secrets"];
  expect(await secretsOf()).toMatchObject([{ name: "TOKEN" }]);
  expect(await secretsOf(false)).toMatchObject([{ name: "TOKEN" }]);
  expect(await secretsOf(true)).toEqual([]);
});

test("a list that lags makes nothing unchanged: what it shows is read again before that is said", async () => {
  let frozen: string | null = null;
  let isFrozen = false;
  const flow = createFlow({
    emulator: { seed: { integrations } },
    between: (wire) => ({
      ...wire,
      send: async (request, ...rest) => {
        const exchange = await wire.send(request, ...rest);
        const isList = request.method === "GET" && /\/v2\/deployments(\?|$)/u.test(request.url);
        if (!isFrozen || !isList || exchange.kind !== "answer") return exchange;
        frozen ??= exchange.text;
        return { ...exchange, text: frozen };
      },
    }),
  });
  const [first, second] = [desiredOf(repohost()), desiredOf(repohost({ graph: "other.json" }))];
  expect((await flow.apply(first)).outcome).toBe("deployed");
  isFrozen = true;
  expect((await flow.apply(second)).outcome).toBe("deployed");
  // The list still shows what the first spec wants.
  expect((await flow.apply(first)).outcome).toBe("deployed");
});
