import { plural } from "../model/count-words.ts";

/**
 * A Markdown table; `toCells` returns inert text. Rows beyond `maxRows` are counted, not rendered.
 * Empty if there are no items.
 */
export function renderTable<T>(
  head: readonly string[],
  items: readonly T[],
  toCells: (item: T) => readonly string[],
  maxRows: number,
): string {
  if (items.length === 0) return "";
  const shown = items.slice(0, maxRows).map(toCells);
  const rest = items.length - shown.length;
  const count =
    rest === 0 ? [] : [`… and ${plural(rest, `${shown.length === 0 ? "" : "more "}row`)}`];
  if (shown.length === 0) return count.join("");
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(head.map(() => "---")),
    ...shown.map(line),
    ...(rest === 0 ? [] : ["", ...count]),
  ].join("\n");
}

/** A Markdown list; `toItem` returns inert text. Items beyond `maxItems` are counted, not rendered. */
export function renderList<T>(
  items: readonly T[],
  toItem: (item: T) => string,
  maxItems: number,
): string {
  const shown = items.slice(0, maxItems).map(toItem);
  const rest = items.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`… and ${rest}${shown.length === 0 ? "" : " more"}`])]
    .map((item) => `- ${item}`)
    .join("\n");
}

/** A collapsed block; blank lines keep its content Markdown. */
export function renderDetails(summary: string, body: string, open = false): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Joins blocks with blank lines; skips empty ones. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}
