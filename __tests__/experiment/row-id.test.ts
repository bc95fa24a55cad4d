import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { canonicalJson, createIdTable, formatUuid, parseUuid, rowId, uuidV5 } from "../../src/experiment/row-id.ts";

describe("canonical JSON (RFC 8785)", () => {
  test("the sample of section 3.2.2 comes out as the document prints it", () => {
    const input: unknown = JSON.parse(String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`);
    expect(canonicalJson(input)).toBe(String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`);
  });

  test("keys are sorted by UTF-16 code units, as in section 3.2.3", () => {
    const input: unknown = JSON.parse(String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`);
    expect([...canonicalJson(input).matchAll(/:"([^"]+)"/g)].map(([, words]) => words)).toEqual([
      "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign", "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  test.each([
    ["0000000000000000", "0"], ["8000000000000000", "0"], ["0000000000000001", "5e-324"], ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"], ["4340000000000000", "9007199254740992"], ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"], ["44b52d02c7e14af6", "1e+23"], ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"], ["444b1ae4d6e2ef50", "1e+21"], ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"], ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"], ["becbf647612f3696", "-0.0000033333333333333333"], ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("the double %s of appendix B is written %s", (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  test("what the document forbids throws: NaN, infinities, lone surrogates", () => {
    for (const value of [Number.NaN, Infinity, "\ud800", { "\udc00": 1 }, undefined]) expect(() => canonicalJson(value)).toThrow(RangeError);
  });

  test("the order in which keys were written never shows, and the text reads back as the same value", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const shuffled = (inner: unknown): unknown => Array.isArray(inner) ? inner.map(shuffled) : typeof inner === "object" && inner !== null ? Object.fromEntries(Object.entries(inner).reverse().map(([key, item]) => [key, shuffled(item)])) : inner;
      if (/\p{Surrogate}/u.test(JSON.stringify(plain)) || JSON.stringify(plain).includes("\\ud")) return;
      expect(canonicalJson(shuffled(plain))).toBe(canonicalJson(plain));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
    }));
  });
});

describe("row ids", () => {
  test("version 5 UUIDs are those of other implementations", () => {
    expect(formatUuid(uuidV5("python.org"))).toBe("886313e1-3b8a-5372-9b90-0c9aee199e5d");
    expect(formatUuid(uuidV5("www.example.com"))).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  test("k = 0 hashes the inputs alone, k = 1 a line feed and the index behind them; the values are Python's uuid5", () => {
    expect(formatUuid(rowId(canonicalJson({ question: "Capital of Peru?" }), 0))).toBe("9ce0d958-3f51-5883-812b-5f826875c9c9");
    expect(formatUuid(rowId(canonicalJson({ question: "Capital of Peru?" }), 1))).toBe("160efb3e-6fef-5a70-a7ff-1c2399a9d138");
    expect(formatUuid(rowId(canonicalJson({ question: "Capital of France?", answer: "Paris" }), 0))).toBe("f5c39ab7-4f4b-5742-9714-db5b0d996b9d");
  });

  test("a UUID is read in any case and with or without hyphens; anything else is none", () => {
    expect(formatUuid(parseUuid("886313E13B8A53729B900C9AEE199E5D")!)).toBe("886313e1-3b8a-5372-9b90-0c9aee199e5d");
    for (const text of ["", "x", "886313e1-3b8a-5372-9b90-0c9aee199e5", 5, null, "{886313e1-3b8a-5372-9b90-0c9aee199e5d}"]) expect(parseUuid(text)).toBeNull();
  });

  test("ids that are numbered in their last bytes, or in their first, are found as fast as others", () => {
    for (const offset of [0, 4, 8, 12]) {
      const table = createIdTable();
      const id = Buffer.alloc(16);
      for (let n = 0; n < 60_000; n += 1) {
        id.writeUInt32BE(n, offset);
        table.add(id);
      }
      id.writeUInt32BE(59_999, offset);
      expect([table.size(), table.find(id), table.at(59_999)]).toEqual([60_000, 59_999, id]);
    }
  }, 5000);

  test("the id table is a set in order of arrival, through growth and collisions of the first bytes", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 3000 }), (numbers) => {
      const table = createIdTable();
      const positions = new Map<string, number>();
      for (const n of numbers) {
        const id = Buffer.alloc(16, 0);
        id.writeUInt32BE(n % 3, 0);
        id.writeUInt32BE(n, 12);
        const known = positions.get(id.toString("hex"));
        expect(table.find(id)).toBe(known ?? -1);
        expect(table.add(id)).toBe(known ?? positions.size);
        positions.set(id.toString("hex"), known ?? positions.size);
      }
      expect(table.size()).toBe(positions.size);
      for (const [hex, position] of positions) expect(table.at(position).toString("hex")).toBe(hex);
      expect(table.sortedPrefixes()).toHaveLength(positions.size);
    }), { numRuns: 20 });
  });
});
