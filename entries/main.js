// What the other files here open. A new entry is a line below and a file that names it.
const entries = {
  action: () => import("../build/entry/action.js"),
  cli: () => import("../build/entry/cli.js"),
  post: () => import("../build/entry/post.js"),
};

exports.loadEmulator = () => import("../build/emulator/server.js");

/** Runs an entry, with what it takes. A run with nothing left to wait for fails, as one with a top-level await does. */
exports.open = async (name, ...given) => {
  // Node would print the source line too, and a line of a minified file is very long.
  process.once("uncaughtException", (error) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exit(1);
  });
  const stall = () => {
    console.error("agent-deploy: the run stopped before its end, with nothing left to wait for");
    process.exitCode = 13;
  };
  process.once("beforeExit", stall);
  await (await entries[name]()).run(...given);
  process.removeListener("beforeExit", stall);
};
