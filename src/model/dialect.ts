import { isObject } from "./json.ts";

/** The service's two dialects. The code uses the document's dialect; only this table knows both. */
export type Dialect = "document" | "hosted";

const SOURCES: readonly (readonly [document: string, hosted: string])[] = [
  ["repohost", "github"],
  ["external_container", "external_docker"],
];
const KEYS: readonly (readonly [document: string, hosted: string])[] = [
  ["graph_config_path", "langgraph_config_path"],
];
const INTEGRATIONS = {
  document: "/v1/integrations/repohost/install",
  hosted: "/v1/integrations/github/install",
} as const;

/**
 * Sources that exist only on the hosted service. The vendor's own tools create them; both dialects
 * spell them the same.
 */
const HOSTED_SOURCES: readonly string[] = [
  "internal_docker",
  "internal_source",
  "internal_template",
];

/** Whether the vendor's own tools build deployments of this source. */
export const isHostedSource = (source: unknown): boolean =>
  HOSTED_SOURCES.includes(source as string);

/** The dialect that a `source:` value belongs to; undefined if it is in neither. */
export function dialectOf(source: unknown): Dialect | undefined {
  if (SOURCES.some(([document]) => document === source)) return "document";
  if (SOURCES.some(([, hosted]) => hosted === source) || isHostedSource(source)) return "hosted";
  return undefined;
}

/** The dialect that a key belongs to; undefined if both spell it the same. */
export function dialectOfKey(key: string): Dialect | undefined {
  if (KEYS.some(([document]) => document === key)) return "document";
  return KEYS.some(([, hosted]) => hosted === key) ? "hosted" : undefined;
}

function swap(table: typeof KEYS, word: string, to: Dialect): string {
  for (const [document, hosted] of table)
    if (word === document || word === hosted) return to === "hosted" ? hosted : document;
  return word;
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
