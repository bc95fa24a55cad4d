import { own, ownAt, ownString } from "../lenient-json.ts";
import type { ReadRow } from "../row.ts";
import { sumUsage, usageOf } from "../usage.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues } from "./objects.ts";
import { listAt, numberAt } from "./pick.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known(
    "id",
    "evalId",
    "order",
    "colOrder",
    "duration",
    "input",
    "output",
    "expected",
    "createdAt",
  ),
  ...known("status", "renderedColumns", "traces", "trialIndex"),
  scores: { ...known("id", "resultId", "name", "score", "description", "metadata", "createdAt") },
};

function toRow(
  evaluation: unknown,
  result: unknown,
  place: { readonly file: string; readonly line: number; readonly index: number },
): ReadRow {
  const name = ownString(evaluation, "name") ?? "eval";
  const variant = ownString(evaluation, "variantName");
  const input = own(result, "input") ?? null;
  const scores = listAt(result, "scores").map((score) => ({
    key: ownString(score, "name") ?? "score",
    score: own(score, "score"),
    comment: own(score, "description") ?? undefined,
  }));
  const failed = own(result, "status") === "fail" && scores.length === 0;
  const duration = numberAt(result, "duration");
  const output = own(result, "output");
  const message = ownAt(result, "output", "message");
  return {
    place,
    inputs: { input },
    identity: { eval: name, input, ...(variant === undefined ? {} : { variant }) },
    expected_outputs: own(result, "expected"),
    ...(failed
      ? { error: typeof message === "string" ? message : "the task failed" }
      : { actual_outputs: output, evaluation_scores: scores }),
    start_time: own(result, "createdAt"),
    duration_s: duration === undefined ? undefined : duration / 1000,
    run_name: variant === undefined ? name : `${name} (${variant})`,
    ...unreadOf(result, KNOWN),
    usage: sumUsage(listAt(result, "traces").map((trace) => usageOf(trace, own(trace, "usage")))),
    run_metadata: {
      eval: name,
      ...(variant === undefined ? {} : { variant }),
      ...(ownString(evaluation, "filepath") === undefined
        ? {}
        : { file: own(evaluation, "filepath") }),
    },
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const values = streamValues(file, head, ["evals"]);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    let index = 0;
    for await (const batch of values.batches())
      for (const { value, line } of batch)
        yield listAt(value, "results").map((result) =>
          toRow(value, result, { file: file.name, line, index: index++ }),
        );
  }
  return {
    batches,
    header: () => ({ given: {}, started_at: ownAt(values.rest(), "run", "createdAt") }),
  };
}

/** `evalite run --outputPath`. */
export const evaliteFormat: Format = {
  name: "evalite",
  title: "evalite (--outputPath JSON)",
  detect: (head) =>
    head.container === "json" && head.keys.has("evals[].results") && head.keys.has("run"),
  open,
};
