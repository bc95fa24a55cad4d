import { systemClock, type Clock } from "../clock.ts";
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

/** Where the command line prints, and how. */
export interface TerminalHostSetup extends ReportFiles {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Whether stderr is a terminal: then each deployment under way has a line that moves, and its log is streamed. */
  readonly isTTY: boolean;
  /** Times the moving lines; default: the machine's own clock. */
  readonly clock?: Clock;
  /** Width of stderr, which changes with its window; default: lines are not wrapped. */
  readonly columns?: () => number;
  /** Width of stdout; default: lines are not wrapped. */
  readonly reportColumns?: number;
  /** Colours on stderr. */
  readonly color: boolean;
  /** Colours in the report on stdout, which may go to a file while stderr is a terminal; absent: as on stderr. */
  readonly reportColor?: boolean;
  readonly redactor: Redactor;
  /**
   * `json` prints the report to stdout as JSON; `line` in one line, after what a command printed;
   * `none` leaves stdout to the command (`export`, the bodies of a dry run). All of them report the
   * end on stderr.
   */
  readonly output?: "text" | "json" | "line" | "none";
  /** The CI whose log stderr goes to. */
  readonly ci?: RunContext["host"];
  /** Print the log of a revision while it builds, in groups of the CI. */
  readonly streamLogs?: boolean;
  /** Whether progress is left out; the end then names what progress would have named. */
  readonly quiet?: boolean;
}

type Level = "notice" | "warning" | "error";

/** The command line's host: progress to stderr, the report to stdout. */
export function createTerminalHost(setup: TerminalHostSetup): Host {
  const { redactor, quiet = false } = setup;
  /** Lines already on stderr: the report does not repeat them. */
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
    return { commentUrl: "" };
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
      // The place comes first, where editors and problem matchers read it.
      console.note(level === "error" ? shown : `${console.label(level)} ${shown}`);
    },
    say: console.say,
    publish,
  };
}

/** Lines on stderr, above the moving lines where there are any. */
interface Console {
  readonly note: (text: string) => void;
  readonly say: (level: Level, message: string) => void;
  readonly label: (level: Level) => string;
  /** Text from outside, safe to print. */
  readonly clean: (text: string) => string;
  readonly live: LiveDisplay | null;
  /** Called with each streamed line; what `verify` prints is among them. */
  readonly onLine: (line: string) => void;
  readonly close: () => void;
}

const LABEL_COLORS: Readonly<Record<Level, number>> = { notice: 36, warning: 33, error: 31 };

function createConsole(setup: TerminalHostSetup, reported: Set<string>): Console {
  const { stderr, isTTY, color, redactor, clock = systemClock, quiet = false } = setup;
  // A report that goes to a file is to hold the log, whoever has seen it on the terminal.
  const readsBoth = Number.isFinite(setup.reportColumns);
  const onLine = (line: string): void => {
    if (readsBoth && isTTY) reported.add(redactor.redact(line));
  };
  const columns = setup.columns ?? ((): number => Infinity);
  const lines = isTTY
    ? createLiveLines({ write: (text) => stderr.write(text), clock, columns })
    : null;
  const label = (level: Level): string =>
    color ? `\u001b[${LABEL_COLORS[level]}m${level}:\u001b[39m` : `${level}:`;
  // The command line too may run in a workflow, whose runner reads every line for commands.
  const clean = (text: string): string =>
    toLogText(redactor.redact(text).split("\n").map(toVisible).join("\n"));
  const write = (line: string): unknown => stderr.write(`${line}\n`);
  const { ci = "terminal", streamLogs = false } = setup;
  const groups = createLogGroups({ write, clean, ci, paint: painter(color), now: clock.now });
  const note = (text: string): void => {
    groups.close();
    if (lines === null) write(text);
    else lines.print(wrapLines(text, columns()));
  };
  const inGroups = streamLogs && !quiet ? { log: groups.show } : null;
  const live = lines === null ? inGroups : toDisplay(lines, { note, clean, color, onLine });
  return {
    note,
    label,
    clean,
    say: (level, message) => note(`${label(level)} ${clean(message)}`),
    live,
    onLine,
    close: () => {
      groups.close();
      lines?.close();
    },
  };
}

function toDisplay(
  lines: LiveLines,
  {
    note,
    clean,
    color,
    onLine,
  }: Pick<Console, "note" | "clean" | "onLine"> & { readonly color: boolean },
): LiveDisplay {
  return {
    status: (name, status) => lines.set(clean(name), status === null ? null : clean(status)),
    log: (name, _phase, all) => {
      for (const line of all) {
        onLine(toLogKey(name, line));
        note(`${painter(color)("dim", `${clean(name)} |`)} ${clean(toLogLine(line))}`);
      }
    },
  };
}

function publishEnd(
  setup: TerminalHostSetup,
  console: Console,
  { report, reported }: { readonly report: Report; readonly reported: Set<string> },
): void {
  const { stdout, color, output = "text", reportColor = color, reportColumns = Infinity } = setup;
  const { quiet = false } = setup;
  console.close();
  if (output === "text")
    for (const line of report.problems.map(toProblemLine))
      if (!reported.has(line)) {
        console.say("error", line);
        reported.add(line);
      }
  writeReportFiles(setup, report, (message) => console.say("warning", message));
  if (output === "json") stdout.write(toLogJson(toReportJson(report)));
  if (output === "line") stdout.write(toLogJson(`${JSON.stringify(report)}\n`));
  if (output !== "text") {
    console.note(toLogText(renderOutcome(report, { color, reported, quiet }).trimEnd()));
    return;
  }
  const isPlan = report.command === "plan" && report.deployments.some((one) => one.plan !== null);
  const plan = isPlan ? `${renderPlan(report, { color: reportColor })}\n` : "";
  if (isPlan) for (const line of warningsOfPlan(report)) reported.add(line);
  const shown = plan + renderOutcome(report, { color: reportColor, reported, quiet });
  stdout.write(toLogText(wrapLines(shown, reportColumns)));
}
