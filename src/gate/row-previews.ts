import { createNumbers } from "./numbers.ts";
import type { RowPreview } from "./row.ts";

/** Storage outside memory for texts. */
export interface TextSpill {
  /** Appends bytes; false if there is no room, and then nothing was written. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Fills `into` with the bytes at a position. */
  readonly read: (from: number, into: Uint8Array) => void;
}

const NO_TEXTS: RowPreview = { input: "", expected: "", output: "" };
/** Bytes of texts kept in memory before they are spilled. */
const MAX_KEPT = 256 * 1024;
/** Comments and URLs beyond this many characters in all are not kept in memory. */
const MAX_NOTE_CHARS = 16_000_000;

/** Whether a row has more than its three texts. */
const hasNotes = ({ trace, rerun, comments }: RowPreview): boolean =>
  trace !== undefined || rerun !== undefined || comments !== undefined;

function packTexts(preview: RowPreview): string {
  const { input, expected, output, trace, rerun, comments } = preview;
  if (hasNotes(preview))
    return JSON.stringify([input, expected, output, { trace, rerun, comments }]);
  const isEmpty = input === "" && expected === "" && output === "";
  return isEmpty ? "" : JSON.stringify([input, expected, output]);
}

function unpackTexts(text: string): RowPreview {
  const [input, expected, output, notes] = JSON.parse(text) as [
    string,
    string,
    string,
    Omit<RowPreview, "input" | "expected" | "output">?,
  ];
  return { input, expected, output, ...notes };
}

/**
 * Keeps the texts that a report may show: few, but which ones is known only after all rows were
 * read. One buffer is flushed to `spill` when full: separate strings would take several times as
 * much memory.
 */
export function createRowPreviews(spill: TextSpill | null) {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  let room = spill;
  /** Start of each row's texts; the last entry is the start of the next ones. */
  const starts = createNumbers(Float64Array);
  let count = 0;
  let bytes = new Uint8Array(1024);
  let [spilled, used] = [0, 0];
  let notesLeft = MAX_NOTE_CHARS;
  const padTo = (row: number): void => {
    while (count < row) starts.set(++count, spilled + used);
  };
  const makeRoom = (most: number): void => {
    if (used + most <= bytes.length) return;
    if (room !== null && used > 0 && used + most > MAX_KEPT) {
      if (room.write(bytes.subarray(0, used))) {
        spilled += used;
        used = 0;
        if (most <= bytes.length) return;
      } else room = null;
    }
    const wider = new Uint8Array(used + Math.max(most, used >> 1));
    wider.set(bytes.subarray(0, used));
    bytes = wider;
  };
  const textOf = (preview: RowPreview): string => {
    const text = packTexts(preview);
    const { input, expected, output } = preview;
    if (!hasNotes(preview)) return text;
    if (room === null) notesLeft -= text.length;
    return notesLeft > 0 ? text : packTexts({ input, expected, output });
  };
  const load = (from: number, to: number): Uint8Array => {
    if (from >= spilled) return bytes.subarray(from - spilled, to - spilled);
    const into = new Uint8Array(to - from);
    spill!.read(from, into);
    return into;
  };
  return {
    /** Adds rows in order; a skipped row has no texts. */
    add: (row: number, preview: RowPreview): void => {
      padTo(row);
      const text = textOf(preview);
      makeRoom(3 * text.length);
      if (text !== "") used += encoder.encodeInto(text, bytes.subarray(used)).written;
      starts.set(++count, spilled + used);
    },
    get: (row: number): RowPreview => {
      const [from, to] = [starts.get(row), starts.get(row + 1)];
      return row >= count || from === to ? NO_TEXTS : unpackTexts(decoder.decode(load(from, to)));
    },
  };
}
