import { commandRow, COMMANDS, type Command, type CommandRow } from "./command-table.ts";
import { BASIC_INPUTS, type InputName } from "./inputs.ts";
import { inputNames, rowOf } from "./options.ts";
import { fill } from "../filled-lines.ts";

const WIDTH = 80;

/** Commands by purpose; the read-only ones share a line. */
const GROUPS: readonly (readonly [string, readonly Command[]])[] = [
  ["start", ["init", "demo", "emulator"]],
  ["deploy", ["plan", "apply", "auto", "wait", "redeploy", "rollback", "destroy"]],
  ["results", ["upload", "gate", "report"]],
];

/** Help of the tool: its commands and what to type next. It fits a screen of 80 x 24. */
export function renderHelp(version: string): string {
  const commands = GROUPS.flatMap(([title, names]) =>
    names.map(
      (name, at) => `${(at === 0 ? title : "").padEnd(9)}${name.padEnd(10)}${COMMANDS[name].doc}`,
    ),
  );
  const grouped = GROUPS.flatMap(([, names]) => names);
  const others = Object.entries<CommandRow>(COMMANDS)
    .filter(([name]) => !grouped.includes(name as Command))
    .map(([name]) => name);
  return [
    `agent-deploy ${version}: declarative deployments of agent servers, from CI`,
    "",
    "agent-deploy <command> [files] [--flag value ...]",
    ...commands,
    ...wrap(others.join(", "), WIDTH - 9).map(
      (line, at) => `${(at === 0 ? "look" : "").padEnd(9)}${line}`,
    ),
    "",
    "The key comes from AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, never from a flag.",
    "Exit: 0 fine, 1 red, 2 usage, 3 changes, 4 gate, 5 timed out, 130 cancelled",
    "agent-deploy <command> --help, agent-deploy help inputs; first try: demo",
    "",
  ].join("\n");
}

/** The most commands of a flag that is listed before those that many commands share. */
const FEW = 2;

/** Help of one command: an example, its own and the usual flags, then the others. */
export function renderCommandHelp(command: Command): string {
  // Bare words shown in the first line are not repeated.
  const row = commandRow(command);
  const flags = flagsOf(command).filter((name) => name !== row.positional);
  const isFirst = (name: InputName): boolean =>
    BASIC_INPUTS.includes(name) || rowOf(name).on.length <= FEW;
  const first = flags.filter(isFirst);
  const others = flags.filter((name) => !isFirst(name));
  const takesName = row.positional === "name" || row.named === true;
  const { doc, example = takesName ? `${command} support-agent` : command, modes = {} } = row;
  return [
    `agent-deploy ${command}${usage(command)} [--flag value ...]`,
    `${doc[0]!.toUpperCase()}${doc.slice(1)}.`,
    `Example: agent-deploy ${example}`,
    ...Object.entries(modes).map(([mode, what]) => `${command} ${mode}: ${what}.`),
    "",
    ...first.map((name) => renderFlag(name, "brief")),
    ...(rowOf("api-key").on.includes(command)
      ? ["Key: AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or --api-key-file"]
      : []),
    "",
    first.length === 0 ? "Flags:" : "More flags:",
    ...others.map((name) => renderFlag(name, "brief")),
    "",
  ].join("\n");
}

/** Flags shown in help: no secrets, and none that a command has replaced. */
const offered = (): InputName[] =>
  inputNames("cli").filter((name) => {
    const { secret, replacedBy } = rowOf(name);
    return name !== "command" && secret !== true && replacedBy === undefined;
  });

/** Flags of a command, without secrets, internal ones, and what is one of its words. */
export function flagsOf(command: Command): InputName[] {
  const { words, positional } = commandRow(command);
  return offered().filter((name) => {
    const { doc, on } = rowOf(name);
    const isWord = words !== undefined && name === positional;
    return !doc.startsWith("Internal.") && on.includes(command) && !isWord;
  });
}

/** Every flag with its description, for `agent-deploy help inputs`. */
export function renderInputsHelp(): string {
  const flags = (isBasic: boolean): string[] =>
    offered()
      .filter((name) => BASIC_INPUTS.includes(name) === isBasic)
      .map((name) => renderFlag(name, "whole"));
  const secrets = inputNames("cli").filter((name) => rowOf(name).secret === true);
  return [
    "What most workflows need:",
    ...flags(true),
    "",
    "More:",
    ...flags(false),
    "",
    "Secrets, by environment variable only:",
    ...secrets.map((name) => `  ${name.padEnd(14)}${rowOf(name).env!.join(" or ")}`),
    "",
  ].join("\n");
}

function usage(command: Command): string {
  const { words, positional: input, named } = commandRow(command);
  if (words !== undefined) return ` ${words.join("|")}`;
  if (input === "name") return command === "init" ? " [NAME]" : " NAME";
  if (input === undefined) return "";
  const files = `${{ spec: "spec", experiment: "result", reports: "report" }[input]} files`;
  return ` [${named === true ? `NAME, or ${files}` : files}]`;
}

function renderFlag(name: InputName, length: "brief" | "whole"): string {
  const row = rowOf(name);
  const flag = `--${row.default === true ? `[no-]${name}` : name}${argument(name)}`;
  const left = `  ${flag.padEnd(28)} `;
  const doc = row.doc.replace(/`/g, "");
  const words = length === "brief" ? firstSentence(name) : doc;
  const text =
    words + (/ Default: /.exec(doc)?.index === words.length ? doc.slice(words.length) : "");
  const note = text.includes("Default: ") ? "" : defaultNote(name);
  const [first = "", ...rest] = wrap(text + note, WIDTH - 31);
  return [left + first, ...rest.map((line) => " ".repeat(31) + line)].join("\n");
}

/** The first sentence of an input's description, without markup. */
export function firstSentence(name: InputName): string {
  return /^.*?[.?](?= |$)/.exec(rowOf(name).doc.replace(/`/g, ""))![0];
}

/** The placeholder after a flag in its help, with a leading space. */
export function argument(name: InputName): string {
  const row = rowOf(name);
  if (row.type === "boolean") return "";
  if (row.type === "enum") return ` ${row.values!.join("|")}`;
  if (row.type === "duration") return " duration";
  if (row.type === "integer") return " n";
  if (row.type === "object") return " json";
  return ` ${WORDS.find(([ending]) => ending.test(name))?.[1] ?? (row.type === "list" ? "a,b" : "text")}`;
}

/** Placeholders by the ending of a flag's name. */
const WORDS: readonly (readonly [ending: RegExp, word: string])[] = [
  [/url$/, "url"],
  [/-id$/, "id"],
  [/^(spec|experiment|reports)$/, "files"],
  [/(file|baseline|mapping|output|state|scenario)$/, "file"],
  [/(^only|-name)$/, "name"],
  [/^confirm$/, "name"],
  [/^commit$/, "sha"],
  [/^expect-plan$/, "fingerprint"],
  [/^verify$/, "command"],
  [/^gate$/, "lines"],
  [/^host$/, "address"],
];

function defaultNote(name: InputName): string {
  const { default: value, type } = rowOf(name);
  if (value === undefined || type === "boolean") return "";
  return ` Default: ${Array.isArray(value) ? value.join(",") : String(value)}.`;
}

const wrap = (text: string, width: number): string[] =>
  fill(text.split(" "), " ", "", width).split("\n");
