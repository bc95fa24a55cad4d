import { createHash } from "node:crypto";
import { own, ownString } from "../input/lenient-json.ts";

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
  return `${label
    .slice(0, MAX_LABEL_CHARS)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}… ${createHash("sha256").update(label).digest("hex").slice(0, 8)}`;
}

/** The group of a record: its provider and prompt. */
export function groupOf(row: unknown): { key: string; label: string } {
  const [prompt, provider] = [own(row, "prompt"), providerOf(row)];
  const [index, id, raw] = [own(row, "promptIdx"), own(row, "promptId"), ownString(prompt, "raw")];
  // Version 2 has no index, and calls the label `display`.
  const label =
    ownString(prompt, "label") ?? ownString(prompt, "display") ?? raw ?? ownString(row, "promptId");
  // A prompt rendered for one test is unique: only its label can name what several rows share.
  if (index === undefined && id === undefined && label === raw)
    return { key: JSON.stringify([provider]), label: provider };
  return {
    key: JSON.stringify([provider, index ?? id ?? label]),
    label: label ? `${provider} · ${shortLabel(label)}` : provider,
  };
}
