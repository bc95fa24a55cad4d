import { writeLocated } from "../files/workspace.ts";
import { toVisible } from "../report/escape.ts";
import { toReportJson } from "../report/outputs.ts";
import { renderOutcome, renderPlan } from "../report/terminal.ts";
import type { Host } from "./host.ts";
import { writeMarkdown } from "./markdown-file.ts";
import type { Redactor } from "./redaction.ts";
import { toLogJson, toLogText } from "./workflow-command.ts";

/** Anything with a stream's `write`. */
export interface Sink {
  readonly write: (text: string) => unknown;
}

/** Where the command line prints, and how. */
export interface TerminalHostSetup {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Whether stderr is a terminal: then the line of a deployment is rewritten in place. */
  readonly isTTY: boolean;
  /** Colours on stderr. */
  readonly color: boolean;
  /** Colours in the report on stdout, which may go to a file while stderr is a terminal; absent: as on stderr. */
  readonly reportColor?: boolean;
  readonly redactor: Redactor;
  /** `json` prints the report to stdout as JSON; `line` in one line, behind what a command printed; `none` leaves stdout to the command (`export`, the bodies of a dry run). All of them tell the end on stderr. */
  readonly output?: "text" | "json" | "line" | "none";
  /** Absolute path of the report file; absent: none is written. */
  readonly reportFile?: string;
  /** Absolute path for the Markdown of a comment; absent: none is written. */
  readonly markdownFile?: string;
}

const ERASE = "\r\u001b[2K";

/** The command line's host: progress to stderr, the report to stdout. */
export function createTerminalHost({
  stdout,
  stderr,
  isTTY,
  color,
  reportColor = color,
  redactor,
  output = "text",
  reportFile,
  markdownFile,
}: TerminalHostSetup): Host {
  /** What the line that is being rewritten is about; null where the cursor is at the start of a line. */
  let live: string | null = null;
  let planShown = false;
  /** Problems that already stand on stderr: the report does not say them again. */
  const told = new Set<string>();

  const settle = (): void => {
    if (live !== null) stderr.write("\n");
    live = null;
  };
  const note = (text: string): void => {
    settle();
    stderr.write(`${text}\n`);
  };
  const label = (level: "notice" | "warning" | "error"): string =>
    color
      ? `\u001b[${{ notice: 36, warning: 33, error: 31 }[level]}m${level}:\u001b[39m`
      : `${level}:`;
  // The command line too may run in a workflow, whose runner reads every line for commands.
  const clean = (text: string): string =>
    toLogText(redactor.redact(text).split("\n").map(toVisible).join("\n"));

  const progress: Host["progress"] = (line) => {
    const shown = clean(line);
    const subject = /^([^\s:]+): /.exec(shown)?.[1] ?? null;
    if (!isTTY || subject === null || shown.includes("\n")) {
      note(shown);
      return;
    }
    if (live !== null && live !== subject) settle();
    stderr.write(`${live === null ? "" : ERASE}${shown}`);
    live = subject;
  };

  const publish: Host["publish"] = async (stage, given) => {
    const report = redactor.redactAll(given);
    if (stage === "begin") {
      if (!planShown && report.deployments.some((one) => one.plan !== null)) {
        note(toLogText(renderPlan(report, { color }).trimEnd()));
        planShown = true;
      }
      return { commentUrl: "" };
    }
    settle();
    if (output === "text")
      for (const problem of report.problems)
        if (!told.has(problem)) {
          note(`${label("error")} ${clean(problem)}`);
          told.add(problem);
        }
    if (reportFile !== undefined) {
      try {
        await writeLocated(reportFile, toReportJson(report));
      } catch (error) {
        note(
          `${label("warning")} the report file was not written: ${String((error as { message?: unknown }).message)}`,
        );
      }
    }
    if (markdownFile !== undefined)
      await writeMarkdown(markdownFile, report, (message) =>
        note(`${label("warning")} ${clean(message)}`),
      );
    if (output === "json") stdout.write(toLogJson(toReportJson(report)));
    if (output === "line") stdout.write(toLogJson(`${JSON.stringify(report)}\n`));
    if (output !== "text") note(toLogText(renderOutcome(report, { color, told }).trimEnd()));
    const plan =
      report.command === "plan" && report.deployments.some((one) => one.plan !== null)
        ? `${renderPlan(report, { color: reportColor })}\n`
        : "";
    if (output === "text")
      stdout.write(toLogText(plan + renderOutcome(report, { color: reportColor, told })));
    return { commentUrl: "" };
  };

  return {
    progress,
    annotate: ({ level, file, line, column, path, message }) => {
      const problem = `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
      told.add(redactor.redact(problem));
      // The place comes first, where editors and problem matchers read it.
      note(
        level === "error"
          ? clean(toVisible(problem))
          : `${label(level)} ${clean(toVisible(problem))}`,
      );
    },
    say: (level, message) => note(`${label(level)} ${clean(message)}`),
    publish,
  };
}
