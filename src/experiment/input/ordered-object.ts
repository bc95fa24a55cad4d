/** Names that JavaScript lists before all others, by size. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
/**
 * The same as a key in JSON text, where no other quote precedes digits. A mark of ours, escaped or
 * not, counts too, so that one can be taken off.
 */
const INDEX_KEY = /"(?<!\\")((?:\uE000|\\u[eE]000)*(?:0|[1-9]\d{0,9}))"(?=\s*:)/g;
const MARKED = /^\uE000+(?:0|[1-9]\d{0,9})$/;

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/**
 * An object that lists its names in the order of the entries, as a file does. With names such as
 * `2024` that takes a proxy, which must not be changed.
 */
export function inOrder<Value>(entries: Entries<Value>): Record<string, Value> {
  const object = Object.fromEntries(entries);
  // Digits come before ":": a comparison leaves out nearly all names.
  if (!entries.some(([name]) => name < ":" && INDEX.test(name))) return object;
  const names = [...new Map(entries).keys()];
  const isOrdered = Object.keys(object).every((name, n) => name === names[n]);
  return isOrdered ? object : new Proxy(object, { ownKeys: () => names });
}

/** Whether a text of JSON has keys whose order JSON.parse may lose. */
export const hasIndexKeys = (text: string): boolean => text.search(INDEX_KEY) >= 0;

/** Parses JSON that does not nest deeply, with all keys in the order of the text. */
export const parseInOrder = (text: string): unknown =>
  JSON.parse(text.replace(INDEX_KEY, '"\uE000$1"'), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value as Readonly<Record<string, unknown>>);
    return inOrder(
      entries.map(([name, inner]) => [MARKED.test(name) ? name.slice(1) : name, inner]),
    );
  });
