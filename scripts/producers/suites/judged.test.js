import { createHarness, describeEval } from "vitest-evals";
import agent from "./agent.cjs";
const harness = createHarness({
  name: "agent",
  run: async ({ input }) => {
    const output = agent.answer(input);
    return {
      output,
      messages: [
        { role: "user", content: input },
        { role: "assistant", content: output },
      ],
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    };
  },
});
const right = new Map(agent.QUESTIONS.map(({ q, a }) => [q, a]));
const exact = {
  name: "exact",
  assess: async ({ input, output }) => ({
    score: output === right.get(input) ? 1 : 0,
    metadata: { rationale: "compared" },
  }),
};
const half = { name: "half", assess: async () => ({ score: 0.5 }) };
describeEval("capitals", { harness, judges: [exact, half], judgeThreshold: 0.6 }, (it) => {
  for (const { q } of agent.QUESTIONS)
    it(`answers ${q}`, async ({ run }) => {
      await run(q);
    });
  it.skip("is not run", async () => {});
});
