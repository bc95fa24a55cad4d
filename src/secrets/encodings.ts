import { parseJson } from "../model/json.ts";
import { isSecretVariable } from "./key-like.ts";
import { WINDOW, type FormInContext } from "./secret-index.ts";

/** A shorter part is not masked by itself: it would blank out ordinary words. */
const SHORTEST_PART = 8;
/** The same for a part that its name or field marks as secret. */
const SHORTEST_SECRET_PART = 4;
const MAX_DEPTH = 8;
const MAX_PARTS = 2_000;

function isSecretName(name: string): boolean {
  return isSecretVariable(name) || /PWD|SIG/iu.test(name);
}

/** A setting rather than a secret (`oauth`, `8080`): masking it within a text would blank ordinary words. */
export function isOrdinaryWord(text: string): boolean {
  return text.length < 8 && /^(?:[a-z]+|[A-Z]+|\d+)$/u.test(text);
}

/** A value that must be masked, whole or in part. */
export interface SecretPart {
  readonly text: string;
  /**
   * Substrings that no text may show, even abridged: for a URL not its host, for JSON and
   * multi-line values only their parts.
   */
  readonly runs: readonly string[];
  /** Contexts in which the part is recognised: `user:`, `Password=`, `"secret":"`. */
  readonly places: readonly Place[];
}

/** The text around a part of a secret, as far as it matters. */
interface Place {
  readonly before: string;
  readonly after: string;
  /** The fewest characters of the part that identify it in this context. */
  readonly least: number;
}

/**
 * After a prefix that announces a secret, four characters are no coincidence; after a bare scheme
 * any word may follow.
 */
const LEAST = 4;
const LEAST_BEHIND_SCHEME = 8;
/** How many characters of context a window can hold next to the fewest characters of the part. */
const CONTEXT_CHARS = WINDOW - LEAST;

function placeIn(text: string, at: number, length: number, least = LEAST): Place {
  const before = text.slice(Math.max(0, at - CONTEXT_CHARS), at);
  return { before, after: text.slice(at + length, at + length + CONTEXT_CHARS), least };
}

/**
 * A secret and its parts: each line, the leaves of JSON (also in base64), the user-info of an
 * address, and passwords in a list of settings.
 */
export function toSecretParts(secret: string): readonly SecretPart[] {
  const parts = new Map<string, SecretPart>();
  const open: { text: string; depth: number; shortest: number; places?: readonly Place[] }[] = [
    { text: secret, depth: 0, shortest: 1 },
  ];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { text, depth, shortest, places = [] } = next;
    if (text.trim().length < shortest || parts.size >= MAX_PARTS || parts.has(text)) continue;
    const inner = depth > MAX_DEPTH ? [] : toInnerParts(text);
    const runs = toRuns(text, depth > 0);
    parts.set(text, { text, runs, places: runs.includes(text) || WORDS.test(text) ? places : [] });
    for (const part of [{ text: text.trim(), shortest, places }, ...inner])
      if (!parts.has(part.text))
        open.push({ ...part, depth: part.text === text.trim() ? depth : depth + 1 });
  }
  return [...parts.values()];
}

/** Only words: a path, or the name of a kind. */
const WORDS = /^[a-z\s./:_-]+$/u;
const LINE_ENDS = /\r\n?|\n|\\n/u;

function toRuns(text: string, isInner: boolean): readonly string[] {
  if (parseObject(text) !== undefined || /-----(?:BEGIN|END)[A-Z ]+-----/u.test(text)) return [];
  const address = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#\s]*)@)?[^/?#\s]*(.*)$/isu.exec(text);
  if (address !== null) return [address[1] ?? "", address[2]!].filter((run) => !WORDS.test(run));
  const settings = [...text.matchAll(SETTING)];
  if (settings.length > 1 && settings.some(([, name]) => isSecretName(name!)))
    return settings.map(([, , value]) => value!).filter((run) => !WORDS.test(run));
  return isInner && WORDS.test(text) ? [] : [text];
}

interface InnerPart {
  readonly text: string;
  readonly shortest: number;
  readonly places?: readonly Place[];
}

function toInnerParts(text: string): readonly InnerPart[] {
  const leaves = toLeaves(text);
  return leaves.length > 0 ? leaves : [...toLines(text), ...toPasswords(text)];
}

function toLines(text: string): InnerPart[] {
  // A key written on one line often spells its line ends as \n.
  const lines = text.split(LINE_ENDS);
  if (lines.length < 2) return [];
  return lines.map((line) => ({ text: line.trim(), shortest: SHORTEST_SECRET_PART }));
}

function toLeaves(text: string): InnerPart[] {
  const json = parseObject(text) ?? parseObject(fromBase64(text));
  if (json === undefined) return [];
  const leaves: InnerPart[] = [];
  const walk = (value: unknown, key: string, depth: number): void => {
    if (depth > MAX_DEPTH || leaves.length >= MAX_PARTS) return;
    if (typeof value === "string" || typeof value === "number") {
      const isWord = isOrdinaryWord(String(value)) || WORDS.test(String(value));
      const shortest = isSecretName(key) || !isWord ? SHORTEST_SECRET_PART : SHORTEST_PART;
      const places = isSecretName(key) && !WORDS.test(String(value)) ? placesOfLeaf(key) : [];
      leaves.push({ text: String(value), shortest, places });
    } else if (typeof value === "object" && value !== null)
      for (const [name, item] of Object.entries(value))
        walk(item, Array.isArray(value) ? key : name, depth + 1);
  };
  walk(json, "", 0);
  return leaves;
}

/** Contexts of a JSON leaf, as JSON and Python write it. */
function placesOfLeaf(key: string): Place[] {
  const quoted = JSON.stringify(key);
  return [`${quoted}:"`, `${quoted}: "`, `'${key}': '`].map((before) => ({
    before: before.slice(-CONTEXT_CHARS),
    after: before.slice(-1),
    least: LEAST,
  }));
}

function parseObject(text: string): object | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  return parseJson(text) as object | undefined;
}

function fromBase64(text: string): string {
  return /^[A-Za-z0-9+/_\s-]{24,}=*\s*$/u.test(text)
    ? Buffer.from(text, "base64").toString("utf8")
    : "";
}

/** It must begin at a word boundary and allows little white space, so that a long word is scanned only once. */
const SETTING = /(?<![\w.-])([\w.-]*)\s{0,16}=\s{0,16}("[^"]*"|'[^']*'|[^\s;&,"']+)/gu;

function toPasswords(text: string): InnerPart[] {
  const found: { readonly one: string; readonly places?: readonly Place[] }[] = [];
  const info = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)@/iu.exec(text)?.[1];
  if (info !== undefined && (info.includes(":") || info.length >= SHORTEST_PART)) {
    const password = info.slice(info.indexOf(":") + 1);
    const at = text.indexOf("//") + 2 + info.length - password.length;
    const least = password === info ? LEAST_BEHIND_SCHEME : LEAST;
    const places = [placeIn(text, at, password.length, least)];
    if (password !== info) found.push({ one: info });
    found.push({ one: password, places });
  }
  // user:password@tcp(host)/database
  const driver = /^[^\s:/@]+:([^\s@]+)@\w+\(/u.exec(text)?.[1];
  if (driver !== undefined) found.push({ one: driver });
  for (const { 0: whole, 1: name, 2: value, index } of text.matchAll(SETTING))
    if (isSecretName(name!)) {
      const one = value!.replace(/^(["'])(.*)\1$/u, "$2");
      const at = index + whole.lastIndexOf(one);
      found.push({ one, places: [placeIn(text, at, one.length)] });
    }
  return found.flatMap(({ one, places = [] }) =>
    [one, unescapeUrl(one)].map((part) => ({
      text: part,
      shortest: SHORTEST_SECRET_PART,
      places,
    })),
  );
}

/** A text without percent-encoding; as written if it has a stray %. */
export function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Every form that a text takes in logs and replies: escaped by JSON, URLs, HTML, Python, Go and
 * shells, and in base64 at any offset.
 */
export function toEncodings(text: string): readonly string[] {
  const forms = new Set(encodeAll(text));
  // A quoted text is often inside another quoted string, or on a page.
  const json = toJson(text);
  if (json !== text) for (const form of toHtml(json)) forms.add(form);
  for (const form of [...forms]) if (/[\\"]/u.test(form)) forms.add(toJson(form));
  return [...forms];
}

/** One form per encoding, always in the same order. */
function encodeAll(text: string): readonly string[] {
  return [
    text,
    text.replace(/\r\n/gu, "\n"),
    text.replace(/\r?\n/gu, "\r\n"),
    ...toQuoted(text),
    ...toUrlEncoded(text),
    ...toHtml(text),
  ];
}

/** A part and its surrounding text in each encoding, also quoted twice. */
export function encodeWithContext(
  text: string,
  { before, after }: Place,
): readonly FormInContext[] {
  const [heads, forms, tails] = [before, text, after].map((one) => {
    const all = encodeAll(one);
    return [...all, ...all.map(toJson)];
  });
  const found = forms!.map((form, n) => ({
    before: heads![n]!.slice(-CONTEXT_CHARS),
    form,
    after: tails![n]!.slice(0, CONTEXT_CHARS),
  }));
  return [...new Map(found.map((one) => [Object.values(one).join("\0"), one])).values()];
}

const toJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function escapeUnits(text: string, pattern: RegExp, toEscape: (code: number) => string): string {
  return text.replace(pattern, (char) => toEscape(char.codePointAt(0)!));
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** `\u20ac` or `\U0001f600`: how Go writes unprintable characters. */
const toGoEscape = (code: number): string =>
  code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;

/** As Go, but `\x1b` where two digits are enough: how Python writes them. */
const toCodeEscape = (code: number): string =>
  code < 0x100 ? `\\x${hex(code, 2)}` : toGoEscape(code);

/** Outside ASCII, what Python's repr and Go's %q escape; other such characters stay as they are. */
const UNPRINTABLE = /(?=[^\u0000-\u007f])[\p{C}\p{Z}]/gu;

const C_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const GO_ESCAPES: Readonly<Record<string, string>> = {
  ...C_ESCAPES,
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\v": "\\v",
};

function toQuoted(text: string): string[] {
  const json = toJson(text);
  const unicode = (code: number): string => `\\u${hex(code, 4)}`;
  // One code unit at a time: half a surrogate pair each.
  const ascii = json.replace(/[\u007f-\uffff]/g, (unit) => unicode(unit.charCodeAt(0)));
  const guarded = ascii.replace(/[<>&']/gu, (char) => unicode(char.charCodeAt(0)));
  const named = (escapes: Readonly<Record<string, string>>, quote: string): string =>
    text
      .replaceAll("\\", "\\\\")
      .replaceAll(quote, `\\${quote}`)
      .replace(
        /[\u0000-\u001f\u007f]/gu,
        (char) => escapes[char] ?? toCodeEscape(char.charCodeAt(0)),
      );
  const python = named(C_ESCAPES, "'");
  const go = named(GO_ESCAPES, '"');
  // In latin1 each byte is a character.
  const bytes = Buffer.from(text, "utf8")
    .toString("latin1")
    .replace(/[\u0080-\u00ff]/gu, (byte) => toCodeEscape(byte.charCodeAt(0)));
  return [
    json,
    ascii,
    // PHP and some JSON writers of Python and Ruby.
    json.replaceAll("/", "\\/"),
    ascii.replaceAll("/", "\\/"),
    guarded,
    guarded.replace(/\\u[0-9a-f]{4}/gu, (code) => `\\u${code.slice(2).toUpperCase()}`),
    json.replace(/[<>&]/gu, (char) => unicode(char.charCodeAt(0))),
    python,
    named(C_ESCAPES, '"'),
    named(C_ESCAPES, "\u0000"),
    escapeUnits(python, /[\u0080-\u{10ffff}]/gu, toCodeEscape),
    escapeUnits(python, UNPRINTABLE, toCodeEscape),
    escapeUnits(go, UNPRINTABLE, toGoEscape),
    bytes.replaceAll("'", "\\'"),
    go,
    escapeUnits(go, /[\u0080-\u{10ffff}]/gu, toGoEscape),
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", "''"),
    text.replaceAll('"', '""'),
  ];
}

/** What URL encoders leave as it is besides letters, digits and `-_.~`. */
const URL_SAFE: readonly string[] = [
  // encodeURIComponent, RFC 3986, encodeURI.
  "!'()*",
  "",
  "!'()*;/?:@&=+$,#",
  "!'()*/",
  // Python's urllib.parse.quote.
  "/",
  // Go's net/url: a segment of a path, a user or password, a path.
  "$&+=:@",
  "$&+,;=",
  "$&+,/:;=@",
];

function toUrlEncoded(text: string): string[] {
  // encodeURIComponent throws on half a surrogate pair.
  const url = encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"));
  const strict = url.replace(
    /[!'()*]/gu,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const encoded = URL_SAFE.map((safe) =>
    strict.replace(/%[0-7][0-9A-F]/gu, (code) => {
      const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return safe.includes(char) ? char : code;
    }),
  );
  return [
    ...encoded,
    ...encoded.map((one) => one.replace(/%20/gu, "+")),
    ...encoded.map((one) => one.replace(/%[0-9A-F]{2}/gu, (code) => code.toLowerCase())),
    encodeURIComponent(url),
  ];
}

/** How HTML escapers write what they do not write as `&amp;`, `&lt;` and `&gt;`. */
const HTML_ESCAPERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { '"': "&quot;" },
  { '"': "&quot;", "'": "&#x27;" },
  { '"': "&quot;", "'": "&#39;" },
  { '"': "&quot;", "'": "&apos;" },
  { '"': "&#34;", "'": "&#39;" },
  // Go's html/template, in a text and in an attribute without quotes.
  { '"': "&#34;", "'": "&#39;", "+": "&#43;" },
  { '"': "&#34;", "'": "&#39;", "+": "&#43;", "=": "&#61;", "`": "&#96;", " ": "&#32;" },
  // OWASP and Underscore, Handlebars, Mustache.
  { '"': "&quot;", "'": "&#x27;", "/": "&#x2F;" },
  { '"': "&quot;", "'": "&#x27;", "`": "&#x60;" },
  { '"': "&quot;", "'": "&#x27;", "`": "&#x60;", "=": "&#x3D;" },
  { '"': "&quot;", "'": "&#39;", "/": "&#x2F;", "`": "&#x60;", "=": "&#x3D;" },
];

function toHtml(text: string): string[] {
  const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  const forms = HTML_ESCAPERS.map((escaper) => {
    const written: Readonly<Record<string, string>> = { ...named, ...escaper };
    return text.replace(/[^\p{L}\p{N}]/gu, (char) => written[char] ?? char);
  });
  const decimal = forms.map((form) =>
    escapeUnits(form, /[\u0080-\u{10ffff}]/gu, (code) => `&#${code};`),
  );
  return [...forms, ...decimal];
}

/**
 * Base64 writes the same bytes in three ways, depending on what precedes them; characters that
 * depend on neighbours are left off.
 */
export function toBase64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text, "utf8");
  const shifted = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/u, "");
    const ends = (bytes.length + offset) % 3;
    return encoded.slice(offset === 0 ? 0 : offset + 1, ends === 0 ? undefined : -1);
  });
  return [bytes.toString("base64"), ...shifted.filter((form) => form.length >= 6)].flatMap(
    (form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")],
  );
}
