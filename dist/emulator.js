/** The emulator for tests: `import { startEmulator } from "agent-deploy"`. */
exports.startEmulator = async (options) => {
  const { startEmulator } = await require("./main.js").loadEmulator();
  return startEmulator(options);
};
