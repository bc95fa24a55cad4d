/** One of our states, and what other tools tell of the same event. */
export interface Comparison {
  readonly scene: string;
  readonly verdict: string;
  readonly peers: Readonly<
    Record<string, { readonly lines: readonly string[]; readonly verdict: string | null }>
  >;
}
export const COMPARISONS: readonly Comparison[];
export function firstLineOf(scene: string): string;
export function wordsToVerdict(text: string, verdict: string): number;
export function wordsToVerdict(text: string, verdict: string | null): number | null;
export function renderPeers(): string;
