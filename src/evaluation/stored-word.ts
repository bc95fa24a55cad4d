/** What names an experiment that the service has, as a head or as a baseline. */
export const STORED_PREFIX = "experiment:";

/** The experiment that a word names; null where it names a file. */
export function storedName(word: string): string | null {
  const given = word.trim();
  return given.startsWith(STORED_PREFIX) ? given.slice(STORED_PREFIX.length).trim() : null;
}
