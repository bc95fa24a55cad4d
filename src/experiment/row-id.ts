import { hash } from "node:crypto";

/**
 * Namespace of the version 5 UUIDs: the one for DNS names, which both SDKs of the hosted service
 * use for example ids. What is hashed after it, as UTF-8: the canonical JSON of `inputs`; for a
 * repeat (k ≥ 1) a line feed and k in decimal follow. Canonical JSON holds no raw line feed, so
 * that no other inputs can give the same text.
 */
const NAMESPACE = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");

/** Room in front of a hashed name for the namespace, and after it for a repeat's line feed and number. */
const NAME_OFFSET = 16,
  NAME_TAIL = 24;
/** Names beyond this get no room for longer ones to come. */
const MAX_SPARE = 1024 * 1024;

/** Version 5 UUIDs of names that are put together in one buffer: neither the names nor the ids are left to collect. */
export interface NameHash {
  /** Puts a text in as the name. */
  readonly write: (name: string) => void;
  /** The id of the name, for k ≥ 1 that of its k-th repeat; written into those 16 bytes, which it gives back. */
  readonly digest: (k: number, into: Uint8Array) => Uint8Array;
}

/** A buffer for names in one namespace. */
export function createNameHash(namespace: Uint8Array = NAMESPACE): NameHash {
  let buffer = Buffer.allocUnsafeSlow(4096);
  let ended = NAME_OFFSET;
  buffer.set(namespace, 0);
  const makeRoom = (bytes: number): void => {
    const needed = NAME_OFFSET + bytes + NAME_TAIL;
    if (needed > buffer.length) {
      buffer = Buffer.allocUnsafeSlow(needed < MAX_SPARE ? 2 * needed : needed);
      buffer.set(namespace, 0);
    }
  };
  const write = (name: string): void => {
    makeRoom(Buffer.byteLength(name));
    ended = NAME_OFFSET + buffer.write(name, NAME_OFFSET, "utf8");
  };
  const digest = (k: number, into: Uint8Array): Uint8Array => {
    const tail = k === 0 ? 0 : buffer.write(`\n${k}`, ended, "latin1");
    // As a text of one-byte characters a hash costs half of what it does as a buffer.
    const sha1 = hash("sha1", buffer.subarray(0, ended + tail), "binary");
    for (let index = 0; index < 16; index += 1) into[index] = sha1.charCodeAt(index);
    into[6] = (into[6]! & 0x0f) | 0x50;
    into[8] = (into[8]! & 0x3f) | 0x80;
    return into;
  };
  return { write, digest };
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The 16 bytes of a UUID's text, or null where it is not one. */
export function parseUuid(text: unknown): Buffer | null {
  return typeof text === "string" && UUID.test(text)
    ? Buffer.from(text.replaceAll("-", ""), "hex")
    : null;
}

/** A UUID's usual text, lower case. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A set of ids in the order they came: 16 bytes each, and 4 to 16 to find them. */
export interface IdTable {
  /** Position of an id, or -1. */
  readonly find: (id: Uint8Array) => number;
  /** Position of an id, which is put in where it is new. */
  readonly add: (id: Uint8Array) => number;
  /** The id at a position, written into 16 bytes. */
  readonly read: (position: number, into: Uint8Array) => Uint8Array;
  readonly size: () => number;
  /**
   * Gives up finding: from then on ids can only be read by position. Gives the first eight bytes of
   * the ids at those positions, as sorted numbers: the same for the same set, in whatever order it
   * came.
   */
  readonly seal: (wanted: (position: number) => boolean) => BigUint64Array;
}

/** Spreads all 16 bytes over the slots: ids that people number share their first twelve. */
function mix(words: Uint32Array): number {
  let h = 0;
  for (let word = 0; word < 4; word += 1) {
    h = Math.imul(h ^ words[word]!, 0x9e3779b1);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** Ids lie in pieces of 2^12, so that growth copies none of them. */
const PIECE_BITS = 12,
  PIECE = 1 << PIECE_BITS;

/** The words of an id, the first byte highest. */
function loadWords(id: Uint8Array, words: Uint32Array): void {
  for (let word = 0; word < 4; word += 1)
    words[word] =
      (id[word * 4]! << 24) |
      (id[word * 4 + 1]! << 16) |
      (id[word * 4 + 2]! << 8) |
      id[word * 4 + 3]!;
}

/** The id at a position of the pieces, written into 16 bytes. */
function readId(pieces: readonly Uint32Array[], position: number, into: Uint8Array): Uint8Array {
  const keys = pieces[position >> PIECE_BITS]!;
  for (let byte = 0; byte < 16; byte += 1)
    into[byte] = keys[(position & (PIECE - 1)) * 4 + (byte >> 2)]! >>> (24 - 8 * (byte & 3));
  return into;
}

function sortPrefixes({
  pieces,
  size,
  wanted,
  room,
}: {
  readonly pieces: readonly Uint32Array[];
  readonly size: number;
  readonly wanted: (position: number) => boolean;
  /** Taken where it is large enough. */
  readonly room: ArrayBuffer;
}): BigUint64Array {
  const halves = new Uint32Array(room.byteLength < 8 * size ? new ArrayBuffer(8 * size) : room);
  let count = 0;
  for (let position = 0; position < size; position += 1) {
    if (!wanted(position)) continue;
    const keys = pieces[position >> PIECE_BITS]!;
    halves[2 * count] = keys[(position & (PIECE - 1)) * 4 + 1]!;
    halves[2 * count + 1] = keys[(position & (PIECE - 1)) * 4]!;
    count += 1;
  }
  return new BigUint64Array(halves.buffer, 0, count).sort();
}

/** Open addressing over typed arrays: 200,000 ids take 5 MB, a Map of strings several times that. */
export function createIdTable(): IdTable {
  let size = 0;
  /** Positions by hash; 0 is free, so that they count from 1. */
  let slots = new Int32Array(1024);
  const pieces: Uint32Array[] = [];
  const words = new Uint32Array(4);
  /** The slot that holds the loaded id, or the free one where it belongs. */
  const findSlot = (): number => {
    const mask = slots.length - 1;
    let slot = mix(words) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const position = slots[slot]! - 1;
      const keys = pieces[position >> PIECE_BITS]!;
      const at = (position & (PIECE - 1)) * 4;
      if (
        keys[at] === words[0] &&
        keys[at + 1] === words[1] &&
        keys[at + 2] === words[2] &&
        keys[at + 3] === words[3]
      )
        return slot;
    }
    return slot;
  };
  const grow = (): void => {
    slots = new Int32Array(slots.length * 2);
    const loaded = words.slice();
    for (let position = 0; position < size; position += 1) {
      const keys = pieces[position >> PIECE_BITS]!;
      for (let word = 0; word < 4; word += 1)
        words[word] = keys[(position & (PIECE - 1)) * 4 + word]!;
      slots[findSlot()] = position + 1;
    }
    words.set(loaded);
  };
  const add = (id: Uint8Array): number => {
    // At most three quarters full: the ids are hashes, or spread as if they were.
    if (4 * size >= 3 * slots.length) grow();
    loadWords(id, words);
    const slot = findSlot();
    if (slots[slot] !== 0) return slots[slot]! - 1;
    if ((size & (PIECE - 1)) === 0) pieces.push(new Uint32Array(4 * PIECE));
    pieces.at(-1)!.set(words, (size & (PIECE - 1)) * 4);
    size += 1;
    slots[slot] = size;
    return size - 1;
  };
  return {
    find: (id) => {
      loadWords(id, words);
      return slots[findSlot()]! - 1;
    },
    add,
    read: (position, into) => readId(pieces, position, into),
    size: () => size,
    seal: (wanted) => {
      // This is where most is held: the slots, which nobody needs now, are the room to sort in.
      const room = slots.buffer;
      slots = new Int32Array(0);
      return sortPrefixes({ pieces, size, wanted, room });
    },
  };
}
