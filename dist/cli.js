#!/usr/bin/env node
require("./node-version.js");
require("./main.js").open("cli");
