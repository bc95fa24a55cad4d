import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../model/json-bytes.ts";
import { compareKeys, type Members, noteMember } from "./json-members.ts";

/**
 * JSON that is walked as bytes, without making values of it: several times faster than parsing, and
 * nothing is left to collect. Positions are those of the whole ArrayBuffer. A walk is narrower than
 * JSON and never wider: what it passes is JSON, what it fails may be JSON all the same (numbers
 * with exponents or more digits than a double keeps) and is left to the parser.
 */
export interface JsonWalk {
  readonly octets: Uint8Array;
  /** The same memory, four bytes at a time. */
  readonly words: Int32Array;
  /** All bytes of strings, ORed: bit 7 says that there is text beyond ASCII, which is still to be checked as UTF-8. */
  seen: number;
  /** How many characters of strings were written as escapes. */
  escapes: number;
  /** How many bytes of white space were passed. */
  spaces: number;
  /** Falls where a string or number is not written as RFC 8785 writes it. */
  canonical: boolean;
  /** Falls where the members of an object are not in the order of RFC 8785, or one stands twice. */
  sorted: boolean;
  /**
   * What strings begin with: a bit for the low five bits of the first byte, so that an upper letter
   * counts as its lower one.
   */
  initials: number;
}

/** What a walk gives for a text that it does not pass. */
export const FAILED = -1;

const MINUS = 45,
  DOT = 46,
  ZERO = 48,
  SMALL_U = 117;

const [TRUE, FALSE, NULL] = ["true", "false", "null"].map((word) => Buffer.from(word)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Digits that every double keeps. */
const MAX_DIGITS = 15;

const MAX_FRACTION_DIGITS = 30;

/** Bytes that end a run of plain characters in a string. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);

/** Escapes by their letter: 1 as RFC 8785 writes them, 2 in another way. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === "/".charCodeAt(0)) return 2;
  return '"\\bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0;
});

/** A walk over the memory that these bytes lie in. */
export function createWalk(bytes: Uint8Array): JsonWalk {
  return {
    octets: new Uint8Array(bytes.buffer),
    words: new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2),
    seen: 0,
    escapes: 0,
    spaces: 0,
    canonical: true,
    sorted: true,
    initials: 0,
  };
}

/** The first position from here on that is no white space. */
export function passSpace(walk: JsonWalk, from: number): number {
  const { octets } = walk;
  if (octets[from]! > 32) return from;
  let at = from;
  for (
    let byte = octets[at];
    byte === 32 || byte === 10 || byte === 13 || byte === 9;
    byte = octets[at]
  )
    at += 1;
  walk.spaces += at - from;
  return at;
}

/**
 * Not 0 where one of four bytes is below 32, a quote or a backslash: it borrows from its own high
 * bit. A false alarm only stands above a true one.
 */
function stopsIn(four: number): number {
  const quotes = four ^ 0x22222222;
  const backslashes = four ^ 0x5c5c5c5c;
  return (
    (((four - 0x20202020) & ~four) |
      ((quotes - 0x01010101) & ~quotes) |
      ((backslashes - 0x01010101) & ~backslashes)) &
    0x80808080
  );
}

/**
 * The first byte from here on that ends a run of plain characters; four at a time, since most bytes
 * of a result file are text.
 */
function passPlain(walk: JsonWalk, from: number): number {
  const { octets, words } = walk;
  let seen = 0;
  let at = from;
  for (; (at & 3) !== 0; at += 1) {
    if (STOPS[octets[at]!] !== 0) {
      walk.seen |= seen;
      return at;
    }
    seen |= octets[at]!;
  }
  let word = at >> 2;
  for (const end = words.length - 1; word < end; word += 2) {
    const one = words[word]!;
    const other = words[word + 1]!;
    if ((stopsIn(one) | stopsIn(other)) !== 0) break;
    const both = one | other;
    seen |= both | (both >>> 16);
  }
  seen |= seen >>> 8;
  for (at = word << 2; STOPS[octets[at]!] === 0; at += 1) seen |= octets[at]!;
  walk.seen |= seen;
  return at;
}

/** The bit of a byte that a string begins with. */
export const initialOf = (byte: number): number => 1 << (byte & 31);

/** Behind the string whose opening quote is here. */
export function passString(walk: JsonWalk, from: number): number {
  const { octets } = walk;
  walk.initials |= initialOf(octets[from + 1]!);
  for (let at = from + 1; ; ) {
    at = passPlain(walk, at);
    const byte = octets[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return FAILED;
    const letter = octets[at + 1]!;
    walk.escapes += 1;
    if (letter === SMALL_U) {
      if (
        !isHex(octets[at + 2]) ||
        !isHex(octets[at + 3]) ||
        !isHex(octets[at + 4]) ||
        !isHex(octets[at + 5])
      )
        return FAILED;
      walk.canonical = false;
      at += 6;
      continue;
    }
    if (ESCAPES[letter] === 2) walk.canonical = false;
    else if (ESCAPES[letter] !== 1) return FAILED;
    at += 2;
  }
}

/** Behind the number that begins here. */
export function passNumber(walk: JsonWalk, from: number): number {
  const { octets } = walk;
  const whole = octets[from] === MINUS ? from + 1 : from;
  let at = passDigits(octets, whole);
  const digits = at - whole;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && octets[whole] === ZERO)) return FAILED;
  if (octets[at] !== DOT) {
    if (whole > from && octets[whole] === ZERO) walk.canonical = false;
    return at;
  }
  // Whether a fraction is the shortest that means the same double is not worth finding out here.
  walk.canonical = false;
  const fraction = at + 1;
  at = passDigits(octets, fraction);
  return at === fraction || at - fraction > MAX_FRACTION_DIGITS ? FAILED : at;
}

function passDigits(octets: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(octets[at])) at += 1;
  return at;
}

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 48 && byte <= 57;

const isHex = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102) || (byte >= 65 && byte <= 70));

/** Behind the value that begins here, which holds at most that many levels. */
export function passValue(walk: JsonWalk, from: number, levels: number): number {
  switch (walk.octets[from]) {
    case QUOTE:
      return passString(walk, from);
    case OPEN_BRACE:
      return passObject(walk, from, levels);
    case OPEN_BRACKET:
      return passArray(walk, from, levels);
    case 116:
      return passWord(walk, from, TRUE);
    case 102:
      return passWord(walk, from, FALSE);
    case 110:
      return passWord(walk, from, NULL);
    default:
      return passNumber(walk, from);
  }
}

function passWord({ octets }: JsonWalk, from: number, word: Uint8Array): number {
  return isAt(octets, from, word) ? from + word.length : FAILED;
}

/** Whether these bytes stand here. */
export function isAt(octets: Uint8Array, from: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1)
    if (octets[from + index] !== bytes[index]) return false;
  return true;
}

/**
 * Behind the object whose brace is here. With `members`, these are noted there, and their order is
 * left to whoever writes them.
 */
export function passObject(
  walk: JsonWalk,
  from: number,
  levels: number,
  members?: Members,
): number {
  const { octets } = walk;
  if (levels === 0 || octets[from] !== OPEN_BRACE) return FAILED;
  if (members !== undefined) members.count = 0;
  let at = passSpace(walk, from + 1);
  if (octets[at] === CLOSE_BRACE) return at + 1;
  for (let keyBefore = FAILED; ; ) {
    if (octets[at] !== QUOTE) return FAILED;
    if (
      members === undefined &&
      walk.sorted &&
      keyBefore !== FAILED &&
      compareKeys(octets, keyBefore, at) >= 0
    )
      walk.sorted = false;
    keyBefore = at;
    const { escapes } = walk;
    at = passString(walk, at);
    if (at === FAILED) return FAILED;
    // Whether escapes change the order is not worth finding out here.
    if (walk.escapes !== escapes) walk.canonical = false;
    const keyEnd = at;
    at = passSpace(walk, at);
    if (octets[at] !== COLON) return FAILED;
    const value = passSpace(walk, at + 1);
    at = passValue(walk, value, levels - 1);
    if (at === FAILED) return FAILED;
    if (members !== undefined) noteMember(members, { key: keyBefore, keyEnd, from: value, to: at });
    at = passSpace(walk, at);
    if (octets[at] === CLOSE_BRACE) return at + 1;
    if (octets[at] !== COMMA) return FAILED;
    at = passSpace(walk, at + 1);
  }
}

/** Behind the array whose bracket is here. */
function passArray(walk: JsonWalk, from: number, levels: number): number {
  const { octets } = walk;
  if (levels === 0) return FAILED;
  let at = passSpace(walk, from + 1);
  if (octets[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    at = passValue(walk, at, levels - 1);
    if (at === FAILED) return FAILED;
    at = passSpace(walk, at);
    if (octets[at] === CLOSE_BRACKET) return at + 1;
    if (octets[at] !== COMMA) return FAILED;
    at = passSpace(walk, at + 1);
  }
}
