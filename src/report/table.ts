import { plural } from "../model/count-words.ts";

/**
 * A Markdown table of inert cells. Rows beyond `maxRows` are counted, not rendered. Empty if there
 * are no rows.
 */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  maxRows = Infinity,
): string {
  const shown = rows.slice(0, maxRows);
  const rest = rows.length - shown.length;
  if (shown.length === 0) return rest === 0 ? "" : `… and ${plural(rest, "row")}`;
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return joinBlocks([
    [line(head), line(head.map(() => "---")), ...shown.map(line)].join("\n"),
    rest === 0 ? "" : `… and ${plural(rest, "more row")}`,
  ]);
}

/** A Markdown list of inert texts. Items beyond `maxItems` are counted, not rendered. */
export function renderList(items: readonly string[], maxItems = Infinity): string {
  const shown = items.slice(0, maxItems);
  const rest = items.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`… and ${rest}${shown.length === 0 ? "" : " more"}`])]
    .map((item) => `- ${item}`)
    .join("\n");
}

/** A collapsed block; blank lines keep its content Markdown. */
export function renderDetails(summary: string, body: string, open = false): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** More would fill a screen; the table of gates has their numbers. */
const MAX_PICTURES = 6;

/** The pictures of scores in a collapsed block; empty if there are none. */
export function renderPictures(
  summary: string,
  pictures: readonly string[],
  open: boolean,
): string {
  if (pictures.length === 0) return "";
  const more = pictures.length - MAX_PICTURES;
  return renderDetails(
    summary,
    joinBlocks([
      ...pictures.slice(0, MAX_PICTURES),
      more > 0 ? `… and ${plural(more, "more score")}` : "",
    ]),
    open,
  );
}

/** Joins blocks with blank lines; skips empty ones. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}
