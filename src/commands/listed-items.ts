import { listAll } from "../model/count-words.ts";
import type { Lookup } from "../service/control-plane.ts";
import { nearestWord } from "../spec/suggestion.ts";
import { UsageError } from "../ci/session.ts";

/** The items of a list; throws a UsageError with an alternative if the service has no such list. */
export function listedItems<T>(lookup: Lookup<T>, what: string, otherwise = ""): readonly T[] {
  if (lookup.state === "found") return lookup.items;
  const advice = otherwise === "" ? "" : `: ${otherwise}`;
  throw new UsageError(
    `this service has no list of ${what} (it answers ${lookup.status})${advice}`,
  );
}

const MAX_NAMES = 8;

/** Ends a sentence about an unknown name: the likely one, else the existing ones. */
export function suggestName(given: string, items: readonly { readonly name: string }[]): string {
  const names = [...new Set(items.map(({ name }) => name))].sort();
  const plain = given.toLowerCase();
  const near =
    nearestWord(given, names) ?? names.find((name) => name.toLowerCase().includes(plain));
  if (near !== undefined) return `; did you mean ${near}?`;
  if (names.length === 0) return "; this workspace has none: check tenant-id and region";
  return `; ${listAll(names, MAX_NAMES)}`;
}
