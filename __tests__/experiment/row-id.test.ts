import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { expectLinear } from "../support/busy.ts";
import { canonicalJson } from "../../src/canonical-json.ts";
import { createIdTable, formatUuid, nameId, parseUuid } from "../../src/experiment/row-id.ts";

const idOf = (name: string, k = 0): string => formatUuid(nameId(name, k));

describe("row ids", () => {
  test("version 5 UUIDs match those of other implementations", () => {
    expect(idOf("python.org")).toBe("886313e1-3b8a-5372-9b90-0c9aee199e5d");
    expect(idOf("www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  test("repeat 0 hashes only the inputs, repeat 1 also a line feed and its number, as Python's uuid5 does", () => {
    expect(idOf(canonicalJson({ question: "Capital of Peru?" }))).toBe(
      "9ce0d958-3f51-5883-812b-5f826875c9c9",
    );
    expect(idOf(canonicalJson({ question: "Capital of Peru?" }), 1)).toBe(
      "160efb3e-6fef-5a70-a7ff-1c2399a9d138",
    );
    expect(idOf(canonicalJson({ question: "Capital of France?", answer: "Paris" }))).toBe(
      "f5c39ab7-4f4b-5742-9714-db5b0d996b9d",
    );
  });

  // The longest name of three-byte characters that fits into 64 KiB has 21,845.
  test.each([1, 21_845, 21_846, 30_000])("a name of %d euro signs is hashed whole", (length) => {
    const namespace = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
    const sha1 = createHash("sha1").update(namespace).update("€".repeat(length)).digest();
    const id = nameId("€".repeat(length));
    expect(id.subarray(0, 6)).toEqual(sha1.subarray(0, 6));
    expect(id.subarray(9)).toEqual(sha1.subarray(9, 16));
    expect([id[6]! >> 4, id[8]! >> 6]).toEqual([5, 2]);
  });

  test("a UUID is read in upper or lower case, with or without hyphens, and anything else is rejected", () => {
    expect(formatUuid(parseUuid("886313E13B8A53729B900C9AEE199E5D")!)).toBe(
      "886313e1-3b8a-5372-9b90-0c9aee199e5d",
    );
    for (const text of [
      "",
      "x",
      "886313e1-3b8a-5372-9b90-0c9aee199e5",
      5,
      null,
      "{886313e1-3b8a-5372-9b90-0c9aee199e5d}",
    ])
      expect(parseUuid(text)).toBeNull();
  });

  test("a name has the same hash whatever was hashed before it, of any length, and hashing its repeats does not change it", () => {
    const long = "x".repeat(3_000_000);
    const [short, first] = [idOf("a"), idOf(long)];
    expect([idOf("a"), idOf(long), idOf("a", 3), idOf("a")]).toEqual([
      short,
      first,
      idOf("a\n3"),
      short,
    ]);
  });

  test("ids that count up in their last or first bytes are found as fast as others", async () => {
    // Ids that all met in one place would be compared with each other.
    for (const offset of [0, 4, 8, 12])
      await expectLinear(64_000, (many) => {
        const table = createIdTable();
        const id = Buffer.alloc(16);
        for (let n = 0; n < many; n += 1) {
          id.writeUInt32BE(n, offset);
          table.add(id);
        }
        id.writeUInt32BE(many - 1, offset);
        expect([table.find(id), table.add(id)]).toEqual([many - 1, many - 1]);
      });
  });

  test("the id table is a set in order of arrival, also when it grows and when first bytes collide", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 3000 }), (numbers) => {
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
        const prefixes = [...positions.keys()].map((hex) => BigInt(`0x${hex.slice(0, 16)}`));
        prefixes.sort((a, b) => (a < b ? -1 : Number(a > b)));
        expect([...table.prefixes(() => true)]).toEqual(prefixes);
        for (const [hex, position] of positions)
          expect(table.find(Buffer.from(hex, "hex"))).toBe(position);
      }),
      { numRuns: 20 },
    );
  });
});
