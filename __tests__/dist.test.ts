import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { COMMANDS } from "../src/cli/command-table.ts";
import { VERSION } from "../src/version.ts";
import { nodeUnderTest, startChild } from "./support/child.ts";
import { runCli } from "./support/cli-run.ts";
import { createTree, repositoryRoot } from "./support/tree.ts";

const dist = join(repositoryRoot, "dist");
const files = existsSync(dist)
  ? readdirSync(dist, { recursive: true, encoding: "utf8" })
      .map((name) => join(dist, name))
      .filter((path) => statSync(path).isFile())
  : [];

describe("dist/, as it is committed", () => {
  test("has the files that action.yml and package.json name", () => {
    const { runs } = load(readFileSync(join(repositoryRoot, "action.yml"), "utf8")) as {
      runs: { using: string; main: string; post: string };
    };
    const { bin, version } = JSON.parse(
      readFileSync(join(repositoryRoot, "package.json"), "utf8"),
    ) as { bin: Record<string, string>; version: string };
    const named = [runs.main, runs.post, bin["agent-deploy"]!];
    expect(named.map((name) => [name, existsSync(join(repositoryRoot, name))])).toEqual(
      named.map((name) => [name, true]),
    );
    expect(runs.using).toBe("node24");
    expect(VERSION).toBe(version);
  });

  test("is between 100 kB and 5 MB in size", () => {
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(5 * 1024 * 1024);
  });

  test("has an executable cli.js", () => {
    expect(readFileSync(join(dist, "cli.js"), "utf8").split("\n")[0]).toBe("#!/usr/bin/env node");
    expect(statSync(join(dist, "cli.js")).mode & 0o111).toBe(0o111);
  });

  test("contains no path of the machine that built it", () => {
    expect(
      files.filter((path) => readFileSync(path, "utf8").includes(`${repositoryRoot}/`)),
    ).toEqual([]);
  });

  test("runs without node_modules", async () => {
    const copy = createTree();
    cpSync(dist, join(copy.path, "dist"), { recursive: true });
    const run = await startChild(nodeUnderTest, ["dist/cli.js", "--help"], {
      cwd: copy.path,
      env: {},
    }).done;
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
    expect(run.stdout).toContain(`agent-deploy ${VERSION}`);
  });

  test.each([
    ["18.20.8", true],
    ["20.18.0", true],
    ["20.18.1", false],
    ["24.0.0", false],
  ])("on Node %s it reports in one sentence whether the version is too old", async (node, old) => {
    const preload = createTree({
      "node.cjs": `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } });
Object.defineProperty(process, "version", { value: "v${node}" });`,
    });
    for (const entry of ["cli.js", "index.js", "post.js"]) {
      const args = ["-r", join(preload.path, "node.cjs"), join(dist, entry), "--version"];
      const run = await startChild(nodeUnderTest, args, { cwd: preload.path, env: {} }).done;
      const sentence = `agent-deploy needs Node 20.18.1 or newer; this is v${node}\n`;
      expect(run.stderr === sentence).toBe(old);
      if (old) expect(run).toMatchObject({ code: 2, stdout: "" });
    }
  });
});

test("the archive that a job downloads contains what runs, and is under 0.9 MB", () => {
  const archive = execFileSync("git", ["archive", "--format=tar.gz", "HEAD"], {
    cwd: repositoryRoot,
    maxBuffer: 64 * 1024 * 1024,
  });
  const listed = execFileSync("tar", ["-tz"], { input: archive, encoding: "utf8" }).split("\n");
  expect(listed).toEqual(expect.arrayContaining(["action.yml", "dist/index.js", "LICENSE"]));
  expect(listed.filter((name) => /^(src|__tests__|docs\/gallery)\//.test(name))).toEqual([]);
  expect(archive.length).toBeLessThan(0.9 * 1024 * 1024);
});

test("validate, which needs no network, does not load the HTTP client; plan does", async () => {
  const client = files.filter((path) =>
    readFileSync(path, "utf8").includes("undici.globalDispatcher"),
  );
  expect(client).toHaveLength(1);
  const workspace = createTree({
    "agent-deploy.yml": "name: app\nsource: external_container\nsource_config: {}\n",
    "loaded.cjs": `process.on("exit", () => require("node:fs").writeFileSync("loaded.json", JSON.stringify(Object.keys(require.cache))));`,
  });
  const loads = async (command: string): Promise<readonly [number | null, boolean]> => {
    const args = ["-r", "./loaded.cjs", join(dist, "cli.js"), ...command.split(" ")];
    const env = {
      AGENT_DEPLOY_API_KEY: "key",
      AGENT_DEPLOY_CONTROL_PLANE_URL: "http://127.0.0.1:1",
    };
    const run = await startChild(nodeUnderTest, args, { cwd: workspace.path, env }).done;
    const loaded = JSON.parse(workspace.read("loaded.json")) as string[];
    return [run.code, loaded.includes(client[0]!)];
  };
  expect(await loads("validate")).toEqual([0, false]);
  expect((await loads("plan --timeout 1s"))[1]).toBe(true);
});

describe("the command line as a process", () => {
  test("without arguments it prints help and exits with 0", async () => {
    const run = await runCli([]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const reading = /^look +((?:.+\n)+)/m.exec(run.stdout)?.[1]?.trim().split(/,\s+/) ?? [];
    const listed = Object.keys(COMMANDS).filter((command) =>
      new RegExp(`^(?:start|deploy|results)? +${command} `, "m").test(run.stdout),
    );
    expect([...listed, ...reading].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  test("a wrong flag, a wrong value and a key as a flag are all reported, with exit code 2 and without the key", async () => {
    const run = await runCli(["apply", "--timout", "5m", "--region=mars", "--api-key", "s3cret"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("there is no flag --timout (did you mean --timeout?)");
    expect(run.stderr).toContain('--region: "mars" is not one of us, eu, apac, aws');
    expect(run.stderr).toContain(
      "AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or name a file with --api-key-file",
    );
    expect(run.stdout + run.stderr).not.toContain("s3cret");
  });

  test("a reader that closes the pipe does not crash it", async () => {
    const child = spawn(nodeUnderTest, [join(dist, "cli.js"), "help", "inputs"], {
      env: {},
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => {
      child.once("close", resolve);
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
