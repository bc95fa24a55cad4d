import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { resolveAddresses } from "../../src/service/addresses.ts";
import { CONTAINER, createStage, expectEnd, REPOSITORY } from "../scenarios/stage.ts";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

const row = (more: object): string =>
  `${JSON.stringify({ inputs: { q: 1 }, actual_outputs: { a: 1 }, ...more })}\n`;

/** What a gate over one row of so many metrics takes: CPU time in microseconds, memory at its peak in bytes. */
async function gateUse(metrics: number): Promise<{ cpu: number; memory: number }> {
  const evaluation_scores = Array.from({ length: metrics }, (_, at) => ({
    key: `m${at}`,
    score: 1,
  }));
  const workspace = createTree({
    "rows.jsonl": row({ evaluation_scores }),
    "use.cjs": `process.on("exit", () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      const use = { cpu: userCPUTime + systemCPUTime, memory: maxRSS * 1024 };
      require("node:fs").writeFileSync("use.json", JSON.stringify(use));
    });`,
  });
  const gate = ["gate", "rows.jsonl", "--gate", "m1 >= 0.5", "--json"];
  const { stdout } = await startChild(
    nodeUnderTest,
    ["-r", "./use.cjs", join(repositoryRoot, "dist/cli.js"), ...gate],
    {
      cwd: workspace.path,
      env: { PATH: process.env["PATH"] ?? "" },
    },
  ).done;
  expect(Object.keys(JSON.parse(stdout).experiments[0].scores).length).toBeGreaterThan(0);
  return JSON.parse(workspace.read("use.json"));
}

test("a row of a hundred thousand metrics takes time linear in their number, and little memory", async () => {
  // Sixteen times as many: some four times the time, or 256 times where each is held against each.
  const [few, many] = [await gateUse(6_250), await gateUse(100_000)];
  expect(many.cpu).toBeGreaterThan(0);
  expect(many.cpu / few.cpu).toBeLessThan(40);
  // Each metric used to take a piece of 32 KB: over three gigabytes.
  expect(many.memory).toBeLessThan(2 ** 30);
});

test("rows that each have their own metric are refused before they fill the memory", async () => {
  const rows = Array.from({ length: 12_000 }, (_, at) =>
    row({ evaluation_scores: [{ key: `score-${at}`, score: 1 }] }),
  );
  const workspace = createTree({ "rows.jsonl": rows.join("") });
  const run = await runCli(["gate", "rows.jsonl", "--gate", "score-1 >= 0.5"], { workspace });
  expect([run.code, run.stderr]).toEqual([
    2,
    expect.stringMatching(
      /rows\.jsonl:\d+:1: by row \d+ .*give a metric the same name on every row/,
    ),
  ]);
});

test("a terminal shows the first forty means of a file, and counts the rest", async () => {
  const evaluation_scores = Array.from({ length: 42 }, (_, at) => ({ key: `m${at}`, score: 1 }));
  const workspace = createTree({ "rows.jsonl": row({ evaluation_scores }) });
  const run = await runCli(["gate", "rows.jsonl", "--gate", "m1 >= 0.5"], { workspace });
  const text = run.stdout + run.stderr;
  expect(text.match(/^ {2}m\d+ 1 \(n 1\)$/gm)).toHaveLength(40);
  expect(text).toContain("  and 2 more metrics: --json has them");
});

test("metrics that do not fit in a report are counted in a warning, and can still be judged", async () => {
  const evaluation_scores = Array.from({ length: 20_002 }, (_, at) => ({
    key: `m${at}`,
    score: 1,
  }));
  const workspace = createTree({ "rows.jsonl": row({ evaluation_scores }) });
  const run = await runCli(["gate", "rows.jsonl", "--gate", "m20001 >= 0.5"], { workspace });
  expect([run.code, run.stdout + run.stderr]).toEqual([
    0,
    expect.stringContaining(
      "warning: the file has more metrics than a report holds: 2 scores are in no mean shown",
    ),
  ]);
});

/** A zip whose list names one packed entry many times over, under other names. */
function overlappingZip(times: number): Buffer {
  const raw = Buffer.from(JSON.stringify({ id: "a", epoch: 1, input: "x".repeat(100_000) }));
  const packed = deflateRawSync(raw);
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(8, 4);
  header.writeUInt32LE(crc32(raw), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(raw.length, 18);
  const nameOf = (n: number): Buffer =>
    Buffer.from(`samples/${String(n).padStart(6, "0")}_epoch_1.json`);
  header.writeUInt16LE(nameOf(0).length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), header, nameOf(0), packed]);
  const list = Buffer.concat(
    Array.from({ length: times }, (_, n) =>
      Buffer.concat([
        ...[Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), header],
        ...[Buffer.alloc(14), nameOf(n)],
      ]),
    ),
  );
  const end = Buffer.alloc(18);
  end.writeUInt16LE(times, 4);
  end.writeUInt16LE(times, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, list, Buffer.from("PK\u0005\u0006"), end]);
}

test("a log with overlapping entries is refused before any is unpacked", async () => {
  const workspace = createTree();
  writeFileSync(join(workspace.path, "log.eval"), overlappingZip(3_000));
  const run = await runCli(["upload", "log.eval", "--dry-run"], { workspace });
  expect([run.code, run.stderr]).toEqual([
    2,
    expect.stringMatching(
      /log\.eval.*the zip is damaged: samples\/\d+_epoch_1\.json overlaps another entry/,
    ),
  ]);
  expect(run.stdout).toBe("");
});

test("a row that contains the run's own key is reported once when it is uploaded", async () => {
  const stage = await createStage(REPOSITORY, { apiKeys: ["lsv2_sk_0123456789"] });
  const score = { evaluation_scores: [{ key: "m", score: 1 }] };
  stage.workspace.write(
    "rows.jsonl",
    row({ ...score, run_metadata: { env: "KEY=lsv2_sk_0123456789" } }).repeat(3),
  );
  const given = { command: "upload", experiment: "rows.jsonl", "api-key": "lsv2_sk_0123456789" };
  const run = await stage.run(given);
  expectEnd(run, { outcome: "unchanged" });
  expect(run.stdout.match(/::warning.*a row holds a key or token of this run/g)).toHaveLength(1);
  stage.workspace.write("rows.jsonl", row(score));
  expect((await stage.run(given)).stdout).not.toContain("a row holds a key");
});

test("terminal codes in text of the service have no effect in the log", async () => {
  const stage = await createStage(CONTAINER, {
    revisions: [
      {
        outcome: "deploy-failed",
        status_message: "\u001b[2J\u001b]0;title\u0007crash\u001b[8m",
        log: [],
      },
    ],
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toContain("crash");
  const foreign = run.stdout.replace(/\u001b\[\d+(?:;\d+)*m/g, "");
  expect([foreign.includes("\u001b"), run.stdout.includes("\u001b[8m")]).toEqual([false, false]);
});

test.each(["javascript:alert(1)//", "data:text/html,x"])(
  "a service's URL that a browser should not open is not an output: %s",
  async (url) => {
    const stage = await createStage(REPOSITORY);
    stage.emulator.emulator.addFaults([]);
    const { toDeploymentReport, createTracker, track } = await import(
      "../../src/deploy/tracker.ts"
    );
    const tracker = createTracker("a");
    track(tracker, { ...liveOf(url) });
    expect(toDeploymentReport(tracker, { outcome: "deployed", reason: "", message: "" }).url).toBe(
      "",
    );
  },
);

test.each(["https://a.example.com", "agents.internal", "agents.internal:8000/x", "[::1]:8000"])(
  "a service's URL is the output unchanged, with or without a scheme: %s",
  async (url) => {
    const { createTracker, track } = await import("../../src/deploy/tracker.ts");
    const tracker = createTracker("a");
    track(tracker, { ...liveOf(url) });
    expect(tracker.url).toBe(url);
  },
);

function liveOf(url: string): Parameters<typeof import("../../src/deploy/tracker.ts").track>[1] {
  return { id: "1", name: "a", url, body: {} } as never;
}

describe("an address is only combined with one of the same owner", () => {
  test.each(["https://api.host.com", "https://api.host.co.uk"])(
    "%s needs a tracing-url",
    (controlPlaneUrl) => {
      expect(resolveAddresses({ region: "us", controlPlaneUrl })).toMatchObject({
        kind: "problem",
        message: expect.stringMatching(/^tracing-url: /),
      });
    },
  );

  test("the hosted service's own addresses belong together", () => {
    expect(
      resolveAddresses({ region: "us", controlPlaneUrl: "https://eu.api.host.langchain.com" }),
    ).toMatchObject({ tracing: "https://eu.api.smith.langchain.com" });
  });
});

test("a server that verify leaves running does not delay the end, and is stopped", async () => {
  const stage = await createStage(REPOSITORY);
  const run = await stage.run({
    verify: "(while true; do sleep 1; done) & echo started; echo $! > pid; exit 0",
    timeout: "2m",
  });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).toContain("started");
  const pid = Number(stage.workspace.read("pid"));
  // What nobody has waited for yet is still listed, as a zombie.
  const state = existsSync(`/proc/${pid}/stat`)
    ? readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]![0]
    : "gone";
  expect(["gone", "Z"]).toContain(state);
});
