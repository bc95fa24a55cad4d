import * as z from "zod/v4";
import type { BetterSide } from "../../gate/direction.ts";
import type { Json } from "../../model/json.ts";
import { NO_DATE_TIME } from "./timestamp.ts";
import type { Usage } from "./usage.ts";

/** The message about a value of another kind, after its path. */
const must = (be: string): { readonly error: (issue: { readonly input?: unknown }) => string } => ({
  error: ({ input }) => (input === undefined ? "is required" : `must be ${be}`),
});
const number = z.number(must("a number"));
const text = z.string(must("a text"));
const FreeObject = z.record(z.string(), z.json(), must("an object"));
const DateTime = z.iso.datetime({
  offset: true,
  error: NO_DATE_TIME,
});
const Name = text.min(1, "must not be empty; leave it out and one is made");
const NOT_EMPTY = "a text that is not empty";
const Category = z.strictObject(
  {
    value: number,
    label: z.string(must(NOT_EMPTY)).min(1, must(NOT_EMPTY)).optional(),
  },
  must("an object with a value"),
);

/** A score as sent (contributing/interface.md, Feedback). */
export const Feedback = z.strictObject({
  key: z.string(must(NOT_EMPTY)).min(1, must(NOT_EMPTY)),
  score: z.number(must("a number; put words in value")).optional(),
  value: text.optional(),
  comment: text.optional(),
  feedback_source: z.looseObject({ type: text }, must("an object with a type")).optional(),
  feedback_config: z
    .strictObject(
      {
        type: z
          .enum(
            ["continuous", "categorical", "freeform"],
            must("continuous, categorical or freeform"),
          )
          .optional(),
        min: number.optional(),
        max: number.optional(),
        categories: z.array(Category, must("a list of objects with a value")).optional(),
      },
      must("an object"),
    )
    .optional(),
  created_at: DateTime.optional(),
  modified_at: DateTime.optional(),
  correction: z.union([z.string(), FreeObject], must("an object or a text")).optional(),
});
export type Feedback = z.infer<typeof Feedback>;

/** One row as sent (contributing/interface.md, Row). */
export const RowBody = z.strictObject({
  row_id: z.guid(),
  inputs: FreeObject,
  expected_outputs: FreeObject.optional(),
  actual_outputs: FreeObject.optional(),
  evaluation_scores: z.array(Feedback).optional(),
  start_time: DateTime,
  end_time: DateTime,
  run_name: z.string().optional(),
  error: z.string().optional(),
  run_metadata: FreeObject.optional(),
});
export type RowBody = z.infer<typeof RowBody>;

/** The request without its rows (contributing/interface.md, Experiment upload request). */
export const HeaderBody = z.strictObject({
  experiment_name: Name,
  experiment_description: text.optional(),
  experiment_start_time: DateTime,
  experiment_end_time: DateTime,
  dataset_id: z.guid("must be a UUID; for a name, use dataset_name").optional(),
  dataset_name: Name.optional(),
  dataset_description: text.optional(),
  experiment_metadata: FreeObject.optional(),
  summary_experiment_scores: z.array(Feedback).optional(),
});
export type HeaderBody = z.infer<typeof HeaderBody>;

/** The whole request. */
export const ExperimentBody = HeaderBody.extend({ results: z.array(RowBody) });
export type ExperimentBody = z.infer<typeof ExperimentBody>;

/** Fields of the request except `results`, in the document's order. */
export const HEADER_FIELDS = Object.keys(HeaderBody.shape) as readonly (keyof HeaderBody)[];
/** Fields of one row, in the document's order. */
export const ROW_FIELDS = Object.keys(RowBody.shape) as readonly (keyof RowBody)[];
/** Fields of one score, in the document's order. */
export const FEEDBACK_FIELDS = Object.keys(Feedback.shape) as readonly (keyof Feedback)[];

/** What a value that is no object is called where the service wants an object. */
export const WRAP_KEYS = {
  inputs: "input",
  expected_outputs: "output",
  actual_outputs: "output",
  run_metadata: "value",
  experiment_metadata: "value",
} as const;

/** A row's position among the file's rows, from 0, and its first line, which is 0 if unknown. */
export interface RowPlace {
  readonly file: string;
  readonly index: number;
  readonly line: number;
}

/** A normalized row, as the upload sends it and the gate judges it. */
export interface Row {
  readonly place: RowPlace;
  readonly body: RowBody;
  /** Which repeat of its example it is, from 0. */
  readonly k: number;
  /** The 16 bytes of the UUIDv5 of the row's identity: the gate's example, even if row ids are given. */
  readonly example: Buffer;
  /** Seconds; null if the file has neither both times nor a duration. */
  readonly duration_s: number | null;
  /** A command that runs the example again, if the file's tool has one. */
  readonly rerun?: string | undefined;
}

/** Rows of one provider and prompt. */
export interface RowGroup {
  readonly key: string;
  /** For people: in messages and names of experiments. */
  readonly label: string;
}

/**
 * A row as found by a reader, unchecked: numbers may be NaN, scores may be words. The rest of the
 * pipeline normalizes it.
 */
export interface ReadRow {
  readonly place: RowPlace;
  /** Rows of different groups are different experiments; absent if a file is one experiment. */
  readonly group?: RowGroup | undefined;
  /** Rows of one experiment that gates judge separately: another provider or prompt. */
  readonly part?: RowGroup | undefined;
  readonly row_id?: unknown;
  /** An example's own id; a UUID becomes the row id of its first run. */
  readonly example_id?: unknown;
  readonly inputs?: unknown;
  /**
   * What identifies its example, if that is not simply its inputs: a sample id, or the inputs
   * without the agent's turns.
   */
  readonly identity?: unknown;
  readonly expected_outputs?: unknown;
  readonly actual_outputs?: unknown;
  readonly evaluation_scores?: unknown;
  readonly start_time?: unknown;
  readonly end_time?: unknown;
  readonly duration_s?: number | undefined;
  readonly run_name?: unknown;
  readonly error?: unknown;
  readonly run_metadata?: unknown;
  /** Cost and tokens; becomes `run_metadata.usage`. */
  readonly usage?: Usage | undefined;
  /** A command that runs its example again; a report shows it, and it is not sent. */
  readonly rerun?: string | undefined;
  /** k, if the file itself counts repeats. */
  readonly repeat?: number | undefined;
  /** What it was read from, if several rows of one example may be a mistake. */
  readonly record?: Readonly<Record<string, unknown>> | undefined;
  /** Names of fields that contributing/interface.md does not have; they are reported and not sent. */
  readonly unknown?: readonly string[];
  /** Names of numbers in the file's record that this row does not use. */
  readonly unread?: readonly string[] | undefined;
}

/** A file's own count of its records; a count that is not a number is ignored. */
export interface Counted {
  /** What is counted: `tests`. */
  readonly what: string;
  readonly all: unknown;
  /** Counts of records that were not run: some writers count them but leave them out of the list. */
  readonly notRun?: readonly unknown[];
  /** What the file has. */
  readonly held: { readonly all: number; readonly run: number };
}

/** Fields of the request, unchecked. */
export type GivenFields = { readonly [field in keyof HeaderBody]?: unknown };

/** What a file says about the whole experiment, unchecked. */
export interface FileHeader {
  /** Request fields as in the file. */
  readonly given?: GivenFields;
  /** The suite's stable name if the file has one (task, eval, description); else the file's name is used. */
  readonly suite?: string | undefined;
  /** The file's own times, for rows without one; not a window that rows must be in. */
  readonly started_at?: unknown;
  readonly isCancelled?: boolean;
  /** Why the file is not a whole run, and so no baseline unless accepted: one sentence for each reason. */
  readonly incomplete?: readonly string[];
  readonly commit?: string | undefined;
  readonly judge?: string | undefined;
  /** The better side of each metric for which the file's own verdicts show it. */
  readonly directions?: ReadonlyMap<string, BetterSide>;
  readonly warnings?: readonly string[];
  /** What was done as asked, which is no reason to look again. */
  readonly notes?: readonly string[];
  /** How to get unread numbers as scores, if no mapping reads the file. */
  readonly unread?: string;
  /** Tests that were not run, which are no rows. */
  readonly skipped?: number;
  /** The file's own counts, if its rows may be fewer. */
  readonly counted?: readonly Counted[];
  /** Summary scores by group, if a file has several experiments. */
  readonly summaries?: ReadonlyMap<string, readonly unknown[]>;
  /** The agent that was run, if the file names one: its model, and its solver where it has one. */
  readonly agent?: string | undefined;
  /** Metadata of the runner (model, configuration), merged under the user's own. */
  readonly metadata?: { readonly [key: string]: Json | undefined } | undefined;
}
