import { expect, test } from "@jest/globals";
import { parsePythonLiteral } from "../../src/experiment/formats/python-literal.ts";

test.each([
  ["['a', \"it's\"]", ["a", "it's"]],
  ["{'a': [1, 2.5], 'b': None, 3: True}", { a: [1, 2.5], b: null, "3": true }],
  ["('a', ('b', False))", ["a", ["b", false]]],
  ["('a',)", ["a"]],
  ["[]", []],
  ["'caf\\xe9 \\u00e9\\n'", "café é\n"],
  ["1_000", 1000],
])("Python's %s is read", (text, value) => {
  expect(parsePythonLiteral(text)).toEqual(value);
});

test.each(["['a'", "['a')", "{'a': }", "foo(1)", "a sentence"])("%s is not a literal", (text) => {
  expect(parsePythonLiteral(text)).toBeUndefined();
});
