import { plural } from "../model/count-words.ts";
import { renderBytes, spoolOf } from "./row-spool.ts";
import type { Experiment } from "./experiment.ts";
import { ROW_FIELDS, type RowBody } from "./input/row.ts";
import { changeTexts, createTrim, CUT_FIELDS, type DropRule } from "./exclusion.ts";

/** Clients of the service keep to 20 to 25 MB; if less was refused, aim at half of it. */
const AIM_BYTES = 20e6;
/** Lengths at which a cut is proposed, in characters. */
const LENGTHS: readonly number[] = [64_000, 32_000, 16_000, 8_000, 4_000, 2_000, 1_000, 500];
/** How many bytes the mark of a cut text adds. */
const MARK_BYTES = 60;

/** What a field takes, and what cutting its texts would save, by the index of the length in LENGTHS. */
interface Weight {
  readonly field: keyof RowBody;
  bytes: number;
  readonly saved: number[];
  readonly texts: number[];
}

type Weighed = Pick<Experiment, "spool">;

/** Parses all rows again, so it is used only if the service refused the size. */
function measureFields(experiment: Weighed, rules: readonly DropRule[]): readonly Weight[] {
  const trim = createTrim(rules);
  const weights = ROW_FIELDS.map((field): Weight => {
    const [saved, texts] = [LENGTHS.map(() => 0), LENGTHS.map(() => 0)];
    return { field, bytes: 0, saved, texts };
  });
  for (const bodies of spoolOf(experiment).bodies())
    for (const body of bodies.map(trim.apply))
      for (const weight of weights) {
        const value = body[weight.field];
        if (value === undefined) continue;
        weight.bytes += Buffer.byteLength(JSON.stringify(value)) + weight.field.length + 4;
        changeTexts(weight.field, value, (text) => {
          addText(weight, text);
          return text;
        });
      }
  return weights.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
}

function addText({ saved, texts }: Weight, text: string): void {
  const bytes = Buffer.byteLength(text);
  for (const [n, length] of LENGTHS.entries()) {
    if (text.length <= length) continue;
    const less = Math.floor((bytes * (text.length - length)) / text.length) - MARK_BYTES;
    if (less <= 0) continue;
    saved[n]! += less;
    texts[n]! += 1;
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
function chooseCut(weights: readonly Weight[], total: number, aim: number): Cut | null {
  let cut: Cut | null = null;
  for (const [n, length] of LENGTHS.entries()) {
    const lines: string[] = [];
    let [left, texts] = [total, 0];
    const useful = weights
      .filter(({ field, saved }) => CUT_FIELDS.includes(field) && saved[n]! > total / 100)
      .sort((a, b) => b.saved[n]! - a.saved[n]!)
      .sort((a, b) => Number(a.field === "inputs") - Number(b.field === "inputs"));
    for (const { field, saved, texts: all } of useful) {
      if (left <= aim) break;
      lines.push(`${field}:${length}`);
      left -= saved[n]!;
      texts += all[n]!;
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
export function renderSizePlan(experiment: Weighed, rules: readonly DropRule[]): string {
  const weights = measureFields(experiment, rules);
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const heaviest = weights
    .slice(0, 4)
    .map(
      ({ field, bytes }) =>
        `${field} ${renderBytes(bytes)} (${Math.round((100 * bytes) / total)} %)`,
    )
    .join(", ");
  const line = (...more: readonly string[]): string =>
    `\`drop: ${[...rules.map(({ entry }) => entry), ...more].join(", ")}\``;
  const ways: string[] = [];
  const metadata = weights.find(({ field }) => field === "run_metadata");
  if (metadata !== undefined)
    ways.push(`${line("run_metadata")} (leaves ${renderBytes(total - metadata.bytes)})`);
  const cut = chooseCut(weights, total, total > AIM_BYTES ? AIM_BYTES : total / 2);
  if (cut !== null)
    ways.push(
      `${line(...cut.lines)} (cuts ${plural(cut.texts, "text")}, each with a visible mark, and leaves about ${renderBytes(cut.left)})`,
    );
  const advice =
    ways.length === 0
      ? "no text is long enough to be cut: split the file"
      : `write ${ways.join(" or ")}`;
  return `the rows weigh ${renderBytes(total)}: ${heaviest}; ${advice}; clients of the service keep to 20 to 25 MB`;
}
