import { documentShape } from "../model/deploy-block.ts";
import { C_IDENTIFIER } from "../model/name-rules.ts";
import { UNKNOWN } from "../model/rule-input.ts";
import { allFields } from "../model/shape.ts";
import type { Shape } from "../model/field-shape.ts";
import { spellKey, type Dialect } from "../model/dialect.ts";
import { isPastedKey } from "../secrets/key-like.ts";
import { nearestWord } from "./suggestion.ts";
import { LEFT_OUT, readNamedSecret, readSecretEntry } from "./secret-entry.ts";
import type { YamlMap, YamlNode } from "./yaml-node.ts";
import {
  type Reading,
  type Spot,
  addDiagnostic,
  addMissing,
  under,
  maskRefused,
  maskNode,
} from "./reading.ts";
import { TEXT, readText, readScalar, wants, holdsSecret, refuseType } from "./scalar.ts";

/** Top-level keys that begin so are a place for YAML anchors. */
const ANCHORS = "x-";

/**
 * Problems after which no nearest word is sought any more: a hostile file could ask for it a
 * hundred thousand times.
 */
const MAX_SUGGESTIONS = 500;

/**
 * The body of a document in canonical dialect, `deploy` included, UNKNOWN wherever a value is not
 * known or was refused.
 */
export function readDocument(reading: Reading, root: YamlMap): Readonly<Record<string, unknown>> {
  return readStruct(reading, root, documentShape, {
    path: "",
    written: "",
    key: root.at,
    row: undefined,
  });
}

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
    if (row === undefined) refuseKey(reading, entry, shape, spot, child);
    else if (!values.has(key)) values.set(key, readNode(reading, entry.value, row.shape, child));
  }
  for (const [key, row] of shape.fields) {
    if (!row.required || values.has(key)) continue;
    addMissing(
      reading,
      under(spot, key, key, spot.key, row),
      `is required; add ${key}: ${REQUIRED_EXAMPLES[row.path] ?? wants(row.shape, reading.dialect)}`,
    );
  }
  return Object.fromEntries(values);
}

/**
 * Of an entry that holds a secret value a key may be the secret itself: it is repeated only where
 * it nearly is a known one.
 */
function refuseKey(
  reading: Reading,
  { key, keyAt, value }: YamlMap["entries"][number],
  shape: Extract<Shape, { kind: "struct" }>,
  spot: Spot,
  child: Spot,
): void {
  const known = writableKeys(shape, reading.dialect);
  if (holdsSecret(shape)) {
    maskNode(reading, value);
    if (!C_IDENTIFIER.test(key) || isPastedKey(key)) maskRefused(reading, [key]);
    if (nearestWord(key, known) === undefined) {
      addDiagnostic(
        reading,
        keyAt,
        spot,
        `holds a key that is not known; write ${known.join(", ")}`,
      );
      return;
    }
  }
  const isBusy = reading.problems.length > MAX_SUGGESTIONS;
  addDiagnostic(reading, keyAt, child, unknownKey(key, known, reading.dialect, isBusy));
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
  const values: unknown[] = [];
  for (const [index, item] of items.entries()) {
    // What is left out of the list takes no place in it.
    const child = under(spot, String(values.length), String(index), item.at, undefined);
    const value = readItem(reading, item, shape.item, spot, child);
    if (value === LEFT_OUT) continue;
    const name =
      shape.match === undefined || typeof value !== "object" || value === null
        ? undefined
        : (value as Readonly<Record<string, unknown>>)[shape.match];
    const alias = `${spot.path}.${String(name)}`;
    // Plans name items of keyed lists by their key: such a path is found here too.
    if (typeof name === "string" && !/^\d+$/u.test(name) && !reading.marks.has(alias))
      reading.marks.set(alias, reading.marks.get(child.path)!);
    values.push(value);
  }
  return values;
}

function refuseNull(reading: Reading, item: YamlNode, shape: Shape, spot: Spot): typeof UNKNOWN {
  return addDiagnostic(
    reading,
    item.at,
    spot,
    `must not be null; write ${wants(shape, reading.dialect)}, or remove the item`,
  );
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

/** One item of a list: a secret may be just a name, and null is not an item. */
function readItem(
  reading: Reading,
  item: YamlNode,
  shape: Shape,
  list: Spot,
  child: Spot,
): ReturnType<typeof readNode> {
  if (list.path === "secrets" && item.kind === "scalar" && typeof item.value === "string")
    return readNamedSecret(reading, item, child);
  if (list.path === "secrets" && item.kind === "map" && shape.kind === "struct")
    return readSecretEntry(reading, item, child, (node) => readNode(reading, node, shape, child));
  if (item.kind === "scalar" && item.value === null)
    return refuseNull(reading, item, shape, child) as ReturnType<typeof readNode>;
  return readNode(reading, item, shape, child);
}
