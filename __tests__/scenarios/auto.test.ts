import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, expectEnd } from "./stage.ts";

const pull = {
  name: "pull_request",
  payload: {
    number: 7,
    pull_request: {
      number: 7,
      head: { ref: "topic", sha: "2".repeat(40), repo: { full_name: "acme/agents" } },
      base: { ref: "main", repo: { full_name: "acme/agents" } },
    },
  },
};
const queue = {
  name: "merge_group",
  payload: {
    merge_group: {
      head_sha: "3".repeat(40),
      head_ref: "refs/heads/gh-readonly-queue/main/pr-7-x",
      base_ref: "refs/heads/main",
    },
  },
};

test.each([
  ["pull_request", pull, "planned"],
  ["merge_group", queue, "planned"],
  ["push", { name: "push" }, "deployed"],
  ["workflow_dispatch", { name: "workflow_dispatch" }, "deployed"],
] as const)("auto on %s", async (_, event, outcome) => {
  const stage = await createStage(CONTAINER);
  expectEnd(await stage.run({ command: "auto" }, { event }), { outcome, changed: "true" });
  expect(stage.writes()).toEqual(outcome === "planned" ? [] : ["POST /v2/deployments"]);
});
