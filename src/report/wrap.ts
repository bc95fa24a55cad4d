import { fill, widthOf } from "../filled-lines.ts";
import { withoutTerminalCodes } from "../terminal-codes.ts";

/** Lines to keep whole for copying: log lines and commands. */
const KEPT = /^\s*(?:\S+ \||agent-deploy\s)/;
const GAP = / {2,}(?=\S)/;

/**
 * Breaks lines wider than `columns`: sentences between words, indented like the line; rows between
 * columns, indented further. Commands and log lines stay whole, since a break would spoil them.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns || KEPT.test(withoutTerminalCodes(line))) return line;
  const indent = /^ */.exec(line)![0];
  const cells = line.slice(indent.length).split(GAP);
  if (cells.length === 1) return fill(wordsOf(line.slice(indent.length)), " ", indent, columns);
  return fill(cells, "  ", indent, columns, `${indent}    `)
    .split("\n")
    .map((row) => (GAP.test(row.trimStart()) ? row : wrapLine(row, columns)))
    .join("\n");
}

/** The words of a line; a sign stays with the next word. */
const wordsOf = (line: string): readonly string[] =>
  line.split(/(?<!^(?:\u001b\[\d+m)*[-+~!=](?:\u001b\[\d+m)*) /);
