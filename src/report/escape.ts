import { withoutTerminalCodes } from "../terminal-codes.ts";

/**
 * Makes text from outside (values, names, log tails, rows) inert for Markdown on GitHub and
 * GitLab, and for terminals.
 */

// Controls, lone surrogates, zero-width and bidirectional marks, fillers and tag characters:
// invisible, or able to reorder what is visible.
const HIDDEN =
  /\u034f|[\u17b4-\u17b5]|[\u180b-\u180f]|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f-\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/gu;
const SHORT_NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Shows invisible characters as `⟨U+202E⟩`, and line breaks and tabs as `\n`, `\r`, `\t`. */
export function toVisible(text: string): string {
  return text.replace(
    HIDDEN,
    (hidden) =>
      SHORT_NAMES[hidden] ??
      `⟨U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** A text as one line: line breaks become spaces, other invisible characters are shown. */
export function toSentence(text: string): string {
  return toVisible(
    withoutTerminalCodes(text)
      .split(/[\r\n\u0085\u2028\u2029]+/)
      .map((line) => line.trim())
      .join(" ")
      .trim(),
  );
}

/**
 * Cuts the middle to at most `maxChars` UTF-16 units, never through a character; the end stays,
 * since digests and paths differ there.
 */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const tail = Math.floor((maxChars - 1) / 3);
  const head = maxChars - 1 - tail;
  return `${beginningOf(text, head)}…${tail === 0 ? "" : text.slice(-tail).replace(/^[\udc00-\udfff]/, "")}`;
}

/** Cuts the end to at most `maxChars` UTF-16 units, never through a character; for sentences. */
export function cutEnd(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${beginningOf(text, Math.max(0, maxChars - 1))}…`;
}

/** At most the first `maxChars` UTF-16 units, never through a character. */
export function beginningOf(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "");
}

/** Two differing values; long ones are shown from the last separator before their first difference. */
export function cutPair(
  before: string,
  after: string,
  maxChars: number,
): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const isShort = Math.max(before.length, after.length) <= maxChars;
  if (isShort || same <= maxChars / 2) return [cut(before, maxChars), cut(after, maxChars)];
  const near = before.slice(Math.max(0, same - Math.floor(maxChars / 2)), same);
  const separator = near.search(/[/@:.,;&?= -]/);
  const from = separator < 0 ? same - Math.floor(maxChars / 3) : same - near.length + separator + 1;
  const tail = (value: string): string =>
    cutEnd(`…${value.slice(from).replace(/^[\udc00-\udfff]/, "")}`, maxChars);
  return [tail(before), tail(after)];
}

const entity = (char: string): string => `&#${char.codePointAt(0)};`;

/** A code span if nothing in the value could end it or a table cell, else `<code>` with entities. */
export const code = (value: string, maxChars = 200): string =>
  toCode(value, maxChars, (shown) => [shown]);

/** Code in a table cell: like `code`, but long values may break, or the next columns would be out of sight. */
export const cellCode = (value: string, maxChars: number): string =>
  toCode(value, maxChars, breakLong);

/** A short name in a narrow table cell: code that may break after separators. */
export const nameCell = (name: string): string =>
  toCode(name, 60, (shown) =>
    shown.length <= 12 || !/[_./:-]./.test(shown)
      ? breakLong(shown)
      : shown.split(/(?<=[_./:-])(?=.)/u).flatMap(toPieces),
  );

function toCode(
  value: string,
  maxChars: number,
  split: (shown: string) => readonly string[],
): string {
  const shown = cut(toVisible(value), maxChars);
  if (shown.trim() === "") return shown === "" ? '`""`' : `\`"${shown}"\``;
  const quoted = shown === shown.trim() ? shown : `"${shown}"`;
  const pieces = split(quoted);
  // An image digest (`app@sha256:…`) is no mention, and by far the most common `@`.
  if (pieces.length === 1 && !/[`|\\]|<(?=[!/?a-z])|@(?!sha256:)/i.test(quoted))
    return `\`${quoted}\``;
  return `<code>${pieces.map(inertCode).join("<wbr>")}</code>`;
}

function inertCode(shown: string): string {
  const inert = shown.replace(/[!-/:-@[-`{-~]/g, (char) =>
    /[,;/=+-]/.test(char) || char === "." ? char : entity(char),
  );
  return inert.replace(/www\./gi, (word) => `${word.slice(0, 3)}&#46;`);
}

/** GitHub breaks code only at spaces, so a longer run would make a table wider than a comment. */
const UNBROKEN = 24;

const breakLong = (shown: string): readonly string[] =>
  shown.split(" ").some((word) => word.length > UNBROKEN) ? toPieces(shown) : [shown];

/**
 * Splits after separators (at dots only if there are no others: in a path of fields) and within
 * long runs; never through a character.
 */
function toPieces(shown: string): string[] {
  const separator = /[/@:,;&?=]/.test(shown) ? /[/@:,;&?=]$/ : /\.$/;
  const pieces: string[] = [""];
  for (const char of shown) {
    const piece = pieces.at(-1)!;
    if ((piece.length >= 6 && separator.test(piece)) || piece.length >= UNBROKEN) pieces.push(char);
    else pieces[pieces.length - 1] = piece + char;
  }
  return pieces;
}

const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s`<>"'\\|]+/i;
const TOKENS = new RegExp(`(\`[^\`]+\`|${URL_IN_TEXT.source})`, "gi");

/**
 * A sentence in a paragraph, list item or table cell. Words in backticks and URLs become code;
 * nothing pings, links or refers to an issue. A zero-width space that only Markdown sees breaks
 * mentions and `#1`.
 */
export function text(sentence: string, maxChars = 2000): string {
  const shown = cutEnd(toSentence(sentence), maxChars);
  const parts = shown.split(TOKENS).map((part, at) => {
    if (at % 2 === 0) return prose(part);
    if (part.startsWith("`")) return code(part.slice(1, -1), maxChars);
    const stop = /[.,;:!?)\]]*$/.exec(part)![0];
    return code(part.slice(0, part.length - stop.length), maxChars) + prose(stop);
  });
  return atStart(parts.join(""));
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function prose(part: string): string {
  return part
    .replace(/[&<>|\\`*~[\]$#]/g, (char) => HTML_ENTITIES[char] ?? entity(char))
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "&#95;")
    .replace(/@(?!sha256:)/g, "&#64;&#8203;")
    .replace(/(?<![A-Za-z0-9_])@/g, "&#64;&#8203;")
    .replace(/&#35;(?=\d)/g, "&#35;&#8203;")
    .replace(/\b(GH-)(?=\d)/gi, "$1&#8203;")
    .replace(/:\/\//g, ":&#47;/")
    .replace(/www\./gi, (word) => `${word.slice(0, 3)}&#46;`);
}

/** Keeps a sentence at the start of a list item from beginning another list, a quote, a heading or a rule. */
function atStart(line: string): string {
  return line.replace(/^([-+=]|\d{1,9}(?=[.)](?:\s|$)))/, (start) =>
    [...start].map(entity).join(""),
  );
}

/** A link if the URL is plain http(s) without user-info; else the label and the URL as code. */
export function link(label: string, address: string): string {
  const href = toHref(address);
  if (href === null) return address === "" ? text(label) : `${text(label)} ${code(address)}`;
  return `[${text(label, 200)}](${href})`;
}

/** Browsers and proxies follow no longer URL; a longer one would also fill a comment. */
const MAX_HREF_CHARS = 8_000;

/**
 * A URL as a Markdown link destination, without user-info; null if it is too long, or neither http
 * nor https. The slash that a URL without a path gets is left out again: outputs show it as the
 * service gave it.
 */
export function toHref(address: string): string | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  url.username = "";
  url.password = "";
  const href = url.href.replace(
    /[()<>|\\`*[\]"'@\s]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  if (href.length > MAX_HREF_CHARS) return null;
  return href === `${address}/` ? address : href;
}

/**
 * A log line that is safe to show anywhere: no terminal codes, only the final state of a progress
 * bar, nothing invisible.
 */
export function toLogLine(line: string, maxChars = 500): string {
  // Not by a pattern: one that ends in `$` would start at each of a million carriage returns.
  let end = line.length;
  while (end > 0 && (line[end - 1] === "\r" || line[end - 1] === "\n")) end -= 1;
  const last = line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
  return cutEnd(toVisible(withoutTerminalCodes(last).replace(/\t/g, "    ")), maxChars);
}

/** Tags that a program which cuts comments would take for its own. */
const OWN_TAGS = /<(?=!--|\/?(?:details|summary|pre|code)\b)/gi;

/**
 * The last `maxLines` lines of a log in a fence that they cannot close; tags are broken too, for
 * programs that cut comments.
 */
export function fence(lines: readonly string[], maxLines: number): string {
  return inFence(
    "text",
    lines
      .flatMap((line) => line.split("\n"))
      .slice(-maxLines)
      .map((line) => toLogLine(line)),
  );
}

/** About how many characters of a fence a phone shows without scrolling. */
export const LINE_CHARS = 40;

/** Puts lines of visible text in a fence that they cannot close. */
export function inFence(language: "text" | "diff", lines: readonly string[]): string {
  const shown = lines.map((line) => line.replace(OWN_TAGS, "<\u200b"));
  const longest = Math.max(
    2,
    ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)),
  );
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${shown.join("\n")}\n${ticks}`;
}

/** Size in bytes of UTF-8, which GitHub's limit counts. */
export function utf8Bytes(body: string): number {
  return new TextEncoder().encode(body).length;
}
