import { withoutAgentTurns } from "../input/identity.ts";
import { isObject, own, ownString } from "../../model/json.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import type { Head } from "./format.ts";
import { listAt, numberAt, present } from "./pick.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

/** Metrics of the steps of a test case's trace, which are nowhere else. */
const stepScores = (test: unknown): string[] =>
  Object.entries(own(test, "trace") ?? {}).flatMap(([steps, spans]) =>
    listAt(spans)
      .flatMap((span) => listAt(span, "metricsData"))
      .some((metric) => steps !== "metricsData" && typeof own(metric, "score") === "number")
      ? [`trace.${steps}[].metricsData[].score`]
      : [],
  );

/** The run without its envelope, with its conversations after its other test cases. */
function runOf(document: unknown): unknown {
  if (!isObject(document)) return document;
  const run = own(document, "testRunData") ?? document;
  const lists = [own(run, "testCases"), own(run, "conversationalTestCases")].filter(Array.isArray);
  return { ...(run as object), testCases: lists.length === 0 ? undefined : lists.flat() };
}

/** The users' turns. A turn's number counts the agent's turns too, so it is removed with them. */
const askedOf = (turns: readonly unknown[]): readonly unknown[] =>
  withoutAgentTurns(turns).map((turn) => {
    if (!isObject(turn)) return turn;
    const { order: _, ...asked } = turn;
    return asked;
  });

/** A simulated user reacts to the agent, so no two runs have the same turns: the scenario identifies the example. */
function conversationOf(test: unknown): Pick<ReadRow, "inputs" | "actual_outputs" | "identity"> {
  const turns = listAt(test, "turns");
  const [scenario, context] = [own(test, "scenario"), own(test, "context")];
  const entries = [
    ["scenario", scenario],
    ["context", context],
  ] as const;
  const identity = present([
    ...entries,
    ["outcome", own(test, "expectedOutcome")],
    ["user", own(test, "userDescription")],
  ]);
  return {
    ...(typeof scenario === "string" && scenario !== "" ? { identity } : {}),
    inputs: present([...entries, ["turns", askedOf(turns)]]),
    actual_outputs: { turns },
  };
}

/** Adds `flaky` to the threshold comment of metrics that pass only sometimes. */
function withFlaky(scores: readonly unknown[], metrics: readonly unknown[]): readonly unknown[] {
  const flaky = metrics.filter((metric) => own(metric, "flaky") === true);
  const keys = new Set(flaky.map((metric) => `${String(own(metric, "name"))}.pass`));
  return scores.map((score) => {
    const comment = keys.has(ownString(score, "key") ?? "") && ownString(score, "comment");
    return comment ? { ...(score as object), comment: `${comment}, flaky` } : score;
  });
}

/** Means of the metrics over the scores that the tool lists for the whole run. */
function summaryOf(run: unknown): unknown[] {
  return listAt(run, "metricsScores").flatMap((entry): unknown[] => {
    const key = ownString(entry, "metric");
    const numbers = listAt(entry, "scores").filter(
      (score): score is number => typeof score === "number" && Number.isFinite(score),
    );
    if (key === undefined || numbers.length === 0) return [];
    const count = (name: string): number => Number(own(entry, name) ?? 0);
    return [
      {
        key,
        score: numbers.reduce((sum, score) => sum + score, 0) / numbers.length,
        comment: `mean of ${numbers.length}; passes ${count("passes")}, fails ${count("fails")}, errors ${count("errors")}`,
      },
    ];
  });
}

function toHeader(run: unknown, held: number): Partial<FileHeader> {
  const all = (numberAt(run, "testPassed") ?? 0) + (numberAt(run, "testFailed") ?? 0);
  return {
    given: { summary_experiment_scores: summaryOf(run) },
    counted: [{ what: "test cases", all, held: { all: held, run: held } }],
  };
}

/** Whether the items of `testCases`, as other programs call theirs too, are DeepEval's; a run may have none. */
const areTestCases = (head: Head): boolean =>
  hasKeys(head, ["testCases"]) &&
  (hasKeys(head, ["metricsData | actualOutput | success"], ["testCases[]."]) ||
    ![...head.keys].some((key) => key.startsWith("testCases[].")));

/** DeepEval test runs. */
export const deepevalFormat = createRecipe({
  name: "deepeval",
  title: "DeepEval (test_run_*.json, .latest_run_full.json, .latest_test_run.json)",
  detect: (head) =>
    head.container === "json" &&
    (hasKeys(head, ["conversationalTestCases | testRunData"]) || areTestCases(head)),
  document: ({ document }) => runOf(document),
  mapping: `
exact: true
rows: testCases | []
inputs: { input: input?, context: context? }
expected_outputs: { output: expectedOutput, tools: expectedTools, outcome: expectedOutcome }
actual_outputs.output: actualOutput
evaluation_scores: { list: metricsData, key: name, score: score, comment: reason, error: error, pass: success, threshold: threshold }
evaluation_scores.pass: success?
start_time: trace.startTime
end_time: trace.endTime
duration_s: runDuration | completionTime
run_name: name
usage.cost: tokenCost
run_metadata: { retrieval_context: retrievalContext, tools_called: toolsCalled, metadata: metadata | additionalMetadata, tags: tags, token_cost: tokenCost, order: order }
ignore:
  - scenario
  - turns
  - userDescription
  - evaluationCost
  - flaky
  - trace
  - comments
  - chatbotRole
  - imagesMapping
  - multimodal
  - metricsData.strictMode
  - metricsData.evaluationModel
  - metricsData.evaluationCost
  - metricsData.verboseLogs
  - metricsData.flaky
  - metricsData.inputTokenCount
  - metricsData.outputTokenCount
suite: identifier | testFile | datasetAlias
`,
  hook: ({ document }) => {
    let judge: string | undefined;
    return {
      finish: (row, { value }) => {
        const metrics = listAt(value, "metricsData");
        judge ??= metrics.map((metric) => ownString(metric, "evaluationModel")).find(Boolean);
        return {
          ...row,
          ...(Object.hasOwn(value, "turns") ? conversationOf(value) : {}),
          evaluation_scores: withFlaky((row.evaluation_scores ?? []) as unknown[], metrics),
          unread: [...(row.unread ?? []), ...stepScores(value)],
        };
      },
      header: (rows) => ({ ...toHeader(document, rows), judge }),
    };
  },
});
