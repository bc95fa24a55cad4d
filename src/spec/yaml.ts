import {
  boolCoreTag,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  strTag,
  YAMLException,
  type Event,
  type ScalarEvent,
  type ScalarTagDefinition,
} from "js-yaml";
import type { Position, Diagnostic } from "./desired.ts";

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
/** What stands behind dashes or in brackets, each item with its place. */
export interface YamlList {
  readonly kind: "list";
  readonly at: Position;
  readonly items: readonly YamlNode[];
}
/** Stands where a value was refused already, so that the rest of the document can still be judged. */
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
  /** Where `needle` stands in a scalar of several lines, when that is not on its first line. */
  readonly locate?: (needle: string) => Position | undefined;
}

/** One file after its one parse; what YAML itself refuses is in `problems`, and broken or missing in `documents`. */
export interface YamlFile {
  readonly documents: readonly YamlNode[];
  readonly problems: readonly Diagnostic[];
}

/** Largest spec file, in characters. */
export const MAX_SPEC_CHARS = 1024 * 1024;
const MAX_DEPTH = 100;
/** Values, keys and ends of one file. */
const MAX_EVENTS = 250_000;
/** Nodes of one document with every alias written out: far above any spec, far below a "billion laughs". */
const MAX_EXPANDED_NODES = 50_000;

interface Measured {
  readonly node: YamlNode;
  readonly size: number;
  readonly depth: number;
}
interface Composer {
  readonly source: string;
  readonly events: readonly Event[];
  readonly placeOf: (offset: number) => Position;
  readonly problems: Diagnostic[];
  index: number;
  /** Anchors of this document; undefined while the anchored node is still open. */
  anchors: Map<string, Measured | undefined>;
}

const CORE_TAGS: readonly ScalarTagDefinition[] = [
  nullCoreTag,
  boolCoreTag,
  intCoreTag,
  floatCoreTag,
];
const EXPLICIT_TAGS = new Map<string, ScalarTagDefinition>([
  ["null", nullCoreTag],
  ["bool", boolCoreTag],
  ["int", intCoreTag],
  ["float", floatCoreTag],
  ["str", strTag],
]);

/** Positions of offsets in a text; LF, CRLF and CR end a line, a byte order mark has no column. */
function createPlaces(source: string, file: string): (offset: number) => Position {
  const starts = [0];
  for (const match of source.matchAll(/\r\n|\r|\n/gu)) starts.push(match.index + match[0].length);
  const bom = source.startsWith("\uFEFF") ? 1 : 0;
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    const start = low === 0 ? Math.min(bom, offset) : starts[low]!;
    return { file, line: low + 1, column: offset - start + 1 };
  };
}

/** Parses a spec file once into documents whose every key and value has its position. Never throws. */
export function parseYaml(text: string, file: string): YamlFile {
  const refuse = (at: Position, message: string): YamlFile => ({
    documents: [],
    problems: [{ ...at, level: "error", path: "", message }],
  });
  const top: Position = { file, line: 1, column: 1 };
  if (text.length > MAX_SPEC_CHARS)
    return refuse(top, "the file is larger than 1 MiB; split the spec into several files");
  if (/^\uFFFE|^.?\u0000/su.test(text))
    return refuse(top, "the file looks like UTF-16; save it as UTF-8");
  const placeOf = createPlaces(text, file);
  let events: readonly Event[];
  try {
    events = parseEvents(text, { filename: file, maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof YAMLException))
      return refuse(top, "the file is no YAML that can be read; check its syntax");
    const at = placeOf(error.mark?.position ?? 0);
    const line = text.split(/\r\n|\r|\n/u)[at.line - 1] ?? "";
    const open = findUnclosed(text.slice(0, error.mark?.position ?? 0));
    const { reason, advice } = explain(error.reason, line, open, placeOf);
    return refuse(at, `not valid YAML: ${reason}; ${advice}`);
  }
  if (events.length > MAX_EVENTS) return refuse(top, "the file holds too many values; split it");
  return composeFile({ source: text, events, placeOf, problems: [], index: 0, anchors: new Map() });
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/**
 * The innermost bracket that begins a value and is not closed by the end of the text; quotes and
 * comments are passed over.
 */
function findUnclosed(
  text: string,
): { readonly sign: string; readonly offset: number } | undefined {
  const open: { readonly sign: string; readonly offset: number }[] = [];
  const tokens = /"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|(?:^|(?<=\s))#[^\r\n]*|[{}[\]]/gu;
  for (const { 0: sign, index } of text.matchAll(tokens)) {
    const begins = /(?:^|[:\-,[{]\s*)$/u.test(text.slice(Math.max(0, index - 40), index));
    if (CLOSING[sign] !== undefined && (begins || open.length > 0))
      open.push({ sign, offset: index });
    else if (open.length > 0 && CLOSING[open.at(-1)!.sign] === sign) open.pop();
  }
  return open[0];
}

function explain(
  reason: string,
  line: string,
  open: ReturnType<typeof findUnclosed>,
  placeOf: (offset: number) => Position,
): { readonly reason: string; readonly advice: string } {
  if (/\$\{/u.test(line)) return { reason, advice: "put ${…} in quotes inside { } and [ ]" };
  if (/tab/u.test(reason)) return { reason, advice: "indent with spaces" };
  if (/maxDepth/u.test(reason)) return { reason, advice: "nest less deeply" };
  if (open === undefined) return { reason, advice: "check indentation, colons and quotes here" };
  const { line: opened, column } = placeOf(open.offset);
  return {
    reason: `the ${open.sign} opened at ${opened}:${column} is not closed`,
    advice: `check where its ${CLOSING[open.sign]} belongs`,
  };
}

function composeFile(composer: Composer): YamlFile {
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

function addDiagnostic(composer: Composer, at: Position, message: string): YamlBroken {
  composer.problems.push({ ...at, level: "error", path: "", message });
  return { kind: "broken", at };
}

const measure = (node: YamlNode, children: readonly Measured[]): Measured => ({
  node,
  size: children.reduce((sum, child) => sum + child.size, 1),
  depth: children.reduce((deepest, child) => Math.max(deepest, child.depth), 0) + 1,
});

/**
 * Start of a node as a reader sees it: its anchor or tag, else its quote, block sign or first
 * character; -1 when nothing is written.
 */
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
    : `has no anchor; write &${name} before the value it repeats`;
  const message = found === undefined ? missing : "nests too deeply; write the values out";
  return measure(addDiagnostic(composer, at, `the alias *${name} ${message}`), []);
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
    composer.problems.push({
      ...entry.keyAt,
      level: "error",
      path: [...path, entry.key].join("."),
      message: `the key is written twice, first in line ${first.keyAt.line}; keep one of the two`,
    });
  }
}

/**
 * `<<: *a` and `<<: [*a, *b]`: own keys win, then the earlier mapping; merged keys keep the place
 * where they are written.
 */
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

function tagName(
  composer: Composer,
  event: { readonly tagStart: number; readonly tagEnd: number },
): string {
  const raw = event.tagStart < 0 ? "" : composer.source.slice(event.tagStart, event.tagEnd);
  return raw.replace(/^!<tag:yaml\.org,2002:(.*)>$/u, "!!$1");
}

function fitsCollection(
  composer: Composer,
  event: Extract<Event, { type: 2 | 3 }>,
  at: Position,
): boolean {
  const tag = tagName(composer, event);
  const fitting = event.type === EVENT_ID.SEQUENCE ? "!!seq" : "!!map";
  const fits = tag === "" || tag === "!" || tag === fitting;
  if (!fits) addDiagnostic(composer, at, `the tag ${tag} is not known here; remove it`);
  return fits;
}

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
  const candidates =
    tag === ""
      ? CORE_TAGS
      : [EXPLICIT_TAGS.get(tag.slice(2))].filter(
          (found) => found !== undefined && tag.startsWith("!!"),
        );
  for (const candidate of candidates) {
    const value = candidate!.resolve(text, tag !== "", candidate!.tagName);
    if (value !== NOT_RESOLVED)
      return typeof value === "number"
        ? checkNumber(composer, value, at)
        : (value as YamlScalar["value"]);
  }
  return tag === ""
    ? text
    : addDiagnostic(composer, at, `the tag ${tag} does not fit this value; remove it`);
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
