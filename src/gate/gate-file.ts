import * as z from "zod/v4";
import type { Diagnostic, Position } from "../spec/desired.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { parseYaml } from "../spec/yaml.ts";
import {
  entryOf,
  isNullNode,
  placeAt,
  toPlain,
  type YamlMap,
  type YamlNode,
} from "../spec/yaml-node.ts";
import {
  count,
  DEFAULTS,
  type GateSet,
  GateSettings,
  isRowFloor,
  type MustPass,
  NONE,
  type ParsedGates,
  TAG,
} from "./gate-set.ts";
import { parseGateLines } from "./rule.ts";
import type { GateRule } from "./gate-rule.ts";

const TAG_ALONE = /^(inputs|run_metadata)\.[^\s:=]+$/u;

/** Gate lines, read from the nodes of the file for the place of each. */
const lines = (description: string): z.ZodOptional =>
  z
    .unknown()
    .meta({
      oneOf: [{ type: "string" }, { type: "array", items: { type: "string", pattern: "[<>≥≤]" } }],
    })
    .optional()
    .describe(description);

const Value = z.union([z.string(), z.number(), z.boolean()]);
const VALUES = "takes a value or a list of values; write `[a, b]`";
const Values = z.union(
  [Value.transform((one) => [String(one)]), z.array(Value.transform(String)).min(1, VALUES)],
  VALUES,
);
const Marked = z
  .string()
  .regex(TAG_ALONE)
  .describe("Field that marks the rows: any value but false, 0 and the empty text.");
const Selection = z
  .object({
    require: lines("What each row must score; default: the floors in `gates`."),
    at_least: count("repeats")
      .describe("Repeats of an example that must pass; default: all.")
      .optional(),
  })
  .catchall(Values)
  .meta({
    minProperties: 1,
    propertyNames: { pattern: `^(?:require|at_least)$|${TAG.source}` },
  });

/** Every key with its rule, for editors. */
const GateFile = z.strictObject({
  gates: lines(
    "Gate lines, such as `correctness >= 0.85`, `latency_p95 <= 4s` or `correctness drop <= 0.02`.",
  ),
  ...GateSettings.shape,
  must_pass: z
    .union([Marked, Selection, z.array(z.union([Marked, Selection]))])
    .describe("Rows that must pass whatever the averages say.")
    .optional(),
});
const KEYS = Object.keys(GateFile.shape);
/** The same for this reader, which reads some values from nodes. */
const Unplaced = GateFile.extend({ must_pass: z.unknown().optional() });

/** JSON Schema (draft-07) of a gate file, for editors. */
export function gateSchema(): Record<string, unknown> {
  return {
    title: "agent-deploy gate file",
    ...z.toJSONSchema(GateFile, {
      target: "draft-7",
      io: "input",
      override: ({ jsonSchema: one }) => {
        if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
      },
    }),
  };
}

type AddProblem = (at: Position, path: string, message: string) => void;

/** Parses a gate file: a YAML mapping with `gates:` and settings. */
export function parseGateFile(text: string, file: string): ParsedGates {
  const { documents, problems: broken } = parseYaml(text, file);
  if (broken.length > 0) return { state: "problems", problems: broken };
  const problems: Diagnostic[] = [];
  const add: AddProblem = ({ file: from, line, column }, path, message) =>
    void problems.push({ file: from, line, column, level: "error", path, message });
  const [root, second] = documents;
  if (second !== undefined)
    add(second.at, "", "a gate file is one YAML document; put all gates into one");
  if (root?.kind === "map") {
    const gates = readSet(add, root);
    const { rules, must_pass } = gates;
    const isEmpty =
      rules.length + must_pass.length === 0 && givenAt(root, "min_rows") === undefined;
    if (isEmpty && problems.length === 0) add(root.at, "gates", NONE);
    if (problems.length === 0) return { state: "parsed", gates };
  } else
    add(
      root?.at ?? { file, line: 1, column: 1 },
      "",
      "a gate file is a YAML mapping; write `gates:` and the gate lines below it",
    );
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { state: "problems", problems };
}

/** Checks a mapping by its rule; undefined if anything in it is wrong. */
function read<T>(add: AddProblem, rule: z.ZodType<T>, node: YamlMap, path: string): T | undefined {
  // A known key without a value counts as not given.
  const given = node.entries.filter(({ key, value }) => !isNullNode(value) || !KEYS.includes(key));
  const { data, error } = rule.safeParse(toPlain({ ...node, entries: given }));
  for (const issue of error?.issues ?? []) {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
    for (const key of unknown)
      add(
        placeAt(node, [key], true),
        key,
        `unknown key${didYouMean(key, KEYS)}; a gate file takes ${KEYS.join(", ")}`,
      );
    if (unknown.length > 0) continue;
    const here = path === "" ? issue.path : [path, ...issue.path];
    add(placeAt(node, issue.path, false), here.join("."), issue.message);
  }
  return data;
}

function readSet(add: AddProblem, root: YamlMap): GateSet {
  const { gates: _, must_pass: __, ...given } = read(add, Unplaced, root, "") ?? {};
  const rules = readRules(add, givenAt(root, "gates"), "gates");
  const must_pass = itemsOf(givenAt(root, "must_pass"), "must_pass").map(({ node, path }) =>
    readMustPass(add, node, path),
  );
  const hasFloor = rules.some(isRowFloor);
  for (const { require, at } of must_pass)
    if (require.length === 0 && !hasFloor)
      add(
        at,
        "must_pass",
        "there is no floor for its rows to meet; add `require: correctness >= 1`",
      );
  return { ...DEFAULTS, ...given, rules, must_pass, at: root.at };
}

/** The value of a key of the file; a key without a value counts as not given. */
function givenAt(root: YamlMap, key: string): YamlNode | undefined {
  const value = entryOf(root, key)?.value;
  return value === undefined || isNullNode(value) ? undefined : value;
}

/** The items of a list, or a lone one. */
function itemsOf(
  node: YamlNode | undefined,
  path: string,
): readonly { readonly node: YamlNode; readonly path: string }[] {
  if (node === undefined) return [];
  return node.kind === "list"
    ? node.items.map((item, at) => ({ node: item, path: `${path}[${at}]` }))
    : [{ node, path }];
}

function readRules(add: AddProblem, lines: YamlNode | undefined, path: string): GateRule[] {
  return itemsOf(lines, path).flatMap(({ node, path: here }) => {
    if (node.kind !== "scalar" || typeof node.value !== "string") {
      add(node.at, here, "takes gate lines; write `- correctness >= 0.85`");
      return [];
    }
    const read = parseGateLines({
      text: node.value,
      at: node.at,
      path: here,
      placeOf: (rule) => node.locate?.(rule),
    });
    for (const one of read.problems) add(one, one.path, one.message);
    return read.rules;
  });
}

function readMustPass(add: AddProblem, node: YamlNode, path: string): MustPass {
  const marked = { select: {}, require: [], at_least: null, at: node.at };
  if (node.kind === "scalar" && typeof node.value === "string" && TAG_ALONE.test(node.value))
    return { ...marked, select: { [node.value]: [] } };
  if (node.kind !== "map") {
    add(
      node.at,
      path,
      "takes a mapping, or the field that marks the rows; write `run_metadata.tier: critical` or `run_metadata.critical`",
    );
    return marked;
  }
  const required = Object.keys(Selection.shape);
  const tags = node.entries.filter(({ key }) => !required.includes(key));
  for (const { key, keyAt } of tags.filter((one) => !TAG.test(one.key)))
    add(
      keyAt,
      `${path}.${key}`,
      `unknown key${didYouMean(key, required)}; choose rows by inputs.x or run_metadata.x, and add require or at_least`,
    );
  if (!tags.some(({ key }) => TAG.test(key)))
    add(
      node.at,
      path,
      "chooses no rows; write `run_metadata.tier: critical` or `inputs.id: [a, b]`",
    );
  const { require: _, at_least = null, ...select } = read(add, Selection, node, path) ?? {};
  const require = readRules(add, entryOf(node, "require")?.value, `${path}.require`);
  for (const rule of require)
    if (!isRowFloor(rule))
      add(
        rule.at,
        `${path}.require`,
        `\`${rule.text}\` is nothing that one row can meet; write \`correctness >= 1\``,
      );
  return { select, require, at_least, at: node.at };
}
