import { SOURCE_KINDS, type SourceKind } from "./field-shape.ts";
import { isObject } from "./json.ts";

/** The service's two dialects. The code uses the document's dialect; only this table knows both. */
export type Dialect = "document" | "hosted";

/** Words of the document, each with the hosted service's. */
type Words = readonly (readonly [document: string, hosted: string])[];

const SOURCES: Words = [
  ["repohost", "github"],
  ["external_container", "external_docker"],
];
const KEYS: Words = [["graph_config_path", "langgraph_config_path"]];
const INTEGRATIONS = {
  document: "/v1/integrations/repohost/install",
  hosted: "/v1/integrations/github/install",
} as const;

/** Whether both dialects spell a source the same: one of the hosted service only, or one that no table has. */
export const isHostedSource = (source: unknown): boolean =>
  typeof source === "string" && dialectIn(SOURCES, source) === undefined;

/** Whether only the vendor's own tools build deployments of this source: a spec manages their secrets. */
export const isVendorBuilt = (source: unknown): boolean =>
  isHostedSource(source) && source !== "internal_source";

function dialectIn(table: Words, word: unknown): Dialect | undefined {
  const row = table.find((one) => one.includes(word as string));
  if (row === undefined) return undefined;
  return row[0] === word ? "document" : "hosted";
}

/** The dialect that a `source:` value belongs to; undefined if it is in neither. */
export const dialectOf = (source: unknown): Dialect | undefined =>
  dialectIn(SOURCES, source) ??
  (SOURCE_KINDS.includes(source as SourceKind) ? "hosted" : undefined);

/** The dialect that a key belongs to; undefined if both spell it the same. */
export const dialectOfKey = (key: string): Dialect | undefined => dialectIn(KEYS, key);

/**
 * The dialect that a body or reply is written in: that of its source, else the hosted one by a key,
 * of two the one that is set; undefined if nothing says it.
 */
export function dialectOfBody(body: Readonly<Record<string, unknown>>): Dialect | undefined {
  const { source, source_revision_config: config } = body;
  const entries = isObject(config) ? Object.entries(config) : [];
  const spelled = entries.filter(([key]) => dialectOfKey(key) !== undefined);
  const [key = ""] = spelled.find(([, value]) => (value ?? null) !== null) ?? spelled[0] ?? [];
  return dialectOf(source) ?? (dialectOfKey(key) === "hosted" ? "hosted" : undefined);
}

function swap(table: Words, word: string, to: Dialect): string {
  const row = table.find((one) => one.includes(word));
  return row?.[to === "hosted" ? 1 : 0] ?? word;
}

/** Converts a key to the given dialect, from either one. */
export function spellKey(key: string, to: Dialect): string {
  return swap(KEYS, key, to);
}

/** Converts a source kind to the given dialect, from either one. */
export function spellSource(source: string, to: Dialect): string {
  return swap(SOURCES, source, to);
}

/** Converts a dotted field path to the given dialect, from either one. */
export function spellPath(path: string, to: Dialect): string {
  return path
    .split(".")
    .map((key) => spellKey(key, to))
    .join(".");
}

/** Converts a deployment body or reply to the given dialect: `source` and the keys of source_revision_config. */
export function spell<T extends object>(body: T, to: Dialect): T {
  const out = { ...body } as Record<string, unknown>;
  if (typeof out["source"] === "string") out["source"] = spellSource(out["source"], to);
  const revision = out["source_revision_config"];
  if (isObject(revision)) {
    // If a reply has a key in both dialects, the one that is set counts.
    const entries = Object.entries(revision).map(([key, value]) => [spellKey(key, to), value]);
    const set = new Map(
      entries.filter(([, value]) => (value ?? null) !== null) as [string, unknown][],
    );
    out["source_revision_config"] = Object.fromEntries(
      entries.map(([key, value]) => [key, set.get(key as string) ?? value]),
    );
  }
  return out as T;
}

/** Path of the integrations lookup in the given dialect. */
export function integrationsPath(dialect: Dialect): string {
  return INTEGRATIONS[dialect];
}
