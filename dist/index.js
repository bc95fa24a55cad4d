require("./node-version.js");
require("./main.js").open("action");
