const { Eval } = require("braintrust");
const { QUESTIONS, answer } = require("./agent.cjs");
Eval("producers", {
  data: () => QUESTIONS.map(({ q, a }) => ({ input: q, expected: a })),
  task: async (q) => answer(q),
  scores: [({ output, expected }) => ({ name: "exact", score: output === expected ? 1 : 0 })],
});
