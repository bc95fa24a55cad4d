/** One thing that reads something from outside. */
export interface Surface {
  readonly name: string;
  readonly arbitrary: import("fast-check").Arbitrary<unknown>;
  /** What a kept file stands for. */
  readonly inputs: (bytes: Buffer) => readonly unknown[];
  /** Throws where the code under test crashes or breaks a promise; an error called `Leak` or `Outside` says which. */
  readonly check: (input: unknown) => Promise<void>;
}
export function createSurfaces(
  load: (path: string) => Promise<unknown>,
  kept?: Readonly<Record<string, readonly Buffer[]>>,
): Promise<readonly Surface[]>;
/** The folder of the corpus that holds a surface's files. */
export function folderOf(name: string): string;
