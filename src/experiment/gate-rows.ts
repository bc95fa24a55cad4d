import type { GateRow, GateTable, RowPreview, TableFacts } from "../gate/row.ts";
import type { TextSpill } from "../gate/row-previews.ts";
import { createTableBuilder } from "../gate/table.ts";
import type { RowSource, RowTexts } from "./formats/format.ts";
import { named, type NamelessCrashes } from "./nameless-crash.ts";
import type { NormalRow } from "./normal-row.ts";
import type { PlainRow } from "./row-scan.ts";
import type { ReadRow, RowGroup } from "./row.ts";
import { rowScores } from "./score-means.ts";
import { toRowPreview, toTags } from "./scores.ts";
import { withUsage } from "./usage.ts";

/** What gates want of the rows while they are read for the first time. */
export interface RowsWanted {
  /** The fields that gates select rows by; no other is kept. */
  readonly tags: ReadonlySet<string>;
  /** Where texts go that memory is not to hold. */
  readonly spill: () => TextSpill;
  /** For all files that are judged together. */
  readonly crashes: NamelessCrashes;
}

/** Rows as gates judge them, kept during the first pass. */
export interface GatheredRows {
  /** Provider and prompt, where rows of one experiment are judged apart; else empty. */
  readonly part: string;
  readonly tags: ReadonlySet<string>;
  readonly toTable: (facts: TableFacts) => GateTable;
}

/** Takes the rows of one experiment beside the first pass. */
export interface GateRows {
  readonly addPlain: (row: PlainRow, batch: RowTexts, n: number) => void;
  readonly add: (normal: NormalRow, example: Uint8Array, part?: RowGroup) => void;
  /** Whether rows and metrics are so many that memory may not hold their table. */
  readonly isTooLarge: () => boolean;
  /** One for each part. */
  readonly finish: (source: RowSource) => readonly GatheredRows[];
}

const NO_TAGS = {} as const;

/** A gigabyte of numbers: a million rows of a hundred metrics have less. */
const MAX_CELLS = 2 ** 27;

/** Keeps the rows of each part by themselves. */
export function createGateRows(wanted: RowsWanted): GateRows {
  const parts = new Map<string, PartRows>();
  const partOf = ({ key, label }: RowGroup): PartRows => {
    let part = parts.get(key);
    if (part === undefined) {
      part = createPartRows(wanted, label);
      parts.set(key, part);
    }
    return part;
  };
  return {
    addPlain: (row, batch, n) => partOf(WHOLE).addPlain(row, batch, n),
    add: (normal, example, part = WHOLE) => partOf(part).add(normal, example),
    isTooLarge: () => [...parts.values()].reduce((sum, part) => sum + part.cells(), 0) > MAX_CELLS,
    finish: (source) => {
      if (parts.size === 0) partOf(WHOLE);
      return [...parts.values()].map((part) => part.finish(source));
    },
  };
}

/** The part of rows that are not judged apart. */
const WHOLE: RowGroup = { key: "", label: "" };

interface PartRows {
  readonly addPlain: GateRows["addPlain"];
  readonly add: (normal: NormalRow, example: Uint8Array) => void;
  readonly cells: () => number;
  readonly finish: (source: RowSource) => GatheredRows;
}

/** Keeps numbers and fields; the texts of a row that can be read again by its place are left where they are. */
function createPartRows({ tags, spill, crashes }: RowsWanted, part: string): PartRows {
  const builder = createTableBuilder({ tags, spill: spill() });
  const places = createPlaces();
  const tagsOf = (row: Parameters<typeof toTags>[0]): Record<string, string> =>
    tags.size === 0 ? NO_TAGS : toTags(row);
  return {
    addPlain: (row, batch, n) => {
      const { failed: error, startUs, endUs, scores } = row;
      const isBare = error && scores.count === 0;
      const example = (isBare ? crashes.nameOf(batch.read(n).inputs) : null) ?? row.example;
      const at = batch.texts[n]!.at;
      const latency = (endUs - startUs) / 1e6;
      const read = at === undefined || tags.size > 0 ? batch.read(n) : null;
      const found = read === null ? NO_TAGS : tagsOf(read as Parameters<typeof toTags>[0]);
      if (at !== undefined) {
        places.add(builder.size(), at, batch.texts[n]!.bytes.length);
        builder.addScores({ example, error, latency, tags: found }, scores);
        return;
      }
      builder.addScores({ example, error, latency, tags: found }, scores, previewOf(read!));
    },
    add: ({ content, durationUs }, example) => {
      const row: GateRow = {
        example,
        error: content.error !== undefined,
        latency: durationUs === null ? null : durationUs / 1e6,
        tags: tagsOf(content),
        scores: toScores(
          withUsage(rowScores(content.evaluation_scores ?? []), content.run_metadata),
        ),
        preview: toRowPreview(content),
      };
      builder.add(named(row, content.inputs, crashes));
    },
    cells: builder.cells,
    finish: (source) => {
      let table: GateTable | undefined;
      const look = (row: number): RowPreview | null => {
        const place = places.get(row);
        if (place === null) return null;
        const read = source.readAt?.(place.from, place.bytes) ?? null;
        return read === null ? null : previewOf(read);
      };
      return {
        part,
        tags,
        toTable: (facts) => {
          table ??= builder.finish(facts, look);
          return { ...table, ...facts };
        },
      };
    },
  };
}

function previewOf(read: ReadRow): RowPreview {
  return toRowPreview(read as Parameters<typeof toRowPreview>[0]);
}

/** Plain assignment gives all rows one shape, which is many times faster than a new one for each. */
function toScores(found: ReadonlyMap<string, number>): Record<string, number> {
  const scores: Record<string, number> = {};
  for (const [key, score] of found) {
    if (key === "__proto__") Object.defineProperty(scores, key, { value: score, enumerable: true });
    else scores[key] = score;
  }
  return scores;
}

/** Where rows stand in their file, by row; most files have a place for every row. */
function createPlaces(): {
  readonly add: (row: number, from: number, bytes: number) => void;
  readonly get: (row: number) => { readonly from: number; readonly bytes: number } | null;
} {
  let begins = new Float64Array(1024);
  let lengths = new Uint32Array(1024);
  return {
    add: (row, from, bytes) => {
      if (row >= begins.length) {
        const size = Math.max(row + 1, Math.ceil(1.5 * begins.length));
        const [wider, longer] = [new Float64Array(size), new Uint32Array(size)];
        wider.set(begins);
        longer.set(lengths);
        [begins, lengths] = [wider, longer];
      }
      begins[row] = from;
      lengths[row] = bytes;
    },
    get: (row) =>
      row >= lengths.length || lengths[row] === 0
        ? null
        : { from: begins[row]!, bytes: lengths[row]! },
  };
}
