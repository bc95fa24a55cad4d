import { expect } from "@jest/globals";
import type { Experiment } from "../../src/experiment/experiment.ts";
import { readTexts } from "./read-text.ts";
import { bodiesOf } from "./sent-rows.ts";

/** Lines of a mapping: `q` is the input, `s` the score. */
export const [Q, S] = ["inputs.q: q", "evaluation_scores.s: s"] as const;

/** A table, given as text, or a JSON document. */
export type GivenFile = string | object;

export const fileOf = (file: GivenFile): readonly [name: string, text: string] =>
  typeof file === "string" ? ["a.csv", file] : ["a.json", JSON.stringify(file)];

/** What the lines of a mapping read from a file; fails on problems. */
export async function readMapped(
  file: GivenFile,
  ...mapping: readonly string[]
): Promise<Experiment> {
  const [name, text] = fileOf(file);
  const { experiments, problems } = await readTexts(
    { [name]: text },
    { mapping: mapping.map((line) => `${line}\n`).join("") },
  );
  expect(problems).toEqual([]);
  return experiments[0]!;
}

/** One member of each row that is sent. */
export const memberOf = (experiment: Experiment, member: string): unknown[] =>
  bodiesOf(experiment).map((row) => (row as Record<string, unknown>)[member]);
