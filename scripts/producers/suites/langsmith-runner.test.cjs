const { randomUUID } = require("node:crypto");
const ls = require("langsmith/jest");
const { expect } = require("@jest/globals");
const { suite } = require("./langsmith-suite.cjs");

suite({ ls, expect, randomUUID });
