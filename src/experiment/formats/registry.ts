import { nearestWord } from "../../spec/suggestion.ts";
import { refusal } from "../diagnostic.ts";
import { draftMapping, renderDraft } from "../mapping-draft.ts";
import { deepevalFormat } from "./deepeval.ts";
import type { Format, Head } from "./format.ts";
import { inspectFormat } from "./inspect.ts";
import { junitFormat } from "./junit.ts";
import { langsmithFormat } from "./langsmith.ts";
import { mappingFormat } from "./mapped.ts";
import { openaiEvalsFormat } from "./openai-evals.ts";
import { bodyFormat, rowsFormat } from "./own.ts";
import { phoenixFormat } from "./phoenix.ts";
import { csvFormat } from "./plain-csv.ts";
import { promptfooFormat } from "./promptfoo.ts";
import { ragasFormat } from "./ragas.ts";
import { testReportFormat, vitestEvalsFormat } from "./test-report.ts";

/** Every format, in the order in which they are tried: the narrower first. */
export const FORMATS: readonly Format[] = [
  promptfooFormat,
  inspectFormat,
  deepevalFormat,
  langsmithFormat,
  vitestEvalsFormat,
  testReportFormat,
  openaiEvalsFormat,
  phoenixFormat,
  bodyFormat,
  rowsFormat,
  junitFormat,
  ragasFormat,
  csvFormat,
  mappingFormat,
];

/** Words that `format` takes. */
const FORMAT_NAMES: readonly string[] = ["auto", ...FORMATS.map(({ name }) => name)];

/** The format of a file: the one that was named, or the first that knows its content. */
export async function formatOf(head: Head, wanted: string): Promise<Format> {
  const found = FORMATS.find((format) =>
    wanted === "auto" ? format.detect(head) : format.name === wanted,
  );
  if (found !== undefined) return found;
  if (wanted !== "auto") {
    const near = nearestWord(wanted, FORMAT_NAMES);
    throw refusal(
      { file: head.name },
      `format: there is no format "${wanted}"${near === undefined ? "" : ` (did you mean ${near}?)`}; formats are ${FORMAT_NAMES.join(", ")}`,
    );
  }
  const seen =
    head.container === "csv"
      ? `columns ${head.columns.slice(0, 12).join(", ").slice(0, 300)}`
      : `keys ${[...head.keys].slice(0, 12).join(", ").slice(0, 300) || "none"}`;
  const draft = renderDraft(await draftMapping(head));
  throw refusal(
    { file: head.name },
    `the format is not known (${head.container}, ${seen}); name it with format, or write a mapping${draft === "" ? "" : `: ${draft}`}`,
  );
}
