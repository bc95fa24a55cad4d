// @actions/core's own protocol code, without its entry: that also loads its OIDC client and with it
// undici, which costs every run 40 ms and more before its first line. Its file commands load
// node:crypto for a random delimiter, another 6 ms; one that is looked up to be in no value needs
// no randomness. The package is pinned exactly, so its files stay where they are.
import { appendFileSync, existsSync } from "node:fs";
import { EOL } from "node:os";
import { issue, issueCommand } from "../../node_modules/@actions/core/lib/command.js";
import { toCommandProperties } from "../../node_modules/@actions/core/lib/utils.js";

/** Where an annotation points; lines and columns from 1. */
export interface AnnotationPlace {
  /** Shown in bold above the message. */
  readonly title?: string;
  readonly file?: string;
  readonly startLine?: number;
  readonly startColumn?: number;
}

/** Masks a text in the runner's log from here on. */
export function setSecret(secret: string): void {
  issueCommand("add-mask", {}, secret);
}

/** Sets outputs of the step, by the file the runner gives; without one by the old command, as @actions/core does. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  setValues("OUTPUT", "set-output", outputs);
}

/** Keeps a value for the post step. */
export function saveState(name: string, value: string): void {
  setValues("STATE", "save-state", { [name]: value });
}

function setValues(
  file: "OUTPUT" | "STATE",
  command: string,
  values: Readonly<Record<string, string>>,
): void {
  const path = process.env[`GITHUB_${file}`] ?? "";
  if (path === "") {
    for (const [name, value] of Object.entries(values)) issueCommand(command, { name }, value);
    return;
  }
  // The runner makes the file; if it were made here, a path that the runner never reads would look written.
  if (!existsSync(path)) throw new Error(`GITHUB_${file} names a file that is not there: ${path}`);
  appendFileSync(
    path,
    Object.entries(values)
      .map(([name, value]) => toKeyValue(name, value))
      .join(""),
  );
}

function toKeyValue(name: string, value: string): string {
  let delimiter = "ghadelimiter_0";
  for (let tries = 1; value.includes(delimiter); tries += 1) delimiter = `ghadelimiter_${tries}`;
  return `${name}<<${delimiter}${EOL}${value}${EOL}${delimiter}${EOL}`;
}

/** An annotation of the run, or of a line of a file. */
export function annotate(
  level: "notice" | "warning" | "error",
  message: string,
  place: AnnotationPlace = {},
): void {
  issueCommand(level, toCommandProperties(place), message);
}

/** Opens a group that the log shows folded. */
export function startGroup(title: string): void {
  issue("group", title);
}

/** Ends what is folded; without it the rest of the log is. */
export function endGroup(): void {
  issue("endgroup");
}
