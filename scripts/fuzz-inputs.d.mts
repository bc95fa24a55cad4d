export function zipOf(
  entries: Readonly<Record<string, string | Uint8Array>>,
  how?: { readonly claimedSize?: number },
): Buffer;
/** Stands for every secret in what is fuzzed. */
export const SECRET: string;
