import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { streamBody } from "../../src/experiment/body.ts";
import { readFiles, type Experiment } from "../../src/experiment/experiment.ts";
import { memoryFile } from "../../src/experiment/input-file.ts";
import { createRowScan } from "../../src/experiment/row-scan.ts";
import type { Diagnostic } from "../../src/spec/desired.ts";
import { parseInstant, readInstant } from "../../src/experiment/timestamp.ts";
import { rowsOf } from "./read-text.ts";

const TIME = "2026-01-01T00:00:01Z";
const right = { inputs: { q: "a" }, start_time: TIME, end_time: TIME };
const scan = (text: string): boolean => createRowScan().scan(Buffer.from(text));

/** What is known of a file's rows, and the body that they are sent as. */
async function whole(
  text: string,
): Promise<{ experiments: Experiment[]; problems: Diagnostic[]; body: string }> {
  const { experiments, problems } = await readFiles([memoryFile("rows.jsonl", text, 0)], {});
  const chunks: Buffer[] = [];
  const header = { experiment_name: "x", experiment_start_time: TIME, experiment_end_time: TIME };
  if (experiments[0] !== undefined)
    for await (const chunk of streamBody(experiments[0], header)) chunks.push(Buffer.from(chunk));
  return { experiments, problems, body: Buffer.concat(chunks).toString("utf8") };
}

/** JSON that is written in many ways: with white space, escapes, members in any order, numbers as Python and people write them. */
const spaces = fc.constantFrom("", "", " ", "\t", "  ");
const textJson = fc
  .oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "é",
      "😀",
      "a\nb",
      "\\",
      '"',
      "/",
      "\u2028",
      "x".repeat(70),
      "\ud800",
      "ö".repeat(30),
    ),
  )
  .chain((value) =>
    fc.constantFrom(
      JSON.stringify(value),
      JSON.stringify(value).replaceAll("/", "\\/"),
      JSON.stringify(value).replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    ),
  );
const numberJson = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    "0",
    "-0",
    "1.0",
    "0.10",
    "1e3",
    "1E-2",
    "9007199254740993",
    "123456789012345",
    "0.30000000000000004",
    "1e400",
    "NaN",
    "01",
    "-",
    "1.",
    ".5",
  ),
);
const valueJson: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    textJson,
    numberJson,
    fc.constantFrom("true", "false", "null"),
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`),
  ),
  object: fc
    .array(fc.tuple(textJson, tie("value"), spaces), { maxLength: 4 })
    .map(
      (members) =>
        `{${members.map(([key, value, space]) => `${space}${key}${space}:${space}${value}`).join(",")}}`,
    ),
})).value;
const objectJson = fc
  .array(
    fc.tuple(fc.oneof(textJson, fc.constantFrom('"a"', '"b"', '"Z"', '"é"')), valueJson, spaces),
    { maxLength: 4 },
  )
  .map(
    (members) =>
      `{${members.map(([key, value, space]) => `${space}${key}:${space}${value}${space}`).join(",")}}`,
  );
const scoreJson = fc
  .array(
    fc.tuple(
      fc.constantFrom("key", "key", "score", "score", "value", "comment", "feedback_source"),
      fc.oneof(
        fc.constantFrom('"m"', '"n"', '""', "1", "0.5", "-2.25", "true", "null"),
        textJson,
        numberJson,
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((members) => `{${members.map(([key, value]) => `"${key}": ${value}`).join(",")}}`);
const timeJson = fc.constantFrom(
  `"${TIME}"`,
  '"2026-01-01T00:00:02.123456+00:00"',
  '"2026-01-01T01:00:02.1+01:00"',
  '"2026-01-01 00:00:01"',
  '"2026-02-30T00:00:00Z"',
  "1767225601",
  '"x"',
  "null",
);
const idJson = fc.constantFrom(
  '"0b6f0f6e-0000-4000-8000-000000000001"',
  '"0B6F0F6E-0000-4000-8000-000000000001"',
  '"0b6f0f6e00004000800000000000000f"',
  '"x"',
  "null",
);
const rowJson = fc
  .array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom(
          "inputs",
          "inputs",
          "inputs",
          "expected_outputs",
          "actual_outputs",
          "run_metadata",
        ),
        objectJson,
      ),
      fc.tuple(fc.constantFrom("start_time", "end_time"), timeJson),
      fc.tuple(fc.constant("row_id"), idJson),
      fc.tuple(
        fc.constant("evaluation_scores"),
        fc
          .oneof(
            fc.array(scoreJson, { maxLength: 3 }),
            fc.constant(['{"key":"m","score":1,"comment":"c"}', '{"score":0.25, "key":"n"}']),
          )
          .map((scores) => `[${scores.join(", ")}]`),
      ),
      fc.tuple(fc.constantFrom("run_name", "error", "other"), fc.oneof(textJson, valueJson)),
    ),
    { maxLength: 4 },
  )
  .chain((fields) =>
    spaces.map((space) => {
      const given = new Map<string, string>([
        ["inputs", '{"q":"a"}'],
        ["start_time", `"${TIME}"`],
        ["end_time", '"2026-01-01T00:00:03Z"'],
        ...fields,
      ]);
      return `${space}{${[...given].map(([name, value]) => `${space}"${name}"${space}:${space}${value}${space}`).join(",")}}${space}`;
    }),
  );

describe("rows looked at as bytes", () => {
  test("rows that are right as they stand need no parser, however they are spaced and ordered", () => {
    const full = {
      row_id: "0b6f0f6e-0000-4000-8000-000000000001",
      inputs: { b: [1, { z: true, a: null }], a: 'é\n"x"' },
      expected_outputs: {},
      actual_outputs: { a: 0.5 },
      evaluation_scores: [
        { key: "m", score: 0.8333333333333334, comment: "c" },
        { value: "w", key: "n" },
      ],
      start_time: "2026-01-01T00:00:00.123456+00:00",
      end_time: TIME,
      run_name: "r",
      error: "e",
      run_metadata: { n: -12 },
    };
    for (const text of [
      JSON.stringify(right),
      JSON.stringify(full),
      JSON.stringify(full, null, 2),
      JSON.stringify(Object.fromEntries(Object.entries(full).reverse())),
    ])
      expect([text, scan(text)]).toEqual([text, true]);
  });

  test.each([
    ["no inputs", { ...right, inputs: undefined }],
    ["inputs that are a text", { ...right, inputs: "a" }],
    ["a null", { ...right, expected_outputs: null }],
    ["an unknown field", { ...right, other: 1 }],
    ["no scores in a list", { ...right, evaluation_scores: [] }],
    ["a score that is a text", { ...right, evaluation_scores: [{ key: "m", score: "1" }] }],
    ["a score of nothing", { ...right, evaluation_scores: [{ key: "m" }] }],
    [
      "one metric twice",
      {
        ...right,
        evaluation_scores: [
          { key: "m", score: 1 },
          { key: "m", score: 0 },
        ],
      },
    ],
    ["an integer beyond 2^53", { ...right, run_metadata: { n: 2 ** 60 } }],
    ["an empty text", { ...right, run_name: "" }],
    ["an end before the start", { ...right, end_time: "2026-01-01T00:00:00Z" }],
    ["a time without zone", { ...right, end_time: "2026-01-01T00:00:01" }],
    ["a day that there is not", { ...right, start_time: "2025-02-29T00:00:00Z" }],
    ["an id in capitals", { ...right, row_id: "0B6F0F6E-0000-4000-8000-000000000001" }],
  ])("a row with %s is left to the parser", (_, row) => {
    expect(scan(JSON.stringify(row))).toBe(false);
  });

  test.each([
    ["role and id", { role: "user", id: "run-1", content: "Where is my parcel?" }],
    ["type and id", { type: "human", id: "run-1", content: "Where is my parcel?" }],
    ["a constructor", { lc: 1, kwargs: { content: "Where is my parcel?", id: "run-1" } }],
    ["pairs of who and what", ["human", "Where is my parcel?", { tool_call_id: "call-1" }]],
  ])("a chat whose messages have %s is left to the parser, at any depth", (_, message) => {
    for (const inputs of [{ m: message }, { m: [message] }, { a: { b: [0, { c: message }] } }])
      expect(scan(JSON.stringify({ ...right, inputs }))).toBe(false);
  });

  test("the words of a chat inside of a text make no chat", () => {
    const inputs = { said: 'she said "role', answered: 'he said "id', question: "And then?" };
    expect(scan(JSON.stringify({ ...right, inputs }))).toBe(true);
  });

  test("text that is not JSON is never taken for a row", () => {
    const text = JSON.stringify({ ...right, run_metadata: { a: "xxxxxxxxxxxxxxxx", n: 12 } });
    for (const [from, to] of [
      ["x", "\t"],
      ["x", "\\x"],
      ["12", "012"],
      ["12", "1e5"],
      [":12", " 12"],
      ["12}", "12,}"],
      ["{", "{,"],
      ["}}", "}"],
      ["}}", "}}}"],
      ["}}", "}} x"],
      ['"a"', "'a'"],
    ] as const) {
      expect([from, to, scan(text.replace(from, to))]).toEqual([from, to, false]);
    }
    expect(
      createRowScan().scan(
        Buffer.concat([
          Buffer.from(text.slice(0, -8)),
          Buffer.from([0xff]),
          Buffer.from(text.slice(-8)),
        ]),
      ),
    ).toBe(false);
  });

  test("whatever a row holds, looking at it and parsing it come to the same: ids, means, window, problems and the body", async () => {
    let looked = 0;
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(rowJson, { minLength: 1, maxLength: 5 }), async (texts) => {
        const plain = createRowScan();
        looked += texts.filter((text) => plain.scan(Buffer.from(text))).length;
        rows += texts.length;
        // A field that no row has sends every row of the second file through the parser; it is left out of the body and of what is compared.
        const [fast, slow] = await Promise.all([
          whole(`${texts.join("\n")}\n`),
          whole(`${texts.map((text) => text.replace("{", '{"not a field":0,')).join("\n")}\n`),
        ]);
        expect(fast.problems).toEqual(slow.problems);
        const [one, other] = [fast.experiments[0], slow.experiments[0]];
        expect(one === undefined).toBe(other === undefined);
        if (one === undefined || other === undefined || fast.problems.length > 0) return;
        const { warnings, ...facts } = JSON.parse(JSON.stringify(one)) as Experiment;
        expect(facts).toEqual({
          ...(JSON.parse(JSON.stringify(other)) as Experiment),
          warnings: undefined,
        });
        expect([...warnings, expect.stringContaining("not a field")].sort()).toEqual(
          [...other.warnings].sort(),
        );
        // What is sent as it stands may say -0, which is 0 for everyone else.
        expect(JSON.parse(JSON.stringify(JSON.parse(fast.body)))).toEqual(JSON.parse(slow.body));
        expect((await rowsOf(one)).map(({ body, k, example }) => ({ body, k, example }))).toEqual(
          (await rowsOf(other)).map(({ body, k, example }) => ({ body, k, example })),
        );
      }),
      {
        numRuns: 300,
        examples: [
          [
            [
              '{"inputs":{"a":NaN,"a":0},"start_time":"2026-01-01T00:00:01Z","end_time":"2026-01-01T00:00:03Z"}',
            ],
          ],
        ],
      },
    );
    // The test would be worth nothing if it only made rows of one kind.
    expect([looked > rows / 8, looked < (7 * rows) / 8]).toEqual([true, true]);
  });

  test("times read as bytes are those that the parser reads", () => {
    const part = (max: number): fc.Arbitrary<string> =>
      fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, "0"));
    fc.assert(
      fc.property(
        fc.tuple(
          fc.integer({ min: 1000, max: 9999 }),
          part(14),
          part(33),
          part(25),
          part(61),
          part(61),
        ),
        fc.constantFrom("", ".1", ".123", ".123456", ".999999999", ",5", "."),
        fc.constantFrom("Z", "z", "+01:00", "-23:59", "+0100", ""),
        ([year, month, day, hour, minute, second], fraction, zone) => {
          const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`;
          const bytes = Buffer.from(` ${text} `);
          const us = readInstant(bytes, 1, 1 + text.length);
          if (!Number.isNaN(us)) expect([text, { us, text }]).toEqual([text, parseInstant(text)]);
          else if (second !== "60" && parseInstant(text)?.text === text)
            throw new Error(`${text} could be read as it stands`);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
