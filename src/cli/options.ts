import { GATE_INPUTS, type InputName, type InputRow, INPUTS } from "./inputs.ts";

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

type Property<N extends InputName> = (typeof INPUTS)[N]["type"] extends "duration"
  ? `${Camel<N>}Ms`
  : Camel<N>;

type Plain<R> = R extends { type: "boolean" }
  ? boolean
  : R extends { type: "duration" | "integer" }
    ? number
    : R extends { type: "list" }
      ? readonly string[]
      : R extends { type: "object" }
        ? { readonly [key: string]: unknown }
        : R extends { type: "enum"; values: readonly (infer V)[] }
          ? V
          : string;

type Given<R> = R extends { type: "list" }
  ? Plain<R>
  : R extends { specKey: string }
    ? Plain<R> | undefined
    : R extends { default: unknown }
      ? Plain<R>
      : Plain<R> | undefined;

/**
 * Every input, typed: durations in milliseconds, lists split (empty when not given), undefined
 * where neither given nor defaulted. Holds the keys: never printed.
 */
export type Options = { readonly [N in InputName as Property<N>]: Given<(typeof INPUTS)[N]> };

/**
 * Which entry point the words came through: it decides how an input is spelled in messages,
 * `timeout` or `--timeout`.
 */
export type EntryPoint = "action" | "cli";

/** Where the words of a run come from: gate/action.yml has inputs of its own. */
export type InputSource = EntryPoint | "gate";

/** The table's row of a name, or undefined. */
export function rowOf(name: string): InputRow | undefined {
  return Object.hasOwn(INPUTS, name) ? INPUTS[name as InputName] : undefined;
}

const OLD_NAMES: ReadonlyMap<string, InputName> = new Map(
  (Object.keys(INPUTS) as InputName[]).flatMap((name) =>
    (rowOf(name)?.formerly ?? []).map((old) => [old, name] as const),
  ),
);

/** The input that has replaced an old name; undefined for every other name. */
export function currentName(old: string): InputName | undefined {
  return OLD_NAMES.get(old);
}

/** Rows that a source of inputs can fill, in the table's order. */
export function inputNames(source: InputSource): InputName[] {
  const names = Object.keys(INPUTS) as InputName[];
  return names.filter((name) =>
    source === "gate" ? GATE_NAMES.has(name) : (rowOf(name)?.only ?? source) === source,
  );
}

const GATE_NAMES: ReadonlyMap<InputName, string> = new Map(
  Object.entries(GATE_INPUTS).map(([given, name]) => [name, given]),
);

/** What a source calls an input: `results` is the gate's word for `experiment`. */
export function givenName(name: InputName, source: InputSource): string {
  return (source === "gate" ? GATE_NAMES.get(name) : undefined) ?? name;
}

/** Property of Options that an input ends up in. */
export function propertyOf(name: InputName): keyof Options {
  const camel = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return (INPUTS[name].type === "duration" ? `${camel}Ms` : camel) as keyof Options;
}

/** The keys and tokens that a run was given. */
export function secretsOf(options: Options): string[] {
  return (Object.keys(INPUTS) as InputName[])
    .filter((name) => rowOf(name)?.secret === true)
    .map((name) => options[propertyOf(name)])
    .filter((value): value is string => typeof value === "string" && value !== "");
}
