import { cutEnd, toLogLine, toSentence } from "./escape.ts";
import type { DeploymentReport } from "./report.ts";

/** The most informative lines first: those that name what is missing or broken. */
const INFORMATIVE: readonly RegExp[] = [
  /No matching distribution found|ModuleNotFoundError|Cannot find module|manifest unknown|ImagePullBackOff|ErrImagePull|OOMKilled|ERESOLVE|SyntaxError|ImportError|KeyError|ENOENT|pull access denied/i,
  /\b(?:error|fatal|exception|panic)\b[^:]*:|\berror TS\d+|\bnpm (?:ERR!|error)/i,
  /\b(?:failed|denied|refused|not found|cannot|timed out)\b/i,
];
/** Lines that only repeat that something failed. */
const ECHO =
  /returned a non-zero code|exit(?:ed with)? (?:code|status)|failed to (?:build|solve)|did not complete successfully|A complete log of this run|ELIFECYCLE|errno/i;
const BARE_ECHO = /^(?:the )?(?:build|deploy(?:ment)?|rollout|revision|job|step) failed[.!]?$/i;
const PREFIX =
  /^(?:\s*(?:\[[^\]]{1,40}\]|#\d+(?:\s+[\d.]+)?|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|(?:ERROR|Error|FATAL|fatal|error|npm ERR!|npm error)(?::|\s(?=\S)))\s*)+/;

const isEcho = (line: string): boolean =>
  ECHO.test(line) || BARE_ECHO.test(line.replace(PREFIX, "").trim());

/** The log line that explains the failure, without its prefix (time, step, `ERROR:`); null if there is none. */
export function causeLine(lines: readonly string[]): string | null {
  const shown = lines.map((line) => toLogLine(line).trim()).filter((line) => line !== "");
  for (const pattern of INFORMATIVE) {
    const found = shown.find((line) => pattern.test(line) && !isEcho(line));
    if (found === undefined) continue;
    const bare = found.replace(PREFIX, "").trim();
    return cutEnd(bare === "" ? found : bare, 200);
  }
  return null;
}

/** Whether to highlight a log line as an error. */
export function isErrorLine(line: string): boolean {
  return (INFORMATIVE[0]!.test(line) || INFORMATIVE[1]!.test(line)) && !isEcho(line);
}

/** How many lines to keep before the first error, and of the end if the error is far before it. */
const BEFORE = 4;
const END = 8;

/** At most `most` lines of a log: its last ones, or those around its first error if that is further back. */
export function aroundFirstError(lines: readonly string[], most: number): readonly string[] {
  const first = lines.findIndex(isErrorLine);
  const from = Math.max(0, first - BEFORE);
  if (first < 0 || from >= lines.length - most) return lines.slice(-most);
  const cause = lines.slice(from, from + most - END - 1);
  const leftOut = lines.length - from - cause.length - END;
  return [...cause, `… ${leftOut} lines left out …`, ...lines.slice(-END)];
}

/** Why a deployment is red, in one line: from its verify command, its log, or the service's own message. */
export function causeOf(one: DeploymentReport): string | null {
  if (one.reason === "verify") return causeLine(one.verify?.tail ?? []);
  const fromLog = causeLine(one.log_tail);
  if (fromLog !== null) return fromLog;
  return toSentence(one.cause ?? "") === "" ? null : one.cause!;
}
