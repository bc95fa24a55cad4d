import { tmpdir } from "node:os";
import { describe, expect, test } from "@jest/globals";
import { parseDrop } from "../../src/experiment/exclusion.ts";
import type { RowBody } from "../../src/experiment/input/row.ts";
import { createRowSpool, renderBytes } from "../../src/experiment/row-spool.ts";
import { renderSizePlan } from "../../src/experiment/size-plan.ts";

/** The plan for rows whose ids and times weigh 45 B and their empty inputs 12 B: 57 B, unless they say otherwise. */
function planFor(rows: readonly Partial<RowBody>[], ...entries: string[]): string {
  const spool = createRowSpool("rows.jsonl", tmpdir());
  for (const more of rows)
    spool.add({ row_id: "r", inputs: {}, start_time: "s", end_time: "e", ...more });
  spool.close();
  return renderSizePlan({ spool }, parseDrop(entries).rules);
}

const answer = (chars: number): Partial<RowBody> => ({ actual_outputs: { a: "a".repeat(chars) } });
const expected = (chars: number): Partial<RowBody> => ({
  expected_outputs: { a: "e".repeat(chars) },
});

/** What a plan proposes to cut, and what that leaves. */
const proposal = (plan: string): string =>
  /(?:write|or) `drop: ([^`]*:[^`]*)`/.exec(plan)?.[1] ??
  /[^;]*: split the file/.exec(plan)![0].trim();

const NO_CUT = "no text is long enough to be cut: split the file";

describe("the plan for rows that are too large", () => {
  test("names the four heaviest fields with their share, and what remains after a cut", () => {
    // {"a":"…"} has 8 B around the text; a field has its name, two quotes, a colon and a comma: 1,026 B of 1,083.
    expect(planFor([answer(1000)])).toBe(
      "the rows weigh 1.1 kB: actual_outputs 1.0 kB (95 %), start_time 17 B (2 %), end_time 15 B (1 %), " +
        "row_id 13 B (1 %); write `drop: actual_outputs:500` " +
        "(cuts 1 text, each with a visible mark, and leaves about 643 B); " +
        "clients of the service keep to 20 to 25 MB",
    );
    expect(planFor([{}])).toBe(
      "the rows weigh 57 B: start_time 17 B (30 %), end_time 15 B (26 %), row_id 13 B (23 %), inputs 12 B (21 %); " +
        `${NO_CUT}; clients of the service keep to 20 to 25 MB`,
    );
  });

  test("offers to leave out the metadata, with what remains and what is dropped already", () => {
    // {"m":1} has 7 B, its field 16 B more.
    expect(planFor([{ run_metadata: { m: 1 } }, {}], "run_name")).toContain(
      "; write `drop: run_name, run_metadata` (leaves 114 B); clients",
    );
  });

  // A cut to L leaves 143 + L of an answer's N + 83 B, since its mark counts for 60.
  test.each([
    ["half of the weight is enough", [answer(2203)], "actual_outputs:1000"],
    ["a byte less than half is not enough", [answer(2202)], "actual_outputs:500"],
    ["a cut that saves no more than its mark is not offered", [answer(560)], NO_CUT],
    ["a cut that saves more is offered", [answer(561), answer(640)], "actual_outputs:500"],
    ["the first field is enough", [{ ...answer(1931), ...expected(700) }], "actual_outputs:500"],
    [
      "the first field leaves half a byte too many",
      [{ ...answer(1930), ...expected(700) }],
      "actual_outputs:500, expected_outputs:500",
    ],
    [
      "inputs come last, though they save most",
      [{ ...answer(1500), inputs: { a: "i".repeat(2000) } }],
      "actual_outputs:500, inputs:500",
    ],
    [
      "the field that saves more comes first",
      [{ ...expected(900), ...answer(800) }],
      "expected_outputs:500, actual_outputs:500",
    ],
    [
      "a hundredth of the weight is not worth a cut",
      [{ ...answer(600), inputs: { ["k".repeat(3313)]: 1 } }],
      NO_CUT,
    ],
    [
      "more than a hundredth is",
      [{ ...answer(600), inputs: { ["k".repeat(3312)]: 1 } }],
      "actual_outputs:500",
    ],
  ] as const)("%s", (_, rows, cut) => {
    expect(proposal(planFor(rows))).toBe(cut);
  });

  test("counts the texts and the bytes of all fields and rows that are cut, in bytes of UTF-8", () => {
    // Twice 2,083 B; each cut to 500 takes 1,440 B.
    expect(planFor([answer(2000), answer(2000)])).toContain(
      "(cuts 2 texts, each with a visible mark, and leaves about 1.3 kB)",
    );
    // 1,600 B of text: a cut to 500 of 800 characters takes 600 - 60 of 1,683 B.
    expect(planFor([{ actual_outputs: { a: "é".repeat(800) } }])).toContain(
      "write `drop: actual_outputs:500` (cuts 1 text, each with a visible mark, and leaves about 1.1 kB)",
    );
  });

  test("does not count an empty text", () => {
    expect(planFor([{ actual_outputs: { a: "", b: "a".repeat(1000) } }])).toContain(
      "(cuts 1 text, each with a visible mark, and leaves about 650 B)",
    );
  });
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [1049, "1.0 kB"],
  [1051, "1.1 kB"],
  [999_900, "999.9 kB"],
  [1e6, "1.0 MB"],
  [25.26e6, "25.3 MB"],
])("%d bytes are shown as %s", (bytes, text) => {
  expect(renderBytes(bytes)).toBe(text);
});
