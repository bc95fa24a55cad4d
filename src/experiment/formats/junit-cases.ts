import { plainSuite } from "./tests.ts";
import { countLost } from "./totals.ts";
import { childrenOf, toElement, type XmlElement } from "./xml.ts";

/** A suite of the report, with what its parents say about its tests. */
export interface Suite {
  readonly node: XmlElement;
  readonly timestamp: string | undefined;
  /** Its name and its parents' names, outermost first. */
  readonly names: readonly string[];
  readonly file: string | undefined;
  readonly isPytest: boolean;
}

const suitesIn = (around: Suite): Suite[] =>
  childrenOf(around.node, "testsuite").map((node) => {
    const given = node.attributes.get("name") ?? "";
    const name = plainSuite(given);
    return {
      node,
      timestamp: node.attributes.get("timestamp") ?? around.timestamp,
      names: name === "" ? around.names : [...around.names, name],
      file: node.attributes.get("file") ?? around.file,
      isPytest: around.isPytest || given === "pytest",
    };
  });

/** The suites in a suite, at any depth. */
export const suitesOf = (around: Suite): Suite[] =>
  suitesIn(around).flatMap((suite) => [suite, ...suitesOf(suite)]);

/** One test of the report. */
export interface Case {
  readonly node: XmlElement;
  readonly suite: Suite;
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
      node.attributes.get("classname"),
      node.attributes.get("name"),
    ]);
    const error = childrenOf(node, "error")[0];
    const before = failed.get(key);
    failed.delete(key);
    if (before !== undefined && TEARDOWN.test(error?.attributes.get("message") ?? "")) {
      joined[before] = { suite, node: withTeardown(joined[before]!.node, node) };
      continue;
    }
    if (childrenOf(node, "failure").length > 0) failed.set(key, joined.length);
    joined.push(one);
  }
  return joined;
}

/** The failed test with the error, properties and time of its teardown. */
function withTeardown(test: XmlElement, teardown: XmlElement): XmlElement {
  const time = String(secondsOf(test) + secondsOf(teardown));
  const isTests = ({ name }: XmlElement): boolean =>
    name === "failure" || childrenOf(teardown, name).length === 0;
  return {
    ...test,
    attributes: new Map([...test.attributes, ...teardown.attributes, ["time", time]]),
    children: [
      ...test.children.filter(isTests),
      ...teardown.children.filter(({ name }) => name !== "failure"),
    ],
  };
}

/** The duration of a test; NaN if the report does not give it. */
export const secondsOf = (testcase: XmlElement): number =>
  Number((testcase.attributes.get("time") ?? "").replaceAll(",", "") || Number.NaN);

const propertiesIn = (node: XmlElement): readonly XmlElement[] =>
  childrenOf(node, "properties").flatMap((holder) => childrenOf(holder, "property"));

/** Names and values in `<properties>`; a value is an attribute or text. */
export function propertyList(node: XmlElement): (readonly [name: string, value: string])[] {
  return propertiesIn(node).map(({ attributes, text }) => [
    attributes.get("name") ?? "",
    attributes.get("value") ?? text,
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

const statusOf = (testcase: XmlElement): string =>
  testcase.attributes.get("status") ?? testcase.attributes.get("result") ?? "";

/** What failed and what crashed; some writers say so only in an attribute. */
export function faultsOf(testcase: XmlElement): {
  readonly failure?: XmlElement | undefined;
  readonly error?: XmlElement | undefined;
} {
  const [failure, error] = [childrenOf(testcase, "failure")[0], childrenOf(testcase, "error")[0]];
  if (failure !== undefined || error !== undefined) return { failure, error };
  const status = statusOf(testcase);
  const end = endOf(status);
  return end === undefined ? {} : { [end]: toElement(end, { message: `status ${status}` }) };
}

/**
 * GoogleTest and CTest mark a test that was not run by an attribute; its row would pass otherwise.
 * A test that failed or crashed was run, such as pytest's skipped test whose teardown crashed; the
 * exceptions are tests that may fail, for which Catch2 (`!mayfail`) and node:test (`todo`) write
 * both.
 */
export function wasSkipped(testcase: XmlElement): boolean {
  const skipped = childrenOf(testcase, "skipped");
  return ["failure", "error"].some((name) => childrenOf(testcase, name).length > 0)
    ? skipped.some(
        (one) =>
          (one.attributes.get("message") ?? "").includes("!mayfail") ||
          one.attributes.get("type") === "todo",
      )
    : skipped.length > 0 || endOf(statusOf(testcase)) === "skipped";
}

const keyOf = ({ node }: Case): string =>
  JSON.stringify([node.attributes.get("classname"), node.attributes.get("name")]);

const hasNoOutcome = ({ node }: Case): boolean =>
  ["failure", "error", "skipped"].every((name) => childrenOf(node, name).length === 0);

/**
 * pytest names a test after it has ended: one that was interrupted (Ctrl-C, a time limit,
 * `pytest.exit`) has only a time, and would pass.
 */
export function wasStopped(one: Case): boolean {
  const has = (name: string): boolean => one.node.attributes.has(name);
  return has("time") && !has("name") && !has("classname") && hasNoOutcome(one);
}

/** Converts an interrupted test to a crash; other tests stay unchanged. */
export function asStopped(one: Case): Case {
  if (!wasStopped(one)) return one;
  const error = toElement("error", { message: "the run was stopped in this test" });
  return { ...one, node: { ...one.node, children: [...one.node.children, error] } };
}

/**
 * If pytest repeats a failed test (`--reruns`), it writes the earlier attempts without their
 * failure and leaves them out of the suite's count: they would pass here. The last attempt is the
 * test; its properties repeat those of the others, which are removed. `cases` are those of one
 * suite.
 */
export function lastAttempts(suite: Suite, cases: readonly Case[]): readonly Case[] {
  const counted = Number(suite.node.attributes.get("tests") ?? Number.NaN);
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
    if (before === 0) return [one];
    const properties = toElement("properties", {}, propertiesIn(one.node).slice(before));
    const others = one.node.children.filter(({ name }) => name !== "properties");
    return [{ ...one, node: { ...one.node, children: [...others, properties] } }];
  });
}

/** A suite that failed before it wrote any test, as a crash: its tests would otherwise be missing silently. */
export function brokenSuite(suite: Suite): Case[] {
  const { node } = suite;
  if (["testcase", "testsuite"].some((name) => childrenOf(node, name).length > 0)) return [];
  const faults = ["error", "failure"].flatMap((name) => childrenOf(node, name));
  const isCounted = ["errors", "failures"].some((name) => Number(node.attributes.get(name)) > 0);
  if (faults.length === 0 && !isCounted) return [];
  const whole = toElement("error", { message: "the suite failed and holds no test" });
  const errors = faults.length === 0 ? [whole] : faults.map((one) => ({ ...one, name: "error" }));
  const name = node.attributes.get("name") ?? "";
  return [{ suite, node: toElement("testcase", { name }, errors) }];
}

/** Attempts that Surefire and nextest write within their test; some writers count each. */
const INNER_ATTEMPTS = ["rerunFailure", "rerunError", "flakyFailure", "flakyError"];

/** Catch2 (which never names the host) and doctest count assertions as tests, so the number of tests is unknown. */
const countsAssertions = (suite: XmlElement): boolean =>
  suite.attributes.get("hostname") === "tbd" ||
  suite.attributes.get("doctest_version") !== undefined;

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
  const cases = childrenOf(suite.node, "testcase");
  const attempts = cases.flatMap((node) =>
    INNER_ATTEMPTS.flatMap((name) => childrenOf(node, name)),
  );
  const countAt = (name: string): number => Number(suite.node.attributes.get(name) ?? Number.NaN);
  const direct = Math.max(
    cases.length + attempts.length + brokenSuite(suite).length,
    countsAssertions(suite.node) ? countAt("tests") || 0 : 0,
  );
  const inner = suitesIn(suite).map(heldBy);
  const sum = (of: keyof Held): number => inner.reduce((total, one) => total + one[of], 0);
  const all = direct + sum("all");
  const run = direct - cases.filter(wasSkipped).length + sum("run");
  const totals = { all: countAt("tests"), notRun: ["skipped", "disabled"].map(countAt) };
  const lost = suite.isPytest ? 0 : countLost({ ...totals, held: { all, run } });
  return { all, run, lost: Math.max(lost, sum("lost")) };
}
