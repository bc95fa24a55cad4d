import { inOrder } from "./ordered-object.ts";

/** Counts of numbers that cannot be sent unchanged. */
export interface Unsendable {
  notFinite: number;
  unsafeIntegers: number;
}

/** The value of a score: a number, words for `value`, or nothing because it was not scored. */
export type Scored =
  | { readonly score: number }
  | { readonly value: string }
  | { readonly unscored: true };

const NOT_A_NUMBER = /^(?:|nan|[+-]?inf(?:inity)?|none|null|n\/?a|<na>|-+|—)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const PERCENTAGE = /^([+-]?(?:\d+\.?\d*|\.\d+))\s?%$/;
const FRACTION = /^(\d+\.?\d*|\.\d+)\s*(?:\/|(?:out )?of)\s*(\d+\.?\d*)$/i;

/** Whether a text means that there is no score: empty, NaN, none, n/a. */
export function isMissing(text: string): boolean {
  return NOT_A_NUMBER.test(text.trim());
}

/** The share that a percentage or a fraction is: `80%`, `4/5`, `4 of 5`. More than the whole is no share. */
function shareIn(text: string): number | undefined {
  const percent = PERCENTAGE.exec(text)?.[1];
  if (percent !== undefined) return Number(`${percent}e-2`);
  const [part, whole] = FRACTION.exec(text)?.slice(1).map(Number) ?? [];
  return part === undefined || !(part <= whole! && whole! > 0) ? undefined : part / whole!;
}

/** Whether a text is a share rather than a plain number. */
export const isShareText = (text: string): boolean => shareIn(text.trim()) !== undefined;

/** Whether a text is a number, a percentage or a fraction. */
export function isNumeral(text: string): boolean {
  return NUMBER.test(text.trim()) || isShareText(text);
}

/**
 * Booleans become 0 and 1, numbers in text become numbers, non-finite and empty values are
 * unscored, other words become a value.
 */
export function toScored(score: unknown): Scored {
  if (typeof score === "number") return Number.isFinite(score) ? { score } : { unscored: true };
  if (typeof score === "boolean") return { score: score ? 1 : 0 };
  if (score === null || score === undefined) return { unscored: true };
  if (typeof score !== "string") return { value: JSON.stringify(cleanJson(score)) };
  const text = score.trim();
  if (isMissing(text)) return { unscored: true };
  if (NUMBER.test(text)) return toScored(Number(text));
  // As in a floor, where a percentage is a share.
  const share = shareIn(text);
  if (share !== undefined) return toScored(share);
  if (/^(?:true|false)$/i.test(text)) return { score: text.toLowerCase() === "true" ? 1 : 0 };
  return { value: score };
}

/** Whether a value counts as a number. */
export const isScore = (value: unknown): boolean => "score" in toScored(value);

/**
 * A JSON value that can be sent: non-finite numbers become null, keys without a value are removed.
 * The same object if nothing changes.
 */
export function cleanJson(value: unknown, notes?: Unsendable): unknown {
  if (value === undefined) return undefined;
  return changeLeaves(value, (leaf) => {
    if (typeof leaf !== "number") return leaf;
    if (notes && Number.isInteger(leaf) && !Number.isSafeInteger(leaf)) notes.unsafeIntegers += 1;
    if (Number.isFinite(leaf)) return leaf;
    if (notes) notes.notFinite += 1;
    return null;
  });
}

/**
 * Maps every leaf of a value. Undefined removes it; in a list it becomes null. The same object if
 * nothing changes, as in most rows.
 */
export function changeLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return change(value);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const after = changeLeaves(value[index], change) ?? null;
      if (after === value[index]) continue;
      copy ??= [...value];
      copy[index] = after;
    }
    return copy ?? value;
  }
  let changed: Map<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key];
    const after = changeLeaves(before, change);
    if (after === before && after !== undefined) continue;
    changed ??= new Map();
    changed.set(key, after);
  }
  return changed === undefined ? value : withEntries(value, changed);
}

/** Maps the items of a list; the same list if nothing changes. */
export function changeItems(
  list: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  const items = list.map(change);
  return items.some((item, n) => item !== list[n]) ? items : list;
}

/** The object with some values replaced; undefined removes one. */
export function withEntries(
  object: object,
  changed: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  // Entries define keys, so that `__proto__` stays an ordinary one.
  return inOrder(
    Object.entries(object)
      .map(([key, old]) => [key, changed.has(key) ? changed.get(key) : old] as const)
      .filter(([, kept]) => kept !== undefined),
  );
}
