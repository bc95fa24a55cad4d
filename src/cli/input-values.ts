import type { EntryPoint } from "../model/entry-point.ts";
import { parseJson, isObject } from "../model/json.ts";
import { renderDuration, parseDuration } from "../duration.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { COMMAND_WORDS, toCommand } from "./command-table.ts";
import { type InputRow, INPUTS, type InputName } from "./inputs.ts";
import { currentName, givenName, inputNames, type Options, propertyOf, rowOf } from "./options.ts";
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

type Environment = { readonly [name: string]: string | undefined };

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

/** Inputs from the CLI's environment, unless `flags` set them. */
export function readEnvironment(env: Environment, flags: RawInputs = {}): RawInputs {
  return Object.fromEntries(
    [...findVariables(env, flags)].map(([name, variable]) => [name, env[variable]?.trim()]),
  );
}

const isOurs = (variable: string): boolean => variable.startsWith("AGENT_DEPLOY_");

/** The variable that sets each input. */
function findVariables(env: Environment, flags: RawInputs): ReadonlyMap<string, string> {
  const isGiven = (name: string): boolean => (flags[name] ?? "").trim() !== "";
  const isSet = (variable: string): boolean => (env[variable] ?? "").trim() !== "";
  const variablesOf = (name: string): readonly string[] => rowOf(name)?.env ?? [];
  const vendors =
    !ADDRESSES.some(isGiven) &&
    !ADDRESSES.flatMap(variablesOf).some((variable) => isOurs(variable) && isSet(variable));
  return new Map(
    inputNames("cli").flatMap((name) => {
      const isHeard = (variable: string): boolean =>
        vendors || isOurs(variable) || !ADDRESSES.includes(name);
      const found = variablesOf(name).find((variable) => isHeard(variable) && isSet(variable));
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

/** The variable that sets an input; undefined if none does. */
export function variableOf(
  name: string,
  env: Environment,
  flags: RawInputs = {},
): string | undefined {
  return findVariables(env, flags).get(name);
}

/**
 * Inputs set by one of the vendor's variables (LANGSMITH_ENDPOINT). These are set in shells for
 * other programs too, so a target of the spec overrides them.
 */
export function ambientInputs(env: Environment, flags: RawInputs = {}): readonly string[] {
  return [...findVariables(env, flags)].flatMap(([name, variable]) =>
    (flags[name] ?? "").trim() === "" && !isOurs(variable) ? [name] : [],
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
    others.map((name) => {
      const variable = rowOf(name)?.env?.find((one) => one.startsWith("AGENT_DEPLOY_"));
      return [name, variable === undefined ? undefined : env[variable]?.trim()];
    }),
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
    const row: InputRow = INPUTS[name];
    const text = raw[givenName(name, source)] ?? others[name];
    let value: unknown = row.specKey === undefined ? defaultOf(row) : undefined;
    const blank = judgeBlank(row, name, text, source);
    if (blank !== undefined) problems.push(blank);
    else if (text !== undefined && text.trim() !== "" && !isUnset(row, text.trim())) {
      const word = name === "command" ? (toCommand(text.trim()) ?? text) : text;
      const parsed = parseValue(row, word);
      if ("value" in parsed) value = parsed.value;
      else {
        const shown = row.secret
          ? "the value"
          : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
        problems.push({
          level: "error",
          input: name,
          message: `${spelled(name, source)}: ${shown} ${parsed.wrong}`,
        });
      }
    }
    options[propertyOf(name)] = value;
  }
  return { options: options as Options, problems };
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
function byCurrentNames(
  given: RawInputs,
  source: EntryPoint,
): { readonly raw: RawInputs; readonly warnings: readonly InputProblem[] } {
  const raw: Record<string, string | undefined> = { ...given };
  const warnings: InputProblem[] = [];
  for (const [old, value] of Object.entries(given)) {
    const name = currentName(old);
    if (name === undefined) continue;
    delete raw[old];
    if ((value ?? "") === "") continue;
    if (isLeftAtDefault(INPUTS[name], raw[name] ?? "")) raw[name] = value;
    warnings.push(renamedInput(old, name, source));
  }
  return { raw, warnings };
}

function isLeftAtDefault(row: InputRow, text: string): boolean {
  return text === "" || text === String(row.default) || isUnset(row, text);
}

/**
 * The default in action.yml of an input that guards something. GitHub passes '' for an input
 * without a default, and also for a value that got lost on its way.
 */
export const NOT_SET = "(not set)";

/** Neither an expression that was never evaluated nor the mark of a missing guard counts as a value. */
function isUnset(row: InputRow, text: string): boolean {
  return text === row.expression || (row.guard === true && text === NOT_SET);
}

/** A guard that was passed must guard: a blank one would let everything through. */
function judgeBlank(
  row: InputRow,
  name: string,
  text: string | undefined,
  source: EntryPoint,
): InputProblem | undefined {
  if (row.guard !== true || text === undefined) return undefined;
  const items = row.type === "list" ? splitList(text) : [text.trim()];
  if (items.some((item) => item !== "")) return undefined;
  return {
    level: "error",
    input: name,
    message: `${spelled(name, source)}: was given and is blank, so it would restrict nothing; check where its value comes from, or leave it out`,
  };
}

/** An input as this source spells it. */
function spelled(name: string, source: EntryPoint): string {
  if (source === "cli") return `--${name}`;
  return `input ${rowOf(name) === undefined ? name : givenName(name as InputName, source)}`;
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

function defaultOf(row: InputRow): unknown {
  if (row.default === undefined) return row.type === "list" ? [] : undefined;
  return row.type === "duration" ? parseDuration(String(row.default)) : row.default;
}

type Parsed = { readonly value: unknown } | { readonly wrong: string };

function parseValue(row: InputRow, text: string): Parsed {
  const word = text.trim();
  switch (row.type) {
    case "boolean":
      return parseBoolean(word);
    case "enum": {
      if (row.values!.includes(word)) return { value: word };
      const near = row === INPUTS.command ? COMMAND_WORDS : row.values!;
      return { wrong: `is not one of ${row.values!.join(", ")}${didYouMean(word, near)}` };
    }
    case "duration":
      return parseBounded(
        row,
        parseDuration(word),
        "is not a valid duration; write a number and a unit, such as 500ms, 90s, 30m or 1h",
      );
    case "integer":
      return parseBounded(
        row,
        /^-?\d{1,15}$/.test(word) ? Number(word) : undefined,
        "is not a whole number",
      );
    case "list":
      return { value: splitList(text) };
    case "object":
      return parseObject(word);
    case "text":
      return { value: text };
    case "string":
      if (row.form?.test(word) === false) return { wrong: row.formWords ?? "has another form" };
      return { value: word };
  }
}

/** The six words that GitHub accepts as a boolean; undefined for any other. */
export function readBoolean(word: string): boolean | undefined {
  if (["true", "True", "TRUE"].includes(word)) return true;
  return ["false", "False", "FALSE"].includes(word) ? false : undefined;
}

function parseBoolean(word: string): Parsed {
  const value = readBoolean(word);
  return value === undefined ? { wrong: "is not a boolean; write true or false" } : { value };
}

function parseBounded(row: InputRow, value: number | undefined, wrong: string): Parsed {
  if (value === undefined) return { wrong };
  const shown = (bound: number): string =>
    row.type === "duration" ? renderDuration(bound) : String(bound);
  const { min = -Infinity, max = Infinity } = row;
  if (value >= min && value <= max) return { value };
  return { wrong: `is out of bounds; write a value from ${shown(min)} to ${shown(max)}` };
}

function parseObject(word: string): Parsed {
  const value = parseJson(word);
  if (isObject(value)) return { value };
  return { wrong: 'is not a JSON object, such as {"suite": "nightly"}' };
}
