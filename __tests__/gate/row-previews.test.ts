import { expect, test } from "@jest/globals";
import { createRowPreviews, type TextSpill } from "../../src/gate/row-previews.ts";
import type { RowPreview } from "../../src/gate/row.ts";

const of = (input: string, more: Partial<RowPreview> = {}): RowPreview => ({
  input,
  expected: `yes to ${input.slice(0, 5)}`,
  output: "öß",
  ...more,
});
const NONE: RowPreview = { input: "", expected: "", output: "" };

/** A spill in memory with room for so many writes. */
function createSpill(writes: number) {
  const lengths: number[] = [];
  let kept = new Uint8Array();
  let refused = 0;
  const spill: TextSpill = {
    write: (bytes) => {
      if (lengths.length >= writes) {
        refused++;
        return false;
      }
      kept = Uint8Array.from([...kept, ...bytes]);
      lengths.push(bytes.length);
      return true;
    },
    read: (from, into) => into.set(kept.subarray(from, from + into.length)),
  };
  return { spill, lengths, refused: () => refused };
}

test("texts read back unchanged, and rows that were left out have none", () => {
  const texts = createRowPreviews(null);
  const noted = of("c", { trace: "https://t.example.com", comments: { tone: "curt" } });
  texts.add(0, of("a"));
  texts.add(3, of("b"));
  texts.add(4, NONE);
  texts.add(5, noted);
  texts.add(6, of("d", { comments: { tone: "kind" } }));
  texts.add(7, { ...NONE, expected: "only" });
  texts.add(8, { ...NONE, output: "only" });
  texts.add(9, { ...NONE, trace: "https://t.example.com/2" });
  expect(Array.from({ length: 12 }, (_, row) => texts.get(row))).toEqual([
    of("a"),
    NONE,
    NONE,
    of("b"),
    NONE,
    noted,
    of("d", { comments: { tone: "kind" } }),
    { ...NONE, expected: "only" },
    { ...NONE, output: "only" },
    { ...NONE, trace: "https://t.example.com/2" },
    NONE,
    NONE,
  ]);
});

const LONG = Array.from({ length: 240 }, (_, n) => of(`${n} ${"long ".repeat(1000)}`));

function expectAllRead(texts: ReturnType<typeof createRowPreviews>): void {
  for (const [row, text] of LONG.entries()) texts.add(row, text);
  for (const [row, text] of LONG.entries()) expect(texts.get(row)).toEqual(text);
}

test("1.2 MB of texts read back from memory", () => {
  expectAllRead(createRowPreviews(null));
});

test.each([
  // No more than half a megabyte stays in memory; a spill that refused is not asked again.
  ["all the room it needs", Infinity, 0, 700_000],
  ["room for two pieces", 2, 1, 400_000],
])("1.2 MB of texts read back from a spill file with %s", (_, writes, refusals, least) => {
  const { spill, lengths, refused } = createSpill(writes);
  expectAllRead(createRowPreviews(spill));
  expect(refused()).toBe(refusals);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(least);
  expect(lengths.filter((length) => length <= 200_000 || length >= 500_000)).toEqual([]);
});

test("up to sixteen million letters of comments are kept in memory, and the texts of all rows", () => {
  const comments = { tone: "x".repeat(1_000_000) };
  const [texts, spilled] = [null, createSpill(Infinity).spill].map(createRowPreviews);
  for (let row = 0; row < 17; row++) texts!.add(row, of(String(row), { comments }));
  const kept = Array.from({ length: 17 }, (_, row) => texts!.get(row));
  expect(kept.map((text) => text.comments !== undefined)).toEqual(
    Array.from({ length: 17 }, (_, row) => row < 15),
  );
  expect(kept.map(({ input }) => input)).toEqual(Array.from({ length: 17 }, (_, n) => String(n)));
  spilled!.add(0, of("a", { comments }));
  expect(spilled!.get(0)).toEqual(of("a", { comments }));
});
