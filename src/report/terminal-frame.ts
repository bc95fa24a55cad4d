import { toLogLine } from "./escape.ts";

/** How to format lines; `color` reflects the terminal, NO_COLOR and FORCE_COLOR. */
export interface TerminalOptions {
  readonly color: boolean;
  /** False: leaves log tails to the caller, who prints them in groups. */
  readonly logTails?: boolean;
  /** True: no progress was printed, so the end names each deployment and revision. */
  readonly quiet?: boolean;
  /** Problems, warnings and log lines that the reader has already seen. */
  readonly reported?: ReadonlySet<string>;
}

/** How words stand out in a terminal. */
export type Style = "red" | "green" | "yellow" | "cyan" | "bold" | "dim";
const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
};
/** Applies a style, if colours are wanted. */
export type Paint = (style: Style, words: string) => string;

/** Creates a function that colours words, or returns them unchanged. */
export function painter(color: boolean): Paint {
  return (style, words) =>
    color && words !== "" ? `\u001b[${CODES[style][0]}m${words}\u001b[${CODES[style][1]}m` : words;
}

/** Log lines after a bar, so that none of them starts a line. */
export function tailLines(
  label: string,
  lines: readonly string[],
  paint: Paint = painter(false),
): string[] {
  return lines.map((line) => `  ${paint("dim", `${label} |`)} ${toLogLine(line)}`);
}

/** The key in `reported` of a log line that was streamed. */
export const toLogKey = (name: string, line: string): string => `${name} | ${line}`;
