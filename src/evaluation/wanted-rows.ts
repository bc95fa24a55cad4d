import { tmpdir } from "node:os";
import type { RowsWanted } from "../experiment/gate-rows.ts";
import { createNamelessCrashes } from "../experiment/row-id.ts";
import { tagsOf } from "../experiment/scores.ts";
import { createSpillFile, type SpillFile } from "../files/spill-file.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Session } from "../ci/session.ts";

/** What names an experiment that the service has, as a head or as a baseline. */
export const STORED_PREFIX = "experiment:";

/** The experiment that a word names; null where it names a file. */
export function storedName(word: string): string | null {
  const given = word.trim();
  return given.startsWith(STORED_PREFIX) ? given.slice(STORED_PREFIX.length).trim() : null;
}

/** Whether anything in this run asks for the rows themselves: holding their numbers costs memory. */
export function asksForRows(session: Session, gates: GateSet | null): boolean {
  return (
    gates !== null ||
    session.options.writeBaseline !== undefined ||
    storedName(session.options.baseline ?? "") !== null
  );
}

/** What gates want of the rows while they are read. */
export function wantedRows(gates: GateSet | null): RowsWanted {
  return { tags: tagsOf(gates), crashes: createNamelessCrashes() };
}

/** A place outside of memory for the texts of rows. */
export function spillFileOf({ files }: Session): SpillFile {
  return createSpillFile(files.alsoAllowed[0] ?? tmpdir());
}
