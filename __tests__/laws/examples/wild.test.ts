import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../src/emulator/http/fault.ts";
import { startTestEmulator, type TestEmulator } from "../../support/emulator-process.ts";
import { createTree, repositoryRoot, type Tree } from "../../support/tree.ts";
import {
  runWorkflow,
  type WorkflowRequest,
  type WorkflowResult,
} from "../../support/workflow-runner.ts";

const here = join(repositoryRoot, "__tests__/examples/wild");
const REPO_URL = "http://127.0.0.1:1/acme/agents";
const CONFIG = JSON.stringify({ dependencies: ["."], graphs: { agent: "./agent.py:graph" } });

/** Where one of the workflows plays: a service, a checkout, and what its settings hold. */
interface Site {
  readonly emulator: TestEmulator;
  readonly workspace: Tree;
  readonly vars: Record<string, string>;
  /** GITHUB_SHA of the next run. */
  sha: string;
}

/** A deployment workflow of a public repository, written again: NAME/agent-deploy.yml and NAME/deploy.yml. */
interface WildDeploy {
  /** Its checkout besides the spec. */
  readonly files: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly event?: WorkflowRequest["event"];
  /** What is there before the first run. */
  readonly prepare?: (site: Site) => Promise<void> | void;
  /** One file, commit or image is another now. */
  readonly change: (site: Site) => void;
  /** A file that is not part of the agent is another now. */
  readonly changeElsewhere?: (site: Site) => void;
  /** The writes of one deploy of something that is there, ids left out. */
  readonly writes: readonly string[];
  /** The call that carries the work: its answer is lost, or the run is killed in it. */
  readonly carrier: FaultRule["route"];
  readonly names: readonly string[];
}

const UPLOADED = [
  "POST /v2/deployments/ID/upload-url",
  "PUT /uploads/ID.tar.gz",
  "PATCH /v2/deployments/ID",
];
const UPLOAD = "PUT /uploads/{upload}";
const imageOf = (digit: string): string =>
  `registry.example.com/text2sql@sha256:${digit.repeat(64)}`;

function git(site: Site, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], {
    cwd: site.workspace.path,
    encoding: "utf8",
  }).trim();
}

/** Commits the checkout and pushes it to the repository that the service builds from. */
function pushAll(site: Site): void {
  git(site, "add", "-A");
  git(site, "commit", "-qm", "a change");
  site.sha = git(site, "rev-parse", "HEAD");
  site.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: site.sha });
}

async function call(site: Site, method: string, path: string, body?: object): Promise<any> {
  const reply = await fetch(site.emulator.url + path, {
    method,
    headers: { "x-api-key": "test-key", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return reply.json();
}

/** Somebody made the deployment before, and the repository knows its ID. */
async function adopt(site: Site, body: object): Promise<void> {
  const { id } = await call(site, "POST", "/v2/deployments", { secrets: [], ...body });
  site.vars["LANGGRAPH_DEPLOYMENT_ID"] = id;
}

const writeFile =
  (path: string) =>
  ({ workspace }: Site): void => {
    workspace.write(path, `changed = ${Math.random()}\n`);
  };

const messages: string[] = [];
const chat = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
  request.on("end", () => {
    messages.push((JSON.parse(body) as { text: string }).text);
    response.end();
  });
});
beforeAll(() => new Promise<void>((resolve) => void chat.listen(0, "127.0.0.1", resolve)));
afterAll(() => void chat.close());

const WILD: Readonly<Record<string, WildDeploy>> = {
  "open-swe": {
    files: { "apps/open-swe/graph.ts": "1", "langgraph.json": CONFIG, "apps/web/page.tsx": "1" },
    secrets: {},
    prepare: async (site) => {
      git(site, "init", "-q", "-b", "main");
      pushAll(site);
      await adopt(site, {
        name: "open-swe",
        source: "github",
        source_config: { repo_url: REPO_URL, deployment_type: "prod", build_on_push: false },
        source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
      });
      writeFile("apps/open-swe/graph.ts")(site);
      pushAll(site);
    },
    change: (site) => {
      writeFile("apps/open-swe/graph.ts")(site);
      pushAll(site);
    },
    changeElsewhere: (site) => {
      writeFile("apps/web/page.tsx")(site);
      pushAll(site);
    },
    writes: ["PATCH /v2/deployments/ID"],
    carrier: "PATCH /v2/deployments/{id}",
    names: ["open-swe"],
  },
  "chat-langchain": {
    files: { "langgraph.json": CONFIG, "agent.py": "1", "frontend/node_modules/x.js": "1" },
    secrets: {
      ANTHROPIC_API_KEY: "anthropic-value",
      OPENAI_API_KEY: "openai-value",
      LANGSMITH_PROMPT_KEY: "prompt-value",
      COHERE_API_KEY: "cohere-value",
      SENTRY_DSN_PROD: "https://sentry.example.com/1",
    },
    change: writeFile("agent.py"),
    changeElsewhere: writeFile("frontend/node_modules/x.js"),
    writes: UPLOADED,
    carrier: UPLOAD,
    names: ["chat-langchain"],
  },
  "cicd-pipeline-example": {
    files: {},
    secrets: { OPENAI_API_KEY: "openai-value" },
    event: {
      name: "pull_request",
      payload: {
        action: "opened",
        number: 7,
        pull_request: {
          number: 7,
          head: { ref: "topic", sha: "2".repeat(40), repo: { full_name: "acme/agents" } },
          base: { ref: "main", repo: { full_name: "acme/agents" } },
        },
        repository: { full_name: "acme/agents" },
      },
    },
    prepare: ({ vars, emulator }) => {
      vars["IMAGE"] = imageOf("a");
      vars["USE_SELF_HOSTED"] = "true";
      vars["SELF_HOSTED_URL"] = `${emulator.url}/api-host`;
    },
    change: ({ vars }) => {
      vars["IMAGE"] = imageOf("b");
    },
    writes: ["PATCH /v2/deployments/ID"],
    carrier: "POST /v2/deployments",
    names: ["text2sql-pr-7"],
  },
  threadplane: {
    files: { "langgraph.json": CONFIG, "agents/a.py": "1", "docs/a.md": "1" },
    secrets: { OPENAI_API_KEY: "openai-value", THREADPLANE_TOKEN: "threadplane-value" },
    prepare: (site) =>
      adopt(site, {
        name: "threadplane",
        source: "internal_source",
        source_config: { deployment_type: "prod" },
        source_revision_config: {},
      }),
    change: writeFile("agents/a.py"),
    changeElsewhere: writeFile("docs/a.md"),
    writes: UPLOADED,
    carrier: UPLOAD,
    names: ["threadplane"],
  },
  "orderly-industry": {
    files: {
      "apps/agents/langgraph.json": JSON.stringify({
        dependencies: [".", "../../packages/shared"],
      }),
      "apps/agents/graph.py": "1",
      "packages/shared/lib.py": "1",
      "apps/web/page.tsx": "1",
    },
    secrets: { OPENAI_API_KEY: "openai-value" },
    prepare: ({ vars }) => {
      vars["SUPABASE_URL"] = "https://db.example.com";
    },
    change: writeFile("packages/shared/lib.py"),
    changeElsewhere: writeFile("apps/web/page.tsx"),
    writes: UPLOADED,
    carrier: UPLOAD,
    names: ["orderly-agents"],
  },
  "mcp-server-langgraph": {
    files: {
      "langgraph.json": CONFIG,
      "agent.py": "1",
      "smoke.sh": 'test -n "$AGENT_DEPLOY_URL"\n',
    },
    secrets: { ANTHROPIC_API_KEY: "anthropic-value" },
    prepare: (site) => {
      git(site, "init", "-q", "-b", "main");
      git(site, "commit", "-q", "--allow-empty", "-m", "first");
    },
    change: writeFile("agent.py"),
    writes: [...UPLOADED, ...UPLOADED],
    carrier: UPLOAD,
    names: ["mcp-server-staging", "mcp-server"],
  },
};

async function openSite(name: string): Promise<Site> {
  const wild = WILD[name]!;
  const site: Site = {
    emulator: await startTestEmulator(),
    workspace: createTree({
      "agent-deploy.yml": readFileSync(join(here, name, "agent-deploy.yml"), "utf8"),
      ...wild.files,
    }),
    vars: {},
    sha: "1".repeat(40),
  };
  await wild.prepare?.(site);
  return site;
}

/** Resolves when the service has met its first fault. */
async function untilFault({ emulator }: Site): Promise<void> {
  while (emulator.emulator.faults()[0]?.["met"] === 0) await setTimeout(10);
}

/** One run of the workflow; with `kill` the process is killed in the call that meets a fault. */
function runWild(name: string, site: Site, kill = false): Promise<WorkflowResult> {
  const { secrets, event = { name: "push" } } = WILD[name]!;
  const { "api-key": _, ...address } = site.emulator.inputs;
  const { port } = chat.address() as AddressInfo;
  site.emulator.emulator.clearRequests();
  return runWorkflow({
    file: join(here, name, "deploy.yml"),
    workspace: site.workspace,
    event,
    secrets: {
      LANGSMITH_API_KEY: "test-key",
      CHAT_WEBHOOK: `http://127.0.0.1:${port}/hook`,
      ...secrets,
    },
    vars: site.vars,
    inputs: address,
    github: { sha: site.sha },
    ...(kill
      ? { onStart: ({ process: child }) => void untilFault(site).then(() => child.kill("SIGKILL")) }
      : {}),
  });
}

/** The outcome of each step that ran the Action; its log where it has none. */
const outcomes = ({ jobs }: WorkflowResult): string[] =>
  jobs.flatMap(({ steps }) =>
    steps.flatMap(({ run, outputs, log }) =>
      run === undefined ? [] : [outputs["outcome"] ?? log],
    ),
  );
const results = ({ jobs }: WorkflowResult): string[] => jobs.map(({ result }) => result);
const writesOf = ({ emulator }: Site): string[] =>
  emulator.writes().map((write) => write.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"));

/** Every deployment serves its latest revision, and there is one of each name. */
async function expectLive(name: string, site: Site): Promise<void> {
  const { resources } = await call(site, "GET", "/v2/deployments?limit=100");
  expect(resources.map((one: any) => one.name).sort()).toEqual([...WILD[name]!.names].sort());
  for (const one of resources) expect(one.active_revision_id).toBe(one.latest_revision_id);
}

const all = (name: string, outcome: string): string[] => WILD[name]!.names.map(() => outcome);

describe.each(Object.keys(WILD))("%s", (name) => {
  test("deploys first, writes nothing while nothing changed, and deploys one changed file", async () => {
    const site = await openSite(name);
    expect(outcomes(await runWild(name, site))).toEqual(all(name, "deployed"));
    await expectLive(name, site);
    const again = await runWild(name, site);
    expect([outcomes(again), writesOf(site)]).toEqual([all(name, "unchanged"), []]);
    const { change, changeElsewhere, writes } = WILD[name]!;
    changeElsewhere?.(site);
    if (changeElsewhere !== undefined) {
      const elsewhere = await runWild(name, site);
      expect([outcomes(elsewhere), writesOf(site)]).toEqual([all(name, "unchanged"), []]);
    }
    change(site);
    expect(outcomes(await runWild(name, site))).toEqual(all(name, "deployed"));
    expect(writesOf(site)).toEqual(writes);
    await expectLive(name, site);
  });

  test("fails if the build fails, keeps what was live, and deploys the next change", async () => {
    const site = await openSite(name);
    await runWild(name, site);
    const before = await call(site, "GET", "/v2/deployments");
    WILD[name]!.change(site);
    site.emulator.emulator.addRevisionRules([
      { outcome: "build-failed", status_message: "no module named graph" },
    ]);
    const red = await runWild(name, site);
    expect(outcomes(red)).toEqual(["failed"]);
    expect(results(red)[0]).toBe("failure");
    const after = await call(site, "GET", "/v2/deployments");
    expect(after.resources.map((one: any) => one.active_revision_id)).toEqual(
      before.resources.map((one: any) => one.active_revision_id),
    );
    const next = await runWild(name, site);
    expect(outcomes(next)).toEqual(all(name, "deployed"));
    await expectLive(name, site);
  });

  test("reads or repeats if the answer to the main request is lost, and deploys once", async () => {
    const site = await openSite(name);
    const { carrier } = WILD[name]!;
    site.emulator.emulator.addFaults([{ route: carrier, kind: "reset-after" }]);
    const run = await runWild(name, site);
    expect([results(run), outcomes(run)]).toEqual([all(name, "success"), all(name, "deployed")]);
    expect(site.emulator.emulator.faults()[0]).toMatchObject({ met: 1 });
    await expectLive(name, site);
    for (const { id } of (await call(site, "GET", "/v2/deployments")).resources) {
      const { resources } = await call(site, "GET", `/v2/deployments/${id}/revisions`);
      expect(resources.filter((one: any) => one.source === "internal_source")).toHaveLength(
        WILD[name]!.carrier === UPLOAD ? 1 : 0,
      );
    }
  });

  test("is completed by the next run if it was killed in the middle", async () => {
    const site = await openSite(name);
    const { carrier } = WILD[name]!;
    site.emulator.emulator.addFaults([
      { route: carrier, kind: "delay", ms: 2_000, when: "before" },
    ]);
    const killed = await runWild(name, site, true);
    expect(results(killed)[0]).toBe("failure");
    site.emulator.emulator.clearFaults();
    expect(outcomes(await runWild(name, site))).toEqual(all(name, "deployed"));
    await expectLive(name, site);
    expect(outcomes(await runWild(name, site))).toEqual(all(name, "unchanged"));
  });
});

test("the optional secrets that are set are sent under their own names, and no others are", async () => {
  const site = await openSite("chat-langchain");
  await runWild("chat-langchain", site);
  const { resources } = await call(site, "GET", "/v2/deployments");
  expect(resources[0].secrets.map((one: any) => one.name)).toEqual([
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "LANGSMITH_PROMPT_KEY",
    "COHERE_API_KEY",
    "SENTRY_DSN",
    "AGENT_DEPLOY_SOURCE",
  ]);
});

test("pull requests of the monorepo deploy the preview, and do not touch production", async () => {
  const site = await openSite("orderly-industry");
  const { event } = WILD["cicd-pipeline-example"]!;
  const run = await runWorkflow({
    file: join(here, "orderly-industry", "deploy.yml"),
    workspace: site.workspace,
    event: event!,
    secrets: { LANGSMITH_API_KEY: "test-key", OPENAI_API_KEY: "openai-value" },
    vars: site.vars,
    inputs: { ...site.emulator.inputs },
  });
  expect(outcomes(run)).toEqual(["deployed"]);
  const { resources } = await call(site, "GET", "/v2/deployments");
  expect(resources.map((one: any) => one.name)).toEqual(["orderly-agents-preview"]);
});

test("a smoke test that fails in staging skips production, and the chat hears only of what was deployed", async () => {
  const name = "mcp-server-langgraph";
  const site = await openSite(name);
  messages.length = 0;
  await runWild(name, site);
  expect(messages).toEqual([expect.stringMatching(/^mcp-server: deployed https?:/)]);
  expect(git(site, "tag")).toBe("deployed");
  site.workspace.write("agent.py", "2");
  site.workspace.write("smoke.sh", "exit 1\n");
  const red = await runWild(name, site);
  expect([results(red), outcomes(red)]).toEqual([["failure", "skipped"], ["failed"]]);
  expect(messages).toHaveLength(1);
});

test("a deployment ID that does not exist creates nothing", async () => {
  const site = await openSite("threadplane");
  site.vars["LANGGRAPH_DEPLOYMENT_ID"] = "11111111-2222-4333-8444-555555555555";
  const run = await runWild("threadplane", site);
  expect(results(run)).toEqual(["failure"]);
  expect(writesOf(site)).toEqual([]);
});
