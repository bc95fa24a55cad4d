import { describe, expect, test } from "@jest/globals";
import fc from "./support/property.ts";
import { canonicalJson } from "../src/canonical-json.ts";

describe("canonical JSON (RFC 8785)", () => {
  test("the sample of section 3.2.2 is written as in the document", () => {
    const input: unknown = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(input)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test("keys are sorted by UTF-16 code units, as in section 3.2.3", () => {
    const input: unknown = JSON.parse(
      String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
    );
    expect([...canonicalJson(input).matchAll(/:"([^"]+)"/g)].map(([, words]) => words)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("the double %s of appendix B is written %s", (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  test("NaN, infinities and lone surrogates, which the document forbids, throw", () => {
    for (const value of [Number.NaN, Infinity, "\ud800", { "\udc00": 1 }, undefined])
      expect(() => canonicalJson(value)).toThrow(RangeError);
  });

  test('with "written", forbidden values are written as JSON.stringify writes them', () => {
    expect(canonicalJson({ b: Number.NaN, a: "\ud800", c: [undefined] }, "written")).toBe(
      String.raw`{"a":"\ud800","b":null,"c":[null]}`,
    );
  });

  test("the result does not depend on the order of keys, and parses back to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        const shuffled = (inner: unknown): unknown => {
          if (Array.isArray(inner)) return inner.map(shuffled);
          if (typeof inner !== "object" || inner === null) return inner;
          const entries = Object.entries(inner).reverse();
          return Object.fromEntries(entries.map(([key, item]) => [key, shuffled(item)]));
        };
        if (/\p{Surrogate}/u.test(JSON.stringify(plain)) || JSON.stringify(plain).includes("\\ud"))
          return;
        expect(canonicalJson(shuffled(plain))).toBe(canonicalJson(plain));
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      }),
    );
  });
});
