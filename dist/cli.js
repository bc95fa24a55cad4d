#!/usr/bin/env node
var node = process.versions.node.split(".").map(Number);
if (node[0] < 20 || (node[0] === 20 && (node[1] < 18 || (node[1] === 18 && node[2] < 1)))) {
  console.error("agent-deploy needs Node 20.18.1 or newer; this is " + process.version);
  process.exit(2);
}
// A reader that goes away (`| head`) is no crash.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => { if (error.code === "EPIPE") process.exit(process.exitCode || 0); else throw error; });
}
if (process.argv.length === 3 && process.argv[2] === "--version") console.log("0.1.0");
else require("./main.js").open("cli");
