/** Pictures as Mermaid source, which GitHub and GitLab draw in a report. */

/** A diagram in a fence that is drawn. */
export function inMermaid(lines: readonly string[]): string {
  return ["```mermaid", ...lines, "```"].join("\n");
}

const MAX_LABEL = 40;

/** A name inside a diagram: letters, digits and a few signs that mean nothing there. */
export function toLabel(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} ._/+-]/gu, " ")
    .replace(/-{2,}/g, "-")
    .replace(/\s+/g, " ")
    .trim();
  const short = [...plain].slice(0, MAX_LABEL).join("").trim();
  return short === "" ? "unnamed" : short;
}

/** A chart over named places: lines (the first is what is measured, the others are limits), or bars. */
export interface Chart {
  readonly title: string;
  /** Names of the places along the x-axis. */
  readonly ticks: readonly string[];
  /** What the y-axis counts. */
  readonly axis: string;
  readonly lines?: readonly (readonly number[])[];
  readonly bars?: readonly number[];
}

/** Readable on a light and on a dark page. */
const COLORS = { value: "#0969da", limits: ["#cf222e", "#bc4c00"] } as const;
/** Room above and below a line, as a share of what it spans. */
const MARGIN = 0.1;

/** A chart of lines or bars; empty where there is nothing to draw. */
export function renderChart({ title, ticks, axis, lines = [], bars = [] }: Chart): string {
  const values = [...lines.flat(), ...bars];
  if (ticks.length === 0 || values.length === 0 || !values.every(isDrawable)) return "";
  const [low, high] = spanOf(values, bars.length > 0);
  const palette = [COLORS.value, ...COLORS.limits].slice(0, Math.max(1, lines.length)).join(", ");
  return inMermaid([
    "---",
    "config:",
    "  xyChart: { width: 560, height: 240 }",
    `  themeVariables: { xyChart: { plotColorPalette: "${palette}" } }`,
    "---",
    "xychart-beta",
    `    title "${toLabel(title)}"`,
    `    x-axis [${distinct(ticks).join(", ")}]`,
    `    y-axis "${toLabel(axis)}" ${tidy(low)} --> ${tidy(high)}`,
    ...bars.slice(0, 1).map(() => `    bar [${bars.map(tidy).join(", ")}]`),
    ...lines.map((line) => `    line [${line.map(tidy).join(", ")}]`),
  ]);
}

function spanOf(values: readonly number[], fromZero: boolean): readonly [number, number] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (fromZero) return [0, Math.max(1, most)];
  const room = (most - least) * MARGIN || Math.abs(most) * MARGIN || 1;
  return [least - room, most + room];
}

/** The axis draws one place for two of a name. */
function distinct(ticks: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return ticks.map((tick) => {
    const name = toLabel(tick);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return `"${nth === 1 ? name : `${name} ${nth}`}"`;
  });
}

/** Diagrams know no exponents. */
const isDrawable = (value: number): boolean => Math.abs(value) < 1e15;

function tidy(value: number): string {
  const short = Number(value.toPrecision(6));
  return Math.abs(short) < 1e-6 ? "0" : String(short);
}
