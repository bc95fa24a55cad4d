import { own, ownAt, ownString } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { withoutAgentTurns } from "../identity.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import { usageOf } from "../usage.ts";
import type { InputFile } from "../input-file.ts";
import { createDirections } from "./directions.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { anyOf, listAt, present } from "./pick.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known(
    "datasource_item",
    "datasource_item_id",
    "created_at",
    "status",
    "id",
    "run_id",
    "eval_id",
  ),
  sample: {
    ...known("input", "output", "usage", "error", "model", "finish_reason", "seed"),
    ...known("temperature", "top_p", "max_completion_tokens", "max_tokens"),
  },
  results: {
    ...known(
      "name",
      "metric",
      "type",
      "score",
      "passed",
      "label",
      "reason",
      "explanation",
      "status",
    ),
    ...known("threshold", "sample"),
  },
};

const EXPECTED = /^(?:ground_truth|expected.*|reference.*|ideal|label|correct.*|target)$/i;
const ANSWERED = /^(?:response|output.*|sample(?:\..*)?|answer|model_output)$/i;
/** What a run of an agent makes up, or what tells which agent ran: the question is the same without it. */
const RUN_MADE =
  /^(?:(?:response|conversation|thread|trace|span|run|message|session)_?id|agent_?(?:name|version|id))$/i;
/** The Evals API puts an id of the criterion behind the name that somebody gave it; a new eval has a new one. */
const CRITERION_ID = /-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A result is called by its metric; where two criteria of an item have the same one, by both names. */
function keysOf(results: readonly unknown[]): (result: unknown) => string | undefined {
  const plain = (result: unknown): string | undefined => {
    const key = anyOf(result, "metric", "name", "type");
    return typeof key === "string" ? key.replace(CRITERION_ID, "") || key : undefined;
  };
  const all = results.map(plain);
  return (result) => {
    const [key, name] = [plain(result), ownString(result, "name")];
    if (key === undefined || name === undefined) return key;
    if (all.filter((other) => other === key).length < 2) return key;
    return name.startsWith(key) ? name : `${name}.${key}`;
  };
}

function toRow(
  file: InputFile,
  { value: item, line, index }: PlacedValue,
  directions: ReturnType<typeof createDirections>,
): ReadRow {
  const source = own(item, "datasource_item");
  const all = isObject(source) ? Object.entries(source) : [];
  const entries = all.filter(([name]) => !RUN_MADE.test(name));
  const sample = own(item, "sample");
  const failure = ownAt(sample, "error");
  const message = ownString(failure, "message") ?? ownString(failure, "code");
  const results = listAt(item, "results");
  const keyOf = keysOf(results);
  const scores = results.flatMap((result): unknown[] => {
    const key = keyOf(result);
    if (key === undefined || own(result, "status") === "error") return [];
    const [score, passed] = [own(result, "score"), own(result, "passed")];
    directions.add({ key, score, threshold: own(result, "threshold"), passed });
    return [
      {
        key,
        score: score ?? undefined,
        value: own(result, "label") ?? undefined,
        comment: anyOf(result, "reason", "explanation"),
      },
      ...(typeof passed === "boolean" ? [{ key: `${key}.pass`, score: passed }] : []),
    ];
  });
  const errored = own(item, "status") === "error" || message !== undefined;
  const asked = listAt(sample, "input");
  return {
    place: { file: file.name, line, index },
    inputs:
      present(entries.filter(([name]) => !EXPECTED.test(name) && !ANSWERED.test(name))) ??
      (asked.length > 0 ? { input: withoutAgentTurns(asked) } : undefined),
    expected_outputs: present(entries.filter(([name]) => EXPECTED.test(name))),
    actual_outputs: present([
      ...entries.filter(([name]) => ANSWERED.test(name)),
      ["output", outputOf(sample)],
    ]),
    evaluation_scores: scores,
    ...(errored ? { error: message ?? "the item errored and the file does not say why" } : {}),
    ...unreadOf(item, KNOWN),
    start_time: own(item, "created_at"),
    usage: usageOf(own(sample, "usage")),
    run_metadata: present([
      ["usage", own(sample, "usage")],
      ["model", own(sample, "model")],
      ["datasource_item_id", own(item, "datasource_item_id")],
      ...all.filter(([name]) => RUN_MADE.test(name)),
    ]),
  };
}

function outputOf(sample: unknown): unknown {
  const texts = listAt(sample, "output").map((message) => own(message, "content"));
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : texts;
}

/** The service gives items a page at a time; the rest of them are further requests. */
const PAGE = {
  state: "incomplete",
  warnings: [
    "the file is one page of several (has_more): ask for the others too; it makes no baseline unless you accept it",
  ],
} as const;

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const path = head.keys.has("data") ? "data" : "_evaluation_results_list";
  const values = streamValues(file, head, [path], true);
  const directions = createDirections();
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of values.batches())
      yield batch.map((value) => toRow(file, value, directions));
  }
  const header = (): FileHeader => ({
    given: {},
    directions: directions.found(),
    ...(own(values.rest(), "has_more") === true ? PAGE : {}),
  });
  return { batches, header };
}

/** Output items of the OpenAI Evals API, which Azure AI Foundry writes as well. */
export const openaiRunFormat: Format = {
  name: "openai-run",
  title: "OpenAI Evals API and Foundry output items (JSON, JSONL)",
  detect: (head) =>
    ["", "data[]."].some((before) =>
      ["datasource_item", "results"].every((key) => head.keys.has(before + key)),
    ),
  open,
};
