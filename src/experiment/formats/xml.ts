import { refusal } from "../input/diagnostic.ts";

/** An element of a report, or the document around its root. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
  /** 1 for an element that the report does not have. */
  readonly line: number;
}

/** An element for something that a report says in other words; an undefined attribute is left out. */
export const toElement = (
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly XmlElement[] = [],
): XmlElement => ({
  name,
  attributes: new Map(
    Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  ),
  children,
  text: "",
  line: 1,
});

/** Only direct children; none of a missing element. */
export const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * Decodes the five entities of XML and character numbers in one pass; entities defined by the
 * document are never expanded.
 */
function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
}

const MAX_NESTING = 64;
const MAX_TAG_CHARS = 256 * 1024;
const CDATA = "<![CDATA[";
/** Sections that contain no tags, whatever they look like. */
const SECTIONS: readonly (readonly [open: string, close: string])[] = [
  ["<!--", "-->"],
  [CDATA, "]]>"],
  ["<?", "?>"],
];
/** Optional from the equals sign on, so that a long name is not searched again from each of its letters. */
const ATTRIBUTE = /([^\s=]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'))?/g;

type Open = { -readonly [field in keyof XmlElement]: XmlElement[field] } & {
  readonly children: XmlElement[];
};

function openElement(tag: string, line: number): Open {
  const [name = ""] = /^[^\s/]*/.exec(tag)!;
  const attributes = new Map<string, string>();
  for (const [, key, double, single] of tag.slice(name.length).matchAll(ATTRIBUTE)) {
    const value = double ?? single;
    if (value !== undefined) attributes.set(key!, decode(value.trim()));
  }
  return { name, attributes, children: [], text: "", line };
}

/**
 * Parses a report in one pass. Rejects one whose tags do not match, nest deeply or are very long,
 * and one with a document type, since entities are never expanded.
 */
export function parseXml(file: string, text: string): XmlElement {
  const document: Open = openElement("", 1);
  const open: Open[] = [document];
  let line = 1;
  /** The next line feed, searched for once, since a report may be a single line. */
  let feed = text.indexOf("\n");
  const refuse = (words: string): Error => refusal({ file, line }, words);
  const notWellFormed = "the XML is not well-formed; the run that wrote it may have been killed";
  let after = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", after)) {
    for (; feed >= 0 && feed < at; feed = text.indexOf("\n", feed + 1)) line += 1;
    const around = open.at(-1)!;
    around.text += decode(text.slice(after, at));
    const section = SECTIONS.find(([start]) => text.startsWith(start, at));
    const end = section === undefined ? endOfTag(text, at) : text.indexOf(section[1], at);
    if (end < 0) throw refuse(notWellFormed);
    if (section !== undefined) {
      if (section[0] === CDATA) around.text += text.slice(at + CDATA.length, end);
      after = end + section[1].length;
      continue;
    }
    if (end - at > MAX_TAG_CHARS)
      throw refuse(`a tag is longer than ${MAX_TAG_CHARS / 1024} KiB; that is not a test`);
    if (text[at + 1] === "!")
      throw refuse(
        "the XML has a document type; JUnit reports have none, and entities are never expanded",
      );
    after = end + 1;
    if (text[at + 1] === "/") {
      if (open.length === 1 || around.name !== text.slice(at + 2, end).trim())
        throw refuse(notWellFormed);
      open.pop();
      around.text = around.text.trim();
      continue;
    }
    const isClosed = text[end - 1] === "/";
    const element = openElement(text.slice(at + 1, isClosed ? end - 1 : end), line);
    around.children.push(element);
    if (!isClosed && open.push(element) > MAX_NESTING + 1)
      throw refuse(`the XML nests deeper than ${MAX_NESTING} levels`);
  }
  if (open.length > 1) throw refuse(notWellFormed);
  return document;
}

/**
 * Position of the `>` that ends a tag, skipping quoted ones; -1 if there is none, and a position
 * beyond the limit if the tag is too long.
 */
function endOfTag(text: string, from: number): number {
  for (let at = from + 1; at < text.length && at - from <= MAX_TAG_CHARS + 1; ) {
    const char = text[at]!;
    if (char === ">") return at;
    if (char !== '"' && char !== "'") {
      at += 1;
      continue;
    }
    const close = text.indexOf(char, at + 1);
    if (close < 0) return -1;
    at = close + 1;
  }
  return from + MAX_TAG_CHARS + 2 < text.length ? from + MAX_TAG_CHARS + 2 : -1;
}
