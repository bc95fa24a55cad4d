import { statusRow } from "../model/revision-status.ts";
import { causeLine, isErrorLine } from "./cause.ts";
import { fence, inFence, toLogLine } from "./escape.ts";
import { isGreen } from "./outcome.ts";
import type { DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails } from "./table.ts";
import type { Detail } from "./truncation.ts";
import { plural } from "../model/count-words.ts";

/** The relevant lines of the log, folded, with the failed line marked. */
export function renderLogs(one: DeploymentReport, detail: Detail): string {
  if (detail.logLines === 0) return "";
  const { log_tail: tail, verify, rollback } = one;
  const isOpen = !isGreen(one.outcome) || rollback !== undefined;
  return joinBlocks([
    tail.length === 0
      ? ""
      : renderDetails(logTitle(one, detail), markedLog(tail, detail.logLines), isOpen),
    verify === undefined || verify.tail.length === 0
      ? ""
      : renderDetails(
          `Verify command, ${verify.exit_code === null ? "stopped by the timeout" : `exit code ${verify.exit_code}`}`,
          fence(verify.tail, detail.logLines),
          verify.exit_code !== 0,
        ),
  ]);
}

/** How many lines to show before the first error. */
const BEFORE_ERROR = 6;

function logTitle({ reason, log_tail: tail }: DeploymentReport, { logLines }: Detail): string {
  const which = statusRow(reason)?.log === "deploy" ? "Deploy" : "Build";
  const { lines } = aroundError(tail, logLines);
  if (lines.some(isErrorLine)) return `${which} log around the error`;
  return `${which} log, last ${plural(lines.length, "line")}`;
}

/** The last lines of a log, and the index to show them from: shortly before the first error if there is one. */
function aroundError(
  tail: readonly string[],
  maxLines: number,
): { readonly lines: readonly string[]; readonly from: number } {
  const lines = tail.flatMap((line) => line.split("\n")).slice(-maxLines);
  const first = causeLine(lines) === null ? -1 : lines.findIndex(isErrorLine);
  return { lines, from: Math.max(0, first - BEFORE_ERROR) };
}

/** A log with its error lines marked. */
function markedLog(tail: readonly string[], maxLines: number): string {
  const { lines, from } = aroundError(tail, maxLines);
  if (!lines.some(isErrorLine)) return fence(lines, maxLines);
  const shown = lines
    .slice(from)
    .map((line) => `${isErrorLine(line) ? "-" : " "} ${toLogLine(line)}`);
  return inFence("diff", shown);
}
