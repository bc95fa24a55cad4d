import type { Position, Diagnostic } from "../spec/desired.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { parseYaml, type YamlEntry, type YamlMap, type YamlNode } from "../spec/yaml.ts";
import { parseMetric } from "./metric.ts";
import { parseGateLines, isInlineGate, type GateRule } from "./rule.ts";

/** Rows that must pass whatever the averages say; chosen by tag, judged by counting. */
export interface MustPass {
  /**
   * Tag to accepted values; a row is chosen when every tag has one of its values. No values: any
   * but false, 0 and the empty text.
   */
  readonly select: Readonly<Record<string, readonly string[]>>;
  /** What a row must score, as gate lines; empty: the floors of the gate file, each row by itself. */
  readonly require: readonly GateRule[];
  /** Repeats of an example that must pass; null: all it has. */
  readonly at_least: number | null;
  readonly at: Position;
}

/** What a run is judged by: the parsed `gate` input. */
export interface GateSet {
  readonly rules: readonly GateRule[];
  readonly direction: Readonly<Record<string, "lower" | "higher">>;
  /** Accepted chance of failing an unchanged agent, all gates of the run together. */
  readonly alpha: number;
  /** `detect`: fail on a proven fall; `rule-out`: pass only where a fall beyond the limit is ruled out. */
  readonly proof: "detect" | "rule-out";
  /** Whether new crashes count. */
  readonly errors: "count" | "ignore";
  /** Whether providers and prompts of one file are judged as one. */
  readonly pool: boolean;
  /** Version of what scored the head; null where the file itself tells. */
  readonly evaluator: string | null;
  /** Tag whose equal values share luck (one document, one conversation). */
  readonly cluster_by: string | null;
  readonly must_pass: readonly MustPass[];
  /** Fewest rows of the head that did not error. */
  readonly min_rows: number;
  /** Smallest share of the baseline's examples that the head must have too. */
  readonly min_overlap: number;
  /** Where the set is written, for problems that no single rule has. */
  readonly at: Position;
}

/** Gates, or everything that is wrong with them (exit 2). */
export type ParsedGates =
  | { readonly state: "parsed"; readonly gates: GateSet }
  | { readonly state: "problems"; readonly problems: readonly Diagnostic[] };

/** What a gate file need not say. */
export const DEFAULTS = {
  direction: {},
  alpha: 0.05,
  proof: "detect",
  errors: "count",
  pool: false,
  evaluator: null,
  cluster_by: null,
  must_pass: [],
  min_rows: 1,
  min_overlap: 0.95,
} as const;

const KEYS = [
  "gates",
  "direction",
  "alpha",
  "proof",
  "cluster_by",
  "must_pass",
  "min_rows",
  "min_overlap",
  "errors",
  "pool",
  "evaluator",
] as const;

const NONE =
  "the file holds no gate, so it would pass anything; write `gates:` and the gate lines below it";

const TAG_ALONE = /^(inputs|run_metadata)\.[^\s:=]+$/u;

const TAG = /^(inputs|run_metadata)\.\S/u;

/**
 * Parses the text of the `gate` input, or of the file it names: a YAML mapping is a gate file, anything else is lines.
 * `file` is what problems are placed in.
 */
export function parseGates({
  text,
  file,
}: {
  readonly text: string;
  readonly file: string;
}): ParsedGates {
  return isGateFile(text) ? parseGateFile(text, file) : parseInline(text, file);
}

/** Lines never have a key and a colon at their start; a gate file has nothing else at its margin. */
function isGateFile(text: string): boolean {
  const first = text
    .split(/\r\n|\r|\n/u)
    .find((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  return (
    first !== undefined &&
    (/^\uFEFF?((?:"[\w-]+"|'[\w-]+'|[\w-]+)\s*:(\s|$)|---|\{|%)/u.test(first) ||
      !isInlineGate(text))
  );
}

function parseInline(text: string, file: string): ParsedGates {
  const at = { file, line: 1, column: 1 };
  const listed = listProblem(text, at);
  if (listed !== null) return { state: "problems", problems: [listed] };
  const { rules, problems } = parseGateLines({ text, at });
  if (problems.length > 0) return { state: "problems", problems };
  if (rules.length === 0)
    return {
      state: "problems",
      problems: [{ ...at, level: "error", path: "gates", message: NONE }],
    };
  return { state: "parsed", gates: { ...DEFAULTS, rules, at } };
}

/** A YAML list where the mapping belongs: the lines are right, their place is not. */
function listProblem(text: string, at: Position): Diagnostic | null {
  const lines = text.split(/\r\n|\r|\n/u);
  const first = lines.findIndex((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  if (first < 0 || !/^\s*-\s/u.test(lines[first]!)) return null;
  return {
    ...at,
    line: first + 1,
    level: "error",
    path: "",
    message: `a gate file is a YAML mapping, not a list; write \`gates:\` on the first line and the list below it, such as \`gates: ["${lines[first]!.trim().slice(1).trim()}"]\``,
  };
}

/** Whether a gate is a floor that one row by itself can meet. */
export function isRowFloor({ kind, metric }: GateRule): boolean {
  const of = parseMetric(metric).kind;
  return kind === "floor" && (of === "score" || of === "latency");
}

/** Collects problems while a gate file is read. */
interface Reading {
  readonly problems: Diagnostic[];
  readonly addDiagnostic: (at: Position, path: string, message: string) => void;
}

function parseGateFile(text: string, file: string): ParsedGates {
  const { documents, problems: broken } = parseYaml(text, file);
  if (broken.length > 0) return { state: "problems", problems: broken };
  const problems: Diagnostic[] = [];
  const reading: Reading = {
    problems,
    addDiagnostic: (at, path, message) => problems.push({ ...at, level: "error", path, message }),
  };
  const [root, second] = documents;
  const top = { file, line: 1, column: 1 };
  if (second !== undefined)
    reading.addDiagnostic(
      second.at,
      "",
      "a gate file is one YAML document; put all gates into one",
    );
  if (root?.kind === "map") {
    const gates = readSet(reading, root);
    return problems.length > 0
      ? {
          state: "problems",
          problems: problems.sort((a, b) => a.line - b.line || a.column - b.column),
        }
      : { state: "parsed", gates };
  }
  reading.addDiagnostic(
    root?.at ?? top,
    "",
    "a gate file is a YAML mapping; write `gates:` and the gate lines below it",
  );
  return { state: "problems", problems };
}

function readSet(reading: Reading, root: YamlMap): GateSet {
  const found = new Map<string, YamlNode>();
  for (const { key, keyAt, value } of root.entries) {
    if (!KEYS.some((known) => known === key))
      reading.addDiagnostic(
        keyAt,
        key,
        `unknown key${didYouMean(key, KEYS)}; a gate file takes ${KEYS.join(", ")}`,
      );
    else if (value.kind !== "scalar" || value.value !== null) found.set(key, value);
  }
  const rules = readRules(reading, found.get("gates"), "gates");
  const must = found.get("must_pass");
  const set: GateSet = {
    rules,
    at: root.at,
    direction: readDirection(reading, found.get("direction")),
    alpha: readNumber(reading, found.get("alpha"), {
      path: "alpha",
      fallback: DEFAULTS.alpha,
      fits: (n) => n > 0 && n <= 0.5,
      wants: "a number above 0 and at most 0.5, such as 0.05",
    }),
    proof: readWord(reading, found.get("proof"), "proof", ["detect", "rule-out"]),
    errors: readWord(reading, found.get("errors"), "errors", ["count", "ignore"]),
    pool: readFlag(reading, found.get("pool"), "pool"),
    evaluator: readEvaluator(reading, found.get("evaluator")),
    cluster_by: readTag(reading, found.get("cluster_by")),
    must_pass:
      must === undefined
        ? []
        : (must.kind === "list" ? must.items : [must]).flatMap((node, at) =>
            readMustPass(reading, node, must.kind === "list" ? `must_pass[${at}]` : "must_pass"),
          ),
    min_rows: readNumber(reading, found.get("min_rows"), {
      path: "min_rows",
      fallback: DEFAULTS.min_rows,
      fits: (n) => Number.isSafeInteger(n) && n >= 1,
      wants: "a whole number of rows, 1 or more",
    }),
    min_overlap: readNumber(reading, found.get("min_overlap"), {
      path: "min_overlap",
      fallback: DEFAULTS.min_overlap,
      fits: (n) => n >= 0 && n <= 1,
      wants: "a share between 0 and 1, such as 0.8 or 80%",
    }),
  };
  if (
    rules.length === 0 &&
    must === undefined &&
    !found.has("min_rows") &&
    reading.problems.length === 0
  )
    reading.addDiagnostic(root.at, "gates", NONE);
  const floors = rules.some(isRowFloor);
  for (const item of set.must_pass) {
    if (item.require.length === 0 && !floors)
      reading.addDiagnostic(
        item.at,
        "must_pass",
        "there is no floor for its rows to meet; add `require: correctness >= 1`",
      );
  }
  return set;
}

function readRules(reading: Reading, node: YamlNode | undefined, path: string): GateRule[] {
  if (node === undefined) return [];
  const items = node.kind === "list" ? node.items : [node];
  return items.flatMap((item, at) => {
    const here = node.kind === "list" ? `${path}[${at}]` : path;
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      reading.addDiagnostic(item.at, here, "takes gate lines; write `- correctness >= 0.85`");
      return [];
    }
    const locate = item.locate;
    const { rules, problems } = parseGateLines({
      text: item.value,
      at: item.at,
      path: here,
      placeOf: (rule) => locate?.(rule),
    });
    reading.problems.push(...problems);
    return rules;
  });
}

function readDirection(
  reading: Reading,
  node: YamlNode | undefined,
): Record<string, "lower" | "higher"> {
  const direction: Record<string, "lower" | "higher"> = {};
  if (node === undefined) return direction;
  if (node.kind !== "map") {
    reading.addDiagnostic(node.at, "direction", "takes a mapping; write `hallucination: lower`");
    return direction;
  }
  for (const { key, value } of node.entries) {
    const word = value.kind === "scalar" ? value.value : null;
    if (word === "lower" || word === "higher") direction[key] = word;
    else
      reading.addDiagnostic(
        value.at,
        `direction.${key}`,
        "takes lower or higher, the side that is better",
      );
  }
  return direction;
}

function readNumber(
  reading: Reading,
  node: YamlNode | undefined,
  field: {
    readonly path: string;
    readonly fallback: number;
    readonly fits: (value: number) => boolean;
    readonly wants: string;
  },
): number {
  if (node === undefined) return field.fallback;
  const raw = node.kind === "scalar" ? node.value : null;
  const share = typeof raw === "string" ? /^(\d+(?:\.\d+)?)\s*%$/u.exec(raw) : null;
  const value = share ? Number(share[1]) / 100 : raw;
  if (typeof value === "number" && field.fits(value)) return value;
  reading.addDiagnostic(node.at, field.path, `takes ${field.wants}`);
  return field.fallback;
}

/** One of some words; the first is the default. */
function readWord<W extends string>(
  reading: Reading,
  node: YamlNode | undefined,
  path: string,
  words: readonly [W, ...W[]],
): W {
  const value = node?.kind === "scalar" ? node.value : undefined;
  const found = words.find((word) => word === value);
  if (node !== undefined && found === undefined)
    reading.addDiagnostic(node.at, path, `takes ${words.join(" or ")}`);
  return found ?? words[0];
}

function readFlag(reading: Reading, node: YamlNode | undefined, path: string): boolean {
  if (node === undefined) return false;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  reading.addDiagnostic(node.at, path, "takes true or false");
  return false;
}

function readEvaluator(reading: Reading, node: YamlNode | undefined): string | null {
  if (node === undefined) return null;
  const value = node.kind === "scalar" ? node.value : null;
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  reading.addDiagnostic(node.at, "evaluator", "takes a version, such as judge-2026-11");
  return null;
}

function readTag(reading: Reading, node: YamlNode | undefined): string | null {
  if (node === undefined) return null;
  const value = node.kind === "scalar" ? node.value : null;
  if (typeof value === "string" && TAG.test(value)) return value;
  reading.addDiagnostic(
    node.at,
    "cluster_by",
    "takes one field of the rows; write inputs.x or run_metadata.x",
  );
  return null;
}

function readMustPass(reading: Reading, node: YamlNode, path: string): MustPass[] {
  if (node.kind === "scalar" && typeof node.value === "string" && TAG_ALONE.test(node.value))
    return [{ select: { [node.value]: [] }, require: [], at_least: null, at: node.at }];
  if (node.kind !== "map") {
    reading.addDiagnostic(
      node.at,
      path,
      "takes a mapping, or the field that marks the rows; write `run_metadata.tier: critical` or `run_metadata.critical`",
    );
    return [];
  }
  const select: Record<string, string[]> = {};
  let require: GateRule[] = [];
  let atLeast: number | null = null;
  for (const entry of node.entries) {
    const here = `${path}.${entry.key}`;
    if (entry.key === "require") require = readRequired(reading, entry.value, here);
    else if (entry.key === "at_least") {
      atLeast = readNumber(reading, entry.value, {
        path: here,
        fallback: 1,
        fits: (n) => Number.isSafeInteger(n) && n >= 1,
        wants: "a whole number of repeats, 1 or more",
      });
    } else if (TAG.test(entry.key)) select[entry.key] = readValues(reading, entry, here);
    else
      reading.addDiagnostic(
        entry.keyAt,
        here,
        `unknown key${didYouMean(entry.key, ["require", "at_least"])}; choose rows by inputs.x or run_metadata.x, and add require or at_least`,
      );
  }
  if (Object.keys(select).length === 0)
    reading.addDiagnostic(
      node.at,
      path,
      "chooses no rows; write `run_metadata.tier: critical` or `inputs.id: [a, b]`",
    );
  return [{ select, require, at_least: atLeast, at: node.at }];
}

function readRequired(reading: Reading, node: YamlNode, path: string): GateRule[] {
  const rules = readRules(reading, node, path);
  for (const rule of rules) {
    if (!isRowFloor(rule)) {
      reading.addDiagnostic(
        rule.at,
        path,
        `\`${rule.text}\` is nothing that one row can meet; write \`correctness >= 1\``,
      );
    }
  }
  return rules;
}

function readValues(reading: Reading, { value }: YamlEntry, path: string): string[] {
  const nodes = value.kind === "list" ? value.items : [value];
  const values = nodes.flatMap((node) =>
    node.kind === "scalar" && node.value !== null ? [String(node.value)] : [],
  );
  if (values.length === 0 || values.length < nodes.length)
    reading.addDiagnostic(value.at, path, "takes a value or a list of values; write `[a, b]`");
  return values;
}
