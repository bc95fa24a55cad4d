import { createHash, hash } from "node:crypto";
import { createNumbers } from "../gate/numbers.ts";

/**
 * Namespace of the version 5 UUIDs: the one for DNS names, which both SDKs of the hosted service
 * use for example ids. It is followed by UTF-8: the canonical JSON of what identifies the example
 * (its inputs, unless the file says otherwise) and, for a repeat (k ≥ 1), a line feed and k in
 * decimal. Canonical JSON contains no raw line feed, so no other example gives the same text.
 */
const NAMESPACE = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");

/** The namespace with room for a name of usual length, used for one after the other. */
const ROOM = Buffer.concat([NAMESPACE], 64 * 1024);

/** The 16 bytes of a name's version 5 UUID, for k ≥ 1 of its k-th repeat. */
export function nameId(name: string, k = 0): Buffer {
  const text = k === 0 ? name : `${name}\n${k}`;
  // A character takes at most three bytes.
  const isLong = 3 * text.length > ROOM.length - NAMESPACE.length;
  const room = isLong ? Buffer.concat([NAMESPACE], NAMESPACE.length + 3 * text.length) : ROOM;
  const end = NAMESPACE.length + room.write(text, NAMESPACE.length);
  const id = Buffer.allocUnsafe(16);
  // A hash returned as a text of one-byte characters costs half as much as one returned as a buffer.
  id.write(hash("sha1", room.subarray(0, end), "binary"), 0, 16, "latin1");
  id[6] = (id[6]! & 0x0f) | 0x50;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return id;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The 16 bytes of a UUID's text; null if it is not one. */
export function parseUuid(text: unknown): Buffer | null {
  return typeof text === "string" && UUID.test(text)
    ? Buffer.from(text.replaceAll("-", ""), "hex")
    : null;
}

/** A UUID's usual lower-case text. */
export function formatUuid(id: Buffer): string {
  const hex = id.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * A set of ids in insertion order, 16 bytes each and 5 to 11 for finding them, by open addressing
 * over typed arrays: 200,000 ids take 5 MB, a Map of strings several times that.
 */
export function createIdTable() {
  let size = 0;
  /** Positions by hash, counted from 1, since 0 is free. */
  let slots = new Int32Array(1024);
  /** Four words per id, most significant byte first. */
  const words = createNumbers(Uint32Array);
  const sought = new Uint32Array(4);
  const wordsOf = (id: Buffer): Uint32Array => {
    for (let word = 0; word < 4; word += 1) sought[word] = id.readUInt32BE(4 * word);
    return sought;
  };
  const isAt = (position: number, id: ArrayLike<number>): boolean => {
    for (let word = 0; word < 4; word += 1)
      if (words.get(4 * position + word) !== id[word]) return false;
    return true;
  };
  /** The slot of the id, or the free one where it belongs. */
  const findSlot = (id: Uint32Array): number => {
    const mask = slots.length - 1;
    let slot = mix(id) & mask;
    while (slots[slot] !== 0 && !isAt(slots[slot]! - 1, id)) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    slots = new Int32Array(slots.length * 2);
    const id = new Uint32Array(4);
    for (let position = 0; position < size; position += 1) {
      for (let word = 0; word < 4; word += 1) id[word] = words.get(4 * position + word);
      slots[findSlot(id)] = position + 1;
    }
  };
  return {
    /** Position of an id, or -1. */
    find: (id: Buffer): number => slots[findSlot(wordsOf(id))]! - 1,
    /** Position of an id, added if it is new. */
    add: (id: Buffer): number => {
      // At most three quarters full: the ids are hashes, or equally spread.
      if (4 * size >= 3 * slots.length) grow();
      const found = wordsOf(id);
      const slot = findSlot(found);
      if (slots[slot] === 0) {
        for (let word = 0; word < 4; word += 1) words.set(4 * size + word, found[word]!);
        size += 1;
        slots[slot] = size;
      }
      return slots[slot]! - 1;
    },
    /** The first eight bytes of the ids at these positions as sorted numbers: equal for equal sets, in any order. */
    prefixes: (wanted: (position: number) => boolean): BigUint64Array => {
      const halves = new Uint32Array(2 * size);
      let count = 0;
      for (let position = 0; position < size; position += 1) {
        if (!wanted(position)) continue;
        halves[2 * count] = words.get(4 * position + 1);
        halves[2 * count + 1] = words.get(4 * position);
        count += 1;
      }
      return new BigUint64Array(halves.buffer, 0, count).sort();
    },
    /** Takes all ids out, and gives their memory back. */
    clear: (): void => {
      size = 0;
      slots = new Int32Array(1024);
      words.clear();
    },
  };
}

/** Spreads all 16 bytes over the slots: numbered ids share their first twelve. */
function mix(words: Uint32Array): number {
  let h = 0;
  for (let word = 0; word < 4; word += 1) {
    h = Math.imul(h ^ words[word]!, 0x9e3779b1);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** What a row says about its identity. */
export interface Claim {
  /** Canonical JSON of what identifies its example. */
  readonly name: string;
  readonly givenId: Buffer | null;
  readonly exampleId: Buffer | null;
  /** k, if the file itself counts repeats. */
  readonly repeat: number | undefined;
  /** Position among the file's rows. */
  readonly index: number;
}

/** The ids of a row and of its example, and which repeat it is. */
export interface Identity {
  readonly id: Buffer;
  readonly example: Buffer;
  /** Which repeat of its example it is, from 0. */
  readonly k: number;
  /** The row that already has its given id, counted from 1; 0 if there is no such row. */
  readonly owner: number;
}

/** Row ids, examples and repeats of one experiment, whose rows are added in order, in some 40 bytes per row. */
export function createIdentities() {
  /** Ids and examples in one table, since a row's id is mostly that of its example. */
  const ids = createIdTable();
  /**
   * By position in the table: how many rows have it as their example, and 1 more than the row that
   * has it as its id.
   */
  const [counts, owners] = [createNumbers(Int32Array), createNumbers(Int32Array)];
  /** The id and repeat of a row, whose example has a place in the table: given, or the first that no row has. */
  const choose = (
    { name, givenId, exampleId, repeat }: Claim,
    example: Buffer,
    place: number,
  ): Pick<Identity, "id" | "k"> => {
    const count = counts.get(place);
    if (givenId !== null) return { id: givenId, k: count };
    const isTaken = (id: Buffer): boolean => owners.get(id === example ? place : ids.find(id)) > 0;
    const idOf = (k: number): Buffer => (k === 0 ? example : nameId(name, k));
    let k = repeat ?? count;
    let id = exampleId !== null && !isTaken(exampleId) ? exampleId : idOf(k);
    for (let next = count; isTaken(id); next += 1) {
      k = next;
      id = idOf(k);
    }
    return { id, k };
  };
  return {
    add: (claim: Claim): Identity => {
      const example = nameId(claim.name);
      const place = ids.add(example);
      const { id, k } = choose(claim, example, place);
      const position = id === example ? place : ids.add(id);
      const owner = claim.givenId === null ? 0 : owners.get(position);
      owners.set(position, claim.index + 1);
      counts.set(place, counts.get(place) + 1);
      return { id, example, k, owner };
    },
    /**
     * sha256 of the set of examples, whatever their order and repeats. Ends the list: millions of
     * ids take room that sending needs.
     */
    finish: (): string => {
      const examples = ids.prefixes((position) => counts.get(position) > 0);
      for (const one of [ids, counts, owners]) one.clear();
      return createHash("sha256").update(examples).digest("hex");
    },
  };
}

/**
 * For all files that are judged together, the example that a row is judged as. A row that crashed
 * before anything was known about it is an example of its own: inputs without content are the same
 * on every row, so that hundreds of crashes would count as repeats of one example. `isBare`: the row
 * crashed without score or usage.
 */
export function createNamelessCrashes() {
  let count = 0;
  return (
    example: Buffer,
    { inputs, isBare }: { readonly inputs: unknown; readonly isBare: boolean },
  ): Buffer => {
    if (!isBare || holdsContent(inputs)) return example;
    count += 1;
    // The name is not JSON, so no inputs have it.
    return nameId(`crash ${count} without inputs`);
  };
}
/** Gives the example that a row is judged as. */
export type NamelessCrashes = ReturnType<typeof createNamelessCrashes>;

function holdsContent(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsContent);
  return value !== null && value !== undefined;
}
