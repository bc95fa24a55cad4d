import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { loadAll } from "js-yaml";
import { repositoryRoot } from "../../support/tree.ts";
import type { WorkflowRequest, WorkflowResult } from "../../support/workflow-runner.ts";
import { blocksOf, userPages, type Block } from "../../docs/documents.ts";
import {
  GUIDE_SECRETS,
  linesNotPrinted,
  liveDeployments,
  openGuide,
  type Guide,
} from "../../docs/guide.ts";

const DEPLOY = ".github/workflows/deploy.yml";
const REPOSITORY = "https://git.example.com/acme/agents";
const DIGEST = "3f1b0c7b6f5e4d3c2b1a09f8e7d6c5b4a3928170f6e5d4c3b2a1908f7e6d5c4b";

/** What each step of ours came to. */
function outcomes({ jobs }: WorkflowResult): string[] {
  return jobs.flatMap(({ steps }) =>
    steps.flatMap(({ run, outputs, log }) =>
      run === undefined ? [] : [outputs["outcome"] ?? outputs["verdict"] ?? log],
    ),
  );
}

function pull(action: string): { name: string; payload: Readonly<Record<string, unknown>> } {
  const repository = { full_name: "acme/agents", fork: false };
  const payload = {
    action,
    number: 7,
    pull_request: {
      number: 7,
      head: { ref: "topic", sha: "2".repeat(40), repo: repository },
      base: { ref: "main", repo: repository },
    },
    repository,
  };
  return { name: "pull_request", payload };
}

/** Applies the guide's workflow to its spec. */
async function deploys(guide: Guide, ...expected: string[]): Promise<void> {
  expect(outcomes(await guide.run(DEPLOY))).toEqual(expected);
}

/** A pull request plans, a push deploys, and a second push has nothing to do. */
async function plansThenDeploys(guide: Guide): Promise<void> {
  expect(outcomes(await guide.run(DEPLOY, pull("opened")))).toEqual(["planned"]);
  await deploys(guide, "deployed");
  await deploys(guide, "unchanged");
}

function commit(guide: Guide, file: string): string {
  const git = (...args: string[]): string =>
    execFileSync(
      "git",
      ["-C", guide.workspace.path, "-c", "user.name=o", "-c", "user.email=o@example.com", ...args],
      { encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", HOME: guide.workspace.path } },
    ).trim();
  git("init", "-q", "-b", "main");
  guide.workspace.write(file, String(Math.random()));
  git("add", file);
  git("commit", "-q", "-m", file);
  const sha = git("rev-parse", "HEAD");
  guide.emulator.emulator.push({ repo_url: REPOSITORY, ref: "main", commit: sha });
  return sha;
}

/** What the readers of each guide do, in their order. */
const JOURNEYS: Readonly<Record<string, (guide: Guide) => Promise<void>>> = {
  "images-and-targets": async (guide) => {
    const vars = { IMAGE: `registry.example.com/acme/search@sha256:${DIGEST}` };
    const ran = await guide.run(DEPLOY, { name: "push" }, { vars });
    expect(outcomes(ran)).toEqual(["deployed", "deployed"]);
    expect(await guide.shell()).toBe(0);
  },
  previews: async (guide) => {
    const github = { ref: "refs/pull/7/merge", head_ref: "topic" };
    guide.emulator.emulator.push({ repo_url: REPOSITORY, ref: "topic", commit: "2".repeat(40) });
    const run = (action: string): Promise<WorkflowResult> =>
      guide.run(".github/workflows/preview.yml", pull(action), { github });
    expect(outcomes(await run("opened"))).toEqual(["deployed"]);
    expect(outcomes(await run("closed"))).toEqual(["updated"]);
    expect(outcomes(await run("reopened"))).toEqual(["deployed"]);
  },
  "gate-on-promptfoo": async (guide) => {
    const npx = guide.workspace.write(".bin/npx", '#!/bin/sh\ncp stored.jsonl "$5"\nexit 100\n');
    chmodSync(npx, 0o755);
    const env = { PATH: `${guide.workspace.path}/.bin:${process.env["PATH"] ?? ""}` };
    const run = async (stored: string, event: WorkflowRequest["event"]): Promise<string[]> => {
      const file = `__tests__/experiment/producers/files/promptfoo-0.121.2/${stored}/results.jsonl`;
      guide.workspace.write("stored.jsonl", readFileSync(join(repositoryRoot, file), "utf8"));
      const ran = await guide.run(DEPLOY, event, { env });
      return outcomes(ran);
    };
    expect(await run("worse", pull("opened"))).toEqual(["fail"]);
    expect(await run("worse", { name: "push" })).toEqual(["fail"]);
    expect(guide.emulator.writes()).toEqual([]);
    expect(await run("a", pull("opened"))).toEqual(["pass", "planned"]);
    expect(await run("a", { name: "push" })).toEqual(["pass", "deployed"]);
    expect(await guide.shell()).toBe(0);
  },
  rollback: async (guide) => {
    guide.workspace.write("smoke.sh", "exit 0");
    await deploys(guide, "deployed");
    guide.workspace.write("smoke.sh", "echo wrong answer; exit 1");
    const spec = guide.workspace.read("agent-deploy.yml");
    guide.workspace.write("agent-deploy.yml", spec.replace("langgraph.json", "next.json"));
    await deploys(guide, "failed");
    expect(guide.emulator.writes().at(-1)).toMatch(/\/redeploy$/);
    guide.workspace.write("smoke.sh", "exit 0");
    guide.workspace.write("agent-deploy.yml", spec.replace("langgraph.json", "third.json"));
    await deploys(guide, "deployed");
    expect(await guide.shell()).toBe(0);
    expect(guide.emulator.writes().filter((write) => write.endsWith("/redeploy"))).toHaveLength(2);
  },
  "failed-builds": async (guide) => {
    await deploys(guide, "failed");
    expect(await guide.shell()).toBe(0);
    await deploys(guide, "deployed");
  },
  drift: async (guide) => {
    guide.workspace.write(DEPLOY, blocksOf("docs/guides/rotate-a-secret.md")[1]!.text);
    await deploys(guide, "deployed");
    const drift = ".github/workflows/drift.yml";
    expect(outcomes(await guide.run(drift, { name: "schedule" }))).toEqual(["unchanged"]);
    const [live] = await liveDeployments(guide.emulator);
    await fetch(`${guide.emulator.url}/v2/deployments/${live!.id}`, {
      method: "PATCH",
      headers: { "x-api-key": "test-key", "content-type": "application/json" },
      body: JSON.stringify({ source_config: { resource_spec: { cpu: 3, memory_mb: 1024 } } }),
    });
    const found = await guide.run(drift, { name: "schedule" });
    expect([found.jobs[0]!.result, ...outcomes(found)]).toEqual(["failure", "planned"]);
    expect(await guide.shell()).toBe(0);
  },
  monorepo: async (guide) => {
    const push = async (file: string): Promise<string[]> => {
      const sha = commit(guide, file);
      return outcomes(await guide.run(DEPLOY, { name: "push" }, { github: { sha } }));
    };
    expect(await push("libs/a.py")).toEqual(["deployed"]);
    expect(await push("agents/support/a.py")).toEqual(["deployed"]);
    expect(await push("README.md")).toEqual(["unchanged"]);
    expect(await guide.shell()).toBe(0);
    expect(await guide.shell(1)).toBe(0);
  },
  "many-agents": plansThenDeploys,
  "rotate-a-secret": async (guide) => {
    await deploys(guide, "deployed");
    const secrets = { ...GUIDE_SECRETS, OPENAI_API_KEY: "sk-guide-value-2" };
    const rotated = await guide.run(DEPLOY, { name: "workflow_dispatch" }, { secrets });
    expect(outcomes(rotated)).toEqual(["deployed"]);
    const [live] = await liveDeployments(guide.emulator);
    expect(live!.secrets).toEqual([{ name: "OPENAI_API_KEY", value: "sk-guide-value-2" }]);
    expect(await guide.shell(0, { OPENAI_API_KEY: "sk-guide-value-3" })).toBe(0);
  },
  "import-and-migrate": async (guide) => {
    const written = guide.workspace.read("agent-deploy.yml");
    await deploys(guide, "deployed");
    guide.workspace.write("agent-deploy.yml", "");
    expect(await guide.shell()).toBe(0);
    const exported = loadAll(guide.workspace.read("agent-deploy.yml"))[0] as object;
    expect(exported).toMatchObject(loadAll(written)[0] as object);
    await deploys(guide, "unchanged");
  },
  "gitlab-and-other-ci": async (guide) => {
    const jobs = loadAll(guide.workspace.read(".gitlab-ci.yml"))[0] as {
      variables: { AGENT_DEPLOY: string };
      plan: { script: string };
      deploy: { script: string };
    };
    expect(jobs.variables.AGENT_DEPLOY).toMatch(/^npx --yes github:/);
    for (const { script } of [jobs.plan, jobs.deploy])
      expect(await guide.script(`AGENT_DEPLOY=agent-deploy\n${script}`)).toBe(0);
    expect(guide.workspace.read("plan.md")).toContain("search-agent");
    expect(await guide.shell()).toBe(0);
  },
  "self-hosted": async (guide) => {
    const vars = { AGENT_DEPLOY_CONTROL_PLANE_URL: guide.emulator.url };
    const ran = await guide.run(DEPLOY, { name: "push" }, { vars, inputs: {} });
    expect(outcomes(ran)).toEqual(["deployed"]);
    expect(await guide.shell()).toBe(0);
  },
  "source-in-the-checkout": async (guide) => {
    guide.workspace.write("agents/support/langgraph.json", '{"dependencies": ["."]}');
    guide.workspace.write("agents/support/agent.py", "answer = 42\n");
    await plansThenDeploys(guide);
  },
  "optional-values": async (guide) => {
    await deploys(guide, "deployed");
    const [live] = await liveDeployments(guide.emulator);
    expect(live!.secrets.map(({ name }) => name).sort()).toEqual([
      "DATABASE_URL",
      "LOG_LEVEL",
      "OPENAI_API_KEY",
    ]);
    expect(await guide.shell()).toBe(0);
  },
};
/** How the emulator behaves for a guide. */
const SCENARIOS: Readonly<Record<string, Parameters<typeof openGuide>[1]>> = {
  "failed-builds": {
    revisions: [{ revision: 1, outcome: "build-failed", log: ["npm ERR! missing script: build"] }],
  },
};

const nameOf = (page: string): string => page.replace(/^docs\/guides\/|\.md$/g, "");
const guides = userPages.filter((page) => page.startsWith("docs/guides/")).map(nameOf);
const yamlOf = (blocks: readonly Block[], file: RegExp): string[] =>
  blocks
    .filter(({ info }) => info[0] === "yaml" && file.test(info[1] ?? ""))
    .map(({ text }) => text);

describe("guides", () => {
  test("each has a journey; the one about stores is played in secrets.test.ts", () => {
    expect([...Object.keys(JOURNEYS), "secret-stores"].sort()).toEqual([...guides].sort());
  });

  test.each(Object.keys(JOURNEYS))(
    "%s: runs as written, and prints what the page shows",
    async (name) => {
      const guide = await openGuide(`docs/guides/${name}.md`, SCENARIOS[name]);
      await JOURNEYS[name]!(guide);
      const missing = linesNotPrinted(guide);
      expect({ missing, printed: missing.length > 0 ? guide.printed() : "" }).toEqual({
        missing: [],
        printed: "",
      });
    },
  );

  test.each(Object.keys(JOURNEYS))(
    "%s: has one spec, one workflow that passes each of its secrets, and one output",
    (name) => {
      const blocks = blocksOf(`docs/guides/${name}.md`);
      const specs = yamlOf(blocks, /^(agent-deploy|deploy\/\w+)\.yml$/);
      const workflows = yamlOf(blocks, /^\.github\/workflows\/|^\.gitlab-ci\.yml$/);
      const outputs = blocks.filter(({ info }) => info[0] === "text" && info[1] === "output");
      expect([specs.length, workflows.length, outputs.length]).toEqual([1, 1, 1]);
      if (workflows[0]!.includes("image: node")) return; // GitLab's variables are the environment.
      const secrets = (
        loadAll(specs[0]!) as { secrets: (string | { name: string; from?: string })[] }[]
      )
        .flatMap((document) => document.secrets)
        .map((one) => (typeof one === "string" ? one : (one.from ?? one.name)));
      for (const secret of secrets)
        expect(workflows[0]).toMatch(
          new RegExp(`${secret}: "?\\$\\{\\{ secrets\\.${secret} \\}\\}`),
        );
    },
  );
});
