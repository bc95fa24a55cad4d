import type { Json } from "../model/json.ts";
import type { Diagnostic, Position } from "./desired.ts";

/**
 * A YAML value that knows where it is written; `at` is its first character (the quote of a quoted
 * scalar, the `*` of an alias).
 */
export type YamlNode = YamlMap | YamlList | YamlScalar | YamlBroken;

/** A mapping; keys merged by `<<` keep the place where they are written. */
export interface YamlMap {
  readonly kind: "map";
  readonly at: Position;
  readonly entries: readonly YamlEntry[];
}

/** The items after dashes or in brackets, each with its place. */
export interface YamlList {
  readonly kind: "list";
  readonly at: Position;
  readonly items: readonly YamlNode[];
}

/** Replaces a value that was refused already, so that the rest of the document can still be judged. */
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

/** A scalar, typed as YAML 1.2 core has it. */
export interface YamlScalar {
  readonly kind: "scalar";
  readonly at: Position;
  readonly value: null | boolean | number | string;
  /** A number or boolean as it is written (`1.10`), where its text matters. */
  readonly text?: string;
  /** The place of `needle` in a scalar of several lines, when that is not on its first line. */
  readonly locate?: (needle: string) => Position | undefined;
}

/** One file after its one parse; what YAML itself refuses is in `problems`, and broken or missing in `documents`. */
export interface YamlFile {
  readonly documents: readonly YamlNode[];
  readonly problems: readonly Diagnostic[];
}

/** The entry of a key, where the node is a mapping that has it. */
export const entryOf = (node: YamlNode | undefined, key: string): YamlEntry | undefined =>
  node?.kind === "map" ? node.entries.find((entry) => entry.key === key) : undefined;

/** Whether nothing, or null, is written. */
export const isNullNode = (node: YamlNode): boolean =>
  node.kind === "scalar" && node.value === null;

/** The value of a node, without places; what was refused is null. */
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

/** The place of a value, or with `onKey` of its key; of what is not written, that of the mapping or list around it. */
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
