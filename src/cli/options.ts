import type { EntryPoint } from "../model/entry-point.ts";
import { FLAGS, GATE_INPUTS, type InputName, type InputRow, INPUTS } from "./inputs.ts";

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

type Property<N extends InputName> = (typeof INPUTS)[N] extends { type: "duration" }
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
        : R extends { values: readonly (infer V)[] }
          ? V
          : string;

type Given<R> = R extends { type: "list" | "boolean" }
  ? Plain<R>
  : R extends { specKey: string }
    ? Plain<R> | undefined
    : R extends { default: unknown }
      ? Plain<R>
      : Plain<R> | undefined;

/**
 * Every input, typed: durations in milliseconds, lists split (empty if not given), undefined if
 * neither given nor defaulted. Holds keys: never print it.
 */
export type Options = { readonly [N in InputName as Property<N>]: Given<(typeof INPUTS)[N]> };

/** A row with what it leaves out. */
export type WholeRow = Omit<InputRow, "type"> & {
  readonly type: NonNullable<InputRow["type"]> | "enum";
};

const ROWS: ReadonlyMap<string, WholeRow> = new Map(
  Object.entries<InputRow>(INPUTS).map(([name, row]) => [
    name,
    {
      type: row.values === undefined ? "string" : "enum",
      ...(row.type === "boolean" ? { default: false } : {}),
      ...row,
    },
  ]),
);

/** The row of an input; undefined for an unknown name. */
export function rowOf(name: InputName): WholeRow;
export function rowOf(name: string): WholeRow | undefined;
export function rowOf(name: string): WholeRow | undefined {
  return ROWS.get(name);
}

const OLD_NAMES: ReadonlyMap<string, InputName> = new Map(
  [...ROWS].flatMap(([name, { formerly = [] }]) =>
    formerly.map((old) => [old, name as InputName] as const),
  ),
);

/** The current name of a renamed input; undefined for any other name. */
export function currentName(old: string): InputName | undefined {
  return OLD_NAMES.get(old);
}

/** The inputs that a source can set, in table order. */
export function inputNames(source: EntryPoint): InputName[] {
  const names = Object.keys(INPUTS) as InputName[];
  return names.filter((name) => {
    if (source === "gate") return GATE_NAMES.has(name);
    return source === "cli" ? rowOf(name).actionOnly !== true : !Object.hasOwn(FLAGS, name);
  });
}

const GATE_NAMES: ReadonlyMap<InputName, string> = new Map(
  Object.entries(GATE_INPUTS).map(([given, name]) => [name, given]),
);

/** The source's name for an input: the gate calls `experiment` `results`. */
export function givenName(name: InputName, source: EntryPoint): string {
  return (source === "gate" ? GATE_NAMES.get(name) : undefined) ?? name;
}

/** The property of Options for an input. */
export function propertyOf(name: InputName): keyof Options {
  const camel = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return (rowOf(name).type === "duration" ? `${camel}Ms` : camel) as keyof Options;
}

/** The keys and tokens given to the run. */
export function secretsOf(options: Options): string[] {
  return (Object.keys(INPUTS) as InputName[])
    .filter((name) => rowOf(name).secret === true)
    .map((name) => options[propertyOf(name)])
    .filter((value): value is string => typeof value === "string" && value !== "");
}
