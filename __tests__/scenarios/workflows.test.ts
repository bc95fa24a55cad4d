import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { validate } from "@actions/languageservice";
import { load } from "js-yaml";
import { TextDocument } from "vscode-languageserver-textdocument";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { runWorkflow, workflowProblems } from "../support/workflow-runner.ts";

const folders = ["examples/workflows", ".github/workflows"];
const workflows = folders.flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder))
    .filter((name) => name.endsWith(".yml"))
    .map((name) => join(folder, name)),
);
const text = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
interface Metadata {
  name: string;
  description: string;
  inputs: Record<string, { description: string }>;
  outputs: Record<string, { description: string }>;
}
const ours = load(text("action.yml")) as Metadata;
const ourGate = load(text("gate/action.yml")) as Metadata;

async function findProblems(file: string): Promise<string[]> {
  const document = TextDocument.create(
    pathToFileURL(join(repositoryRoot, file)).href,
    "yaml",
    1,
    text(file),
  );
  const found = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: ({ name, path }) => {
        const found = path === "gate" ? ourGate : ours;
        return Promise.resolve(name === "agent-deploy" ? found : undefined);
      },
    },
  });
  // Other people's action.yml files are not here to be looked up.
  return found
    .filter(
      ({ message }) =>
        !/^Unable to resolve action `(?!your-org\/agent-deploy)/.test(String(message)),
    )
    .map(({ range, message }) => `${file}:${range.start.line + 1}: ${String(message)}`);
}

describe("GitHub's own language service", () => {
  test.each([...workflows, "action.yml", "gate/action.yml"])(
    "finds no problem in %s",
    async (file) => {
      expect(await findProblems(file)).toEqual([]);
    },
  );

  test("finds an unknown input", async () => {
    const document = TextDocument.create(
      "file:///w/.github/workflows/w.yml",
      "yaml",
      1,
      text("examples/workflows/deploy.yml").replace("api-key:", "apikey:"),
    );
    const found = await validate(document, {
      actionsMetadataProvider: {
        fetchActionMetadata: (action) =>
          Promise.resolve(action.name === "agent-deploy" ? ours : undefined),
      },
    });
    expect(found.map(({ message }) => String(message)).join()).toContain("apikey");
  });
});

describe("every workflow in this repository", () => {
  test.each(workflows)(
    "%s is accepted by GitHub's parser, declares permissions and pins other people's actions by commit",
    async (file) => {
      expect(await workflowProblems(join(repositoryRoot, file))).toEqual([]);
      const { permissions } = load(text(file)) as { permissions?: unknown };
      expect(permissions).toBeDefined();
      const uses = [...text(file).matchAll(/^[^#\n]*uses: (\S+)/gm)]
        .map(([, name]) => name!)
        .filter((name) => !/^\.\/$|\/agent-deploy(?:\/gate)?@/.test(name));
      expect(uses.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
    },
  );
});

const container = (name: string): string => `name: ${name}
source: external_container
source_config:
  resource_spec: { min_scale: 1, cpu: 1 }
source_revision_config:
  image_uri: registry.example.com/acme/${name}@sha256:${"a".repeat(64)}
secrets:
  - { name: TOKEN, value: s3cret }
`;

describe("the first workflow of the README", () => {
  const file = join(repositoryRoot, "examples/workflows/deploy.yml");
  const secrets = { AGENT_DEPLOY_API_KEY: "test-key", OPENAI_API_KEY: "sk-test-value" };
  const spec = text("examples/specs/first.yml");
  const pull = {
    number: 7,
    head: { ref: "topic", sha: "2".repeat(40), repo: { full_name: "acme/agents", fork: false } },
    base: { ref: "main", repo: { full_name: "acme/agents" } },
  };

  test("is shorter than 15 lines, and uses the key and the spec's secrets", () => {
    expect(readFileSync(file, "utf8").trimEnd().split("\n").length).toBeLessThan(15);
    expect(readFileSync(file, "utf8").match(/secrets\.\w+/g)).toEqual([
      "secrets.AGENT_DEPLOY_API_KEY",
      "secrets.OPENAI_API_KEY",
    ]);
  });

  test("plans on a pull request without a write, deploys on merge, and changes nothing when run again", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": spec });
    const { "api-key": _, ...address } = emulator.inputs;
    const shared = { file, workspace, secrets, inputs: address };
    const last = (result: Awaited<ReturnType<typeof runWorkflow>>) => result.jobs[0]!.steps.at(-1)!;

    const onPull = await runWorkflow({
      ...shared,
      event: {
        name: "pull_request",
        payload: {
          action: "opened",
          number: 7,
          pull_request: pull,
          repository: { full_name: "acme/agents" },
        },
      },
      github: { ref: "refs/pull/7/merge" },
    });
    expect({
      log: last(onPull).log,
      outcome: last(onPull).outputs["outcome"],
      result: onPull.jobs[0]!.result,
    }).toMatchObject({ outcome: "planned", result: "success" });
    expect(emulator.writes()).toEqual([]);

    const onMerge = await runWorkflow({ ...shared, event: { name: "push", payload: {} } });
    expect({ log: last(onMerge).log, outcome: last(onMerge).outputs["outcome"] }).toMatchObject({
      outcome: "deployed",
    });
    expect(emulator.writes()).toEqual(["POST /v2/deployments"]);

    const again = await runWorkflow({ ...shared, event: { name: "push", payload: {} } });
    expect(last(again).outputs).toMatchObject({ outcome: "unchanged", changed: "false" });
    expect(emulator.writes()).toHaveLength(1);
  });

  test("does nothing on a push to another branch", async () => {
    const workspace = createTree();
    expect(
      await runWorkflow({
        file,
        workspace,
        event: { name: "push" },
        github: { ref: "refs/heads/topic" },
      }),
    ).toEqual({ triggered: false, jobs: [] });
  });

  test("fails on merge if the secret does not exist, and names the input", async () => {
    const emulator = await startTestEmulator();
    const { "api-key": _, ...address } = emulator.inputs;
    const result = await runWorkflow({
      file,
      workspace: createTree({ "agent-deploy.yml": spec }),
      secrets: { OPENAI_API_KEY: "sk-test-value" },
      inputs: address,
      event: { name: "push" },
    });
    expect(result.jobs[0]!.result).toBe("failure");
    expect(result.jobs[0]!.steps.at(-1)!.log).toContain("api-key");
    expect(emulator.emulator.requests()).toEqual([]);
  });
});

describe("a large estate with one job per deployment", () => {
  test("deploys each leg of the plan's matrix, and merges the reports in the last job", async () => {
    const emulator = await startTestEmulator();
    const { "api-key": _, ...address } = emulator.inputs;
    const workspace = createTree({
      "agents/a.yml": container("agent-a"),
      "agents/b.yml": container("agent-b"),
    });
    const request = {
      file: join(repositoryRoot, "examples/workflows/fan-out.yml"),
      workspace,
      secrets: { AGENT_DEPLOY_API_KEY: "test-key" },
      inputs: address,
      event: { name: "push" },
    };
    const first = await runWorkflow(request);
    expect(
      first.jobs.map(({ id, result, steps }) => [
        id,
        result,
        steps
          .map(({ run }) => run?.outputs["outcome"])
          .filter(Boolean)
          .join(),
      ]),
    ).toEqual([
      ["plan", "success", "planned"],
      ["apply", "success", "deployed"],
      ["apply", "success", "deployed"],
      ["deployed", "success", "deployed"],
    ]);
    expect(emulator.writes()).toEqual(["POST /v2/deployments", "POST /v2/deployments"]);
    const second = await runWorkflow(request);
    expect(second.jobs.map(({ id, result }) => [id, result])).toEqual([
      ["plan", "success"],
      ["apply", "skipped"],
      ["deployed", "success"],
    ]);
    expect(emulator.writes()).toHaveLength(2);
  });
});

describe("the daily drift check", () => {
  test("passes until something was changed by hand", async () => {
    const emulator = await startTestEmulator();
    const { "api-key": key, ...address } = emulator.inputs;
    const workspace = createTree({ "agent-deploy.yml": container("search-agent") });
    const shared = { workspace, secrets: { AGENT_DEPLOY_API_KEY: "test-key" }, inputs: address };
    const drift = {
      ...shared,
      file: join(repositoryRoot, "examples/workflows/drift.yml"),
      event: { name: "schedule" },
    };
    await runWorkflow({
      ...shared,
      file: join(repositoryRoot, "examples/workflows/deploy.yml"),
      event: { name: "push" },
    });
    expect((await runWorkflow(drift)).jobs[0]!.result).toBe("success");
    const [live] = (
      (await (
        await fetch(`${emulator.url}/v2/deployments`, { headers: { "x-api-key": key! } })
      ).json()) as { resources: { id: string }[] }
    ).resources;
    await fetch(`${emulator.url}/v2/deployments/${live!.id}`, {
      method: "PATCH",
      headers: { "x-api-key": key!, "content-type": "application/json" },
      body: JSON.stringify({ source_config: { resource_spec: { min_scale: 4, cpu: 1 } } }),
    });
    const red = await runWorkflow(drift);
    expect(red.jobs[0]!.result).toBe("failure");
    expect(red.jobs[0]!.steps.at(-1)!.outputs["outcome"]).toBe("planned");
  });
});
