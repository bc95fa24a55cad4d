import type { Diagnostic } from "../../spec/desired.ts";

/** Everything that is wrong with result files or their inputs; the only error that reading experiments throws. */
export class DiagnosticError extends Error {
  override readonly name = "DiagnosticError";
  readonly problems: readonly Diagnostic[];
  constructor(problems: readonly Diagnostic[]) {
    super(
      problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`).join("\n"),
    );
    this.problems = problems;
  }
}

/** A position in a result file, counted from 1; a missing or 0 line means the first. */
interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/**
 * One problem at a line of a result file; `path` is spelled as in the request
 * (`results[3].inputs`), empty for the whole file.
 */
export function diagnosticAt(
  { file, line, column = 1, path = "" }: Place,
  message: string,
): Diagnostic {
  return { file, line: line || 1, column, level: "error", path, message };
}

/** A DiagnosticError with one problem, to throw when a file cannot be read any further. */
export function refusal(place: Place, message: string): DiagnosticError {
  return new DiagnosticError([diagnosticAt(place, message)]);
}
