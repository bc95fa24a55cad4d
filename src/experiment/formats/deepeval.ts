import { withoutAgentTurns } from "../input/identity.ts";
import { own, ownAt, ownString } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import type { InputFile } from "../input/input-file.ts";
import { createDirections } from "./directions.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { listAt, numberAt, present } from "./pick.ts";
import { countLost, lossOf } from "./totals.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known(
    "name",
    "input",
    "actualOutput",
    "expectedOutput",
    "context",
    "retrievalContext",
    "success",
  ),
  ...known(
    "expectedTools",
    "toolsCalled",
    "expectedOutcome",
    "scenario",
    "turns",
    "userDescription",
  ),
  ...known(
    "runDuration",
    "completionTime",
    "evaluationCost",
    "tokenCost",
    "order",
    "tags",
    "flaky",
  ),
  // The test case has the metrics of its trace; those of its steps are only in the trace.
  trace: { "*": { "*": true, metricsData: { "*": true, score: {} } }, metricsData: true },
  ...known(
    "metadata",
    "additionalMetadata",
    "comments",
    "chatbotRole",
    "imagesMapping",
    "multimodal",
  ),
  metricsData: {
    ...known("name", "threshold", "success", "score", "reason", "strictMode", "evaluationModel"),
    ...known(
      "error",
      "evaluationCost",
      "verboseLogs",
      "flaky",
      "inputTokenCount",
      "outputTokenCount",
    ),
  },
};

const metricsOf = (test: unknown): readonly unknown[] => listAt(test, "metricsData");

/** A metric that failed to run has no score, whatever number is there. */
function scoresOf(test: unknown): unknown[] {
  const scores = metricsOf(test).flatMap((metric): unknown[] => {
    const key = ownString(metric, "name");
    if (key === undefined) return [];
    const error = ownString(metric, "error");
    if (error !== undefined && error !== "") return [{ key, comment: `not scored: ${error}` }];
    const success = own(metric, "success");
    return [
      { key, score: own(metric, "score"), comment: own(metric, "reason") },
      ...(typeof success === "boolean"
        ? [{ key: `${key}.pass`, score: success, ...thresholdOf(metric) }]
        : []),
    ];
  });
  const success = own(test, "success");
  return typeof success === "boolean" ? [...scores, { key: "pass", score: success }] : scores;
}

function thresholdOf(metric: unknown): { comment?: string } {
  const threshold = own(metric, "threshold");
  return typeof threshold === "number"
    ? { comment: `threshold ${threshold}${own(metric, "flaky") === true ? ", flaky" : ""}` }
    : {};
}

const turnsOf = (test: unknown): readonly unknown[] => {
  const turns = own(test, "turns");
  return Array.isArray(turns) ? turns : [];
};

/** What people said; the number of a turn counts the agent's too, and goes with them. */
const askedOf = (test: unknown): readonly unknown[] =>
  withoutAgentTurns(turnsOf(test)).map((turn) => {
    if (!isObject(turn)) return turn;
    const { order: _, ...asked } = turn;
    return asked;
  });

/** A simulated user answers the agent, so that no two runs have the same turns: there the scenario is what stays. */
function conversationOf(test: unknown): { readonly identity?: unknown } {
  const scenario = ownString(test, "scenario");
  if (scenario === undefined || scenario === "") return {};
  return {
    identity: present([
      ["scenario", scenario],
      ["outcome", own(test, "expectedOutcome")],
      ["user", own(test, "userDescription")],
      ["context", own(test, "context")],
    ]),
  };
}

function toRow(file: InputFile, { value: test, line, index }: PlacedValue): ReadRow {
  if (!isObject(test))
    throw refusal({ file: file.name, line }, `test case ${index + 1} is not an object`);
  const conversational = Object.hasOwn(test, "turns");
  const seconds = own(test, "runDuration") ?? own(test, "completionTime");
  return {
    place: { file: file.name, line, index },
    ...(conversational ? conversationOf(test) : {}),
    inputs: conversational
      ? present([
          ["scenario", own(test, "scenario")],
          ["context", own(test, "context")],
          ["turns", askedOf(test)],
        ])
      : present([
          ["input", own(test, "input")],
          ["context", own(test, "context")],
        ]),
    expected_outputs: present([
      ["output", own(test, "expectedOutput")],
      ["tools", own(test, "expectedTools")],
      ["outcome", own(test, "expectedOutcome")],
    ]),
    actual_outputs: conversational
      ? { turns: turnsOf(test) }
      : present([["output", own(test, "actualOutput")]]),
    evaluation_scores: scoresOf(test),
    start_time: ownAt(test, "trace", "startTime"),
    end_time: ownAt(test, "trace", "endTime"),
    duration_s: typeof seconds === "number" ? seconds : undefined,
    run_name: own(test, "name"),
    ...unreadOf(test, KNOWN),
    usage: usageOf({ cost: own(test, "tokenCost") }),
    run_metadata: present([
      ["retrieval_context", own(test, "retrievalContext")],
      ["tools_called", own(test, "toolsCalled")],
      ["metadata", own(test, "metadata") ?? own(test, "additionalMetadata")],
      ["tags", own(test, "tags")],
      ["token_cost", own(test, "tokenCost")],
      ["order", own(test, "order")],
    ]),
  };
}

function toHeader(rest: unknown, held: number): FileHeader {
  const run = own(rest, "testRunData") ?? rest;
  const counted = (numberAt(run, "testPassed") ?? 0) + (numberAt(run, "testFailed") ?? 0);
  const loss = lossOf(countLost({ all: counted }, { all: held, run: held }), held, "test cases");
  const metrics = own(run, "metricsScores");
  const summary = (Array.isArray(metrics) ? metrics : []).flatMap((entry): unknown[] => {
    const key = ownString(entry, "metric");
    const scores = own(entry, "scores");
    const numbers = Array.isArray(scores)
      ? scores.filter(
          (score): score is number => typeof score === "number" && Number.isFinite(score),
        )
      : [];
    return key === undefined || numbers.length === 0
      ? []
      : [
          {
            key,
            score: numbers.reduce((sum, score) => sum + score, 0) / numbers.length,
            comment: `mean of ${numbers.length}; passes ${Number(own(entry, "passes") ?? 0)}, fails ${Number(own(entry, "fails") ?? 0)}, errors ${Number(own(entry, "errors") ?? 0)}`,
          },
        ];
  });
  const suite =
    ownString(run, "identifier") ?? ownString(run, "testFile") ?? ownString(run, "datasetAlias");
  return {
    given: summary.length === 0 ? {} : { summary_experiment_scores: summary },
    suite,
    ...loss,
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const wrapped = head.keys.has("testRunData");
  const single = streamValues(
    file,
    head,
    wrapped ? ["testRunData", "testCases"] : ["testCases"],
    true,
  );
  let evaluator: string | undefined;
  const directions = createDirections();
  const convert = (placed: PlacedValue): ReadRow => {
    const model = firstJudge(placed.value);
    if (model !== undefined) evaluator ??= model;
    for (const metric of metricsOf(placed.value)) {
      const [key, passed] = [ownString(metric, "name"), own(metric, "success")];
      const [score, threshold] = [own(metric, "score"), own(metric, "threshold")];
      const broke = (ownString(metric, "error") ?? "") !== "";
      if (key !== undefined && !broke) directions.add({ key, score, threshold, passed });
    }
    return toRow(file, placed);
  };
  let count = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    count = 0;
    for await (const batch of single.batches()) {
      const rows = batch.filter(({ value }) => !isRun(value)).map(convert);
      count += rows.length;
      yield rows;
    }
    const run = own(single.rest(), "testRunData") ?? single.rest();
    const conversations = own(run, "conversationalTestCases");
    if (Array.isArray(conversations))
      yield conversations.map((value) => convert({ value, line: 1, index: count++ }));
  }
  const header = (): FileHeader => ({
    ...toHeader(single.rest(), count),
    judge: evaluator,
    directions: directions.found(),
  });
  return { batches, header };
}

/** A run of conversations only has no test cases to stream: the document itself comes back as one value. */
function isRun(value: unknown): boolean {
  return (
    isObject(value) &&
    (Object.hasOwn(value, "conversationalTestCases") || Object.hasOwn(value, "testRunData"))
  );
}

const firstJudge = (test: unknown): string | undefined =>
  metricsOf(test)
    .map((metric) => ownString(metric, "evaluationModel"))
    .find((model) => model !== undefined);

/** DeepEval test runs. */
export const deepevalFormat: Format = {
  name: "deepeval",
  title: "DeepEval (test_run_*.json, .latest_run_full.json, .latest_test_run.json)",
  detect: (head) =>
    head.container === "json" &&
    ["testCases", "conversationalTestCases", "testRunData"].some((key) => head.keys.has(key)),
  open,
};
