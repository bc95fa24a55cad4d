import { own } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";

/** One step into a document: keys to follow, then what is gone through there. */
export interface RowStep {
  readonly keys: readonly string[];
  readonly each: "items" | "values";
  /** As it was written, with all steps before it: what columns of that level begin with. */
  readonly prefix: string;
}

/** A row found inside of others: it can see what is around it. */
export interface NestedRow {
  readonly value: unknown;
  readonly outer: readonly { readonly prefix: string; readonly value: unknown }[];
  /** The name under which it was, where the rows are the values of an object. */
  readonly key?: string | undefined;
}

/**
 * `results`, `evals[].results[]`, `suites[].cases.*`: the last step goes through a list even where
 * it does not say so.
 */
export function parseRowsPath(path: string): RowStep[] {
  const steps: RowStep[] = [];
  let keys: string[] = [];
  let prefix = "";
  const close = (each: RowStep["each"]): void => {
    steps.push({ keys, each, prefix });
    keys = [];
  };
  for (const part of path.split(".")) {
    prefix = prefix === "" ? part : `${prefix}.${part}`;
    if (part === "*" || part === "*[]") {
      close("values");
      if (part === "*[]") close("items");
    } else if (part.endsWith("[]")) {
      const key = part.slice(0, -2);
      if (key !== "") keys.push(key);
      close("items");
    } else if (part !== "") keys.push(part);
  }
  if (keys.length > 0) close("items");
  return steps;
}

/** Every row under a value, by the steps that are left. */
export function* nestedRows(
  value: unknown,
  steps: readonly RowStep[],
  outer: NestedRow["outer"] = [],
  key?: string,
): Generator<NestedRow> {
  const [step, ...rest] = steps;
  if (step === undefined) {
    yield { value, outer, key };
    return;
  }
  const at = step.keys.reduce<unknown>((inner, name) => own(inner, name), value);
  const around = (inner: unknown): NestedRow["outer"] =>
    rest.length === 0 ? outer : [...outer, { prefix: step.prefix, value: inner }];
  if (step.each === "values") {
    if (!isObject(at)) return;
    for (const name of Object.keys(at)) yield* nestedRows(at[name], rest, around(at[name]), name);
    return;
  }
  if (!Array.isArray(at)) return;
  for (const inner of at) yield* nestedRows(inner, rest, around(inner), key);
}

/**
 * How a table is written in JSON: `split` has columns and data apart, `columns` a list or an object
 * of cells a column, `index` an object a row.
 */
export type Orientation = "split" | "columns" | "index";

/** The rows of such a table; null where it is not one. */
export function tableRows(table: unknown, orient: Orientation): NestedRow[] | null {
  if (!isObject(table)) return null;
  if (orient === "index")
    return Object.keys(table).map((key) => ({ value: table[key], outer: [], key }));
  if (orient === "split") {
    const [columns, data] = [table["columns"], table["data"]];
    if (!Array.isArray(columns) || !Array.isArray(data)) return null;
    return data.map((cells: unknown) => ({
      value: Object.fromEntries(
        columns.map((column, n) => [String(column), Array.isArray(cells) ? cells[n] : undefined]),
      ),
      outer: [],
    }));
  }
  const columns = Object.entries(table).filter(
    ([, cells]) => Array.isArray(cells) || isObject(cells),
  );
  if (columns.length === 0) return null;
  const names = new Set(columns.flatMap(([, cells]) => Object.keys(cells as object)));
  return [...names].map((name) => ({
    value: Object.fromEntries(
      columns.map(([column, cells]) => [
        column,
        Array.isArray(cells) ? (cells as unknown[])[Number(name)] : own(cells, name),
      ]),
    ),
    outer: [],
    key: name,
  }));
}

/** The value at `a.b[0].c` (or `a.b.0.c`) below a value; a key that holds a dot is found by its whole name. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "" || path === ".") return value;
  const whole = own(value, path);
  if (whole !== undefined) return whole;
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const head = path.slice(0, end);
    const rest = path.slice(end + 1);
    const found = stepInto(value, head);
    if (found !== undefined && (rest !== "" || end === path.length))
      return end === path.length ? found : valueAt(found, rest);
    if (!head.includes(".")) break;
  }
  return undefined;
}

/** One name, and indices after it: `choices[0]`, `0`, `[2][1]`. */
function stepInto(value: unknown, name: string): unknown {
  const whole = own(value, name);
  if (whole !== undefined) return whole;
  if (Array.isArray(value) && /^-?\d+$/.test(name)) return value.at(Number(name));
  const match = /^([^[\]]*)((?:\[-?\d+\])+)$/.exec(name);
  if (match === null) return undefined;
  let at = match[1] === "" ? value : own(value, match[1]!);
  for (const [, index] of match[2]!.matchAll(/\[(-?\d+)\]/g))
    at = Array.isArray(at) ? at.at(Number(index)) : undefined;
  return at;
}
