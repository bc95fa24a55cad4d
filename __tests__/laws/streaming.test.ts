import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { streamBody } from "../../src/experiment/body.ts";
import { readFiles } from "../../src/experiment/experiment.ts";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import { memoryFile } from "../experiment/memory-file.ts";
import { ExperimentBody } from "../../src/experiment/input/row.ts";
import { streamLines } from "../../src/experiment/input/text-lines.ts";
import { readTexts, rowsOf } from "../experiment/read-text.ts";

async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  // One buffer for all pieces, as the file reader does it: whoever keeps a slice is found out.
  const shared = Buffer.alloc(Math.max(...sizes));
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length]!;
    const piece = bytes.subarray(at, at + size);
    shared.set(piece);
    yield shared.subarray(0, piece.length);
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
describe("streaming JSONL", () => {
  test("lines are the same however the bytes are split", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), sizes, async (texts, cut) => {
        const content = texts.map((text) => text.replace(/[\r\n]/g, " ")).join("\n");
        const lines: string[] = [];
        for await (const batch of streamLines("x", pieces(Buffer.from(content), cut)))
          lines.push(...batch.map(({ bytes }) => bytes.toString("utf8")));
        expect(lines).toEqual(content.split("\n").filter((line) => /[^ \t]/.test(line)));
      }),
      { numRuns: 100 },
    );
  });
});

describe("the body", () => {
  const header = {
    experiment_name: "x",
    experiment_start_time: "2026-01-01T00:00:00Z",
    experiment_end_time: "2026-01-02T00:00:00Z",
    dataset_name: "d",
  };

  async function bodyText(
    text: string,
    name = "rows.jsonl",
  ): Promise<{ text: string; sizes: number[] }> {
    const { experiments, problems } = await readTexts({ [name]: text });
    expect(problems).toEqual([]);
    const chunks: Buffer[] = [];
    for await (const chunk of streamBody(experiments[0]!, header)) chunks.push(Buffer.from(chunk));
    return {
      text: Buffer.concat(chunks).toString("utf8"),
      sizes: chunks.map(({ length }) => length),
    };
  }

  test("comes in chunks of at most 64 KiB, which may split characters, with rows of any size", async () => {
    const rows = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify({ inputs: { n, text: "é€😀".repeat(n * 50) } }),
    );
    expect(Buffer.byteLength(rows.at(-1)!)).toBeGreaterThan(2 * 65_536);
    const { text, sizes: chunks } = await bodyText(rows.join("\n"));
    expect(Math.max(...chunks)).toBe(65_536);
    const body = ExperimentBody.parse(JSON.parse(text));
    expect(body.results.map(({ inputs }) => inputs)).toEqual(
      rows.map((row) => (JSON.parse(row) as { inputs: unknown }).inputs),
    );
  });

  test("has rows as the document writes them, however their file spaced and ordered them", async () => {
    const right = {
      inputs: { q: "a" },
      start_time: "2026-01-01T00:00:01Z",
      end_time: "2026-01-01T00:00:02Z",
      evaluation_scores: [{ key: "k", score: 1 }],
    };
    const { text } = await bodyText(
      `${JSON.stringify(right, null, 1).replaceAll("\n", " ")}\n${JSON.stringify({ ...right, inputs: { q: "b" }, start_time: "2026-01-01 00:00:01" })}\n${JSON.stringify({ ...right, inputs: { q: "c" }, row_id: "0B6F0F6E-0000-4000-8000-000000000001" })}\n`,
    );
    const { experiments } = await readTexts({
      "rows.jsonl": `${JSON.stringify(right)}\n${JSON.stringify({ ...right, inputs: { q: "b" }, start_time: "2026-01-01 00:00:01" })}\n${JSON.stringify({ ...right, inputs: { q: "c" }, row_id: "0b6f0f6e-0000-4000-8000-000000000001" })}\n`,
    });
    expect((JSON.parse(text) as ExperimentBody).results).toEqual(
      rowsOf(experiments[0]!).map(({ body }) => body),
    );
  });

  test("is the same every time for the same file", async () => {
    const rows = '{"inputs":{"q":1}}\n{"inputs":{"q":1}}\n{"inputs":{"q":2},"error":"x"}\n';
    expect((await bodyText(rows)).text).toBe((await bodyText(rows)).text);
  });

  test("is a valid request, whatever rows in the service's format hold", async () => {
    const feedback = fc.record(
      {
        key: fc.string({ minLength: 1 }),
        score: fc.oneof(fc.double(), fc.boolean(), fc.constant(null)),
        value: fc.string(),
        comment: fc.string(),
        correction: fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())),
      },
      { requiredKeys: ["key"] },
    );
    const row = fc.record(
      {
        inputs: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.integer()),
        expected_outputs: fc.jsonValue(),
        actual_outputs: fc.jsonValue(),
        evaluation_scores: fc.array(feedback, { maxLength: 4 }),
        run_name: fc.string(),
        error: fc.string(),
        run_metadata: fc.dictionary(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: ["inputs"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 12 }), async (rows) => {
        const text = `${rows.map((value) => JSON.stringify(value)).join("\n")}\n`;
        if (/\\ud[89a-f]/.test(text)) return;
        const body = JSON.parse((await bodyText(text)).text) as ExperimentBody;
        expect(ExperimentBody.safeParse(body).error).toBeUndefined();
        expect(new Set(body.results.map(({ row_id }) => row_id)).size).toBe(rows.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe("readers under fire", () => {
  /** Examples of every format, broken: bytes changed, cut, doubled, values replaced. */
  const corpus = Object.values(FORMAT_EXAMPLES).flat();
  const damage = fc.tuple(
    fc.nat(10_000),
    fc.constantFrom(
      "",
      "\u0000",
      "null",
      "[",
      "]",
      "{",
      "}",
      '"',
      ",",
      "NaN",
      "1e999",
      "-",
      "\n",
      "<",
      "&",
      "\\",
      "\ufeff",
      '{"__proto__":1}',
      "9".repeat(400),
      "\ud800",
    ),
    fc.nat(30),
  );

  test("a damaged file gives experiments or problems, and never anything else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...corpus),
        fc.array(damage, { maxLength: 6 }),
        fc.boolean(),
        async (example, damages, cut) => {
          let text = example.text;
          for (const [at, piece, removed] of damages) {
            const from = at % (text.length + 1);
            text = text.slice(0, from) + piece + text.slice(from + removed);
          }
          if (cut) text = text.slice(0, Math.floor(text.length / 2));
          const { experiments, problems } = await readFiles(
            [memoryFile(example.name, text, 0)],
            {},
          );
          for (const { message, file, line } of problems) {
            expect(message).toMatch(/\S/);
            expect(message).not.toMatch(/is damaged, or not what its first lines say/);
            expect([file !== "", line >= 1]).toEqual([true, true]);
          }
          for (const experiment of experiments)
            expect([...experiment.spool!.bodies()].flat()).toHaveLength(experiment.rowCount);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("any JSON value is read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          "promptfoo",
          "inspect",
          "deepeval",
          "langsmith",
          "openai-evals",
          "phoenix",
          "body",
          "rows",
          "ragas",
        ),
        fc.array(fc.jsonValue({ maxDepth: 5 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (format, values, lines) => {
          const text = lines
            ? `${values.map((value) => JSON.stringify(value)).join("\n")}\n`
            : JSON.stringify(values);
          const { problems } = await readFiles([memoryFile("x.jsonl", text, 0)], { format });
          for (const { message } of problems)
            expect(message).not.toMatch(/is damaged, or not what its first lines say/);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("any values under a format's own keys are read or refused", async () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const twisted = (value: unknown, noise: readonly unknown[], at: { n: number }): unknown => {
      at.n += 1;
      if (at.n % 7 === noise.length % 7) return noise[at.n % noise.length];
      if (Array.isArray(value)) return value.map((item) => twisted(item, noise, at));
      return typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value).map(([key, item]) => [key, twisted(item, noise, at)]),
          )
        : value;
    };
    const parsed = corpus
      .filter(({ name }) => /\.jsonl?$/.test(name))
      .map(({ name, text }) => {
        const lines = name.endsWith(".jsonl") ? text.trim().split("\n") : [text];
        return { name, values: lines.map((line) => JSON.parse(line) as unknown) };
      });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...parsed),
        fc.array(json, { minLength: 1, maxLength: 13 }),
        fc.nat(6),
        async ({ name, values }, noise, shift) => {
          const text = values
            .map((value) => JSON.stringify(twisted(value, noise, { n: shift })))
            .join("\n");
          const { experiments, problems } = await readFiles([memoryFile(name, text, 0)], {});
          for (const { message } of problems)
            expect(message).not.toMatch(/is damaged, or not what its first lines say/);
          for (const experiment of experiments)
            expect([...experiment.spool!.bodies()].flat()).toHaveLength(experiment.rowCount);
        },
      ),
      { numRuns: 250 },
    );
  });
});
