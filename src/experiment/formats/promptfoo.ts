import { own, ownAt, ownString } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../diagnostic.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource, ReadOptions } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { openPromptfooCsv, isPromptfooCsv } from "./promptfoo-csv.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read or is no score. */
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
  ...known("pluginId", "evalId", "createdAt", "updatedAt", "description"),
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

/** promptfoo's own codes: 0 none, 1 an assert failed, 2 the run failed. */
const RUN_FAILED = 2;

/** A failed assert also fills `error`; only a failed run, or one that was never graded, is an error. */
function errorOf(row: unknown): string | undefined {
  const failed =
    own(row, "failureReason") === RUN_FAILED ||
    ((own(row, "gradingResult") ?? null) === null && own(row, "success") === false);
  if (!failed) return undefined;
  return (
    ownString(row, "error") ??
    ownString(own(row, "response"), "error") ??
    "the run failed and the file does not say why"
  );
}

/** Named scores carry the asserts' reasons; asserts without a metric stand under their type, several of one type as `contains#2`. */
function scoresOf(row: unknown): unknown[] {
  const scores = new Map<string, { key: string; score: unknown; comment?: string }>();
  for (const [key, score] of namedScoresOf(row)) scores.set(key, { key, score });
  const namedKeys = [...scores.keys()];
  const taken = new Map<string, number>();
  for (const component of componentsOf(row)) {
    const metric = ownAt(component, "assertion", "metric");
    const comment = ownString(component, "reason");
    const known = namedKeys.find((key) => namesMetric(metric, key));
    if (known !== undefined) {
      const entry = scores.get(known)!;
      if (comment !== undefined && entry.comment !== comment)
        entry.comment = entry.comment === undefined ? comment : `${entry.comment}\n${comment}`;
      continue;
    }
    const type = ownAt(component, "assertion", "type");
    const words = [metric, type].find((name) => typeof name === "string" && name !== "");
    const key = freeKey(scores, taken, typeof words === "string" ? words : "assert");
    scores.set(key, {
      key,
      score: own(component, "score"),
      ...(comment === undefined ? {} : { comment }),
    });
  }
  for (const [key, score] of [
    ["score", own(row, "score")],
    ["pass", own(row, "success")],
  ] as const) {
    if (score !== undefined && score !== null && !scores.has(key)) scores.set(key, { key, score });
  }
  return [...scores.values()];
}

function componentsOf(row: unknown): readonly unknown[] {
  const components = ownAt(row, "gradingResult", "componentResults");
  return Array.isArray(components) ? components : [];
}

/** Whether an assert's metric, which may be a template (`{{topic}} tone`), is the one that a score stands under. */
function namesMetric(metric: unknown, key: string): boolean {
  if (typeof metric !== "string" || metric === "") return false;
  if (metric === key || !metric.includes("{{")) return metric === key;
  const parts = metric.split(/\{\{[^{}]*\}\}/);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = key.indexOf(part, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  const last = parts.at(-1)!;
  return last === "" || key.endsWith(last);
}

/**
 * Named scores as means. Up to 0.121.2 the file holds their sums over the asserts of a metric; since then it holds weighted means,
 * and `namedScoreWeights` beside them says so.
 */
function namedScoresOf(row: unknown): (readonly [key: string, score: unknown])[] {
  const named = own(row, "namedScores");
  if (!isObject(named)) return [];
  const entries = Object.entries(named).filter(([key]) => key !== "");
  if (isObject(ownAt(row, "gradingResult", "namedScoreWeights"))) return entries;
  return entries.map(([key, score]) => [key, meanOf(row, key) ?? score] as const);
}

/** The weighted mean of one metric, out of the asserts themselves; undefined where none of them has it. */
function meanOf(row: unknown, key: string): number | undefined {
  let [sum, weights] = [0, 0];
  for (const component of componentsOf(row)) {
    const given = ownAt(component, "assertion", "weight");
    const weight = typeof given === "number" ? given : 1;
    // The scores of an assert-set are those of its asserts, which stand beside it.
    const inner = Array.isArray(own(component, "componentResults"))
      ? undefined
      : ownAt(component, "namedScores", key);
    const score = namesMetric(ownAt(component, "assertion", "metric"), key)
      ? own(component, "score")
      : inner;
    if (typeof score !== "number") continue;
    sum += score * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : undefined;
}

/** `name`, `name#2`, …; `taken` keeps the last number of a name, so that thousands of one type are not counted anew each. */
function freeKey(
  scores: ReadonlyMap<string, unknown>,
  taken: Map<string, number>,
  name: string,
): string {
  let n = (taken.get(name) ?? 0) + 1;
  while (scores.has(n === 1 ? name : `${name}#${n}`)) n += 1;
  taken.set(name, n);
  return n === 1 ? name : `${name}#${n}`;
}

function providerOf(row: unknown): string {
  const provider = own(row, "provider");
  return (
    ownString(provider, "label") ||
    ownString(provider, "id") ||
    (typeof provider === "string" ? provider : "provider")
  );
}

function groupOf(row: unknown, table: PromptTable | null): { key: string; label: string } {
  const prompt = own(row, "prompt");
  const listed = table?.(row);
  if (listed !== undefined) return listed;
  const label =
    ownString(prompt, "label") ?? ownString(prompt, "raw") ?? ownString(row, "promptId") ?? "";
  const provider = providerOf(row);
  if (isRendered(row, label)) return { key: JSON.stringify([provider]), label: provider };
  return {
    key: JSON.stringify([provider, own(row, "promptIdx") ?? own(row, "promptId") ?? label]),
    label: label === "" ? provider : `${provider} · ${label}`,
  };
}

/** Tells which prompt of the table a row belongs to, where its row does not say. */
type PromptTable = (row: unknown) => { key: string; label: string } | undefined;

/** Version 2 has no prompt index in its rows: the table lists, for every rendered prompt, in which column it stands. */
function readTable(document: unknown): PromptTable | null {
  const table = ownAt(document, "results", "table") ?? own(document, "table");
  const [prompts, body] = [ownAt(table, "head", "prompts"), own(table, "body")];
  if (!Array.isArray(prompts) || !Array.isArray(body)) return null;
  const columns = new Map<string, number>();
  for (const line of body) {
    const outputs = own(line, "outputs");
    for (const [column, output] of (Array.isArray(outputs) ? outputs : []).entries()) {
      const provider = own(output, "provider") ?? own(prompts[column], "provider");
      columns.set(JSON.stringify([own(output, "prompt"), provider]), column);
    }
  }
  return (row) => {
    if ((own(row, "promptIdx") ?? own(row, "promptId") ?? null) !== null) return undefined;
    const rendered = ownAt(row, "prompt", "raw");
    const names = [ownAt(row, "provider", "label"), ownAt(row, "provider", "id")];
    const column = names
      .map((name) => columns.get(JSON.stringify([rendered, name])))
      .find((found) => found !== undefined);
    const provider = providerOf(row);
    if (column === undefined) return { key: JSON.stringify([provider]), label: provider };
    const label =
      ownString(prompts[column], "label") ?? ownString(prompts[column], "raw") ?? `${column + 1}`;
    return { key: JSON.stringify([provider, column]), label: `${provider} · ${label}` };
  };
}

/** A prompt that is written out for a test is its own: only its label can name what several rows share. */
function isRendered(row: unknown, label: string): boolean {
  return (
    own(row, "promptIdx") === undefined &&
    own(row, "promptId") === undefined &&
    label === ownAt(row, "prompt", "raw")
  );
}

/** A metric that the grading has and the row has not is told. */
function gradingFields(row: unknown): KnownFields {
  const named = own(row, "namedScores");
  return {
    ...ASSERT,
    namedScores: known(...Object.keys(isObject(named) ? named : {})),
    // The asserts; those of an assert-set stand among them once more.
    componentResults: ASSERT,
  };
}

function toRow(
  file: InputFile,
  { value, line, index }: PlacedValue,
  { split, table }: { readonly split: boolean; readonly table: PromptTable | null },
): ReadRow {
  if (!isObject(value) || !Object.hasOwn(value, "vars"))
    throw refusal(
      { file: file.name, line },
      `row ${index + 1} has no vars; this is not a promptfoo result`,
    );
  const latencyMs = own(value, "latencyMs");
  const error = errorOf(value);
  const metadata = Object.fromEntries(
    [
      ["metadata", ownAt(value, "testCase", "metadata")],
      ["description", ownAt(value, "testCase", "description")],
      ["tokenUsage", own(value, "tokenUsage")],
      ["cost", own(value, "cost")],
      ["promptId", own(value, "promptId")],
      ["prompt", ownAt(value, "prompt", "label")],
      ["provider", ownAt(value, "provider", "id")],
    ].filter(([, kept]) => kept !== undefined && kept !== null),
  );
  return {
    place: { file: file.name, line, index },
    ...(split ? { group: groupOf(value, table) } : {}),
    inputs: value["vars"],
    actual_outputs: ownAt(value, "response", "output"),
    // A run that failed was not scored: promptfoo writes 0 there, which is no measurement.
    ...(error === undefined ? { evaluation_scores: scoresOf(value) } : { error }),
    duration_s: typeof latencyMs === "number" ? latencyMs / 1000 : undefined,
    run_name: providerOf(value),
    ...unreadOf(value, { ...KNOWN, gradingResult: gradingFields(value) }),
    run_metadata: metadata,
  };
}

/** Share of runs that passed, failed runs included, and how many failed. */
function summaryOf(passed: unknown, failed: unknown, errors: unknown): unknown[] {
  if (typeof passed !== "number" || typeof failed !== "number") return [];
  const broken = typeof errors === "number" ? errors : 0;
  const all = passed + failed + broken;
  return all === 0
    ? []
    : [
        { key: "pass_rate", score: passed / all },
        { key: "errors", score: broken },
      ];
}

/** The same by provider and prompt. */
function summariesOf(prompts: unknown): Map<string, unknown[]> {
  return new Map(
    (Array.isArray(prompts) ? prompts : []).map((prompt, index): [string, unknown[]] => {
      const metrics = own(prompt, "metrics");
      return [
        JSON.stringify([own(prompt, "provider"), index]),
        summaryOf(
          own(metrics, "testPassCount"),
          own(metrics, "testFailCount"),
          own(metrics, "testErrorCount"),
        ),
      ];
    }),
  );
}

/** Derived metrics are computed by promptfoo from sums over a whole prompt: no row has them. */
function derivedNames(document: unknown): string[] {
  const derived = ownAt(document, "config", "derivedMetrics");
  return (Array.isArray(derived) ? derived : []).flatMap((one) => ownString(one, "name") ?? []);
}

function toHeader(document: unknown, split: boolean): FileHeader {
  // The Node API gives the summary itself, or an Eval, without the envelope of the command line's file.
  const results = isObject(own(document, "results")) ? own(document, "results") : document;
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
    warnings:
      derived.length > 0
        ? [`numbers not read: the derived metrics ${derived.join(", ")}, which no single row has`]
        : [],
  };
}

function open(
  files: readonly InputFile[],
  heads: readonly Head[],
  { split }: ReadOptions,
): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  if (head.container === "csv") return openPromptfooCsv(file, head, split !== "none");
  const path =
    head.keys.has("results.results") || head.keys.has("results.version")
      ? ["results", "results"]
      : ["results"];
  const values = streamValues(file, head, path, isRow(head));
  let table: PromptTable | null = null;
  const hasTable = head.container === "json" && head.keys.has("results.table");
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    if (hasTable && table === null) {
      for await (const batch of values.texts()) void batch;
      table = readTable(values.rest());
    }
    for await (const batch of values.batches())
      yield batch.map((value) => toRow(file, value, { split: split !== "none", table }));
  }
  return {
    batches,
    header: () =>
      head.container === "jsonl" || isRow(head)
        ? { given: {} }
        : toHeader(values.rest(), split !== "none"),
  };
}

const isRow = (head: Head): boolean =>
  head.keys.has("vars") &&
  ["promptIdx", "gradingResult", "testCase", "promptId"].some((key) => head.keys.has(key));

function isPromptfoo(head: Head): boolean {
  if (head.container === "csv") return isPromptfooCsv(head);
  if (head.container === "jsonl") return isRow(head);
  const has = (...keys: string[]): boolean => keys.every((key) => head.keys.has(key));
  // The Node API's summary and its Eval lack the envelope.
  const api =
    has("results[].vars", "results[].promptIdx") &&
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
  examples: [
    {
      name: "promptfoo.json",
      text: JSON.stringify({
        evalId: "eval-1",
        results: {
          version: 3,
          timestamp: "2026-01-01T00:00:00Z",
          prompts: [
            { provider: "p", metrics: { testPassCount: 1, testFailCount: 0, testErrorCount: 1 } },
          ],
          stats: { successes: 1, failures: 0, errors: 1 },
          results: [
            {
              vars: { q: "a" },
              response: { output: "b" },
              namedScores: { c: 1 },
              score: 1,
              success: true,
              gradingResult: {
                componentResults: [
                  { score: 1, reason: "r", assertion: { type: "equals", metric: "c" } },
                ],
              },
              latencyMs: 5,
              provider: { id: "p" },
              promptIdx: 0,
              prompt: { label: "l" },
              failureReason: 0,
              testCase: { metadata: { m: 1 } },
            },
            {
              vars: { q: "b" },
              error: "e",
              success: false,
              score: 0,
              failureReason: 2,
              latencyMs: 5,
              provider: { id: "p" },
              promptIdx: 0,
              prompt: { label: "l" },
            },
          ],
        },
        config: { description: "d" },
      }),
    },
  ],
  notes: [
    "One experiment per provider and prompt; `split: none` makes one of all.",
    "A failed assert is a score of 0, not an error, although promptfoo writes its reason into `error`; a failed run is an error and has no scores.",
    "The file has no expected outputs and no time per row: rows start at the file's own time and last `latencyMs`.",
  ],
};
