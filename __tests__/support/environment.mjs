import { TestEnvironment as NodeEnvironment } from "jest-environment-node";

/** What a test file must not leave open: servers that listen, and programs that run. */
const HELD = ["TCPServerWrap", "PipeServerWrap", "ProcessWrap"];

const held = () =>
  HELD.map((kind) => process.getActiveResourcesInfo().filter((one) => one === kind).length);

/** Node's environment, in which a test file fails that leaves something open or has Node warn of a leak. */
export default class TestEnvironment extends NodeEnvironment {
  #before = [];
  #warnings = [];
  #note = (warning) => {
    if (warning.name === "MaxListenersExceededWarning") this.#warnings.push(warning.message);
  };

  async setup() {
    await super.setup();
    this.#before = held();
    process.on("warning", this.#note);
  }

  async teardown() {
    process.off("warning", this.#note);
    // A server that was closed leaves in the next turn of the loop.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const left = held().flatMap((count, at) =>
      count > this.#before[at] ? [`${count - this.#before[at]} ${HELD[at]}`] : [],
    );
    await super.teardown();
    if (left.length > 0) throw new Error(`the file leaves open: ${left.join(", ")}`);
    if (this.#warnings.length > 0) throw new Error(this.#warnings.join("\n"));
  }
}
