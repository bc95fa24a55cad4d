/** Colour codes, which take no room. */
const CODES = /\u001b\[[\d;]*m/g;
/** Lines that are copied or aligned: log lines, commands, rows of columns. */
const KEPT = /^\s*(?:\S+ \||agent-deploy\s)|\S {2,}\S/;

const widthOf = (words: string): number => words.replace(CODES, "").length;

/**
 * Sentences broken between words where a line would be wider than `columns`; what follows stands
 * under the line's first word. Commands, log lines and columns stay in one piece, since a break
 * would spoil them.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns || KEPT.test(line.replace(CODES, ""))) return line;
  const indent = /^ */.exec(line)![0];
  const wrapped: string[] = [];
  let current = "";
  for (const word of line.slice(indent.length).split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current === "" || widthOf(indent + longer) <= columns) current = longer;
    else {
      wrapped.push(indent + current);
      current = word;
    }
  }
  return [...wrapped, indent + current].join("\n");
}
