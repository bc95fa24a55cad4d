import { isObject, own, ownString } from "../../model/json.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

/** Samples of lm-evaluation-harness (`--log_samples`). */
export const lmEvalFormat = createRecipe({
  name: "lm-eval",
  title: "lm-evaluation-harness samples (JSONL)",
  detect: (head) => hasKeys(head, ["doc_id", "doc", "resps | filtered_resps"]),
  mapping: `
exact: true
rows: .
inputs: doc
expected_outputs.target: target
actual_outputs: { output: filtered_resps, responses: resps }
run_metadata: [doc_id]
ignore: [arguments, filter, metrics, doc_hash, prompt_hash, target_hash, schema]
`,
  hook: ({ name: file }) => ({
    finish: (row, { value: record }) => {
      const { unread = [] } = row;
      const listed = own(record, "metrics");
      const names = Array.isArray(listed)
        ? listed.filter((name): name is string => typeof name === "string")
        : unread.filter((name) => Object.hasOwn(record, name));
      const isScored = (name: string): boolean =>
        typeof record[name] === "number" || typeof record[name] === "boolean";
      const filter = ownString(record, "filter") ?? "none";
      // Perplexity and BLEU consist of parts that only the whole corpus combines.
      const inParts = names.filter((name) => !isScored(name) && (record[name] ?? null) !== null);
      const others = unread.filter(
        (path) => !names.some((name) => path.split(/\.|\[/)[0] === name),
      );
      return {
        ...row,
        inputs: row.inputs ?? null,
        // Two filters of one document are two readings of the same answer, not two runs.
        ...(filter === "none" ? {} : { identity: { doc: row.inputs ?? null, filter } }),
        evaluation_scores: names.filter(isScored).map((name) => ({
          key: filter === "none" ? name : `${name},${filter}`,
          score: record[name],
        })),
        run_metadata: { ...(isObject(row.run_metadata) ? row.run_metadata : {}), filter },
        unread: [...inParts, ...others],
      };
    },
    // samples_<task>_<time>.jsonl
    header: () => ({
      suite: /^samples_(.+?)_\d{4}-\d\d-\d\d/.exec(file.split("/").at(-1)!)?.[1],
    }),
  }),
});
