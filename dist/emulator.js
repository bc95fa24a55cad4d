exports.startEmulator = async (options) => (await require("./main.js").loadEmulator()).startEmulator(options);
