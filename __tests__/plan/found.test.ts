import { expect, test } from "@jest/globals";
import { describeNotFound, type NotFound } from "../../src/plan/found.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";

test.each<[NotFound, string]>([
  [{ state: "absent" }, "there is no deployment named app"],
  [{ state: "id-not-found", id: ID }, `there is no deployment ${ID}`],
  [{ state: "deleting", id: ID }, `deployment ${ID} named app is being deleted`],
  [
    { state: "deleting", id: ID, isListed: true },
    `the list shows deployment ${ID} named app, and a read of it answers 404`,
  ],
  [
    { state: "duplicates", ids: [ID, OTHER] },
    `there are 2 live deployments named app: ${ID}, ${OTHER}`,
  ],
  [
    { state: "lookup-unavailable", status: 405, served: true },
    "this service has no list of deployments (405)",
  ],
  [
    { state: "lookup-unavailable", status: 404, served: false },
    "nothing of the service answers at this address (404)",
  ],
  [
    { state: "nameless", ids: [ID] },
    `the service shows no name for deployment ${ID}: whether app exists is not known`,
  ],
  [
    { state: "nameless", ids: [ID, OTHER] },
    `the service shows no name for deployments ${ID}, ${OTHER}: whether app exists is not known`,
  ],
  [
    { state: "nameless", ids: ["a", "b", "c", "d", "e"] },
    "the service shows no name for deployments a, b, c, d, e: whether app exists is not known",
  ],
  [
    { state: "nameless", ids: ["a", "b", "c", "d", "e", "f"] },
    "the service shows no name for deployments a, b, c, d, e and 1 more: whether app exists is not known",
  ],
])("the result of looking up %j is described correctly", (found, sentence) => {
  expect(describeNotFound("app", found)).toBe(sentence);
});
