import { statusRow } from "../model/revision-status.ts";
import { aroundFirstError, isErrorLine } from "./cause.ts";
import { fence, inFence, toLogLine } from "./escape.ts";
import { isGreen } from "./outcome.ts";
import type { DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails } from "./table.ts";
import type { Detail } from "./truncation.ts";
import { plural } from "../model/count-words.ts";

/** The log of a revision and of its verify command, folded if all is well. */
export function renderLogs(one: DeploymentReport, { logLines }: Detail): string {
  const { verify, rollback, reason } = one;
  const tail = one.log_tail.flatMap((line) => line.split("\n"));
  if (logLines === 0) return "";
  const exit = verify?.exit_code ?? null;
  return joinBlocks([
    tail.length === 0
      ? ""
      : renderLog(
          statusRow(reason)?.log === "deploy" ? "Deploy" : "Build",
          aroundFirstError(tail, logLines),
          !isGreen(one.outcome) || rollback !== undefined,
        ),
    verify === undefined || verify.tail.length === 0
      ? ""
      : renderDetails(
          `Verify command, ${exit === null ? "stopped by the timeout" : `exit code ${exit}`}`,
          fence(verify.tail, logLines),
          exit !== 0,
        ),
  ]);
}

/** How many lines to show before the first error. */
const BEFORE_ERROR = 6;

/** A log with its error lines marked. */
function renderLog(which: string, lines: readonly string[], isOpen: boolean): string {
  if (!lines.some(isErrorLine)) {
    const title = `${which} log, last ${plural(lines.length, "line")}`;
    return renderDetails(title, fence(lines, lines.length), isOpen);
  }
  const from = Math.max(0, lines.findIndex(isErrorLine) - BEFORE_ERROR);
  const marked = lines
    .slice(from)
    .map((line) => `${isErrorLine(line) ? "-" : " "} ${toLogLine(line)}`);
  return renderDetails(`${which} log around the error`, inFence("diff", marked), isOpen);
}
