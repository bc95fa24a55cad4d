/** Names that JavaScript lists before all others, by size. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
/**
 * The same as a key in JSON text, where no other quote precedes digits. A mark of ours, escaped or
 * not, counts too, so that one can be taken off.
 */
const INDEX_KEY = /"(?<!\\")((?:\uE000|\\u[eE]000)*(?:0|[1-9]\d{0,9}))"(?=\s*:)/g;
const MARKED = /^\uE000+(?:0|[1-9]\d{0,9})$/;

/** Digits come before ":": a comparison leaves out nearly all names. */
const isIndex = (name: string): boolean => name < ":" && INDEX.test(name);

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/**
 * An object that lists its names in the order of the entries, as a file does. With names such as
 * `2024` that takes a proxy, which must not be changed.
 */
export function inOrder<Value>(entries: Entries<Value>): Record<string, Value> {
  const object = Object.fromEntries(entries);
  if (!entries.some(([name]) => isIndex(name))) return object;
  const names = [...new Map(entries).keys()];
  const isOrdered = Object.keys(object).every((name, n) => name === names[n]);
  return isOrdered ? object : new Proxy(object, { ownKeys: () => names });
}

/** What JSON.parse made of a text: it nests too deeply, has names whose order may be lost, or neither. */
type Shape = "deep" | "indexed" | "plain";

/** Examines a parsed JSON value down to a number of levels; deeper ones cannot overflow the stack. */
export function shapeOf(value: unknown, levels: number): Shape {
  if (typeof value !== "object" || value === null) return "plain";
  if (levels === 0) return "deep";
  let shape: Shape = "plain";
  if (Array.isArray(value)) {
    // By index: `for … in` makes a text of each, which costs more than all the rest.
    for (let at = 0; at < value.length; at++) {
      const inner = shapeOf(value[at], levels - 1);
      if (inner === "deep") return inner;
      if (inner === "indexed") shape = inner;
    }
    return shape;
  }
  let isFirst = true;
  for (const name in value) {
    // The first name decides, since JavaScript lists such names before all others.
    if (isFirst && isIndex(name)) shape = "indexed";
    isFirst = false;
    const below = (value as Record<string, unknown>)[name];
    if (typeof below !== "object") continue;
    const inner = shapeOf(below, levels - 1);
    if (inner === "deep") return inner;
    if (inner === "indexed") shape = inner;
  }
  return shape;
}

/** Parses JSON that does not nest deeply, with all keys in the order of the text. */
export const parseInOrder = (text: string): unknown =>
  JSON.parse(text.replace(INDEX_KEY, '"\uE000$1"'), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value as Readonly<Record<string, unknown>>);
    return inOrder(
      entries.map(([name, inner]) => [MARKED.test(name) ? name.slice(1) : name, inner]),
    );
  });
