import {
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  getScalarValue,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
} from "js-yaml";
import { isSecretVariable } from "../secrets/key-like.ts";
import { errorAt, type Diagnostic, type Position } from "./desired.ts";
import type { YamlBroken, YamlEntry, YamlFile, YamlNode, YamlScalar } from "./yaml-node.ts";

/** The most levels of nesting in a document. */
export const MAX_DEPTH = 100;

/** The most nodes of a document with every alias expanded: far above any spec, far below a "billion laughs". */
const MAX_EXPANDED_NODES = 50_000;

/** A node with its size when every alias is expanded. */
interface Measured {
  readonly node: YamlNode;
  readonly size: number;
  readonly depth: number;
}

/** State while composing one file. */
export interface Composer {
  readonly source: string;
  readonly events: readonly Event[];
  readonly placeOf: (offset: number) => Position;
  readonly problems: Diagnostic[];
  index: number;
  /** Anchors of this document; undefined while the anchored node is still open. */
  anchors: Map<string, Measured | undefined>;
}

/** Reports a problem and returns a placeholder node. */
function addDiagnostic(composer: Composer, at: Position, message: string): YamlBroken {
  composer.problems.push(errorAt(at, "", message));
  return { kind: "broken", at };
}

/** Composes the documents of a file from parser events. */
export function composeFile(composer: Composer): YamlFile {
  const documents: YamlNode[] = [];
  while (composer.index < composer.events.length) {
    composer.index += 1;
    composer.anchors = new Map();
    const { node, size } = compose(composer, composer.placeOf(0), []);
    while (composer.events[composer.index]?.type === EVENT_ID.POP) composer.index += 1;
    const bomb = size > MAX_EXPANDED_NODES;
    documents.push(
      bomb
        ? addDiagnostic(
            composer,
            node.at,
            "the document holds too many values, counting what its aliases repeat; write less, or write the values out",
          )
        : node,
    );
  }
  return { documents, problems: composer.problems };
}

const measure = (node: YamlNode, children: readonly Measured[]): Measured => ({
  node,
  size: children.reduce((sum, child) => sum + child.size, 1),
  depth: children.reduce((deepest, child) => Math.max(deepest, child.depth), 0) + 1,
});

/** Start of a node: its anchor or tag, else its quote, block sign or first character; -1 if nothing is written. */
function startOf(composer: Composer, event: Exclude<Event, { type: 1 | 6 }>): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  const marks = [event.anchorStart - 1, event.tagStart].filter((offset) => offset >= 0);
  if (marks.length > 0) return Math.min(...marks);
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  if (event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED)
    return event.valueStart - 1;
  if (event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK) {
    const header = /[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?\s*$/u.exec(
      composer.source.slice(Math.max(0, event.valueStart - 300), event.valueStart),
    );
    return header === null ? event.valueStart : event.valueStart - header[0].length;
  }
  return event.valueStart;
}

type Path = readonly string[];

function compose(composer: Composer, empty: Position, path: Path): Measured {
  const event = composer.events[composer.index++]!;
  if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
    throw new Error("the YAML events are out of order");
  const offset = startOf(composer, event);
  const at = offset < 0 ? empty : composer.placeOf(offset);
  if (event.type === EVENT_ID.ALIAS)
    return composeAlias(
      composer,
      composer.source.slice(event.anchorStart, event.anchorEnd),
      at,
      path.length,
    );
  const anchor =
    event.anchorStart < 0 ? undefined : composer.source.slice(event.anchorStart, event.anchorEnd);
  if (anchor !== undefined) composer.anchors.set(anchor, undefined);
  const make = (): Measured => {
    if (event.type === EVENT_ID.SCALAR) return measure(composeScalar(composer, event, at), []);
    return event.type === EVENT_ID.SEQUENCE
      ? composeList(composer, at, path)
      : composeMap(composer, at, path);
  };
  const made = make();
  const kept =
    event.type === EVENT_ID.SCALAR || fitsCollection(composer, event, at)
      ? made
      : measure({ kind: "broken", at }, []);
  if (anchor !== undefined) composer.anchors.set(anchor, kept);
  return kept;
}

function composeAlias(composer: Composer, name: string, at: Position, depth: number): Measured {
  const found = composer.anchors.get(name);
  if (found !== undefined && depth + found.depth <= MAX_DEPTH)
    return { ...found, node: { ...found.node, at } };
  const missing = composer.anchors.has(name)
    ? "contains itself; write the values out"
    : "has no anchor; put a value that begins with * in quotes, or write the anchor before what it repeats";
  const message = found === undefined ? missing : "nests too deeply; write the values out";
  return measure(addDiagnostic(composer, at, `the alias ${message}`), []);
}

function composeList(composer: Composer, at: Position, path: Path): Measured {
  const items: Measured[] = [];
  while (composer.events[composer.index]!.type !== EVENT_ID.POP)
    items.push(compose(composer, at, [...path, String(items.length)]));
  composer.index += 1;
  return measure({ kind: "list", at, items: items.map((item) => item.node) }, items);
}

function composeMap(composer: Composer, at: Position, path: Path): Measured {
  const own = new Map<string, YamlEntry>();
  const merged: YamlNode[] = [];
  const children: Measured[] = [];
  while (composer.events[composer.index]!.type !== EVENT_ID.POP) {
    const keyEvent = composer.events[composer.index]!;
    const isMerge =
      keyEvent.type === EVENT_ID.SCALAR &&
      keyEvent.style === SCALAR_STYLE.PLAIN &&
      getScalarValue(composer.source, keyEvent) === "<<";
    const key = compose(composer, at, path).node;
    const name = key.kind === "scalar" ? String(key.value) : "?";
    const value = compose(composer, key.at, [...path, name]);
    children.push(value);
    if (key.kind !== "scalar") {
      if (key.kind !== "broken")
        addDiagnostic(composer, key.at, "a key is a list or mapping; write plain text keys");
      continue;
    }
    if (isMerge) merged.push(value.node);
    else addEntry(composer, own, { key: name, keyAt: key.at, value: value.node }, path);
  }
  composer.index += 1;
  const entries = merged.length === 0 ? [...own.values()] : mergeEntries(composer, own, merged);
  return measure({ kind: "map", at, entries }, children);
}

/** Below `secrets`, `env` and keys that sound secret, a key may be the secret itself: only the entry is named. */
function toShownPath(path: Path): Path {
  const at = path.findIndex((key) => key === "env" || isSecretVariable(key));
  return at < 0 ? path : path.slice(0, at + (/^\d+$/u.test(path[at + 1] ?? "") ? 2 : 1));
}

function addEntry(
  composer: Composer,
  own: Map<string, YamlEntry>,
  entry: YamlEntry,
  path: Path,
): void {
  const first = own.get(entry.key);
  if (entry.key === "__proto__")
    addDiagnostic(composer, entry.keyAt, "the key __proto__ is refused; remove it");
  else if (first === undefined) own.set(entry.key, entry);
  else {
    const message = `the key is written twice, first in line ${first.keyAt.line}; keep one of the two`;
    const shown = toShownPath([...path, entry.key]).join(".");
    composer.problems.push(errorAt(entry.keyAt, shown, message));
  }
}

/** `<<: *a` and `<<: [*a, *b]`: own keys win, then the earlier mapping; merged keys keep their written position. */
function mergeEntries(
  composer: Composer,
  own: ReadonlyMap<string, YamlEntry>,
  merged: readonly YamlNode[],
): YamlEntry[] {
  const all = new Map(own);
  let work = 0;
  for (const source of merged.flatMap((node) => (node.kind === "list" ? node.items : [node]))) {
    if (source.kind !== "map") {
      if (source.kind !== "broken")
        addDiagnostic(
          composer,
          source.at,
          "<< takes a mapping or a list of mappings; write an alias of one",
        );
      continue;
    }
    work += source.entries.length;
    if (work > MAX_EXPANDED_NODES) {
      addDiagnostic(composer, source.at, "<< merges too many keys; write them out");
      break;
    }
    for (const entry of source.entries) if (!all.has(entry.key)) all.set(entry.key, entry);
  }
  return [...all.values()];
}

/** YAML reads a leading `!` as a tag. No message repeats it. */
export const NO_TAG =
  "what begins with ! here is a tag that is not known; put a value that begins with ! in quotes, or remove the tag";

function tagName(
  composer: Composer,
  event: { readonly tagStart: number; readonly tagEnd: number },
): string {
  const raw = event.tagStart < 0 ? "" : composer.source.slice(event.tagStart, event.tagEnd);
  return raw.replace(/^!<tag:yaml\.org,2002:(.*)>$/u, "!!$1");
}

/** An unknown tag is more likely the beginning of a value, which may be a secret. */
function refuseTag(composer: Composer, at: Position, tag: string, why: string): YamlBroken {
  const isOfYaml = /^!!(?:null|bool|int|float|str|seq|map|set|omap|pairs|binary|timestamp)$/u.test(
    tag,
  );
  return addDiagnostic(composer, at, isOfYaml ? `the tag ${tag} ${why}; remove it` : NO_TAG);
}

/** Whether the tag of a list or mapping allows it. */
function fitsCollection(
  composer: Composer,
  event: Extract<Event, { type: 2 | 3 }>,
  at: Position,
): boolean {
  const tag = tagName(composer, event);
  const fitting = event.type === EVENT_ID.SEQUENCE ? "!!seq" : "!!map";
  const fits = tag === "" || tag === "!" || tag === fitting;
  if (!fits) refuseTag(composer, at, tag, "is not known here");
  return fits;
}

/** Resolves a scalar by its tag and YAML's core schema. */
function composeScalar(
  composer: Composer,
  event: ScalarEvent,
  at: Position,
): YamlScalar | YamlBroken {
  const { source, placeOf } = composer;
  const text = getScalarValue(source, event);
  const value = resolveScalar(composer, event, text, at);
  if (typeof value === "object" && value !== null) return value;
  if (typeof value !== "string") return { kind: "scalar", at, value, text };
  if (event.valueEnd < 0 || !/[\r\n]/u.test(source.slice(event.valueStart, event.valueEnd)))
    return { kind: "scalar", at, value };
  const locate = (needle: string): Position | undefined => {
    const found = source.slice(event.valueStart, event.valueEnd).indexOf(needle);
    const place = found < 0 ? undefined : placeOf(event.valueStart + found);
    return place === undefined || place.line === at.line ? undefined : place;
  };
  return { kind: "scalar", at, value, locate };
}

function resolveScalar(
  composer: Composer,
  event: ScalarEvent,
  text: string,
  at: Position,
): YamlScalar["value"] | YamlBroken {
  const tag = tagName(composer, event);
  if (tag === "!" || (tag === "" && event.style !== SCALAR_STYLE.PLAIN)) return text;
  const known = tag.startsWith("!!")
    ? CORE_SCHEMA.lookupScalarTag(`tag:yaml.org,2002:${tag.slice(2)}`)
    : undefined;
  const explicit = known === undefined ? NOT_RESOLVED : known.resolve(text, true, known.tagName);
  const value = tag === "" ? CORE_SCHEMA.resolveImplicitScalarTag(text).value : explicit;
  if (value === NOT_RESOLVED) return refuseTag(composer, at, tag, "does not fit this value");
  return typeof value === "number"
    ? checkNumber(composer, value, at)
    : (value as YamlScalar["value"]);
}

function checkNumber(composer: Composer, value: number, at: Position): number | YamlBroken {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    return addDiagnostic(
      composer,
      at,
      "the number is too large, or none that JSON can carry; write a smaller one, or put it in quotes where text is meant",
    );
  }
  return value === 0 ? 0 : value;
}
