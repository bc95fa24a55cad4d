/** One of our states, and what other tools tell of the same event. */
export interface Comparison {
  readonly scene: string;
  /** What the state is, in words. */
  readonly words: string;
  readonly verdict: string;
  readonly peers: Readonly<
    Record<string, { readonly markdown: string; readonly verdict: string | null }>
  >;
}
/** Another tool on one of our states. */
export interface RankedPeer {
  readonly title: string;
  readonly source: string;
  readonly markdown: string;
  readonly words: number | null;
}
export const COMPARISONS: readonly Comparison[];
export function firstLineOf(scene: string): string;
export function wordsToVerdict(text: string, verdict: string): number;
export function wordsToVerdict(text: string, verdict: string | null): number | null;
export function rankPeers(comparison: Comparison): readonly RankedPeer[];
export function peerPictures(): readonly { readonly name: string; readonly markdown: string }[];
export function renderPeers(): string;
