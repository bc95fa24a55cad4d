import { UNKNOWN } from "../model/rule-input.ts";
import type { Field } from "../model/field-shape.ts";
import type { Dialect } from "../model/dialect.ts";
import { errorAt, type Position, type Diagnostic } from "./desired.ts";
import type { Filling, SpecMode } from "./interpolation.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

/** Collects the results of reading one document; passed in empty and filled by readDocument. */
export interface Reading extends Filling {
  readonly mode: SpecMode;
  readonly dialect: Dialect;
  readonly problems: Diagnostic[];
  /** By canonical dotted path. */
  readonly marks: Map<string, Spot>;
  /** Maps each environment variable to the paths that are unknown while it is unset. */
  readonly fromEnvironment: Map<string, string[]>;
  readonly sensitiveValues: string[];
  /** By path: texts as they are shown, where a variable whose name suggests a secret fills them in. */
  readonly shown: Map<string, string>;
}

/** The location of a value: canonical path for lookups, written path for messages. */
export interface Spot {
  readonly path: string;
  readonly written: string;
  readonly key: Position;
  readonly value: Position;
  readonly row: Field | undefined;
}

/** Reports a problem with a value, at its own or another position; returns a placeholder for it. */
export function addDiagnostic(
  reading: Reading,
  { written, value }: Spot,
  message: string,
  { level = "error", at = value }: Partial<Pick<Diagnostic, "level">> & { at?: Position } = {},
): typeof UNKNOWN {
  reading.problems.push({ ...errorAt(at, written, message), level });
  return UNKNOWN;
}

/** Reports a required field that is missing, at the key of its parent. */
export function addMissing(reading: Reading, parent: Spot, key: string, message: string): void {
  const { written } = under(parent, { key, keyAt: parent.key });
  reading.problems.push({ ...errorAt(parent.key, written, message), missing: true });
}

/** The location of a child entry; `key` is its name in canonical dialect. */
export function under(
  spot: Spot,
  { key: written, keyAt, value }: Pick<YamlEntry, "key" | "keyAt"> & Partial<YamlEntry>,
  key = written,
  row?: Field,
): Spot {
  return {
    path: spot.path === "" ? key : `${spot.path}.${key}`,
    written: spot.written === "" ? written : `${spot.written}.${written}`,
    key: keyAt,
    value: value?.at ?? keyAt,
    row,
  };
}

/** A list item as an entry with its index as key. */
export const toEntry = (value: YamlNode, index: number): YamlEntry => ({
  key: String(index),
  keyAt: value.at,
  value,
});

/** Shorter texts are parts of many words: masking them would blank out whole logs. */
const MIN_MASKED = 4;

/** Masks texts refused in a place where a secret or its name belongs. */
export function maskRefused(reading: Reading, texts: readonly string[]): void {
  for (const text of texts) {
    const trimmed = text.trim();
    if (trimmed.length >= MIN_MASKED) reading.sensitiveValues.push(text, trimmed);
  }
}

/**
 * Masks every text under a node that was refused whole: a mapping in place of the list of secrets
 * contains them too.
 */
export function maskNode(reading: Reading, node: YamlNode): void {
  if (node.kind === "map") for (const { value } of node.entries) maskNode(reading, value);
  else if (node.kind === "list") for (const item of node.items) maskNode(reading, item);
  else if (node.kind === "scalar" && typeof node.value === "string")
    maskRefused(reading, [node.value]);
}

/** Records which environment variable a value came from. */
export function noteVariable({ fromEnvironment }: Reading, name: string, path: string): void {
  const paths = fromEnvironment.get(name);
  if (paths === undefined) fromEnvironment.set(name, [path]);
  else paths.push(path);
}

/** Gives places and the uses of variables new paths; undefined: they are gone. */
export function movePaths(
  { marks, fromEnvironment }: Reading,
  move: (path: string) => string | undefined,
): void {
  for (const [variable, paths] of fromEnvironment)
    fromEnvironment.set(
      variable,
      paths.flatMap((path) => move(path) ?? []),
    );
  const before = [...marks];
  marks.clear();
  for (const [path, spot] of before) {
    const to = move(path);
    if (to !== undefined) marks.set(to, spot);
  }
}
