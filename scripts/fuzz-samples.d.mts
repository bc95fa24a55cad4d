export const ENV: Readonly<Record<string, string>>;
export const SAMPLES: {
  readonly specs: readonly string[];
  readonly gates: readonly string[];
  readonly baseline: string;
  readonly report: string;
  readonly evalLog: () => Buffer;
};
