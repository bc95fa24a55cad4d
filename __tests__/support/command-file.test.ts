import { expect, test } from "@jest/globals";
import { actionDefaults, parseCommandFile } from "./action-run.ts";

test("outputs are read in both forms of the runner", () => {
  expect(parseCommandFile("a=1\nb<<EOF_x\none\n\na=2\nEOF_x\nc=x<<y\n")).toEqual({
    a: "1",
    b: "one\n\na=2",
    c: "x<<y",
  });
});

test("a heredoc that never ends, and a line that is neither, fail as on the runner", () => {
  expect(() => parseCommandFile("b<<EOF\none\n")).toThrow("no line EOF");
  expect(() => parseCommandFile("stray\n")).toThrow("cannot read the line");
});

test("absent inputs come as action.yml's defaults; one that stands in the spec too comes empty", () => {
  expect(actionDefaults()).toMatchObject({
    command: "auto",
    spec: "agent-deploy.yml",
    wait: "true",
    timeout: "",
    "on-failure": "",
    matrix: "null",
    "github-token": "",
  });
});
