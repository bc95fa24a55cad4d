import { isObject, own } from "../../model/json.ts";
import { keeping } from "../input/column-names.ts";
import { inOrder } from "../input/ordered-object.ts";

/** One step into a document: keys to follow, then what to iterate over. */
export interface RowStep {
  readonly keys: readonly string[];
  readonly each: "items" | "values";
  /** The steps so far as written: the prefix of columns at this level. */
  readonly prefix: string;
}

/** A row within others, which has access to its parents. */
export interface NestedRow {
  readonly value: unknown;
  /** Outermost first; with the key where it is a value of an object. */
  readonly outer: readonly {
    readonly prefix: string;
    readonly value: unknown;
    readonly key?: string;
  }[];
  /** Its key, if the rows are the values of an object. */
  readonly key?: string | undefined;
}

/** `results`, `evals[].results[]`, `suites[].cases.*`: the last step iterates a list even without saying so. */
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

/** Every row below a value, by the remaining steps. */
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
  const around = (inner: unknown, name?: string): NestedRow["outer"] => {
    const parent = { prefix: step.prefix, value: inner };
    return rest.length === 0
      ? outer
      : [...outer, name === undefined ? parent : { ...parent, key: name }];
  };
  if (step.each === "values") {
    if (!isObject(at)) return;
    for (const name of Object.keys(at))
      yield* nestedRows(at[name], rest, around(at[name], name), name);
    return;
  }
  if (!Array.isArray(at)) return;
  for (const inner of at) yield* nestedRows(inner, rest, around(inner), key);
}

/**
 * How a table is written in JSON: `split` separates columns and data, `columns` has a list or
 * object of cells per column, `index` an object per row.
 */
export type Orientation = "split" | "columns" | "index";

/** The rows of such a table; null if it is not one. */
export function tableRows(table: unknown, orient: Orientation): NestedRow[] | null {
  if (!isObject(table)) return null;
  if (orient === "index")
    return Object.keys(table).map((key) => ({ value: table[key], outer: [], key }));
  if (orient === "split") {
    const [columns, data] = [table["columns"], table["data"]];
    if (!Array.isArray(columns) || !Array.isArray(data)) return null;
    return data.map((cells: unknown) => ({
      value: inOrder(
        columns.map((column: unknown, n) => [
          String(column),
          Array.isArray(cells) ? cells[n] : undefined,
        ]),
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
    value: inOrder(
      columns.map(([column, cells]) => [
        column,
        Array.isArray(cells) ? (cells as unknown[])[Number(name)] : own(cells, name),
      ]),
    ),
    outer: [],
    key: name,
  }));
}

/**
 * Creates a reader for the value at `a.b[0].c` (or `a.b.0.c`); a key with a dot is found by its
 * whole name, longest first.
 */
export function pathReader(path: string): (value: unknown) => unknown {
  if (path === "" || path === ".") return (value) => value;
  const ways = [{ step: stepReader(path), rest: "" }];
  for (let end = path.lastIndexOf("."); end > 0; end = path.lastIndexOf(".", end - 1)) {
    const rest = path.slice(end + 1);
    if (rest !== "") ways.push({ step: stepReader(path.slice(0, end)), rest });
  }
  const [{ step }] = ways as [(typeof ways)[0]];
  if (ways.length === 1) return step;
  const readerOf = keeping(pathReader);
  return (value) => {
    for (const way of ways) {
      const found = way.step(value);
      if (found !== undefined) return way.rest === "" ? found : readerOf(way.rest)(found);
    }
    return undefined;
  };
}

/** One name followed by indexes: `choices[0]`, `0`, `[2][1]`. */
function stepReader(name: string): (value: unknown) => unknown {
  const isIndex = /^-?\d+$/.test(name);
  const [, key = "", brackets = ""] = /^([^[\]]*)((?:\[-?\d+\])+)$/.exec(name) ?? [];
  const indices = Array.from(brackets.matchAll(/-?\d+/g), Number);
  return (value) => {
    const whole = own(value, name);
    if (whole !== undefined) return whole;
    if (isIndex) return Array.isArray(value) ? value.at(Number(name)) : undefined;
    if (indices.length === 0) return undefined;
    return indices.reduce<unknown>(
      (at, index) => (Array.isArray(at) ? at.at(index) : undefined),
      key === "" ? value : own(value, key),
    );
  };
}
