import type { InputFile } from "../input-file.ts";
import { refusal } from "../diagnostic.ts";
import type { ReadRow } from "../row.ts";
import { checkColumns, streamCsv } from "./csv-table.ts";
import type { Format, Head, Reading, ReadOptions } from "./format.ts";
import { createMapper, jsonCells, type Mapping } from "./mapping.ts";
import { streamValues } from "./objects.ts";

/** Opens a CSV file by a mapping whose columns must all be there. */
export function openCsvByMapping(
  file: InputFile,
  columns: readonly string[],
  mapping: Mapping,
): Reading {
  checkColumns(file.name, columns);
  const positions = new Map(columns.map((column, index) => [column, index]));
  const missing = mapping.fields.flatMap(({ source }) =>
    "column" in source && !positions.has(source.column) ? [source.column] : [],
  );
  if (missing.length > 0)
    throw refusal(
      { file: file.name },
      `the mapping names columns that the file does not have: ${missing.join(", ")}; it has ${columns.slice(0, 50).join(", ")}`,
    );
  const mapper = createMapper(mapping);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamCsv(file, columns.length)) {
      yield batch.map(({ cells, line, index }) =>
        mapper.toRow(
          { file: file.name, index, line },
          (column) => cells[positions.get(column) ?? -1],
        ),
      );
    }
  }
  return { batches, header: () => mapper.header(undefined) };
}

function open(
  files: readonly InputFile[],
  heads: readonly Head[],
  { mapping }: ReadOptions,
): Reading {
  const [file, head] = [files[0]!, heads[0]!];
  if (mapping === undefined)
    throw refusal(
      { file: file.name },
      "format mapping needs the input mapping, a YAML file of `field: column` lines",
    );
  if (head.container === "csv") return openCsvByMapping(file, head.columns, mapping);
  if (head.container !== "json" && head.container !== "jsonl")
    throw refusal(
      { file: file.name },
      `a mapping reads CSV, JSON and JSONL, and this is ${head.container}`,
    );
  const values = streamValues(file, head, mapping.rows);
  const mapper = createMapper(mapping);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of values.batches())
      yield batch.map(({ value, line, index }) =>
        mapper.toRow({ file: file.name, index, line }, jsonCells(value)),
      );
  }
  return { batches, header: () => mapper.header(values.rest()) };
}

/** Any CSV, JSON or JSONL file, by a mapping file. */
export const mappingFormat: Format = {
  name: "mapping",
  title: "Any CSV, JSON or JSONL, by a `mapping` file",
  detect: () => false,
  open,
  examples: [],
  notes: [
    "`field: column`, one a line; a column is a CSV header, a key or a dotted path in a JSON row; `{literal: x}` is a constant; `rows: a.b` says where a JSON document holds its rows.",
    "Scores: `evaluation_scores.<key>: column`, and `.value`, `.comment`, `.correction`, `.created_at`, `.modified_at`, `.feedback_source.type`, `.feedback_config.type|min|max|categories` behind the key; the same under `summary_experiment_scores`. `evaluation_scores: column` takes a lone score, an object of scores or the service's own list; `[a, b]` takes several columns under their own names, as for `inputs` and the outputs.",
    "Fields of the experiment come from the document around the rows, else from the first row that has them. `duration_s` gives seconds where there is no end_time, `repeat` counts repeats from 0.",
  ],
};
