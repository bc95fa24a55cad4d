import { isObject, own, ownAt, ownString } from "../lenient-json.ts";
import { refusal } from "../diagnostic.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, Reading, ReadOptions } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { openPromptfooCsv, isPromptfooCsv } from "./promptfoo-csv.ts";

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
  const named = own(row, "namedScores");
  if (isObject(named))
    for (const [key, score] of Object.entries(named))
      if (key !== "") scores.set(key, { key, score });
  const taken = new Map<string, number>();
  const components = ownAt(row, "gradingResult", "componentResults");
  for (const component of Array.isArray(components) ? components : []) {
    const metric = ownAt(component, "assertion", "metric");
    const comment = ownString(component, "reason");
    const known = typeof metric === "string" ? scores.get(metric) : undefined;
    if (known !== undefined && isObject(named) && Object.hasOwn(named, known.key)) {
      if (comment !== undefined && known.comment !== comment)
        known.comment = known.comment === undefined ? comment : `${known.comment}\n${comment}`;
      continue;
    }
    const type = ownAt(component, "assertion", "type");
    const name =
      typeof metric === "string" && metric !== ""
        ? metric
        : typeof type === "string"
          ? type
          : "assert";
    const key = freeKey(scores, taken, name);
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

function groupOf(row: unknown): { key: string; label: string } {
  const prompt = own(row, "prompt");
  const label =
    ownString(prompt, "label") ?? ownString(prompt, "raw") ?? ownString(row, "promptId") ?? "";
  const provider = providerOf(row);
  return {
    key: JSON.stringify([provider, own(row, "promptIdx") ?? own(row, "promptId") ?? label]),
    label: label === "" ? provider : `${provider} · ${label}`,
  };
}

function toRow(file: InputFile, { value, line, index }: PlacedValue, split: boolean): ReadRow {
  if (!isObject(value) || !Object.hasOwn(value, "vars"))
    throw refusal(
      { file: file.name, line },
      `row ${index + 1} has no vars; this is no promptfoo result`,
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
    ...(split ? { group: groupOf(value) } : {}),
    inputs: value["vars"],
    actual_outputs: ownAt(value, "response", "output"),
    // A run that failed was not scored: promptfoo writes 0 there, which is no measurement.
    ...(error === undefined ? { evaluation_scores: scoresOf(value) } : { error }),
    duration_s: typeof latencyMs === "number" ? latencyMs / 1000 : undefined,
    run_name: providerOf(value),
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
function summariesOf(rest: unknown): Map<string, unknown[]> {
  const prompts = ownAt(rest, "results", "prompts");
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

function toHeader(rest: unknown, split: boolean): FileHeader {
  const started =
    ownAt(rest, "results", "timestamp") ??
    ownAt(rest, "metadata", "evaluationCreatedAt") ??
    ownAt(rest, "createdAt");
  const stats = ownAt(rest, "results", "stats");
  const summary = summaryOf(own(stats, "successes"), own(stats, "failures"), own(stats, "errors"));
  const description = ownAt(rest, "config", "description");
  const evalId = ownString(rest, "evalId");
  return {
    given: {
      ...(summary.length === 0 || split ? {} : { summary_experiment_scores: summary }),
      ...(typeof description === "string" && description !== ""
        ? { experiment_description: description }
        : {}),
    },
    suite: typeof description === "string" && description !== "" ? description : undefined,
    started_at: started,
    ...(split ? { summaries: summariesOf(rest) } : {}),
    metadata: { eval_id: evalId },
  };
}

function open(
  files: readonly InputFile[],
  heads: readonly Head[],
  { split }: ReadOptions,
): Reading {
  const [file, head] = [files[0]!, heads[0]!];
  if (head.container === "csv") return openPromptfooCsv(file, head, split !== "none");
  const values = streamValues(
    file,
    head,
    head.keys.has("results.version") || head.keys.has("evalId") || !head.keys.has("results[].vars")
      ? ["results", "results"]
      : ["results"],
    isRow(head),
  );
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of values.batches())
      yield batch.map((value) => toRow(file, value, split !== "none"));
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

/** promptfoo results, version 2 and 3. */
export const promptfooFormat: Format = {
  name: "promptfoo",
  title: "promptfoo (JSON, JSONL, CSV)",
  detect: (head) =>
    head.container === "csv"
      ? isPromptfooCsv(head.columns)
      : head.container === "jsonl"
        ? isRow(head)
        : head.container === "json" &&
          (head.keys.has("results.results") ||
            head.keys.has("evalId") ||
            (head.keys.has("results.version") && head.keys.has("results.prompts")) ||
            isRow(head)),
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
