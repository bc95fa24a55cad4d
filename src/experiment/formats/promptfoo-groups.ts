import { createHash } from "node:crypto";
import { own, ownAt, ownString } from "../input/lenient-json.ts";

/** The error of a failed run without a reason. */
export const NO_REASON = "the run failed and the file does not say why";

/** The label of a record's provider, else its id. */
export function providerOf(row: unknown): string {
  const provider = own(row, "provider");
  return (
    ownString(provider, "label") ||
    ownString(provider, "id") ||
    (typeof provider === "string" ? provider : "provider")
  );
}

const MAX_LABEL_CHARS = 100;

/** Cuts a label to 100 characters: a prompt may be pages long, and an added hash keeps cut ones distinct. */
export function shortLabel(label: string): string {
  if (label.length <= MAX_LABEL_CHARS) return label;
  return `${label
    .slice(0, MAX_LABEL_CHARS)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}… ${createHash("sha256").update(label).digest("hex").slice(0, 8)}`;
}

/** The group of a record: its provider and prompt. */
export function groupOf(row: unknown, table: PromptTable | null): { key: string; label: string } {
  const prompt = own(row, "prompt");
  const listed = table?.(row);
  if (listed !== undefined) return listed;
  const label =
    ownString(prompt, "label") ?? ownString(prompt, "raw") ?? ownString(row, "promptId") ?? "";
  const provider = providerOf(row);
  if (isRendered(row, label)) return { key: JSON.stringify([provider]), label: provider };
  return {
    key: JSON.stringify([provider, own(row, "promptIdx") ?? own(row, "promptId") ?? label]),
    label: label === "" ? provider : `${provider} · ${shortLabel(label)}`,
  };
}

/** Finds the prompt of a row in the table, if the row does not name it. */
export type PromptTable = (row: unknown) => { key: string; label: string } | undefined;

/** Version 2 has no prompt index in its rows: the table lists the column of every rendered prompt. */
export function readTable(document: unknown): PromptTable | null {
  const table = ownAt(document, "results", "table") ?? own(document, "table");
  const [prompts, body] = [ownAt(table, "head", "prompts"), own(table, "body")];
  if (!Array.isArray(prompts) || !Array.isArray(body)) return null;
  const columns = new Map<string, number>();
  for (const line of body) {
    const outputs = own(line, "outputs");
    for (const [column, output] of (Array.isArray(outputs) ? outputs : []).entries()) {
      const provider = own(output, "provider") ?? own(prompts[column], "provider");
      columns.set(JSON.stringify([own(output, "prompt"), provider]), column);
    }
  }
  return (row) => {
    if ((own(row, "promptIdx") ?? own(row, "promptId") ?? null) !== null) return undefined;
    const rendered = ownAt(row, "prompt", "raw");
    const names = [ownAt(row, "provider", "label"), ownAt(row, "provider", "id")];
    const column = names
      .map((name) => columns.get(JSON.stringify([rendered, name])))
      .find((found) => found !== undefined);
    const provider = providerOf(row);
    if (column === undefined) return { key: JSON.stringify([provider]), label: provider };
    const label =
      ownString(prompts[column], "label") ?? ownString(prompts[column], "raw") ?? `${column + 1}`;
    return { key: JSON.stringify([provider, column]), label: `${provider} · ${shortLabel(label)}` };
  };
}

/** A prompt rendered for one test is unique: only its label can name what several rows share. */
function isRendered(row: unknown, label: string): boolean {
  return (
    own(row, "promptIdx") === undefined &&
    own(row, "promptId") === undefined &&
    label === ownAt(row, "prompt", "raw")
  );
}
