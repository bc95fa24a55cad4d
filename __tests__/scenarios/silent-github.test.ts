import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import {
  createDeployed,
  createStage,
  edit,
  expectEnd,
  REPOSITORY,
  THIS_COMMIT,
  type Stage,
} from "./stage.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A GitHub that takes every question, and answers those about commits never or with an ancestor. */
async function startGithub(
  answers: boolean,
): Promise<{ readonly url: string; readonly asked: string[]; readonly sockets: () => number }> {
  const asked: string[] = [];
  let sockets = 0;
  const server = createServer((request, response) => {
    asked.push(decodeURIComponent(String(request.url)));
    if (!answers) return;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: "ahead", files: [{ filename: "agents/a.py" }] }));
  });
  server.on("connection", () => sockets++);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, sockets: () => sockets };
}

const DEPLOYMENTS = 24;

/** As many agents, each of a branch that was built at a commit of its own, or all of one branch. */
async function deployAgents(branchOf: (agent: number) => string): Promise<Stage> {
  const agents = Array.from({ length: DEPLOYMENTS }, (_, agent) => agent);
  const spec = agents.map((agent) => {
    const named = edit(REPOSITORY, "name: support-agent", `name: agent-${agent}`);
    const built = edit(named, "repo_ref: main", `repo_ref: ${branchOf(agent)}`);
    return `${built}deploy: { paths: ["agents/**"] }\n`;
  });
  const heads = Object.fromEntries(
    agents.map(branchOf).map((branch) => [branch, commitOf(branch)]),
  );
  return createDeployed(spec.join("---\n"), {}, { heads });
}

const commitOf = (branch: string): string =>
  branch === "main" ? THIS_COMMIT : createHash("sha1").update(branch).digest("hex");

async function planAgainst(stage: Stage, github: { readonly url: string }) {
  return stage.run(
    {
      command: "plan",
      commit: "2".repeat(40),
      timeout: "1s",
      "github-token": "gh-test-token",
      comment: "never",
    },
    { env: { GITHUB_API_URL: github.url } },
  );
}

test("if GitHub hangs, the commits of many deployments count as newer after the first unanswered requests", async () => {
  const stage = await deployAgents((agent) => `release-${agent}`);
  const github = await startGithub(false);
  const run = await planAgainst(stage, github);
  expectEnd(run, { outcome: "planned" });
  expect(run.stdout.match(/could not be read: it counts as newer/gu)!.length).toBeGreaterThan(0);
  // Eight deployments are read side by side.
  expect(new Set(github.asked).size).toBeLessThanOrEqual(8);
});

test("deployments of one commit share a request, and requests share connections", async () => {
  const one = await startGithub(true);
  expectEnd(await planAgainst(await deployAgents(() => "main"), one), { outcome: "planned" });
  expect(one.asked.filter((path) => path.includes("/compare/"))).toHaveLength(1);

  const many = await startGithub(true);
  const stage = await deployAgents((agent) => `release-${agent}`);
  expectEnd(await planAgainst(stage, many), { outcome: "planned" });
  expect(many.asked).toHaveLength(DEPLOYMENTS);
  expect(many.sockets()).toBeLessThanOrEqual(8);
});

test("if GitHub hangs at the end of a run, the run waits at most `timeout` and keeps its outcome", async () => {
  const stage = await createStage(REPOSITORY);
  const github = await startGithub(false);
  const run = await stage.run(
    { timeout: "1s", environment: "production", "github-token": "gh-test-token" },
    { env: { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "acme/agents" } },
  );
  expectEnd(run, { outcome: "deployed" });
  const warned = [...run.stdout.matchAll(/no answer within (\d+(?:\.\d+)?) s/gu)];
  expect(warned.length).toBeGreaterThan(0);
  // Not the fifteen seconds that a request may take by itself.
  expect(Math.max(...warned.map(([, seconds]) => Number(seconds)))).toBeLessThanOrEqual(2);
});

/** A GitHub that refuses whatever it is asked. */
async function startRefusing(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ message }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const warningsOf = ({ stdout }: { readonly stdout: string }): string[] =>
  stdout.split("\n").filter((line) => line.startsWith("::warning"));
const pull = {
  name: "pull_request",
  payload: { number: 7, pull_request: { number: 7, head: { repo: { full_name: "acme/agents" } } } },
};

const LIMITED = "GitHub's rate limit was reached";

test.each([
  [LIMITED, "Retry-After", 403, "Please wait", { "retry-after": "600" }],
  [
    LIMITED,
    "no requests left",
    403,
    "Forbidden",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" },
  ],
  [LIMITED, "its words", 403, "You have exceeded a secondary rate limit.", {}],
  [LIMITED, "429", 429, "Slow down", { "retry-after": "600" }],
  ["GitHub does not accept `github-token`", "401", 401, "Bad credentials", {}],
])(
  "every warning says %s, known by %s, and none names a permission",
  async (words, _, status, message, headers) => {
    const stage = await createStage(REPOSITORY);
    const url = await startRefusing(status, message, headers as Readonly<Record<string, string>>);
    const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: "acme/agents" };
    const inputs = { environment: "prod", "github-token": "gh-test-token", timeout: "20s" };
    const runs = [
      await stage.run({ ...inputs, command: "plan", "drift-issue": "true" }, { env, event: pull }),
      await stage.run(inputs, { env, event: pull }),
      await stage.run({ command: "plan", "github-token": "gh-test-token" }, { env }),
    ];
    const warned = runs.flatMap(warningsOf);
    const isTold = [
      "drift issue",
      "pull request comment",
      "GitHub Deployment was",
      "of this commit",
    ];
    for (const what of isTold) {
      const line = warned.find((one) => one.includes(what));
      expect([what, line]).toEqual([what, expect.stringContaining(words)]);
    }
    expect(warned.filter((line) => /permissions?:/u.test(line))).toEqual([]);
  },
);
