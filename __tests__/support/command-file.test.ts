import { expect, test } from "@jest/globals";
import { actionDefaults, parseCommandFile } from "./action-run.ts";

test("outputs are parsed in both forms of the runner", () => {
  expect(parseCommandFile("a=1\nb<<EOF_x\none\n\na=2\nEOF_x\nc=x<<y\n")).toEqual({
    a: "1",
    b: "one\n\na=2",
    c: "x<<y",
  });
});

test("an unterminated heredoc and an invalid line fail as on the runner", () => {
  expect(() => parseCommandFile("b<<EOF\none\n")).toThrow("no line EOF");
  expect(() => parseCommandFile("stray\n")).toThrow("cannot read the line");
});

test("absent inputs get action.yml's defaults, which are empty for those that the spec has too", () => {
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
