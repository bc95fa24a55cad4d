import {
  createNames,
  isOrdered,
  joinNames,
  orderByWords,
  pickNames,
  rowNumbers,
  type ExampleNames,
} from "./example-names.ts";
import type { GateRow, GateTable, RowPreview, TableFacts } from "./row.ts";
import { createRowPreviews, type TextSpill } from "./row-previews.ts";

/** Names of fields that messages may list. */
const MAX_TAG_NAMES = 500;

/** The fields that gates select by, of few rows or of all. */
function createTagged(wanted: ReadonlySet<string> | null): {
  readonly add: (row: number, tags: GateRow["tags"]) => void;
  readonly get: GateTable["tag"];
  readonly names: () => string[];
} {
  const found = new Map<string, Map<number, string>>();
  const seen = new Set<string>();
  return {
    add: (row, tags) => {
      for (const name in tags) {
        if (seen.size < MAX_TAG_NAMES) seen.add(name);
        if (wanted !== null && !wanted.has(name)) continue;
        let values = found.get(name);
        if (values === undefined) {
          values = new Map();
          found.set(name, values);
        }
        values.set(row, tags[name]!);
      }
    },
    get: (row, name) => found.get(name)?.get(row),
    names: () => [...seen].sort(),
  };
}

/** A row without its texts: `scores` by metric, or as the pairs that a reader found. */
export type RowNumbers = Pick<GateRow, "example" | "error" | "latency">;

/** Scores of a row: of each, where in `names` its metric is. A builder takes those of one list of names. */
export interface NumberedScores {
  readonly count: number;
  readonly metrics: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly names: readonly string[];
}

/** Takes rows one by one and keeps their numbers; the few texts that a report shows are looked up later. */
export interface TableBuilder {
  readonly add: (row: GateRow) => void;
  /** A row that is numbers only: `values` from a place on, null where there is none, under the names of `metrics`. */
  readonly addNumbers: (
    row: RowNumbers,
    metrics: readonly string[],
    values: { readonly of: readonly unknown[]; readonly from: number },
  ) => void;
  /** A row whose scores stand in arrays, metrics as numbers of names; its texts may be somebody else's to know. */
  readonly addScores: (
    row: RowNumbers & Pick<GateRow, "tags">,
    scores: NumberedScores,
    preview?: RowPreview,
  ) => void;
  readonly size: () => number;
  /** How many numbers the finished table will hold: a row's place in every metric, given or not. */
  readonly cells: () => number;
  /** No more rows come. `previewOf` gives the texts of rows that were added without them; null where it has none. */
  readonly finish: (facts: TableFacts, previewOf?: (row: number) => RowPreview | null) => GateTable;
}

const PIECE_BITS = 12,
  PIECE = 1 << PIECE_BITS,
  SMALLEST_PIECE = 16;

/** A growing column in pieces, NaN wherever nothing was set, so that growth copies little. */
type NumberColumn = (Float64Array | undefined)[];

function setNumber(column: NumberColumn, row: number, value: number): void {
  const at = row >> PIECE_BITS;
  const place = row & (PIECE - 1);
  let piece = column[at];
  if (piece === undefined || place >= piece.length) {
    // After a whole piece the column is one that most rows have.
    const least = column[at - 1]?.length === PIECE ? PIECE : SMALLEST_PIECE;
    piece = longerPiece(piece, place, least);
    column[at] = piece;
  }
  piece[place] = value;
}

/** A piece grows to its whole length by doubling: a file may have a hundred thousand metrics on one row. */
function longerPiece(piece: Float64Array | undefined, place: number, least: number): Float64Array {
  let length = least;
  while (length <= place) length *= 2;
  const longer = new Float64Array(length).fill(NaN);
  if (piece !== undefined) longer.set(piece);
  return longer;
}

/** The column as one array, each row at its place; its pieces are given up one by one. Infinity is no score. */
function joinPieces(column: NumberColumn, places: Int32Array): Float64Array {
  const size = places.length;
  const joined = new Float64Array(size).fill(NaN);
  for (let at = 0; at < column.length; at++) {
    const piece = column[at];
    column[at] = undefined;
    if (piece === undefined) continue;
    const from = at * PIECE;
    const end = Math.min(size, from + piece.length);
    for (let row = from; row < end; row++) {
      const value = piece[row - from]!;
      if (Number.isFinite(value)) joined[places[row]!] = value;
    }
  }
  return joined;
}

/**
 * Ids are put in order once, so that gates read columns off a table as they are; rows of one
 * example stay in theirs.
 */
function orderRows(names: ExampleNames): {
  readonly example: ExampleNames;
  readonly order: Int32Array;
} {
  if (names.words === undefined || isOrdered(names))
    return { example: names, order: rowNumbers(names.length) };
  const order = orderByWords(names);
  return { example: pickNames(names, order), order };
}

/** Where each row is put: the inverse of the order. */
function placesOf(order: Int32Array): Int32Array {
  const places = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) places[order[at]!] = at;
  return places;
}

/** A column for every metric, made when it is first seen. */
function createColumns(): {
  readonly set: (key: string, row: number, value: number) => void;
  readonly column: (key: string) => NumberColumn;
  readonly count: () => number;
  readonly close: (places: Int32Array) => Map<string, Float64Array>;
} {
  const columns = new Map<string, NumberColumn>();
  const columnAt = (key: string): NumberColumn => {
    let column = columns.get(key);
    if (column === undefined) {
      column = [];
      columns.set(key, column);
    }
    return column;
  };
  return {
    set: (key, row, value) => {
      setNumber(columnAt(key), row, value);
    },
    column: columnAt,
    count: () => columns.size,
    close: (places) =>
      new Map(
        [...columns.keys()]
          .sort()
          .map((key) => [key, joinPieces(columns.get(key)!, places)] as const),
      ),
  };
}

/**
 * Creates a builder. `tags` are the fields that the gates select by: only their values are kept; null keeps all.
 * `rows` is how many rows are expected; beyond some size texts go to `spill`, if there is one.
 */
export function createTableBuilder({
  tags = null,
  rows = 0,
  spill = null,
}: {
  readonly tags?: ReadonlySet<string> | null;
  readonly rows?: number;
  readonly spill?: TextSpill | null;
} = {}): TableBuilder {
  const names = createNames(rows);
  const scores = createColumns();
  const latency: NumberColumn = [];
  const failed: number[] = [];
  const tagged = createTagged(tags);
  const texts = createRowPreviews(spill);
  const begin = (row: RowNumbers): number => {
    const at = names.size();
    names.add(row.example);
    if (row.latency !== null) setNumber(latency, at, row.latency);
    if (row.error) failed.push(at);
    return at;
  };
  const addNumbers: TableBuilder["addNumbers"] = (row, metrics, values) => {
    const at = begin(row);
    for (let i = 0; i < metrics.length; i++) {
      const score = values.of[values.from + i];
      if (typeof score === "number") scores.set(metrics[i]!, at, score);
    }
  };
  const numbered: NumberColumn[] = [];
  const addScores: TableBuilder["addScores"] = (
    row,
    { count, metrics, values, names },
    preview,
  ) => {
    const at = begin(row);
    for (let i = 0; i < count; i++) {
      const metric = metrics[i]!;
      numbered[metric] ??= scores.column(names[metric]!);
      setNumber(numbered[metric], at, values[i]!);
    }
    tagged.add(at, row.tags);
    if (preview !== undefined) texts.add(at, preview);
  };
  const add = (row: GateRow): void => {
    const at = begin(row);
    for (const key in row.scores) scores.set(key, at, row.scores[key]!);
    tagged.add(at, row.tags);
    texts.add(at, row.preview);
  };
  const finish: TableBuilder["finish"] = (facts, previewOf) => {
    const size = names.size();
    const { example, order } = orderRows(names.finish());
    const places = placesOf(order);
    const closed = scores.close(places);
    const error = new Uint8Array(size);
    for (const row of failed) error[places[row]!] = 1;
    return {
      ...facts,
      size,
      example,
      error,
      latency: joinPieces(latency, places),
      metrics: [...closed.keys()],
      scores: closed,
      tagNames: tagged.names(),
      tag: (row, name) => tagged.get(order[row]!, name),
      preview: (row) => previewOf?.(order[row]!) ?? texts.get(order[row]!),
    };
  };
  const cells = (): number => names.size() * scores.count();
  return { add, addNumbers, addScores, size: names.size, cells, finish };
}

/** A table of rows that are at hand. */
export function toTable(rows: readonly GateRow[], facts: TableFacts): GateTable {
  const builder = createTableBuilder({ rows: rows.length });
  for (const row of rows) builder.add(row);
  return builder.finish(facts);
}

/** Some rows of a table as a table of their own; texts and fields are looked up in the first. */
export function pickRows(table: GateTable, rows: ArrayLike<number>): GateTable {
  const pick = (values: Float64Array): Float64Array => {
    const picked = new Float64Array(rows.length);
    for (let at = 0; at < picked.length; at++) picked[at] = values[rows[at]!]!;
    return picked;
  };
  return {
    ...table,
    size: rows.length,
    example: pickNames(table.example, rows),
    error: Uint8Array.from(rows, (row) => table.error[row]!),
    latency: pick(table.latency),
    scores: new Map([...table.scores].map(([key, values]) => [key, pick(values)])),
    tag: (row, name) => table.tag(rows[row]!, name),
    preview: (row) => table.preview(rows[row]!),
  };
}

/** Tables one after the other, for files that are judged as one. */
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
  return {
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
  };
}
