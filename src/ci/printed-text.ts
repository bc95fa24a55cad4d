import { toLogJson, toLogText } from "./workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import { painter } from "../report/terminal-frame.ts";
import type { Line } from "../report/columns.ts";
import type { Session } from "./session.ts";

/** Text, or lines in their styles. */
type Shown = string | readonly Line[];

const toLines = (shown: Shown): readonly Line[] => {
  if (typeof shown !== "string") return shown;
  return shown === "" ? [] : shown.split("\n").map((text) => ({ text }));
};

/** Prints lines that contain the service's text, without terminal codes and workflow commands. */
export function printLines(session: Session, shown: Shown): void {
  const paint = painter(session.color);
  const lines = toLines(shown).map(({ text, style }) => {
    const line = toLogText(toVisible(text));
    return style === undefined ? line : paint(style, line);
  });
  // In one piece: a secret of several lines is recognised only as a whole.
  if (lines.length > 0) session.print(`${lines.join("\n")}\n`);
}

/**
 * Prints a value as JSON, indented by default; with an indent of 0, on one line. Redacted string by
 * string: in the text, a secret such as `5000` could be found in a number, which a mask would break.
 */
export function printJson(session: Session, value: unknown, indent = 2): void {
  const text = JSON.stringify(session.redactAll(value), null, indent);
  session.print(`${toLogJson(text)}\n`, "clean");
}

/**
 * Prints the result of a command: as JSON if asked for, else as lines, with a note if there are
 * none. Returns the exit code.
 */
export function show(session: Session, value: unknown, lines: Shown, nothing = ""): number {
  if (session.options.json) printJson(session, value);
  else if (lines.length === 0 && nothing !== "") session.host.progress(nothing);
  else printLines(session, lines);
  return 0;
}

/** Longer than any secret in any of its forms: GitHub limits secrets to 48 KB. */
const HELD_CHARS = 128 * 1024;
const MAX_TRIES = 200;

/**
 * Prints a JSON body that comes in chunks, a few hundred KiB at a time, so that no secret is cut
 * in two before redaction: a piece ends at a line end, which no JSON string contains, or where
 * redacting both sides separately gives the same result. A slow reader delays the next piece.
 */
export function createBodyPrinter({
  print,
  printed,
  redact,
}: Pick<Session, "print" | "printed" | "redact">): (chunk: Uint8Array) => Promise<void> {
  const decoder = new TextDecoder();
  let held = "";
  return async (chunk) => {
    held += decoder.decode(chunk, { stream: true });
    let end = 0;
    if (held.endsWith("\n")) end = held.length;
    else if (held.length > 2 * HELD_CHARS) end = endOfPiece(held, redact);
    if (end === 0) return;
    print(toLogJson(held.slice(0, end)));
    held = held.slice(end);
    await printed();
  };
}

/** Where to cut; 0 if no position is safe yet. */
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
