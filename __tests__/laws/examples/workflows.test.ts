import { answersOf } from "../../../scripts/realworld/answers.mjs";
import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { blocksOf } from "../../docs/documents.ts";
import { startChild } from "../../support/child.ts";
import { runCli } from "../../support/cli-run.ts";
import { startTestEmulator, type TestEmulator } from "../../support/emulator-process.ts";
import { startConnectProxy } from "../../survive/process/front.ts";
import { createTree, repositoryRoot, type Tree } from "../../support/tree.ts";
import {
  runWorkflow,
  type WorkflowRequest,
  type WorkflowResult,
} from "../../support/workflow-runner.ts";

const example = (name: string): string =>
  readFileSync(join(repositoryRoot, "examples", name), "utf8");
const workflow = (name: string): string => join(repositoryRoot, "examples/workflows", name);
const secrets = {
  AGENT_DEPLOY_API_KEY: "test-key",
  OPENAI_API_KEY: "sk-test-value",
  SEARCH_DB_URL: "postgres://db.example.com/search",
};
/** The README's own spec: each recipe has to work with it unchanged. */
const first = example("specs/first.yml");
const search = example("agent-deploy.yml").split("\n---\n")[1]!;
const image = (digit: string): string =>
  `registry.example.com/acme/search@sha256:${digit.repeat(64)}`;

function request(
  emulator: TestEmulator,
  workspace: Tree,
  name: string,
  event: WorkflowRequest["event"],
  more: Partial<WorkflowRequest> = {},
): WorkflowRequest {
  const { "api-key": _, ...address } = emulator.inputs;
  return { file: workflow(name), workspace, secrets, inputs: address, event, ...more };
}

/** What each step that ran the Action came to; the log is in the failure's text when a test expects otherwise. */
function ends(result: WorkflowResult): string[] {
  return result.jobs.flatMap(({ id, result: end, steps }) => [
    `${id}: ${end}`,
    ...steps.flatMap(({ run, outputs, log }) =>
      run === undefined ? [] : [outputs["outcome"] ?? log],
    ),
  ]);
}

function commands(
  workspace: Tree,
  scripts: Readonly<Record<string, string>>,
): Record<string, string> {
  for (const [name, text] of Object.entries(scripts))
    chmodSync(workspace.write(`bin/${name}`, `#!/usr/bin/env bash\n${text}\n`), 0o755);
  return { PATH: `${join(workspace.path, "bin")}:${process.env["PATH"] ?? ""}` };
}

const evalScript = 'cat "$(dirname "$0")/answers.jsonl"';

describe("preview.yml", () => {
  const head = {
    ref: "topic",
    sha: "2".repeat(40),
    repo: { full_name: "acme/agents", fork: false },
  };
  const event = (action: string, from = head) => ({
    name: "pull_request",
    payload: {
      action,
      number: 7,
      pull_request: {
        number: 7,
        head: from,
        base: { ref: "main", repo: { full_name: "acme/agents" } },
      },
      repository: { full_name: "acme/agents" },
    },
  });
  const github = { ref: "refs/pull/7/merge", head_ref: "topic" };

  test("deploys the branch of a pull request under its own name, follows its commits, deletes the deployment on close, and deploys it again", async () => {
    const emulator = await startTestEmulator();
    const pushTo = (commit: string): unknown =>
      emulator.emulator.push({
        repo_url: "https://git.example.com/acme/agents",
        ref: "topic",
        commit,
      });
    pushTo(head.sha);
    const workspace = createTree({ "deploy/preview.yml": example("specs/preview.yml") });
    expect(
      ends(
        await runWorkflow(request(emulator, workspace, "preview.yml", event("opened"), { github })),
      ),
    ).toEqual(["preview: success", "deployed"]);
    const next = { ...head, sha: "3".repeat(40) };
    pushTo(next.sha);
    expect(
      ends(
        await runWorkflow(
          request(emulator, workspace, "preview.yml", event("synchronize", next), { github }),
        ),
      ),
    ).toEqual(["preview: success", "deployed"]);
    expect(
      ends(
        await runWorkflow(
          request(emulator, workspace, "preview.yml", event("closed", next), { github }),
        ),
      ),
    ).toEqual(["preview: success", "updated"]);
    // A name is free again only where its traces went too.
    expect(
      ends(
        await runWorkflow(
          request(emulator, workspace, "preview.yml", event("reopened", next), { github }),
        ),
      ),
    ).toEqual(["preview: success", "deployed"]);
    expect(emulator.writes().map((write) => write.replace(/[0-9a-f-]{36}/, "{id}"))).toEqual([
      "POST /v2/deployments",
      "PATCH /v2/deployments/{id}",
      "DELETE /v2/deployments/{id}",
      "POST /v2/deployments",
    ]);
  });

  test("skips the pull request of a fork", async () => {
    const emulator = await startTestEmulator();
    const fork = { ...head, repo: { full_name: "stranger/agents", fork: true } };
    expect(
      ends(
        await runWorkflow(
          request(emulator, createTree(), "preview.yml", event("opened", fork), { github }),
        ),
      ),
    ).toEqual(["preview: skipped"]);
  });
});

describe("eval-gate.yml", () => {
  test("judges a pull request without key, spec or env", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({
      "evals/run.sh": evalScript,
      "evals/answers.jsonl": answersOf(2),
    });
    const run = (): Promise<WorkflowResult> =>
      runWorkflow({
        file: workflow("eval-gate.yml"),
        workspace,
        event: { name: "pull_request", payload: { action: "opened" } },
      });
    const good = (await run()).jobs[0]!;
    expect([good.result, good.steps.at(-1)!.outputs["verdict"]]).toEqual(["success", "pass"]);
    workspace.write("evals/answers.jsonl", answersOf(20));
    const bad = (await run()).jobs[0]!;
    expect([bad.result, bad.steps.at(-1)!.outputs["verdict"]]).toEqual(["failure", "fail"]);
    expect(emulator.emulator.requests()).toEqual([]);
  });
});

describe("the README's gate", () => {
  test("judges promptfoo's results even though promptfoo exits with an error, without key or spec", async () => {
    const text = blocksOf("README.md").filter(({ info }) => info[0] === "yaml")[2]!.text;
    const workspace = createTree({ "gate.yml": text });
    const env = commands(workspace, { npx: 'cp stored.json "$4"; exit 100' });
    const run = async (stored: string): Promise<readonly string[]> => {
      const file = `__tests__/experiment/producers/files/promptfoo-0.121.2/${stored}/results.jsonl`;
      const lines = readFileSync(join(repositoryRoot, file), "utf8").trim().split("\n");
      const results = lines.map((line) => JSON.parse(line));
      workspace.write("stored.json", JSON.stringify({ results: { version: 3, results } }));
      const { jobs } = await runWorkflow({
        file: join(workspace.path, "gate.yml"),
        workspace,
        event: { name: "pull_request", payload: { action: "opened" } },
        env,
      });
      return [jobs[0]!.result, jobs[0]!.steps.at(-1)!.outputs["verdict"]!];
    };
    expect(await run("worse")).toEqual(["failure", "fail"]);
    expect(await run("a")).toEqual(["success", "pass"]);
  });
});

describe("gate.yml", () => {
  const pull = {
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
  };

  function checkout(): Tree {
    return createTree({
      "agent-deploy.yml": first,
      "evals/gates.yml": example("evals/gates.yml"),
      "evals/run.sh": evalScript,
      "evals/answers.jsonl": answersOf(2),
    });
  }

  test("deploys a good change against the accepted baseline, and blocks a worse one before anything is written", async () => {
    const emulator = await startTestEmulator();
    const workspace = checkout();
    const run = (
      event: Parameters<typeof request>[3],
      more: object = {},
    ): Promise<WorkflowResult> =>
      runWorkflow(request(emulator, workspace, "gate.yml", event, more));
    // Without a baseline nothing is deployed: nobody has accepted anything yet.
    expect(ends(await run({ name: "push" }))).toEqual(["gate: failure", "blocked"]);
    expect((await run({ name: "workflow_dispatch" })).jobs[0]!.result).toBe("success");
    expect(emulator.writes()).toEqual([]);
    workspace.write("evals/baseline.json", workspace.read("out/baseline.json"));
    workspace.write("evals/answers.jsonl", answersOf(1));
    expect(ends(await run({ name: "push" }))).toEqual(["gate: success", "deployed"]);
    expect(emulator.writes()).toEqual([
      "POST /v2/deployments",
      "POST /api/v1/datasets/upload-experiment",
    ]);

    workspace.write("evals/answers.jsonl", answersOf(20));
    workspace.write("agent-deploy.yml", first.replace("langgraph.json", "other/langgraph.json"));
    const worse = await run(pull, { github: { ref: "refs/pull/7/merge" } });
    expect(worse.jobs[0]!.result).toBe("failure");
    expect(worse.jobs[0]!.steps.find(({ name }) => name === "Judge")!.outputs["gate-verdict"]).toBe(
      "fail",
    );
    expect(ends(await run({ name: "push" }))).toEqual(["gate: failure", "blocked"]);
    expect(emulator.writes()).toHaveLength(2);
  });
});

describe("evals against the fresh revision", () => {
  const twice = async (
    name: string,
  ): Promise<{ emulator: TestEmulator; first: string[]; second: WorkflowResult }> => {
    const emulator = await startTestEmulator();
    const workspace = createTree({
      "agent-deploy.yml": first,
      "evals/run.sh": evalScript,
      "evals/answers.jsonl": answersOf(1),
    });
    const run = () => runWorkflow(request(emulator, workspace, name, { name: "push" }));
    const good = ends(await run());
    workspace.write("agent-deploy.yml", first.replace("langgraph.json", "other/langgraph.json"));
    workspace.write("evals/answers.jsonl", answersOf(30));
    return {
      emulator,
      first: good,
      second: await run(),
    };
  };
  const rolledBack = (emulator: TestEmulator): boolean =>
    emulator.writes().at(-1)!.endsWith("/redeploy");

  test("evals-after.yml uploads and gates what verify made, and rolls back if the gate fails", async () => {
    const { emulator, first, second } = await twice("evals-after.yml");
    expect(first).toEqual(["deploy: success", "deployed"]);
    expect(ends(second)).toEqual(["deploy: failure", "deployed"]);
    expect(second.jobs[0]!.steps.at(-1)!.outputs["gate-verdict"]).toBe("fail");
    expect(rolledBack(emulator)).toBe(true);
  });

  test("evals-later.yml does the same in a step of its own", async () => {
    const { emulator, first, second } = await twice("evals-later.yml");
    expect(first.slice(0, 2)).toEqual(["deploy: success", "deployed"]);
    expect(second.jobs[0]!.result).toBe("failure");
    expect(second.jobs[0]!.steps.at(-1)!.outputs["gate-verdict"]).toBe("fail");
    expect(rolledBack(emulator)).toBe(true);
  });
});

test("evals-later.yml evaluates again after its evals broke, even if nothing is deployed", async () => {
  const emulator = await startTestEmulator();
  const workspace = createTree({ "agent-deploy.yml": first, "evals/run.sh": "exit 1" });
  const run = () => runWorkflow(request(emulator, workspace, "evals-later.yml", { name: "push" }));
  expect((await run()).jobs[0]!.result).toBe("failure");
  workspace.write("evals/run.sh", evalScript);
  workspace.write("evals/answers.jsonl", answersOf(30));
  const again = await run();
  expect(ends(again).slice(0, 2)).toEqual(["deploy: failure", "unchanged"]);
  expect(again.jobs[0]!.steps.at(-1)!.outputs["gate-verdict"]).toBe("fail");
});

describe("rollback.yml", () => {
  test("redeploys the revision that was active before", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": first });
    const run = (name: string, event = "push") =>
      runWorkflow(request(emulator, workspace, name, { name: event }));
    expect(ends(await run("deploy.yml"))).toEqual(["deploy: success", "deployed"]);
    workspace.write("agent-deploy.yml", first.replace("langgraph.json", "other/langgraph.json"));
    expect(ends(await run("deploy.yml"))).toEqual(["deploy: success", "deployed"]);
    expect(ends(await run("rollback.yml", "workflow_dispatch"))).toEqual([
      "rollback: success",
      "deployed",
    ]);
    expect(emulator.writes().at(-1)).toMatch(/\/redeploy$/);
  });
});

describe("notify.yml", () => {
  test("posts the outcome and the address to a chat on success and failure, and nothing if nothing changed", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": first });
    const posts: unknown[] = [];
    const chat = createServer((incoming, answer) => {
      let body = "";
      incoming.on("data", (piece: Buffer) => (body += piece.toString()));
      incoming.on("end", () => {
        posts.push(JSON.parse(body));
        answer.end();
      });
    });
    await new Promise<void>((listening) => chat.listen(0, "127.0.0.1", listening));
    const { port } = chat.address() as AddressInfo;
    const run = () =>
      runWorkflow(
        request(
          emulator,
          workspace,
          "notify.yml",
          { name: "push" },
          { secrets: { ...secrets, CHAT_WEBHOOK: `http://127.0.0.1:${port}/hook` } },
        ),
      );
    try {
      const deployed = await run();
      expect(ends(deployed)).toEqual(["deploy: success", "deployed"]);
      const { url } = deployed.jobs[0]!.steps[1]!.outputs;
      const at = "http://127.0.0.1:1/acme/agents/actions/runs/1001";
      expect(url).toMatch(/^https?:/);
      expect(posts).toEqual([{ text: `deployed: ${at} ${url}` }]);
      expect(ends(await run())).toEqual(["deploy: success", "unchanged"]);
      expect(posts).toHaveLength(1);
      workspace.write("agent-deploy.yml", first.replace("langgraph.json", "other/langgraph.json"));
      emulator.emulator.addRevisionRules([{ outcome: "build-failed" }]);
      expect(ends(await run())).toEqual(["deploy: failure", "failed"]);
      expect(posts.at(-1)).toEqual({ text: expect.stringMatching(/^failed: /) });
    } finally {
      chat.close();
    }
  });
});

describe("shared.yml", () => {
  test("gates, plans a pull request, deploys a push, and returns the outcome if a repository calls it", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({
      "agent-deploy.yml": first,
      "evals/run.sh": evalScript,
      "evals/answers.jsonl": answersOf(1),
    });
    const run = (name: string, payload = {}): Promise<WorkflowResult> =>
      runWorkflow(
        request(
          emulator,
          workspace,
          "shared.yml",
          { name, payload },
          { called: { gates: "correctness >= 0.8" } },
        ),
      );
    const both = ({ jobs }: WorkflowResult): unknown[] =>
      jobs.map(({ result, outputs }) => [result, outputs["outcome"]]);
    const pull = { action: "opened", number: 7, repository: { full_name: "acme/agents" } };
    expect(both(await run("pull_request", pull))).toEqual([
      ["success", undefined],
      ["success", "planned"],
    ]);
    expect(emulator.writes()).toEqual([]);
    expect(both(await run("push"))).toEqual([
      ["success", undefined],
      ["success", "deployed"],
    ]);
    workspace.write("evals/answers.jsonl", answersOf(30));
    workspace.write("agent-deploy.yml", first.replace("langgraph.json", "other/langgraph.json"));
    expect(both(await run("push"))).toEqual([
      ["failure", undefined],
      ["skipped", undefined],
    ]);
    expect(emulator.writes()).toHaveLength(1);
  });
});

describe("drift.yml", () => {
  test("passes after a deploy of the same spec, and fails after somebody changed a secret's value by hand", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": first });
    const run = (name: string) =>
      runWorkflow(
        request(emulator, workspace, name, { name: name === "drift.yml" ? "schedule" : "push" }),
      );
    expect(ends(await run("deploy.yml"))).toEqual(["deploy: success", "deployed"]);
    expect(ends(await run("drift.yml"))).toEqual(["drift: success", "unchanged"]);
    const call = async (method: string, path: string, body?: object) =>
      (
        await fetch(emulator.url + path, {
          method,
          headers: { "x-api-key": "any", "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
      ).json();
    const { resources } = (await call("GET", "/v2/deployments")) as { resources: { id: string }[] };
    await call("PATCH", `/v2/deployments/${resources[0]!.id}`, {
      secrets: [{ name: "OPENAI_API_KEY", value: "another" }],
    });
    expect((await run("drift.yml")).jobs[0]!.result).toBe("failure");
  });
});

describe("examples/evals/run.sh", () => {
  test("asks an agent each question, and writes rows that the gate reads, including crashes", async () => {
    const agent = createServer((incoming, answer) => {
      let body = "";
      incoming.on("data", (piece: Buffer) => (body += piece.toString()));
      incoming.on("end", () => {
        const question = (JSON.parse(body) as { input: { messages: { content: string }[] } }).input
          .messages[0]!.content;
        if (question.includes("Spain")) answer.writeHead(500).end();
        else
          answer.end(
            JSON.stringify({
              messages: [
                { content: question.includes("France") ? "It is Paris." : "I do not know." },
              ],
            }),
          );
      });
    });
    await new Promise<void>((listening) => agent.listen(0, "127.0.0.1", listening));
    const { port } = agent.address() as AddressInfo;
    const script = join(repositoryRoot, "examples/evals/run.sh");
    const done = await startChild("bash", [script, `http://127.0.0.1:${port}`], {
      cwd: repositoryRoot,
      env: { PATH: process.env["PATH"] ?? "" },
    }).done;
    agent.close();
    const workspace = createTree({ "results.jsonl": done.stdout });
    const judged = await runCli(
      ["gate", "results.jsonl", "--gate", "correctness >= 0.8", "--json"],
      { workspace },
    );
    expect(judged.code).toBe(4);
    const [gate] = (JSON.parse(judged.stdout) as { gates: { n: number; verdict: string }[] }).gates;
    expect(gate).toMatchObject({ verdict: "fail" });
    expect(done.stdout).toContain('"error":"the agent answered 500"');
  });
});

describe("image.yml", () => {
  test("deploys the digest that the registry gave, and nothing if the same image is built again", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "deploy/production.yml": example("specs/production.yml") });
    const env = commands(workspace, {
      docker: `case "$1" in login) cat > /dev/null ;; image) echo ${image("a")} ;; esac`,
    });
    const run = () =>
      runWorkflow(
        request(
          emulator,
          workspace,
          "image.yml",
          { name: "push" },
          { env, github: { actor: "octocat", token: "" } },
        ),
      );
    expect(ends(await run())).toEqual(["deploy: success", "deployed"]);
    expect(
      JSON.stringify(emulator.emulator.requests().find(({ method }) => method === "POST")!.body),
    ).toContain(image("a"));
    expect(ends(await run())).toEqual(["deploy: success", "unchanged"]);
  });
});

describe("self-hosted.yml", () => {
  test("deploys and uploads through the address that is given, and no other", async () => {
    const emulator = await startTestEmulator();
    const proxy = await startConnectProxy({});
    const workspace = createTree({
      "agent-deploy.yml": search,
      "results.jsonl": '{"inputs":{"q":1},"evaluation_scores":[{"key":"a","score":1}]}\n',
    });
    const vars = { AGENT_DEPLOY_CONTROL_PLANE_URL: `${emulator.url}/api-host`, CA_FILE: "" };
    const result = await runWorkflow({
      file: workflow("self-hosted.yml"),
      workspace,
      secrets,
      vars,
      inputs: { "poll-interval": "20ms", experiment: "results.jsonl" },
      env: { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` },
      event: { name: "push" },
    });
    expect(ends(result)).toEqual(["deploy: success", "deployed"]);
    expect(emulator.writes()).toEqual([
      "POST /api-host/v2/deployments",
      "POST /api/v1/datasets/upload-experiment",
    ]);
    expect([proxy.tunnels, proxy.refused]).toEqual([[], []]);
  });
});

describe("promote.yml", () => {
  test("promotes staging to production by the plan that was shown, and asks for no approval if nothing changed", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({
      "deploy/staging.yml": example("specs/staging.yml"),
      "deploy/production.yml": example("specs/production.yml"),
    });
    const run = (digit: string) =>
      runWorkflow(
        request(
          emulator,
          workspace,
          "promote.yml",
          { name: "push" },
          { vars: { IMAGE: image(digit) } },
        ),
      );
    const first = await run("a");
    expect(ends(first)).toEqual([
      "staging: success",
      "deployed",
      "plan: success",
      "planned",
      "production: success",
      "deployed",
    ]);
    expect(first.jobs[1]!.outputs["fingerprint"]).toMatch(/^[0-9a-f]{64}$/);
    // The plan's job does not know the secret: the mark differs, what is wanted does not.
    const wanted = (fingerprint: string | undefined): string | undefined => fingerprint?.slice(32);
    expect(wanted(first.jobs[2]!.steps.at(-1)!.outputs["fingerprint"])).toBe(
      wanted(first.jobs[1]!.outputs["fingerprint"]),
    );
    expect(ends(await run("b"))).toEqual([
      "staging: success",
      "deployed",
      "plan: success",
      "planned",
      "production: success",
      "deployed",
    ]);
    expect(ends(await run("b"))).toEqual([
      "staging: success",
      "unchanged",
      "plan: success",
      "unchanged",
      "production: skipped",
    ]);
  });
});

describe("emulator.yml", () => {
  test("starts an emulator in the background, deploys to it, finds no drift, and stops it", async () => {
    const workspace = createTree({ "agent-deploy.yml": search });
    symlinkSync(repositoryRoot, join(workspace.path, "agent-deploy"));
    const result = await runWorkflow({
      file: workflow("emulator.yml"),
      workspace,
      inputs: { "poll-interval": "20ms" },
      event: { name: "pull_request", payload: { action: "opened" } },
    });
    expect({
      ends: ends(result),
      log: result.jobs[0]!.steps.map(({ log }) => log).join("\n"),
    }).toMatchObject({ ends: ["try: success", "deployed", "unchanged"] });
    expect(result.jobs[0]!.steps.at(-1)!.conclusion).toBe("success");
  });
});
