import { expect } from "@jest/globals";
import type { Experiment } from "../../src/experiment/experiment.ts";
import { readTexts, rowsOf } from "./read-text.ts";

/** Lines of JSON. */
export const jsonLines = (...rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** The only experiment of some files, or of one JSON file; fails on problems. */
export async function readOnly(files: string | Record<string, string>): Promise<Experiment> {
  const given = typeof files === "string" ? { "results.json": files } : files;
  const { experiments, problems } = await readTexts(given);
  expect(problems).toEqual([]);
  expect(experiments).toHaveLength(1);
  return experiments[0]!;
}

/** The rows as they are sent, without their ids and times, with how long they took. */
export const bodiesOf = (experiment: Experiment): object[] =>
  rowsOf(experiment).map(({ body, duration_s }) => {
    const { row_id: _, start_time: __, end_time: ___, ...rest } = body;
    return { ...rest, ...(duration_s === null ? {} : { duration_s }) };
  });
