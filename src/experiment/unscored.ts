import type { GivenHeader } from "./checks.ts";
import { draftMapping, renderDraft } from "./formats/mapping-draft.ts";
import type { RowFacts } from "./row-collector.ts";
import { mainFile, type FileSource } from "./source-file.ts";

/**
 * Why a file without a single score is of no use: what numbers it holds, and a mapping to start from. Null where it has
 * one, or no row.
 */
export function explainUnscored(
  source: FileSource,
  { rows, errors, scored, worded }: RowFacts,
  given: GivenHeader,
): string | null {
  if (rows === 0 || scored > 0 || given.summary_experiment_scores !== undefined) return null;
  const read = `read as ${source.format.name}`;
  if (errors === rows)
    return `no row has a score (${read}): ${rows === 1 ? "the only row" : `all ${rows} rows`} errored`;
  if (source.format.unscored !== undefined && worded === 0)
    return `no row has a score (${read}); ${source.format.unscored}`;
  const draft = draftMapping(source.heads[source.files.indexOf(mainFile(source))]!);
  const rest = renderDraft(draft) || "name the scores by a mapping";
  return worded === 0
    ? `no row has a score (${read}); ${rest}`
    : `no row has a number as its score, only words (${read}); "words: { good: 1, bad: 0 }" in a mapping makes numbers of them; ${rest}`;
}
