import { renderBytes, spoolOf } from "./row-spool.ts";
import type { Experiment } from "./experiment.ts";
import { ROW_FIELDS, type RowBody } from "./input/row.ts";
import { changeLeaves } from "./input/scored.ts";
import { createTrim, type DropRule } from "./exclusion.ts";

/** Clients of the service keep to 20 to 25 MB; if less was refused, aim at half of it. */
const AIM_BYTES = 20e6;
/** Lengths at which a cut is proposed, in characters. */
const LENGTHS: readonly number[] = [64_000, 32_000, 16_000, 8_000, 4_000, 2_000, 1_000, 500];
/** How many bytes the mark of a cut text adds. */
const MARK_BYTES = 60;
/** How many places are distinguished at most: rows may have their own keys. */
const MAX_PLACES = 1_000;

/** A place of long texts, and what a cut there would save, by the index of its length in LENGTHS. */
interface Place {
  readonly path: string;
  readonly saved: number[];
  readonly texts: number[];
}

interface Weights {
  readonly total: number;
  readonly fields: readonly { readonly field: keyof RowBody; readonly bytes: number }[];
  readonly places: readonly Place[];
}

/** Parses all rows again, so it is used only if the service refused the size. */
function measureFields(experiment: Experiment, rules: readonly DropRule[]): Weights {
  const trim = createTrim(rules);
  const fields = new Map<keyof RowBody, number>();
  const places = new Map<string, Place>();
  const weigh = (body: RowBody): void => {
    for (const field of ROW_FIELDS) {
      const value = body[field];
      if (value === undefined) continue;
      fields.set(
        field,
        (fields.get(field) ?? 0) + Buffer.byteLength(JSON.stringify(value)) + field.length + 4,
      );
      if (field === "error") addTexts(places, field, value);
      else if (typeof value === "object" && !Array.isArray(value))
        for (const [name, below] of Object.entries(value))
          addTexts(places, `${field}.${name}`, below);
    }
  };
  for (const bodies of spoolOf(experiment).bodies())
    for (const body of bodies) weigh(trim.apply(body));
  const sorted = [...fields]
    .map(([field, bytes]) => ({ field, bytes }))
    .sort((a, b) => b.bytes - a.bytes);
  return {
    total: sorted.reduce((sum, { bytes }) => sum + bytes, 0),
    fields: sorted,
    places: [...places.values()],
  };
}

function addTexts(places: Map<string, Place>, path: string, value: unknown): void {
  changeLeaves(value, (leaf) => {
    if (typeof leaf === "string") addText(places, path, leaf);
    return leaf;
  });
}

function addText(places: Map<string, Place>, path: string, text: string): void {
  if (text.length <= LENGTHS.at(-1)! + MARK_BYTES) return;
  let place = places.get(path);
  if (place === undefined) {
    // A name that the input could not contain (a comma splits it, a colon ends it) is not proposed.
    if (places.size === MAX_PLACES || /[,:\n]/.test(path)) return;
    place = { path, saved: LENGTHS.map(() => 0), texts: LENGTHS.map(() => 0) };
    places.set(path, place);
  }
  const bytes = Buffer.byteLength(text);
  for (const [n, length] of LENGTHS.entries()) {
    const saved = Math.floor(bytes * (1 - length / text.length)) - MARK_BYTES;
    if (saved <= 0) continue;
    place.saved[n]! += saved;
    place.texts[n]! += 1;
  }
}

interface Cut {
  readonly lines: readonly string[];
  readonly texts: number;
  readonly left: number;
}

/**
 * The mildest cut below the aim, in as few fields as possible, inputs last; else the hardest one.
 * Null if nothing is long.
 */
function chooseCut({ total, places }: Weights, aim: number): Cut | null {
  const isInput = ({ path }: Place): boolean => path.startsWith("inputs.");
  let cut: Cut | null = null;
  for (const [n, length] of LENGTHS.entries()) {
    const lines: string[] = [];
    let [left, texts] = [total, 0];
    const useful = places
      .filter(({ saved }) => saved[n]! > total / 100)
      .sort((a, b) => Number(isInput(a)) - Number(isInput(b)) || b.saved[n]! - a.saved[n]!);
    for (const place of useful) {
      if (left <= aim) break;
      lines.push(`${place.path}:${length}`);
      left -= place.saved[n]!;
      texts += place.texts[n]!;
    }
    if (lines.length > 0) cut = { lines, texts, left };
    if (cut !== null && left <= aim) break;
  }
  return cut;
}

/**
 * What to do about a body that is too large: the largest fields, and the lines to write, each with
 * the resulting size.
 */
export function renderSizePlan(experiment: Experiment, rules: readonly DropRule[]): string {
  const weights = measureFields(experiment, rules);
  const { total, fields } = weights;
  const heaviest = fields
    .slice(0, 4)
    .map(
      ({ field, bytes }) =>
        `${field} ${renderBytes(bytes)} (${Math.round((100 * bytes) / Math.max(1, total))} %)`,
    )
    .join(", ");
  const line = (...more: readonly string[]): string =>
    `\`drop: ${[...rules.map(({ entry }) => entry), ...more].join(", ")}\``;
  const metadata = fields.find(({ field }) => field === "run_metadata");
  const cut = chooseCut(weights, total > AIM_BYTES ? AIM_BYTES : total / 2);
  const ways = [
    ...(metadata === undefined
      ? []
      : [`${line("run_metadata")} (leaves ${renderBytes(total - metadata.bytes)})`]),
    ...(cut === null
      ? []
      : [
          `${line(...cut.lines)} (cuts ${cut.texts === 1 ? "1 text" : `${cut.texts} texts`}, each with a visible mark, and leaves about ${renderBytes(cut.left)})`,
        ]),
  ];
  const advice =
    ways.length === 0
      ? "no text is long enough to be cut: split the file"
      : `write ${ways.join(" or ")}`;
  return `the rows weigh ${renderBytes(total)}: ${heaviest}; ${advice}; clients of the service keep to 20 to 25 MB`;
}
