import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { createEmulator } from "../../src/emulator/emulator.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";
import { startEmulator, type RunningEmulator } from "../../src/emulator/server.ts";
import { readExperiments } from "../../src/experiment/experiment.ts";
import { uploadExperiments, type UploadRequest } from "../../src/experiment/upload.ts";
import { plainUpload } from "./plain-upload.ts";
import { createTracing } from "../../src/service/tracing.ts";
import type { ExperimentReport } from "../../src/report/report.ts";
import { httpFor } from "../service/fake-service.ts";
import { forwardTo, startFront } from "../survive/process/front.ts";
import { readTexts } from "./read-text.ts";

const UPLOAD = "POST /api/v1/datasets/upload-experiment";
const FIXTURES = path.resolve("__tests__/experiment/fixtures");
let running: RunningEmulator | null = null;
afterEach(async () => {
  await running?.close();
  running = null;
});

async function upload(
  paths: string[],
  options: Parameters<typeof createEmulator>[0] = {},
  more: Partial<UploadRequest> = {},
): Promise<{ reports: ExperimentReport[]; emulator: Emulator }> {
  running = await startEmulator({ ...options, lags: { statistics: 0 } });
  const { http, clock } = httpFor(running.url);
  const { experiments, problems } = await readExperiments({ paths, workspace: { root: FIXTURES } });
  expect(problems).toEqual([]);
  const done = await uploadExperiments(
    plainUpload({
      experiments,
      tracing: createTracing({ http, base: running.url }),
      clock,
      ui: running.url,
      ...more,
    }),
  );
  await http.close();
  expect(done.problems).toEqual([]);
  return { reports: done.reports, emulator: running.emulator };
}

describe("over HTTP, to the emulator and back", () => {
  test("every sample is accepted, and row count and means are read back as sent", async () => {
    const { reports } = await upload([
      "*.json",
      "*.jsonl",
      "*.csv",
      "*.eval",
      "*.xml",
      "langsmith-vitest/**/*.json",
    ]);
    expect(
      reports.map(({ file, outcome, message, rows, errors }) => [
        file,
        outcome,
        message.includes("row count and averages match"),
        rows,
        errors,
      ]),
    ).toEqual([
      ["deepeval-test_run.json", "uploaded", true, 1, 0],
      ["inspect-2x2-epochs.eval", "uploaded", true, 4, 0],
      ["inspect-popularity.json", "uploaded", true, 3, 0],
      ["langsmith-vitest/vitest.json", "uploaded", true, 4, 0],
      ["openai-evals.jsonl", "uploaded", true, 4, 1],
      ["promptfoo-v3.json", "uploaded", true, 6, 0],
      ["promptfoo-v3.json", "uploaded", true, 6, 0],
      ["promptfoo-v3.jsonl", "uploaded", true, 6, 0],
      ["promptfoo-v3.jsonl", "uploaded", true, 6, 0],
      ["promptfoo.csv", "uploaded", true, 6, 0],
      ["promptfoo.csv", "uploaded", true, 6, 0],
      ["pytest.junit.xml", "uploaded", true, 5, 1],
    ]);
    for (const { experiment_url, test_run_number } of reports)
      expect([experiment_url, test_run_number]).toEqual([
        expect.stringMatching(
          /\/o\/[^/]+\/datasets\/[^/]+\/compare\?selectedSessions=[0-9a-f-]{36}$/,
        ),
        expect.any(Number),
      ]);
  });

  test.each([
    ["reset-before", 2],
    ["reset-after", 1],
    ["truncate", 1],
    ["malformed", 1],
  ] as const)(
    "after a %s in the upload there is one experiment, of this upload",
    async (kind, sendings) => {
      const { reports, emulator } = await upload(["openai-evals.jsonl"], {
        faults: [{ route: UPLOAD, kind }],
      });
      expect(reports[0]).toMatchObject({
        outcome: "uploaded",
        experiment_id: emulator.world.store.all("sessions")[0]!.id,
      });
      expect([
        emulator.world.store.all("sessions").length,
        emulator.requests().filter(({ method }) => method === "POST").length,
      ]).toEqual([1, sendings]);
    },
  );

  test("a lost answer is unknown and the upload is not sent again if the service cannot be asked by name", async () => {
    const { reports, emulator } = await upload(["openai-evals.jsonl"], {
      strict: true,
      faults: [{ route: UPLOAD, kind: "reset-before" }],
    });
    expect([reports[0]!.outcome, reports[0]!.message]).toEqual([
      "unknown",
      expect.stringMatching(/cannot be asked by name.*Look for /s),
    ]);
    expect(emulator.requests().filter(({ method }) => method === "POST").length).toBe(1);
  });
});

describe("a long body", () => {
  const lines = Array.from({ length: 4000 }, (_, n) =>
    JSON.stringify({
      inputs: { q: `question ${n}` },
      actual_outputs: { a: "x".repeat(800) },
      evaluation_scores: [{ key: "k", score: n % 2 }],
    }),
  ).join("\n");

  /** Uploads 3.5 MB through a front that is asked what to do with the nth POST. */
  async function uploadThrough(
    answerPost: (n: number, request: IncomingMessage, response: ServerResponse) => boolean,
  ): Promise<{ report: ExperimentReport; emulator: Emulator; posts: number }> {
    running = await startEmulator({ lags: { statistics: 0 } });
    const forward = forwardTo(running.url);
    let posts = 0;
    const front = await startFront((incoming, outgoing) => {
      if (incoming.method === "POST") posts += 1;
      if (incoming.method !== "POST" || !answerPost(posts, incoming, outgoing))
        forward(incoming, outgoing);
    });
    const { http, clock } = httpFor(front);
    const { experiments } = await readTexts({ "long.jsonl": lines });
    const { reports } = await uploadExperiments(
      plainUpload({
        experiments,
        tracing: createTracing({ http, base: front }),
        clock,
        random: () => 0.4,
      }),
    );
    await http.close();
    return { report: reports[0]!, emulator: running.emulator, posts };
  }

  test("is sent again whole if its connection breaks in the middle, which makes one experiment with every row", async () => {
    const { report, emulator, posts } = await uploadThrough((n, request) => {
      if (n > 1) return false;
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > 1_000_000) request.destroy();
      });
      request.on("error", () => undefined);
      return true;
    });
    expect([
      report.outcome,
      posts,
      emulator.world.store.all("sessions").map(({ statistics }) => statistics["run_count"]),
    ]).toEqual(["uploaded", 2, [4000]]);
  });

  test.each([
    ["and keeps reading", false],
    ["and hangs up", true],
  ] as const)(
    "is reported with its weight if a proxy refuses it for its size before it is read, %s",
    async (_, hangsUp) => {
      const { report, posts } = await uploadThrough((__, request, response) => {
        response
          .writeHead(413, { "content-type": "text/html", connection: "close" })
          .end("<html><title>413 Request Entity Too Large</title></html>", () => {
            if (hangsUp)
              setTimeout(() => {
                request.socket.destroy();
              }, 20);
          });
        if (!hangsUp) request.resume();
        return true;
      });
      expect([report.outcome, posts, report.message]).toEqual([
        "failed",
        1,
        expect.stringMatching(
          /413.*The request is too large: the rows weigh 4\.\d MB: actual_outputs/s,
        ),
      ]);
    },
  );
});
