import { readFileSync } from "node:fs";

const PATH = new URL("../../contributing/interface.md", import.meta.url);

/** The text of contributing/interface.md. */
export const readInterface = (): string => readFileSync(PATH, "utf8");

export interface TableRow {
  readonly cells: readonly string[];
  readonly line: number;
}
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** Every table, named by the heading above it, or by the last line that ends with a colon. */
export function parseTables(text: string): Table[] {
  const lines = text.split("\n");
  const tables: Table[] = [];
  let heading = "";
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.startsWith("#")) heading = line.replace(/^#+\s*/, "");
    else if (/^[A-Z][A-Za-z ]*:$/.test(line)) heading = line.slice(0, -1);
    if (!line.startsWith("|")) continue;
    const columns = cellsOf(line);
    const rows: TableRow[] = [];
    for (i += 2; lines[i]?.startsWith("|"); i++)
      rows.push({ cells: cellsOf(lines[i]!), line: i + 1 });
    tables.push({ name: heading.replace(/ \(.*$/, ""), columns, rows });
  }
  return tables;
}

/** Field names in a first cell: `a, b` and `orchestrator_cpu, … (integers), …` are several. */
export function namesIn(cell: string): string[] {
  return cell
    .replace(/\([^)]*\)/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
