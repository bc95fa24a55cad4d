import { withoutTerminalCodes } from "./terminal-codes.ts";

/** Characters two cells wide in a terminal: East Asian characters and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Letters, quotation marks, arrows and bars that take one cell each: splitting a text into graphemes takes long. */
const PLAIN = /^[ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u259f]*$/;

/** Width of a text in terminal cells; colour codes and combining marks take none. */
export function widthOf(words: string): number {
  const text = withoutTerminalCodes(words);
  if (PLAIN.test(text)) return text.length;
  const graphemes = [...new Intl.Segmenter("en").segment(text)];
  return graphemes.reduce((cells, { segment }) => cells + (WIDE.test(segment) ? 2 : 1), 0);
}

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
