import { isObject, own, ownAt, ownString } from "../../model/json.ts";
import { withoutAgentTurns } from "../input/identity.ts";
import { anyOf, listAt, present } from "./pick.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

const EXPECTED = /^(?:ground_truth|expected.*|reference.*|ideal|label|correct.*|target)$/i;
const ANSWERED = /^(?:response|output.*|sample(?:\..*)?|answer|model_output)$/i;
/** Fields that a run makes up or that name the agent: the question is the same without them. */
const RUN_MADE =
  /^(?:(?:response|conversation|thread|trace|span|run|message|session)_?id|agent_?(?:name|version|id))$/i;
/** The Evals API appends an id to a criterion's name, a new one in each eval. */
const CRITERION_ID = /-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Results with scores, each named by its metric, or by name and metric if two criteria of an item share it. */
function scoredResults(record: Readonly<Record<string, unknown>>): unknown[] {
  const results = listAt(record, "results");
  const plain = (result: unknown): string | undefined => {
    const key = anyOf(result, "metric", "name", "type");
    return typeof key === "string" ? key.replace(CRITERION_ID, "") || key : undefined;
  };
  const all = results.map(plain);
  return results.flatMap((result): unknown[] => {
    const [key, name] = [plain(result), ownString(result, "name")];
    if (key === undefined || own(result, "status") === "error") return [];
    const isAlone = name === undefined || all.filter((other) => other === key).length < 2;
    const both = name?.startsWith(key) === true ? name : `${name}.${key}`;
    return [{ ...(result as object), key: isAlone ? key : both }];
  });
}

function outputOf(sample: unknown): unknown {
  const texts = listAt(sample, "output").map((message) => own(message, "content"));
  return texts.length < 2 ? texts[0] : texts;
}

/** The service returns items one page at a time; the rest need further requests. */
const ONE_PAGE =
  "the file is one page of several (has_more): ask for the others too; it makes no baseline unless you accept it";

/** Output items of the OpenAI Evals API, which Azure AI Foundry writes too. */
export const openaiRunFormat = createRecipe({
  name: "openai-run",
  title: "OpenAI Evals API and Foundry output items (JSON, JSONL)",
  detect: (head) => hasKeys(head, ["datasource_item", "results"], ["", "data[]."]),
  mapping: `
exact: true
rows: data | _evaluation_results_list | .
inputs: datasource_item
evaluation_scores: { list: results, key: key, score: score, value: label, comment: reason | explanation, pass: passed, threshold: threshold }
error: sample.error.message | sample.error.code
start_time: created_at
usage: sample.usage
run_metadata: { usage: sample.usage, model: sample.model, datasource_item_id: datasource_item_id }
ignore:
  [status, id, run_id, eval_id, sample.input, sample.output, sample.error, sample.finish_reason, sample.seed, sample.temperature, sample.top_p, sample.max_completion_tokens, sample.max_tokens]
`,
  hook: ({ document }) => ({
    before: (record) => ({ ...record, results: scoredResults(record) }),
    finish: (row, { value }) => {
      const sample = own(value, "sample");
      const all = isObject(row.inputs) ? Object.entries(row.inputs) : [];
      const entries = all.filter(([name]) => !RUN_MADE.test(name));
      const asked = listAt(sample, "input");
      const isErrored = own(value, "status") === "error" && row.error === undefined;
      return {
        ...row,
        inputs:
          present(entries.filter(([name]) => !EXPECTED.test(name) && !ANSWERED.test(name))) ??
          (asked.length > 0 ? { input: withoutAgentTurns(asked) } : undefined),
        expected_outputs: present(entries.filter(([name]) => EXPECTED.test(name))),
        actual_outputs: present([
          ...entries.filter(([name]) => ANSWERED.test(name)),
          ["output", outputOf(sample)],
        ]),
        ...(isErrored ? { error: "the item errored and the file does not say why" } : {}),
        run_metadata: present([
          ...Object.entries((row.run_metadata as object | undefined) ?? {}),
          ...all.filter(([name]) => RUN_MADE.test(name)),
        ]),
      };
    },
    header: () => ({ incomplete: ownAt(document, "has_more") === true ? [ONE_PAGE] : [] }),
  }),
});
