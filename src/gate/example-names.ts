/** Names of examples by row. A list of texts also works; names that are all UUIDs take four words each. */
export interface ExampleNames {
  readonly length: number;
  readonly at: (row: number) => string | undefined;
  /** Four words per name, most significant first; absent if any name is not a UUID in its usual form. */
  readonly words?: Uint32Array;
}

/** Compares two names by code units: negative, positive or 0. */
export function compareNames(
  left: ExampleNames,
  row: number,
  right: ExampleNames,
  other: number,
): number {
  const [a, b] = [left.words, right.words];
  if (a === undefined || b === undefined) return compareTexts(left.at(row)!, right.at(other)!);
  for (let word = 0; word < 4; word++) {
    const difference = a[4 * row + word]! - b[4 * other + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Collects names, as texts or the 16 bytes of a UUID; packs them as long as all are UUIDs. */
export function createNames() {
  let words = new Uint32Array(256);
  let texts: string[] | null = null;
  let size = 0;
  const load = (name: string | Uint8Array): boolean => {
    if (4 * size === words.length) {
      const wider = new Uint32Array(2 * words.length);
      wider.set(words);
      words = wider;
    }
    return typeof name === "string"
      ? readWords(name, words, 4 * size)
      : loadBytes(name, words, 4 * size);
  };
  const add = (name: string | Uint8Array): void => {
    if (texts === null && !load(name))
      texts = Array.from({ length: size }, (_, row) => writeWords(words, 4 * row));
    texts?.push(typeof name === "string" ? name : textOfBytes(name));
    size++;
  };
  return {
    add,
    size: (): number => size,
    finish: (): ExampleNames => {
      const packed = words.subarray(0, 4 * size);
      words = new Uint32Array();
      return texts ?? packedNames(packed);
    },
  };
}

function packedNames(words: Uint32Array): ExampleNames {
  return { length: words.length / 4, words, at: (row) => writeWords(words, 4 * row) };
}

/** Selects names by row. */
export function pickNames(names: ExampleNames, rows: ArrayLike<number>): ExampleNames {
  const { words } = names;
  if (words === undefined) return Array.from(rows, (row) => names.at(row)!);
  const picked = new Uint32Array(4 * rows.length);
  for (let at = 0; at < rows.length; at++)
    for (let word = 0; word < 4; word++) picked[4 * at + word] = words[4 * rows[at]! + word]!;
  return packedNames(picked);
}

/** Concatenates lists of names. */
export function joinNames(lists: readonly ExampleNames[]): ExampleNames {
  const joined = createNames();
  for (const names of lists)
    for (let row = 0; row < names.length; row++) joined.add(names.at(row)!);
  return joined.finish();
}

function loadBytes(id: Uint8Array, into: Uint32Array, at: number): true {
  for (let word = 0; word < 4; word++)
    into[at + word] =
      (id[4 * word]! << 24) |
      (id[4 * word + 1]! << 16) |
      (id[4 * word + 2]! << 8) |
      id[4 * word + 3]!;
  return true;
}

function textOfBytes(id: Uint8Array): string {
  const words = new Uint32Array(4);
  loadBytes(id, words, 0);
  return writeWords(words, 0);
}

const HYPHEN = 45;
const LENGTH = 36;

/** Reads a lower-case UUID; false for any other text. */
function readWords(text: string, into: Uint32Array, from: number): boolean {
  if (text.length !== LENGTH) return false;
  let digits = 0;
  for (let at = 0, word = 0; at < LENGTH; at++) {
    const code = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== HYPHEN) return false;
      continue;
    }
    const digit = digitOf(code);
    if (digit < 0) return false;
    word = (word << 4) | digit;
    if ((++digits & 7) === 0) into[from + (digits >> 3) - 1] = word;
  }
  return true;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

function writeWords(words: Uint32Array, from: number): string {
  const [a, b, c, d] = [0, 1, 2, 3].map((word) =>
    words[from + word]!.toString(16).padStart(8, "0"),
  ) as [string, string, string, string];
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

/** All names as texts. */
export function listNames(names: ExampleNames): string[] {
  return Array.from({ length: names.length }, (_, row) => names.at(row)!);
}

/** Rows sorted by the code units of their names; equal names keep their order. */
export function orderRows(names: ExampleNames): Int32Array {
  const order = new Int32Array(names.length);
  // Most baselines are already sorted, and checking costs less than sorting.
  let isOrdered = true;
  for (let row = 0; row < order.length; row++) {
    order[row] = row;
    isOrdered &&= row === 0 || compareNames(names, row - 1, names, row) <= 0;
  }
  if (isOrdered) return order;
  return order.sort((a, b) => compareNames(names, a, names, b) || a - b);
}
