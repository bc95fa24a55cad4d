import { documentShape } from "../model/deploy-block.ts";
import { spellKey } from "../model/dialect.ts";
import type { Shape } from "../model/field-shape.ts";
import { errorAt, type Diagnostic, type Position } from "./desired.ts";
import { nearestWord } from "./suggestion.ts";
import {
  entryOf,
  isNullNode,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yaml-node.ts";

interface Merge {
  /** How problems refer to the overlay: `deploy.targets.staging`. */
  readonly prefix: string;
  readonly problems: Diagnostic[];
  /** Canonical dotted paths that the overlay removed with null, with the position of that null. */
  readonly removed: Map<string, Position>;
}

/** Canonical path of a node: keys of the merged document. */
type Path = readonly string[];

/** The key that lists which sibling lists to replace whole. */
const REPLACE = "replace";

/**
 * Merges `overlay` into `base`: mappings merge by key, scalars replace, lists matched by name
 * merge by name, other lists replace, null removes a key, and `replace: [names]` replaces the
 * named sibling lists whole. Every node keeps the position where it is written.
 */
export function overlayDocument(base: YamlMap, overlay: YamlMap, prefix: string) {
  const merge: Merge = { prefix, problems: [], removed: new Map() };
  const root = mergeMaps(merge, base, overlay, documentShape, []);
  return { root, problems: merge.problems, removed: merge.removed };
}

function addDiagnostic(merge: Merge, at: Position, path: Path, message: string): void {
  merge.problems.push(errorAt(at, [merge.prefix, ...path].join("."), message));
}

function mergeMaps(
  merge: Merge,
  base: YamlMap,
  overlay: YamlMap,
  shape: Shape | undefined,
  path: Path,
): YamlMap {
  // The keys of any other mapping are the user's own.
  const struct = shape?.kind === "struct" ? shape : undefined;
  const toKey = (key: string): string => (struct === undefined ? key : spellKey(key, "document"));
  const replaced = struct === undefined ? [] : readReplace(merge, overlay, struct, path);
  const entries = new Map(base.entries.map((entry) => [toKey(entry.key), entry] as const));
  for (const entry of overlay.entries) {
    if (struct !== undefined && entry.key === REPLACE) continue;
    const key = toKey(entry.key);
    const before = replaced.includes(key) ? undefined : entries.get(key);
    const child = struct?.fields.get(key)?.shape;
    const after = mergeEntry(merge, before, entry, child, [...path, key]);
    if (after === undefined) entries.delete(key);
    else entries.set(key, after);
  }
  return { ...base, entries: [...entries.values()] };
}

/** Blocks that a create requires: null empties them, so missing fields are reported at that null. */
const CREATE_BLOCKS = ["source_config", "source_revision_config"];

function mergeEntry(
  merge: Merge,
  before: YamlEntry | undefined,
  entry: YamlEntry,
  shape: Shape | undefined,
  path: Path,
): YamlEntry | undefined {
  const { value } = entry;
  if (isNullNode(value)) {
    merge.removed.set(path.join("."), value.at);
    return CREATE_BLOCKS.includes(path.join(".")) && before?.value.kind === "map"
      ? { ...entry, value: { kind: "map", at: value.at, entries: [] } }
      : undefined;
  }
  const merged = mergeNodes(merge, before?.value, value, shape, path);
  return { key: entry.key, keyAt: keyPlace(before, entry, merged), value: merged };
}

/**
 * A mapping or list that both sides write keeps its position in the document; anything else has
 * that of the overlay.
 */
function keyPlace(before: YamlEntry | undefined, entry: YamlEntry, merged: YamlNode): Position {
  return before !== undefined && merged.at === before.value.at ? before.keyAt : entry.keyAt;
}

function mergeNodes(
  merge: Merge,
  base: YamlNode | undefined,
  overlay: YamlNode,
  shape: Shape | undefined,
  path: Path,
): YamlNode {
  const known = base === undefined || base.kind === "broken" || isNullNode(base) ? undefined : base;
  if (overlay.kind === "broken") return overlay;
  if (known !== undefined && known.kind !== overlay.kind) {
    addDiagnostic(merge, overlay.at, path, clash(known, overlay));
    return known;
  }
  if (overlay.kind === "scalar") return overlay;
  if (overlay.kind === "map") {
    const under = (known as YamlMap | undefined) ?? { ...overlay, entries: [] };
    return mergeMaps(merge, under, overlay, shape, path);
  }
  const list = known as YamlList | undefined;
  return shape?.kind === "list" && shape.match !== undefined && list !== undefined
    ? mergeLists(merge, list, overlay, shape, path)
    : replaceList(merge, overlay, shape, path);
}

const KINDS = { map: "a mapping", list: "a list", scalar: "a single value", broken: "" } as const;

function clash(base: YamlNode, overlay: YamlNode): string {
  return `is ${KINDS[base.kind]} in the document (line ${base.at.line}) and ${KINDS[overlay.kind]} here; write ${KINDS[base.kind]}`;
}

/** A list taken as it is; null also removes keys inside its items. */
function replaceList(merge: Merge, list: YamlList, shape: Shape | undefined, path: Path): YamlList {
  const item = shape?.kind === "list" ? shape.item : undefined;
  const items = list.items.map((node, index) =>
    isNullNode(node) ? node : mergeNodes(merge, undefined, node, item, [...path, String(index)]),
  );
  return { ...list, items };
}

function mergeLists(
  merge: Merge,
  base: YamlList,
  overlay: YamlList,
  shape: Extract<Shape, { kind: "list" }>,
  path: Path,
): YamlList {
  const match = shape.match!;
  const items = [...base.items];
  const places = new Map(
    items.flatMap((item, index) => {
      const name = nameOf(item, match);
      return name === undefined ? [] : [[name, index] as const];
    }),
  );
  const seen = new Map<string, Position>();
  overlay.items.forEach((item, index) => {
    const at = [...path, String(index)];
    const name = nameOf(item, match);
    if (name === undefined) {
      if (item.kind !== "broken")
        addDiagnostic(merge, item.at, at, withoutName(match, path.at(-1)!));
      return;
    }
    const first = seen.get(name);
    if (first !== undefined) {
      const message = `repeats the ${match} of line ${first.line}; write each once`;
      addDiagnostic(merge, item.at, at, message);
      return;
    }
    seen.set(name, item.at);
    const place = places.get(name) ?? items.length;
    items[place] = mergeItem(merge, base.items[place], item, shape.item, [...path, String(place)]);
  });
  return { ...base, items };
}

const shown = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);

function withoutName(match: string, list: string): string {
  return `has no ${match}, so it cannot be matched with an item of the document; add ${match}, or write replace: [${list}] next to the list`;
}

/** A short form (`- NAME`) takes its value from the environment, so it replaces the whole item. */
function mergeItem(
  merge: Merge,
  base: YamlNode | undefined,
  item: YamlNode,
  shape: Shape,
  path: Path,
): YamlNode {
  if (item.kind !== "map") return item;
  if (base?.kind === "scalar" && item.entries.length === 1) return base;
  const before = base?.kind === "map" ? base : undefined;
  const merged = mergeNodes(merge, before, item, shape, path) as YamlMap;
  return { ...merged, at: item.at };
}

/** The name that an item matches by, as written: `${…}` is not resolved yet. */
function nameOf(item: YamlNode, match: string): string | undefined {
  if (item.kind === "scalar") return typeof item.value === "string" ? item.value : undefined;
  const value = entryOf(item, match)?.value;
  if (value?.kind !== "scalar" || value.value === null || value.value === "") return undefined;
  return String(value.value);
}

type StructShape = Extract<Shape, { kind: "struct" }>;

function readReplace(
  merge: Merge,
  overlay: YamlMap,
  shape: StructShape,
  path: Path,
): readonly string[] {
  const entry = entryOf(overlay, REPLACE);
  if (entry === undefined || entry.value.kind === "broken") return [];
  const { value } = entry;
  const at = [...path, REPLACE];
  if (value.kind !== "list" || value.items.some((item) => !isText(item))) {
    addDiagnostic(
      merge,
      value.at,
      at,
      "takes a list of the names of lists; write replace: [secrets]",
    );
    return [];
  }
  const siblings = new Map(
    overlay.entries.map((one) => [spellKey(one.key, "document"), one.value] as const),
  );
  return (value.items as readonly YamlScalar[]).flatMap((item) => {
    const name = spellKey(String(item.value), "document");
    const wrong = wrongReplace(name, shape, siblings);
    if (wrong === undefined) return [name];
    addDiagnostic(merge, item.at, at, wrong);
    return [];
  });
}

const isText = (node: YamlNode): boolean =>
  node.kind === "scalar" && typeof node.value === "string";

function wrongReplace(
  name: string,
  shape: StructShape,
  siblings: ReadonlyMap<string, YamlNode>,
): string | undefined {
  const field = shape.fields.get(name);
  if (field !== undefined && field.shape.kind !== "list")
    return `${name} is not a list, and only a list can be replaced whole; remove it here`;
  const node = siblings.get(name);
  if (field !== undefined && node !== undefined) return undefined;
  const lists = [...shape.fields.values()]
    .filter((one) => one.shape.kind === "list")
    .map((one) => one.name);
  if (field !== undefined)
    return `${name} is not written next to it; write the list that replaces it: ${name}: [...]`;
  const near = nearestWord(name, lists);
  const advice =
    near === undefined ? "write replace next to the list that it names" : `did you mean ${near}?`;
  return `${shown(name)} is not a list here; ${advice}`;
}
