const { answer } = require("./agent.cjs");
module.exports = class {
  id() {
    return "agent";
  }
  async callApi(prompt) {
    return { output: answer(prompt) };
  }
};
