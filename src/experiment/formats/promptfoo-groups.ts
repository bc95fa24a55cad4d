import { hash } from "node:crypto";
import { own, ownAt, ownString } from "../../model/json.ts";
import { beginningOf } from "../../report/escape.ts";
import type { RowGroup } from "../input/row.ts";
import { listAt } from "./pick.ts";

/** The error of a failed run without a reason. */
export const NO_REASON = "the run failed and the file does not say why";

/** promptfoo's own codes: 0 none, 1 an assert failed, 2 the run crashed. */
export const RUN_FAILED = 2;

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
function shortLabel(label: string): string {
  if (label.length <= MAX_LABEL_CHARS) return label;
  return `${beginningOf(label, MAX_LABEL_CHARS).trimEnd()}… ${hash("sha256", label).slice(0, 8)}`;
}

/** The group of a record: its provider and prompt. */
export function groupOf(row: unknown, table: ReturnType<typeof readTable>): RowGroup {
  const [index, id] = [own(row, "promptIdx") ?? null, own(row, "promptId") ?? null];
  const column = index === null && id === null ? table?.(row) : undefined;
  if (column !== undefined) return column;
  const [provider, prompt] = [providerOf(row), own(row, "prompt")];
  const label = labelOf(prompt) ?? ownString(row, "promptId");
  // A prompt rendered for one test is unique: only its label can name what several rows share.
  if (index === null && id === null && label === ownString(prompt, "raw"))
    return { key: JSON.stringify([provider]), label: provider };
  return groupWith(provider, index ?? id ?? label, label);
}

function groupWith(provider: string, prompt: unknown, label: string | undefined): RowGroup {
  const key = JSON.stringify([provider, prompt]);
  return { key, label: label ? `${provider} · ${shortLabel(label)}` : provider };
}

/** Version 2 calls the label of a prompt `display`. */
function labelOf(prompt: unknown): string | undefined {
  return ownString(prompt, "label") ?? ownString(prompt, "display") ?? ownString(prompt, "raw");
}

/**
 * Finds the group of a row in the table of version 2, whose rows have no prompt index: each column
 * is one prompt, and lists what was rendered. Null if there is no table.
 */
export function readTable(document: unknown): ((row: unknown) => RowGroup | undefined) | null {
  const table = ownAt(document, "results", "table") ?? own(document, "table");
  const [prompts, body] = [ownAt(table, "head", "prompts"), own(table, "body")];
  if (!Array.isArray(prompts) || !Array.isArray(body)) return null;
  const columns = new Map<string, number>();
  for (const line of body) {
    for (const [column, output] of listAt(line, "outputs").entries()) {
      const provider = own(output, "provider") ?? own(prompts[column], "provider");
      columns.set(JSON.stringify([own(output, "prompt"), provider]), column);
    }
  }
  return (row) => {
    const rendered = ownAt(row, "prompt", "raw");
    const names = [ownAt(row, "provider", "label"), ownAt(row, "provider", "id")];
    const column = names
      .map((name) => columns.get(JSON.stringify([rendered, name])))
      .find((found) => found !== undefined);
    return column === undefined
      ? undefined
      : groupWith(providerOf(row), column, labelOf(prompts[column]) ?? `${column + 1}`);
  };
}
