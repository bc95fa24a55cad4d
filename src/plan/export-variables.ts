/** Names the variable for a live value in a spec; `value` null: it is hidden. */
export type NameVariable = (variable: string, value: string | null) => string;

/** A live value that a spec reads from a variable, and its document. */
export interface VariableUse {
  readonly document: string;
  readonly variable: string;
  /** Null if the service hides it: any value is possible. */
  readonly value: string | null;
}

/**
 * Chooses names so that no variable is used for two different live values: setting it would
 * overwrite one with the other. A name used by documents with different values gets the document's
 * name as prefix, and a number if needed. Hidden values keep their plain name.
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

/** Variables with different values in several documents. */
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

/** Turns a place in a body into a variable's name. */
export const toVariable = (trail: readonly string[]): string =>
  trail
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d)/, "_");
