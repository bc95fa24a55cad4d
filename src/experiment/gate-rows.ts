import type { GateRow, GateTable, TableFacts } from "../gate/row.ts";
import type { TextSpill } from "../gate/row-previews.ts";
import { createTableBuilder, type TableBuilder } from "../gate/table.ts";
import type { JsonObject } from "../model/json.ts";
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
  readonly toTable: (facts: TableFacts) => GateTable;
}

/** Takes the rows of one experiment as they are read. */
export interface GateRows {
  readonly add: (row: Row, scores: readonly RowScore[], part?: RowGroup) => void;
  /** Whether there are so many rows and metrics that their table may not fit in memory. */
  readonly isTooLarge: () => boolean;
  /** One per part. */
  readonly finish: () => readonly GatheredRows[];
}

const NO_TAGS = {} as const;

/** A gigabyte of numbers: a million rows with a hundred metrics have fewer. */
const MAX_CELLS = 2 ** 27;

/** The part of rows that are not judged separately. */
const WHOLE: RowGroup = { key: "", label: "" };

/** Keeps the rows of each part separately, and their texts in unlinked files. */
export function createGateRows(wanted: RowsWanted, createSpill: () => TextSpill): GateRows {
  const parts = new Map<string, PartRows>();
  const partOf = ({ key, label }: RowGroup): PartRows => {
    let part = parts.get(key);
    if (part === undefined) {
      part = createPartRows(wanted, createSpill(), label);
      parts.set(key, part);
    }
    return part;
  };
  return {
    add: (row, scores, part = WHOLE) => {
      partOf(part).add(row, scores);
    },
    isTooLarge: () => {
      let cells = 0;
      for (const part of parts.values()) cells += part.cells();
      return cells > MAX_CELLS;
    },
    finish: () => {
      if (parts.size === 0) partOf(WHOLE);
      return [...parts.values()].map((part) => part.finish());
    },
  };
}

interface PartRows {
  readonly add: (row: Row, scores: readonly RowScore[]) => void;
  readonly cells: () => number;
  readonly finish: () => GatheredRows;
}

function createPartRows({ tags, crashes }: RowsWanted, spill: TextSpill, part: string): PartRows {
  const builder = createTableBuilder({ tags, spill });
  return {
    add: ({ body, example, duration_s }, scores) => {
      addRow(builder, crashes, {
        example,
        inputs: body.inputs,
        metadata: body.run_metadata,
        scores,
        error: body.error !== undefined,
        latency: duration_s,
        tags: tags?.size === 0 ? NO_TAGS : toTags(body),
        preview: toRowPreview(body),
      });
    },
    cells: builder.cells,
    finish: () => {
      let table: GateTable | undefined;
      return {
        part,
        toTable: (facts) => {
          table ??= builder.finish(facts);
          return { ...table, ...facts };
        },
      };
    },
  };
}

/** A row of a file, or of the service. */
export interface FoundRow extends Pick<GateRow, "error" | "latency" | "tags" | "preview"> {
  readonly example: Buffer;
  readonly inputs: unknown;
  readonly metadata: JsonObject | undefined;
  readonly scores: readonly RowScore[];
}

/** Adds a row to a table; usage stated in its metadata counts unless a score has that name. */
export function addRow(builder: TableBuilder, crashes: NamelessCrashes, row: FoundRow): void {
  const { example, inputs, metadata, scores, error, latency, tags, preview } = row;
  const usage = usageOf(metadata?.["usage"]);
  const isBare = error && scores.length === 0 && usage === undefined;
  builder.add({ example: crashes(example, { inputs, isBare }), error, latency, tags, preview });
  for (const metric in usage) builder.score(metric, usage[metric as keyof Usage]!);
  for (const { key, score } of scores) builder.score(key, score);
}
