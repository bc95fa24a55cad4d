/**
 * Splits items at line breaks and commas, except commas within the braces of a glob, as in
 * `{a,b}.yml`. An item in double quotes is taken literally, with `""` for a quote.
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  const ITEM = /\s*(?:"((?:[^"]|"")*)"\s*(?=[,\n]|$)|((?:\{[^}\n]*\}|[^,\n])*))(?:[,\n]|$)/gy;
  for (const { 0: whole, 1: quoted, 2: bare = "" } of text.matchAll(ITEM)) {
    const item = quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"');
    if (item !== "") items.push(item);
    if (whole === "") break;
  }
  return items;
}

/** Joins items to a text that `splitList` splits again. */
export function joinList(items: readonly string[]): string {
  return items
    .map((item) =>
      /^[^\s",{}\n](?:[^,{}\n]*[^\s,{}\n])?$/u.test(item)
        ? item
        : `"${item.replaceAll('"', '""')}"`,
    )
    .join(",");
}
