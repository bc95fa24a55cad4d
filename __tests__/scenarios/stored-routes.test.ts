import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { startProxy, type Passing, type Passed } from "../support/service-proxy.ts";
import { createTree } from "../support/tree.ts";

const TIME = "2026-11-01T10:00:00Z";
const DATASET = "acme/agents/results";
const EXAMPLES = 130;
const [OLD, BASE, NEWER, HEAD] = ["a", "b", "c", "d"].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
];

const rows = Array.from({ length: EXAMPLES }, (_, i) => ({
  inputs: { question: `question ${i}` },
  evaluation_scores: [{ key: "correctness", score: i % 2 }],
}));

async function store(url: string, name: string, commit: string): Promise<void> {
  const marker = { version: 1, commit, branch: "main", complete: true, rows: EXAMPLES };
  const reply = await fetch(`${url}/api/v1/datasets/upload-experiment`, {
    method: "POST",
    headers: { "x-api-key": "test-key", "content-type": "application/json" },
    body: JSON.stringify({
      experiment_name: name,
      experiment_start_time: TIME,
      experiment_end_time: TIME,
      dataset_name: DATASET,
      experiment_metadata: { agent_deploy: marker },
      results: rows.map((row) => ({ ...row, start_time: TIME, end_time: TIME })),
    }),
  });
  expect(reply.status).toBe(200);
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** GitHub's compare of a line of commits: OLD, BASE, HEAD; NEWER came after BASE on main. */
async function startGithub(): Promise<string> {
  const asked: Record<string, unknown> = {
    [`main...${HEAD}`]: { status: "diverged", merge_base_commit: { sha: BASE } },
    [`${NEWER}...${BASE}`]: { status: "behind" },
    [`${OLD}...${BASE}`]: {
      status: "ahead",
      ahead_by: 1,
      commits: [{ sha: BASE }],
    },
  };
  const server = createServer((request, response) => {
    const compared = decodeURIComponent(String(request.url).split("/compare/")[1] ?? "");
    const found = asked[compared.split("?")[0]!];
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? { message: "Not Found" }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function judge(
  handle: (passing: Passing) => Promise<Passed>,
  {
    baseline = "experiment:auto",
    later = [] as readonly string[],
    env = {} as Readonly<Record<string, string>>,
  } = {},
): Promise<{ readonly code: number | null; readonly stderr: string; readonly report: any }> {
  const service = await startTestEmulator();
  await store(service.url, "old", OLD);
  for (const commit of [NEWER, ...later]) await store(service.url, `of ${commit}`, commit);
  const url = await startProxy(service.url, handle);
  const github = await startGithub();
  const workspace = createTree({ "results.json": JSON.stringify(rows) });
  const args = ["gate", "results.json", "--gate", "correctness drop <= 0.05", "--json"];
  const run = await runCli([...args, "--baseline", baseline], {
    workspace,
    env: {
      ...service.env,
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "acme/agents",
      GITHUB_SERVER_URL: github,
      GITHUB_API_URL: github,
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_BASE_REF: "main",
      GITHUB_SHA: HEAD,
      GITHUB_TOKEN: "gh-test-token",
      ...env,
    },
  });
  const report = run.stdout.trim() === "" ? {} : JSON.parse(run.stdout);
  return { code: run.code, stderr: run.stderr, report };
}

test("without a checkout GitHub's compare API finds the run that a pull request is based on", async () => {
  const { code, report } = await judge(({ forward }) => forward());
  expect([code, report.baseline]).toEqual([
    0,
    expect.objectContaining({ file: "experiment:old", state: "used", rows: EXAMPLES }),
  ]);
});

test("a missing baseline suggests a deeper checkout if GitHub was not asked about every run", async () => {
  const later = Array.from({ length: 60 }, (_, at) => `e${String(at).padStart(39, "0")}`);
  const { report, stderr } = await judge(({ forward }) => forward(), { later });
  expect(report.baseline.state).toBe("no-baseline");
  expect(report.baseline.message).toContain("check out with fetch-depth: 0");
  expect(stderr).toContain("There is no baseline to compare with. Check out with fetch-depth: 0");
});

test("outside GitHub a history that cannot be read is requested in that CI's terms", async () => {
  const env = {
    GITHUB_ACTIONS: "",
    GITLAB_CI: "true",
    CI_COMMIT_SHA: HEAD,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
    CI_PROJECT_URL: "https://git.example.com/acme/agents",
  };
  const { report, stderr } = await judge(({ forward }) => forward(), { env });
  expect(report.baseline.state).toBe("no-baseline");
  expect(stderr).toContain(
    "There is no baseline to compare with. Give the job the variable GIT_DEPTH",
  );
  expect(stderr).not.toContain("fetch-depth");
});

test("a service with only the cursor route gives the same rows", async () => {
  const { report, stderr } = await judge(({ method, path, forward }) =>
    method === "POST" && /\/datasets\/[^/]+\/runs$/.test(path)
      ? Promise.resolve({ status: 405, body: JSON.stringify({ detail: "Method Not Allowed" }) })
      : forward(),
  );
  expect([report.baseline.rows, stderr]).toEqual([
    EXAMPLES,
    expect.stringContaining("130 of 130 examples shared"),
  ]);
});

test("the cursor route is asked for the fields that gates read, since it returns only ids by default", async () => {
  const asked: string[][] = [];
  const { report } = await judge(async ({ method, path, body, forward }) => {
    if (method === "POST" && /\/datasets\/[^/]+\/runs$/.test(path))
      return { status: 405, body: JSON.stringify({ detail: "Method Not Allowed" }) };
    if (path.endsWith("/experiment-runs")) asked.push(JSON.parse(String(body)).selects);
    return forward();
  });
  expect(report.baseline.rows).toBe(EXAMPLES);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked[0]).toEqual(expect.arrayContaining(["FEEDBACK_STATS", "INPUTS", "ERROR"]));
  expect(report.gates[0]).toMatchObject({ n: EXAMPLES });
});

test("two datasets with the same name are no baseline, with both ids and the flag to use", async () => {
  const { report } = await judge(async ({ method, path, forward }) => {
    const passed = await forward();
    if (method !== "GET" || path !== "/api/v1/datasets") return passed;
    const [one] = JSON.parse(String(passed.body)) as { id: string }[];
    const duplicate = { ...one, id: "00000000-0000-4000-8000-000000000001" };
    return { ...passed, body: JSON.stringify(one === undefined ? [] : [one, duplicate]) };
  });
  expect(report.baseline.state).toBe("no-baseline");
  expect(report.baseline.message).toMatch(/2 datasets named .*00000000-0000.*say --dataset-id/);
});

test("a service without either route fails the run, with advice", async () => {
  const { code, stderr } = await judge(
    ({ method, forward }) =>
      method === "POST"
        ? Promise.resolve({ status: 404, body: JSON.stringify({ detail: "Not Found" }) })
        : forward(),
    { baseline: "experiment:old" },
  );
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("give the file of its results instead"),
  ]);
});

test("if the service does not count rows, a warning says so", async () => {
  const { report, stderr } = await judge(
    async ({ path, forward }) => {
      const passed = await forward();
      if (!path.startsWith("/api/v1/sessions")) return passed;
      const uncounted = (session: object): object => ({ ...session, run_count: null, extra: null });
      const body: object = JSON.parse(String(passed.body));
      return {
        ...passed,
        body: JSON.stringify(Array.isArray(body) ? body.map(uncounted) : uncounted(body)),
      };
    },
    { baseline: "experiment:old" },
  );
  expect(report.gates[0]).toMatchObject({ n: EXAMPLES });
  expect(stderr).toContain("the service does not say how many rows experiment old has");
});
