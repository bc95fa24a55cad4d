import { own, ownString } from "../input/lenient-json.ts";
import { plainSuite } from "./tests.ts";
import { countLost } from "./totals.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * Decodes the five entities of XML and character numbers in one pass; entities defined by the
 * document are never expanded.
 */
export function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
}

/** An attribute with its entities decoded. */
export const attribute = (node: unknown, name: string): string | undefined => {
  const text = ownString(node, `@${name}`);
  return text === undefined ? undefined : decode(text);
};
/** The child elements with a name, one or many. */
export const children = (node: unknown, name: string): readonly unknown[] => {
  const found = own(node, name);
  if (Array.isArray(found)) return found;
  return found === undefined || found === "" ? [] : [found];
};

/** A suite of the report, with what its parents say about its tests. */
export interface Suite {
  readonly node: unknown;
  readonly timestamp: string | undefined;
  /** Its name and its parents' names, outermost first. */
  readonly names: readonly string[];
  readonly file: string | undefined;
  readonly isPytest: boolean;
}

/** The suites in a suite, at any depth. */
export function suitesOf(around: Suite): Suite[] {
  return children(around.node, "testsuite").flatMap((node) => {
    const given = attribute(node, "name") ?? "";
    const name = plainSuite(given);
    const suite = {
      node,
      timestamp: attribute(node, "timestamp") ?? around.timestamp,
      names: name === "" ? around.names : [...around.names, name],
      file: attribute(node, "file") ?? around.file,
      isPytest: around.isPytest || given === "pytest",
    };
    return [suite, ...suitesOf(suite)];
  });
}

/** One test of the report, and its first line. */
export interface Case {
  readonly node: unknown;
  readonly suite: Suite;
  readonly line: number;
}

const TEARDOWN = /^(?:failed on teardown|test teardown failure)/;

/**
 * pytest writes a test twice if it failed and its teardown crashed afterwards: the second entry
 * has the error and the properties. They are one test here, not two runs of it.
 */
export function joinTeardowns(cases: readonly Case[]): readonly Case[] {
  const joined: Case[] = [];
  const failed = new Map<string, number>();
  for (const one of cases) {
    const { node, suite } = one;
    const key = JSON.stringify([
      suite.names,
      attribute(node, "classname"),
      attribute(node, "name"),
    ]);
    const error = children(node, "error")[0];
    const before = failed.get(key);
    failed.delete(key);
    if (before !== undefined && TEARDOWN.test(attribute(error, "message") ?? "")) {
      const { node: first, line } = joined[before]!;
      const time = secondsOf(first) + secondsOf(node);
      joined[before] = {
        suite,
        line,
        node: {
          ...(first as object),
          ...(node as object),
          failure: own(first, "failure"),
          "@time": String(time),
        },
      };
      continue;
    }
    if (children(node, "failure").length > 0) failed.set(key, joined.length);
    joined.push(one);
  }
  return joined;
}

/** The duration of a test; NaN if the report does not give it. */
export const secondsOf = (testcase: unknown): number =>
  Number((attribute(testcase, "time") ?? "").replaceAll(",", "") || Number.NaN);

const propertiesIn = (node: unknown): readonly unknown[] =>
  children(node, "properties").flatMap((holder) => children(holder, "property"));

/** Names and values in `<properties>`; a value is an attribute or text. */
export function propertyList(node: unknown): (readonly [name: string, value: string])[] {
  return propertiesIn(node).map((property) => [
    attribute(property, "name") ?? "",
    attribute(property, "value") ??
      decode(typeof property === "string" ? property : (ownString(property, "#text") ?? "")),
  ]);
}

/** How a test ended that did not pass, in JUnit's elements. */
type End = "failure" | "error" | "skipped";

/** Runners' words for each of them. */
const ENDS: readonly (readonly [end: End, words: RegExp])[] = [
  ["failure", /^(?:fail|failed|failure)$/i],
  [
    "error",
    /^(?:error|errored|broken|crashed|time[d_]?_?out|aborted|cancell?ed|interrupted|passedbutrunaborted|disconnected|invalid)$/i,
  ],
  [
    "skipped",
    /^(?:skip|skipped|ignored|disabled|inconclusive|not_?run|notrunnable|notexecuted|pending|explicit)$/i,
  ],
];

/** What a runner's word for the end of a test means; undefined for a pass and for unknown words. */
export const endOf = (word: string): End | undefined =>
  ENDS.find(([, words]) => words.test(word))?.[0];

const statusOf = (testcase: unknown): string =>
  attribute(testcase, "status") ?? attribute(testcase, "result") ?? "";

/** What failed and what crashed; some writers say so only in an attribute. */
export function faultsOf(testcase: unknown): {
  readonly failure?: unknown;
  readonly error?: unknown;
} {
  const [failure, error] = [children(testcase, "failure")[0], children(testcase, "error")[0]];
  if (failure !== undefined || error !== undefined) return { failure, error };
  const status = statusOf(testcase);
  const end = endOf(status);
  return end === undefined ? {} : { [end]: { "@message": `status ${status}` } };
}

/**
 * GoogleTest and CTest mark a test that was not run by an attribute; its row would pass otherwise.
 * A test that failed or crashed was run, such as pytest's skipped test whose teardown crashed; the
 * exceptions are tests that may fail, for which Catch2 (`!mayfail`) and node:test (`todo`) write
 * both.
 */
export function wasSkipped(testcase: unknown): boolean {
  const skipped = children(testcase, "skipped");
  return ["failure", "error"].some((name) => children(testcase, name).length > 0)
    ? skipped.some(
        (one) =>
          (attribute(one, "message") ?? "").includes("!mayfail") ||
          attribute(one, "type") === "todo",
      )
    : skipped.length > 0 || endOf(statusOf(testcase)) === "skipped";
}

const keyOf = ({ node }: Case): string =>
  JSON.stringify([attribute(node, "classname"), attribute(node, "name")]);

const hasNoOutcome = ({ node }: Case): boolean =>
  ["failure", "error", "skipped"].every((name) => children(node, name).length === 0);

/**
 * pytest names a test after it has ended: one that was interrupted (Ctrl-C, a time limit,
 * `pytest.exit`) has only a time, and would pass.
 */
export function wasStopped(one: Case): boolean {
  const has = (name: string): boolean => attribute(one.node, name) !== undefined;
  return has("time") && !has("name") && !has("classname") && hasNoOutcome(one);
}

/** Converts an interrupted test to a crash; other tests stay unchanged. */
export function asStopped(one: Case): Case {
  const error = [{ "@message": "the run was stopped in this test" }];
  return wasStopped(one) ? { ...one, node: { ...(one.node as object), error } } : one;
}

/**
 * If pytest repeats a failed test (`--reruns`), it writes the earlier attempts without their
 * failure and leaves them out of the suite's count: they would pass here. The last attempt is the
 * test; its properties repeat those of the others, which are removed. `cases` are those of one
 * suite.
 */
export function lastAttempts(suite: Suite, cases: readonly Case[]): readonly Case[] {
  const counted = Number(attribute(suite.node, "tests") ?? Number.NaN);
  if (!suite.isPytest || !(counted > 0) || counted === cases.length) return cases;
  const last = new Map(cases.map((one, index) => [keyOf(one), index]));
  const repeated = new Map<string, number>();
  return cases.flatMap((one, index) => {
    const key = keyOf(one);
    if (hasNoOutcome(one) && last.get(key)! > index) {
      repeated.set(key, propertiesIn(one.node).length);
      return [];
    }
    const before = repeated.get(key) ?? 0;
    const property = propertiesIn(one.node).slice(before);
    return before === 0
      ? [one]
      : [{ ...one, node: { ...(one.node as object), properties: { property } } }];
  });
}

/** A suite that failed before it wrote any test, as a crash: its tests would otherwise be missing silently. */
export function brokenSuite(suite: Suite): Case[] {
  const { node } = suite;
  if (["testcase", "testsuite"].some((name) => children(node, name).length > 0)) return [];
  const faults = ["error", "failure"].flatMap((name) => children(node, name));
  const isCounted = ["errors", "failures"].some((name) => Number(attribute(node, name)) > 0);
  if (faults.length === 0 && !isCounted) return [];
  const error = faults.length > 0 ? faults : [{ "@message": "the suite failed and holds no test" }];
  return [{ suite, line: 1, node: { "@name": attribute(node, "name") ?? "", error } }];
}

/** Attempts that Surefire and nextest write within their test; some writers count each. */
const INNER_ATTEMPTS = ["rerunFailure", "rerunError", "flakyFailure", "flakyError"];

/** Catch2 (which never names the host) and doctest count assertions as tests, so the number of tests is unknown. */
const countsAssertions = (suite: unknown): boolean =>
  attribute(suite, "hostname") === "tbd" || attribute(suite, "doctest_version") !== undefined;

interface Held {
  readonly all: number;
  readonly run: number;
  readonly lost: number;
}

/**
 * How many tests a suite contains, how many of them ran, and how many it or its inner suites count
 * but do not contain. pytest's counts are ignored, since it counts outcomes rather than tests: a
 * test with subtests, or one that passed before its teardown crashed, counts several times.
 */
export function heldBy(suite: Suite): Held {
  const cases = children(suite.node, "testcase");
  const attempts = cases.flatMap((node) => INNER_ATTEMPTS.flatMap((name) => children(node, name)));
  const countAt = (name: string): number => Number(attribute(suite.node, name) ?? Number.NaN);
  const direct = Math.max(
    cases.length + attempts.length + brokenSuite(suite).length,
    countsAssertions(suite.node) ? countAt("tests") || 0 : 0,
  );
  const inner = children(suite.node, "testsuite").map((node) =>
    heldBy({ ...suite, node, isPytest: suite.isPytest || attribute(node, "name") === "pytest" }),
  );
  const sum = (of: keyof Held): number => inner.reduce((total, one) => total + one[of], 0);
  const all = direct + sum("all");
  const run = direct - cases.filter(wasSkipped).length + sum("run");
  const totals = { all: countAt("tests"), notRun: ["skipped", "disabled"].map(countAt) };
  const lost = suite.isPytest ? 0 : countLost({ ...totals, held: { all, run } });
  return { all, run, lost: Math.max(lost, sum("lost")) };
}
