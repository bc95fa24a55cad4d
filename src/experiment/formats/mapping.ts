import type { Json } from "../../model/json.ts";
import type { Orientation } from "./nested-rows.ts";

/** Alternative names: the first that a row has counts. */
export type Names = readonly [string, ...string[]];

/** A column, key or path of a row; `optional`: rows may lack it. */
export interface ColumnNames {
  readonly names: Names;
  readonly optional: boolean;
}

/** The parts of an item in a list of scores. */
export const ITEM_PARTS = [
  "key",
  "score",
  "value",
  "comment",
  "error",
  "pass",
  "threshold",
] as const;
/** One of them, as a mapping spells it. */
export type ItemPart = (typeof ITEM_PARTS)[number];

/** What a field is read from: a column, all columns that match patterns, or a constant. */
export interface Source {
  readonly column?: ColumnNames | undefined;
  /** Columns that match one of these are named by what `*` matches. */
  readonly patterns?: readonly string[] | undefined;
  readonly literal?: Json | undefined;
  readonly words?: ReadonlyMap<string, number> | undefined;
  /** Only these words are values. */
  readonly when?: readonly string[] | undefined;
  /** The number at which a count starts, such as 1 for repeats. */
  readonly from?: number | undefined;
  /** Words of verdicts count as numbers. */
  readonly verdict?: true;
  /**
   * Paths in an item of a list (or object) of scores with names in the data. Without one for the
   * key, an object's keys name the scores, or the position does. If the path of the value is that
   * of the score, a text is a label; an error leaves the item without a score. `pass` is the
   * metric's own verdict, which becomes `<key>.pass`, and `threshold` its limit.
   */
  readonly items?:
    | ({ readonly [part in ItemPart]?: Names } & { readonly score: Names })
    | undefined;
  /** Prefix of every name in a list of scores. */
  readonly prefix?: string | undefined;
}

/** Where the value of one field comes from. */
export interface MappedField {
  /** As written: `inputs.question`, `evaluation_scores.correctness.comment`, `dataset_name`. */
  readonly field: string;
  readonly source: Source;
}

/** A condition on rows: those whose column has (or has not) one of the values are kept. */
export interface RowCondition {
  readonly column: ColumnNames;
  readonly values: readonly string[];
  readonly not: boolean;
}

/** A column that identifies examples, and its name in the identity. */
export interface IdentityPart {
  readonly name: string;
  readonly column: ColumnNames;
}

/** A parsed mapping: request fields on the left, columns (or JSON paths, or literals) on the right. */
export interface Mapping {
  /** Where a JSON document may have its rows: the first path that finds some; empty if the root is the list. */
  readonly rows: readonly string[];
  /** Further lists of rows, such as that of failed cases. */
  readonly moreRows: readonly string[];
  /** Absent: rows are the items of a list. */
  readonly orient: Orientation | undefined;
  readonly where: readonly RowCondition[];
  /** Numbers on a crashed row are scores. */
  readonly scoreErrored: boolean;
  /** For the files of one tool: values stay unchanged, a row may lack any column, snake_case matches camelCase. */
  readonly exact: boolean;
  /** Columns that identify examples; empty: the inputs do. */
  readonly identity: readonly IdentityPart[];
  /** Columns whose numbers are not scores. */
  readonly ignore: readonly string[];
  readonly fields: readonly MappedField[];
}

/** Fields that can also be mapped in parts: `inputs.question`. */
export const OBJECT_FIELDS = [
  "inputs",
  "expected_outputs",
  "actual_outputs",
  "run_metadata",
] as const;

/** A mapping of a list of rows that reads nothing. */
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

/** The same for the values of a list or of lines, or a document as the only one. */
export const VALUES: Mapping = { ...NO_FIELDS, rows: ["[]", "."] };
