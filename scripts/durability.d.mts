/** What a trial found: losses and files left behind are empty where all is well. */
export interface Trial {
  readonly writes: number;
  readonly deployments: number;
  readonly losses: readonly string[];
  readonly left: readonly string[];
  readonly kills: number;
  readonly bytes: number;
  readonly peakBytes: number;
  readonly peakMb: number;
  readonly lastStartMs: number;
  readonly medianStartMs: number;
}
export function runTrial(options: {
  readonly writes: number;
  readonly kills: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}): Promise<Trial>;
