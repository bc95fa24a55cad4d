import type { Diagnostic, Position } from "../spec/desired.ts";
import { parseGateFile } from "./gate-file.ts";
import { DEFAULTS, NONE, type ParsedGates } from "./gate-set.ts";
import { isInlineGate, parseGateLines } from "./rule.ts";

/**
 * Parses the text of the `gate` input, or of the file it names: a YAML mapping is a gate file,
 * anything else is lines. `file` is the file named in problems.
 */
export function parseGates({
  text,
  file,
}: {
  readonly text: string;
  readonly file: string;
}): ParsedGates {
  return isGateFile(text) ? parseGateFile(text, file) : parseInline(text, file);
}

/** Lines never begin with a key and a colon; a gate file has nothing else at its margin. */
function isGateFile(text: string): boolean {
  const first = text
    .split(/\r\n|\r|\n/u)
    .find((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  return (
    first !== undefined &&
    (/^\uFEFF?((?:"[\w-]+"|'[\w-]+'|[\w-]+)\s*:(\s|$)|---|\{|%)/u.test(first) ||
      !isInlineGate(text))
  );
}

function parseInline(text: string, file: string): ParsedGates {
  const at = { file, line: 1, column: 1 };
  const listed = listProblem(text, at);
  if (listed !== null) return { state: "problems", problems: [listed] };
  const { rules, problems } = parseGateLines({ text, at });
  if (problems.length > 0) return { state: "problems", problems };
  if (rules.length === 0)
    return {
      state: "problems",
      problems: [{ ...at, level: "error", path: "gates", message: NONE }],
    };
  return { state: "parsed", gates: { ...DEFAULTS, rules, at } };
}

/** The first item of a YAML list: the rest of a line after a dash, or in brackets up to a comma. */
const LIST_ITEM = /^\s*(?:-\s+([^\n]+)|\[(?=.*\]\s*$)\s*("[^"]+"|'[^']+'|[^\],\n]+))/su;

/** A YAML list in place of the mapping: its lines are right but in the wrong place. */
function listProblem(text: string, at: Position): Diagnostic | null {
  const lines = text.split(/\r\n|\r|\n/u);
  const first = lines.findIndex((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  const item = LIST_ITEM.exec(lines.slice(Math.max(0, first)).join("\n"));
  if (item === null) return null;
  const gate = (item[1] ?? item[2]!).trim().replace(/^(["'])(.*)\1$/u, "$2");
  return {
    ...at,
    line: first + 1,
    level: "error",
    path: "",
    message: `a gate file is a YAML mapping, not a list; write \`gates:\` on the first line and the list below it, such as \`gates: [${JSON.stringify(gate)}]\``,
  };
}
