import { withoutTerminalCodes } from "./terminal-codes.ts";

/** The width of a line; colour codes have none. */
export const widthOf = (words: string): number => withoutTerminalCodes(words).length;

/** Fills lines with as many pieces as fit, keeping wider pieces whole; later lines are indented as `later` says. */
export function fill(
  pieces: readonly string[],
  gap: string,
  indent: string,
  columns: number,
  later = indent,
): string {
  const lines: string[] = [];
  let current = "";
  for (const piece of pieces) {
    const longer = current === "" ? piece : `${current}${gap}${piece}`;
    const begin = lines.length === 0 ? indent : later;
    if (current === "" || widthOf(begin + longer) <= columns) current = longer;
    else {
      lines.push(begin + current);
      current = piece;
    }
  }
  return [...lines, (lines.length === 0 ? indent : later) + current].join("\n");
}
