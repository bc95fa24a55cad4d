import type { GateRow, GateTable } from "../gate/row.ts";
import type { TextSpill } from "../gate/row-previews.ts";
import { createTableBuilder, type TableBuilder } from "../gate/table.ts";
import type { JsonObject } from "../model/json.ts";
import { refusal } from "./input/diagnostic.ts";
import type { NamelessCrashes } from "./row-id.ts";
import type { RowScore } from "./row-notes.ts";
import { toRowPreview, toTags } from "./row-texts.ts";
import type { Row, RowGroup } from "./input/row.ts";
import { type Usage, usageOf } from "./input/usage.ts";

/** What gates need from the rows while they are read. */
export interface RowsWanted {
  /** The fields that gates select rows by; only these are kept. Null keeps all, for messages that name them. */
  readonly tags: ReadonlySet<string> | null;
  /** For all files that are judged together. */
  readonly crashes: NamelessCrashes;
}

/** Rows as gates judge them: columns of numbers, and texts that are kept out of memory. */
export interface GatheredRows {
  /** Provider and prompt, if rows of one experiment are judged separately; else empty. */
  readonly part: string;
  /** Says nothing about its file. */
  readonly table: GateTable;
}

/** A gigabyte of numbers: a million rows with a hundred metrics have fewer. */
const MAX_CELLS = 2 ** 27;

/** The part of rows that are not judged separately. */
const WHOLE: RowGroup = { key: "", label: "" };

/** Facts of a table whose file is not known. */
export const NO_FACTS = {
  file: "",
  state: "complete",
  commit: null,
  created_at: null,
  judge: null,
} as const;

/**
 * Takes the rows of one experiment as they are read, and keeps those of each part separately, with
 * their texts in unlinked files.
 */
export function createGateRows(wanted: RowsWanted, createSpill: () => TextSpill) {
  const parts = new Map<string, { readonly label: string; readonly builder: TableBuilder }>();
  let cells = 0;
  const builderOf = ({ key, label }: RowGroup): TableBuilder => {
    const known = parts.get(key);
    if (known !== undefined) return known.builder;
    const builder = createTableBuilder({ tags: wanted.tags, spill: createSpill() });
    parts.set(key, { label, builder });
    return builder;
  };
  return {
    /** Throws a refusal if there are so many rows and metrics that their table may not fit in memory. */
    add: (
      { place, body, example, duration_s, rerun }: Row,
      scores: readonly RowScore[],
      part = WHOLE,
    ): void => {
      const builder = builderOf(part);
      cells -= builder.cells();
      addRow(builder, wanted, {
        example,
        inputs: body.inputs,
        metadata: body.run_metadata,
        scores,
        error: body.error !== undefined,
        latency: duration_s,
        preview: toRowPreview(body, rerun),
      });
      cells += builder.cells();
      if (cells > MAX_CELLS)
        throw refusal(
          place,
          // Almost always a metric's name contains an id, so that every row adds its own metrics.
          `by row ${place.index + 1} the file names more metrics than a gate can hold for as many rows; ` +
            "give a metric the same name on every row, without an id in it",
        );
    },
    finish: (): GatheredRows[] => {
      if (parts.size === 0) builderOf(WHOLE);
      return Array.from(parts.values(), ({ label, builder }) => ({
        part: label,
        table: builder.finish(NO_FACTS),
      }));
    },
  };
}

/** A row of a file, or of the service. */
export interface FoundRow extends Pick<GateRow, "error" | "latency" | "preview"> {
  readonly example: Buffer;
  readonly inputs: JsonObject;
  readonly metadata: JsonObject | undefined;
  readonly scores: readonly RowScore[];
}

const NO_TAGS = {} as const;

/** Adds a row to a table; usage stated in its metadata counts unless a score has that name. */
export function addRow(builder: TableBuilder, { tags, crashes }: RowsWanted, row: FoundRow): void {
  const { example, inputs, metadata, scores, error, latency, preview } = row;
  const usage = usageOf(metadata?.["usage"]);
  const isBare = error && scores.length === 0 && usage === undefined;
  builder.add({
    example: crashes(example, { inputs, isBare }),
    error,
    latency,
    tags: tags?.size === 0 ? NO_TAGS : toTags(inputs, metadata),
    preview,
  });
  for (const metric in usage) builder.score(metric, usage[metric as keyof Usage]!);
  for (const { key, score } of scores) builder.score(key, score);
}
