/** A kept file of the corpus. */
export interface Kept {
  readonly folder: string;
  readonly file: string;
  readonly bytes: Buffer;
}
export function readCorpus(): readonly Kept[];
export function toSeeds(
  names: readonly string[],
  kept?: readonly Kept[],
): Readonly<Record<string, readonly Buffer[]>>;
