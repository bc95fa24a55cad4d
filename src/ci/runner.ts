import { error, notice, setOutput, warning, type AnnotationProperties } from "@actions/core";

/** Every output by its name, for later steps of the job. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
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
