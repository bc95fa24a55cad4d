import type { Diagnostic, Position } from "../spec/desired.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { parseYaml } from "../spec/yaml.ts";
import type { YamlEntry, YamlMap, YamlNode } from "../spec/yaml-node.ts";
import {
  DEFAULTS,
  type GateSet,
  isRowFloor,
  type MustPass,
  NONE,
  type ParsedGates,
} from "./gate-set.ts";
import { parseGateLines } from "./rule.ts";
import type { GateRule } from "./gate-rule.ts";

const KEYS = [
  "gates",
  "direction",
  "alpha",
  "proof",
  "floors",
  "cluster_by",
  "must_pass",
  "min_rows",
  "min_overlap",
  "errors",
  "pool",
  "evaluator",
] as const;

const TAG_ALONE = /^(inputs|run_metadata)\.[^\s:=]+$/u;

const TAG = /^(inputs|run_metadata)\.\S/u;

/** Collects problems while a gate file is read. */
interface Reading {
  readonly problems: Diagnostic[];
  readonly addDiagnostic: (at: Position, path: string, message: string) => void;
}

/** Parses a gate file: a YAML mapping with `gates:` and what is next to it. */
export function parseGateFile(text: string, file: string): ParsedGates {
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
    floors: readWord(reading, found.get("floors"), "floors", ["observed", "proven"]),
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
