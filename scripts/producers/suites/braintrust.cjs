const fs = require("node:fs");
const { Eval } = require("braintrust");
const { QUESTIONS, answer } = require("./agent.cjs");
Eval(
  "producers",
  {
    data: () => QUESTIONS.map(({ q, a }) => ({ input: q, expected: a })),
    task: async (q) => answer(q),
    scores: [
      ({ output, expected }) => ({ name: "exact", score: output === expected ? 1 : 0 }),
      () => ({ name: "unsure", score: null }),
    ],
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
