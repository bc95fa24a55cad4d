/**
 * Items by line or comma; a comma inside the braces of a glob, as in `{a,b}.yml`, does not separate.
 * An item in double quotes is taken as it is, with `""` for a quote in it.
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

/** A list that `splitList` reads as these items. */
export function joinList(items: readonly string[]): string {
  return items
    .map((item) =>
      /^[^\s",{}\n](?:[^,{}\n]*[^\s,{}\n])?$/u.test(item)
        ? item
        : `"${item.replaceAll('"', '""')}"`,
    )
    .join(",");
}
