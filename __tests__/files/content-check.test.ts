import { expect, test } from "@jest/globals";
import { createContentCheck } from "../../src/files/content-check.ts";

const BYTES = Buffer.from("0123456789abcdef".repeat(5_000));

function check(bytes: Uint8Array, pieceBytes: number): string {
  const { add, end } = createContentCheck();
  for (let at = 0; at < bytes.length; at += pieceBytes) add(bytes.subarray(at, at + pieceBytes));
  return end();
}

test.each([1, 7, 16, 65_536])("bytes are the same in pieces of %i", (pieceBytes) => {
  expect(check(BYTES, pieceBytes)).toBe(check(BYTES, BYTES.length));
});

test.each([0, 17, BYTES.length - 1])("another byte at %i is noticed", (at) => {
  const other = Buffer.from(BYTES);
  other[at]! ^= 1;
  expect(check(other, 65_536)).not.toBe(check(BYTES, 65_536));
});

test("bytes that are added at the end, zeros too, are noticed", () => {
  const longer = Buffer.concat([BYTES, Buffer.alloc(16)]);
  expect(check(longer, 65_536)).not.toBe(check(BYTES, 65_536));
});
