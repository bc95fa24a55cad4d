#!/usr/bin/env node
// A reader that goes away (`| head`) is no crash.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => { if (error.code === "EPIPE") process.exit(process.exitCode ?? 0); else throw error; });
}
if (process.argv.length === 3 && process.argv[2] === "--version") console.log("0.1.0");
else require("./main.js").open("cli");
