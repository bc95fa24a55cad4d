import type { ActionRun } from "../support/action-run.ts";
import { formsOf, shownLog } from "../support/leak-guard.ts";

/** Which secrets stand in which sink, in any form; empty where nothing leaked. */
export function leaks(
  sinks: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(sinks).flatMap(([sink, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      formsOf(secret)
        .filter((form) => text.includes(form))
        .map((form) => `${sink} holds ${name} as ${JSON.stringify(form.slice(0, 60))}`),
    ),
  );
}

/** Everything that a run of the Action leaves. */
export function sinksOf(run: ActionRun, report: string): Record<string, string> {
  return {
    log: shownLog(run),
    stderr: run.stderr,
    outputs: JSON.stringify(run.outputs),
    "raw outputs": Object.values(run.outputs).join("\n"),
    state: JSON.stringify(run.state),
    summary: run.summary,
    report,
  };
}
