/** Nothing that people or services write nests deeper; what does is an attack on whoever walks it. */
export const MAX_JSON_DEPTH = 200;

/**
 * Whether a parsed JSON value nests deeper than so many levels; looks no further than that, so that
 * it never exhausts the stack itself.
 */
export function nestsDeeper(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => nestsDeeper(item, levels - 1));
  for (const key in value)
    if (nestsDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
