import tests from "./jest.config.js";

/** What `npm run test:laws` runs: one law may play thousands of worlds. */
export default {
  ...tests,
  testMatch: ["<rootDir>/__tests__/laws/**/*.test.ts"],
  testTimeout: 600_000,
};
