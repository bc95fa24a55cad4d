import { COMMANDS, positionalOf, type Command, type CommandRow } from "./command-table.ts";
import { BASIC_INPUTS, INPUTS, type InputName } from "./inputs.ts";
import { inputNames, rowOf } from "./options.ts";

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

/** Help of one command: an example, its common flags, then the others with descriptions and defaults. */
export function renderCommandHelp(command: Command): string {
  const names = offeredNames().filter((name) => rowOf(name)?.on.includes(command));
  const flags = flagsOf(command);
  // Bare words shown in the first line are not repeated.
  const common = names.filter((name) => isCommon(name, command) && name !== positionalOf(command));
  const others = flags.filter((name) => !common.includes(name) && name !== positionalOf(command));
  const { doc, example = command, modes = {} }: CommandRow = COMMANDS[command];
  const keys = names.includes("api-key")
    ? ["Key: AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or --api-key-file"]
    : [];
  return [
    `agent-deploy ${command}${usage(command)} [--flag value ...]`,
    `${doc[0]!.toUpperCase()}${doc.slice(1)}.`,
    `Example: agent-deploy ${example}`,
    ...Object.entries(modes).map(([mode, what]) => `${command} ${mode}: ${what}.`),
    ...innerCommands(command).map(
      ([name, row]) => `${command} ${row.words?.join("|") ?? name}: as ${name}.`,
    ),
    "",
    ...common.map((name) => renderFlag(name, "brief")),
    ...keys,
    "",
    ...(common.length === 0 ? ["Flags:"] : ["More flags:"]),
    ...others.map((name) => renderFlag(name, "brief")),
    "",
  ].join("\n");
}

const innerCommands = (command: Command): readonly (readonly [string, CommandRow])[] =>
  Object.entries<CommandRow>(COMMANDS).filter(([, { within }]) => within === command);

/** Inputs shown in help: all but `command` and the flags that a command has replaced. */
function offeredNames(): InputName[] {
  return inputNames("cli").filter(
    (name) => name !== "command" && rowOf(name)?.replacedBy === undefined,
  );
}

/** Flags of a command, without secrets and internal ones. */
export function flagsOf(command: Command): InputName[] {
  return offeredNames().filter((name) => {
    const row = rowOf(name)!;
    return row.secret !== true && !row.doc.startsWith("Internal.") && row.on.includes(command);
  });
}

/** Every flag with its description, for `agent-deploy help inputs`. */
export function renderInputsHelp(): string {
  const names = offeredNames().filter((name) => rowOf(name)?.secret !== true);
  const secrets = (Object.keys(INPUTS) as InputName[]).filter((name) => rowOf(name)?.secret);
  const [basic, others] = [true, false].map((isBasic) =>
    names.filter((name) => BASIC_INPUTS.includes(name) === isBasic),
  ) as [InputName[], InputName[]];
  return [
    "What most workflows need:",
    ...basic.map((name) => renderFlag(name, "whole")),
    "",
    "More:",
    ...others.map((name) => renderFlag(name, "whole")),
    "",
    "Secrets, by environment variable only:",
    ...secrets.map((name) => `  ${name.padEnd(14)}${rowOf(name)!.env!.join(" or ")}`),
    "",
  ].join("\n");
}

function isCommon(name: InputName, command: Command): boolean {
  const common = rowOf(name)?.secret === true ? undefined : rowOf(name)?.common;
  return common === true || common?.includes(command) === true;
}

function usage(command: Command): string {
  const { words }: CommandRow = COMMANDS[command];
  if (words !== undefined) return ` ${words.join("|")}`;
  const input = positionalOf(command);
  if (input === "name") return command === "init" ? " [NAME]" : " NAME";
  if (input === undefined) return "";
  const files = `${{ spec: "spec", experiment: "result", reports: "report" }[input]} files`;
  return ` [${(COMMANDS[command] as CommandRow).named === true ? `NAME, or ${files}` : files}]`;
}

function renderFlag(name: InputName, length: "brief" | "whole"): string {
  const row = rowOf(name)!;
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
  return /^.*?[.?](?= |$)/.exec(rowOf(name)!.doc.replace(/`/g, ""))![0];
}

/** The placeholder after a flag in its help, with a leading space. */
export function argument(name: InputName): string {
  const row = rowOf(name)!;
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
  const { default: value, type } = rowOf(name)!;
  if (value === undefined || type === "boolean") return "";
  return ` Default: ${Array.isArray(value) ? value.join(",") : String(value)}.`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
