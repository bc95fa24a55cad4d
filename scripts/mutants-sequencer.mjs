import { createRequire } from "node:module";

// Jest's own package, which is no dependency of ours by name.
const { default: Sequencer } = createRequire(createRequire(import.meta.url).resolve("jest"))(
  "@jest/test-sequencer",
);

/** Runs the files as they are named, so that `--bail` asks the nearest test first. */
export default class InOrder extends Sequencer {
  sort(tests) {
    return tests;
  }
}
