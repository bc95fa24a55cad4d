// vitest, jest, mocha and node:test read the same file: it takes the globals that it finds.
const assert = require("node:assert");
const { QUESTIONS, answer } = require("./agent.cjs");
const nodeTest = globalThis.describe === undefined ? require("node:test") : globalThis;
nodeTest.describe("capitals", () => {
  for (const { q, a } of QUESTIONS)
    nodeTest.it(`answers ${q}`, () => assert.strictEqual(answer(q), a));
  nodeTest.it.skip("is not run", () => {});
});
nodeTest.it("stands alone", () => {});
