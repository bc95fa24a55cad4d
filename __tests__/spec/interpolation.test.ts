import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { interpolate } from "../../src/spec/interpolation.ts";

const env = { NAME: "value", EMPTY: "", _x1: "under", YAML: "a: {b: [c]}\n- d" };

describe("interpolation of a string scalar", () => {
  test.each([
    ["plain", "plain"],
    ["", ""],
    ["$NAME and $", "$NAME and $"],
    ["a}b{c", "a}b{c"],
    ["${NAME}", "value"],
    ["<${NAME}|${_x1}>", "<value|under>"],
    ["${EMPTY}", ""],
    ["${YAML}", "a: {b: [c]}\n- d"],
    ["${NAME:-default}", "value"],
    ["${UNSET:-default}", "default"],
    ["${EMPTY:-default}", "default"],
    ["${UNSET:-}", ""],
    ["${UNSET:-a b:-c}", "a b:-c"],
    ["${NAME:?message}", "value"],
    ["$${NAME}", "${NAME}"],
    ["$$${NAME}", "$${NAME}"],
    ["a $${b} ${NAME}", "a ${b} value"],
    ["$${", "${"],
  ])("turns %j into %j", (text, expected) => {
    expect(interpolate(text, { env, trusted: true })).toMatchObject({ text: expected, faults: [] });
  });
});

describe("the text shown for a secret variable's value", () => {
  const secrets = { A_KEY: "1", B_TOKEN: "on", EMPTY_KEY: "", STAGE: "prod" };
  test.each([
    ["${A_KEY}", "${A_KEY}"],
    ["k=${A_KEY}, ${STAGE}-${B_TOKEN:?needed}", "k=${A_KEY}, prod-${B_TOKEN}"],
    ["${A_KEY:-2}", "${A_KEY}"],
    ["${UNSET_KEY:-2}", "2"],
    ["${EMPTY_KEY:-2}", "2"],
    ["x${UNSET_KEY}", "x${UNSET_KEY}"],
    ["${STAGE}", undefined],
    ["$${A_KEY}", undefined],
    ["plain", undefined],
    ["${A_KEY", undefined],
  ])("of %j is %j", (text, shown) => {
    expect(interpolate(text, { env: secrets, trusted: true }).shown).toBe(shown);
  });
});

describe("a variable without a value is an error with what to do", () => {
  test.each([
    ["${UNSET}", "unset", /^the environment variable UNSET is not set; set it/u],
    ["${UNSET:?ask ops}", "unset", /UNSET is not set: ask ops$/u],
    ["${EMPTY:?ask ops}", "unset", /EMPTY is empty: ask ops$/u],
    ["${UNSET:?}", "unset", /UNSET is not set: it is required/u],
    ["${constructor}", "unset", /constructor is not set/u],
    ["${__proto__}", "unset", /__proto__ is not set/u],
    ["${}", "malformed", /names no variable; write \$\{NAME\}/u],
    ["${NAME", "malformed", /is not closed/u],
    ["${1A}", "malformed", /does not hold the name of an environment variable/u],
    ["${ NAME }", "malformed", /does not hold the name of an environment variable/u],
    ["${NAME-x}", "malformed", /operator other than/u],
    ["${NAME:+x}", "malformed", /operator other than/u],
    ["${A:-${B}}", "malformed", /holds another/u],
  ])("in %j", (text, kind, message) => {
    const { text: value, faults } = interpolate(text, { env, trusted: true });
    expect(value).toBeUndefined();
    expect(faults.map((fault) => fault.kind)).toEqual([kind]);
    expect(faults[0]!.message).toMatch(message);
    // The author's own words say what to do, so ours are left out.
    expect(faults[0]!.message).toMatch(/: ask ops$|;.*(write|set)/u);
  });
});

test("only a scalar that is one complete reference counts as whole", () => {
  expect(
    ["${NAME}", "${NAME:-2}", " ${NAME}", "${NAME}${NAME}", "$${NAME}", "x"].map(
      (text) => interpolate(text, { env, trusted: true }).whole,
    ),
  ).toEqual([true, true, false, false, false, false]);
});

test("every missing variable of a scalar is reported", () => {
  expect(
    interpolate("${A}/${NAME}/${B}", { env, trusted: true }).faults.map((fault) => fault.written),
  ).toEqual(["${A}", "${B}"]);
});

test("an untrusted run interpolates nothing, not even a default, and says why", () => {
  const { text, faults } = interpolate("${NAME:-x} and $${NAME}", { env, trusted: false });
  expect(text).toBeUndefined();
  expect(faults[0]).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/untrusted pull request/u),
  });
  expect(interpolate("$${NAME}", { env, trusted: false }).text).toBe("${NAME}");
});

test("any text is either parsed or refused, and an escaped text gives the original", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("$", "{", "}", ":", "-", "?", "A", "1", " ") }),
      (text) => {
        for (const { kind, message } of interpolate(text, { env: {}, trusted: true }).faults)
          if (kind === "malformed") expect(message).toMatch(/write/u);
        const escaped = text.replaceAll("${", () => "$${");
        expect(interpolate(escaped, { env: {}, trusted: true }).text).toBe(text);
      },
    ),
    { numRuns: 800 },
  );
});
