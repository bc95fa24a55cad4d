/**
 * The two dialects of one service. Inside, everything is in the document's; this table is the only
 * place that knows both.
 */
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

/** Sources that exist only at the hosted service, made by the vendor's own tools; spelled the same in both. */
const HOSTED_SOURCES: readonly string[] = [
  "internal_docker",
  "internal_source",
  "internal_template",
];

/** Whether the vendor's own tools build deployments of this source. */
export const isHostedSource = (source: unknown): boolean =>
  HOSTED_SOURCES.includes(source as string);

/** The dialect a `source:` word picks; undefined where neither has that source. */
export function dialectOf(source: unknown): Dialect | undefined {
  if (SOURCES.some(([document]) => document === source)) return "document";
  if (SOURCES.some(([, hosted]) => hosted === source) || isHostedSource(source)) return "hosted";
  return undefined;
}

/** The dialect a key belongs to; undefined for keys that are the same in both. */
export function dialectOfKey(key: string): Dialect | undefined {
  if (KEYS.some(([document]) => document === key)) return "document";
  return KEYS.some(([, hosted]) => hosted === key) ? "hosted" : undefined;
}

function swap(table: typeof KEYS, word: string, to: Dialect): string {
  for (const [document, hosted] of table)
    if (word === document || word === hosted) return to === "hosted" ? hosted : document;
  return word;
}

/** A key in the given dialect, whichever it came in. */
export function spellKey(key: string, to: Dialect): string {
  return swap(KEYS, key, to);
}

/** A source kind in the given dialect, whichever it came in. */
export function spellSource(source: string, to: Dialect): string {
  return swap(SOURCES, source, to);
}

/** A dotted field path as the user writes it. */
export function spellPath(path: string, to: Dialect): string {
  return path
    .split(".")
    .map((key) => spellKey(key, to))
    .join(".");
}

/**
 * The same deployment body or reply in the given dialect; only `source` and the keys of
 * source_revision_config differ.
 */
export function spell<T extends object>(body: T, to: Dialect): T {
  const out = { ...body } as Record<string, unknown>;
  if (typeof out["source"] === "string") out["source"] = spellSource(out["source"], to);
  const revision = out["source_revision_config"];
  if (typeof revision === "object" && revision !== null && !Array.isArray(revision)) {
    // A reply may hold a key in both dialects: the one that is set counts.
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
