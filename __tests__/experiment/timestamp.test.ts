import { expect, test } from "@jest/globals";
import { parseInstant } from "../../src/experiment/input/timestamp.ts";

const at = (value: unknown): string | null => parseInstant(value)?.text ?? null;

test.each([
  ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T23:59:59.5Z", "2026-01-31T23:59:59.500Z"],
  ["2026-01-31T12:00:00+05:30", "2026-01-31T06:30:00.000Z"],
  ["2026-01-31T12:00:00-03:45", "2026-01-31T15:45:00.000Z"],
  ["2026-01-31T12:00:00-0345", "2026-01-31T15:45:00.000Z"],
  ["2026-01-31T12:00:00+23", "2026-01-30T13:00:00.000Z"],
  ["2026-01-31 12:00", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["0099-01-31T12:00:00Z", "0099-01-31T12:00:00.000Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  // A leap second is the next minute's first.
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["Sat, 31 Jan 2026 12:00:00 GMT", "2026-01-31T12:00:00.000Z"],
  ["Sat, 31 Jan 2026 12:00:00 -0345", "2026-01-31T15:45:00.000Z"],
])("%s is %s", (text, instant) => {
  expect(parseInstant(text)?.us).toBe(Date.parse(instant) * 1000);
});

test.each([
  "2026-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-31T24:00:00Z",
  "2026-01-31T12:60:00Z",
  "2026-01-31T12:00:61Z",
  "2026-01-31T12:00:00+24:00",
  "2026-01-31T12:00:00+05:60",
  "Sat, 31 Feb 2026 12:00:00 GMT",
  "12:00",
  0,
  -1,
  Infinity,
  null,
])("%p is not a time", (value) => {
  expect(parseInstant(value)).toBeNull();
});

test("a number is seconds up to 2603, then milliseconds, then microseconds", () => {
  expect([2e10, 2e10 + 1, 1e14, 1e14 + 1].map(at)).toEqual([
    new Date(2e13).toISOString(),
    new Date(2e10 + 1).toISOString(),
    new Date(1e14).toISOString(),
    new Date(1e11).toISOString().replace("Z", "001Z"),
  ]);
  expect(at(1_769_860_800.25)).toBe("2026-01-31T12:00:00.250Z");
});

test("microseconds are kept", () => {
  expect(at("2026-01-31 12:00:00,123456789")).toBe("2026-01-31T12:00:00.123456Z");
});

test("a time with a zone is sent as it was written, any other with an explicit Z", () => {
  expect(at("2026-01-31T12:00:00+05:30")).toBe("2026-01-31T12:00:00+05:30");
  expect(at("2026-01-31T12:00:00+0530")).toBe("2026-01-31T06:30:00.000Z");
  expect(at("2026-01-31T12:00:00")).toBe("2026-01-31T12:00:00.000Z");
});
