import { appendFileSync } from "node:fs";
import TestEnvironment from "../__tests__/support/environment.mjs";

/** The tests' own environment, which writes down the places that a test file runs: src/ notes them as it runs. */
export default class NotingEnvironment extends TestEnvironment {
  #path;
  #places = new Set();

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
  }

  /** @override */
  async setup() {
    await super.setup();
    this.global.placesRun = this.#places;
  }

  /** @override */
  async teardown() {
    const line = JSON.stringify([this.#path, [...this.#places]]);
    appendFileSync(String(process.env.REACHED), `${line}\n`);
    await super.teardown();
  }
}
