/** Result files in the shape that each author's tool writes; every one is made here, small and plain. */

/** A test of a runner, and how it ended in each of its runs. */
type Runs = Readonly<Record<string, readonly ("pass" | "fail" | "error")[]>>;

/** JUnit XML as pytest and vitest write it. */
export function junit(suite: string, tests: Runs, seconds = 0.01): string {
  const cases = Object.entries(tests).flatMap(([name, runs]) =>
    runs.map((end) => {
      const inner = {
        pass: "",
        fail: '<failure message="assert 0">expected another answer</failure>',
        error: '<error message="failed on setup">no connection</error>',
      }[end];
      return `<testcase classname="${suite}" name="${name}" time="${seconds}">${inner}</testcase>`;
    }),
  );
  return `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="${suite}" tests="${cases.length}">${cases.join("")}</testsuite></testsuites>`;
}

/** Tests by number, `failing` of them failing in each of `runs` runs. */
export function suiteOf(size: number, failing: number, runs = 1): Runs {
  return Object.fromEntries(
    Array.from({ length: size }, (_, i) => [
      `test_case_${i}`,
      Array.from({ length: runs }, () => (i < failing ? ("fail" as const) : ("pass" as const))),
    ]),
  );
}

/** promptfoo's JSON of one provider; a score of null is an error of the provider's API. */
export function promptfoo(scores: readonly (number | null)[]): string {
  const results = scores.map((score, at) => ({
    promptIdx: 0,
    testIdx: at,
    provider: { id: "openai:gpt-4o-mini", label: "" },
    prompt: { raw: `Question number ${at}?`, label: "ask" },
    vars: { question: `Question number ${at}?` },
    ...(score === null
      ? { success: false, score: 0, failureReason: 2, error: "API error: 429 Too Many Requests" }
      : {
          success: score >= 0.5,
          score,
          failureReason: score >= 0.5 ? 0 : 1,
          response: { output: `Answer number ${at}` },
          gradingResult: { pass: score >= 0.5, score, reason: "", componentResults: [] },
        }),
    latencyMs: 100,
    namedScores: {},
  }));
  return JSON.stringify({
    evalId: "eval-1",
    results: {
      version: 3,
      timestamp: "2026-11-20T23:56:31.415Z",
      prompts: [{ id: "p", raw: "{{question}}", label: "ask", provider: "openai:gpt-4o-mini" }],
      results,
      stats: { successes: 0, failures: 0, errors: 0 },
    },
    config: { description: "suite" },
  });
}

/** Azure AI Foundry's evaluation: seven metrics of one to five, for each row. */
export function foundry(shift: number, only = "", answer = "Answer"): string {
  const metrics = [
    "relevance",
    "coherence",
    "fluency",
    "groundedness",
    "similarity",
    "intent",
    "tools",
  ];
  const rows = Array.from({ length: 40 }, (_, i) => ({
    "inputs.query": `Question number ${i}?`,
    "inputs.response": `${answer} number ${i}`,
    ...Object.fromEntries(
      metrics.map((metric, m) => {
        const score = 4 + ((i + m) % 2);
        const fall = only === "" || only === metric ? shift : 0;
        return [`outputs.${metric}.${metric}`, score - fall];
      }),
    ),
  }));
  return JSON.stringify({ rows, metrics: {}, studio_url: null });
}

/** Rows of an experiment as `evaluate()` of the tracing SDK leaves them. */
export function evaluated(right: number, of = 20): readonly Record<string, unknown>[] {
  return Array.from({ length: of }, (_, i) => ({
    inputs: { question: `Question number ${i}?` },
    actual_outputs: { answer: `Answer number ${i}` },
    evaluation_scores: [{ key: "correctness", score: i < right ? 1 : 0 }],
    start_time: "2026-11-01T10:00:00Z",
    end_time: "2026-11-01T10:00:01Z",
  }));
}
