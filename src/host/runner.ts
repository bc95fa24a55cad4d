// @actions/core's own protocol code, without its entry: that also loads its OIDC client and with it undici, which costs every
// run 40 ms and more before its first line. The package is pinned exactly, so its files stay where they are.
import { issue, issueCommand } from "../../node_modules/@actions/core/lib/command.js";
import { issueFileCommand, prepareKeyValueMessage } from "../../node_modules/@actions/core/lib/file-command.js";
import { toCommandProperties } from "../../node_modules/@actions/core/lib/utils.js";

/** Where an annotation stands; lines and columns from 1. */
export interface AnnotationPlace {
  readonly file?: string;
  readonly startLine?: number;
  readonly startColumn?: number;
}

/** Masks a text in the runner's log from here on. */
export function setSecret(secret: string): void {
  issueCommand("add-mask", {}, secret);
}

/** Sets an output of the step, by the file the runner gives; without one by the old command, as @actions/core does. */
export function setOutput(name: string, value: string): void {
  setValue("OUTPUT", "set-output", name, value);
}

/** Keeps a value for the post step. */
export function saveState(name: string, value: string): void {
  setValue("STATE", "save-state", name, value);
}

function setValue(file: "OUTPUT" | "STATE", command: string, name: string, value: string): void {
  if ((process.env[`GITHUB_${file}`] ?? "") !== "") issueFileCommand(file, prepareKeyValueMessage(name, value));
  else issueCommand(command, { name }, value);
}

/** An annotation of the run, or of a line of a file. */
export function annotate(level: "notice" | "warning" | "error", message: string, place: AnnotationPlace = {}): void {
  issueCommand(level, toCommandProperties(place), message);
}

/** Opens a group that the log shows folded. */
export function startGroup(title: string): void {
  issue("group", title);
}

/** Closes the group. */
export function endGroup(): void {
  issue("endgroup");
}
