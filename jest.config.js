import { availableParallelism } from "node:os";

/** Jest runs the TypeScript sources as ES modules through swc: ts-jest does not know TypeScript 7, and Node 20 strips no types. */
export default {
  // Laws, matrices, fuzz, power and producers take minutes: `npm run test:laws` runs those.
  testMatch: ["<rootDir>/__tests__/**/*.test.ts", "!**/__tests__/laws/**"],
  extensionsToTreatAsEsm: [".ts"],
  moduleFileExtensions: ["ts", "js", "mjs", "json", "node"],
  transform: {
    "\\.ts$": [
      "<rootDir>/__tests__/support/transform.mjs",
      {
        // Not within the code, which they make four times as long to read.
        sourceMaps: true,
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "es6" },
      },
    ],
  },
  testEnvironment: "<rootDir>/__tests__/support/environment.mjs",
  testTimeout: 60_000,
  // Most tests wait for processes and timers of their own: with three workers per core none is idle.
  maxWorkers: 3 * availableParallelism(),
};
