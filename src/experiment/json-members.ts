import { QUOTE } from "../model/json-bytes.ts";

/**
 * Orders keys by where their opening quotes stand; 0 where they are equal, or where beyond ASCII
 * the order of UTF-16 is another.
 */
export function compareKeys(octets: Uint8Array, a: number, b: number): number {
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
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A member of an object, key and value. */
export interface Member extends Span {
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

/** Keeps where a member lies, as long as there is room. */
export function noteMember(members: Members, { key, keyEnd, from, to }: Member): void {
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
export function sortMembers(octets: Uint8Array, { count, keys, order }: Members): boolean {
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
