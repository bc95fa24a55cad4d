/** Rows of a file mostly have the same names; results for more names are not cached. */
const MAX_KEPT = 1000;

/** The same function with a cache by name. */
export function keeping<Made>(make: (name: string) => Made): (name: string) => Made {
  const kept = new Map<string, Made>();
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined || kept.has(name)) return known as Made;
    const made = make(name);
    if (kept.size < MAX_KEPT) kept.set(name, made);
    return made;
  };
}
