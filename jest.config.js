import { availableParallelism } from "node:os";

/** Jest runs the TypeScript sources as ES modules through swc: ts-jest does not know TypeScript 7, and Node 20 strips no types. */
export default {
  testMatch: ["<rootDir>/__tests__/**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  moduleFileExtensions: ["ts", "js", "mjs", "json", "node"],
  transform: {
    "\\.ts$": [
      "<rootDir>/__tests__/support/transform.mjs",
      { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "es6" } },
    ],
  },
  setupFiles: ["<rootDir>/__tests__/support/property-seed.ts"],
  // Ends what hangs; how long a test takes on a busy machine says nothing.
  testTimeout: 600_000,
  // A server that a failed test left open must fail that test, not keep CI waiting.
  forceExit: true,
  // Most tests wait for processes and timers of their own, so a worker per core leaves cores idle.
  // (As a string it would be a number of workers: jest takes percentages up to 100 alone.)
  maxWorkers: 2 * availableParallelism(),
};
