import { deployField, variablesField } from "../model/deploy-block.ts";
import { C_IDENTIFIER, IDENTIFIER_ADVICE, UNKNOWN } from "../model/rules.ts";
import { allFields, deploymentShape, type Field, type Shape } from "../model/shape.ts";
import { spellKey, spellSource, type Dialect } from "../model/dialect.ts";
import { userInfoOf } from "../model/user-info.ts";
import type { Position, Diagnostic } from "./desired.ts";
import {
  interpolate,
  type Environment,
  type Interpolated,
  type SpecMode,
} from "./interpolation.ts";
import { nearestWord } from "./suggestion.ts";
import type { YamlMap, YamlNode, YamlScalar } from "./yaml.ts";

/** Where a value is written, and how its path is spelled there. */
export interface Mark {
  readonly written: string;
  readonly key: Position;
  readonly value: Position;
}

/** What reading one document gathers; handed in empty, filled by readDocument. */
export interface Reading {
  readonly env: Environment;
  readonly mode: SpecMode;
  /** False: no reference is filled from the environment. */
  readonly trusted: boolean;
  readonly dialect: Dialect;
  readonly problems: Diagnostic[];
  /** By canonical dotted path. */
  readonly marks: Map<string, Mark>;
  /** Canonical dotted paths of values that only `apply` will know. */
  readonly unknown: Set<string>;
  /** By environment variable: the paths that are unknown where it is not set. */
  readonly fromEnvironment: Map<string, string[]>;
  readonly sensitiveValues: string[];
}

/** The place a value is read at: canonical path for lookups, written path for people. */
interface Spot {
  readonly path: string;
  readonly written: string;
  readonly key: Position;
  readonly row: Field | undefined;
}

/** What a document may hold: the service's fields, and what is ours. */
export const topShape: Extract<Shape, { kind: "struct" }> = {
  kind: "struct",
  fields: new Map([
    ...deploymentShape.fields,
    ["variables", variablesField],
    ["deploy", deployField],
  ]),
};
/** Top-level keys that begin so are a place for YAML anchors. */
const ANCHORS = "x-";
/** Problems after which no nearest word is sought any more: a hostile file could ask for it a hundred thousand times. */
const MAX_SUGGESTIONS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** The body of a document in canonical dialect, `deploy` included, UNKNOWN wherever a value is not known or was refused. */
export function readDocument(reading: Reading, root: YamlMap): Readonly<Record<string, unknown>> {
  return readStruct(reading, root, topShape, {
    path: "",
    written: "",
    key: root.at,
    row: undefined,
  });
}

function addDiagnostic(
  reading: Reading,
  at: Position,
  spot: Spot,
  message: string,
  level: Diagnostic["level"] = "error",
): typeof UNKNOWN {
  reading.problems.push({ ...at, level, path: spot.written, message });
  return UNKNOWN;
}

const under = (
  spot: Spot,
  key: string,
  written: string,
  at: Position,
  row: Field | undefined,
): Spot => ({
  path: spot.path === "" ? key : `${spot.path}.${key}`,
  written: spot.written === "" ? written : `${spot.written}.${written}`,
  key: at,
  row,
});

function readNode(reading: Reading, node: YamlNode, shape: Shape, spot: Spot): unknown {
  reading.marks.set(spot.path, { written: spot.written, key: spot.key, value: node.at });
  if (node.kind === "broken") return UNKNOWN;
  if (node.kind === "scalar" && node.value === null && spot.row !== undefined) {
    return spot.row.required
      ? addDiagnostic(
          reading,
          node.at,
          spot,
          `must not be null; write ${wants(shape, reading.dialect)}`,
        )
      : null;
  }
  switch (shape.kind) {
    case "struct":
      return node.kind === "map"
        ? readStruct(reading, node, shape, spot)
        : refuseType(reading, node, shape, spot);
    case "list":
      return node.kind === "list"
        ? readList(reading, node.items, shape, spot)
        : refuseType(reading, node, shape, spot);
    case "map":
      return node.kind === "map"
        ? readMap(reading, node, spot, spot.path === "variables" ? readVariable : readNodeText)
        : refuseType(reading, node, shape, spot);
    case "free":
      return node.kind === "map"
        ? readFree(reading, node, spot)
        : refuseType(reading, node, shape, spot);
    case "scalar":
      return node.kind === "scalar"
        ? readScalar(reading, node, shape, spot)
        : refuseType(reading, node, shape, spot);
  }
}

function readStruct(
  reading: Reading,
  node: YamlMap,
  shape: Extract<Shape, { kind: "struct" }>,
  spot: Spot,
): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const entry of node.entries) {
    if (spot.path === "" && entry.key.startsWith(ANCHORS)) continue;
    const key = shape.fields.has(entry.key) ? entry.key : spellKey(entry.key, "document");
    const row = shape.fields.get(key);
    const child = under(spot, key, entry.key, entry.keyAt, row);
    if (row === undefined && child.path.startsWith("secrets.")) maskNode(reading, entry.value);
    if (row === undefined)
      addDiagnostic(
        reading,
        entry.keyAt,
        child,
        unknownKey(
          entry.key,
          writableKeys(shape, reading.dialect),
          reading.dialect,
          reading.problems.length > MAX_SUGGESTIONS,
        ),
      );
    else if (!values.has(key)) values.set(key, readNode(reading, entry.value, row.shape, child));
  }
  for (const [key, row] of shape.fields) {
    if (!row.required || values.has(key)) continue;
    addDiagnostic(
      reading,
      spot.key,
      under(spot, key, key, spot.key, row),
      `is required; ${
        row.path === "secrets.value"
          ? "add value, or write just the name as text to take the environment variable of that name"
          : `add ${key}: ${REQUIRED_EXAMPLES[row.path] ?? wants(row.shape, reading.dialect)}`
      }`,
    );
  }
  return Object.fromEntries(values);
}

const REQUIRED_EXAMPLES: Readonly<Record<string, string>> = { name: "my-agent" };

function writableKeys(shape: Extract<Shape, { kind: "struct" }>, dialect: Dialect): string[] {
  return [...shape.fields.values()]
    .filter((row) => row.mutability !== "read-only")
    .map((row) => spellKey(row.name, dialect));
}

function unknownKey(
  key: string,
  known: readonly string[],
  dialect: Dialect,
  busy: boolean,
): string {
  if (busy) return "is not a known key; remove it";
  if (key === "env" && known.includes("secrets"))
    return "is not a known key; write environment variables under secrets:, or under variables: where they may be shown";
  const near = nearestWord(key, known);
  if (near !== undefined) return `is not a known key; did you mean ${near}?`;
  const elsewhere = allFields().find(
    (row) => spellKey(row.name, dialect) === key && row.path.includes("."),
  );
  if (elsewhere !== undefined)
    return `is not a known key here; write it under ${elsewhere.path.slice(0, elsewhere.path.lastIndexOf("."))}`;
  return `is not a known key; remove it${known.length <= 12 ? `, or write one of ${known.join(", ")}` : ""}`;
}

function readList(
  reading: Reading,
  items: readonly YamlNode[],
  shape: Extract<Shape, { kind: "list" }>,
  spot: Spot,
): readonly unknown[] {
  return items.map((item, index) => {
    const child = under(spot, String(index), String(index), item.at, undefined);
    const value = readItem(reading, item, shape.item, spot, child);
    const name =
      shape.match === undefined || typeof value !== "object" || value === null
        ? undefined
        : (value as Readonly<Record<string, unknown>>)[shape.match];
    const alias = `${spot.path}.${String(name)}`;
    // Plans name items of keyed lists by their key: such a path is found here too.
    if (typeof name === "string" && !/^\d+$/u.test(name) && !reading.marks.has(alias))
      reading.marks.set(alias, reading.marks.get(child.path)!);
    return value;
  });
}

function refuseNull(reading: Reading, item: YamlNode, shape: Shape, spot: Spot): typeof UNKNOWN {
  return addDiagnostic(
    reading,
    item.at,
    spot,
    `must not be null; write ${wants(shape, reading.dialect)}, or remove the item`,
  );
}

/** What stands there in place of a name may be the secret itself: it is masked, and not repeated. */
function refuseNamedSecret(
  reading: Reading,
  node: YamlScalar,
  spot: Spot,
): typeof UNKNOWN | undefined {
  const filled = interpolate(String(node.value), reading.env, reading.trusted);
  const text = filled.text ?? String(node.value).replaceAll(/\$\{[^}]*\}/gu, "A");
  if (C_IDENTIFIER.test(text)) return undefined;
  const assigned = /^[^=:]*[=:]\s*(.*)$/su.exec(text)?.[1];
  maskRefused(reading, [text, ...(assigned === undefined ? [] : [assigned]), ...filled.taken]);
  reading.unknown.add(`${spot.path}.value`);
  return addDiagnostic(
    reading,
    node.at,
    spot,
    /^[A-Za-z_][A-Za-z0-9_]*=/u.test(text)
      ? "a secret is never written as NAME=value; write the name alone, and set an environment variable of that name"
      : `is not a valid environment variable name; ${IDENTIFIER_ADVICE}`,
  );
}

/** Short texts are parts of many words: masking them would star out whole logs. */
const MIN_MASKED = 4;

/** Masks what was refused where a secret, or its name, belongs. */
function maskRefused(reading: Reading, texts: readonly string[]): void {
  for (const text of texts) {
    const trimmed = text.trim();
    if (trimmed.length >= MIN_MASKED) reading.sensitiveValues.push(text, trimmed);
  }
}

/** Every text under a node that was refused as a whole: a mapping in place of the list of secrets holds them too. */
function maskNode(reading: Reading, node: YamlNode): void {
  if (node.kind === "map") for (const { value } of node.entries) maskNode(reading, value);
  else if (node.kind === "list") for (const item of node.items) maskNode(reading, item);
  else if (node.kind === "scalar" && typeof node.value === "string")
    maskRefused(reading, [node.value]);
}

/** `- NAME`: the secret NAME with the value of the environment variable NAME. */
function readNamedSecret(reading: Reading, node: YamlScalar, spot: Spot): unknown {
  const mark = { written: spot.written, key: node.at, value: node.at };
  for (const path of [spot.path, `${spot.path}.name`, `${spot.path}.value`])
    reading.marks.set(path, mark);
  const refused = refuseNamedSecret(reading, node, spot);
  if (refused !== undefined) return { name: UNKNOWN, value: UNKNOWN };
  const name = readText(reading, node, spot);
  const valuePath = `${spot.path}.value`;
  if (typeof name !== "string" || !reading.trusted) {
    reading.unknown.add(valuePath);
    return { name, value: UNKNOWN };
  }
  noteVariable(reading, name, valuePath);
  const value = Object.hasOwn(reading.env, name) ? reading.env[name] : undefined;
  if (value !== undefined && value !== "") {
    reading.sensitiveValues.push(value);
    if (endsInLineBreak(value)) addDiagnostic(reading, node.at, spot, LINE_BREAK, "warning");
    return { name, value };
  }
  const level = reading.mode === "apply" ? "error" : "warning";
  const other = `value: "\${${name}:-}"`;
  addDiagnostic(
    reading,
    node.at,
    spot,
    value === undefined
      ? `the environment variable ${name} is not set; set it in the environment of this step, or write { name: ${name}, value: "\${OTHER_NAME}" }`
      : `the environment variable ${name} is empty, which is what GitHub gives for a secret that does not exist; create it and pass it to this step, or write ${other}`,
    level,
  );
  reading.unknown.add(valuePath);
  return { name, value: UNKNOWN };
}

function readMap(
  reading: Reading,
  node: YamlMap,
  spot: Spot,
  read: (reading: Reading, node: YamlNode, spot: Spot) => unknown,
): unknown {
  return Object.fromEntries(
    node.entries.map((entry) => {
      const child = under(spot, entry.key, entry.key, entry.keyAt, undefined);
      if (entry.value.kind === "scalar" && entry.value.value === null)
        return [entry.key, refuseNull(reading, entry.value, TEXT, child)];
      return [entry.key, read(reading, entry.value, child)];
    }),
  );
}

function readNodeText(reading: Reading, node: YamlNode, spot: Spot): unknown {
  return readNode(reading, node, TEXT, spot);
}

/** The value of a variable; numbers and booleans are text, as they are written. */
function readVariable(reading: Reading, node: YamlNode, spot: Spot): unknown {
  const text = node.kind === "scalar" ? node.text : undefined;
  if (text === undefined) return readNodeText(reading, node, spot);
  reading.marks.set(spot.path, { written: spot.written, key: spot.key, value: node.at });
  return text;
}
const TEXT: Shape = { kind: "scalar", type: "string" };

function readFree(reading: Reading, node: YamlNode, spot: Spot): unknown {
  reading.marks.set(spot.path, { written: spot.written, key: spot.key, value: node.at });
  if (node.kind === "broken") return UNKNOWN;
  if (node.kind === "map") {
    return Object.fromEntries(
      node.entries.map((entry) => [
        entry.key,
        readFree(reading, entry.value, under(spot, entry.key, entry.key, entry.keyAt, undefined)),
      ]),
    );
  }
  if (node.kind === "list")
    return node.items.map((item, index) =>
      readFree(reading, item, under(spot, String(index), String(index), item.at, undefined)),
    );
  return typeof node.value === "string" ? readText(reading, node, spot) : node.value;
}

function noteVariable({ fromEnvironment }: Reading, name: string, path: string): void {
  const paths = fromEnvironment.get(name);
  if (paths === undefined) fromEnvironment.set(name, [path]);
  else paths.push(path);
}

const endsInLineBreak = (value: string): boolean => /[\r\n]$/u.test(value);
const LINE_BREAK =
  "the value ends in a line break, the usual slip of echo secret | gh secret set; set it with printf %s, or remove the line break where it is not meant";

/** What is most likely not meant in a place that is never shown; no message repeats any of it. */
function warnOfSensitive(
  reading: Reading,
  node: YamlScalar,
  text: string,
  filled: Interpolated,
  spot: Spot,
): void {
  const { sensitive } = spot.row?.meta ?? {};
  if (sensitive === undefined) return;
  const warn = (message: string): void => {
    addDiagnostic(reading, node.at, spot, message, "warning");
  };
  const written = String(node.value);
  const place = sensitive === "value" ? written : (userInfo(written)[0] ?? "");
  if (/(?<![$\w])\$[A-Za-z_]/u.test(place))
    warn("holds $NAME without braces, which is sent as it stands; write ${NAME} for the variable");
  if (sensitive === "value" && endsInLineBreak(text)) warn(LINE_BREAK);
  const literal = filled.references.length === 0 && text !== "";
  if (spot.row?.path === "secrets.value" && literal)
    warn(
      "the secret's value is written in the spec, where everybody who reads the file sees it; write ${NAME} and set that environment variable",
    );
}

/** A variable that is not set is known after apply; but a deployment is looked up by its name. */
const isOnlyWarning = (
  { mode }: Reading,
  kind: Interpolated["faults"][number]["kind"],
  { path }: Spot,
): boolean => kind === "unset" && (mode === "validate" || (mode === "plan" && path !== "name"));

/** A string scalar, interpolated; UNKNOWN (and a problem) where a reference has no value. */
function readText(
  reading: Reading,
  node: YamlScalar,
  spot: Spot,
  filled = interpolate(String(node.value), reading.env, reading.trusted),
): string | typeof UNKNOWN {
  for (const { name, operator } of filled.references)
    if (operator !== ":-") noteVariable(reading, name, spot.path);
  for (const fault of filled.faults) {
    const level = isOnlyWarning(reading, fault.kind, spot) ? "warning" : "error";
    const shell =
      spot.path === "deploy.verify" && fault.kind === "unset" ? " for bash to read" : "";
    addDiagnostic(
      reading,
      node.locate?.(fault.written) ?? node.at,
      spot,
      fault.message + shell,
      level,
    );
  }
  if (filled.text === undefined) {
    reading.unknown.add(spot.path);
    return UNKNOWN;
  }
  return filled.text;
}

function readScalar(
  reading: Reading,
  node: YamlScalar,
  shape: Extract<Shape, { kind: "scalar" }>,
  spot: Spot,
): unknown {
  if (typeof node.value !== "string") {
    const fits =
      typeof node.value === "boolean"
        ? shape.type === "boolean"
        : shape.type === "number" || (shape.type === "integer" && Number.isSafeInteger(node.value));
    return fits ? node.value : refuseType(reading, node, shape, spot);
  }
  const filled = interpolate(node.value, reading.env, reading.trusted);
  const text = readText(reading, node, spot, filled);
  if (text === UNKNOWN) return UNKNOWN;
  gatherSensitive(reading, text, filled, spot.row);
  if (spot.row?.path === "secrets.name" && !C_IDENTIFIER.test(text)) maskRefused(reading, [text]);
  warnOfSensitive(reading, node, text, filled, spot);
  if (spot.row?.path === "secrets.value" && text === "" && !filled.mayBeEmpty)
    return refuseEmptySecret(reading, node, filled, spot);
  switch (shape.type) {
    case "string":
      return text;
    case "uuid":
      return UUID.test(text) ? text : refuseType(reading, node, shape, spot, filled);
    case "enum":
      return readChoice(reading, node, shape, spot, text, filled);
    default: {
      const value = filled.whole ? typed(text, shape.type) : undefined;
      return value ?? refuseType(reading, node, shape, spot, filled);
    }
  }
}

function typed(text: string, type: "integer" | "number" | "boolean"): number | boolean | undefined {
  if (type === "boolean")
    return new Map([
      ["true", true],
      ["false", false],
    ]).get(text.toLowerCase());
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) && (type === "number" || Number.isSafeInteger(value))
    ? value
    : undefined;
}

function readChoice(
  reading: Reading,
  node: YamlScalar,
  shape: Extract<Shape, { kind: "scalar" }>,
  spot: Spot,
  text: string,
  filled: Interpolated,
): unknown {
  const values = shape.values ?? [];
  const isSource = spot.path === "source";
  const value = isSource ? spellSource(text, "document") : text;
  if (values.includes(value)) return value;
  const near = nearestWord(
    text,
    isSource ? [...values, ...values.map((known) => spellSource(known, "hosted"))] : values,
  );
  // The hosted service grows: a word that is not known yet is sent as it stands.
  if (!isSource && reading.dialect === "hosted" && !spot.path.startsWith("deploy.")) {
    const guess = near === undefined ? "" : `; did you mean ${near}?`;
    addDiagnostic(
      reading,
      node.at,
      spot,
      `is not one of the known words ${values.join(", ")}, and is sent as it stands${guess}`,
      "warning",
    );
    return text;
  }
  if (near === undefined) return refuseType(reading, node, shape, spot, filled);
  return addDiagnostic(
    reading,
    node.at,
    spot,
    `takes ${wants(shape, reading.dialect)}, got ${describe(node, spot, filled)}; did you mean ${near}?`,
  );
}

function refuseEmptySecret(
  reading: Reading,
  node: YamlScalar,
  filled: Interpolated,
  spot: Spot,
): string | typeof UNKNOWN {
  const name = filled.references[0]?.name;
  addDiagnostic(
    reading,
    node.at,
    spot,
    "the secret is empty, which is what GitHub gives for a secret that does not exist; " +
      (name === undefined
        ? 'write ${NAME} with the variable that holds it, or "${NAME:-}" where empty is meant'
        : `create it and pass it to this step, or write \${${name}:-} where empty is meant`),
    reading.mode === "apply" ? "error" : "warning",
  );
  if (reading.mode === "apply" || name === undefined) return "";
  reading.unknown.add(spot.path);
  return UNKNOWN;
}

function gatherSensitive(
  reading: Reading,
  text: string,
  filled: Interpolated,
  row: Field | undefined,
): void {
  if (row?.meta.sensitive === "value")
    reading.sensitiveValues.push(...[text, ...filled.taken].filter((value) => value !== ""));
  if (row?.meta.sensitive === "user-info") reading.sensitiveValues.push(...userInfo(text));
}

/** `user:password` of a URL with both forms of the password; a lone user only when long enough to be a token (`git@` is none). */
export function userInfo(url: string): string[] {
  const info = userInfoOf(url);
  if (info === undefined || (!info.includes(":") && info.length < 8)) return [];
  const password = info.includes(":") ? info.slice(info.indexOf(":") + 1) : info;
  let plain = password;
  try {
    plain = decodeURIComponent(password);
  } catch {
    /* a stray %: the written form is all there is */
  }
  return [...new Set([info, password, plain])].filter((value) => value !== "");
}

/** The words of a choice; a source kind in both dialects. */
function choicesOf(values: readonly string[], dialect: Dialect): readonly string[] {
  const other = dialect === "hosted" ? "document" : "hosted";
  return [
    ...new Set(
      [dialect, other].flatMap((to) => values.map((value) => spellSource(value, to as Dialect))),
    ),
  ];
}

/** What a field takes, in words. */
function wants(shape: Shape, dialect: Dialect): string {
  switch (shape.kind) {
    case "struct":
      return `a mapping of ${shape.fields.size <= 4 ? [...shape.fields.keys()].map((key) => spellKey(key, dialect)).join(", ") : "its fields"}`;
    case "list":
      return "a list";
    case "map":
      return "a mapping of text to text";
    case "free":
      return "a mapping";
    case "scalar":
      return shape.type === "enum"
        ? `one of ${choicesOf(shape.values ?? [], dialect).join(", ")}`
        : SCALAR_WORDS[shape.type];
  }
}
const SCALAR_WORDS = {
  string: "text",
  uuid: "a UUID",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
} as const;

function describe(node: YamlNode, spot: Spot, filled?: Interpolated): string {
  if (node.kind !== "scalar") return node.kind === "map" ? "a mapping" : "a list";
  const reference = filled?.references[0];
  if (reference !== undefined) return `another value from \${${reference.name}}`;
  if (spot.row?.meta.sensitive !== undefined)
    return node.value === ""
      ? "an empty text"
      : `a ${typeof node.value === "string" ? "text" : typeof node.value}`;
  return typeof node.value === "string"
    ? `the text ${JSON.stringify(node.value.slice(0, 40))}`
    : String(node.value);
}

function refuseType(
  reading: Reading,
  node: YamlNode,
  shape: Shape,
  spot: Spot,
  filled?: Interpolated,
): typeof UNKNOWN {
  const wanted = wants(shape, reading.dialect);
  if (spot.path.startsWith("secrets") || spot.row?.meta.sensitive === "value")
    maskNode(reading, node);
  const advice = adviceFor(node, shape, spot) ?? `write ${wanted}`;
  return addDiagnostic(
    reading,
    node.at,
    spot,
    `takes ${wanted}, got ${describe(node, spot, filled)}; ${advice}`,
  );
}

/** What to write instead, where more can be said than the type. */
function adviceFor(node: YamlNode, shape: Shape, spot: Spot): string | undefined {
  if (spot.path === "secrets") return "write the names, each behind a dash: - OPENAI_API_KEY";
  if (spot.path === "deploy.timeout") return "write 500ms, 90s, 30m or 1h";
  if (shape.kind !== "scalar" || node.kind !== "scalar") return undefined;
  const { type } = shape;
  if (type === "string") return "put it in quotes";
  if (type !== "integer" && type !== "number" && type !== "boolean") return undefined;
  const isBare = typeof node.value === "string" && typed(node.value, type) !== undefined;
  return isBare ? "write it without quotes" : undefined;
}

/** One item of a list: a secret may be a name alone, and null is no item. */
function readItem(
  reading: Reading,
  item: YamlNode,
  shape: Shape,
  list: Spot,
  child: Spot,
): ReturnType<typeof readNode> {
  if (list.path === "secrets" && item.kind === "scalar" && typeof item.value === "string")
    return readNamedSecret(reading, item, child) as ReturnType<typeof readNode>;
  if (item.kind === "scalar" && item.value === null)
    return refuseNull(reading, item, shape, child) as ReturnType<typeof readNode>;
  return readNode(reading, item, shape, child);
}
