import { createRequire } from "node:module";

// Jest's own package, which is no dependency of ours by name.
const { default: Sequencer } = createRequire(createRequire(import.meta.url).resolve("jest"))(
  "@jest/test-sequencer",
);

/** Runs the files by name: mutant after mutant, the nearest test of each first. */
export default class InOrder extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}
