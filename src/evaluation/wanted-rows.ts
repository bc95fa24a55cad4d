import type { RowsWanted } from "../experiment/gate-rows.ts";
import { createNamelessCrashes } from "../experiment/row-id.ts";
import { tagsOf } from "../experiment/scores.ts";
import { createSpillFile, type SpillFile } from "../files/spill-file.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Tracing } from "../service/tracing.ts";
import type { Session } from "../ci/session.ts";

/** Prefix of a stored experiment, as head or baseline. */
export const STORED_PREFIX = "experiment:";

/** The experiment that a word names; null if it names a file. */
export function storedName(word: string): string | null {
  const given = word.trim();
  return given.startsWith(STORED_PREFIX) ? given.slice(STORED_PREFIX.length).trim() : null;
}

/** Does work with the service's tracing API, or null if this run does not need it or has no key. */
export type AskTracing = <T>(work: (tracing: Tracing | null) => Promise<T>) => Promise<T>;

/** Whether anything in this run needs the rows themselves: holding their numbers costs memory. */
export function asksForRows(session: Session, gates: GateSet | null): boolean {
  return (
    gates !== null ||
    session.options.writeBaseline !== undefined ||
    storedName(session.options.baseline ?? "") !== null
  );
}

/** What gates need from the rows while they are read. */
export function wantedRows(gates: GateSet | null): RowsWanted {
  return { tags: tagsOf(gates), crashes: createNamelessCrashes() };
}

/** A file for the texts of rows, outside memory. */
export function spillFileOf({ files }: Session): SpillFile {
  return createSpillFile(files.temp);
}
