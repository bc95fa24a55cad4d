// A process that runs scripts of dist/ one after another, each with its own arguments, environment, folder and end:
// see kept-pool.mjs. A run ends where its process would, when nothing is left to wait for; `process.exit`, a signal and
// an error that nobody catches end this process, as they end any other.
const { subscribe } = require("node:diagnostics_channel");
const { join, sep } = require("node:path");

const dist = join(__dirname, "../../dist") + sep;
const folder = process.cwd();
const emitters = [process, process.stdout, process.stderr, process.stdin];

/** Those of Node. Of what a run adds, undici's dispatcher cannot be deleted, and each run is to make its own. */
const globals = new Set(Reflect.ownKeys(globalThis));

/** Connections of the run, which end with it. */
const sockets = new Set();
subscribe("net.client.socket", ({ socket }) => sockets.add(socket));

const listeners = () =>
  emitters.flatMap((emitter) =>
    emitter
      .eventNames()
      .flatMap((name) =>
        emitter.rawListeners(name).map((listener) => ({ emitter, name, listener })),
      ),
  );

/**
 * Takes back what a run may change of the process: listeners, how its streams write, its folder, and globals such as
 * undici's dispatcher and zod's registry.
 */
function forget(known) {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const { emitter, name, listener } of listeners())
    if (!known.has(listener)) emitter.removeListener(name, listener);
  for (const stream of [process.stdout, process.stderr]) delete stream.write;
  for (const key of Reflect.ownKeys(globalThis))
    if (!globals.has(key) && !Reflect.deleteProperty(globalThis, key)) globalThis[key] = undefined;
  for (const name of Object.keys(require.cache))
    if (name.startsWith(dist)) delete require.cache[name];
  module.children = [];
  // Windows does not remove the folder of a process.
  process.chdir(folder);
}

function run({ argv, cwd, env, mark }) {
  const known = new Set(listeners().map(({ listener }) => listener));
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, ...argv];
  process.exitCode = undefined;
  process.chdir(cwd);
  process.channel.unref();
  require(argv[0]);
  // After the listeners of the run, which may still fail it.
  process.once("beforeExit", () => {
    const code = Number(process.exitCode ?? 0);
    for (const { emitter, name, listener } of listeners())
      if (emitter === process && name === "exit" && !known.has(listener))
        listener.call(process, code);
    const ended = Number(process.exitCode ?? code);
    forget(known);
    process.channel.ref();
    process.stderr.write(mark);
    process.stdout.write(mark);
    process.send({ code: ended });
  });
}

process.on("message", run);
