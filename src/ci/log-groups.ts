import { isErrorLine } from "../report/cause.ts";
import { toLogLine, toVisible } from "../report/escape.ts";
import type { Paint } from "../report/terminal-frame.ts";
import type { RunContext } from "../run-context.ts";

/** What groups of lines are written to, and how. */
export interface LogGroupsSetup {
  /** A line as it is, with its commands. */
  readonly write: (line: string) => unknown;
  /** Text from outside, safe to print. */
  readonly clean: (text: string) => string;
  readonly ci: RunContext["host"];
  readonly paint: Paint;
  /** GitLab times its sections. */
  readonly now: () => number;
}

/** Groups of lines, one open at a time: whoever prints anything else closes it first. */
export interface LogGroups {
  readonly open: (title: string) => void;
  readonly close: () => void;
  /**
   * What a deployment's log has gained, in the group of that log; one that others interrupted is opened again.
   */
  readonly show: (name: string, phase: "build" | "deploy", lines: readonly string[]) => void;
}

/** Groups as the CI folds them; a plain heading where it folds nothing. */
export function createLogGroups({ write, clean, ci, paint, now }: LogGroupsSetup): LogGroups {
  // A job may run the command twice, and its sections need names of their own.
  const run = now();
  let section = 0;
  let opened: string | null = null;
  const begun = new Set<string>();
  // docs.gitlab.com/ci/jobs/job_logs: a name of letters and digits, the time in seconds.
  const mark = (end: "start" | "end", options = ""): string =>
    `\u001b[0Ksection_${end}:${Math.floor(now() / 1000)}:agent_deploy_${run}_${section}${options}\r\u001b[0K`;
  const close = (): void => {
    if (opened === null) return;
    opened = null;
    if (ci === "github") write("::endgroup::");
    if (ci === "gitlab") write(mark("end"));
  };
  const open = (title: string): void => {
    close();
    opened = title;
    section += 1;
    const shown = clean(title);
    // The runner decodes what a command says.
    if (ci === "github") write(`::group::${shown.replaceAll("%", "%25")}`);
    else if (ci === "gitlab") write(`${mark("start", "[collapsed=true]")}${shown}`);
    else write(`${shown}:`);
  };
  const show: LogGroups["show"] = (name, phase, lines) => {
    const title = `${phase === "build" ? "Build" : "Deploy"} log of ${toVisible(name)}`;
    const continued = `${title}, continued`;
    if (opened !== title && opened !== continued) open(begun.has(title) ? continued : title);
    begun.add(title);
    for (const line of lines) {
      const shown = clean(toLogLine(line));
      write(`  ${isErrorLine(line) ? paint("red", shown) : shown}`);
    }
  };
  return { open, close, show };
}
