/** One thing that reads something from outside. */
export interface Surface {
  readonly name: string;
  readonly arbitrary: import("fast-check").Arbitrary<unknown>;
  /** Throws where the code under test crashes or breaks a promise. */
  readonly check: (input: unknown) => Promise<void>;
}
export function createSurfaces(load: (path: string) => Promise<unknown>, kept?: Readonly<Record<string, readonly string[]>>): Promise<readonly Surface[]>;
export function zipOf(entries: Readonly<Record<string, string | Uint8Array>>, how?: { readonly claimedSize?: number }): Buffer;
export const ENV: Readonly<Record<string, string>>;
export const SAMPLES: { readonly specs: readonly string[]; readonly gates: readonly string[]; readonly baseline: string; readonly report: string; readonly evalLog: () => Buffer };
