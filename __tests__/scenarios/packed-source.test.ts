import { execFileSync } from "node:child_process";
import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { deploymentOf, edit, expectEnd, type Stage } from "./stage.ts";
import { createCheckout, packed, SPEC, uploads } from "./checkout.ts";

describe("the archive", () => {
  test("omits what .gitignore and .dockerignore exclude and what is never packed, and the log names it", async () => {
    const stage = await createCheckout(SPEC, {
      ".gitignore": "*.log\n/data/\n",
      "debug.log": "x",
      "data/big.bin": "x",
      "sub/.gitignore": "!keep.log\nlocal.py\n",
      "sub/keep.log": "kept",
      "sub/local.py": "x",
      ".dockerignore": "docs\n*.md\n!README.md\n",
      "docs/a.txt": "x",
      "CHANGES.md": "x",
      "README.md": "x",
      "sub/notes.md": "kept by docker: a pattern without ** is of the root",
      ".env": "A=1",
      ".env.production": "A=1",
      "node_modules/x/index.js": "x",
      "sub/__pycache__/a.pyc": "x",
      ".venv/bin/python": "x",
      "leak.py": 'token = "first-value-1"\n',
    });
    symlinkSync("/etc/passwd", join(stage.workspace.path, "link.txt"));
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(packed(stage)).toEqual([
      "README.md",
      "agent.py",
      "langgraph.json",
      "sub/keep.log",
      "sub/notes.md",
    ]);
    expect(run.stdout).toContain(".env, .env.production, .venv");
    expect(run.stdout).toContain("agent-deploy.yml");
    expect(run.stdout).toContain("hold the value of a secret: leak.py");
    expect(run.stdout).toMatch(/links or not regular files: link\.txt/);
  });

  test("includes a tracked file that .gitignore matches, and the log names it", async () => {
    const stage = await createCheckout(SPEC, {
      ".gitignore": "*.bin\n/data/\n",
      "model.bin": "x",
      "cache.bin": "x",
      "data/prompts/a.txt": "x",
      "data/prompts/b.txt": "x",
      "data/.gitignore": "!c.txt\n",
      "data/c.txt": "x",
      ".dockerignore": "docs\n",
      "docs/a.bin": "x",
      ".env.test": "A=1",
    });
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: stage.workspace.path });
    git("init", "-q");
    git("add", "-f", "agent.py", "model.bin", "data/prompts/a.txt", "docs/a.bin", ".env.test");
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(packed(stage)).toEqual([
      "agent.py",
      "data/prompts/a.txt",
      "langgraph.json",
      "model.bin",
    ]);
    expect(run.stdout).toContain(
      "packed although .gitignore matches them, since git tracks them: data/prompts/a.txt, model.bin",
    );
  });

  test("omits what .gitignore matches if git cannot read the checkout, and the log says so", async () => {
    const stage = await createCheckout(SPEC, {
      ".gitignore": "*.bin\n",
      "model.bin": "x",
      ".git": "gitdir: nowhere",
    });
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(packed(stage)).toEqual(["agent.py", "langgraph.json"]);
    expect(run.stdout).toContain("git does not say which files it tracks");
  });

  test("omits a file whose name contains the value of a secret, which the log masks", async () => {
    const stage = await createCheckout(SPEC, { "dump/first-value-1.txt": "x" });
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(packed(stage)).toEqual(["agent.py", "langgraph.json"]);
    expect(run.stdout).toContain("hold the value of a secret: dump/***.txt");
  });

  test("includes local dependencies of the configuration, from the nearest common folder", async () => {
    const spec = edit(
      SPEC,
      "secrets:",
      "source_revision_config: { langgraph_config_path: agents/support/langgraph.json }\nsecrets:",
    );
    const stage = await createCheckout(spec, {
      "agents/support/langgraph.json": JSON.stringify({ dependencies: [".", "../shared"] }),
      "agents/support/a.py": "1",
      "agents/shared/lib.py": "1",
      "agents/other/x.py": "1",
      "tools/t.py": "1",
    });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(packed(stage)).toEqual(["shared/lib.py", "support/a.py", "support/langgraph.json"]);
    expect((await stage.live()).source_revision_config.langgraph_config_path).toBe(
      "support/langgraph.json",
    );
    stage.forget();
    stage.workspace.write("agents/other/x.py", "2");
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.workspace.write("agents/shared/lib.py", "2");
    expectEnd(await stage.run(), { outcome: "deployed" });
  });

  test("has deploy.source as its root, and deploy.paths decides what counts as a change", async () => {
    const spec = `${edit(SPEC, "secrets:", "source_revision_config: { langgraph_config_path: app/agent/langgraph.json }\nsecrets:")}deploy: { source: app, paths: ["app/agent/**"] }\n`;
    const stage = await createCheckout(spec, {
      "app/agent/langgraph.json": "{}",
      "app/agent/a.py": "1",
      "app/README.txt": "1",
      "other.py": "1",
    });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(packed(stage)).toEqual(["README.txt", "agent/a.py", "agent/langgraph.json"]);
    stage.workspace.write("app/README.txt", "2");
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.workspace.write("app/agent/a.py", "2");
    expectEnd(await stage.run(), { outcome: "deployed" });
  });

  test("is not searched for a value under 8 characters, and the log says so", async () => {
    const stage = await createCheckout(edit(SPEC, "first-value-1", "short"), { "b.py": "short" });
    const run = await stage.run({ command: "plan" });
    expect(run.stdout).toContain("files were not searched for API_TOKEN");
    expectEnd(run, { outcome: "planned" });
  });

  test("is not searched for a value known only at apply, and the log says so", async () => {
    const stage = await createCheckout(edit(SPEC, "first-value-1", '"${NOT_SET}"'));
    const run = await stage.run({ command: "plan" });
    expect(run.stdout).toContain(
      "files were not searched for API_TOKEN: no value here, so apply may leave out more files",
    );
    expectEnd(run, { outcome: "planned" });
  });

  test("needs a reserved variable name, which a spec cannot use", async () => {
    const stage = await createCheckout(edit(SPEC, "name: API_TOKEN", "name: AGENT_DEPLOY_SOURCE"));
    expect((await stage.cli(["validate"])).stderr).toContain("AGENT_DEPLOY_SOURCE is where");
  });

  test("is the only source that the spec may name", async () => {
    const stage = await createCheckout(
      edit(SPEC, "deployment_type: dev", "deployment_type: dev, repo_url: https://x.example.com/a"),
    );
    expect(await stage.cli(["validate"])).toMatchObject({ code: 2 });
  });
});

describe("the same files", () => {
  test("have the same hash in a second checkout with other times, owners and order", async () => {
    const [one, two] = [await createCheckout(), await createCheckout()];
    const paths = ["b/x.py", "a/y.py", "ä/ü.txt", `deep/${"d".repeat(120)}/${"e".repeat(90)}.py`];
    for (const path of paths) one.workspace.write(path, path);
    for (const path of paths.toReversed()) two.workspace.write(path, path);
    utimesSync(join(two.workspace.path, "a/y.py"), 1_000, 1_000);
    const hash = async (stage: Stage): Promise<string> =>
      deploymentOf(await stage.run({ command: "plan" })).changes[0].after;
    expect(await hash(two)).toBe(await hash(one));
    one.workspace.write(".gitignore", "never-there.txt\n");
    expect(await hash(one)).toBe(await hash(two));
    one.workspace.write(".gitignore", "b/\n");
    expect(await hash(one)).not.toBe(await hash(two));
  });

  test("form an archive that tar reads, with modes 644 and 755", async () => {
    const stage = await createCheckout(SPEC, {
      "run.sh": "#!/bin/sh\n",
      [`deep/${"d".repeat(120)}/${"e".repeat(90)}.py`]: "1",
      "ä/ü.txt": "2",
    });
    execFileSync("chmod", ["700", join(stage.workspace.path, "run.sh")]);
    expectEnd(await stage.run(), { outcome: "deployed" });
    const data = Buffer.from(uploads(stage)[0]!.archive!.data!, "base64");
    const listed = execFileSync("tar", ["-tvzf", "-", "--quoting-style=literal"], {
      input: data,
      encoding: "utf8",
      env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
    });
    expect(listed).toContain("-rwxr-xr-x 0/0");
    expect(listed.split("\n").filter((line) => line.startsWith("-rw-r--r-- 0/0"))).toHaveLength(4);
    expect(listed).toContain("ä/ü.txt");
    expect(listed).toContain(`${"e".repeat(90)}.py`);
    expect(listed).not.toContain(stage.workspace.path);
  });
});
