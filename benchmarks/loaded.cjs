// Preloaded (node -r) into a run: at its end it tells which files and which of Node's own modules were loaded, the CPU time spent and the most memory held.
const { writeFileSync } = require("node:fs");
const own = new Set(process.moduleLoadList);
process.on("exit", () => {
  const builtins = process.moduleLoadList
    .filter((name) => !own.has(name) && name.startsWith("NativeModule "))
    .map((name) => name.slice(13));
  const { user, system } = process.cpuUsage();
  writeFileSync(
    process.env.LOADED_FILE,
    JSON.stringify({
      files: Object.keys(require.cache).filter((file) => file !== __filename),
      builtins,
      cpuMs: (user + system) / 1000,
      peakMb: process.resourceUsage().maxRSS / 1024,
    }),
  );
});
