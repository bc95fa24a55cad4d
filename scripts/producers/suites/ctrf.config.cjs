module.exports = {
  rootDir: ".",
  testMatch: ["**/runner.test.cjs"],
  reporters: [["jest-ctrf-json-reporter", { outputFile: process.env.CTRF_FILE, outputDir: "." }]],
};
