// Preloaded (node -r) into a run: writes the CPU time it spent and the most memory it held.
const { writeFileSync } = require("node:fs");
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(
    process.env.SPENT_FILE ?? "",
    JSON.stringify({
      cpuMs: (user + system) / 1000,
      peakMb: process.resourceUsage().maxRSS / 1024,
    }),
  );
});
