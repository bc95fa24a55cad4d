import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { error, notice, setOutput, warning, type AnnotationProperties } from "@actions/core";

/** What a script wrote into a file of the runner may end within a line: what follows begins a new one. */
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

/** Every output by its name, for later steps of the job. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  endLastLine(process.env["GITHUB_OUTPUT"]);
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

const ANNOTATE = { error, notice, warning };

/** Annotates the run, or a line of a file; lines and columns count from 1. */
export function annotate(
  level: keyof typeof ANNOTATE,
  message: string,
  place: AnnotationProperties = {},
): void {
  ANNOTATE[level](message, place);
}
