/** A count with its noun: `1 change`, `3 changes`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** `there is only a`, `there are a, b and 3 more`. */
export function listAll(names: readonly string[], most: number): string {
  return `there ${names.length === 1 ? "is only" : "are"} ${listSome(names, String, most)}`;
}

/** `a, b and 3 more`: the first few of a list. */
export function listSome<T>(
  items: readonly T[],
  toWords: (item: T) => string,
  most: number,
): string {
  const more = items.length - most;
  return `${items.slice(0, most).map(toWords).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
