import type { Json } from "../../model/json.ts";
import type { Orientation } from "./nested-rows.ts";

/** A column, key or path of a row; `optional` says that rows may lack it, `words` what its words count. */
export interface ColumnSource {
  readonly column: string;
  readonly optional?: boolean;
  readonly words?: ReadonlyMap<string, number>;
  /** Further columns, of which the first that a row has counts. */
  readonly or?: readonly string[];
  /** Only these words are a value; any other is none. */
  readonly when?: readonly string[];
  /** What the value is called in an identity, where not by its column. */
  readonly as?: string;
  /** Words of verdicts count as numbers. */
  readonly verdict?: true;
}

/** A list (or an object) of scores whose names stand in the data. */
export interface ListSource {
  readonly list: ColumnSource;
  /** Path of the name in an item; absent: an object's own keys, or the position. */
  readonly key: string | undefined;
  readonly score: string;
  /** Path of a label beside the number. */
  readonly value: string | undefined;
  readonly comment: string | undefined;
  readonly words: ReadonlyMap<string, number> | undefined;
}

/** Where the value of one field comes from. */
export interface MappedField {
  /** As written: `inputs.question`, `evaluation_scores.correctness.comment`, `dataset_name`. */
  readonly field: string;
  readonly source: ColumnSource | ListSource | { readonly literal: Json };
}

/** Rows that are kept: those whose column has (or has not) one of the values. */
export interface RowCondition {
  readonly source: ColumnSource;
  readonly values: readonly string[];
  readonly not: boolean;
}

/** A mapping file, read: fields of the request on the left, columns (or JSON paths, or literals) on the right. */
export interface Mapping {
  /** Where a JSON document holds its rows; empty where the root is the list or the file is CSV or JSONL. */
  readonly rows: string;
  /** Further lists of rows, such as that of the cases which failed. */
  readonly moreRows?: readonly string[];
  /** Absent: rows are the items of a list. */
  readonly orient?: Orientation | undefined;
  readonly where: readonly RowCondition[];
  /** Numbers on a row that errored are no scores. */
  readonly scoresErrored?: boolean;
  /** Columns that tell examples apart; empty: the inputs do. */
  readonly identity: readonly ColumnSource[];
  readonly fields: readonly MappedField[];
}

/** What may also be mapped part by part: `inputs.question`. */
export const OBJECT_FIELDS = [
  "inputs",
  "expected_outputs",
  "actual_outputs",
  "run_metadata",
] as const;

/** What a field is read from. */
export type Source = MappedField["source"];
