/** Pictures as Mermaid source, which GitHub and GitLab render. */

/** A diagram in a fence that is rendered. */
export function inMermaid(lines: readonly string[]): string {
  return ["```mermaid", ...lines, "```"].join("\n");
}

const MAX_LABEL = 40;

/** A name within a diagram, without characters that have a meaning there. */
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

/** A chart over named points: lines (the first is the measurement, the others limits), or bars. */
export interface Chart {
  readonly title: string;
  /** Names of the points along the x-axis. */
  readonly ticks: readonly string[];
  /** Label of the y-axis. */
  readonly axis: string;
  readonly lines?: readonly (readonly number[])[];
  readonly bars?: readonly number[];
}

/** Readable on light and dark pages. */
const COLORS = { value: "#0969da", limits: ["#cf222e", "#bc4c00"] } as const;
/** Margin above and below a line, as a share of its range. */
const MARGIN = 0.1;

/** A line or bar chart; empty if there is nothing to draw. */
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

/** Makes names distinct: the axis would draw two equal ones at one point. */
function distinct(ticks: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return ticks.map((tick) => {
    const name = toLabel(tick);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return `"${nth === 1 ? name : `${name} ${nth}`}"`;
  });
}

/** Mermaid does not understand exponents. */
const isDrawable = (value: number): boolean => Math.abs(value) < 1e15;

function tidy(value: number): string {
  const short = Number(value.toPrecision(6));
  return Math.abs(short) < 1e-6 ? "0" : String(short);
}
