import { AsyncLocalStorage } from "node:async_hooks";
import { TestEnvironment as NodeEnvironment } from "jest-environment-node";
import { endBusy, runKept } from "./kept-pool.mjs";

/** What a test file must not leave open: servers that listen, and programs that run. */
const HELD = ["TCPServerWrap", "PipeServerWrap", "ProcessWrap"];

/** How long a busy machine may take to close what the file has ended. */
const MAX_WAIT_MS = 10_000;

/**
 * Storages that a file has used, jest-circus's own among them, which it makes anew for each file. Before Node 24, each
 * that nobody disables slows every promise of all later files of the worker.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (store, callback, ...args) {
  storages.add(this);
  return run.call(this, store, callback, ...args);
};

function disableStorages() {
  for (const storage of storages) storage.disable();
  storages.clear();
}

/** Resources that are unref'd, as the processes kept for the next file are, are not among the active ones. */
const held = () =>
  HELD.map((kind) => process.getActiveResourcesInfo().filter((one) => one === kind).length);

/** Node's environment, in which a test file fails that leaves something open or has Node warn of a leak. */
export default class TestEnvironment extends NodeEnvironment {
  #before = [];
  #folder = process.cwd();
  #warnings = [];
  #note = (warning) => {
    if (warning.name === "MaxListenersExceededWarning") this.#warnings.push(warning.message);
  };

  /** @override */
  async setup() {
    await super.setup();
    this.global.runInKeptProcess = runKept;
    this.#before = held();
    process.on("warning", this.#note);
  }

  /** @override */
  async teardown() {
    process.off("warning", this.#note);
    endBusy();
    // A played run that never ended leaves its own, which is removed.
    process.chdir(this.#folder);
    const leftOpen = () =>
      held().flatMap((count, at) =>
        count > this.#before[at] ? [`${count - this.#before[at]} ${HELD[at]}`] : [],
      );
    // What was closed or killed leaves in a later turn of the loop.
    let left = leftOpen();
    for (let waitedMs = 0; left.length > 0 && waitedMs < MAX_WAIT_MS; waitedMs += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      left = leftOpen();
    }
    disableStorages();
    await super.teardown();
    if (left.length > 0) throw new Error(`the file leaves open: ${left.join(", ")}`);
    if (this.#warnings.length > 0) throw new Error(this.#warnings.join("\n"));
  }
}
