import { compareNames, createNames, joinNames, orderRows, pickNames } from "./example-names.ts";
import { pick } from "./metric.ts";
import { createNumbers, type Numbers } from "./numbers.ts";
import type { GateRow, GateTable, TableFacts } from "./row.ts";
import { createRowPreviews, type TextSpill } from "./row-previews.ts";

/** The most field names remembered for a message, which lists twenty: a file may have one for every row. */
const MAX_TAG_NAMES = 500;

/** Stores the fields that gates select by, for few rows or all. */
function createTagged(wanted: ReadonlySet<string> | null) {
  const found = new Map<string, Map<number, string>>();
  const seen = new Set<string>();
  return {
    add: (row: number, tags: GateRow["tags"]): void => {
      for (const name in tags) {
        if (seen.size < MAX_TAG_NAMES) seen.add(name);
        if (wanted !== null && !wanted.has(name)) continue;
        const values = found.get(name) ?? new Map<number, string>();
        found.set(name, values.set(row, tags[name]!));
      }
    },
    get: (row: number, name: string): string | undefined => found.get(name)?.get(row),
    names: (): string[] => [...seen].sort(),
  };
}

/** What a table stores of a row apart from its scores; rows of a baseline file have no tags and texts. */
type RowFacts = Pick<GateRow, "example" | "error" | "latency"> &
  Partial<Pick<GateRow, "tags" | "preview">>;

/** A column of numbers with each row at its place, NaN where none was set. Infinity counts as no score. */
function columnOf(numbers: Numbers, places: Int32Array): Float64Array {
  const column = new Float64Array(places.length).fill(NaN);
  numbers.drain((row, value) => {
    if (Number.isFinite(value)) column[places[row]!] = value;
  });
  return column;
}

/** The place of each row: the inverse of the order. */
function placesOf(order: Int32Array): Int32Array {
  const places = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) places[order[at]!] = at;
  return places;
}

/**
 * Collects the numbers of rows; the few texts that a report shows are read later. `tags` are the
 * fields that the gates select by; only these are stored; null stores all. Beyond some size, texts
 * go to `spill` if there is one.
 */
export function createTableBuilder({
  tags = null,
  spill = null,
}: {
  readonly tags?: ReadonlySet<string> | null;
  readonly spill?: TextSpill | null;
} = {}) {
  const names = createNames();
  const scored = new Map<string, Numbers>();
  const latency = createNumbers(Float64Array, NaN);
  const failed: number[] = [];
  const tagged = createTagged(tags);
  const texts = createRowPreviews(spill);
  const add = (row: RowFacts): void => {
    const at = names.size();
    names.add(row.example);
    if (row.latency !== null) latency.set(at, row.latency);
    if (row.error) failed.push(at);
    if (row.tags !== undefined) tagged.add(at, row.tags);
    if (row.preview !== undefined) texts.add(at, row.preview);
  };
  /** Scores the row that was added last; replaces a score of the same metric. */
  const score = (metric: string, value: number): void => {
    let column = scored.get(metric);
    if (column === undefined) {
      column = createNumbers(Float64Array, NaN);
      scored.set(metric, column);
    }
    column.set(names.size() - 1, value);
  };
  /** No rows can be added after that. */
  const finish = (facts: TableFacts): GateTable => {
    const size = names.size();
    const example = names.finish();
    const order = orderRows(example);
    const places = placesOf(order);
    const metrics = [...scored.keys()].sort();
    const error = new Uint8Array(size);
    for (const row of failed) error[places[row]!] = 1;
    return groupRows({
      ...facts,
      size,
      example: pickNames(example, order),
      error,
      latency: columnOf(latency, places),
      metrics,
      scores: new Map(metrics.map((key) => [key, columnOf(scored.get(key)!, places)])),
      tagNames: tagged.names(),
      tag: (row, name) => tagged.get(order[row]!, name),
      preview: (row) => texts.get(order[row]!),
    });
  };
  /** How many numbers the finished table holds: one per row and metric, given or not. */
  const cells = (): number => names.size() * scored.size;
  return { add, score, cells, finish };
}
/** A table that is not finished. */
export type TableBuilder = ReturnType<typeof createTableBuilder>;

type Rows = Omit<GateTable, "examples" | "repeats" | "start">;

/** Selects rows; texts and fields are read from the original. */
function selectRows(table: Rows, rows: ArrayLike<number>): Rows {
  return {
    ...table,
    size: rows.length,
    example: pickNames(table.example, rows),
    error: Uint8Array.from(rows, (row) => table.error[row]!),
    latency: pick(table.latency, rows),
    scores: new Map([...table.scores].map(([key, values]) => [key, pick(values, rows)])),
    tag: (row, name) => table.tag(rows[row]!, name),
    preview: (row) => table.preview(rows[row]!),
  };
}

/** Groups rows by example, and sorts those of one example by their scores. */
function groupRows(rows: Rows): GateTable {
  const order = orderRows(rows.example);
  const isOrdered = order.every((row, at) => row === at);
  const table = isOrdered ? rows : selectRows(rows, order);
  const starts = new Int32Array(table.size + 1);
  let [examples, repeats] = [0, 0];
  for (let row = 0; row < table.size; row++) {
    if (row === 0 || compareNames(table.example, row, table.example, row - 1) !== 0)
      starts[examples++] = row;
    starts[examples] = row + 1;
    repeats = Math.max(repeats, row + 1 - starts[examples - 1]!);
  }
  const start = starts.slice(0, examples + 1);
  return { ...(repeats > 1 ? sortRepeats(table, start) : table), examples, repeats, start };
}

function sortRepeats(table: Rows, start: Int32Array): Rows {
  const columns = [...table.scores.values(), table.error, table.latency];
  const compare = (a: number, b: number): number => {
    for (const values of columns) {
      const [one, other] = [values[a]!, values[b]!];
      if (one < other) return -1;
      if (one > other) return 1;
      if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
    }
    return a - b;
  };
  const order = Int32Array.from({ length: table.size }, (_, row) => row);
  for (let e = 0; e + 1 < start.length; e++)
    if (start[e + 1]! - start[e]! > 1) order.subarray(start[e], start[e + 1]).sort(compare);
  return selectRows(table, order);
}

/** A table of selected rows. */
export const pickRows = (table: Rows, rows: ArrayLike<number>): GateTable =>
  groupRows(selectRows(table, rows));

/** Concatenates tables of files that are judged as one. */
export function joinTables(tables: readonly GateTable[]): GateTable {
  const [first, ...rest] = tables;
  if (rest.length === 0) return first!;
  const starts = tables.map((_, at) =>
    tables.slice(0, at).reduce((sum, { size }) => sum + size, 0),
  );
  const placeOf = (row: number): readonly [GateTable, number] => {
    const at = starts.findLastIndex((start) => start <= row);
    return [tables[at]!, row - starts[at]!];
  };
  const size = tables.reduce((sum, table) => sum + table.size, 0);
  const metrics = [...new Set(tables.flatMap((table) => table.metrics))].sort();
  const join = (columnOf: (table: GateTable) => Float64Array | undefined): Float64Array => {
    const values = new Float64Array(size).fill(NaN);
    for (const [at, table] of tables.entries()) values.set(columnOf(table) ?? [], starts[at]);
    return values;
  };
  const error = new Uint8Array(size);
  for (const [at, table] of tables.entries()) error.set(table.error, starts[at]);
  return groupRows({
    ...first!,
    file: tables.map(({ file }) => file).join(", "),
    state: tables.find(({ state }) => state !== "complete")?.state ?? "complete",
    size,
    example: joinNames(tables.map(({ example }) => example)),
    error,
    latency: join(({ latency }) => latency),
    metrics,
    scores: new Map(metrics.map((metric) => [metric, join(({ scores }) => scores.get(metric))])),
    tagNames: [...new Set(tables.flatMap(({ tagNames }) => tagNames))].sort(),
    tag: (row, name) => {
      const [table, at] = placeOf(row);
      return table.tag(at, name);
    },
    preview: (row) => {
      const [table, at] = placeOf(row);
      return table.preview(at);
    },
  });
}
