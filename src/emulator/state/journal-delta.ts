import { isObject, type JsonObject } from "../../model/json.ts";
import type { Entry } from "./store.ts";

/** Lists that only grow at their end in most changes: a change is written as how many items stay and what follows. */
const GROWING: Readonly<Record<string, string>> = {
  deployments: "revisions",
  datasets: "examples",
};
const MARK = "+";

const keyOf = ([table, key]: Entry): string => `${table} ${key}`;

interface Growth {
  readonly keep: number;
  readonly add: readonly unknown[];
}

function growthOf(value: unknown, list: string): Growth | null {
  if (!isObject(value)) return null;
  const found: unknown = value[list];
  if (!isObject(found) || !isObject(found[MARK])) return null;
  return found[MARK] as unknown as Growth;
}

/** An entry as what differs from the value that the file has. */
export function toDelta(written: ReadonlyMap<string, Entry>, entry: Entry): Entry {
  const [table, key, value] = entry;
  const list = GROWING[table];
  const before = list === undefined ? undefined : written.get(keyOf(entry))?.[2];
  if (list === undefined || !isObject(before) || !isObject(value)) return entry;
  const old = before[list] as unknown as readonly unknown[];
  const now = value[list] as unknown as readonly unknown[];
  let keep = 0;
  while (keep < old.length && keep < now.length && old[keep] === now[keep]) keep += 1;
  if (keep === 0) return entry;
  const growth = { [MARK]: { keep, add: now.slice(keep) } } as unknown as JsonObject;
  return [table, key, { ...value, [list]: growth }];
}

/** Takes an entry, whole or as a difference, into what is known; a null value removes. */
export function applyEntry(known: Map<string, Entry>, entry: Entry): void {
  const [table, key, value] = entry;
  const name = keyOf(entry);
  if (value === null) {
    known.delete(name);
    return;
  }
  const list = GROWING[table];
  const growth = list === undefined ? null : growthOf(value, list);
  if (list === undefined || growth === null) {
    known.set(name, entry);
    return;
  }
  const before = known.get(name)?.[2] as JsonObject;
  const old = before[list] as unknown as readonly unknown[];
  const whole = { ...(value as JsonObject), [list]: [...old.slice(0, growth.keep), ...growth.add] };
  known.set(name, [table, key, whole]);
}
