/** One CSV record and the line that it begins at, from 1. */
export interface CsvRecord {
  readonly cells: string[];
  readonly line: number;
}

/** A text that breaks the rules of CSV, in words that end a sentence. */
export class CsvError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Records of CSV text that comes in pieces. */
export interface CsvReader {
  /** The records that are complete with this piece. */
  readonly push: (text: string) => CsvRecord[];
  /** What is left: the last record, where no line break ends it. */
  readonly end: () => CsvRecord[];
}

const COMMA = 44,
  QUOTE = 34,
  LF = 10,
  CR = 13;

/**
 * Reads RFC 4180: cells between commas, in quotes where they hold commas, quotes or line breaks;
 * empty lines are no records. Lines end in LF or CRLF, or in CR only where the first does. With
 * `relaxed`, a quote inside of a cell is text.
 */
export function createCsvReader(how: {
  readonly maxRecordChars: number;
  readonly relaxed?: boolean;
}): CsvReader {
  let held = "";
  /**
   * Pieces that wait until there are as many characters again: a long record is then gone through
   * twice, not once a piece.
   */
  let waiting: string[] = [];
  let waitingChars = 0;
  let line = 1;
  let breaks: "\n" | "\r" | undefined;

  const read = (text: string, last: boolean): CsvRecord[] => {
    breaks ??= findBreak(text, last);
    const records: CsvRecord[] = [];
    let start = 0;
    let quote = text.indexOf('"');
    while (start < text.length) {
      const lineEnd = text.indexOf(breaks ?? "\n", start);
      if (lineEnd < 0 && !last) break;
      const end = lineEnd < 0 ? text.length : lineEnd;
      if (quote >= 0 && quote < start) quote = text.indexOf('"', start);
      if (quote < 0 || quote > end) {
        const content = text.slice(start, text.charCodeAt(end - 1) === CR ? end - 1 : end);
        if (end > start && content !== "") records.push({ cells: content.split(","), line });
        start = end + 1;
        line += 1;
        continue;
      }
      const quoted = readQuoted(text, start, { last, line, end: breaks ?? "\n", ...how });
      if (quoted === null) break;
      records.push({ cells: quoted.cells, line });
      start = quoted.next;
      line += quoted.lines;
    }
    held = start === 0 ? text : text.slice(start);
    if (held.length > how.maxRecordChars)
      throw new CsvError(line, `a record is longer than ${how.maxRecordChars} characters`);
    return records;
  };

  return {
    push: (text) => {
      waiting.push(text);
      waitingChars += text.length;
      if (waitingChars < held.length && held.length + waitingChars <= how.maxRecordChars) return [];
      const whole = waiting.length === 1 && held === "" ? text : held + waiting.join("");
      waiting = [];
      waitingChars = 0;
      return read(whole, false);
    },
    end: () => {
      const records = read(held + waiting.join(""), true);
      waiting = [];
      return records;
    },
  };
}

/** What the first line ends in; undefined while that is unknown. */
function findBreak(text: string, last: boolean): "\n" | "\r" | undefined {
  const at = text.search(/[\r\n]/);
  if (at < 0 || text[at] === "\n") return at < 0 ? undefined : "\n";
  if (at + 1 === text.length && !last) return undefined;
  return text[at + 1] === "\n" ? "\n" : "\r";
}

interface QuotedRecord {
  readonly cells: string[];
  /** Where the next record begins. */
  readonly next: number;
  readonly lines: number;
}

/** A record that holds quotes; null where the text ends before it does. */
function readQuoted(
  text: string,
  start: number,
  how: {
    readonly last: boolean;
    readonly line: number;
    readonly end: "\n" | "\r";
    readonly relaxed?: boolean;
  },
): QuotedRecord | null {
  const cells: string[] = [];
  let at = start;
  let lines = 1;
  for (;;) {
    const cell = text.charCodeAt(at) === QUOTE ? readCell(text, at, how) : readPlain(text, at, how);
    if (cell === null) return null;
    cells.push(cell.value);
    lines += cell.breaks;
    at = cell.next;
    if (at >= text.length) return how.last ? { cells, next: at, lines } : null;
    if (text.charCodeAt(at) === COMMA) {
      at += 1;
      continue;
    }
    // A line break: CRLF counts as one.
    const two = how.end === "\n" && text.charCodeAt(at) === CR;
    if (two && at + 1 >= text.length && !how.last) return null;
    return { cells, next: at + (two ? 2 : 1), lines };
  }
}

type Cell = { readonly value: string; readonly next: number; readonly breaks: number };
type How = Parameters<typeof readQuoted>[2];

const isBreak = (text: string, at: number, end: "\n" | "\r"): boolean => {
  const code = text.charCodeAt(at);
  if (end === "\r") return code === CR;
  return code === LF || (code === CR && (at + 1 >= text.length || text.charCodeAt(at + 1) === LF));
};

function readPlain(text: string, start: number, how: How): Cell {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || ((code === LF || code === CR) && isBreak(text, at, how.end))) break;
    if (code === QUOTE && how.relaxed !== true)
      throw new CsvError(how.line, "a quote stands inside of a cell that is not in quotes");
  }
  return { value: text.slice(start, at), next: at, breaks: 0 };
}

function readCell(text: string, start: number, how: How): Cell | null {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) {
      if (!how.last) return null;
      throw new CsvError(how.line, "a quote is not closed");
    }
    const next = text.charCodeAt(quote + 1);
    value += text.slice(from, quote);
    if (next === QUOTE) {
      value += '"';
      from = quote + 2;
      continue;
    }
    if (quote + 1 >= text.length && !how.last) return null;
    if (quote + 1 < text.length && next !== COMMA && !isBreak(text, quote + 1, how.end)) {
      if (how.relaxed === true) return readPlain(text, start, how);
      throw new CsvError(how.line, "a quote inside of a cell is not doubled");
    }
    return { value, next: quote + 1, breaks: countBreaks(value, how.end) };
  }
}

function countBreaks(text: string, end: string): number {
  let count = 0;
  for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) count += 1;
  return count;
}
