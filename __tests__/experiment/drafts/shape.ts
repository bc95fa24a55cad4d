/** A result file as somebody's own program writes it, and what its author means by it. */
export interface Shape {
  readonly is: string;
  readonly name: string;
  readonly text: string;
  /** What a mapping must read; absent where a person has to decide. */
  readonly means?: {
    readonly rows: number;
    readonly examples: number;
    /** Means by metric, all that there are. */
    readonly metrics: Readonly<Record<string, number>>;
    readonly errors?: number;
  };
  /** What the refusal or a warning has to name, where a person must decide or know. */
  readonly says?: RegExp;
}

export type Means = NonNullable<Shape["means"]>;

const json = (value: unknown): string => JSON.stringify(value, null, 1);

/** A JSON document. */
export const doc = (is: string, value: unknown, means?: Means, says?: RegExp): Shape =>
  shape(is, "results.json", json(value), means, says);

/** A file of lines of JSON. */
export const lines = (is: string, rows: readonly unknown[], means?: Means, says?: RegExp): Shape =>
  shape(is, "results.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""), means, says);

/** A table of comma-separated values; `text` is trimmed. */
export const csv = (is: string, text: string, means?: Means, says?: RegExp): Shape =>
  shape(is, "results.csv", `${text.trim().replace(/^ +/gm, "")}\n`, means, says);

function shape(
  is: string,
  name: string,
  text: string,
  means: Means | undefined,
  says: RegExp | undefined,
): Shape {
  return {
    is,
    name,
    text,
    ...(means === undefined ? {} : { means }),
    ...(says === undefined ? {} : { says }),
  };
}

/** `n` items, made by their position. */
export const many = <Item>(n: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: n }, (_, i) => make(i));

/** 1 for the first `n` of them, then 0. */
export const first = (n: number, i: number): number => (i < n ? 1 : 0);
