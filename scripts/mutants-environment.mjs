import * as fs from "node:fs";
import { join } from "node:path";
import TestEnvironment from "../__tests__/support/environment.mjs";

/** A place that runs more often in one test file is in a loop that does not end. */
const MAX_HITS = 30_000_000;

/** What `npm run mutants` writes and reads while tests run. */
const folder = String(process.env.MUTANTS);

/**
 * The tests' own environment. In a file that is made for a mutant (mutants/ID/…), it switches that mutant on; in any
 * other it writes down the places that the file runs.
 */
export default class MutantEnvironment extends TestEnvironment {
  #path;
  #mutant;
  #ran = new Set();

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
    this.#mutant = /\/mutants\/(\d+)\//.exec(this.#path)?.[1];
  }

  /** @override */
  async setup() {
    await super.setup();
    const own = this.#mutant;
    if (own === undefined) {
      this.global.isMutant = (id) => {
        this.#ran.add(id);
        return false;
      };
      return;
    }
    let hits = 0;
    this.global.isMutant = (id) => {
      if (id !== Number(own)) return false;
      hits += 1;
      if (hits > MAX_HITS) throw new Error("a loop that does not end");
      return true;
    };
    this.global.isMutantNoticed = fs.existsSync(join(folder, `noticed-${own}`));
    fs.writeFileSync(join(folder, `begun-${this.#path.replaceAll("/", "%")}`), own);
  }

  /** @override */
  async teardown() {
    if (this.#mutant === undefined) {
      const line = JSON.stringify([this.#path, [...this.#ran]]);
      fs.appendFileSync(join(folder, "reached.jsonl"), `${line}\n`);
    }
    await super.teardown();
  }
}
