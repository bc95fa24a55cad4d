import { type EntryPoint, whereGiven } from "../../model/entry-point.ts";
import { isObject } from "../../model/json.ts";
import { nearestWord } from "../../spec/suggestion.ts";
import { refusal } from "../input/diagnostic.ts";
import { draftMapping } from "./mapping-draft.ts";
import { adkFormat } from "./adk.ts";
import { azureFormat } from "./azure.ts";
import { braintrustFormat } from "./braintrust.ts";
import { ctrfFormat } from "./ctrf.ts";
import { deepevalFormat } from "./deepeval.ts";
import { evaliteFormat } from "./evalite.ts";
import type { Format, Head } from "./format.ts";
import { LISTS_FOR_ROWS } from "./head.ts";
import { firstRecords } from "./csv-records.ts";
import { inspectFormat } from "./inspect.ts";
import { junitFormat } from "./junit.ts";
import { langfuseFormat } from "./langfuse.ts";
import { langsmithFormat } from "./langsmith.ts";
import { lmEvalFormat } from "./lm-eval.ts";
import { mappingFormat } from "./mapped.ts";
import { mlflowFormat } from "./mlflow.ts";
import { openaiEvalsFormat } from "./openai-evals.ts";
import { openaiRunFormat } from "./openai-run.ts";
import { bodyFormat, rowsFormat } from "./own.ts";
import { phoenixFormat } from "./phoenix.ts";
import { csvFormat } from "./plain-csv.ts";
import { promptfooFormat } from "./promptfoo.ts";
import { hasKeys } from "./recipe.ts";
import { ragasFormat } from "./ragas.ts";
import { tauBenchFormat } from "./tau-bench.ts";
import { testReportFormat, vitestEvalsFormat } from "./test-report.ts";
import { meantBy } from "./verdict-words.ts";

/** Every format in detection order: narrower ones first. */
export const FORMATS: readonly Format[] = [
  promptfooFormat,
  inspectFormat,
  deepevalFormat,
  langsmithFormat,
  vitestEvalsFormat,
  testReportFormat,
  openaiEvalsFormat,
  openaiRunFormat,
  azureFormat,
  evaliteFormat,
  langfuseFormat,
  lmEvalFormat,
  adkFormat,
  tauBenchFormat,
  ctrfFormat,
  phoenixFormat,
  braintrustFormat,
  bodyFormat,
  rowsFormat,
  junitFormat,
  ragasFormat,
  mlflowFormat,
  csvFormat,
  mappingFormat,
];

/** Values of `format`. */
const FORMAT_NAMES: readonly string[] = ["auto", ...FORMATS.map(({ name }) => name)];

/** Whether a file has averages by task and each task's version; earlier releases had no configs. */
function isLmEvalResults({ keys }: Head): boolean {
  const isTask = (key: string): boolean =>
    key.startsWith("results.") && keys.has(key.replace("results", "versions"));
  return (
    keys.has("results") && keys.has("versions") && (keys.has("configs") || [...keys].some(isTask))
  );
}

/** Whether a table's first line leaves most columns without a name, and the next one names them. */
function isTitled(head: Head): boolean {
  if (head.container !== "csv") return false;
  const [first = [], next = []] = firstRecords(head, 2);
  const unnamed = next.filter((_, n) => (first[n] ?? "").trim() === "");
  return 2 * unnamed.length > next.length && unnamed.some((cell) => /\p{L}/u.test(cell));
}

/** Files without rows, rows without inputs, or files that another program must fetch or convert first. */
const NO_ROWS: readonly (readonly [is: (head: Head) => boolean, message: string])[] = [
  [
    isLmEvalResults,
    "lm-evaluation-harness results hold only averages; run with --log_samples and give samples_*.jsonl",
  ],
  [
    (head) => hasKeys(head, ["projectName", "experimentName"]),
    "Braintrust's summary lines hold only averages; export the experiment's rows, or print the result of Eval() as JSON",
  ],
  [
    (head) => hasKeys(head, ["ProjectName", "ExperimentName"]),
    "Braintrust's summary lines hold only averages; export the experiment's rows",
  ],
  [
    (head) => hasKeys(head, ["task_runs", "evaluation_runs"]),
    "what Phoenix's client returns holds no inputs; give what its server answers at /v1/experiments/ID/json",
  ],
  [
    (head) => hasKeys(head, ["suites", "config.rootDir"]),
    "Playwright's JSON report is not read; let it write JUnit XML too (--reporter=junit)",
  ],
  [
    (head) => hasKeys(head, ["Time", "Action", "Package"]),
    "go test -json is a log of events; let the tests write JUnit XML too (gotestsum --junitfile)",
  ],
  [
    (head) => hasKeys(head, ["type", "event", "test_count"]),
    "the JSON of Rust's tests is a log of events; let cargo nextest write JUnit XML too (a profile with junit.path)",
  ],
  [
    (head) => hasKeys(head, ["uri", "elements", "elements[].steps"]),
    "Cucumber's JSON report is not read; let it write JUnit XML too (--format junit:FILE)",
  ],
  [
    isTitled,
    "the first line names less than half of the columns, so it seems to be a title; delete what is above the header",
  ],
  [
    (head) => head.text.startsWith("version https://git-lfs."),
    "this is a pointer of Git LFS, not the file itself; fetch it with git lfs pull, or lfs: true of actions/checkout",
  ],
  [
    (head) => /^(?:TAP version \d|1\.\.\d|(?:not )?ok \d)/.test(head.text),
    "TAP is not read; let the runner write JUnit XML (node --test-reporter=junit, bats --formatter junit)",
  ],
];

/** Why a value of `format` is wrong; null if it is valid. */
export function problemOfFormat(wanted: string): string | null {
  if (FORMAT_NAMES.includes(wanted)) return null;
  const near = nearestWord(wanted, FORMAT_NAMES);
  return `format: there is no format "${wanted}"${near === undefined ? "" : ` (did you mean ${near}?)`}; formats are ${FORMAT_NAMES.join(", ")}`;
}

/** The format of a file: the named one, or the first that recognises its content. */
export async function formatOf(
  head: Head,
  wanted: string,
  entryPoint?: EntryPoint,
): Promise<Format> {
  const wrong = problemOfFormat(wanted);
  if (wrong !== null) throw refusal({ file: head.name }, wrong);
  const found = FORMATS.find((format) =>
    wanted === "auto" ? format.detect(head) : format.name === wanted,
  );
  if (found !== undefined) return found;
  const without = NO_ROWS.find(([is]) => is(head));
  if (without !== undefined) throw refusal({ file: head.name }, without[1]);
  if (hasNoRows(head))
    throw refusal(
      { file: head.name },
      "the table has a header and no rows; check that the run wrote its results",
    );
  const seen =
    head.container === "csv"
      ? `columns ${head.columns.slice(0, 12).join(", ").slice(0, 300)}`
      : `keys ${[...head.keys].slice(0, 12).join(", ").slice(0, 300) || "none"}`;
  const draft = draftMapping(head);
  throw refusal(
    { file: head.name },
    `the format is not known (${head.container}, ${seen}); ${whereGiven(entryPoint)}name it with format (docs/evals/formats.md lists them), or write a mapping${draft === "" ? noRowsIn(head) : `: ${draft}`}`,
  );
}

/** A table with only a header; a line of words is not one. */
const hasNoRows = (head: Head): boolean =>
  head.container === "csv" &&
  head.columns.length > 1 &&
  head.isWhole &&
  firstRecords(head, 2).length < 2;

/** Explains why no mapping makes rows of a file: often it is a report of averages. */
function noRowsIn({ container, document }: Head): string {
  if (container !== "json") return "";
  const parts = isObject(document) ? Object.values(document) : [];
  const isTable = (value: unknown): boolean => Array.isArray(value) && value.some(Array.isArray);
  if ([document, ...parts].some(isTable)) return `; ${LISTS_FOR_ROWS}`;
  if (Array.isArray(document) && document.some(isObject))
    return "; no row of its list has a score of its own (an average over n examples is not one)";
  // An average is a number.
  const isVerdict = (value: unknown): boolean =>
    typeof value === "boolean" || (typeof value === "string" && meantBy(value) !== undefined);
  return parts.length > 1 && parts.every(isVerdict)
    ? '; it has a verdict by name and no rows: write a list, as [{"id": …, "pass": true}]'
    : "; it begins without a list of rows, and gates compare rows, not averages";
}

/** The built-in formats that are mappings, each as its mapping file. */
export function renderRecipes(): string[] {
  return FORMATS.flatMap(({ name, title, mapping }) =>
    mapping === undefined
      ? []
      : [
          `**\`${name}\`** — ${title}`,
          "",
          "```yaml mapping",
          ...mapping.trim().split("\n"),
          "```",
          "",
        ],
  );
}
