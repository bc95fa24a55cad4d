const { QUESTIONS } = require("./agent.cjs");
module.exports = () =>
  QUESTIONS.map(({ q, a }) => ({
    vars: { q },
    assert: [
      { type: "equals", value: a, metric: "accuracy" },
      { type: "contains", value: "answer", metric: "accuracy", weight: 3 },
      { type: "javascript", value: "output.length < 20", metric: "brevity" },
    ],
  }));
