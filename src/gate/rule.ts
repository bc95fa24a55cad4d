import type { Position, Diagnostic } from "../spec/desired.ts";
import { parseMetric } from "./metric.ts";
import { type GateRule, isPercentage } from "./gate-rule.ts";

const UNITS: Readonly<Record<string, number>> = {
  "%": 0.01,
  ms: 0.001,
  s: 1,
  m: 60,
  min: 60,
  h: 3600,
};
const SHAPE = "write `metric >= 0.85`, `metric <= 4s` or `metric drop <= 0.02`";
const LINE =
  /^(?:"([^"]+)"|'([^']+)'|([^"'].*?))(\s+(?:drop|rise))?\s*(>=|<=|=>|=<|==|≥|≤|>|<|=)\s*(.*)$/u;
/** No metric has a longer name; the pattern's time grows with the square of a run of spaces. */
const MAX_RULE_CHARS = 1000;
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)$/iu;

/** The change for the worse that a drop allows, in the metric's own unit. */
export function allowedChange({ threshold, relative }: GateRule, base: number): number {
  return relative ? threshold * Math.abs(base) : threshold;
}

/** Whether a `gate` input contains gate lines rather than the path of a gate file: lines have a comparison. */
export function isInlineGate(text: string): boolean {
  return /[<>≥≤=]|\n/u.test(text.trim());
}

/** A piece of text between commas and line ends, without comment, with its offset in the line. */
interface Segment {
  readonly text: string;
  readonly column: number;
}

/** Up to a comma or comment. A quoted name begins its rule: a quote within a name opens nothing. */
const SEGMENT = /(\s*)((?:"[^"]*"|'[^']*')?(?:[^,#]|(?<=\S)#)*)(,?)/uy;

function segmentsOf(line: string): Segment[] {
  const segments: Segment[] = [];
  SEGMENT.lastIndex = 0;
  for (let isLast = false; !isLast; ) {
    const column = SEGMENT.lastIndex;
    const [, space, text, comma] = SEGMENT.exec(line)!;
    if (text !== "") segments.push({ text: text!.trim(), column: column + space!.length });
    isLast = comma === "";
  }
  return segments;
}

/**
 * Parses gate lines, separated by line breaks or commas; reports all problems at once. `at` is the
 * position of the text; `path` names it in problems. `placeOf` finds a rule of a later line if the
 * text's lines are not those of the file.
 */
export function parseGateLines({
  text,
  at,
  path = "gate",
  placeOf,
}: {
  readonly text: string;
  readonly at: Position;
  readonly path?: string;
  readonly placeOf?: (rule: string) => Position | undefined;
}): { readonly rules: GateRule[]; readonly problems: Diagnostic[] } {
  const rules: GateRule[] = [];
  const problems: Diagnostic[] = [];
  text.split(/\r\n|\r|\n/u).forEach((line, index) => {
    for (const segment of segmentsOf(line)) {
      const column = index === 0 ? at.column + segment.column : segment.column + 1;
      const place = placeOf?.(segment.text) ?? { file: at.file, line: at.line + index, column };
      const rule = parseRule(segment.text, place);
      if (typeof rule === "string")
        problems.push({ ...place, level: "error", path, message: rule });
      else rules.push(rule);
    }
  });
  return { rules, problems };
}

function parseRule(text: string, at: Position): GateRule | string {
  if (/^-\s/u.test(text))
    return `a list item where a gate belongs; write \`gates:\` on the first line and the list below it, or the lines without \`- \``;
  if (text.length > MAX_RULE_CHARS)
    return `\`${text.slice(0, 60)}…\` is longer than the ${MAX_RULE_CHARS} characters of a gate; ${SHAPE}`;
  const match = LINE.exec(text);
  if (!match && /\.ya?ml$/iu.test(text))
    return `\`${text}\` is a gate file, which is given without other lines; put those under its \`gates:\``;
  if (!match)
    return `\`${text}\` is not a valid gate; ${SHAPE}${/^[\d.]+$/u.test(text) ? " (decimals take a point, a comma starts the next gate)" : ""}`;
  const metric = (match[1] ?? match[2] ?? match[3]!).trim();
  const sign = match[5]!;
  const operator = SIGNS[sign] ?? sign;
  if (operator !== ">=" && operator !== "<=" && operator !== ">" && operator !== "<") {
    return `\`${text}\`: ${sign} is not a comparison here; write >= or <=${metric.includes("(") ? ", and quotes around a name that holds it" : ""}`;
  }
  const kind = match[4] === undefined ? "floor" : "drop";
  const threshold = parseThreshold({ raw: match[6]!.trim(), metric, kind, operator, text });
  if (typeof threshold === "string") return threshold;
  if (kind === "drop") {
    if (operator !== "<=" && operator !== "<")
      return `\`${text}\`: a drop has an upper limit; write \`${metric} drop <= …\``;
    if (threshold < 0)
      return `\`${text}\`: an allowed drop is 0 or more, in either direction; write it without the minus`;
    if (metric === "rows")
      return `\`${text}\`: rows have no drop; write \`rows >= …\`, or min_overlap in a gate file`;
  }
  const relative = kind === "drop" && match[6]!.trim().endsWith("%");
  return { metric, kind, operator, threshold, relative, text, at };
}

function inUnit(value: number, unit: string): number {
  if (unit === "") return value;
  return unit === "%" ? value / 100 : value * UNITS[unit]!;
}

/** Other signs that people type for comparisons. */
const SIGNS: Readonly<Record<string, string>> = { "≥": ">=", "≤": "<=" };

function parseThreshold({
  raw,
  metric,
  kind,
  operator,
  text,
}: Pick<GateRule, "metric" | "kind" | "operator"> & {
  readonly raw: string;
  readonly text: string;
}): number | string {
  const match = NUMBER.exec(raw);
  const unit = match?.[2] ?? "";
  if (!match || (unit !== "" && UNITS[unit] === undefined)) {
    return `\`${text}\`: \`${raw}\` is not a valid number; write 0.85, 85%, 4s or 500ms`;
  }
  const { kind: of } = parseMetric(metric);
  if (unit === "%" && kind === "floor" && (of === "latency" || of === "rows")) {
    return `\`${text}\`: a percentage of ${of === "rows" ? "rows" : "a latency"} has no fixed size; write ${of === "rows" ? "a number" : "seconds, such as 0.4s"}`;
  }
  if (unit !== "" && unit !== "%" && of !== "latency" && of !== "score")
    return `\`${text}\`: ${metric} is not a duration; write a plain number`;
  const value = Number(match[1]);
  const threshold = inUnit(value, unit);
  if (!Number.isFinite(threshold)) return `\`${text}\`: \`${raw}\` is too large`;
  const isShare = (of === "error_rate" || of === "pass") && !(unit === "%" && kind === "drop");
  if (isShare && (threshold < 0 || threshold > 1)) {
    const hint =
      unit === "" && isPercentage({ kind, operator, threshold })
        ? `; did you mean ${raw}%?`
        : "; write a number such as 0.02";
    return `\`${text}\`: ${metric} is between 0 and 1${kind === "drop" ? ", and so does its drop" : ""}${hint}`;
  }
  return threshold;
}
