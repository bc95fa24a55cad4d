import { existsSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { nodeUnderTest, startChild } from "../../support/child.ts";
import { runCli, startCli } from "../../support/cli-run.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../../support/tree.ts";
import { repohost } from "../flow.ts";

const spec = () => createTree({ "agent-deploy.yml": repohost() });
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that takes writes and never answers them; what is read is empty. */
async function startSilent(): Promise<string> {
  const server = createServer((request, reply) => {
    if (request.method === "GET") reply.setHeader("content-type", "application/json").end("[]");
  });
  servers.push(server);
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address!.port : 0}`;
}

describe("a reader that closes the pipe", () => {
  test.each([["stderr"], ["stdout"], ["both"]])(
    "of %s does not end a deployment, which is created and waited for",
    async (which) => {
      const emulator = await startTestEmulator();
      const workspace = spec();
      const args = ["apply", "--poll-interval", "20ms", "--report-file", "report.json"];
      const { process: child, done } = startCli(args, { workspace, env: emulator.env });
      if (which !== "stdout") child.stderr!.destroy();
      if (which !== "stderr") child.stdout!.destroy();
      expect((await done).code).toBe(0);
      expect(JSON.parse(workspace.read("report.json"))).toMatchObject({ outcome: "deployed" });
      expect(emulator.writes()).toHaveLength(1);
    },
  );

  const canFill = existsSync("/dev/full");
  if (!canFill) console.warn("skipped: no /dev/full");
  (canFill ? test : test.skip)(
    "or a full disk does not end a deployment, and prints no stack trace",
    async () => {
      const emulator = await startTestEmulator();
      const workspace = spec();
      const cli = `"${nodeUnderTest}" "${repositoryRoot}/dist/cli.js" apply --poll-interval 20ms --report-file report.json`;
      const env = { PATH: process.env["PATH"] ?? "", HOME: workspace.path, ...emulator.env };
      const quiet = startChild("sh", ["-c", `${cli} 2>/dev/full`], { cwd: workspace.path, env });
      expect((await quiet.done).code).toBe(0);
      expect(JSON.parse(workspace.read("report.json"))).toMatchObject({ outcome: "deployed" });
      const told = startChild("sh", ["-c", `${cli} >/dev/full`], { cwd: workspace.path, env });
      const { code, stderr } = await told.done;
      expect(code).toBe(1);
      expect(stderr).toContain("agent-deploy: stdout could not be written: ENOSPC");
      expect(stderr).not.toMatch(/^ +at /mu);
    },
  );
});

test("a closed terminal cancels the run as SIGTERM does", async () => {
  const emulator = await startTestEmulator({ revisions: [{ outcome: "stuck", at: "BUILDING" }] });
  const workspace = spec();
  const run = startCli(["apply", "--poll-interval", "20ms", "--report-file", "report.json"], {
    workspace,
    env: emulator.env,
  });
  await run.until(/BUILDING/);
  run.process.kill("SIGHUP");
  expect((await run.done).code).toBe(130);
  expect(JSON.parse(workspace.read("report.json"))).toMatchObject({ outcome: "cancelled" });
});

test("an unanswered upload ends with its timeout, and reports what is unknown", async () => {
  const url = await startSilent();
  const workspace = createTree({
    "rows.json": JSON.stringify([
      { inputs: { q: 1 }, evaluation_scores: [{ key: "tone", score: 1 }] },
    ]),
  });
  const { code, stdout } = await runCli(["upload", "rows.json", "--timeout", "2s"], {
    workspace,
    env: {
      AGENT_DEPLOY_API_KEY: "k",
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
    },
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/Whether the experiment was stored is unknown/u);
});

describe("a full disk while a file is written", () => {
  const rows = (wrong: number): string =>
    JSON.stringify(
      Array.from({ length: 200 }, (_, i) => ({
        inputs: { question: i },
        evaluation_scores: [{ key: "correctness", score: i < wrong ? 0 : 1 }],
      })),
    );

  test("keeps the previous baseline, and leaves no empty or partial file", async () => {
    const workspace = createTree({ "head.json": rows(1) });
    const accept = ["gate", "head.json", "--write-baseline", "b.json", "--accept-baseline"];
    expect((await runCli(accept, { workspace })).code).toBe(0);
    const before = workspace.read("b.json");
    workspace.write("head.json", rows(2));
    // No file may be longer than 1,024 bytes.
    const limited = `ulimit -f 1; exec "$0" "$@"`;
    const run = await startChild(
      "bash",
      [
        ...["-c", limited, nodeUnderTest, `${repositoryRoot}/dist/cli.js`, ...accept],
        ...["--report-file", "report.json"],
      ],
      { cwd: workspace.path, env: { PATH: process.env["PATH"] ?? "", HOME: workspace.path } },
    ).done;
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringMatching(/b\.json.*EFBIG|EFBIG.*b\.json/su),
    ]);
    expect(workspace.read("b.json")).toBe(before);
    // The report of a refused run is short enough.
    expect(JSON.parse(workspace.read("report.json"))).toMatchObject({ outcome: "failed" });
    expect(readdirSync(workspace.path).sort()).toEqual(["b.json", "head.json", "report.json"]);
  });
});
