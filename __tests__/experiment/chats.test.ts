import { describe, expect, test } from "@jest/globals";
import { stableInputs } from "../../src/experiment/input/identity.ts";
import { readOne } from "./read-text.ts";

/** The id of a row of the document's own format: complete ones are only scanned, the others parsed. */
async function idOf(inputs: unknown, complete = true): Promise<string> {
  const times = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };
  const row = {
    inputs,
    evaluation_scores: [{ key: "k", score: 1 }],
    ...(complete ? times : {}),
  };
  return (await readOne(`${JSON.stringify(row)}\n`, { name: "r.jsonl" })).rows[0]!.row_id;
}

const asked = (...turns: unknown[]): unknown => ({ messages: turns });
const part = (id: string): unknown =>
  asked({ role: "user", content: [{ type: "text", text: "hi", id }] });
const constructed = (name: string, kwargs: object): unknown => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", name],
  kwargs,
});

describe("the identity of a chat", () => {
  test.each<[string, unknown, unknown]>([
    [
      "the agent's turn in a list of pairs",
      asked(["user", "hi"], ["assistant", "x"]),
      asked(["user", "hi"], ["assistant", "y"]),
    ],
    [
      "the agent's turn in the shortest pairs",
      {
        m: [
          ["ai", ""],
          ["user", ""],
        ],
      },
      { m: [["user", ""]] },
    ],
    [
      "the agent's turn in pairs next to messages",
      asked(["system", "s"], { role: "user", content: "q" }, ["ai", "x"]),
      asked(["system", "s"], { role: "user", content: "q" }, ["ai", "y"]),
    ],
    ["the id of a part", part("p1"), part("p2")],
    [
      "the id of a part in a pair",
      asked(["human", [{ type: "text", text: "hi", id: "p1" }]]),
      asked(["human", [{ type: "text", text: "hi", id: "p2" }]]),
    ],
    [
      "the id of the call that a part answers",
      asked({ role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "r" }] }),
      asked({ role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "r" }] }),
    ],
    [
      "the ids and agent turns of messages that LangChain serialized by constructor",
      asked(
        constructed("HumanMessage", { content: "hi", id: "1" }),
        constructed("AIMessage", { content: "x", id: "2" }),
      ),
      asked(
        constructed("HumanMessage", { content: "hi", id: "3" }),
        constructed("AIMessage", { content: "y", id: "4" }),
      ),
    ],
    [
      "the ids and agent turns of messages that LangChain serialized by type",
      asked(
        { type: "human", data: { content: "hi", id: "1" } },
        { type: "ai", data: { content: "x" } },
      ),
      asked(
        { type: "human", data: { content: "hi", id: "2" } },
        { type: "ai", data: { content: "y" } },
      ),
    ],
  ])("ignores %s", async (_, one, other) => {
    for (const complete of [true, false])
      expect(await idOf(other, complete)).toBe(await idOf(one, complete));
  });

  test.each<[string, unknown, unknown]>([
    [
      "what the user said in pairs",
      asked(["user", "a"], ["ai", "x"]),
      asked(["user", "b"], ["ai", "x"]),
    ],
    ["pairs that are all the agent's", asked(["ai", "x"]), asked(["ai", "y"])],
    [
      "pairs that are not turns",
      {
        rows: [
          ["user", "a"],
          ["total", 1],
        ],
      },
      {
        rows: [
          ["user", "a"],
          ["total", 2],
        ],
      },
    ],
    [
      "the id of a picture that nothing else names",
      asked({ role: "user", content: [{ type: "image", id: "cat" }] }),
      asked({ role: "user", content: [{ type: "image", id: "dog" }] }),
    ],
    [
      "an id that is not a message's",
      { items: [{ id: "1", text: "a" }] },
      { items: [{ id: "2", text: "a" }] },
    ],
    [
      "the text of a part",
      asked({ role: "user", content: [{ type: "text", text: "a", id: "p" }] }),
      asked({ role: "user", content: [{ type: "text", text: "b", id: "p" }] }),
    ],
  ])("depends on %s", async (_, one, other) => {
    for (const complete of [true, false])
      expect(await idOf(other, complete)).not.toBe(await idOf(one, complete));
  });

  test("does not copy inputs that hold nothing generated", () => {
    for (const inputs of [
      asked({ role: "user", content: [{ type: "text", text: "a" }] }),
      asked(["user", "a"], ["user", [{ text: "b" }]]),
      asked(constructed("HumanMessage", { content: "a" })),
      {
        table: [
          ["user", 1],
          ["b", 2],
        ],
      },
    ])
      expect(stableInputs(inputs)).toBe(inputs);
  });
});
