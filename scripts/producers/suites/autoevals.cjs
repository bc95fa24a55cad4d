// Braintrust's Eval() with the scorers of autoevals that need no model; each question is asked twice.
const fs = require("node:fs");
const { Eval } = require("braintrust");
const { ExactMatch, Levenshtein } = require("autoevals");
const { QUESTIONS, answer } = require("./agent.cjs");
Eval(
  "producers",
  {
    data: () =>
      QUESTIONS.map(({ q, a }) => ({
        input: [{ role: "user", content: q }],
        expected: a,
      })),
    task: async ([{ content }]) => answer(content),
    scores: [ExactMatch, Levenshtein],
    trialCount: 2,
  },
  { noSendLogs: true, progress: undefined },
).then((result) => {
  const results = result.results.map((row) => ({
    ...row,
    error: row.error === undefined ? null : String(row.error),
  }));
  fs.writeFileSync(
    process.argv[2],
    JSON.stringify({ results, summary: { projectName: "producers" } }, null, 1),
  );
});
