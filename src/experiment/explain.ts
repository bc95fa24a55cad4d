import { cutEnd } from "../report/escape.ts";
import { amounts } from "../report/numbers.ts";
import type { Experiment } from "./experiment.ts";
import { isObject } from "../model/json.ts";
import type { Row } from "./input/row.ts";
import { formatUuid } from "./row-id.ts";

/** How many rows of an experiment are explained. */
export const SHOWN_ROWS = 3;
const SHOWN_CHARS = 100;

/**
 * Shows what was read as what in the first three rows of each experiment, for people who wonder
 * why a score is missing.
 */
export function explainExperiments(experiments: readonly Experiment[]): string[] {
  return experiments.flatMap(explainExperiment);
}

function explainExperiment(experiment: Experiment): string[] {
  const label = experiment.label === "" ? "" : ` (${experiment.label})`;
  const means = Object.entries(experiment.scores).map(
    ([key, { mean, n }]) => `${key} ${amounts(key, mean)[0]!} (${n} rows)`,
  );
  return [
    `${experiment.file}${label}: format ${experiment.format}, ${experiment.rowCount} rows, ${experiment.errorCount} errored`,
    `  scores: ${means.length === 0 ? "none" : means.join(", ")}`,
    ...[...experiment.notes, ...experiment.warnings, ...experiment.timeWarnings].map(
      (note) => `  note: ${note}`,
    ),
    ...(experiment.whyUnscored === null ? [] : [`  ${experiment.whyUnscored}`]),
    ...experiment.shown.flatMap(explainRow),
  ];
}

function explainRow({ place, body, k, example, duration_s }: Row): string[] {
  const scores = (body.evaluation_scores ?? []).map(({ key, score, value, comment }) =>
    entry(
      `score ${key}`,
      comment === undefined ? (score ?? value) : `${score ?? value} (${comment})`,
    ),
  );
  return [
    `  row ${place.index + 1}${place.line === 0 ? "" : `, line ${place.line}`}:`,
    entry("row_id", body.row_id),
    entry("example", `${formatUuid(example)}${k === 0 ? "" : `, repeat ${k}`}`),
    ...fields("inputs", body.inputs),
    ...fields("expected_outputs", body.expected_outputs),
    ...fields("actual_outputs", body.actual_outputs),
    ...(scores.length === 0 ? [entry("scores", "none")] : scores),
    ...(body.error === undefined ? [] : [entry("error", body.error)]),
    ...(duration_s === null ? [] : [entry("duration", `${duration_s} s`)]),
    ...fields("run_metadata", body.run_metadata),
  ];
}

function fields(name: string, value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.keys(value).map((key) => entry(`${name}.${key}`, value[key]));
}

function entry(name: string, value: unknown): string {
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).replace(
    /[\s\p{C}]+/gu,
    " ",
  );
  return `    ${name} = ${cutEnd(text, SHOWN_CHARS)}`;
}
