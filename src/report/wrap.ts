/** Colour codes, which have no width. */
const CODES = /\u001b\[[\d;]*m/g;
/** Lines to keep whole for copying: log lines and commands. */
const KEPT = /^\s*(?:\S+ \||agent-deploy\s)/;
const GAP = / {2,}(?=\S)/;

const widthOf = (words: string): number => words.replace(CODES, "").length;

/** Breaks wide lines between words or columns; commands and log lines stay whole, for copying. */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns || KEPT.test(line.replace(CODES, ""))) return line;
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
