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
import { compareKeys, type Member, type Members, sortMembers, type Span } from "./json-members.ts";
import { FAILED, type JsonWalk, passSpace, passString, passValue } from "./json-walk.ts";

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
