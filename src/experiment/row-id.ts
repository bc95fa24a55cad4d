import { hash } from "node:crypto";

/**
 * Namespace of the version 5 UUIDs: the one for DNS names, which both SDKs of the hosted service use for example ids.
 * What is hashed after it, as UTF-8: the canonical JSON of `inputs`; for a repeat (k ≥ 1) a line feed and k in decimal follow.
 * Canonical JSON holds no raw line feed, so that no other inputs can give the same text.
 */
const NAMESPACE = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");

/** With the u flag a surrogate that is half of a pair is no match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** RFC 8785: keys by UTF-16 code units, numbers as ECMAScript writes them. Throws a RangeError for what it forbids: numbers that are not finite, lone surrogates. */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      if (LONE_SURROGATE.test(value)) throw new RangeError("a string holds a lone surrogate");
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw new RangeError("a number is not finite");
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object": {
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
      const keys = Object.keys(value);
      if (keys.length > 1) keys.sort();
      let text = "{";
      for (const key of keys) text += `${text === "{" ? "" : ","}${canonicalJson(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`;
      return `${text}}`;
    }
    default:
      throw new RangeError(`${typeof value} is no JSON`);
  }
}

/** The 16 bytes of a version 5 UUID of a name. */
export function uuidV5(name: string, namespace: Uint8Array = NAMESPACE): Buffer {
  const length = Buffer.byteLength(name, "utf8");
  const text = Buffer.allocUnsafe(16 + length);
  text.set(namespace, 0);
  text.write(name, 16, "utf8");
  const bytes = Buffer.from(hash("sha1", text, "hex").slice(0, 32), "hex");
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes;
}

/** Id of the k-th repeat of an example, from the canonical JSON of its inputs; k = 0 is the example itself. */
export function rowId(canonicalInputs: string, k: number): Buffer {
  return uuidV5(k === 0 ? canonicalInputs : `${canonicalInputs}\n${k}`);
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The 16 bytes of a UUID's text, or null where it is none. */
export function parseUuid(text: unknown): Buffer | null {
  return typeof text === "string" && UUID.test(text) ? Buffer.from(text.replaceAll("-", ""), "hex") : null;
}

/** A UUID's usual text, lower case. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A set of ids in the order they came, some 30 bytes each. */
export interface IdTable {
  /** Position of an id, or -1. */
  readonly find: (id: Uint8Array) => number;
  /** Position of an id, which is put in where it is new. */
  readonly add: (id: Uint8Array) => number;
  /** The id at a position. */
  readonly at: (position: number) => Buffer;
  readonly size: () => number;
  /** The first eight bytes of every id, as sorted numbers: the same for the same set, in whatever order it came. */
  readonly sortedPrefixes: () => BigUint64Array;
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

/** Open addressing over typed arrays: 200,000 ids take 6 MB, a Map of strings several times that. */
export function createIdTable(): IdTable {
  let size = 0;
  /** Positions by hash; 0 is free, so that they count from 1. */
  let slots = new Int32Array(1024);
  let keys = new Uint32Array(4 * 512);
  const words = new Uint32Array(4);
  const load = (id: Uint8Array): void => {
    for (let word = 0; word < 4; word += 1) words[word] = (id[word * 4]! << 24) | (id[word * 4 + 1]! << 16) | (id[word * 4 + 2]! << 8) | id[word * 4 + 3]!;
  };
  /** The slot that holds the loaded id, or the free one where it belongs. */
  const findSlot = (): number => {
    const mask = slots.length - 1;
    let slot = mix(words) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const at = (slots[slot]! - 1) * 4;
      if (keys[at] === words[0] && keys[at + 1] === words[1] && keys[at + 2] === words[2] && keys[at + 3] === words[3]) return slot;
    }
    return slot;
  };
  const grow = (): void => {
    slots = new Int32Array(slots.length * 2);
    const before = keys;
    keys = new Uint32Array(before.length * 2);
    keys.set(before);
    for (let position = 0; position < size; position += 1) {
      words.set(keys.subarray(position * 4, position * 4 + 4));
      slots[findSlot()] = position + 1;
    }
  };
  const add = (id: Uint8Array): number => {
    if (size * 4 === keys.length) grow();
    load(id);
    const slot = findSlot();
    if (slots[slot] === 0) {
      keys.set(words, size * 4);
      size += 1;
      slots[slot] = size;
    }
    return slots[slot]! - 1;
  };
  const at = (position: number): Buffer => {
    const id = Buffer.allocUnsafe(16);
    for (let word = 0; word < 4; word += 1) id.writeUInt32BE(keys[position * 4 + word]!, word * 4);
    return id;
  };
  const sortedPrefixes = (): BigUint64Array => {
    const prefixes = new BigUint64Array(size);
    for (let position = 0; position < size; position += 1) prefixes[position] = (BigInt(keys[position * 4]!) << 32n) | BigInt(keys[position * 4 + 1]!);
    return prefixes.sort();
  };
  return { find: (id) => { load(id); return slots[findSlot()]! - 1; }, add, at, size: () => size, sortedPrefixes };
}
