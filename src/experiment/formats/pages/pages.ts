import { adkPage } from "./adk.ts";
import { azurePage } from "./azure.ts";
import { bodyPage } from "./body.ts";
import { braintrustPage } from "./braintrust.ts";
import { csvPage } from "./csv.ts";
import { ctrfPage } from "./ctrf.ts";
import { deepevalPage } from "./deepeval.ts";
import { evalitePage } from "./evalite.ts";
import { inspectPage } from "./inspect.ts";
import { junitPage } from "./junit.ts";
import { langfusePage } from "./langfuse.ts";
import { langsmithPage } from "./langsmith.ts";
import { lmEvalPage } from "./lm-eval.ts";
import { mappingPage } from "./mapping.ts";
import { mlflowPage } from "./mlflow.ts";
import { openaiEvalsPage } from "./openai-evals.ts";
import { openaiRunPage } from "./openai-run.ts";
import { phoenixPage } from "./phoenix.ts";
import { promptfooPage } from "./promptfoo.ts";
import { ragasPage } from "./ragas.ts";
import { rowsPage } from "./rows.ts";
import { tauBenchPage } from "./tau-bench.ts";
import { testReportPage } from "./vitest.ts";
import { vitestEvalsPage } from "./vitest-evals.ts";
import type { FormatPage } from "./page.ts";

/** By format name. */
export const PAGES: Readonly<Record<string, FormatPage>> = {
  promptfoo: promptfooPage,
  inspect: inspectPage,
  deepeval: deepevalPage,
  langsmith: langsmithPage,
  "vitest-evals": vitestEvalsPage,
  vitest: testReportPage,
  "openai-evals": openaiEvalsPage,
  "openai-run": openaiRunPage,
  azure: azurePage,
  evalite: evalitePage,
  langfuse: langfusePage,
  "lm-eval": lmEvalPage,
  adk: adkPage,
  "tau-bench": tauBenchPage,
  ctrf: ctrfPage,
  phoenix: phoenixPage,
  braintrust: braintrustPage,
  body: bodyPage,
  rows: rowsPage,
  junit: junitPage,
  ragas: ragasPage,
  mlflow: mlflowPage,
  csv: csvPage,
  mapping: mappingPage,
};
