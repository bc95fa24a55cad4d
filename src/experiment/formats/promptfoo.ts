import { isObject, own, ownAt, ownString } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { Counted, FileHeader } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import type { Head } from "./format.ts";
import { listAt, numberAt } from "./pick.ts";
import { isPromptfooCsv, openPromptfooCsv } from "./promptfoo-csv.ts";
import { groupOf, NO_REASON, providerOf, readTable, RUN_FAILED } from "./promptfoo-groups.ts";
import { derivedNames, scoresOf, summariesOf, summaryOf } from "./promptfoo-scores.ts";
import { createRecipe, hasKeys } from "./recipe.ts";
import { unreadOf } from "./unread.ts";

/** Fields of an assert's result that are read, or are not scores. */
const ASSERT = [
  ...["pass", "score", "reason", "namedScores", "namedScoreWeights", "tokensUsed", "assertion"],
  ...["comment", "suggestions", "metadata"],
];
/** The same in the results of asserts; those of an assert-set are listed again among them. */
const ASSERTS = ["gradingResult", "gradingResult.componentResults"].flatMap((at) =>
  ASSERT.map((name) => `${at}.${name}`),
);

/** A failed assert also sets `error`; only a crashed run, or one never graded, is an error. */
function errorOf(row: unknown): string | undefined {
  if (!isCrash(row)) return undefined;
  return ownString(row, "error") ?? ownString(own(row, "response"), "error") ?? NO_REASON;
}

function isCrash(row: unknown): boolean {
  const reason = own(row, "failureReason") ?? null;
  if (reason === RUN_FAILED) return true;
  if (own(row, "success") !== false || (own(row, "gradingResult") ?? null) !== null) return false;
  if (reason !== null) return true;
  // Version 2 has no code and, at first, no grading: an answer that did not pass is a failed assert.
  const response = own(row, "response");
  return (
    (own(response, "error") ?? null) !== null ||
    ["", null].includes((own(response, "output") ?? null) as string | null)
  );
}

function gradedOnly(row: unknown): readonly string[] {
  const [named, graded] = [own(row, "namedScores"), ownAt(row, "gradingResult", "namedScores")];
  const read = new Set(isObject(named) ? Object.keys(named) : []);
  return unreadOf(graded, (name) => read.has(name)).map(
    (name) => `gradingResult.namedScores.${name}`,
  );
}

/**
 * What a document contains around its rows. The Node API returns the summary itself, or an Eval,
 * without the envelope of the command line's file.
 */
const resultsOf = (document: unknown): unknown =>
  isObject(own(document, "results")) ? own(document, "results") : document;

function countIn(document: unknown, held: number): Counted {
  const stats = own(resultsOf(document), "stats");
  const counts = ["successes", "failures", "errors"].map((name) => numberAt(stats, name) ?? 0);
  const all = counts.reduce((sum, count) => sum + count);
  return { what: "results", all, held: { all: held, run: held } };
}

function toHeader(
  document: unknown,
  { split, held }: { readonly split: boolean; readonly held: number },
): FileHeader {
  const results = resultsOf(document);
  const started =
    own(results, "timestamp") ??
    ownAt(document, "metadata", "evaluationCreatedAt") ??
    own(document, "createdAt");
  const stats = own(results, "stats");
  const prompts = own(results, "prompts") ?? ownAt(results, "table", "head", "prompts");
  const derived = derivedNames(document);
  const summary = summaryOf(own(stats, "successes"), own(stats, "failures"), own(stats, "errors"));
  const described = ownAt(document, "config", "description");
  const description = typeof described === "string" && described !== "" ? described : undefined;
  return {
    given: {
      summary_experiment_scores: split ? undefined : summary,
      experiment_description: description,
    },
    suite: description,
    started_at: started,
    ...(split ? { summaries: summariesOf(prompts) } : {}),
    metadata: { eval_id: ownString(document, "evalId") },
    counted: [countIn(document, held)],
    warnings:
      derived.length > 0
        ? [`numbers not read: the derived metrics ${derived.join(", ")}, which no single row has`]
        : [],
  };
}

const isRow = (head: Head): boolean =>
  hasKeys(head, ["vars | testCase.vars", "promptIdx | gradingResult | testCase | promptId"]);

/** What a document has around its rows. */
const AROUND: readonly (readonly string[])[] = [
  ["results.results | evalId"],
  ["results.version", "results.prompts"],
  // The Node API's summary and Eval lack the envelope.
  ["results[].promptIdx", "results[].vars | results[].testCase", "prompts | version | stats"],
];

function isPromptfoo(head: Head): boolean {
  if (head.container === "csv") return isPromptfooCsv(head);
  const isDocument = head.container === "json" && AROUND.some((keys) => hasKeys(head, keys));
  return isDocument || isRow(head);
}

/** promptfoo results, version 2 and 3, and its CSV. */
export const promptfooFormat = createRecipe({
  name: "promptfoo",
  title: "promptfoo (JSON, JSONL, CSV)",
  detect: isPromptfoo,
  document: (head) => (isRow(head) && !head.rootIsArray ? [head.document] : head.document),
  mapping: `
exact: true
rows: results.results | results | []
inputs: vars | testCase.vars
actual_outputs: response.output
duration_ms: latencyMs
run_metadata:
  metadata: testCase.metadata
  description: testCase.description
  tokenUsage: tokenUsage
  cost: cost
  promptId: promptId
  prompt: prompt.label
  provider: provider.id
ignore:
  [success, score, namedScores, failureReason, error, promptIdx, testIdx, id, prompt, provider, testCase, pluginId, evalId, createdAt, updatedAt, description, persisted, metadata.http, response.raw, response.cached, response.cost, response.tokenUsage, response.error, response.metadata, response.latencyMs, response.finishReason, response.logProbs, response.isRefusal, response.conversationEnded, response.guardrails, response.sessionId, response.audio, gradingResult.componentResults.componentResults, ${ASSERTS.join(", ")}]
`,
  hook: (head, { split }) => {
    const { name: file, document } = head;
    const csv = head.container === "csv" ? openPromptfooCsv(head) : undefined;
    const table = head.keys.has("results.table") ? readTable(document) : null;
    return {
      ...(csv === undefined ? {} : { records: csv.records }),
      finish: (row, { value, line }) => {
        if (row.inputs === undefined)
          throw refusal(
            { file, line },
            `row ${row.place.index + 1} has no vars; this is not a promptfoo result`,
          );
        const error = errorOf(value);
        const scores = csv === undefined ? scoresOf(value) : own(value, "scores");
        const unread = csv === undefined ? gradedOnly(value) : listAt(value, "unread").map(String);
        return {
          ...row,
          [split === "none" ? "part" : "group"]: groupOf(value, table),
          // A crashed run was not scored: promptfoo's 0 is no measurement.
          evaluation_scores: error === undefined ? scores : undefined,
          error,
          run_name: providerOf(value),
          run_metadata: row.run_metadata ?? {},
          usage: usageOf(own(value, "tokenUsage"), value, ownAt(value, "response", "tokenUsage")),
          unread: [...(row.unread ?? []), ...unread],
        };
      },
      header: (held) =>
        csv === undefined
          ? toHeader(document, { split: split !== "none", held })
          : { warnings: csv.warnings() },
    };
  },
});
