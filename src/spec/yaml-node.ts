import type { Json } from "../model/json.ts";
import type { Diagnostic, Position } from "./desired.ts";

/** A YAML value with its position; `at` is its first character (the quote of a quoted scalar, the `*` of an alias). */
export type YamlNode = YamlMap | YamlList | YamlScalar | YamlBroken;

/** A mapping; keys merged by `<<` keep their written position. */
export interface YamlMap {
  readonly kind: "map";
  readonly at: Position;
  readonly entries: readonly YamlEntry[];
}

/** A list in block or flow style, each item with its position. */
export interface YamlList {
  readonly kind: "list";
  readonly at: Position;
  readonly items: readonly YamlNode[];
}

/** Placeholder for a value that was refused, so that the rest of the document can still be checked. */
export interface YamlBroken {
  readonly kind: "broken";
  readonly at: Position;
}

/** A key with its value; `keyAt` is the first character of the key. */
export interface YamlEntry {
  readonly key: string;
  readonly keyAt: Position;
  readonly value: YamlNode;
}

/** A scalar, typed by the YAML 1.2 core schema. */
export interface YamlScalar {
  readonly kind: "scalar";
  readonly at: Position;
  readonly value: null | boolean | number | string;
  /** How a number, boolean or null is written (`1.10`); absent for text. */
  readonly text?: string;
  /** Finds `needle` in a multi-line scalar, unless it is on the first line. */
  readonly locate?: (needle: string) => Position | undefined;
}

/** One parsed file; `problems` holds what YAML refuses; these parts are broken or missing in `documents`. */
export interface YamlFile {
  readonly documents: readonly YamlNode[];
  readonly problems: readonly Diagnostic[];
  /** YAML refused a document, so neither it nor what follows was read. */
  readonly isCut?: true;
}

/** The entry of a key, if the node is a mapping that has it. */
export const entryOf = (node: YamlNode | undefined, key: string): YamlEntry | undefined =>
  node?.kind === "map" ? node.entries.find((entry) => entry.key === key) : undefined;

/** Whether nothing, or null, is written there. */
export const isNullNode = (node: YamlNode): boolean =>
  node.kind === "scalar" && node.value === null;

/** The plain value of a node; null for refused parts. */
export function toPlain(node: YamlNode): Json {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toPlain);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlain(value)]));
    case "broken":
      return null;
  }
}

/** Position of a value, or of its key with `onKey`; for a path that is not written, that of the nearest parent. */
export function placeAt(node: YamlNode, path: readonly PropertyKey[], onKey: boolean): Position {
  const [step, ...rest] = path;
  if (step === undefined) return node.at;
  if (node.kind === "list" && typeof step === "number") {
    const item = node.items[step];
    return item === undefined ? node.at : placeAt(item, rest, onKey);
  }
  const entry = entryOf(node, String(step));
  if (entry === undefined) return node.at;
  return onKey && rest.length === 0 ? entry.keyAt : placeAt(entry.value, rest, onKey);
}
