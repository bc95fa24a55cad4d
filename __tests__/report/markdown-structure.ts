/** The blocks of a Markdown body as GitHub reads it, for bodies made by our renderer; what is inert inside them is not part of it. */
export interface Structure {
  /** One word per block: `heading`, `table 4x3`, `fence`, `list 2`, `details`, `/details`, `paragraph`. */
  readonly blocks: readonly string[];
  /** What should not be there: live mentions, tags, links to elsewhere, comments, invisible characters. */
  readonly faults: readonly string[];
}

const OURS = /<\/?(?:sub|b|summary|code)>|<wbr>|<details(?: open)?>|<\/details>/g;
const INVISIBLE =
  /\u034f|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200c-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]|\p{Cs}/u;

/** Reads a body; `headerLines` first lines are the header and are left out. */
export function readStructure(body: string, headerLines = 0): Structure {
  const blocks: string[] = [];
  const faults: string[] = [];
  const lines = body.split("\n").slice(headerLines);
  let fence: string | null = null;
  let table: { columns: number; rows: number } | null = null;
  let items = 0;
  let quoted = false;
  const end = (): void => {
    if (table !== null) blocks.push(`table ${table.columns}x${table.rows}`);
    if (items > 0) blocks.push(`list ${items}`);
    table = null;
    items = 0;
  };
  for (const line of lines) {
    if (INVISIBLE.test(line)) faults.push(`invisible: ${JSON.stringify(line)}`);
    if (fence !== null) {
      if (/<!--|<\/?(?:details|summary)/i.test(line)) faults.push(`tag in a fence: ${line}`);
      if (new RegExp(`^ {0,3}${fence}\`*\\s*$`).test(line)) {
        blocks.push("fence");
        fence = null;
      }
      continue;
    }
    const opens = /^ {0,3}(`{3,})[^`]*$/.exec(line);
    if (opens !== null) {
      end();
      fence = opens[1]!;
      continue;
    }
    if (line.startsWith("> ")) {
      if (!quoted) {
        end();
        blocks.push("quote");
      }
      quoted = true;
      if (line !== "> [!WARNING]" || blocks.at(-1) !== "quote") faults.push(...quoteFaults(line));
      continue;
    }
    quoted = false;
    faults.push(...inlineFaults(line));
    if (line.startsWith("|")) {
      const cells = withoutCode(line).split("|").length - 2;
      if (table === null) {
        end();
        table = { columns: cells, rows: 0 };
      }
      if (cells !== table.columns)
        faults.push(`a row of ${cells} cells in a table of ${table.columns}: ${line}`);
      table.rows += 1;
      continue;
    }
    if (line.startsWith("- ")) {
      if (table !== null) end();
      items += 1;
      if (/^- (?:[-+*] |#|>|\d+[.)] |=+$|---)/.test(line))
        faults.push(`a block in a list item: ${line}`);
      continue;
    }
    end();
    if (line === "") continue;
    if (/^<details/.test(line)) blocks.push("details");
    else if (line === "</details>") blocks.push("/details");
    else if (/^ {0,3}#{1,6} /.test(line)) blocks.push("heading");
    else if (/^ {0,3}(?:>|[-+*] |\d+[.)] |[-*_]{3,}$|=+$|~~~)|^ {4}|^\t/.test(line))
      faults.push(`a block out of a paragraph: ${line}`);
    else blocks.push("paragraph");
  }
  end();
  if (fence !== null) faults.push("an unclosed fence");
  const [opened, closed] = ["details", "/details"].map(
    (name) => blocks.filter((block) => block === name).length,
  );
  if (opened !== closed) faults.push(`${opened} details opened, ${closed} closed`);
  return { blocks, faults };
}

/** A line of a quote holds a sentence or an item of a list, and no block of its own. */
function quoteFaults(line: string): string[] {
  const inner = line.slice(2).replace(/^- /, "");
  const isBlock = /^ {0,3}(?:[>#|]|[-+*] |\d+[.)] |[-_]{3,}$|=+$|~~~|```)|^ {4}|^\t/.test(inner);
  return [...inlineFaults(inner), ...(isBlock ? [`a block in a quote: ${line}`] : [])];
}

/** The line without its code: spans of backticks first come, first closed; then `<code>`. */
function withoutCode(line: string): string {
  return line
    .replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "C")
    .replace(/<code>(?:[^<]|<wbr>)*<\/code>/g, "C");
}

function inlineFaults(line: string): string[] {
  const bare = withoutCode(line);
  const faults: string[] = [];
  const rest = bare.replace(OURS, "");
  if (/[<>]/.test(rest)) faults.push(`a tag: ${line}`);
  if (/`/.test(rest)) faults.push(`a loose backtick: ${line}`);
  if (/(?:^|\W)@(?!sha256:)\w/.test(rest)) faults.push(`a mention: ${line}`);
  if (/&#64;(?!&#8203;)/.test(rest)) faults.push(`a mention behind an entity: ${line}`);
  if (
    /(?:#|GH-)\d/i.test(
      rest
        .replace(/&#8203;/g, "Z")
        .replace(/&#35;/g, "#")
        .replace(/&#\d+;/g, " ")
        .replace(/\]\([^)\s]*\)/g, ""),
    )
  )
    faults.push(`a reference: ${line}`);
  if (/(?<!\]\()https?:\/\//.test(rest) || /www\./i.test(rest.replace(/\]\([^)\s]*\)/g, "")))
    faults.push(`a bare address: ${line}`);
  for (const [, target] of rest.matchAll(/\]\(([^)]*)\)/g))
    if (!/^https?:\/\/[^\s<>|`]+$/.test(target!)) faults.push(`a link to ${target}`);
  if (/[[\]]/.test(rest.replace("[95 % CI]", "").replace(/\[[^[\]]*\]\([^)\s]*\)/g, "")))
    faults.push(`a loose bracket: ${line}`);
  if (/!\[/.test(rest)) faults.push(`an image: ${line}`);
  return faults;
}
