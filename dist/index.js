require("./main.js").open("action");
