import type { Json } from "../../model/json.ts";
import type { Orientation } from "./nested-rows.ts";

/** Names of one thing: the first that a row has counts. */
export type Names = readonly [string, ...string[]];

/** A column, key or path of a row; `optional` says that rows may lack it. */
export interface ColumnSource {
  readonly names: Names;
  readonly optional?: boolean;
  /** Words, and the numbers they count as. */
  readonly words?: ReadonlyMap<string, number>;
  /** Only these words are a value. */
  readonly when?: readonly string[];
  /** The number that the first of a count has: a repeat counted from 1. */
  readonly from?: number;
  /** What the value is called in an identity, where not by its column. */
  readonly as?: string;
  /** Words of verdicts count as numbers. */
  readonly verdict?: true;
}

/** What an item of a list of scores has. */
export const ITEM_PARTS = [
  "key",
  "score",
  "value",
  "comment",
  "error",
  "pass",
  "threshold",
] as const;
/** The name of one of them. */
export type ItemPart = (typeof ITEM_PARTS)[number];

/** A list (or an object) of scores whose names are in the data. */
export interface ListSource {
  readonly list: ColumnSource;
  /**
   * Paths in an item. Without that of the key, an object's own keys name the scores, or the position does. Where the
   * value is that of the score, a text is a label; an error leaves the item without a score; `pass` is the metric's
   * own verdict, which becomes `<key>.pass`, and `threshold` the bound that it was made by.
   */
  readonly parts: { readonly [part in ItemPart]?: Names } & { readonly score: Names };
  /** What comes before every name. */
  readonly prefix: string;
  readonly words: ReadonlyMap<string, number> | undefined;
}

/** All columns whose names match one of the patterns, under what `*` represents there. */
export interface PatternSource {
  readonly columns: readonly string[];
  readonly words: ReadonlyMap<string, number> | undefined;
}

/** What a field is read from. */
export type Source = ColumnSource | ListSource | PatternSource | { readonly literal: Json };

/** Where the value of one field comes from. */
export interface MappedField {
  /** As written: `inputs.question`, `evaluation_scores.correctness.comment`, `dataset_name`. */
  readonly field: string;
  readonly source: Source;
}

/** Rows that are kept: those whose column has (or has not) one of the values. */
export interface RowCondition {
  readonly source: ColumnSource;
  readonly values: readonly string[];
  readonly not: boolean;
}

/** A mapping, read: fields of the request on the left, columns (or JSON paths, or literals) on the right. */
export interface Mapping {
  /** Where a JSON document may hold its rows: the first that leads to some; empty where the root is the list. */
  readonly rows: readonly string[];
  /** Further lists of rows, such as that of the cases which failed. */
  readonly moreRows: readonly string[];
  /** Absent: rows are the items of a list. */
  readonly orient: Orientation | undefined;
  readonly where: readonly RowCondition[];
  /** Numbers on a row that errored are scores. */
  readonly scoreErrored: boolean;
  /** For the files of one tool: values are kept as they are, a row may lack any column, snake_case is camelCase too. */
  readonly exact: boolean;
  /** Columns that distinguish examples; empty: the inputs do. */
  readonly identity: readonly ColumnSource[];
  /** Columns whose numbers are no scores. */
  readonly ignore: readonly string[];
  readonly fields: readonly MappedField[];
}

/** What may also be mapped part by part: `inputs.question`. */
export const OBJECT_FIELDS = [
  "inputs",
  "expected_outputs",
  "actual_outputs",
  "run_metadata",
] as const;

/** A mapping that reads nothing, of a list of rows. */
export const NO_FIELDS: Mapping = {
  rows: [""],
  moreRows: [],
  orient: undefined,
  where: [],
  scoreErrored: true,
  exact: false,
  identity: [],
  ignore: [],
  fields: [],
};
