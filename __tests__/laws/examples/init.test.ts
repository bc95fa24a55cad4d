import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { loadAll } from "js-yaml";
import { runAction } from "../../support/action-run.ts";
import { runCli } from "../../support/cli-run.ts";
import { nodeUnderTest, startChild } from "../../support/child.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree, repositoryRoot, type Tree } from "../../support/tree.ts";
import { blocksOf } from "../../docs/documents.ts";

const git = (workspace: Tree, ...args: string[]): void => {
  execFileSync("git", args, { cwd: workspace.path, stdio: "ignore" });
};
const documents = (workspace: Tree, file = "agent-deploy.yml"): Record<string, unknown>[] =>
  loadAll(workspace.read(file)) as Record<string, unknown>[];

function checkout(files: Readonly<Record<string, string>>, remote?: string): Tree {
  const workspace = createTree(files);
  git(workspace, "init", "--initial-branch=trunk");
  if (remote !== undefined) git(workspace, "remote", "add", "origin", remote);
  return workspace;
}

describe("init", () => {
  test("takes repository, branch, graph and secret names from a checkout, and never writes the value of a secret", async () => {
    const workspace = checkout(
      {
        "langgraph.json": JSON.stringify({ graphs: { agent: "./a.py:graph" }, env: ".env" }),
        ".env": "OPENAI_API_KEY=sk-very-secret\nexport LANGSMITH_API_KEY=x\n",
      },
      "git@github.com:acme/agents.git",
    );
    const run = await runCli(["init"], { workspace });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(/ apply --env-file \.env +# deploy it/);
    expect(documents(workspace)).toEqual([
      {
        name: "agents",
        source: "github",
        source_config: {
          repo_url: "https://github.com/acme/agents",
          deployment_type: "prod",
          build_on_push: false,
        },
        source_revision_config: { repo_ref: "trunk", langgraph_config_path: "langgraph.json" },
        secrets: ["OPENAI_API_KEY"],
      },
    ]);
    expect(workspace.read("agent-deploy.yml")).not.toContain("sk-very-secret");
    expect(await runCli(["validate"], { workspace, env: { OPENAI_API_KEY: "x" } })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining("warning") as unknown,
    });
  });

  test.each([
    ["a file", ".env", "OPENAI_API_KEY=sk-very-secret\nLOG_LEVEL='info'\nAPP_PASSWORD=debug\n"],
    [
      "langgraph.json",
      { OPENAI_API_KEY: "sk-very-secret", LOG_LEVEL: "info", APP_PASSWORD: "debug" },
      "",
    ],
  ])("lists a setting of %s by value under variables, and says so", async (_, env, file) => {
    const workspace = checkout(
      { "langgraph.json": JSON.stringify({ graphs: {}, env }), ".env": file },
      "git@github.com:acme/agents.git",
    );
    const run = await runCli(["init"], { workspace });
    expect(run.stdout).toContain(
      "LOG_LEVEL: written by value, since name and value say that it is not a secret",
    );
    expect(run.stdout).toContain("AGENT_DEPLOY_API_KEY, OPENAI_API_KEY, APP_PASSWORD\n");
    expect(documents(workspace)).toMatchObject([
      { secrets: ["OPENAI_API_KEY", "APP_PASSWORD"], variables: { LOG_LEVEL: "info" } },
    ]);
    expect(workspace.read("agent-deploy.yml")).not.toMatch(/sk-very-secret|debug/);
    const given = { OPENAI_API_KEY: "x", APP_PASSWORD: "x" };
    expect(await runCli(["validate"], { workspace, env: given })).toMatchObject({ code: 0 });
  });

  test("does not name a file of secrets that does not exist", async () => {
    const workspace = checkout({
      "langgraph.json": JSON.stringify({ graphs: {}, env: { OPENAI_API_KEY: "x" } }),
    });
    const run = await runCli(["init"], { workspace });
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ apply +# deploy it/) as unknown,
    });
    expect(documents(workspace)).toMatchObject([{ secrets: ["OPENAI_API_KEY"] }]);
  });

  test.each([
    ["https://user:tok@en1234@github.com/acme/x.git", "https://github.com/acme/x"],
    ["https://user:p@ss/w0rd@github.com/acme/x.git", "https://github.com/acme/x"],
    ["https://git.example.com:8443/acme/re@po.git", "https://git.example.com:8443/acme/re@po"],
    ["ssh://git@github.com:22/acme/x.git", "https://github.com/acme/x"],
    ["git@github.com:acme/x.git", "https://github.com/acme/x"],
    ["github.com:acme/x.git", "https://github.com/acme/x"],
    ["/srv/git/x.git", "https://github.com/your-org/your-repo"],
    ["../x.git", "https://github.com/your-org/your-repo"],
  ])("writes neither user, password nor local path of the remote %s", async (remote, url) => {
    const workspace = checkout({ "langgraph.json": "{}" }, remote);
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 0 });
    expect(documents(workspace)).toMatchObject([{ source_config: { repo_url: url } }]);
    expect(workspace.read("agent-deploy.yml")).not.toMatch(/en1234|w0rd|srv/);
  });

  test("gives every folder of a long-named repository a name of its own", async () => {
    const folders = [
      "services/search-assistant-for-customers",
      "tools/search-assistant-for-customers",
    ];
    const workspace = checkout(
      Object.fromEntries(folders.map((folder) => [`${folder}/langgraph.json`, "{}"])),
      "https://github.com/acme/a-repository-whose-name-is-rather-long-indeed.git",
    );
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 0 });
    const names = documents(workspace).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    expect(await runCli(["validate"], { workspace })).toMatchObject({ code: 0 });
  });

  test("takes the names in an env that is a list, and nothing that is not a name", async () => {
    const workspace = checkout(
      {
        "langgraph.json": JSON.stringify({
          env: ["OPENAI_API_KEY", "no name", 7, null, true, ["B"]],
        }),
      },
      "https://github.com/acme/agents.git",
    );
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 0 });
    expect(documents(workspace)).toMatchObject([{ secrets: ["OPENAI_API_KEY"] }]);
  });

  test("writes a document for each langgraph.json of a monorepo, and each counts only its own folder", async () => {
    const workspace = checkout(
      {
        "agents/support/langgraph.json": "{}",
        "agents/search/langgraph.json": "{}",
        "node_modules/x/langgraph.json": "{}",
      },
      "https://user:token@git.example.com/acme/mono.git",
    );
    await runCli(["init", "--output", "deploy.yml"], { workspace });
    expect(
      documents(workspace, "deploy.yml").map(({ name, deploy }) => ({ name, deploy })),
    ).toEqual([
      { name: "search", deploy: { paths: ["agents/search/**"] } },
      { name: "support", deploy: { paths: ["agents/support/**"] } },
    ]);
    expect(workspace.read("deploy.yml")).not.toContain("token");
    // Language servers read the line only for the document it is in.
    expect(
      workspace
        .read("deploy.yml")
        .split("---\n")
        .map((text) => text.split("\n")[0]),
    ).toEqual(Array(2).fill("# yaml-language-server: $schema=./schema/agent-deploy.schema.json"));
    expect(await runCli(["validate", "deploy.yml"], { workspace })).toMatchObject({ code: 0 });
  });

  test("names the configuration from the root of the repository, also in a subfolder", async () => {
    const root = checkout({ "agents/support/langgraph.json": "{}" }, "https://github.com/a/b.git");
    const workspace = { ...root, path: `${root.path}/agents` };
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 0 });
    expect(documents(root, "agents/agent-deploy.yml")).toMatchObject([
      { source_revision_config: { langgraph_config_path: "agents/support/langgraph.json" } },
    ]);
  });

  test("names the configuration from the root of a repository in a folder of the current one", async () => {
    const workspace = createTree({ "app/agents/support/langgraph.json": "{}" });
    const app = { ...workspace, path: join(workspace.path, "app") };
    git(app, "init", "--initial-branch=trunk");
    git(app, "remote", "add", "origin", "https://github.com/a/b.git");
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 0 });
    expect(documents(workspace)).toMatchObject([
      {
        source_config: { repo_url: "https://github.com/a/b" },
        source_revision_config: {
          repo_ref: "trunk",
          langgraph_config_path: "agents/support/langgraph.json",
        },
      },
    ]);
  });

  test("writes a workflow that passes what the spec names, and the editor's schema, with paths from the root in a subfolder", async () => {
    const files = {
      "langgraph.json": JSON.stringify({ graphs: {}, env: { OPENAI_API_KEY: "" } }),
    };
    const workspace = checkout(files, "git@github.com:acme/agents.git");
    const run = await runCli(["init"], { workspace });
    expect(run.stdout).toContain("wrote .github/workflows/deploy.yml");
    expect(run.stdout).toContain("AGENT_DEPLOY_API_KEY, OPENAI_API_KEY");
    expect(run.stdout + run.stderr).not.toContain("warning");
    const shown = readFileSync(join(repositoryRoot, "examples/workflows/deploy.yml"), "utf8");
    expect(workspace.read(".github/workflows/deploy.yml")).toBe(shown.replace("[main]", "[trunk]"));
    expect(workspace.read("schema/agent-deploy.schema.json")).toBe(
      readFileSync(join(repositoryRoot, "schema/agent-deploy.schema.json"), "utf8"),
    );

    // Which files changed since the live commit shows only with the history.
    const pair = checkout(
      { "agents/a/langgraph.json": "{}", "agents/b/langgraph.json": "{}" },
      "git@github.com:acme/agents.git",
    );
    expect(await runCli(["init"], { workspace: pair })).toMatchObject({ code: 0 });
    expect(pair.read(".github/workflows/deploy.yml")).toContain(
      "with: { fetch-depth: 0, persist-credentials: false }",
    );
    // Without a commit, the plan of a pull request says of every agent that the merge may build it.
    expect(pair.read(".github/workflows/deploy.yml")).toContain('commit: "${{ github.sha }}"');

    const mono = checkout({ "agents/a/langgraph.json": "{}", "agents/b/x.txt": "" });
    const inFolder = (folder: string) =>
      startChild(nodeUnderTest, [join(repositoryRoot, "dist/cli.js"), "init"], {
        cwd: join(mono.path, folder),
        env: { PATH: process.env["PATH"] ?? "", HOME: mono.path },
      }).done;
    expect(await inFolder("agents/a")).toMatchObject({ code: 0 });
    expect(documents(mono, "agents/a/agent-deploy.yml")[0]).toMatchObject({
      source_revision_config: { langgraph_config_path: "agents/a/langgraph.json" },
      deploy: { paths: ["agents/a/**"] },
    });
    expect((await inFolder("agents/b")).stdout).toContain("warning: no langgraph.json was found");
  });

  test.each([
    "git@gitlab.com:acme/agents.git",
    "https://code.gitlab.example.com/acme/agents.git",
    "https://acme@dev.azure.com/acme/x/_git/agents",
    "git@bitbucket.org:acme/agents.git",
  ])("uploads the checkout if the service cannot build from the host: %s", async (remote) => {
    const workspace = checkout(
      { "langgraph.json": JSON.stringify({ graphs: {}, env: { OPENAI_API_KEY: "" } }) },
      remote,
    );
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 0 });
    expect(documents(workspace)).toEqual([
      {
        name: "agents",
        source: "internal_source",
        source_config: { deployment_type: "prod" },
        source_revision_config: { langgraph_config_path: "langgraph.json" },
        secrets: ["OPENAI_API_KEY"],
      },
    ]);
    const env = { OPENAI_API_KEY: "x" };
    expect(await runCli(["validate"], { workspace, env })).toMatchObject({ code: 0 });
  });

  test("writes the jobs of the guide in a GitLab repository, unless it has jobs already", async () => {
    const workspace = checkout({ "langgraph.json": "{}" }, "git@gitlab.com:acme/agents.git");
    const run = await runCli(["init"], { workspace });
    expect(run.stdout).toContain("wrote .gitlab-ci.yml");
    expect(run.stdout).toContain(
      "Create these masked variables under Settings, CI/CD, Variables: AGENT_DEPLOY_API_KEY",
    );
    const shown = blocksOf("docs/guides/gitlab-and-other-ci.md").find(({ info }) =>
      info.includes(".gitlab-ci.yml"),
    );
    expect(workspace.read(".gitlab-ci.yml")).toBe(shown?.text);

    const own = checkout(
      { "langgraph.json": "{}", ".gitlab-ci.yml": "mine" },
      "git@gitlab.com:acme/agents.git",
    );
    expect((await runCli(["init"], { workspace: own })).stdout).not.toContain(".gitlab-ci.yml");
    expect(own.read(".gitlab-ci.yml")).toBe("mine");
  });

  test("does not ask if stdin is not a terminal, and says what it could not find out", async () => {
    const workspace = createTree();
    const run = await runCli(["init"], { workspace, stdin: "" });
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^wrote agent-deploy\.yml: 1 deployment\n/) as unknown,
    });
    expect(workspace.read("agent-deploy.yml")).toContain(
      "write yours: this folder has no git remote named origin",
    );
  });

  test("names the editor's schema by its path from the spec", async () => {
    const workspace = checkout({}, "https://github.com/acme/agents.git");
    const firstLine = async (output: string): Promise<string> => {
      expect(await runCli(["init", "--output", output], { workspace })).toMatchObject({ code: 0 });
      return workspace.read(output).split("\n")[0]!.replace(/^.*=/, "");
    };
    expect([
      await firstLine("a.yml"),
      await firstLine("./b.yml"),
      await firstLine("deploy/a.yml"),
      await firstLine("deploy/eu/a.yml"),
    ]).toEqual([
      "./schema/agent-deploy.schema.json",
      "./schema/agent-deploy.schema.json",
      "../schema/agent-deploy.schema.json",
      "../../schema/agent-deploy.schema.json",
    ]);
  });

  test("is suggested if there is no spec yet, and a workflow is pointed to its checkout", async () => {
    for (const command of ["plan", "apply", "validate"]) {
      const run = await runCli([command], { env: { AGENT_DEPLOY_API_KEY: "any" } });
      expect({ code: run.code, said: run.stdout + run.stderr }).toEqual({
        code: 2,
        said: expect.stringContaining(
          `agent-deploy.yml does not exist: write a first one with agent-deploy init, or name yours: agent-deploy ${command} path/to/spec.yml`,
        ) as unknown,
      });
    }
    const named = await runCli(["validate", "other.yml"]);
    expect({ code: named.code, said: named.stdout + named.stderr }).toEqual({
      code: 2,
      said: expect.stringContaining("other.yml does not exist; name a file that exists") as unknown,
    });
    const meant = await runCli(["plan", "support-agent"], {
      env: { AGENT_DEPLOY_API_KEY: "any" },
    });
    expect({ code: meant.code, said: meant.stdout + meant.stderr }).toEqual({
      code: 2,
      said: expect.stringContaining(
        "support-agent is not a file, and plan takes spec files; for the deployment support-agent of a spec: agent-deploy plan agent-deploy.yml --only support-agent",
      ) as unknown,
    });
    const action = await runAction({ command: "validate" }, { workspace: createTree() });
    expect(action.stdout).toContain(
      "agent-deploy.yml does not exist: check out the repository in a step before this one (actions/checkout)",
    );
  });

  test("never overwrites a file", async () => {
    const workspace = createTree({ "agent-deploy.yml": "mine" });
    expect(await runCli(["init"], { workspace })).toMatchObject({ code: 2 });
    expect(workspace.read("agent-deploy.yml")).toBe("mine");
  });

  test("writes the spec of a live deployment, whose plan is empty", async () => {
    const emulator = await startTestEmulator();
    const key = { "x-api-key": "test-key", "content-type": "application/json" };
    const body = {
      name: "grown-by-hand",
      source: "external_container",
      source_config: { resource_spec: { min_scale: 2, cpu: 1 } },
      source_revision_config: { image_uri: `registry.example.com/acme/a@sha256:${"a".repeat(64)}` },
      secrets: [{ name: "TOKEN", value: "s3cret-live" }],
    };
    const made = (await (
      await fetch(`${emulator.url}/v2/deployments`, {
        method: "POST",
        headers: key,
        body: JSON.stringify(body),
      })
    ).json()) as { id: string };
    const workspace = createTree();
    expect(
      await runCli(["init", "--deployment-id", made.id], { workspace, env: emulator.env }),
    ).toMatchObject({ code: 0 });
    expect(documents(workspace)[0]).toMatchObject({
      name: "grown-by-hand",
      secrets: ["TOKEN"],
      deploy: { id: made.id },
    });
    expect(workspace.read("agent-deploy.yml")).not.toContain("s3cret-live");
    expect(
      await runCli(["wait", "--deployment-id", made.id, "--poll-interval", "20ms"], {
        workspace,
        env: emulator.env,
      }),
    ).toMatchObject({ code: 0 });
    expect(
      await runCli(["plan", "--fail-on-changes"], {
        workspace,
        env: { ...emulator.env, TOKEN: "s3cret-live" },
      }),
    ).toMatchObject({ code: 0 });
  });

  test("says so if there is no such deployment, and writes nothing", async () => {
    const emulator = await startTestEmulator();
    const workspace = createTree();
    const run = await runCli(["init", "--deployment-id", "0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11"], {
      workspace,
      env: emulator.env,
    });
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no deployment 0b6f8f7e") as unknown,
    });
    expect(workspace.has("agent-deploy.yml")).toBe(false);
  });

  test("asks on a terminal, with what it found as the suggestion", async () => {
    if (!existsSync("/usr/bin/script")) {
      console.log("skipped: there is no script(1) to make a terminal with");
      return;
    }
    const workspace = checkout({}, "git@github.com:acme/agents.git");
    const command = `'${nodeUnderTest}' '${join(repositoryRoot, "dist/cli.js")}' init`;
    const run = await startChild("/usr/bin/script", ["-qec", command, "/dev/null"], {
      cwd: workspace.path,
      env: { PATH: process.env["PATH"] ?? "", HOME: workspace.path, TERM: "dumb" },
      stdin: "Search Agent\nimage\n\n",
    }).done;
    expect(run.stdout).toContain("Name of the deployment [agents]");
    expect(documents(workspace)[0]).toMatchObject({
      name: "search-agent",
      source: "external_docker",
    });
  });

  test("asks nothing with --yes, and says before it asks how many questions there are", async () => {
    if (!existsSync("/usr/bin/script")) {
      console.log("skipped: there is no script(1) to make a terminal with");
      return;
    }
    const runInit = async (flags: string): Promise<{ stdout: string; workspace: Tree }> => {
      const workspace = checkout({}, "git@github.com:acme/agents.git");
      const command = `'${nodeUnderTest}' '${join(repositoryRoot, "dist/cli.js")}' init ${flags}`;
      const { stdout } = await startChild("/usr/bin/script", ["-qec", command, "/dev/null"], {
        cwd: workspace.path,
        env: { PATH: process.env["PATH"] ?? "", HOME: workspace.path, TERM: "dumb" },
        stdin: "\n\n\n\n\n",
      }).done;
      return { stdout, workspace };
    };
    const quiet = await runInit("--yes");
    expect(quiet.stdout).not.toContain("Name of the deployment");
    expect(documents(quiet.workspace)[0]).toMatchObject({ name: "agents" });
    expect((await runInit("")).stdout).toMatch(/Up to 5 questions.*--yes/);
  });

  test("refuses to write a spec for agent-deploy itself, in a clone of it", async () => {
    const output = "init-in-own-clone.yml";
    const run = await startChild(nodeUnderTest, ["dist/cli.js", "init", "--output", output], {
      cwd: repositoryRoot,
      env: { PATH: process.env["PATH"] ?? "" },
    }).done;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("run init in your agent's repository");
    expect(existsSync(join(repositoryRoot, output))).toBe(false);
  });
});
