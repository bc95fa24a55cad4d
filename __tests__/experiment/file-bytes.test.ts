import { describe, expect, test } from "@jest/globals";
import { sortedForIdentity, withoutAgentTurns } from "../../src/experiment/input/identity.ts";
import { readWhole, type InputFile } from "../../src/experiment/input/input-file.ts";
import { readDocument } from "../../src/experiment/input/json-document.ts";
import { faultOf } from "../../src/experiment/input/json-fault.ts";
import { streamLines } from "../../src/experiment/input/text-lines.ts";
import type { DiagnosticError } from "../../src/experiment/input/diagnostic.ts";
import { memoryFile } from "./memory-file.ts";
import { problemsOf, readOne } from "./read-text.ts";

/** The first problem that reading ends with: its line and message. */
async function problemOf(reading: Promise<unknown>): Promise<readonly [number, string]> {
  const { problems } = (await reading.then(
    () => ({ problems: [] }),
    (error: unknown) => error,
  )) as DiagnosticError;
  const [{ line, message }] = problems as [DiagnosticError["problems"][0]];
  return [line, message];
}

describe("the place where a text stops being JSON", () => {
  test.each<[string, readonly [number, number, boolean] | null]>([
    ["[]", null],
    ['{"a":1}', null],
    [' [1, {"b": [true, null]}]\n', null],
    ["", [1, 1, true]],
    ["  \n", [2, 1, true]],
    ["[1,2", [1, 5, true]],
    ['{"a":tru', [1, 6, true]],
    ['{"a":tru }', [1, 6, false]],
    ['{"a":"x', [1, 6, true]],
    ['{"a":1} x', [1, 9, false]],
    ['{"a" 1}', [1, 6, false]],
    ["[1,\n2,]", [2, 3, false]],
    ['{"a":1,}', [1, 8, false]],
    ["{]", [1, 2, false]],
    ["[1}", [1, 3, false]],
    [",", [1, 1, false]],
    ["[,]", [1, 2, false]],
    ["[1 2]", [1, 4, false]],
    ["{:1}", [1, 2, false]],
    ["{1:2}", [1, 2, false]],
    ['{"a":}', [1, 6, false]],
    ["[[1]", [1, 5, true]],
    ["]", [1, 1, false]],
  ])("is found in %j", (text, fault) => {
    expect(faultOf(text)).toEqual(
      fault === null ? null : { line: fault[0], column: fault[1], isEnd: fault[2] },
    );
  });
});

describe("a file that is read whole", () => {
  const MIB = 1024 * 1024;
  /** A file that has grown since its size was read. */
  const grown = (bytes: Uint8Array, sizeBytes: number): InputFile => ({
    ...memoryFile("a.json", bytes),
    sizeBytes,
  });

  test("may grow while it is read, up to its limit", async () => {
    const bytes = Buffer.alloc(200_000, "ab");
    expect((await readWhole(grown(bytes, 10), MIB)).equals(bytes)).toBe(true);
    expect((await readWhole(grown(bytes, 10), 200_000)).equals(bytes)).toBe(true);
    expect(await readWhole(grown(Buffer.alloc(0), 0), MIB)).toHaveLength(0);
  });

  test.each([
    ["it is larger from the beginning", 2 * MIB + 1, 0],
    ["it has grown", 0, 2 * MIB + 1],
  ])("is refused above its limit if %s", async (_, sizeBytes, length) => {
    const reading = readWhole(grown(Buffer.alloc(length), sizeBytes), 2 * MIB);
    expect((await problemOf(reading))[1]).toBe(
      "the file is larger than 2 MiB, which this format cannot be read at; split it, or write JSONL",
    );
  });

  test("of JSON is refused if it is longer than V8's longest string", async () => {
    const file = { ...memoryFile("out/a.json", "[]"), sizeBytes: 1_234_500_000 };
    expect((await problemOf(readDocument(file)))[1]).toBe(
      "the file has 1235 MB, and JSON is read whole, up to 536 MB; write JSONL, which is read line by line: " +
        "jq -c '.[]' out/a.json > out/a.jsonl (for an object, name its list: '.results[]')",
    );
  });
});

describe("lines of a file", () => {
  async function* chunksOf(
    ...chunks: readonly (string | Uint8Array)[]
  ): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  }
  const linesOf = async (...chunks: readonly (string | Uint8Array)[]): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const batch of streamLines("a.jsonl", chunksOf(...chunks)))
      for (const { bytes, line } of batch) found.push([bytes.toString(), line]);
    return found;
  };

  test.each<[string, readonly string[], unknown]>([
    [
      "blank ones are counted and left out",
      ["a\n\n \t\r\nb\n"],
      [
        ["a", 1],
        ["b", 4],
      ],
    ],
    [
      "the last one needs no line break",
      ["a\nb"],
      [
        ["a", 1],
        ["b", 2],
      ],
    ],
    ["a blank last one is left out", ["a\n \t"], [["a", 1]]],
    [
      "pieces of one line are joined",
      ["a", "b", "c\nd"],
      [
        ["abc", 1],
        ["d", 2],
      ],
    ],
    [
      "a line break may be a chunk of its own",
      ["a", "\n", "b"],
      [
        ["a", 1],
        ["b", 2],
      ],
    ],
    ["an empty file has none", [], []],
  ])("%s", async (_, chunks, lines) => {
    expect(await linesOf(...chunks)).toEqual(lines);
  });

  test("come in batches of 4 KiB", async () => {
    const sizes: number[] = [];
    const text = `${"x".repeat(1023)}\n`.repeat(9);
    for await (const batch of streamLines("a", chunksOf(text))) sizes.push(batch.length);
    expect(sizes).toEqual([4, 4, 1]);
  });

  test("longer than 64 MiB are refused by number before they are in memory", async () => {
    const large = Buffer.alloc(32 * 1024 * 1024, "x");
    expect(await problemOf(linesOf("a\n", large, large, "x"))).toEqual([
      2,
      "the line is longer than 64 MiB; that is not a row",
    ]);
    expect(await linesOf(large, large.subarray(1), "\n")).toHaveLength(1);
  });
});

test("an identity has its lists sorted, and leaves out the turns that the agent wrote", () => {
  expect(sortedForIdentity([{ b: 1 }, "a", { a: 2 }, "a", 3])).toEqual([
    "a",
    "a",
    3,
    { a: 2 },
    { b: 1 },
  ]);
  const turns = [5, { role: "user" }, { role: "assistant" }, { type: "ai" }, { role: 7 }];
  expect(withoutAgentTurns(turns)).toEqual([5, { role: "user" }, { role: 7 }]);
});

describe("a table that comes in pieces of 64 KiB", () => {
  const PIECE = 65_536;
  const HEADER = "inputs.q,feedback.a\n";

  test("may have a character across two of them", async () => {
    const question = `${"x".repeat(PIECE - HEADER.length - 2)}😀`;
    const { rows } = await readOne(`${HEADER}${question},1\n`, { name: "r.csv" });
    expect(rows).toMatchObject([{ inputs: { q: question } }]);
  });

  test("is not valid UTF-8 if a character is cut off at its end", async () => {
    const whole = Buffer.from(`${HEADER}${"x".repeat(PIECE)},1\nb,0,😀`);
    expect(await problemsOf(whole.subarray(0, -1), { name: "r.csv" })).toEqual([
      "the file is not valid UTF-8; write it as UTF-8",
    ]);
  });
});
