import type { Session } from "../ci/session.ts";

/** What a `baseline` that the service keeps begins with. */
export const STORED_PREFIX = "experiment:";

/** The experiment that a `baseline` names, after `experiment:`; null where it names files. */
export function storedBaselineOf(session: Session): string | null {
  const given = (session.options.baseline ?? "").trim();
  return given.startsWith(STORED_PREFIX) ? given.slice(STORED_PREFIX.length).trim() : null;
}
