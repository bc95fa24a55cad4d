export const REPLACED: readonly string[];
export function replacementOf(file: string, bytes: Uint8Array | null): string;
