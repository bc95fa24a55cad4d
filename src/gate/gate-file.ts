import type { Diagnostic, Position } from "../spec/desired.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { parseYaml } from "../spec/yaml.ts";
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from "../spec/yaml-node.ts";
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

/** Pattern of a row's field, by itself and at the start of a text, for editors and this reader. */
const [TAG_ALONE, TAG] = [
  /^(inputs|run_metadata)\.[^\s:=]+$/u,
  /^(inputs|run_metadata)\.\S/u,
] as const;

/** Collects problems while a gate file is read. */
interface Reading {
  readonly problems: Diagnostic[];
  readonly addDiagnostic: (at: Position, path: string, message: string) => void;
}

/** One key of a gate file: how to read its value (undefined if it is wrong), and its schema for editors. */
interface Field<T> {
  readonly read: (reading: Reading, node: YamlNode, path: string) => T | undefined;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A key with a plain value; `take` receives null for a list or mapping. */
function scalar<T>(
  wants: string,
  take: (value: YamlScalar["value"]) => T | undefined,
  schema: Field<T>["schema"],
): Field<T> {
  const read: Field<T>["read"] = (reading, node, path) => {
    const value = take(node.kind === "scalar" ? node.value : null);
    if (value === undefined) reading.addDiagnostic(node.at, path, `takes ${wants}`);
    return value;
  };
  return { read, schema };
}

function oneOf<W extends string>(words: readonly W[], description: string): Field<W> {
  return scalar(words.join(" or "), (value) => words.find((word) => word === value), {
    enum: words,
    default: words[0],
    description,
  });
}

/** A number, or a percentage. */
function number(
  wants: string,
  fits: (value: number) => boolean,
  schema: Field<number>["schema"],
): Field<number> {
  const take = (raw: YamlScalar["value"]): number | undefined => {
    const share = typeof raw === "string" ? /^(\d+(?:\.\d+)?)\s*%$/u.exec(raw) : null;
    const value = share ? Number(share[1]) / 100 : raw;
    return typeof value === "number" && fits(value) ? value : undefined;
  };
  return scalar(wants, take, schema);
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

const LINES = {
  description:
    "Gate lines, such as `correctness >= 0.85`, `latency_p95 <= 4s` or `correctness drop <= 0.02`.",
  oneOf: [{ type: "string" }, { type: "array", items: { type: "string", pattern: "[<>≥≤]" } }],
};
const VALUE = { type: ["string", "number", "boolean"] };
const MARKED = {
  type: "string",
  pattern: TAG_ALONE.source,
  description: "Field that marks the rows: any value but false, 0 and the empty text.",
};
const AT_LEAST = number("a whole number of repeats, 1 or more", isCount, {
  type: "integer",
  minimum: 1,
  description: "Repeats of an example that must pass; default: all.",
});
const MUST_PASS = {
  type: "object",
  minProperties: 1,
  additionalProperties: false,
  properties: {
    require: {
      ...LINES,
      description: "What each row must score; default: the floors in `gates`.",
    },
    at_least: AT_LEAST.schema,
  },
  patternProperties: {
    [TAG.source]: { oneOf: [VALUE, { type: "array", items: VALUE, minItems: 1 }] },
  },
};

/** Every key, by the field of the gate set that it fills. */
const FIELDS: { readonly [K in keyof Omit<GateSet, "rules" | "at">]: Field<GateSet[K]> } & {
  readonly gates: Field<readonly GateRule[]>;
} = {
  gates: { read: readRules, schema: LINES },
  direction: {
    read: readDirection,
    schema: {
      type: "object",
      additionalProperties: { enum: ["lower", "higher"] },
      description: "Which side is better, by metric.",
    },
  },
  // With more, an unchanged agent would fail more often than it passes.
  alpha: number("a number above 0 and at most 0.5, such as 0.05", (n) => n > 0 && n <= 0.5, {
    type: "number",
    exclusiveMinimum: 0,
    maximum: 0.5,
    default: DEFAULTS.alpha,
    description: "Accepted chance of failing an unchanged agent, all drops of the run together.",
  }),
  proof: oneOf(
    ["detect", "rule-out"],
    "detect: fail on a proven fall. rule-out: pass only where a fall beyond the limit is ruled out.",
  ),
  floors: oneOf(
    ["observed", "proven"],
    "observed: the score of this run decides about a floor. proven: fail only where it is surely missed.",
  ),
  cluster_by: scalar(
    "one field of the rows; write inputs.x or run_metadata.x",
    (value) => (typeof value === "string" && TAG.test(value) ? value : undefined),
    {
      type: "string",
      pattern: TAG.source,
      description: "Rows with the same value are not independent: one document, one conversation.",
    },
  ),
  must_pass: {
    read: (reading, node, path) =>
      node.kind === "list"
        ? node.items.flatMap((item, at) => readMustPass(reading, item, `${path}[${at}]`))
        : readMustPass(reading, node, path),
    schema: {
      description: "Rows that must pass whatever the averages say.",
      oneOf: [MARKED, MUST_PASS, { type: "array", items: { oneOf: [MARKED, MUST_PASS] } }],
    },
  },
  min_rows: number("a whole number of rows, 1 or more", isCount, {
    type: "integer",
    minimum: 1,
    default: DEFAULTS.min_rows,
    description: "Fewest rows that did not error.",
  }),
  min_overlap: number("a share between 0 and 1, such as 0.8 or 80%", (n) => n >= 0 && n <= 1, {
    description: "Smallest share of the baseline's examples that the new results must have too.",
    default: DEFAULTS.min_overlap,
    oneOf: [
      { type: "number", minimum: 0, maximum: 1 },
      { type: "string", pattern: "^\\d+(\\.\\d+)?\\s*%$" },
    ],
  }),
  errors: oneOf(
    ["count", "ignore"],
    "Whether examples that crash now and did not in the baseline count.",
  ),
  pool: scalar("true or false", (value) => (typeof value === "boolean" ? value : undefined), {
    type: "boolean",
    default: DEFAULTS.pool,
    description: "Judge the providers and prompts of one file as one agent.",
  }),
  evaluator: scalar(
    "a version, such as judge-2026-11",
    (value) => {
      const text = typeof value === "number" ? String(value) : value;
      return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
    },
    {
      type: "string",
      description: "Version of the judge or scorer; a baseline of another version is not compared.",
    },
  ),
};

const KEYS = Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[];

/** JSON Schema (draft-07) of a gate file, for editors. */
export function gateSchema(): Record<string, unknown> {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "agent-deploy gate file",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(KEYS.map((key) => [key, FIELDS[key].schema])),
  };
}

/** Parses a gate file: a YAML mapping with `gates:` and settings. */
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
  const found: Record<string, unknown> = {};
  for (const { key, keyAt, value } of root.entries) {
    const known = KEYS.find((one) => one === key);
    if (known === undefined)
      reading.addDiagnostic(
        keyAt,
        key,
        `unknown key${didYouMean(key, KEYS)}; a gate file takes ${KEYS.join(", ")}`,
      );
    else if (value.kind !== "scalar" || value.value !== null) {
      const read = FIELDS[known].read(reading, value, key);
      if (read !== undefined) found[key] = read;
    }
  }
  const { gates: rules = [], ...given } = found as Partial<GateSet> & {
    readonly gates?: readonly GateRule[];
  };
  const set: GateSet = { ...DEFAULTS, ...given, rules, at: root.at };
  const isEmpty = rules.length === 0 && !("must_pass" in given) && !("min_rows" in given);
  if (isEmpty && reading.problems.length === 0) reading.addDiagnostic(root.at, "gates", NONE);
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

function readRules(reading: Reading, node: YamlNode, path: string): GateRule[] {
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
  node: YamlNode,
): Record<string, "lower" | "higher"> | undefined {
  if (node.kind !== "map") {
    reading.addDiagnostic(node.at, "direction", "takes a mapping; write `hallucination: lower`");
    return undefined;
  }
  const direction: Record<string, "lower" | "higher"> = {};
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
    else if (entry.key === "at_least") atLeast = AT_LEAST.read(reading, entry.value, here) ?? null;
    else if (TAG.test(entry.key)) select[entry.key] = readValues(reading, entry, here);
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
