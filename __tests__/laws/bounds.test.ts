import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "@jest/globals";
import { streamBody } from "../../src/experiment/body.ts";
import { readFiles, type Experiment } from "../../src/experiment/experiment.ts";
import { findInputFiles, type InputFile } from "../../src/experiment/input/input-file.ts";
import { memoryFile } from "../experiment/memory-file.ts";
import { createWire } from "../../src/service/exchange.ts";
import { ROUTE_RULES } from "../../src/service/retry.ts";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { repositoryRoot } from "../support/tree.ts";

const TIME = "2026-01-01T00:00:00Z";
const header = { experiment_name: "x", experiment_start_time: TIME, experiment_end_time: TIME };
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bounds-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A file that counts how often it is read from its beginning to its end. */
function counted(file: InputFile): { readonly file: InputFile; readonly passes: () => number } {
  let passes = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* file.chunks();
    passes += 1;
  }
  return { file: { ...file, chunks }, passes: () => passes };
}

async function drain(experiment: Experiment): Promise<number> {
  let bytes = 0;
  for await (const chunk of streamBody(experiment, header)) bytes += chunk.length;
  return bytes;
}

describe("what is kept of a file", () => {
  const row = (n: number): string =>
    JSON.stringify({ inputs: { n, text: "x".repeat(200) }, start_time: TIME, end_time: TIME });

  test("a file is read once, however often its rows are sent, and even if they are outside a given window", async () => {
    const body = (end: string): string =>
      JSON.stringify({
        experiment_start_time: TIME,
        experiment_end_time: end,
        results: [{ inputs: {}, start_time: TIME, end_time: "2026-01-01T00:00:05Z" }],
      });
    for (const text of [
      `${row(1)}\n${row(2)}\n`,
      body("2026-01-01T00:00:05Z"),
      body("2026-01-01T00:00:04Z"),
    ]) {
      const { file, passes: seen } = counted(memoryFile("rows.json", text));
      const { experiments } = await readFiles([file], {
        format: text.includes("results") ? "body" : "rows",
      });
      expect(seen()).toBe(1);
      expect(await drain(experiments[0]!)).toBe(await drain(experiments[0]!));
      expect(seen()).toBe(1);
    }
  });

  test("a JUnit report on a single line is read in one pass, not once per tag", async () => {
    const cases = Array.from(
      { length: 8000 },
      (_, n) =>
        `<testcase classname="c" name="t${n}" time="0.1"><properties><property name="score.m" value="1"/><property name="output" value="${"y".repeat(200)}"/></properties></testcase>`,
    );
    const { experiments, problems } = await readFiles(
      [
        memoryFile(
          "junit.xml",
          `<testsuites><testsuite name="s">${cases.join("")}</testsuite></testsuites>`,
        ),
      ],
      {},
    );
    expect([problems, experiments[0]!.rowCount]).toEqual([[], 8000]);
  });

  test("samples of an OpenAI evals file are in the order in which they begin", async () => {
    const event = (id: string, type: string, data: object): string =>
      JSON.stringify({
        run_id: "r",
        event_id: 0,
        sample_id: id,
        type,
        data,
        created_at: "2026-01-01 00:00:00.000000+00:00",
      });
    const samples = Array.from({ length: 2000 }, (_, n) => [
      event(`s${n}`, "sampling", { prompt: "p".repeat(200), sampled: [String(n)] }),
      event(`s${n}`, "match", { correct: true, expected: "o" }),
    ]);
    // The first sample ends after the fifth.
    const lines = [
      samples[0]![0]!,
      ...samples.slice(1, 5).flat(),
      samples[0]![1]!,
      ...samples.slice(5).flat(),
    ];
    const { experiments, problems } = await readFiles(
      [
        memoryFile(
          "evals.jsonl",
          `${JSON.stringify({ spec: { eval_name: "e", run_id: "r" } })}\n${lines.join("\n")}\n{"final_report":{}}\n`,
        ),
      ],
      {},
    );
    expect(problems).toEqual([]);
    const bodies = [...experiments[0]!.spool!.bodies()].flat();
    const outputs = bodies.map(({ actual_outputs }) => actual_outputs);
    expect(outputs).toEqual(samples.map((_, n) => ({ output: String(n) })));
  });
});

describe("a body that is sent", () => {
  test("arrives unchanged at a service that reads slowly", async () => {
    const file = join(folder, "rows.jsonl");
    writeFileSync(
      file,
      Array.from({ length: 15_000 }, (_, n) =>
        JSON.stringify({
          inputs: { n, text: String(n).repeat(200) },
          start_time: TIME,
          end_time: TIME,
        }),
      ).join("\n"),
    );
    const { files } = await findInputFiles(["rows.jsonl"], { root: folder });
    const { experiments } = await readFiles(files, {});
    const made = createHash("sha256");
    for await (const chunk of streamBody(experiments[0]!, header)) made.update(chunk);
    const server = createServer((incoming, outgoing) => {
      const received = createHash("sha256");
      let pieces = 0;
      incoming.on("data", (piece: Buffer) => {
        received.update(piece);
        pieces += 1;
        if (pieces % 40 !== 0) return;
        incoming.pause();
        setImmediate(() => {
          setTimeout(() => {
            incoming.resume();
          }, 5);
        });
      });
      incoming.on("end", () => {
        outgoing.setHeader("content-type", "application/json");
        outgoing.end(JSON.stringify({ sha256: received.digest("hex") }));
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        resolve();
      });
    });
    const wire = createWire({ maxReplyBytes: 10_000, env: {} });
    try {
      const answer = await wire.send(
        {
          method: "POST",
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          headers: {},
          body: () => streamBody(experiments[0]!, header),
        },
        ROUTE_RULES.upload,
        null,
      );
      expect(answer).toMatchObject({
        kind: "answer",
        status: 200,
        text: JSON.stringify({ sha256: made.digest("hex") }),
      });
    } finally {
      await wire.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

const KEEP_PEAK = `process.on("exit", () => require("node:fs").writeFileSync("peak", String(process.resourceUsage().maxRSS)));`;
const peakMegabytes = (): number => Number(readFileSync(join(folder, "peak"), "utf8")) / 1024;

test("a gate keeps little of the rows in memory while it looks for repeats, however large they are", async () => {
  const row = (n: number): string =>
    `${JSON.stringify({ inputs: { text: Buffer.alloc(300_000, `${n} `).toString() }, evaluation_scores: [{ key: "m", score: 1 }] })}\n`;
  const path = join(folder, "large.jsonl");
  for (let n = 0; n < 1200; n += 1) appendFileSync(path, row(n));
  writeFileSync(join(folder, "use.cjs"), KEEP_PEAK);
  const run = await startChild(
    nodeUnderTest,
    [
      ...["-r", "./use.cjs", join(repositoryRoot, "dist/cli.js")],
      ...["gate", "large.jsonl", "--gate", "m >= 0.5"],
    ],
    { cwd: folder, env: { PATH: process.env["PATH"] ?? "" } },
  ).done;
  expect(run.code).toBe(0);
  // 360 MB of rows: 151 MB at the peak, and 492 MB where each row's content is kept (Node 20).
  expect(peakMegabytes()).toBeLessThan(300);
});

test("a dry run keeps little of the body in memory for a slow reader", async () => {
  const path = join(folder, "printed.jsonl");
  const text = "x".repeat(300_000);
  for (let n = 0; n < 600; n += 1)
    appendFileSync(
      path,
      `${JSON.stringify({ inputs: { n, text }, evaluation_scores: [{ key: "m", score: 1 }] })}\n`,
    );
  writeFileSync(join(folder, "use.cjs"), KEEP_PEAK);
  const child = spawn(
    nodeUnderTest,
    [
      "-r",
      "./use.cjs",
      join(repositoryRoot, "dist/cli.js"),
      "upload",
      "printed.jsonl",
      "--dry-run",
    ],
    { cwd: folder, env: { PATH: process.env["PATH"] }, stdio: ["ignore", "pipe", "ignore"] },
  );
  let bytes = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    await sleep(1);
  }
  expect(bytes).toBeGreaterThan(180e6);
  // 180 MB of rows: 167 MB at the peak, and 703 MB where printing does not wait (Node 20).
  expect(peakMegabytes()).toBeLessThan(300);
});
