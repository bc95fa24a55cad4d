import type { GateTable, TableFacts } from "../gate/row.ts";
import { createTableBuilder } from "../gate/table.ts";
import type { NamelessCrashes } from "./row-id.ts";
import type { RowSpool } from "./row-spool.ts";
import { toRowPreview, toTags } from "./row-texts.ts";
import type { Row, RowGroup } from "./input/row.ts";

/** What gates want of the rows while they are read. */
export interface RowsWanted {
  /** The fields that gates select rows by; no other is kept. Null keeps all, for messages that name them. */
  readonly tags: ReadonlySet<string> | null;
  /** For all files that are judged together. */
  readonly crashes: NamelessCrashes;
}

/** Rows as gates judge them: columns of numbers, and the texts of few rows out of the spool. */
export interface GatheredRows {
  /** Provider and prompt, where rows of one experiment are judged apart; else empty. */
  readonly part: string;
  readonly toTable: (facts: TableFacts) => GateTable;
}

/** Takes the rows of one experiment while they go into its spool. */
export interface GateRows {
  readonly add: (row: Row, scores: ReadonlyMap<string, number>, part?: RowGroup) => void;
  /** Whether rows and metrics are so many that memory may not hold their table. */
  readonly isTooLarge: () => boolean;
  /** One for each part. */
  readonly finish: () => readonly GatheredRows[];
}

const NO_TAGS = {} as const;

/** A gigabyte of numbers: a million rows of a hundred metrics have less. */
const MAX_CELLS = 2 ** 27;

/** The part of rows that are not judged apart. */
const WHOLE: RowGroup = { key: "", label: "" };

/** Keeps the rows of each part by themselves; a row's texts are read from the spool. */
export function createGateRows(wanted: RowsWanted, spool: RowSpool): GateRows {
  const parts = new Map<string, PartRows>();
  let place = 0;
  const partOf = ({ key, label }: RowGroup): PartRows => {
    let part = parts.get(key);
    if (part === undefined) {
      part = createPartRows(wanted, spool, label);
      parts.set(key, part);
    }
    return part;
  };
  return {
    add: (row, scores, part = WHOLE) => {
      partOf(part).add(place, row, scores);
      place += 1;
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
  readonly add: (place: number, row: Row, scores: ReadonlyMap<string, number>) => void;
  readonly cells: () => number;
  readonly finish: () => GatheredRows;
}

function createPartRows({ tags, crashes }: RowsWanted, spool: RowSpool, part: string): PartRows {
  const builder = createTableBuilder({ tags });
  /** Where each row is in the spool; where no other part has rows, that is its own number. */
  const places: number[] = [];
  return {
    add: (place, { body, example, duration_s }, scores) => {
      const error = body.error !== undefined;
      if (places.length > 0 || place !== builder.size()) places[builder.size()] = place;
      builder.add(
        {
          example: crashes(example, {
            inputs: body.inputs,
            isBare: error && scores.size === 0,
          }),
          error,
          latency: duration_s,
          tags: tags?.size === 0 ? NO_TAGS : toTags(body),
        },
        scores,
      );
    },
    cells: builder.cells,
    finish: () => {
      let table: GateTable | undefined;
      const previewOf = (row: number): ReturnType<typeof toRowPreview> =>
        toRowPreview(spool.bodyAt(places[row] ?? row));
      return {
        part,
        toTable: (facts) => {
          table ??= builder.finish(facts, previewOf);
          return { ...table, ...facts };
        },
      };
    },
  };
}
