import { isErrorLine } from "../report/cause.ts";
import { toLogLine, toVisible } from "../report/escape.ts";
import type { Paint } from "../report/terminal-frame.ts";
import type { RunContext } from "../run-context.ts";

/** Where groups of lines are written. */
export interface LogGroupsSetup {
  /** Writes a line unchanged, with its commands. */
  readonly write: (line: string) => unknown;
  /** Makes text from outside safe to print. */
  readonly clean: (text: string) => string;
  readonly ci: RunContext["host"];
  readonly paint: Paint;
  /** Milliseconds since the epoch, for GitLab's sections. */
  readonly now: () => number;
}

/**
 * Groups in the CI's own folding syntax; a plain heading if it has none. One is open at a time: any
 * other output closes it first.
 */
export function createLogGroups({ write, clean, ci, paint, now }: LogGroupsSetup) {
  // A job may run the command twice, and section names must be unique in a job.
  const run = now();
  let section = 0;
  let opened: string | null = null;
  const begun = new Set<string>();
  // docs.gitlab.com/ci/jobs/job_logs: names of letters and digits, time in seconds.
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
    // The runner decodes the text of a command.
    if (ci === "github") write(`::group::${shown.replaceAll("%", "%25")}`);
    else write(ci === "gitlab" ? `${mark("start", "[collapsed=true]")}${shown}` : `${shown}:`);
  };
  /** Prints new lines of a deployment's log in its group; an interrupted group is opened again. */
  const show = (name: string, phase: "build" | "deploy", lines: readonly string[]): void => {
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
