import { describe, expect, test } from "@jest/globals";
import { describeNearMatches, findNearMatches, sketchOf } from "../../src/gate/near-match.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { shareExamples } from "../../src/gate/side.ts";
import { rowOf, tableOf } from "./tables.ts";

/** By another program, since baseline files store them: FNV-1a of each three letters, 32 least of its mixtures. */
test.each([
  ["Where does order 66 go?", "315d22dc42c530f43536a1e04ecf04f3", "1be8ebad"],
  ["  What\tIS \n 7 + 12? ", "ee6db15c41c25ca923e70ad4f59a0efe", "79fc916d"],
  ["a", "13cd0a272dd5f9abbe376d894fbf554d", "811c9dc5"],
])("the sketch of %j has not changed since it was first stored", (text, letters, numbers) => {
  expect(sketchOf(text)).toBe(letters + numbers.slice(-2));
  expect(sketchOf(text, 8)).toBe(letters + numbers);
});

const TEXT = "Where does order 66 go?";
const OWN = sketchOf(TEXT);

const asks = (texts: Readonly<Record<string, string>>): GateTable =>
  tableOf(
    Object.entries(texts).map(([name, input]) =>
      rowOf(name, { preview: { input, expected: "", output: "" } }),
    ),
  );

/** The text's sketch with so many of its digits changed, each by one bit, and its numbers too if wanted. */
function changed(digits: number, { bit = 1, numbers = false, last = false } = {}): string {
  const turn = (digit: string): string => (Number.parseInt(digit, 16) ^ bit).toString(16);
  const letters = [...OWN.slice(0, 32)].map((digit, at) =>
    (last ? 31 - at : at) < digits ? turn(digit) : digit,
  );
  return letters.join("") + (numbers ? "00" : OWN.slice(32));
}

/** What is found for a new text, where the baseline stores these sketches. */
function foundAmong(
  sketches: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>> = {},
): readonly string[] {
  const base = tableOf([...Object.keys(sketches), ...Object.keys(kept)].map((name) => rowOf(name)));
  const stored = new Map(Object.entries({ ...sketches, ...kept }));
  const others = Object.fromEntries(Object.keys(kept).map((name) => [name, "0"]));
  const head = asks({ ...others, new: TEXT });
  return findNearMatches(head, { ...base, sketches: stored }, shareExamples(head, base)).map(
    ({ now, before }) => {
      expect(now).toBe(TEXT);
      return before;
    },
  );
}

describe("an earlier text is near", () => {
  test.each([1, 2, 4, 8, 3, 15])(
    "with 15 of 32 digits the same, but not with 14, changed by %i",
    (bit) => {
      expect(foundAmong({ old: changed(17, { bit }) })).toEqual(["old"]);
      expect(foundAmong({ old: changed(18, { bit }) })).toEqual([]);
      expect(foundAmong({ old: changed(17, { bit, last: true }) })).toEqual(["old"]);
      expect(foundAmong({ old: changed(18, { bit, last: true }) })).toEqual([]);
    },
  );

  test("with other numbers, which count like eight digits", () => {
    expect(foundAmong({ old: changed(17, { numbers: true }) })).toEqual(["old"]);
    expect(foundAmong({ old: changed(0, { numbers: true }), older: changed(5) })).toEqual([
      "older",
    ]);
    expect(foundAmong({ old: changed(0, { numbers: true }), older: changed(11) })).toEqual(["old"]);
    expect(foundAmong({ old: changed(0, { numbers: true }), older: changed(10) })).toEqual([]);
  });

  test("if no other text is less than three digits farther", () => {
    expect(foundAmong({ old: changed(4), other: changed(6) })).toEqual([]);
    expect(foundAmong({ old: changed(4), other: changed(7) })).toEqual(["old"]);
    expect(foundAmong({ other: changed(7), old: changed(4) })).toEqual(["old"]);
    expect(foundAmong({ old: changed(4), other: changed(4, { bit: 2 }) })).toEqual([]);
  });

  test("if no shared example is as near", () => {
    expect(foundAmong({ old: changed(4) }, { kept: changed(6) })).toEqual([]);
    expect(foundAmong({ old: changed(4) }, { kept: changed(7) })).toEqual(["old"]);
    expect(foundAmong({ old: changed(4) }, { kept: changed(1) })).toEqual([]);
  });

  test("if it is known, and the new one has a text", () => {
    expect(foundAmong({ old: "" })).toEqual([]);
    const base = { ...tableOf([rowOf("old")]), sketches: new Map([["old", sketchOf("")]]) };
    const head = asks({ new: "" });
    expect(findNearMatches(head, base, shareExamples(head, base))).toEqual([]);
  });
});

test("none of nine equally near texts is taken, but a nearer one that comes after them is", () => {
  const near = (bit: number) => changed(6, { bit });
  const all = Array.from({ length: 9 }, (_, n) => [`old ${n}`, near(n + 1)] as const);
  expect(foundAmong(Object.fromEntries(all))).toEqual([]);
  expect(foundAmong({ ...Object.fromEntries(all), nearest: changed(3) })).toEqual(["nearest"]);
});

test("each earlier text is paired with the nearest one, and pairs are listed in the order of this run", () => {
  const said = (word: string): string => `${word} asks where in the world order 66 may have gone`;
  const base = asks({ x: said("Anna"), y: said("Boris the carpenter"), z: "0" });
  const head = asks({ a: `${said("Boris the carpenter")}?`, b: `${said("Anna")}?`, z: "0" });
  expect(findNearMatches(head, base, shareExamples(head, base))).toEqual([
    { now: `${said("Boris the carpenter")}?`, before: said("Boris the carpenter") },
    { now: `${said("Anna")}?`, before: said("Anna") },
  ]);
  expect(findNearMatches(base, head, shareExamples(base, head))).toEqual([
    { now: said("Anna"), before: `${said("Anna")}?` },
    { now: said("Boris the carpenter"), before: `${said("Boris the carpenter")}?` },
  ]);
});

describe("edited examples are listed", () => {
  const pair = (n: number) => ({ before: `old ${n}`, now: `new ${n}` });
  const edits = (many: number): string =>
    Array.from({ length: many }, (_, n) => `"old ${n}" → "new ${n}"`).join("; ");
  const RULE = "of the baseline, so the text was probably edited:";

  test.each([
    [0, null],
    [1, `1 example nearly matches one ${RULE} ${edits(1)}`],
    [2, `2 examples nearly match ones ${RULE} ${edits(2)}`],
    [5, `5 examples nearly match ones ${RULE} ${edits(5)}`],
    [6, `6 examples nearly match ones ${RULE} ${edits(5)}, and 1 more`],
    [8, `8 examples nearly match ones ${RULE} ${edits(5)}, and 3 more`],
  ])("%i of them", (many, said) => {
    expect(describeNearMatches(Array.from({ length: many }, (_, n) => pair(n)))).toBe(said);
  });

  const same = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
  test.each([
    [39, `"${same.slice(0, 39)}-" → "${same.slice(0, 39)}+"`],
    [40, `"…${same.slice(20, 40)}-" → "…${same.slice(20, 40)}+"`],
    [41, `"…${same.slice(21, 41)}-" → "…${same.slice(21, 41)}+"`],
  ])("with twenty letters before an edit after %i", (length, said) => {
    const text = same.slice(0, length);
    expect(describeNearMatches([{ before: `${text}-`, now: `${text}+` }])).toContain(`: ${said}`);
  });

  test("with sixty letters of each", () => {
    const [long, longer] = ["x".repeat(60), "y".repeat(61)];
    expect(describeNearMatches([{ before: long, now: longer }])).toContain(
      `"${long}" → "${"y".repeat(59)}…"`,
    );
    // What was only added has no edit in the earlier text.
    expect(describeNearMatches([{ before: "a b", now: "a" }])).toContain('"a b" → "a"');
  });
});
