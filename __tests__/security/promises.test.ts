import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { startFakeGithub } from "../host/fake-github.ts";
import { pullRequestRun } from "../host/pull-request-run.ts";
import { CONTAINER, createStage } from "../scenarios/stage.ts";
import { writeZip } from "../experiment/zip-writer.ts";
import { runCli, startCli } from "../support/cli-run.ts";
import { shownLog } from "../support/leak-guard.ts";
import { createTree } from "../support/tree.ts";

const KEY = "sk-live-51HqLyjWDarjtT1zdp7dc";

describe("a secret written as NAME=value", () => {
  test.each(["plan", "apply", "validate"])(
    "is an error of %s, and is in no log, output, summary, report or comment",
    async (command) => {
      const github = await startFakeGithub();
      try {
        const stage = await createStage(`${CONTAINER}  - OPENAI_API_KEY=${KEY}\n`);
        const run = await stage.run(
          { command, "api-key": "test-key", "github-token": github.token },
          {
            ...pullRequestRun(github),
            mayLeak: "what is printed is judged here",
          },
        );
        expect([run.code, run.outputs["outcome"], stage.writes()]).toEqual([1, "failed", []]);
        const comments = (await github.comments()).map(({ body }) => body).join("\n");
        const report = readFileSync(run.outputs["report"]!, "utf8");
        const outputs = Object.values(run.outputs).join("\n");
        for (const sink of [shownLog(run), run.stderr, run.summary, outputs, report, comments])
          expect(sink).not.toContain(KEY.slice(0, 12));
        expect(run.stdout).toContain("a secret is never written as NAME=value");
      } finally {
        await github.close();
      }
    },
  );
});

describe("a blank guard", () => {
  test.each([
    ["apply", "--expect-plan", ""],
    ["apply", "--expect-plan", " "],
    ["apply", "--only", ""],
    ["apply", "--only", ","],
    ["apply", "--gate", ""],
  ])("%s %s %j writes nothing and exits with 2", async (command, flag, value) => {
    const stage = await createStage(CONTAINER);
    const run = await runCli([command, flag, value], {
      workspace: stage.workspace,
      env: stage.emulator.env,
    });
    expect([run.code, stage.writes()]).toEqual([2, []]);
    expect(run.stderr).toContain("was given and is blank");
  });

  test("passed on by a workflow is an error too", async () => {
    const stage = await createStage(CONTAINER);
    const run = await stage.run({ "expect-plan": "" });
    expect([run.code, stage.writes()]).toEqual([1, []]);
  });
});

describe("a zip with overlapping entries", () => {
  test("is refused without unpacking", async () => {
    const sample = (id: number): Buffer =>
      Buffer.from(JSON.stringify({ id, epoch: 1, input: "q".repeat(4_000), scores: {} }));
    const zip = writeZip([
      { name: "header.json", content: Buffer.from('{"version":2,"status":"success","eval":{}}') },
      ...Array.from({ length: 50 }, (_, id) => ({
        name: `samples/${id}_epoch_1.json`,
        content: sample(id),
      })),
    ]);
    // Every sample's entry in the directory leads to the first sample.
    const directory: number[] = [];
    for (
      let at = zip.indexOf("PK\u0001\u0002");
      at !== -1;
      at = zip.indexOf("PK\u0001\u0002", at + 4)
    )
      directory.push(at);
    expect(directory).toHaveLength(51);
    const first = zip.readUInt32LE(directory[1]! + 42);
    for (const at of directory.slice(1)) zip.writeUInt32LE(first, at + 42);
    const workspace = createTree();
    writeFileSync(join(workspace.path, "log.eval"), zip);
    const run = await runCli(["gate", "log.eval", "--gate", "score >= 0.1"], { workspace });
    expect(run.code).toBe(2);
    expect(run.stdout + run.stderr).toContain("overlaps another entry");
  });
});

describe("the emulator as a process", () => {
  test("refuses the name of another site, which a web page may have bound to this address", async () => {
    const child = startCli(["emulator", "--port", "0"], { workspace: createTree() });
    try {
      const [url] = await child.until(/^http:\/\/127\.0\.0\.1:\d+/m);
      const status = (host: string, path: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          get(url + path, { headers: { host } }, (answer) => {
            answer.resume().once("end", () => resolve(answer.statusCode));
          }).once("error", reject);
        });
      for (const path of ["/_emulator/state", "/_emulator/requests", "/"]) {
        expect(await status("evil.example.com", path)).toBe(403);
        expect(await status(new URL(url).host, path)).toBe(200);
      }
    } finally {
      child.process.kill("SIGTERM");
      await child.done;
    }
  });

  test("does not open a state file through a link, and keeps the link's target", async () => {
    const workspace = createTree({ "real.txt": "kept\n" });
    symlinkSync(join(workspace.path, "real.txt"), join(workspace.path, "state.log"));
    const run = await runCli(["emulator", "--port", "0", "--state", "state.log"], { workspace });
    expect([run.code, workspace.read("real.txt")]).toEqual([2, "kept\n"]);
    expect(run.stderr).toContain("is a symbolic link");
  });
});
