import type { EntryPoint } from "../model/entry-point.ts";
import { parseJson, isObject } from "../model/json.ts";
import { renderDuration, parseDuration } from "../duration.ts";
import type { Environment } from "../spec/interpolation.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { COMMAND_WORDS, toCommand } from "./command-table.ts";
import { INPUTS, type InputName } from "./inputs.ts";
import {
  currentName,
  givenName,
  inputNames,
  type Options,
  propertyOf,
  rowOf,
  type WholeRow,
} from "./options.ts";
import { splitList } from "./list-text.ts";

/** One problem with how the tool was called; `input` is the table's name. */
export interface InputProblem {
  readonly level: "error" | "warning";
  readonly input: string;
  /** Names the input as this entry point spells it, what is wrong and what is right; never a secret's value. */
  readonly message: string;
}

/** Raw values by input name; repeated lists and texts are joined by line. */
export type RawInputs = { readonly [name: string]: string | undefined };

/** The Action's inputs: the runner passes each as INPUT_<NAME> and keeps hyphens. */
export function readActionInputs(env: Environment): RawInputs {
  const names = Object.keys(env).filter((name) => name.startsWith("INPUT_"));
  return Object.fromEntries(
    names.map((name) => [name.slice("INPUT_".length).toLowerCase(), env[name]?.trim()]),
  );
}

/**
 * Inputs for the service's address. The vendor's variables for them are ignored if a flag or a
 * variable of ours sets any: combined, one address would receive the other's key.
 */
const ADDRESSES = ["region", "control-plane-url", "tracing-url"];

const isOurs = (variable: string): boolean => variable.startsWith("AGENT_DEPLOY_");
const isGiven = (text: string | undefined): boolean => (text ?? "").trim() !== "";

/** The variable that sets each input, by the input's name; `flags` are already set. */
export function findVariables(env: Environment, flags: RawInputs): ReadonlyMap<string, string> {
  const variablesOf = (name: string): readonly string[] => rowOf(name)?.env ?? [];
  const isPlaced =
    ADDRESSES.some((name) => isGiven(flags[name])) ||
    ADDRESSES.flatMap(variablesOf).some((variable) => isOurs(variable) && isGiven(env[variable]));
  return new Map(
    inputNames("cli").flatMap((name) => {
      const isHeard = (variable: string): boolean =>
        !isPlaced || isOurs(variable) || !ADDRESSES.includes(name);
      const found = variablesOf(name).find((one) => isHeard(one) && isGiven(env[one]));
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

/** Inputs from the CLI's environment, unless `flags` set them. */
export function readEnvironment(env: Environment, flags: RawInputs = {}): RawInputs {
  return Object.fromEntries(
    [...findVariables(env, flags)].map(([name, variable]) => [name, env[variable]?.trim()]),
  );
}

/**
 * Inputs set by one of the vendor's variables (LANGSMITH_ENDPOINT). These are set in shells for
 * other programs too, so a target of the spec overrides them.
 */
export function ambientInputs(env: Environment, flags: RawInputs = {}): readonly string[] {
  return [...findVariables(env, flags)].flatMap(([name, variable]) =>
    isGiven(flags[name]) || isOurs(variable) ? [] : [name],
  );
}

/**
 * Inputs that the gate's entry point reads from its environment: the address of a self-hosted
 * service, for which gate/action.yml has no inputs.
 */
export function readGateEnvironment(env: Environment): RawInputs {
  const own = inputNames("gate");
  const others = (Object.keys(INPUTS) as InputName[]).filter((name) => !own.includes(name));
  return Object.fromEntries(
    others.map((name) => [name, env[rowOf(name).env?.find(isOurs) ?? ""]?.trim()]),
  );
}

/**
 * Typed options and all problems at once. An empty value counts as not given, since GitHub passes
 * '' for absent ones. `others` are values that come from elsewhere.
 */
export function parseInputs(
  given: RawInputs,
  source: EntryPoint = "action",
  others: RawInputs = {},
): { readonly options: Options; readonly problems: readonly InputProblem[] } {
  const { raw, warnings } = byCurrentNames(given, source);
  const problems: InputProblem[] = [...warnings, ...unknownInputs(raw, source)];
  const options: Record<string, unknown> = {};
  for (const name of Object.keys(INPUTS) as InputName[]) {
    const row = rowOf(name);
    const text = raw[givenName(name, source)] ?? others[name];
    const read = text === undefined ? {} : readInput(row, text);
    if ("wrong" in read)
      problems.push({
        level: "error",
        input: name,
        message: `${source === "cli" ? "--" : "input "}${givenName(name, source)}: ${read.wrong}`,
      });
    const ownDefault = row.specKey === undefined ? defaultOf(row) : undefined;
    options[propertyOf(name)] = "value" in read ? read.value : ownDefault;
  }
  return { options: options as Options, problems };
}

/** The value of a text, or what is wrong with it; neither if it does not count as given. */
function readInput(row: WholeRow, text: string): Partial<Parsed> {
  const word = text.trim();
  const items = row.type === "list" ? splitList(text) : [word];
  // A guard that was passed must guard: a blank one would let everything through.
  if (row.guard === true && items.every((item) => item === ""))
    return {
      wrong:
        "was given and is blank, so it would restrict nothing; check where its value comes from, or leave it out",
    };
  if (word === "" || isUnset(row, word)) return {};
  const parsed = parseValue(row, text);
  if ("value" in parsed) return parsed;
  const cut = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return { wrong: `${row.secret === true ? "the value" : JSON.stringify(cut)} ${parsed.wrong}` };
}

/** The warning about an input's old name. */
export function renamedInput(old: string, name: InputName, source: EntryPoint): InputProblem {
  const current = source === "cli" ? `--${name}` : name;
  return {
    level: "warning",
    input: name,
    message: `${source === "cli" ? "--" : "input "}${old} is now called ${current}; the old name still works`,
  };
}

/** Values under current names. An old name counts if the new one still has its default from action.yml. */
function byCurrentNames(given: RawInputs, source: EntryPoint) {
  const raw: Record<string, string | undefined> = { ...given };
  const warnings: InputProblem[] = [];
  for (const [old, value] of Object.entries(given)) {
    const name = currentName(old);
    if (name === undefined) continue;
    delete raw[old];
    if ((value ?? "") === "") continue;
    if (isLeftAtDefault(rowOf(name), raw[name] ?? "")) raw[name] = value;
    warnings.push(renamedInput(old, name, source));
  }
  return { raw, warnings };
}

function isLeftAtDefault(row: WholeRow, text: string): boolean {
  return text === "" || text === String(row.default) || isUnset(row, text);
}

/**
 * The default in action.yml of an input that guards something. GitHub passes '' for an input
 * without a default, and also for a value that got lost on its way.
 */
export const NOT_SET = "(not set)";

/** Neither an expression that was never evaluated nor the mark of a missing guard counts as a value. */
function isUnset(row: WholeRow, text: string): boolean {
  return text === row.expression || (row.guard === true && text === NOT_SET);
}

function unknownInputs(raw: RawInputs, source: EntryPoint): InputProblem[] {
  const known = inputNames(source).map((name) => givenName(name, source));
  return Object.keys(raw)
    .filter((name) => !known.includes(name) && raw[name] !== "")
    .map((name) => ({
      level: "error",
      input: name,
      message: `${source === "cli" ? "--" : "input "}${name}: there is no such input${whereElse(name, source)}`,
    }));
}

/** Where an unknown input may belong: to one of a similar name or, in gate/action.yml, to the main action. */
function whereElse(name: string, source: EntryPoint): string {
  const own: readonly string[] = inputNames(source);
  if (own.includes(name)) return ` (did you mean ${givenName(name as InputName, source)}?)`;
  const others: readonly string[] = source === "gate" ? inputNames("action") : [];
  if (others.includes(name)) return "; the main action with command: gate takes it";
  return didYouMean(
    name,
    inputNames(source).map((given) => givenName(given, source)),
  );
}

function defaultOf(row: WholeRow): unknown {
  if (row.default === undefined) return row.type === "list" ? [] : undefined;
  return row.type === "duration" ? parseDuration(String(row.default)) : row.default;
}

type Parsed = { readonly value: unknown } | { readonly wrong: string };

const ANY = [-Infinity, Infinity] as const;

function parseValue(row: WholeRow, text: string): Parsed {
  const { type, values = [], form: [pattern, words = ""] = [], bounds: [least, most] = ANY } = row;
  const word = text.trim();
  if (type === "enum") {
    const isCommand = values === INPUTS.command.values;
    const meant = isCommand ? (toCommand(word) ?? word) : word;
    if (values.includes(meant)) return { value: meant };
    const near = isCommand
      ? COMMAND_WORDS.filter((one) => values.includes(toCommand(one)!))
      : values;
    const isElsewhere = isCommand && toCommand(word) !== undefined;
    const hint = isElsewhere ? "; only the command line has it" : didYouMean(word, near);
    return { wrong: `is not one of ${values.join(", ")}${hint}` };
  }
  if (pattern?.test(word) === false) return { wrong: words };
  const { read, wrong = "" } = TYPES[type];
  const value = read(type === "text" || type === "list" ? text : word);
  if (value === undefined) return { wrong };
  if (typeof value !== "number" || (value >= least && value <= most)) return { value };
  const shown = type === "duration" ? renderDuration : String;
  return { wrong: `is out of bounds; write a value from ${shown(least)} to ${shown(most)}` };
}

/** How the text of each type is read, undefined if it cannot be, and what is then wrong. */
const TYPES: Readonly<
  Record<
    Exclude<WholeRow["type"], "enum">,
    { readonly read: (text: string) => unknown; readonly wrong?: string }
  >
> = {
  string: { read: (word) => word },
  text: { read: (text) => text },
  list: { read: splitList },
  boolean: { read: readBoolean, wrong: "is not a boolean; write true or false" },
  duration: {
    read: parseDuration,
    wrong: "is not a valid duration; write a number and a unit, such as 500ms, 90s, 30m or 1h",
  },
  integer: {
    read: (word) => (/^-?\d{1,15}$/.test(word) ? Number(word) : undefined),
    wrong: "is not a whole number",
  },
  object: {
    read: (word) => {
      const value = parseJson(word);
      return isObject(value) ? value : undefined;
    },
    wrong: 'is not a JSON object, such as {"suite": "nightly"}',
  },
};

/** The six words that GitHub accepts as a boolean; undefined for any other. */
export function readBoolean(word: string): boolean | undefined {
  if (["true", "True", "TRUE"].includes(word)) return true;
  return ["false", "False", "FALSE"].includes(word) ? false : undefined;
}
