import type { Clock } from "../clock.ts";
import { toLogLine, toVisible } from "../report/escape.ts";
import type { LiveDisplay } from "../deploy/context.ts";
import { toReportJson } from "../report/outputs.ts";
import { toProblemLine, type Report } from "../report/report.ts";
import { renderOutcome, renderPlan, warningsOfPlan } from "../report/terminal.ts";
import { painter, toLogKey } from "../report/terminal-frame.ts";
import { wrapLines } from "../report/wrap.ts";
import type { RunContext } from "../run-context.ts";
import type { Host } from "./host.ts";
import { createLiveLines, type LiveLines } from "./live-lines.ts";
import { createLogGroups } from "./log-groups.ts";
import { writeReportFiles, type ReportFiles } from "./report-files.ts";
import type { Redactor } from "../secrets/redaction.ts";
import { toLogJson, toLogText } from "./workflow-command.ts";

/** Anything with a stream's `write`. */
export interface Sink {
  readonly write: (text: string) => unknown;
}

/** Where and how the command line prints. */
export interface TerminalHostSetup extends ReportFiles {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Whether stderr is a terminal: if so, each running deployment has a live line, and its log is streamed. */
  readonly isTTY: boolean;
  readonly clock: Clock;
  /** Width of stderr, which changes with its window; infinite: no wrapping. */
  readonly columns: () => number;
  /** Width of stdout. */
  readonly reportColumns: number;
  /** Colours on stderr. */
  readonly color: boolean;
  /** Colours in the report on stdout, which may be a file while stderr is a terminal. */
  readonly reportColor: boolean;
  readonly redactor: Redactor;
  /**
   * `json` prints the report to stdout as JSON, `line` as one line after the command's own output;
   * `none` leaves stdout to the command (`export`, the bodies of a dry run). All report the end on
   * stderr.
   */
  readonly output: "text" | "json" | "line" | "none";
  /** The CI whose log shows stderr. */
  readonly ci: RunContext["host"];
  /** Print a revision's log while it builds, in groups of the CI. */
  readonly streamLogs: boolean;
  /** Leaves out progress; the end then names what progress would have named. */
  readonly quiet: boolean;
}

type Level = "notice" | "warning" | "error";

/** The command line's host: progress to stderr, the report to stdout. */
export function createTerminalHost(setup: TerminalHostSetup): Host {
  const { redactor, quiet } = setup;
  /** Lines already printed to stderr, which the report does not repeat. */
  const reported = new Set<string>();
  const console = createConsole(setup, reported);
  let planShown = false;

  const publish: Host["publish"] = async (stage, given) => {
    const report = redactor.redactAll(given);
    if (stage === "end") publishEnd(setup, console, { report, reported });
    else if (!quiet && !planShown && report.deployments.some((one) => one.plan !== null)) {
      console.note(toLogText(renderPlan(report, setup).trimEnd()));
      for (const line of warningsOfPlan(report)) reported.add(line);
      planShown = true;
    }
  };

  return {
    progress: (line) => {
      if (quiet) return;
      console.onLine(line);
      console.note(console.clean(line));
    },
    ...(console.live === null ? {} : { live: console.live }),
    annotate: ({ level, ...wrong }) => {
      const problem = toProblemLine(wrong);
      reported.add(redactor.redact(problem));
      const shown = console.clean(toVisible(problem));
      // The position comes first, where editors and problem matchers expect it.
      console.note(level === "error" ? shown : `${console.label(level)} ${shown}`);
    },
    notify: console.notify,
    publish,
  };
}

const LABEL_STYLES = { notice: "cyan", warning: "yellow", error: "red" } as const;

/** Prints lines on stderr, above any live lines. */
function createConsole(setup: TerminalHostSetup, reported: Set<string>) {
  const { stderr, isTTY, color, redactor, clock, columns, quiet, ci, streamLogs } = setup;
  // A report written to a file contains the log, even if the terminal showed it.
  const readsBoth = Number.isFinite(setup.reportColumns);
  const onLine = (line: string): void => {
    if (readsBoth && isTTY) reported.add(redactor.redact(line));
  };
  const lines = isTTY
    ? createLiveLines({ write: (text) => stderr.write(text), clock, columns })
    : null;
  const paint = painter(color);
  const label = (level: Level): string => paint(LABEL_STYLES[level], `${level}:`);
  // The command line may also run in a workflow, whose runner parses every line for commands.
  const clean = (text: string): string =>
    toLogText(redactor.redact(text).split("\n").map(toVisible).join("\n"));
  const write = (line: string): unknown => stderr.write(`${line}\n`);
  const groups = createLogGroups({ write, clean, ci, paint, now: clock.now });
  const note = (text: string): void => {
    groups.close();
    if (lines === null) write(text);
    else lines.print(wrapLines(text, columns()));
  };
  const inGroups = streamLogs && !quiet ? { log: groups.show } : null;
  const drawn = (shown: LiveLines): LiveDisplay => ({
    status: (name, status) => shown.set(clean(name), status === null ? null : clean(status)),
    log: (name, _phase, all) => {
      for (const line of all) {
        onLine(toLogKey(name, line));
        note(`${paint("dim", `${clean(name)} |`)} ${clean(toLogLine(line))}`);
      }
    },
  });
  const live: LiveDisplay | null = lines === null ? inGroups : drawn(lines);
  return {
    note,
    label,
    /** Makes text from outside safe to print. */
    clean,
    notify: (level: Level, message: string) => note(`${label(level)} ${clean(message)}`),
    live,
    /** Called with each streamed line, including the output of `verify`. */
    onLine,
    close: () => {
      groups.close();
      lines?.close();
    },
  };
}

function publishEnd(
  setup: TerminalHostSetup,
  console: ReturnType<typeof createConsole>,
  { report, reported }: { readonly report: Report; readonly reported: Set<string> },
): void {
  const { stdout, color, output, reportColor, reportColumns, quiet } = setup;
  console.close();
  if (output === "text")
    for (const line of report.problems.map(toProblemLine))
      if (!reported.has(line)) {
        console.notify("error", line);
        reported.add(line);
      }
  writeReportFiles(setup, report, (message) => console.notify("warning", message));
  if (output === "json") stdout.write(toLogJson(toReportJson(report)));
  if (output === "line") stdout.write(toLogJson(`${JSON.stringify(report)}\n`));
  if (output !== "text") {
    const shown = renderOutcome(report, { color, reported, quiet }).trimEnd();
    if (shown !== "") console.note(toLogText(shown));
    return;
  }
  const isPlan = report.command === "plan" && report.deployments.some((one) => one.plan !== null);
  const plan = isPlan ? `${renderPlan(report, { color: reportColor })}\n` : "";
  if (isPlan) for (const line of warningsOfPlan(report)) reported.add(line);
  const shown = plan + renderOutcome(report, { color: reportColor, reported, quiet });
  stdout.write(toLogText(wrapLines(shown, reportColumns)));
}
