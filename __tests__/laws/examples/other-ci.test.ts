import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { load, loadAll } from "js-yaml";
import { startChild, type Child, type Finished } from "../../support/child.ts";
import { startTestEmulator, type TestEmulator } from "../../support/emulator-process.ts";
import { findRepeats } from "../../support/repeats.ts";
import { createTree, repositoryRoot, type Tree } from "../../support/tree.ts";

const text = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const cli = join(repositoryRoot, "dist/cli.js");
const search = text("examples/agent-deploy.yml").split("\n---\n")[1]!;
const base = {
  PATH: process.env["PATH"] ?? "",
  AGENT_DEPLOY_CLI: cli,
  SEARCH_DB_URL: "postgres://user:s3cr3t-value@db.example.com/search",
};

type Job = {
  readonly extends?: string;
  readonly variables?: Record<string, string>;
  readonly before_script?: string[];
  readonly script: string[];
  readonly artifacts: { readonly paths: string[]; readonly reports: Record<string, string> };
};

interface Header {
  readonly spec: { readonly inputs: Readonly<Record<string, { readonly default: string }>> };
}

/**
 * A job of the component as GitLab would run it: inputs put in, `extends` laid under, variables of
 * variables expanded, all lines in one bash.
 */
function runGitlabJob(
  name: string,
  workspace: Tree,
  env: Readonly<Record<string, string>>,
): Promise<Finished> {
  const source = text("templates/agent-deploy.yml");
  const { spec } = loadAll(source)[0] as Header;
  const filled = source.replace(
    /\$\[\[ inputs\.(\w+) \]\]/g,
    (_, input: string) => spec.inputs[input]!.default || '""',
  );
  const jobs = loadAll(filled)[1] as Record<string, Job>;
  const job = { ...jobs[jobs[name]!.extends!], ...jobs[name]! };
  const variables = Object.fromEntries(
    Object.entries(job.variables ?? {}).map(([key, value]) => [
      key,
      String(value).replace(/^\$(\w+)$/, (_, known: string) => env[known] ?? ""),
    ]),
  );
  return startChild(
    "bash",
    ["-eo", "pipefail", "-c", [...(job.before_script ?? []), ...job.script].join("\n")],
    { cwd: workspace.path, env: { ...base, HOME: workspace.path, ...variables, ...env } },
  ).done;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Notes of one merge request, as GitLab's API has them; 150 of other people come first. */
async function startGitlab(): Promise<{
  env: Record<string, string>;
  notes: { id: number; body: string }[];
  calls: string[];
}> {
  const notes = Array.from({ length: 150 }, (_, at) => ({ id: at, body: "looks good" }));
  const calls: string[] = [];
  const server = createServer((request, response) => {
    let sent = "";
    request
      .on("data", (chunk) => {
        sent += String(chunk);
      })
      .on("end", () => {
        const url = new URL(request.url!, "http://gitlab");
        const answer = (status: number, body: unknown): void => {
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(JSON.stringify(body));
        };
        calls.push(`${request.method} ${url.pathname}`);
        if (request.headers["private-token"] !== "glpat-test") return answer(401, {});
        if (request.method === "GET") {
          const page = Number(url.searchParams.get("page"));
          return answer(200, notes.slice((page - 1) * 100, page * 100));
        }
        const { body } = JSON.parse(sent) as { body: string };
        if (request.method === "POST") {
          notes.push({ id: notes.length, body });
          return answer(201, {});
        }
        notes.find(({ id }) => id === Number(url.pathname.split("/").at(-1)))!.body = body;
        return answer(200, {});
      });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: "12",
      CI_MERGE_REQUEST_IID: "7",
      CI_JOB_NAME: "agent-deploy-plan",
      CI_COMMIT_SHA: "2".repeat(40),
    },
    notes,
    calls,
  };
}

const reach = (emulator: TestEmulator): Record<string, string> => ({
  ...emulator.env,
  CI_COMMIT_SHA: "2".repeat(40),
});

describe("the GitLab component", () => {
  test("has the parts that GitLab requires: inputs in a header, jobs below, artefact reports", () => {
    const [header, jobs] = loadAll(text("templates/agent-deploy.yml")) as [
      Header,
      Record<string, Job>,
    ];
    expect(Object.values(header.spec.inputs).every((input) => "default" in input)).toBe(true);
    expect(jobs["agent-deploy-plan"]!.artifacts.reports).toEqual({
      terraform: "agent-deploy-widget.json",
    });
    expect(jobs["agent-deploy"]!.artifacts.reports).toEqual({ dotenv: "agent-deploy.env" });
    expect(
      (load(text("examples/ci/gitlab-ci.yml")) as { include: { component: string }[] }).include[0]!
        .component,
    ).toContain("/agent-deploy@");
  });

  test("plans into one note of the merge request, which later runs edit, and into the widget", async () => {
    const [emulator, gitlab] = await Promise.all([startTestEmulator(), startGitlab()]);
    const workspace = createTree({ "agent-deploy.yml": search });
    const env = { ...reach(emulator), ...gitlab.env, AGENT_DEPLOY_GITLAB_TOKEN: "glpat-test" };
    const first = await runGitlabJob("agent-deploy-plan", workspace, env);
    expect(first).toMatchObject({ code: 0 });
    expect(JSON.parse(workspace.read("agent-deploy-widget.json"))).toEqual({
      create: 1,
      update: 0,
      delete: 0,
    });
    expect(gitlab.notes).toHaveLength(151);
    expect(gitlab.notes.at(-1)!.body).toMatch(/\n### 📝 `search-agent` would be created with/);
    expect(gitlab.notes.at(-1)!.body).not.toContain("s3cr3t-value");
    await runGitlabJob("agent-deploy-plan", workspace, { ...env, CI_COMMIT_SHA: "3".repeat(40) });
    expect(gitlab.notes).toHaveLength(151);
    const { body } = gitlab.notes.at(-1)!;
    expect(body.split("commit `3333333`")).toHaveLength(2);
    expect(findRepeats(body)).toEqual([]);
    expect(emulator.writes()).toEqual([]);
  });

  test("writes no note without a token, says so, and keeps the plan as an artefact", async () => {
    const [emulator, gitlab] = await Promise.all([startTestEmulator(), startGitlab()]);
    const workspace = createTree({ "agent-deploy.yml": search });
    const run = await runGitlabJob("agent-deploy-plan", workspace, {
      ...reach(emulator),
      ...gitlab.env,
    });
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no note: AGENT_DEPLOY_GITLAB_TOKEN is not set") as unknown,
    });
    expect(gitlab.calls).toEqual([]);
    expect(workspace.read("agent-deploy.txt")).toContain("search-agent");
  });

  test("fails with the exit code of a bad spec, even with a refused token", async () => {
    const [emulator, gitlab] = await Promise.all([startTestEmulator(), startGitlab()]);
    const workspace = createTree({ "agent-deploy.yml": "name: [" });
    const env = { ...reach(emulator), ...gitlab.env };
    expect(
      await runGitlabJob("agent-deploy-plan", workspace, {
        ...env,
        AGENT_DEPLOY_GITLAB_TOKEN: "glpat-test",
      }),
    ).toMatchObject({ code: 2 });
    expect(gitlab.notes.at(-1)!.body).toContain("agent-deploy.yml:1");
    const run = await runGitlabJob("agent-deploy-plan", workspace, {
      ...env,
      AGENT_DEPLOY_GITLAB_TOKEN: "wrong",
    });
    expect(run).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("needs the scope api") as unknown,
    });
  });

  test("runs the archive of a release, but only one with the given checksum", async () => {
    const folder = createTree();
    const archive = `${folder.path}/agent-deploy.tgz`;
    const packed = startChild("tar", ["-czf", archive, "dist", "package.json"], {
      cwd: repositoryRoot,
      env: base,
    });
    expect(await packed.done).toMatchObject({ code: 0 });
    const bytes = readFileSync(archive);
    const server = createServer((_, response) => response.end(bytes));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": search });
    const env = {
      CI_COMMIT_SHA: "2".repeat(40),
      AGENT_DEPLOY_API_KEY: "test-key",
      AGENT_DEPLOY_URL_GIVEN: emulator.url,
      AGENT_DEPLOY_CLI: "",
      AGENT_DEPLOY_ARCHIVE: `http://127.0.0.1:${port}/agent-deploy.tgz`,
    };
    const sum = createHash("sha256").update(bytes).digest("hex");
    const plan = (sha256: string): Promise<Finished> =>
      runGitlabJob("agent-deploy-plan", workspace, { ...env, AGENT_DEPLOY_SHA256: sha256 });
    expect(await plan(sum)).toMatchObject({ code: 0 });
    const refused = await plan("0".repeat(64));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(sum)]);
  });

  test("deploys on the default branch and passes ids to later jobs", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": search });
    const run = await runGitlabJob("agent-deploy", workspace, reach(emulator));
    expect(run).toMatchObject({ code: 0 });
    expect(emulator.writes()).toEqual(["POST /v2/deployments"]);
    expect(workspace.read("agent-deploy.env")).toMatch(
      /^AGENT_DEPLOY_OUTCOME=deployed\nAGENT_DEPLOY_DEPLOYMENT_ID=[0-9a-f-]{36}\nAGENT_DEPLOY_REVISION_ID=[0-9a-f-]{36}\n/,
    );
  });
});

describe("the shell recipe", () => {
  const start = (
    args: readonly string[],
    workspace: Tree,
    env: Readonly<Record<string, string>>,
  ): Child =>
    startChild("bash", [join(repositoryRoot, "examples/ci/deploy.sh"), ...args], {
      cwd: workspace.path,
      env: { ...base, HOME: workspace.path, ...env },
    });
  const run = (...given: Parameters<typeof start>): Promise<Finished> => start(...given).done;

  test("plans without writing, deploys, and leaves a report", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree({ "agent-deploy.yml": search });
    expect(await run(["plan"], workspace, emulator.env)).toMatchObject({ code: 0 });
    expect(emulator.writes()).toEqual([]);
    expect(await run(["deploy"], workspace, emulator.env)).toMatchObject({ code: 0 });
    expect(JSON.parse(workspace.read("agent-deploy.json"))).toMatchObject({ outcome: "deployed" });
  });

  test("waits once more for a revision that was not ready in time, and succeeds when it is ready", async () => {
    const emulator = await startTestEmulator({ clock: { manual: true } });
    const workspace = createTree({ "agent-deploy.yml": `${search}deploy:\n  timeout: 5s\n` });
    const started = start(["deploy"], workspace, emulator.env);
    await started.until(/timed out: search@3f1b0c7b is still in the queue/);
    emulator.emulator.advance(3_600_000);
    expect(await started.done).toMatchObject({ code: 0 });
    expect(emulator.writes()).toEqual(["POST /v2/deployments"]);
  });

  test("prints its usage", async () => {
    expect(await run([], createTree(), {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("usage: deploy.sh plan|deploy") as unknown,
    });
  });
});
