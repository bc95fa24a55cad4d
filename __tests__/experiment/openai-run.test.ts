import { describe, expect, test } from "@jest/globals";
import { readTexts, rowsOf } from "./read-text.ts";

/** Items of the Evals API and of Azure AI Foundry, as their references show them. */
const item = (more: object): object => ({
  object: "eval.run.output_item",
  id: "1",
  status: "completed",
  datasource_item: { query: "What's the weather?" },
  results: [],
  ...more,
});
const read = async (...items: object[]): Promise<Awaited<ReturnType<typeof rowsOf>>> => {
  const text = JSON.stringify({ object: "list", data: items });
  const { experiments, problems } = await readTexts({ "items.json": text });
  expect(problems).toEqual([]);
  return rowsOf(experiments[0]!);
};

describe("output items of an eval run", () => {
  test("do not count what Foundry writes about the agent as input", async () => {
    const run = (n: string): object =>
      item({
        datasource_item: {
          query: "What's the weather?",
          response_id: `resp_${n}`,
          agent_name: "my-agent",
          agent_version: n,
          "sample.output_text": `It is ${n} degrees.`,
          "sample.output_items": [{ id: n }],
        },
        results: [{ name: "Quality", metric: "quality", score: 0.8, passed: true }],
      });
    const [[a], [b]] = [await read(run("10")), await read(run("11"))];
    expect(a!.example).toBe(b!.example);
    expect(a!.body.inputs).toEqual({ query: "What's the weather?" });
    expect(a!.body.actual_outputs).toMatchObject({ "sample.output_text": "It is 10 degrees." });
    expect(a!.body.run_metadata).toMatchObject({ response_id: "resp_10", agent_version: "10" });
  });

  test("keep the name that a person gave a criterion, in every eval", async () => {
    const of = (id: string): object =>
      item({ results: [{ name: `String check-${id}`, score: 1, passed: true, sample: null }] });
    const keys = async (id: string): Promise<string[]> =>
      (await read(of(id)))[0]!.body.evaluation_scores!.map(({ key }) => key);
    const first = await keys("a2486074-d803-4445-b431-ad2262e85d47");
    expect(first).toEqual(["String check", "String check.pass"]);
    expect(await keys("b2486074-d803-4445-b431-ad2262e85d47")).toEqual(first);
  });

  test("distinguish two criteria with the same metric or the same name", async () => {
    const uuid = "2486074-d803-4445-b431-ad2262e85d47";
    const [row] = await read(
      item({
        results: [
          { name: "strict", metric: "coherence", score: 2 },
          { name: "mild", metric: "coherence", score: 4 },
          { name: `check-a${uuid}`, score: 1 },
          { name: `check-b${uuid}`, score: 0 },
        ],
      }),
    );
    expect(row!.body.evaluation_scores!.map(({ key, score }) => [key, score])).toEqual([
      ["strict.coherence", 2],
      ["mild.coherence", 4],
      [`check-a${uuid}`, 1],
      [`check-b${uuid}`, 0],
    ]);
  });
});
