import { toLogJson, toLogText } from "./workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import { painter, type Style } from "../report/terminal-frame.ts";
import type { Session } from "./session.ts";

/** How each line is coloured, in the order of the lines. */
type LineStyles = readonly (Style | undefined)[];

/**
 * Prints lines that hold words of the service: no terminal code and no workflow command survives.
 */
export function printLines(session: Session, text: string, styles: LineStyles = []): void {
  if (text === "") return;
  const paint = painter(session.color);
  const lines = toLogText(text.split("\n").map(toVisible).join("\n")).split("\n");
  const painted = lines.map((line, at) => {
    const style = styles[at];
    return style === undefined ? line : paint(style, line);
  });
  session.print(`${painted.join("\n")}\n`);
}

/** Prints a value as JSON, on one line where several follow each other. */
export function printJson(session: Session, value: unknown, indent = 2): void {
  session.print(`${toLogJson(JSON.stringify(value, null, indent))}\n`);
}

/**
 * Prints what a command found, as JSON where that is asked for, else as lines, with a note where there are none. Gives
 * the exit code.
 */
export function show(
  session: Session,
  value: unknown,
  lines: string,
  nothing = "",
  styles: LineStyles = [],
): number {
  if (session.options.json) printJson(session, value);
  else if (lines === "" && nothing !== "") session.host.progress(nothing);
  else printLines(session, lines, styles);
  return 0;
}

/** Longer than any secret in any of its forms: GitHub's own limit is 48 KB. */
const HELD_CHARS = 128 * 1024;
const MAX_TRIES = 200;

/**
 * Prints a JSON body that comes in chunks, a few hundred KiB at a time, so that the printer's
 * redactor meets no secret cut in two: a piece ends at a line end, which no JSON string holds, or
 * where redacting both sides apart changes nothing.
 */
export function createBodyPrinter({
  print,
  redact,
}: {
  readonly print: (text: string) => void;
  readonly redact: (text: string) => string;
}): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let held = "";
  return (chunk) => {
    held += decoder.decode(chunk, { stream: true });
    let end = 0;
    if (held.endsWith("\n")) end = held.length;
    else if (held.length > 2 * HELD_CHARS) end = endOfPiece(held, redact);
    if (end === 0) return;
    print(toLogJson(held.slice(0, end)));
    held = held.slice(end);
  };
}

/** Where to cut, or 0 where no place is safe yet. */
function endOfPiece(text: string, redact: (text: string) => string): number {
  let at = text.lastIndexOf('"', text.length - HELD_CHARS);
  for (let tries = 0; at > 0 && tries < MAX_TRIES; tries += 1, at = text.lastIndexOf('"', at - 1)) {
    const [before, after] = [
      text.slice(Math.max(0, at - HELD_CHARS), at),
      text.slice(at, at + HELD_CHARS),
    ];
    if (redact(before) + redact(after) === redact(before + after)) return at;
  }
  return 0;
}
