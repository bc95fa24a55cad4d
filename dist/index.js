var node = process.versions.node.split(".").map(Number);
if (node[0] < 20 || (node[0] === 20 && (node[1] < 18 || (node[1] === 18 && node[2] < 1)))) {
  console.error("agent-deploy needs Node 20.18.1 or newer; this is " + process.version);
  process.exit(2);
}
require("./main.js").open("action");
