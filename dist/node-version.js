// An older Node fails in places that do not say why, so every entry checks it first, in words that any Node reads.
const [major, minor, patch] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && (minor < 18 || (minor === 18 && patch < 1)))) {
  console.error(`agent-deploy needs Node 20.18.1 or newer; this is ${process.version}`);
  process.exit(2);
}
