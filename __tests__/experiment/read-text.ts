import { readFiles, type Experiment } from "../../src/experiment/experiment.ts";
import { parseMapping } from "../../src/experiment/formats/mapping-file.ts";
import { memoryFile } from "./memory-file.ts";
import { createNamelessCrashes, formatUuid } from "../../src/experiment/row-id.ts";
import type { Row } from "../../src/experiment/input/row.ts";
import type { EntryPoint } from "../../src/model/entry-point.ts";
import type { Diagnostic } from "../../src/spec/desired.ts";

/** 2026-01-01T00:00:00Z. */
export const MTIME = 1_767_225_600_000;

/** Experiments and problems of files in memory. */
export async function readTexts(
  files: Readonly<Record<string, string | Uint8Array>>,
  how: {
    format?: string;
    mapping?: string;
    split?: "auto" | "none";
    entryPoint?: EntryPoint;
  } = {},
): Promise<{ experiments: Experiment[]; problems: readonly Diagnostic[] }> {
  const mapping = how.mapping === undefined ? undefined : parseMapping(how.mapping, "mapping.yml");
  return readFiles(
    Object.entries(files).map(([name, content]) => memoryFile(name, content, MTIME)),
    {
      format: how.format ?? "auto",
      mapping,
      split: how.split ?? "auto",
      ...(how.entryPoint === undefined ? {} : { entryPoint: how.entryPoint }),
      wanted: { tags: null, crashes: createNamelessCrashes() },
      shown: Infinity,
    },
  );
}

/** All rows of an experiment, as they are in its spool, with their examples' ids as text. */
export function rowsOf({
  shown,
  spool,
}: Experiment): (Omit<Row, "example"> & { readonly example: string })[] {
  const bodies = [...spool!.bodies()].flat();
  return shown.map((row, n) => ({
    ...row,
    example: formatUuid(row.example),
    body: bodies[n]!,
  }));
}

/** The only experiment of a text, with its rows' bodies; fails on problems. */
export async function readOne(
  text: string | Uint8Array,
  how: Parameters<typeof readTexts>[1] & { name?: string } = {},
): Promise<{ experiment: Experiment; rows: Row["body"][] }> {
  const { experiments, problems } = await readTexts({ [how.name ?? "results"]: text }, how);
  if (problems.length > 0)
    throw new Error(
      problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"),
    );
  if (experiments.length !== 1) throw new Error(`${experiments.length} experiments`);
  return {
    experiment: experiments[0]!,
    rows: rowsOf(experiments[0]!).map(({ body }) => body),
  };
}

/** The messages of a text's problems. */
export async function problemsOf(
  text: string | Uint8Array,
  how: Parameters<typeof readTexts>[1] & { name?: string } = {},
): Promise<string[]> {
  return (await readTexts({ [how.name ?? "results"]: text }, how)).problems.map(
    ({ message }) => message,
  );
}
