require("./main.js").open("post");
