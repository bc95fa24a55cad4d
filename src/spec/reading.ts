import { UNKNOWN } from "../model/rule-input.ts";
import type { Field } from "../model/field-shape.ts";
import type { Dialect } from "../model/dialect.ts";
import { errorAt, type Position, type Diagnostic } from "./desired.ts";
import type { Environment, SpecMode } from "./interpolation.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

/** What reading one document gathers; handed in empty, filled by readDocument. */
export interface Reading {
  readonly env: Environment;
  readonly mode: SpecMode;
  /** False: no reference is filled from the environment. */
  readonly trusted: boolean;
  readonly dialect: Dialect;
  readonly problems: Diagnostic[];
  /** By canonical dotted path. */
  readonly marks: Map<string, Spot>;
  /** Canonical dotted paths of values that only `apply` will know. */
  readonly unknown: Set<string>;
  /** Names of optional secrets that were left out. */
  readonly leftOut: Set<string>;
  /** By environment variable: the paths that are unknown where it is not set. */
  readonly fromEnvironment: Map<string, string[]>;
  readonly sensitiveValues: string[];
}

/** The place of a value: canonical path for lookups, written path for people. */
export interface Spot {
  readonly path: string;
  readonly written: string;
  readonly key: Position;
  readonly value: Position;
  readonly row: Field | undefined;
}

/** Reports what is wrong with a value, there or at another place; replaces what could not be read. */
export function addDiagnostic(
  reading: Reading,
  { written, value }: Spot,
  message: string,
  { level = "error", at = value }: Partial<Pick<Diagnostic, "level">> & { at?: Position } = {},
): typeof UNKNOWN {
  reading.problems.push({ ...errorAt(at, written, message), level });
  return UNKNOWN;
}

/** Notes a field that is wanted and not written, at the key of what it belongs to. */
export function addMissing(reading: Reading, parent: Spot, key: string, message: string): void {
  const { written } = under(parent, { key, keyAt: parent.key });
  reading.problems.push({ ...errorAt(parent.key, written, message), missing: true });
}

/** The place of an entry below another one; `key` is how it is called in canonical dialect. */
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

/** An item of a list as an entry of its index. */
export const toEntry = (value: YamlNode, index: number): YamlEntry => ({
  key: String(index),
  keyAt: value.at,
  value,
});

/** Short texts are parts of many words: masking them would star out whole logs. */
const MIN_MASKED = 4;

/** Masks what was refused where a secret, or its name, belongs. */
export function maskRefused(reading: Reading, texts: readonly string[]): void {
  for (const text of texts) {
    const trimmed = text.trim();
    if (trimmed.length >= MIN_MASKED) reading.sensitiveValues.push(text, trimmed);
  }
}

/** Every text under a node that was refused as a whole: a mapping in place of the list of secrets holds them too. */
export function maskNode(reading: Reading, node: YamlNode): void {
  if (node.kind === "map") for (const { value } of node.entries) maskNode(reading, value);
  else if (node.kind === "list") for (const item of node.items) maskNode(reading, item);
  else if (node.kind === "scalar" && typeof node.value === "string")
    maskRefused(reading, [node.value]);
}

/** Remembers which environment variable decided a value. */
export function noteVariable({ fromEnvironment }: Reading, name: string, path: string): void {
  const paths = fromEnvironment.get(name);
  if (paths === undefined) fromEnvironment.set(name, [path]);
  else paths.push(path);
}
