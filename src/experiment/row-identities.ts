import { createHash } from "node:crypto";
import { createIdTable, createNameHash } from "./row-id.ts";

/** What a row says of its own identity. */
export interface Claim {
  /** Canonical JSON of what distinguishes its example. */
  readonly name: string;
  readonly givenId: Uint8Array | null;
  readonly exampleId: Uint8Array | null;
  /** k, where the file itself counts repeats. */
  readonly repeat: number | undefined;
  /** Position among the file's rows. */
  readonly index: number;
}

/** Who a row is; the bytes hold until the next row. */
export interface Identity {
  readonly id: Uint8Array;
  readonly example: Uint8Array;
  /** Which repeat of its example, from 0. */
  readonly k: number;
  /** The row that has its given id already, counted from 1; 0 where none has. */
  readonly owner: number;
}

/** The identities of an experiment's rows, which come in their order. */
export interface Identities {
  readonly add: (claim: Claim) => Identity;
  /** sha256 over the set of examples, whatever their order and repeats; no more rows come. */
  readonly fingerprint: () => string;
}

/** Row ids, examples and repeats of one experiment: some 40 bytes a row. */
export function createIdentities(): Identities {
  /** Ids and examples in one table, since a row's id is mostly that of its example. */
  const ids = createIdTable();
  /**
   * By position in the table: how many rows have it as their example, and 1 more than the row that
   * has it as its id.
   */
  const [counts, owners] = [createNumbers(), createNumbers()];
  const names = createNameHash();
  const [example, made] = [new Uint8Array(16), new Uint8Array(16)];
  const isTaken = (id: Uint8Array): boolean => {
    const position = ids.find(id);
    return position !== -1 && owners.get(position) > 0;
  };
  /**
   * The id of a row that is the `count`-th of its example, and its repeat index: given, or the
   * first that nobody has.
   */
  const choose = (
    { givenId, exampleId, repeat }: Claim,
    count: number,
  ): { id: Uint8Array; k: number } => {
    if (givenId !== null) return { id: givenId, k: count };
    const idOf = (k: number): Uint8Array => (k === 0 ? example : names.digest(k, made));
    let k = repeat ?? count;
    let id = exampleId !== null && !isTaken(exampleId) ? exampleId : idOf(k);
    for (let next = count; isTaken(id); next += 1) {
      k = next;
      id = idOf(k);
    }
    return { id, k };
  };
  return {
    add: (claim) => {
      names.write(claim.name);
      names.digest(0, example);
      const place = ids.add(example);
      const count = counts.get(place);
      const { id, k } = choose(claim, count);
      const position = ids.add(id);
      const owner = claim.givenId === null ? 0 : owners.get(position);
      owners.set(position, claim.index + 1);
      counts.set(place, count + 1);
      return { id, example, k, owner };
    },
    fingerprint: () => {
      const prefixes = ids.seal((position) => counts.get(position) > 0);
      return createHash("sha256")
        .update(new Uint8Array(prefixes.buffer, 0, prefixes.byteLength))
        .digest("hex");
    },
  };
}

const PIECE_BITS = 12,
  PIECE = 1 << PIECE_BITS;

/** Numbers by position, 0 where none was set, in pieces, so that growth copies nothing. */
function createNumbers(): {
  readonly get: (at: number) => number;
  readonly set: (at: number, value: number) => void;
} {
  const pieces: Int32Array[] = [];
  return {
    get: (at) => pieces[at >> PIECE_BITS]?.[at & (PIECE - 1)] ?? 0,
    set: (at, value) => {
      while (pieces.length <= at >> PIECE_BITS) pieces.push(new Int32Array(PIECE));
      pieces[at >> PIECE_BITS]![at & (PIECE - 1)] = value;
    },
  };
}
