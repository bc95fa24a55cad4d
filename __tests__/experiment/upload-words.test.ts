import { describe, expect, test } from "@jest/globals";
import type { Clock } from "../../src/clock.ts";
import { toGateTables } from "../../src/experiment/scores.ts";
import { uploadExperiments, type UploadPort } from "../../src/experiment/upload.ts";
import { plainUpload } from "./plain-upload.ts";
import { readTexts } from "./read-text.ts";

const FOUR_ROWS = [1, 2, 3, 4]
  .map((n) => `${JSON.stringify({ inputs: { q: `${"x".repeat(39_999)}${n}` } })}\n`)
  .join("");

/** Uploads four rows of 40 kB to a service that refuses them after a read of some milliseconds per piece. */
async function refuse(status: number, pieceMs = 0): Promise<{ lines: string[]; message: string }> {
  const { experiments } = await readTexts({ "r.jsonl": FOUR_ROWS });
  let now = 0;
  const clock: Clock = { now: () => now, monotonic: () => now, sleep: async () => undefined };
  const lines: string[] = [];
  const tracing = {
    uploadExperiment: async (toBody: () => AsyncIterable<Uint8Array>) => {
      for await (const _ of toBody()) now += pieceMs;
      return { state: "refused", status, error: new Error(`POST /upload: ${status} no.`) };
    },
  } as unknown as UploadPort;
  const { reports } = await uploadExperiments({
    ...plainUpload({ experiments, tracing, clock }),
    overrides: { experiment_name: "caps" },
    progress: (line) => void lines.push(line),
  });
  return { lines, message: reports[0]!.message };
}

describe("the progress of an upload", () => {
  // The header is a piece, and each row, of 40,145 B and a comma.
  test.each<[number, readonly string[]]>([
    [
      2500,
      [
        "caps: 1 of 4 rows, 40.1 kB, 8.0 kB/s, 15 s to go",
        "caps: 3 of 4 rows, 120.4 kB, 12.0 kB/s, 3 s to go",
      ],
    ],
    [2499, ["caps: 2 of 4 rows, 80.3 kB, 10.7 kB/s, 7 s to go"]],
    [900, []],
  ])("is a line every five seconds, with %d ms for each piece", async (pieceMs, lines) => {
    expect((await refuse(400, pieceMs)).lines).toEqual(lines);
  });
});

test.each([
  [
    422,
    "POST /upload: 422 no. The rows were checked before; " +
      "the service asks for more than its document says, so read its words above.",
  ],
  [423, "POST /upload: 423 no."],
  [
    413,
    [
      "POST /upload: 413 no. The request is too large: the rows weigh 160.6 kB: inputs 160.1 kB (100 %)",
      "row_id 192 B (0 %), start_time 160 B (0 %), end_time 152 B (0 %); write `drop: inputs:16000` " +
        "(cuts 4 texts, each with a visible mark, and leaves about 64.8 kB); " +
        "clients of the service keep to 20 to 25 MB.",
    ].join(", "),
  ],
])(
  "a refusal with %d gives the service's words, and advice if there is any",
  async (status, message) => {
    expect((await refuse(status)).message).toBe(message);
  },
);

describe("the table of two files that are judged together", () => {
  type Side = "lower" | "higher" | undefined;
  const tableOf = async (...sides: readonly Side[]) => {
    const row = (q: number): string =>
      JSON.stringify([{ inputs: { q }, evaluation_scores: [{ key: "m", score: 1 }] }]);
    const { experiments } = await readTexts(
      Object.fromEntries(sides.map((_, n) => [`${n}.json`, row(n)])),
    );
    const given = experiments.map((experiment, n) => ({
      ...experiment,
      directions: new Map(sides[n] === undefined ? [] : ([["m", sides[n]]] as const)),
    }));
    return toGateTables(given, null)[0]!.table;
  };

  test.each<[readonly Side[], string | undefined, string | undefined]>([
    [["lower"], "lower", "lower"],
    [["lower", "lower"], "lower", "lower"],
    [["lower", "higher"], "unclear", undefined],
    [["lower", undefined], undefined, "lower"],
    [[undefined, "higher"], undefined, "higher"],
    [[undefined, undefined], undefined, undefined],
  ])("has a known side only if both agree: %j", async (sides, known, shown) => {
    const table = await tableOf(...sides);
    expect([table.known?.["m"], table.shown?.get("m")]).toEqual([known, shown]);
  });
});
