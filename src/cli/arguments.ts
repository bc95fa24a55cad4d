import { COMMAND_WORDS, COMMANDS, commandRow, toCommand, type Command } from "./command-table.ts";
import type { InputName } from "./inputs.ts";
import { currentName, inputNames, rowOf } from "./options.ts";
import { readBoolean, renamedInput, type InputProblem, type RawInputs } from "./input-values.ts";
import { didYouMean, nearestWord } from "../spec/suggestion.ts";

/** A parsed command line; parseInputs checks the values. */
export interface Arguments {
  /** Undefined if none was given or it is unknown (then there is a problem, or help is shown). */
  readonly command: Command | undefined;
  /** Values by input name; repeated flags are joined by line if the input takes several. */
  readonly raw: RawInputs;
  readonly problems: readonly InputProblem[];
  /** `true`: help of the tool, also for a bare `agent-deploy`. */
  readonly help: Command | "inputs" | true | undefined;
  readonly version: boolean;
}

interface Words {
  readonly raw: Record<string, string>;
  readonly bare: string[];
  readonly problems: InputProblem[];
  help: boolean;
  version: boolean;
}

/** Parses argv without node and script. Never throws: all problems are in `problems`. */
export function parseArguments(argv: readonly string[]): Arguments {
  const words: Words = { raw: {}, bare: [], problems: [], help: false, version: false };
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === "--") {
      words.bare.push(...argv.slice(at + 1));
      break;
    }
    if (word === "-h" || word === "--help") words.help = true;
    else if (word === "--version" || word === "-v" || word === "-V") words.version = true;
    else if (word.startsWith("-") && word !== "-") at += readFlag(words, word, argv[at + 1]);
    else words.bare.push(word);
  }
  return toArguments(words, argv.length === 0);
}

function toArguments(words: Words, empty: boolean): Arguments {
  const { raw, bare, problems, version } = words;
  const asked = bare[0] === "help" ? bare.slice(1) : bare;
  const named = raw["command"] ?? asked.shift();
  delete raw["command"];
  const command = named === undefined ? undefined : toCommand(named);
  const all = { command, raw, problems, help: undefined, version };
  if (words.help || empty || bare[0] === "help") {
    const isUnknown = named !== undefined && named !== "inputs" && command === undefined;
    if (bare[0] === "help" && isUnknown && !words.help) {
      refuse(words, "command", noSuchCommand(named));
      return all;
    }
    return { ...all, problems: [], help: named === "inputs" ? "inputs" : (command ?? true) };
  }
  if (version || named === "version") return { ...all, problems: [], version: true };
  if (command === undefined) {
    refuse(words, "command", noCommand(named));
    return all;
  }
  readBareWords(words, command, asked);
  for (const name of Object.keys(raw))
    if (rowOf(name)?.on.includes(command) === false)
      warn(words, name, `--${name} has no effect on ${command}`);
  return all;
}

function refuse({ problems }: Words, input: string, message: string): void {
  problems.push({ level: "error", input, message });
}

function warn({ problems }: Words, input: string, message: string): void {
  problems.push({ level: "warning", input, message });
}

/** Names that other tools use for our commands. */
const ELSEWHERE: Readonly<Record<string, Command>> = {
  create: "apply",
  up: "apply",
  update: "apply",
  diff: "plan",
  preview: "plan",
  delete: "destroy",
  down: "destroy",
  rm: "destroy",
  ls: "list",
  get: "status",
  show: "status",
  revisions: "history",
  tail: "logs",
  login: "whoami",
  new: "init",
  dev: "emulator",
};

function noSuchCommand(word: string): string {
  const known = ELSEWHERE[word.toLowerCase()];
  const guess = known === undefined ? didYouMean(word, COMMAND_WORDS) : ` (did you mean ${known}?)`;
  return `there is no command ${JSON.stringify(word)}${guess}; agent-deploy --help lists them`;
}

function noCommand(named: string | undefined): string {
  if (named === undefined) return `which command? one of ${Object.keys(COMMANDS).join(", ")}`;
  if (/\.ya?ml$/.test(named))
    return `${named} is a file, and the command comes first: agent-deploy plan ${named}`;
  return noSuchCommand(named);
}

function readBareWords(all: Words, command: Command, bare: readonly string[]): void {
  const { raw } = all;
  const { words, positional, modes = {} } = commandRow(command);
  if (words !== undefined) {
    readWord(all, command, words, bare);
    return;
  }
  const [mode = ""] = bare;
  const isMode = Object.hasOwn(modes, mode);
  if (isMode) raw[mode] = "true";
  const files = isMode ? bare.slice(1) : bare;
  if (files.length === 0) return;
  const input = isNamed(command, files) ? "name" : positional;
  if (input === undefined)
    refuse(
      all,
      "command",
      `${command} takes no bare words, so ${JSON.stringify(files[0])} is one too many; agent-deploy ${command} --help`,
    );
  else {
    const given = [raw[input], ...files].filter((value) => value !== undefined);
    if (input === "name" && given.length > 1)
      refuse(all, input, `${command} takes one name, not ${given.length}: ${given.join(", ")}`);
    raw[input] = given.join("\n");
  }
}

/** Whether the bare words name deployments: a file has a dot or a slash. */
function isNamed(command: Command, words: readonly string[]): boolean {
  const { named } = commandRow(command);
  return named === true && words.every((word) => /^[a-z0-9][a-z0-9-]*$/i.test(word));
}

function readWord(
  all: Words,
  command: Command,
  words: readonly string[],
  bare: readonly string[],
): void {
  const [word = all.raw["name"], ...rest] = bare;
  if (word !== undefined && words.includes(word) && rest.length === 0) {
    all.raw["name"] = word;
    return;
  }
  const shown =
    word === undefined ? "" : `, not ${JSON.stringify(bare.join(" "))}${didYouMean(word, words)}`;
  const choice = `${words.slice(0, -1).join(", ")} or ${words.at(-1)!}`;
  refuse(all, "command", `${command} takes one word, ${choice}${shown}`);
}

/** Converts an old flag name to the current one, with a warning. */
function toCurrentFlag({ problems }: Words, word: string): string {
  const [, dashes = "", name = "", rest = ""] = /^(--(?:no-)?)([^=]+)(.*)$/s.exec(word) ?? [];
  const current = currentName(name);
  if (current === undefined) return word;
  problems.push(renamedInput(name, current, "cli"));
  return `${dashes}${current}${rest}`;
}

/** Reads one flag; returns how many of the following words it consumed. */
function readFlag(words: Words, written: string, next: string | undefined): 0 | 1 {
  const word = toCurrentFlag(words, written);
  const [flag, ...assigned] = word.split("=");
  const name = flag!.replace(/^--?/, "");
  const value = assigned.length === 0 ? undefined : assigned.join("=");
  const fail = (message: string): void => refuse(words, name, message);
  const known: readonly string[] = inputNames("cli").filter((one) => rowOf(one).secret !== true);
  const secret = secretMeant(name);
  const isUnknown = !word.startsWith("--") || !known.includes(name);
  const positive = name.slice("no-".length);
  if (secret === undefined && isUnknown && isNegation(word)) {
    if (value === undefined) words.raw[positive] = "false";
    else fail(`--${name} takes no value; write --${name} or --${positive}=${value}`);
    return 0;
  }
  if (secret !== undefined || isUnknown) {
    fail(
      secret === undefined
        ? `there is no flag ${flag}${didYouMean(name, known).replace("mean ", "mean --")}`
        : secretFlag(name, secret),
    );
    // Its value is no second mistake. A call without a command so far may name it here.
    const isValue =
      secret !== undefined || words.bare.length > 0 || isMisspelt(name, known, next ?? "");
    return value === undefined && next?.startsWith("-") === false && isValue ? 1 : 0;
  }
  const { type, replacedBy } = rowOf(name)!;
  if (replacedBy !== undefined)
    warn(words, name, `--${name} is an old name; write agent-deploy ${replacedBy}`);
  if (type === "boolean") {
    const isSeparate = value === undefined && next !== undefined && readBoolean(next) !== undefined;
    words.raw[name] = value ?? (isSeparate ? next : "true");
    return isSeparate ? 1 : 0;
  }
  const taken = value ?? (next?.startsWith("--") ? undefined : next);
  if (taken === undefined) {
    fail(`--${name} needs a value: --${name} <${type === "string" ? "text" : type}>`);
    return 0;
  }
  const before = type === "list" || type === "text" ? words.raw[name] : undefined;
  words.raw[name] = before === undefined ? taken : `${before}\n${taken}`;
  return value === undefined ? 1 : 0;
}

/** Whether the nearest of the known flags takes a value, and the next word may be it. */
function isMisspelt(name: string, known: readonly string[], next: string): boolean {
  const type = rowOf(nearestWord(name, known) ?? "")?.type ?? "boolean";
  return type !== "boolean" && toCommand(next) === undefined;
}

const isNegation = (word: string): boolean =>
  rowOf(/^--no-([^=]+)/.exec(word)?.[1] ?? "")?.type === "boolean";

/** Names of secret flags in other tools, without dashes; the first match counts. */
const SECRET_WORDS: readonly (readonly [words: RegExp, input: InputName])[] = [
  [/^(?:github|gh)(?:api)?(?:key|token|pat)$|^pat$/, "github-token"],
  [/^(?:auth|access)?bearer(?:token)?$|^(?:jwt|oauthtoken)$/, "bearer-token"],
  [
    /^(?:agentdeploy|langsmith|langchain|langgraph|x)?(?:api|auth|access|secret)*(?:key|token|secret|password)$/,
    "api-key",
  ],
];

/** The secret input that a flag means: our own by name, or another tool's name for it. */
function secretMeant(name: string): InputName | undefined {
  const row = rowOf(name);
  if (row !== undefined) return row.secret === true ? (name as InputName) : undefined;
  const word = name.replace(/[-_]/g, "").toLowerCase();
  return SECRET_WORDS.find(([words]) => words.test(word))?.[1];
}

/** Why a key on the command line is refused: other users of the machine can see it, and shells and CI logs keep it. */
function secretFlag(name: string, secret: InputName): string {
  const variables = (rowOf(secret)?.env ?? []).join(" or ");
  const file = secret === "api-key" ? ", or name a file with --api-key-file" : "";
  return `--${name} would show the secret in the process list and in logs: set the environment variable ${variables}${file}`;
}
