import { documentShape } from "../model/deploy-block.ts";
import { C_IDENTIFIER } from "../model/name-rules.ts";
import { isObject } from "../model/json.ts";
import { UNKNOWN } from "../model/rule-input.ts";
import { allFields } from "../model/shape.ts";
import type { Shape } from "../model/field-shape.ts";
import { spellKey, type Dialect } from "../model/dialect.ts";
import { isPastedKey } from "../secrets/key-like.ts";
import { nearestWord } from "./suggestion.ts";
import { readSecret } from "./secret-entry.ts";
import type { YamlEntry, YamlList, YamlMap, YamlNode } from "./yaml-node.ts";
import {
  type Reading,
  type Spot,
  addDiagnostic,
  addMissing,
  maskNode,
  maskRefused,
  toEntry,
  under,
} from "./reading.ts";
import { TEXT, readText, readScalar, wants, holdsSecret, refuseType } from "./scalar.ts";

type Struct = Extract<Shape, { kind: "struct" }>;

/** Top-level keys with this prefix may hold YAML anchors. */
const ANCHORS = "x-";

/** After this many problems no suggestion is looked up: a hostile file could require a hundred thousand. */
const MAX_SUGGESTIONS = 500;

/** The body of a document in canonical dialect, `deploy` included, with UNKNOWN for every unknown or refused value. */
export function readDocument(reading: Reading, root: YamlMap): Readonly<Record<string, unknown>> {
  const spot = { path: "", written: "", key: root.at, value: root.at, row: undefined };
  return readStruct(reading, root, documentShape, spot);
}

function readNode(reading: Reading, node: YamlNode, shape: Shape, spot: Spot): unknown {
  reading.marks.set(spot.path, spot);
  if (node.kind === "broken") return UNKNOWN;
  if (node.kind === "scalar" && node.value === null) {
    if (spot.row?.required === false) return null;
    const otherwise = spot.row === undefined ? ", or remove the item" : "";
    const wanted = wants(shape, reading.dialect);
    return addDiagnostic(reading, spot, `must not be null; write ${wanted}${otherwise}`);
  }
  if (shape.kind === "list" && node.kind === "list") return readList(reading, node, shape, spot);
  if (shape.kind === "scalar" && node.kind === "scalar")
    return readScalar(reading, node, shape, spot);
  if (node.kind !== "map" || shape.kind === "list" || shape.kind === "scalar")
    return refuseType(reading, node, shape, spot);
  if (shape.kind === "struct") return readStruct(reading, node, shape, spot);
  if (shape.kind === "free") return readFree(reading, node, spot);
  return readMembers(node, spot, (value, child) => readNode(reading, value, TEXT, child));
}

function readMembers(
  node: YamlMap,
  spot: Spot,
  read: (value: YamlNode, child: Spot) => unknown,
): unknown {
  return Object.fromEntries(
    node.entries.map((entry) => [entry.key, read(entry.value, under(spot, entry))]),
  );
}

function readStruct(
  reading: Reading,
  node: YamlMap,
  shape: Struct,
  spot: Spot,
): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const entry of node.entries) {
    if (spot.path === "" && entry.key.startsWith(ANCHORS)) continue;
    const key = shape.fields.has(entry.key) ? entry.key : spellKey(entry.key, "document");
    const row = shape.fields.get(key);
    if (row === undefined) refuseKey(reading, entry, shape, spot);
    else if (!values.has(key))
      values.set(key, readNode(reading, entry.value, row.shape, under(spot, entry, key, row)));
  }
  for (const [key, row] of shape.fields) {
    if (!row.required || values.has(key)) continue;
    const example = REQUIRED_EXAMPLES[row.path] ?? wants(row.shape, reading.dialect);
    addMissing(reading, spot, key, `is required; add ${key}: ${example}`);
  }
  return Object.fromEntries(values);
}

/**
 * In an entry that holds a secret, an unknown key may be the secret itself: repeat it only if it
 * is close to a known key.
 */
function refuseKey(reading: Reading, entry: YamlEntry, shape: Struct, spot: Spot): void {
  const { key, keyAt: at, value } = entry;
  const known = writableKeys(shape, reading.dialect);
  if (holdsSecret(shape)) {
    maskNode(reading, value);
    if (!C_IDENTIFIER.test(key) || isPastedKey(key)) maskRefused(reading, [key]);
    if (nearestWord(key, known) === undefined) {
      const message = `holds a key that is not known; write ${known.join(", ")}`;
      addDiagnostic(reading, spot, message, { at });
      return;
    }
  }
  const isBusy = reading.problems.length > MAX_SUGGESTIONS;
  const message = unknownKey(key, known, reading.dialect, isBusy);
  addDiagnostic(reading, under(spot, entry), message, { at });
}

const REQUIRED_EXAMPLES: Readonly<Record<string, string>> = { name: "my-agent" };

function writableKeys(shape: Struct, dialect: Dialect): string[] {
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
  { items }: YamlList,
  { item: shape, match }: Extract<Shape, { kind: "list" }>,
  spot: Spot,
): readonly unknown[] {
  const values: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const child = under(spot, toEntry(item, index));
    const value =
      spot.path === "secrets"
        ? readSecret(reading, item, child, (node) => readNode(reading, node, shape, child))
        : readNode(reading, item, shape, child);
    const name = match !== undefined && isObject(value) ? value[match] : undefined;
    const alias = `${spot.path}.${String(name)}`;
    // Plans name items of keyed lists by their key, so such paths are found too.
    if (typeof name === "string" && !/^\d+$/u.test(name) && !reading.marks.has(alias))
      reading.marks.set(alias, reading.marks.get(child.path)!);
    values.push(value);
  }
  return values;
}

function readFree(reading: Reading, node: YamlNode, spot: Spot): unknown {
  reading.marks.set(spot.path, spot);
  switch (node.kind) {
    case "broken":
      return UNKNOWN;
    case "map":
      return readMembers(node, spot, (value, child) => readFree(reading, value, child));
    case "list":
      return node.items.map((item, index) =>
        readFree(reading, item, under(spot, toEntry(item, index))),
      );
    case "scalar":
      return typeof node.value === "string" ? readText(reading, node, spot) : node.value;
  }
}
