import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { runWorkflow } from "../support/workflow-runner.ts";

const HEAD = "2".repeat(40);

const event = (action: string, labels: readonly string[], label?: string) => ({
  name: "pull_request",
  payload: {
    action,
    number: 7,
    ...(label === undefined ? {} : { label: { name: label } }),
    pull_request: {
      number: 7,
      labels: labels.map((name) => ({ name })),
      head: { ref: "topic", sha: HEAD, repo: { full_name: "acme/agents", fork: false } },
      base: { ref: "main", repo: { full_name: "acme/agents" } },
    },
    repository: { full_name: "acme/agents" },
  },
});

test("preview-label.yml deploys what has the label, and deletes it by name once the label is removed", async () => {
  const emulator = await startTestEmulator();
  emulator.emulator.push({
    repo_url: "https://git.example.com/acme/agents",
    ref: "topic",
    commit: HEAD,
  });
  const { "api-key": _, ...inputs } = emulator.inputs;
  const spec = readFileSync(join(repositoryRoot, "examples/specs/preview.yml"), "utf8");
  const results = async (one: ReturnType<typeof event>): Promise<string[]> => {
    const { jobs } = await runWorkflow({
      file: join(repositoryRoot, "examples/workflows/preview-label.yml"),
      workspace: createTree({ "deploy/preview.yml": spec }),
      secrets: { AGENT_DEPLOY_API_KEY: "test-key", OPENAI_API_KEY: "sk-test" },
      inputs,
      event: one,
      github: { ref: "refs/pull/7/merge", head_ref: "topic" },
    });
    return jobs.flatMap(({ id, result, steps }) => [
      `${id}: ${result}`,
      ...steps.flatMap(({ name, run }) => (run === undefined ? [] : [name])),
    ]);
  };
  expect(await results(event("synchronize", ["bug"]))).toEqual(["preview: skipped"]);
  const deployed = ["preview: success", "Deploy"];
  expect(await results(event("labeled", ["preview"], "preview"))).toEqual(deployed);
  expect(await results(event("unlabeled", ["preview"], "bug"))).toEqual(deployed);
  expect(await results(event("unlabeled", [], "preview"))).toEqual(["preview: success", "Remove"]);
  expect(await results(event("closed", []))).toEqual(["preview: skipped"]);
  expect(await results(event("closed", ["preview"]))).toEqual(["preview: success", "Remove"]);
  expect(emulator.writes().map((write) => write.replace(/[0-9a-f-]{36}/, "{id}"))).toEqual([
    "POST /v2/deployments",
    "DELETE /v2/deployments/{id}",
  ]);
});
