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
}

/** What a walk gives for a text that it does not pass. */
export const FAILED = -1;

const QUOTE = 34,
  BACKSLASH = 92,
  COMMA = 44,
  COLON = 58,
  OPEN_BRACE = 123,
  CLOSE_BRACE = 125,
  OPEN_BRACKET = 91,
  CLOSE_BRACKET = 93;
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

/** Behind the string whose opening quote is here. */
export function passString(walk: JsonWalk, from: number): number {
  const { octets } = walk;
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
function passValue(walk: JsonWalk, from: number, levels: number): number {
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

/**
 * Orders keys by where their opening quotes stand; 0 where they are equal, or where beyond ASCII
 * the order of UTF-16 is another.
 */
function compareKeys(octets: Uint8Array, a: number, b: number): number {
  for (let index = 1; ; index += 1) {
    const [one, other] = [octets[a + index]!, octets[b + index]!];
    if (one > 127 || other > 127) return 0;
    if (one === other) {
      if (one === QUOTE) return 0;
      continue;
    }
    if (one === QUOTE) return -1;
    return other === QUOTE ? 1 : one - other;
  }
}

/** Where a value stands. */
interface Span {
  readonly from: number;
  readonly to: number;
}
interface Member extends Span {
  readonly key: number;
  readonly keyEnd: number;
}

/** Where the members of an object stand; one serves object after object. */
export interface Members {
  count: number;
  readonly keys: Int32Array;
  readonly keyEnds: Int32Array;
  readonly froms: Int32Array;
  readonly tos: Int32Array;
  readonly order: Int32Array;
}

/** Objects with more members are left to the parser. */
const MAX_MEMBERS = 64;

/** Members of no object yet. */
export function createMembers(): Members {
  const numbers = (): Int32Array => new Int32Array(MAX_MEMBERS);
  return {
    count: 0,
    keys: numbers(),
    keyEnds: numbers(),
    froms: numbers(),
    tos: numbers(),
    order: numbers(),
  };
}

function noteMember(members: Members, { key, keyEnd, from, to }: Member): void {
  const { count } = members;
  if (count < MAX_MEMBERS) {
    members.keys[count] = key;
    members.keyEnds[count] = keyEnd;
    members.froms[count] = from;
    members.tos[count] = to;
  }
  members.count += 1;
}

/** Puts members in the order of their keys; false where one stands twice, or where that takes a parser. */
function sortMembers(octets: Uint8Array, { count, keys, order }: Members): boolean {
  if (count > MAX_MEMBERS) return false;
  for (let n = 0; n < count; n += 1) {
    let place = n;
    for (; place > 0; place -= 1) {
      const compared = compareKeys(octets, keys[order[place - 1]!]!, keys[n]!);
      if (compared === 0) return false;
      if (compared < 0) break;
      order[place] = order[place - 1]!;
    }
    order[place] = n;
  }
  return true;
}

/**
 * Writes an object whose members were noted, strings and numbers of which are canonical, in the
 * canonical form: without white space, members in order. Gives the position behind what was
 * written, or FAILED where that takes a parser. Never longer than the text.
 */
export function writeCanonical(
  walk: JsonWalk,
  members: Members,
  into: Uint8Array,
  offset: number,
): number {
  const { octets, sorted, spaces } = walk;
  if (!sortMembers(octets, members)) return FAILED;
  let out = offset;
  into[out++] = OPEN_BRACE;
  for (let n = 0; n < members.count; n += 1) {
    const member = members.order[n]!;
    if (n > 0) into[out++] = COMMA;
    out = copy(octets, { from: members.keys[member]!, to: members.keyEnds[member]! }, into, out);
    into[out++] = COLON;
    const span = { from: members.froms[member]!, to: members.tos[member]! };
    if (!sorted) out = writeValue(walk, span, into, out);
    else if (spaces === 0) out = copy(octets, span, into, out);
    else out = writeCompact(octets, span, into, out);
    if (out === FAILED) return FAILED;
  }
  into[out++] = CLOSE_BRACE;
  return out;
}

const MAX_LEVELS = 200;

function writeValue(walk: JsonWalk, { from, to }: Span, into: Uint8Array, offset: number): number {
  const { octets } = walk;
  const open = octets[from]!;
  if (open !== OPEN_BRACE && open !== OPEN_BRACKET) {
    return copy(octets, { from, to }, into, offset);
  }
  const members = open === OPEN_BRACE ? membersOf(walk, from) : itemsOf(walk, from);
  if (members === null) return FAILED;
  let out = offset;
  into[out++] = open;
  for (const member of members) {
    if (out > offset + 1) into[out++] = COMMA;
    out = copy(octets, { from: member.key, to: member.keyEnd }, into, out);
    if (member.keyEnd > member.key) into[out++] = COLON;
    out = writeValue(walk, member, into, out);
    if (out === FAILED) return FAILED;
  }
  into[out++] = open === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
  return out;
}

/** Below this many bytes a loop is faster than the call. */
const SHORT_COPY = 48;

function copy(octets: Uint8Array, { from, to }: Span, into: Uint8Array, offset: number): number {
  if (to - from > SHORT_COPY) into.set(octets.subarray(from, to), offset);
  else for (let at = from; at < to; at += 1) into[offset + at - from] = octets[at]!;
  return offset + to - from;
}

/** Members of an object that was walked, in order; null where two have one key, or beyond ASCII. */
function membersOf(walk: JsonWalk, from: number): Member[] | null {
  const members: Member[] = [];
  for (let at = passSpace(walk, from + 1); walk.octets[at] !== CLOSE_BRACE; ) {
    const key = at;
    const keyEnd = passString(walk, key);
    const value = passSpace(walk, passSpace(walk, keyEnd) + 1);
    const to = passValue(walk, value, MAX_LEVELS);
    members.push({ key, keyEnd, from: value, to });
    at = passSpace(walk, to);
    if (walk.octets[at] === COMMA) at = passSpace(walk, at + 1);
  }
  members.sort((a, b) => compareKeys(walk.octets, a.key, b.key));
  for (let index = 1; index < members.length; index += 1)
    if (compareKeys(walk.octets, members[index - 1]!.key, members[index]!.key) >= 0) return null;
  return members;
}

function itemsOf(walk: JsonWalk, from: number): Member[] {
  const items: Member[] = [];
  for (let at = passSpace(walk, from + 1); walk.octets[at] !== CLOSE_BRACKET; ) {
    const to = passValue(walk, at, MAX_LEVELS);
    items.push({ key: 0, keyEnd: 0, from: at, to });
    at = passSpace(walk, to);
    if (walk.octets[at] === COMMA) at = passSpace(walk, at + 1);
  }
  return items;
}

/** Copies JSON without the white space between its tokens. */
function writeCompact(
  octets: Uint8Array,
  { from, to }: Span,
  into: Uint8Array,
  offset: number,
): number {
  let out = offset;
  let inString = false;
  for (let at = from; at < to; at += 1) {
    const byte = octets[at]!;
    if (inString) {
      if (byte === BACKSLASH) into[out++] = octets[at++]!;
      else if (byte === QUOTE) inString = false;
    } else if (byte === 32 || byte === 10 || byte === 13 || byte === 9) continue;
    else if (byte === QUOTE) inString = true;
    into[out++] = octets[at]!;
  }
  return out;
}
