/** Names the variable that holds a live value for a spec; `value` null: it is hidden. */
export type NameVariable = (variable: string, value: string | null) => string;

/** A live value that a spec reads from a variable, and its document. */
export interface VariableUse {
  readonly document: string;
  readonly variable: string;
  /** Null where the service hides it: it may be any. */
  readonly value: string | null;
}

/**
 * Names by which no variable holds two live values: set to one of them, it would write that
 * one over the other. A name that documents share gets that of its document in front where their
 * values differ, and a number where that is not enough. Hidden values keep their plain name.
 */
export function createVariableNames(
  uses: readonly VariableUse[],
): (document: string) => NameVariable {
  const shared = findShared(uses);
  const taken = new Map<string, string>();
  return (document) => (variable, value) => {
    if (value === null) return variable;
    const wanted = shared.has(variable) ? `${toVariable([document])}_${variable}` : variable;
    let name = wanted;
    for (let count = 2; (taken.get(name) ?? value) !== value; count += 1)
      name = `${wanted}_${count}`;
    taken.set(name, value);
    return name;
  };
}

/** Variables that hold different values in several documents. */
function findShared(uses: readonly VariableUse[]): ReadonlySet<string> {
  const firstOf = new Map<string, VariableUse>();
  const [differing, several] = [new Set<string>(), new Set<string>()];
  for (const use of uses) {
    if (use.value === null) continue;
    const first = firstOf.get(use.variable) ?? use;
    firstOf.set(use.variable, first);
    if (first.value !== use.value) differing.add(use.variable);
    if (first.document !== use.document) several.add(use.variable);
  }
  return new Set([...differing].filter((variable) => several.has(variable)));
}

/** A place in a body as the name of a variable. */
export const toVariable = (trail: readonly string[]): string =>
  trail
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d)/, "_");
