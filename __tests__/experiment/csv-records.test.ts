import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { type CsvRecord, readCsv } from "../../src/experiment/formats/csv-records.ts";

/** All records of a text that comes in pieces of some size, in memory that is used again. */
async function recordsOf(
  text: string,
  piece: number,
  { maxRecordChars = 100_000, separator = "," } = {},
): Promise<CsvRecord[]> {
  const bytes = Buffer.from(text);
  const memory = Buffer.alloc(piece);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += piece)
      yield memory.subarray(0, bytes.copy(memory, 0, at, at + piece));
  }
  const how = { separator, maxRecordChars };
  const records: CsvRecord[] = [];
  for await (const some of readCsv("t.csv", pieces(), how)) records.push(...some);
  return records;
}
const cellsOf = async (text: string, piece = 7, separator = ","): Promise<string[][]> =>
  (await recordsOf(text, piece, { separator })).map(({ cells }) => cells);

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const cell = fc
  .array(fc.constantFrom("a", "é", "😀", ",", ";", "\t", "|", '"', "\n", "\r\n", " ", "0.5"), {
    maxLength: 5,
  })
  .map((parts) => parts.join(""));

describe("CSV", () => {
  test("reads back the table that was written, wherever the chunks are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom("\n", "\r\n"),
        fc.integer({ min: 2, max: 9 }),
        fc.boolean(),
        fc.constantFrom(",", ";", "\t", "|"),
        async (table, end, piece, ended, separator) => {
          const lines = table.map((row) =>
            row.map((one) => (/[",;\t|\r\n]/.test(one) ? quoted(one) : one)).join(separator),
          );
          // A line without a value is not a record.
          const written = table.filter((row) => row.some((one) => one.trim() !== ""));
          const text = lines.join(end) + (ended ? end : "");
          expect(await cellsOf(text, piece, separator)).toEqual(written);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("may end its lines with CR, as the first one does", async () => {
    expect(await cellsOf("a,b\rc,d\r")).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  test("reports the line that a record begins at", async () => {
    const lines = (await recordsOf('a\n\n"b\nc",d\ne\n', 3)).map(({ line }) => line);
    expect(lines).toEqual([1, 3, 5]);
  });

  test.each([
    ['a\nb"c\n', 2, "a quote is inside of a cell that is not in quotes"],
    ['a\n"b"c\n', 2, "a quote inside of a cell is not doubled"],
    ['a\nb\n"c\nd', 3, "a quote is not closed"],
  ])("that is damaged is reported with its line: %j", async (text, line, message) => {
    await expect(cellsOf(text)).rejects.toMatchObject({
      problems: [
        {
          file: "t.csv",
          line,
          message: expect.stringContaining(`in line ${line}: ${message};`) as unknown,
        },
      ],
    });
  });

  test("is refused before a record without an end is read whole", async () => {
    const cut = recordsOf(`"${"x".repeat(1_000_000)}`, 1000, { maxRecordChars: 10_000 });
    await expect(cut).rejects.toThrow("a record is longer than 10000 characters");
  });
});
