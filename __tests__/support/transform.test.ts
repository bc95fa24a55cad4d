import { expect, test } from "@jest/globals";
import transform from "./transform.mjs";

const { process } = transform.createTransformer({
  jsc: { target: "es2022", parser: { syntax: "typescript" } },
});
const compile = (source: string): string =>
  process(source, "/a.ts", { supportsStaticESM: true }).code;

test("a global of the language becomes a constant of the module that uses it, and line numbers stay the same", () => {
  expect(
    compile("export const root: number = Math.sqrt(2);\nexport const most = Infinity;\n"),
  ).toMatch(
    /^const \{ Infinity, Math \} = globalThis;\s+export const root = Math\.sqrt\(2\);\nexport const most = Infinity;\n/,
  );
});

test.each([
  "const Map = 1;\nexport const a = [Map];",
  'import {\n  Map,\n} from "./a.ts";\nexport const a = new Map();',
  'import { Other as Map } from "./a.ts";\nexport const a = new Map();',
  "export class Map {}\nexport const a = new Map();",
  "export const a = other.Map, b = $Map, c = MapOf;",
])("a name that a module declares, imports or does not use is not changed: %j", (source) => {
  expect(compile(source)).not.toContain("globalThis");
});
