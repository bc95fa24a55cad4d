import type { GateRow, GateTable, RowPreview, TableFacts } from "./row.ts";

/** Names of fields that messages may list. */
const MAX_TAG_NAMES = 500;

/** Comments and addresses beyond so many characters in all are not kept: a report shows those of a few rows. */
const MOST_NOTE_CHARS = 16_000_000;

/** What few rows have beside their texts, as JSON: most files have none. */
function createNotes(): {
  readonly add: (row: number, preview: RowPreview) => void;
  readonly get: (row: number) => Pick<RowPreview, "trace" | "comments">;
} {
  const notes = new Map<number, string>();
  let left = MOST_NOTE_CHARS;
  return {
    add: (row, { trace, comments }) => {
      if ((trace === undefined && comments === undefined) || left <= 0) return;
      const note = JSON.stringify({ trace, comments });
      left -= note.length;
      notes.set(row, note);
    },
    get: (row) => {
      const note = notes.get(row);
      return note === undefined ? {} : (JSON.parse(note) as Pick<RowPreview, "trace" | "comments">);
    },
  };
}

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

/** Takes rows one by one and keeps their numbers only. */
export interface TableBuilder {
  readonly add: (row: GateRow) => void;
  /** A row that is numbers alone: `values` from a place on, null where there is none, under the names of `metrics`. */
  readonly addNumbers: (
    row: Pick<GateRow, "example" | "error" | "latency">,
    metrics: readonly string[],
    values: { readonly of: readonly unknown[]; readonly from: number },
  ) => void;
  readonly finish: (facts: TableFacts) => GateTable;
}

/** A growing array of numbers, NaN wherever nothing was set. */
interface NumberColumn {
  values: Float64Array;
}

function widen(column: NumberColumn, size: number): void {
  if (size <= column.values.length) return;
  const wider = new Float64Array(Math.max(size, 2 * column.values.length, 64)).fill(
    NaN,
    column.values.length,
  );
  wider.set(column.values);
  column.values = wider;
}

/** A column for every metric, made when it is first seen. */
function createColumns(rows: number): {
  readonly set: (key: string, row: number, value: number) => void;
  readonly close: (size: number) => Map<string, Float64Array>;
} {
  const columns = new Map<string, NumberColumn>();
  return {
    set: (key, row, value) => {
      let column = columns.get(key);
      if (column === undefined) {
        column = { values: new Float64Array(rows).fill(NaN) };
        columns.set(key, column);
      }
      widen(column, row + 1);
      column.values[row] = value;
    },
    close: (size) => {
      const closed = new Map<string, Float64Array>();
      for (const key of [...columns.keys()].sort()) {
        const column = columns.get(key)!;
        widen(column, size);
        closed.set(key, finiteOnly(column.values.subarray(0, size)));
      }
      return closed;
    },
  };
}

/** Texts in one buffer: a string an object would cost several times as much. */
function createTexts(): {
  readonly add: (text: string) => void;
  readonly get: (at: number) => string;
} {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let bytes = new Uint8Array(1024);
  let ends = new Uint32Array(256);
  let count = 0;
  let used = 0;
  return {
    add: (text) => {
      const most = used + 3 * text.length;
      if (most > bytes.length) {
        const wider = new Uint8Array(Math.max(most, Math.ceil(1.5 * bytes.length)));
        wider.set(bytes.subarray(0, used));
        bytes = wider;
      }
      if (count === ends.length) {
        const longer = new Uint32Array(2 * ends.length);
        longer.set(ends);
        ends = longer;
      }
      if (text !== "") used += encoder.encodeInto(text, bytes.subarray(used)).written;
      ends[count++] = used;
    },
    get: (at) => decoder.decode(bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at])),
  };
}

/**
 * Creates a builder. `tags` are the fields that the gates select by: only their values are kept; null keeps all.
 * `rows` is how many rows are expected, so that columns need not grow.
 */
export function createTableBuilder({
  tags = null,
  rows = 0,
}: {
  readonly tags?: ReadonlySet<string> | null;
  readonly rows?: number;
} = {}): TableBuilder {
  const example: string[] = [];
  const scores = createColumns(rows);
  const latency: NumberColumn = { values: new Float64Array(rows).fill(NaN) };
  const error: NumberColumn = { values: new Float64Array(rows) };
  const tagged = createTagged(tags);
  const texts = createTexts();
  const notes = createNotes();
  const begin = (row: Pick<GateRow, "example" | "error" | "latency">): number => {
    const at = example.length;
    example.push(row.example);
    widen(latency, at + 1);
    widen(error, at + 1);
    latency.values[at] = row.latency ?? NaN;
    error.values[at] = row.error ? 1 : 0;
    return at;
  };
  const addNumbers: TableBuilder["addNumbers"] = (row, metrics, values) => {
    const at = begin(row);
    for (let i = 0; i < metrics.length; i++) {
      const score = values.of[values.from + i];
      if (typeof score !== "number") continue;
      scores.set(metrics[i]!, at, score);
    }
    for (let i = 0; i < 3; i++) texts.add("");
  };
  const add = (row: GateRow): void => {
    const at = begin(row);
    for (const key in row.scores) scores.set(key, at, row.scores[key]!);
    tagged.add(at, row.tags);
    texts.add(row.preview.input);
    texts.add(row.preview.expected);
    texts.add(row.preview.output);
    notes.add(at, row.preview);
  };
  const finish = (facts: TableFacts): GateTable => {
    const size = example.length;
    const closed = scores.close(size);
    return {
      ...facts,
      size,
      example,
      error: Uint8Array.from(error.values.subarray(0, size)),
      latency: latency.values.subarray(0, size),
      metrics: [...closed.keys()],
      scores: closed,
      tagNames: tagged.names(),
      tag: tagged.get,
      preview: (row): RowPreview => ({
        input: texts.get(3 * row),
        expected: texts.get(3 * row + 1),
        output: texts.get(3 * row + 2),
        ...notes.get(row),
      }),
    };
  };
  return { add, addNumbers, finish };
}

/** Infinity is no score. */
function finiteOnly(values: Float64Array): Float64Array {
  for (let at = 0; at < values.length; at++) if (!Number.isFinite(values[at]!)) values[at] = NaN;
  return values;
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
    example: Array.from(rows, (row) => table.example[row]!),
    error: Uint8Array.from(rows, (row) => table.error[row]!),
    latency: pick(table.latency),
    scores: new Map([...table.scores].map(([key, values]) => [key, pick(values)])),
    tag: (row, name) => table.tag(rows[row]!, name),
    preview: (row) => table.preview(rows[row]!),
  };
}
