#!/usr/bin/env node
var node = process.versions.node.split(".").map(Number);
if (node[0] < 20 || (node[0] === 20 && (node[1] < 18 || (node[1] === 18 && node[2] < 1)))) {
  console.error("agent-deploy needs Node 20.18.1 or newer; this is " + process.version);
  process.exit(2);
}
// A reader that goes away (`| head`), or a full disk, ends no run that has more to do than to show something.
const isShown = ["completion","emulator","export","help","history","list","logs","lookup","open","render","status","validate","whoami"].includes(process.argv[2]);
let isTold = false;
const lose = (stream, error) => {
  if (stream === process.stderr || isTold) return;
  if (error.code === "EPIPE") { if (isShown) process.exit(process.exitCode || 0); return; }
  isTold = true;
  console.error("agent-deploy: stdout could not be written: " + error.message);
  process.once("exit", () => { process.exitCode = process.exitCode || 1; });
};
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write;
  stream.write = function (...args) {
    try { return write.apply(stream, args); }
    catch (error) {
      lose(stream, error);
      if (typeof args[args.length - 1] === "function") args[args.length - 1](error);
      return true;
    }
  };
  stream.on("error", (error) => lose(stream, error));
}
if (process.argv.length === 3 && process.argv[2] === "--version") console.log("0.1.0");
else require("./main.js").open("cli");
