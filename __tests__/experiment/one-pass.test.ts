import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { streamBody } from "../../src/experiment/body.ts";
import { readFiles, type Experiment } from "../../src/experiment/experiment.ts";
import { findInputFiles, type InputFile } from "../../src/experiment/input/input-file.ts";
import { memoryFile } from "./memory-file.ts";
import { createNamelessCrashes } from "../../src/experiment/row-id.ts";
import type { ExperimentBody } from "../../src/experiment/input/row.ts";
import { toGateTables } from "../../src/experiment/scores.ts";
import { uploadExperiments } from "../../src/experiment/upload.ts";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { plainUpload } from "./plain-upload.ts";
import { readOne } from "./read-text.ts";

const cliPath = join(repositoryRoot, "dist", "cli.js");
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-once-"));
afterAll(() => rmSync(folder, { recursive: true }));

const TIME = "2026-01-01T00:00:00Z";
const header = { experiment_name: "x", experiment_start_time: TIME, experiment_end_time: TIME };
const rowsFrom = (first: number, count: number, score: number): string =>
  Array.from(
    { length: count },
    (_, n) =>
      `${JSON.stringify({ inputs: { n: first + n }, evaluation_scores: [{ key: "m", score }] })}\n`,
  ).join("");

async function bodyOf(experiment: Experiment): Promise<ExperimentBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamBody(experiment, header)) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as ExperimentBody;
}

/** A file that something happens to after its first bytes were read. */
async function disturbed(name: string, disturb: (path: string) => void): Promise<InputFile> {
  writeFileSync(join(folder, name), rowsFrom(0, 100, 1));
  const { files } = await findInputFiles([name], { root: folder });
  const [file] = files;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const chunk of file!.chunks()) {
      if (isFirst) disturb(join(folder, name));
      isFirst = false;
      yield chunk;
    }
  }
  return { ...file!, chunks };
}

describe("a file that changes while it is read", () => {
  test.each<[string, number, (path: string) => void]>([
    ["grows", 150, (path) => appendFileSync(path, rowsFrom(100, 50, 1))],
    ["shrinks", 100, (path) => truncateSync(path, 0)],
    [
      "is replaced",
      100,
      (path) => {
        writeFileSync(`${path}.new`, rowsFrom(0, 100, 0));
        renameSync(`${path}.new`, path);
      },
    ],
    ["is removed", 100, (path) => rmSync(path)],
  ])("%s: what was read is judged and sent, with a warning", async (what, rows, disturb) => {
    const file = await disturbed(`${what.replaceAll(" ", "-")}.jsonl`, disturb);
    const { experiments, problems } = await readFiles([file], {
      wanted: { tags: new Set(), crashes: createNamelessCrashes() },
    });
    expect(problems).toEqual([]);
    const [experiment] = experiments;
    const [{ table } = {}] = toGateTables(experiments, null);
    const { results } = await bodyOf(experiment!);
    expect([experiment!.rowCount, table!.size, results.length]).toEqual([rows, rows, rows]);
    expect(experiment!.scores["m"]).toEqual({ mean: 1, n: rows });
    expect([...table!.scores.get("m")!].every((score) => score === 1)).toBe(true);
    expect(new Set(results.map(({ inputs }) => inputs["n"])).size).toBe(rows);
    const { reports } = await uploadExperiments(
      plainUpload({ experiments, tracing: null, clock: createManualClock() }),
    );
    expect(reports[0]!.warnings.join()).toContain(
      `${file.name} changed while it was read or later: what was read of it is what is judged and sent`,
    );
  });

  test("causes no warning if it stays the same", async () => {
    const file = await disturbed("calm.jsonl", () => undefined);
    const { experiments } = await readFiles([file], {});
    expect(experiments[0]!.changes()).toEqual([]);
  });
});

describe("rows in the spool", () => {
  test("are those that were read, in memory and on disk, whatever their length", async () => {
    const texts = Array.from({ length: 400 }, (_, n) => "é😀x".repeat((n * n) % 4001));
    texts[7] = "long ".repeat(200_000);
    const { experiments } = await readFiles(
      [
        memoryFile(
          "rows.jsonl",
          texts.map((text, n) => `${JSON.stringify({ inputs: { n, text } })}\n`).join(""),
        ),
      ],
      { temp: folder },
    );
    const [experiment] = experiments;
    const { results } = await bodyOf(experiment!);
    expect(results.map(({ inputs }) => inputs)).toEqual(texts.map((text, n) => ({ n, text })));
    expect([...experiment!.spool!.bodies()].flat()).toEqual(results);
  });

  test("that do not fit are refused, with how much space they take", async () => {
    const text = rowsFrom(0, 5000, 1);
    const { experiments, problems } = await readFiles([memoryFile("rows.jsonl", text)], {
      temp: join(folder, "is", "not", "there"),
    });
    expect(experiments).toEqual([]);
    expect(problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      expect.stringMatching(
        /^rows\.jsonl: the rows take 9\d\d\.\d kB of a temporary folder, and .*there takes no files \(ENOENT\); free some, or set RUNNER_TEMP/,
      ),
    ]);
  });
});

describe("a byte order mark", () => {
  const lines = rowsFrom(0, 6000, 1);
  const rows = lines.trimEnd().split("\n");
  test.each([
    ["lines.jsonl", lines],
    ["list.json", `[${rows.join(",")}]`],
    ["table.csv", `inputs.n,feedback.m\n${rows.map((_, n) => `${n},1\n`).join("")}`],
    ["short.csv", "inputs.n,feedback.m\n0,1\n"],
  ])("is not part of %s", async (name, text) => {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `marked-${name}`), `\uFEFF${text}`);
    const { files } = await findInputFiles([name, `marked-${name}`], { root: folder });
    const { experiments, problems } = await readFiles(files, {});
    expect(problems).toEqual([]);
    const [plain, marked] = await Promise.all(
      experiments.map(async (experiment) => (await bodyOf(experiment)).results.length),
    );
    expect([plain, experiments[0]!.fingerprint]).toEqual([marked, experiments[1]!.fingerprint]);
    expect(plain).toBe(name === "short.csv" ? 1 : 6000);
  });
});

describe("integers that no double can hold", () => {
  const score = '"evaluation_scores":[{"key":"m","score":1}]';
  const row = (number: string, more: string): string =>
    `{"inputs":{"n":${number}},${score},"start_time":"${TIME}","end_time":"${TIME}"${more}}`;

  test.each(["12345678901234567891", "20000000000000000000", "9007199254740993"])(
    "%s is sent as the double it is read as, and reported, in every kind of file",
    async (number) => {
      for (const more of ["", ',"error":null', ',"run_name":""']) {
        const one = row(number, more);
        for (const [name, text] of [
          ["r.jsonl", `${one}\n${row("1", more)}\n`],
          ["r.json", `[${one},${row("1", more)}]`],
          ["b.json", `{"dataset_name":"d","results":[${one},${row("1", more)}]}`],
        ] as const) {
          const { experiment, rows } = await readOne(text, { name });
          expect(JSON.stringify(rows[0]!.inputs)).toBe(JSON.stringify({ n: Number(number) }));
          expect(experiment.warnings).toEqual([
            "1 integer is beyond 2^53 and sent rounded; write them as text",
          ]);
        }
      }
    },
  );
});

test("a full disk refuses an upload before a byte is sent, with the space that its rows take", async () => {
  const emulator = await startTestEmulator();
  const tree = createTree({
    "rows.jsonl": rowsFrom(0, 20_000, 1),
    "few.jsonl": rowsFrom(0, 20, 1),
  });
  // Files may have 512 KB: what a shell can do to one process is what a full disk does to all.
  const run = (name: string) =>
    startChild(
      "bash",
      ["-c", 'ulimit -f 512 && exec "$0" "$@"', nodeUnderTest, cliPath, "upload", name],
      {
        cwd: tree.path,
        env: { PATH: process.env["PATH"] ?? "", HOME: tree.path, ...emulator.env },
      },
    ).done;
  const full = await run("rows.jsonl");
  expect([full.code, full.stderr]).toEqual([
    2,
    expect.stringMatching(
      /rows\.jsonl.*the rows take \d\.\d MB of a temporary folder, and .* does not have that much room/,
    ),
  ]);
  expect(emulator.emulator.requests()).toEqual([]);
  expect((await run("few.jsonl")).code).toBe(0);
});

test("a JSON document that is too long for one string is refused, with the command that turns it into lines", async () => {
  const { problems } = await readFiles(
    [{ ...memoryFile("big.json", '{"results":[{"inputs":{}}]}'), sizeBytes: 700e6 }],
    {},
  );
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/700 MB.*write JSONL.*jq -c '\.\[\]' big\.json > big\.jsonl/),
  ]);
});
