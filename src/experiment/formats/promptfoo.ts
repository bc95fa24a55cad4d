import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import { own, ownAt, ownString } from "../input/lenient-json.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import type { Format, Head, ReadOptions, RowSource } from "./format.ts";
import { type PlacedValue, valuesOf } from "./objects.ts";
import { keeping, numberAt, present } from "./pick.ts";
import { isPromptfooCsv, openPromptfooCsv } from "./promptfoo-csv.ts";
import { groupOf, NO_REASON, type PromptTable, providerOf, readTable } from "./promptfoo-groups.ts";
import { derivedNames, scoresOf, summariesOf, summaryOf } from "./promptfoo-scores.ts";
import { countLost, lossOf } from "./totals.ts";
import { known, type KnownFields, unreadOf } from "./unread.ts";

/** Fields of an assert's result that are read, or are not scores. */
const ASSERT: KnownFields = {
  ...known("pass", "score", "reason", "namedScores", "namedScoreWeights", "tokensUsed"),
  ...known("assertion", "comment", "suggestions", "metadata", "componentResults"),
};

const KNOWN: KnownFields = {
  ...known(
    "vars",
    "success",
    "score",
    "namedScores",
    "failureReason",
    "latencyMs",
    "cost",
    "error",
  ),
  ...known(
    "promptIdx",
    "promptId",
    "testIdx",
    "id",
    "prompt",
    "provider",
    "testCase",
    "tokenUsage",
  ),
  ...known("pluginId", "evalId", "createdAt", "updatedAt", "description", "persisted"),
  metadata: known("http"),
  response: known(
    "output",
    "raw",
    "cached",
    "cost",
    "tokenUsage",
    "error",
    "metadata",
    "latencyMs",
    "finishReason",
    "logProbs",
    "isRefusal",
    "conversationEnded",
    "guardrails",
    "sessionId",
    "audio",
  ),
};

/** promptfoo's own codes: 0 none, 1 an assert failed, 2 the run crashed. */
const RUN_FAILED = 2;

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

/** A metric that only the grading has is reported. */
const fieldsOfRow = keeping(
  (names): KnownFields => ({
    ...KNOWN,
    // The asserts; those of an assert-set are listed again among them.
    gradingResult: {
      ...ASSERT,
      namedScores: known(...(JSON.parse(names) as readonly string[])),
      componentResults: ASSERT,
    },
  }),
);

function unreadIn(row: unknown): ReturnType<typeof unreadOf> {
  const named = own(row, "namedScores");
  return unreadOf(row, fieldsOfRow(JSON.stringify(Object.keys(isObject(named) ? named : {}))));
}

function toRow(
  file: string,
  { value, line, index }: PlacedValue,
  { split, table }: { readonly split: boolean; readonly table: PromptTable | null },
): ReadRow {
  const vars = own(value, "vars") ?? ownAt(value, "testCase", "vars");
  if (vars === undefined)
    throw refusal({ file, line }, `row ${index + 1} has no vars; this is not a promptfoo result`);
  const latencyMs = own(value, "latencyMs");
  const error = errorOf(value);
  return {
    place: { file, line, index },
    [split ? "group" : "part"]: groupOf(value, table),
    inputs: vars,
    actual_outputs: ownAt(value, "response", "output"),
    // A crashed run was not scored: promptfoo's 0 is no measurement.
    ...(error === undefined ? { evaluation_scores: scoresOf(value) } : { error }),
    duration_s: typeof latencyMs === "number" ? latencyMs / 1000 : undefined,
    run_name: providerOf(value),
    ...unreadIn(value),
    run_metadata:
      present([
        ["metadata", ownAt(value, "testCase", "metadata")],
        ["description", ownAt(value, "testCase", "description")],
        ["tokenUsage", own(value, "tokenUsage")],
        ["cost", own(value, "cost")],
        ["promptId", own(value, "promptId")],
        ["prompt", ownAt(value, "prompt", "label")],
        ["provider", ownAt(value, "provider", "id")],
      ]) ?? {},
    usage: usageOf(own(value, "tokenUsage"), value, own(own(value, "response"), "tokenUsage")),
  };
}

/**
 * What a document contains around its rows. The Node API returns the summary itself, or an Eval,
 * without the envelope of the command line's file.
 */
const resultsOf = (document: unknown): unknown =>
  isObject(own(document, "results")) ? own(document, "results") : document;

/** Rows that promptfoo counted but the file lacks. */
function lossIn(document: unknown, held: number): ReturnType<typeof lossOf> {
  const stats = own(resultsOf(document), "stats");
  const counted = ["successes", "failures", "errors"].map((name) => numberAt(stats, name) ?? 0);
  const all = counted.reduce((sum, count) => sum + count);
  return lossOf(countLost({ all }, { all: held, run: held }), held, "results");
}

function toHeader(
  document: unknown,
  { split, held }: { readonly split: boolean; readonly held: number },
): FileHeader {
  const results = resultsOf(document);
  const loss = lossIn(document, held);
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
      ...(summary.length === 0 || split ? {} : { summary_experiment_scores: summary }),
      ...(description === undefined ? {} : { experiment_description: description }),
    },
    suite: description,
    started_at: started,
    ...(split ? { summaries: summariesOf(prompts) } : {}),
    metadata: { eval_id: ownString(document, "evalId") },
    ...loss,
    warnings: [
      ...loss.warnings,
      ...(derived.length > 0
        ? [`numbers not read: the derived metrics ${derived.join(", ")}, which no single row has`]
        : []),
    ],
  };
}

function open(head: Head, { split }: ReadOptions): RowSource {
  if (head.container === "csv") return openPromptfooCsv(head, split !== "none");
  const path =
    head.keys.has("results.results") || head.keys.has("results.version")
      ? ["results", "results"]
      : ["results"];
  let table: PromptTable | null = null;
  let held = 0;
  const hasTable = head.container === "json" && head.keys.has("results.table");
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    if (hasTable) table = readTable(head.document);
    for await (const batch of valuesOf(head, path, isRow(head))) {
      held += batch.length;
      yield batch.map((value) => toRow(head.name, value, { split: split !== "none", table }));
    }
  }
  return {
    batches,
    header: () =>
      head.container === "jsonl" || isRow(head)
        ? { given: {} }
        : toHeader(head.document, { split: split !== "none", held }),
  };
}

const isRow = (head: Head): boolean =>
  (head.keys.has("vars") || head.keys.has("testCase.vars")) &&
  ["promptIdx", "gradingResult", "testCase", "promptId"].some((key) => head.keys.has(key));

function isPromptfoo(head: Head): boolean {
  if (head.container === "csv") return isPromptfooCsv(head);
  if (head.container === "jsonl") return isRow(head);
  const has = (...keys: string[]): boolean => keys.every((key) => head.keys.has(key));
  // The Node API's summary and Eval lack the envelope.
  const api =
    has("results[].promptIdx") &&
    (has("results[].vars") || has("results[].testCase")) &&
    (has("prompts") || has("version") || has("stats"));
  return (
    head.container === "json" &&
    (has("results.results") ||
      has("evalId") ||
      has("results.version", "results.prompts") ||
      api ||
      isRow(head))
  );
}

/** promptfoo results, version 2 and 3. */
export const promptfooFormat: Format = {
  name: "promptfoo",
  title: "promptfoo (JSON, JSONL, CSV)",
  detect: isPromptfoo,
  open,
};
