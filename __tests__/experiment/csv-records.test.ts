import { describe, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { type CsvError, createCsvReader } from "../../src/experiment/formats/csv-records.ts";

/** All records of a text that comes in pieces of some size. */
function recordsOf(text: string, piece: number): { cells: string[]; line: number }[] {
  const reader = createCsvReader({ maxRecordChars: 100_000 });
  const records = [];
  for (let at = 0; at < text.length; at += piece)
    records.push(...reader.push(text.slice(at, at + piece)));
  return [...records, ...reader.end()];
}
const cellsOf = (text: string, piece = 7): string[][] =>
  recordsOf(text, piece).map(({ cells }) => cells);

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const cell = fc
  .array(fc.constantFrom("a", "é", "😀", ",", '"', "\n", "\r\n", " ", "0.5"), { maxLength: 5 })
  .map((parts) => parts.join(""));

describe("CSV", () => {
  test("is read as another reader reads it, wherever the pieces are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom("\n", "\r\n"),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (table, end, piece, ended) => {
          const text =
            table
              .map((row) => row.map((one) => (/[",\r\n]/.test(one) ? quoted(one) : one)).join(","))
              .join(end) + (ended ? end : "");
          const theirs = parse(text, {
            relax_column_count: true,
            skip_empty_lines: true,
            record_delimiter: end,
          });
          expect(cellsOf(text, piece)).toEqual(theirs);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("ends its lines in CR where the first one does", () => {
    expect(cellsOf("a,b\rc,d\r")).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  test("tells the line that a record begins at", () => {
    const lines = recordsOf('a\n\n"b\nc",d\ne\n', 3).map(({ line }) => line);
    expect(lines).toEqual([1, 3, 5]);
  });

  test.each([
    ['a\nb"c\n', 2, "a quote stands inside of a cell that is not in quotes"],
    ['a\n"b"c\n', 2, "a quote inside of a cell is not doubled"],
    ['a\nb\n"c\nd', 3, "a quote is not closed"],
  ])("that is damaged is told with its line: %j", (text, line, message) => {
    expect.assertions(1);
    try {
      cellsOf(text);
    } catch (error) {
      expect({ line: (error as CsvError).line, message: (error as CsvError).message }).toEqual({
        line,
        message,
      });
    }
  });

  test("a record without an end is refused before all of it is held, and is gone through only twice", () => {
    const reader = createCsvReader({ maxRecordChars: 10_000 });
    let pushed = 0;
    expect(() => {
      for (; pushed < 1_000_000; pushed += 100)
        reader.push(pushed === 0 ? `"${"x".repeat(99)}` : "x".repeat(100));
    }).toThrow("a record is longer than 10000 characters");
    expect(pushed).toBeLessThanOrEqual(10_200);
  });
});
