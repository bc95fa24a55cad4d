import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { error, notice, setOutput, warning, type AnnotationProperties } from "@actions/core";

/** A script may leave an incomplete last line in a runner's file: ends it, so that new text begins on its own line. */
export function endLastLine(path: string | undefined): void {
  if (path === undefined || path === "" || !existsSync(path)) return;
  const { size } = statSync(path);
  if (size === 0) return;
  const file = openSync(path, "r");
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  closeSync(file);
  if (last.toString() !== "\n") appendFileSync(path, "\n");
}

/** Sets every output, for later steps of the job. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  endLastLine(process.env["GITHUB_OUTPUT"]);
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

const ANNOTATE = { error, notice, warning };

/** Annotates the run, or a position in a file (1-based). */
export function annotate(
  level: keyof typeof ANNOTATE,
  message: string,
  place: AnnotationProperties = {},
): void {
  ANNOTATE[level](message, place);
}
