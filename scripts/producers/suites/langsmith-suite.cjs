// Conversations, whose messages get an id of their own in every run, as LangChain's do.
const { QUESTIONS, answer } = require("./agent.cjs");
exports.suite = ({ ls, expect, randomUUID }) =>
  ls.describe("capitals", () => {
    for (const { q, a } of QUESTIONS)
      ls.test(
        `answers ${q}`,
        {
          inputs: { messages: [{ id: randomUUID(), role: "user", content: q }] },
          referenceOutputs: { answer: a },
          config: { repetitions: 2 },
        },
        async ({ inputs, referenceOutputs }) => {
          const said = answer(inputs.messages[0].content);
          ls.logOutputs({ answer: said });
          ls.logFeedback({ key: "exact", score: said === referenceOutputs.answer ? 1 : 0 });
          expect(said).toBe(referenceOutputs.answer);
        },
      );
    ls.test.skip("is not run", { inputs: { messages: [] } }, async () => {});
  });
