import { describe, expect, test } from "@jest/globals";
import { readOne } from "./read-text.ts";

const CSV = "question,lang,answer,correct,tone,secs\nFrance?,en,Paris,1,0.5,2.5\n";

async function rowOf(mapping: string, text = CSV): Promise<Record<string, unknown>> {
  const { rows } = await readOne(text, { mapping });
  const { row_id: _, ...row } = rows[0]!;
  return row as unknown as Record<string, unknown>;
}

describe("a mapping", () => {
  test("takes scores by the name of their column: one, a list, an object, or the service's own list", async () => {
    expect(
      (await rowOf("inputs.q: question\nevaluation_scores: correct\n"))["evaluation_scores"],
    ).toEqual([{ key: "correct", score: 1 }]);
    expect(
      (await rowOf("inputs.q: question\nevaluation_scores: [correct, tone]\n"))[
        "evaluation_scores"
      ],
    ).toEqual([
      { key: "correct", score: 1 },
      { key: "tone", score: 0.5 },
    ]);
    expect(
      (
        await rowOf(
          "inputs.q: q\nevaluation_scores: s\n",
          JSON.stringify([{ q: "a", s: { correct: 1, tone: 0.5 } }]),
        )
      )["evaluation_scores"],
    ).toEqual([
      { key: "correct", score: 1 },
      { key: "tone", score: 0.5 },
    ]);
    expect(
      (
        await rowOf(
          "inputs.q: q\nevaluation_scores: s\n",
          JSON.stringify([{ q: "a", s: [{ key: "correct", score: 1, comment: "yes" }] }]),
        )
      )["evaluation_scores"],
    ).toEqual([{ key: "correct", score: 1, comment: "yes" }]);
  });

  test("takes several columns as one object", async () => {
    expect(await rowOf("inputs: [question, lang]\nactual_outputs: [answer]\n")).toMatchObject({
      inputs: { question: "France?", lang: "en" },
      actual_outputs: { answer: "Paris" },
    });
  });

  test("knows the words of the plain CSV convention", async () => {
    const row = await rowOf(
      "inputs.q: question\noutputs.a: answer\nreference.a: answer\nfeedback.correct: correct\nexecution_time: secs\n",
    );
    expect(row).toMatchObject({
      inputs: { q: "France?" },
      actual_outputs: { a: "Paris" },
      expected_outputs: { a: "Paris" },
      evaluation_scores: [{ key: "correct", score: 1 }],
    });
    expect(Date.parse(String(row["end_time"])) - Date.parse(String(row["start_time"]))).toBe(2500);
  });

  test("names the field that was meant", async () => {
    await expect(readOne(CSV, { mapping: "inptus.q: question\n" })).rejects.toThrow(
      /there is no such field \(did you mean inputs\?\)/,
    );
  });
});

describe("a format that does not exist", () => {
  test("is told with the nearest one", async () => {
    await expect(readOne("[]", { format: "promptfo" })).rejects.toThrow(
      /there is no format "promptfo" \(did you mean promptfoo\?\)/,
    );
  });
});
