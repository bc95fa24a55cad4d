import type { DeployBlock, Desired, Json } from "../spec/desired.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Change } from "./plan.ts";
import { isObject } from "./value.ts";

/** A secret as it stands in a body. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

/** What comparing two sets of secrets gives; `body` is the whole set a PATCH would carry. */
export interface SecretsDiff {
  readonly changes: readonly Change[];
  /** Names whose live value is not returned, so that only the name could be compared. */
  readonly unknownValues: readonly string[];
  /** Names that are live and whose wanted value only `apply` knows: compared by name. */
  readonly knownAtApply: readonly string[];
  /** Live names that the merged body would have to carry, whose values are not returned. */
  readonly unreadable: readonly string[];
  readonly body: readonly Json[];
}

/** The entries of a `secrets` list, whatever else it holds. */
export function toEntries(value: Json | undefined): Entry[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) => {
    if (!isObject(item) || typeof item["name"] !== "string") return [];
    const text = item["value"];
    return [{ name: item["name"], value: typeof text === "string" ? text : "" }];
  });
}

/** A value the service does not return: null, empty, or only `*` or `•`; for that secret alone. */
export function isReturned(value: string): boolean {
  return !/^[*•]*$/u.test(value);
}

const change = (name: string, before: string | null, after: string | null): Change => ({
  path: `secrets.${name}`,
  before,
  after,
  effect: "new-revision",
  sensitive: true,
});

/**
 * Compares secrets by name, and by value where the service returns one. A secret whose wanted value
 * only apply knows, or whose live value is hidden, is compared by name; a hidden one is sent only with `send`.
 */
export function diffSecrets(
  desired: Desired,
  live: Json | undefined,
  mode: DeployBlock["secrets"],
  unknownPolicy: "keep" | "send",
): SecretsDiff {
  const wanted = toEntries(desired.body["secrets"]);
  const current = new Map(toEntries(live).map((entry) => [entry.name, entry.value]));
  const changes: Change[] = [];
  const unknownValues: string[] = [];
  const knownAtApply: string[] = [];
  wanted.forEach(({ name, value }, index) => {
    const before = current.get(name);
    const atApply = desired.unknown.has(`secrets.${index}.value`);
    if (before === undefined)
      changes.push(change(name, null, atApply ? KNOWN_AT_APPLY : "(new value)"));
    else if (atApply) knownAtApply.push(name);
    else if (!isReturned(before)) {
      if (value === "" && before === "") return;
      unknownValues.push(name);
      if (unknownPolicy === "send") changes.push(change(name, "value unknown", "(new value)"));
    } else if (before !== value) changes.push(change(name, "(old value)", "(new value)"));
  });
  const names = new Set(wanted.map((entry) => entry.name));
  const others = [...current].filter(([name]) => !names.has(name));
  if (mode === "replace") {
    for (const [name] of others) changes.push(change(name, "(set)", null));
    return { changes, unknownValues, knownAtApply, unreadable: [], body: wanted.map(toBody) };
  }
  const unreadable = others.filter(([, value]) => !isReturned(value)).map(([name]) => name);
  const overlaid = new Map([
    ...current,
    ...wanted.map(({ name, value }): [string, string] => [name, value]),
  ]);
  return {
    changes,
    unknownValues,
    knownAtApply,
    unreadable,
    body: [...overlaid].map(([name, value]) => toBody({ name, value })),
  };
}

const toBody = ({ name, value }: Entry): Json => ({ name, value });
