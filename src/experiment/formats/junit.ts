import { refusal } from "../input/diagnostic.ts";
import type { ReadRow } from "../input/row.ts";
import { readWhole, type InputFile } from "../input/input-file.ts";
import { parseInstant } from "../input/timestamp.ts";
import type { Format } from "./format.ts";
import {
  asStopped,
  brokenSuite,
  faultsOf,
  heldBy,
  joinTeardowns,
  lastAttempts,
  propertyList,
  secondsOf,
  suitesOf,
  wasSkipped,
  wasStopped,
  type Case,
  type Suite,
} from "./junit-cases.ts";
import { dotnetSuite } from "./dotnet-tests.ts";
import { rerunPytest } from "./rerun.ts";
import { openTests, type ReportedTest, type TestReport } from "./tests.ts";
import { isScore } from "../input/scored.ts";
import { inOrder } from "../input/ordered-object.ts";
import { childrenOf, parseXml, type XmlElement } from "./xml.ts";

const MAX_XML_BYTES = 32 * 1024 * 1024;

/** Ignores times in unknown spellings: a test's result must not be lost because of its time. */
function timeOf(text: string | undefined): string | undefined {
  return text !== undefined && parseInstant(text.trim()) !== null ? text.trim() : undefined;
}

function wordsOf({ attributes, text }: XmlElement): string {
  const body = text.split("\n").slice(0, 20).join("\n");
  return attributes.get("message") || body || "no message";
}

/** Sorts properties by name: scores, inputs, expected, output; the rest is metadata. */
function propertiesOf(testcase: XmlElement): Pick<
  ReadRow,
  "inputs" | "expected_outputs" | "actual_outputs" | "run_metadata"
> & {
  scores: unknown[];
} {
  const groups = new Map<string, Map<string, string>>();
  const scores: unknown[] = [];
  const put = (group: string, key: string, value: string): void =>
    void groups.set(group, (groups.get(group) ?? new Map<string, string>()).set(key, value));
  for (const [name, value] of propertyList(testcase)) {
    const [, root, key] =
      /^(score|scores|inputs?|expected|reference|outputs?)(?:\.(.+))?$/s.exec(name) ?? [];
    if (root?.startsWith("score") === true && key !== undefined) scores.push({ key, score: value });
    else if (root?.startsWith("input") === true) put("inputs", key ?? "input", value);
    else if (root === "expected" || root === "reference")
      put("expected_outputs", key ?? "output", value);
    else if (root?.startsWith("output") === true) put("actual_outputs", key ?? "output", value);
    else if (name !== "") put("run_metadata", name, value);
  }
  return {
    ...Object.fromEntries([...groups].map(([group, entries]) => [group, inOrder([...entries])])),
    scores,
  };
}

/** Names that count or time a test or suite rather than rate it. */
const COUNTS =
  /(?:^|[._-])(?:id|line(?:no)?|column|seed|worker|retr(?:y|ies)|attempts?|duration|time|ms|seconds|tokens?|cost|count|pid|port|version|tests?|failures?|errors?|skipped|skips?|disabled|ignored|warnings|passed|assertions|name|classname|timestamp|package|status|result|flaky)$/i;
/** Properties of the JVM, written by Surefire, Ant and Eclipse. */
const OF_JVM = /^(?:sun|java|jdk|os|surefire|maven|(?:org\.)?(?:osgi|eclipse))\./;

/** Numbers of a test or suite among its attributes, and among the properties that no field reads. */
const unreadIn = (
  { attributes }: XmlElement,
  properties: readonly (readonly [name: string, value: string])[],
): string[] =>
  [...attributes, ...properties].flatMap(([name, value]) =>
    !OF_JVM.test(name) && !COUNTS.test(name) && isScore(value) ? [name] : [],
  );

function errorOf(failure: XmlElement | undefined, error: XmlElement): string {
  return failure === undefined
    ? wordsOf(error)
    : `${wordsOf(error)}; before that the test failed: ${wordsOf(failure)}`;
}

function toTest({ node, suite }: Case): ReportedTest {
  const { scores, ...properties } = propertiesOf(node);
  const { attributes, line } = node;
  const [classname, name] = [attributes.get("classname"), attributes.get("name") ?? ""];
  const { failure, error } = faultsOf(node);
  const seconds = secondsOf(node);
  return {
    ...{ name, classname, line, scores },
    suites: suite.names,
    file: attributes.get("file") ?? suite.file,
    passed: failure === undefined,
    reason: failure === undefined ? undefined : wordsOf(failure),
    crash: error === undefined ? undefined : errorOf(failure, error),
    row: {
      ...properties,
      rerun: suite.isPytest ? rerunPytest(classname, name) : undefined,
      run_name: classname ? `${classname}.${name}` : name,
      start_time: timeOf(suite.timestamp),
      duration_s: Number.isFinite(seconds) ? seconds : undefined,
      unread: unreadIn(node, Object.entries(properties.run_metadata ?? {})),
    },
  };
}

/** Tests after the one that was interrupted are missing from the file. */
const STOPPED =
  "the run was stopped in the middle of a test: those after it are in no score, and it makes no baseline unless you accept it";

const rerunWarnings = (count: number): string[] =>
  count === 0 ? [] : [`failed attempts that pytest ran again (the last one counts): ${count}`];

async function readTests(file: InputFile): Promise<TestReport> {
  const root = reportOf(file, (await readWhole(file, MAX_XML_BYTES)).toString("utf8"));
  const [top = root] = childrenOf(root, "testsuites");
  const name = top.attributes.get("name");
  const whole: Suite = {
    node: top,
    timestamp: top.attributes.get("timestamp"),
    names: [],
    file: undefined,
    isPytest: name === "pytest tests",
  };
  // Cases may be in the root itself: node:test writes those outside any describe there.
  const suites = [whole, ...suitesOf(whole)];
  const times = suites
    .flatMap(({ timestamp }) => timeOf(timestamp) ?? [])
    .sort((a, b) => parseInstant(a)!.us - parseInstant(b)!.us);
  let seen = 0;
  const all = suites.flatMap((suite) => {
    const cases = childrenOf(suite.node, "testcase").map((node): Case => ({ node, suite }));
    seen += cases.length;
    return lastAttempts(suite, cases);
  });
  const broken = suites.flatMap(brokenSuite);
  const run = [...all.filter(({ node }) => !wasSkipped(node)), ...broken];
  const isStopped = run.some(wasStopped);
  const { all: held, lost } = heldBy(whole);
  const [first, ...rest] = joinTeardowns(run.map(asStopped)).map(toTest);
  const unread = suites.flatMap(({ node }) => unreadIn(node, propertyList(node)));
  return {
    tests: first === undefined ? [] : [withUnread(first, unread), ...rest],
    skipped: all.length + broken.length - run.length,
    counted: [{ what: "tests", all: held + lost, held: { all: held, run: held } }],
    incomplete: isStopped ? [STOPPED] : [],
    started_at: times[0],
    suite: name !== undefined && name !== "" && name !== "pytest tests" ? name : undefined,
    warnings: rerunWarnings(seen - all.length),
    unread: "a property score.NAME of a test is read as a score",
  };
}

const withUnread = ({ row, ...test }: ReportedTest, more: readonly string[]): ReportedTest => ({
  ...test,
  row: { ...row, unread: [...more, ...(row.unread ?? [])] },
});

function reportOf(file: InputFile, text: string): XmlElement {
  const document = parseXml(file.name, text);
  if (childrenOf(document, "testsuites").length > 1)
    throw refusal(
      { file: file.name },
      "the file holds several reports, one after the other; give each as a file of its own",
    );
  const suite = dotnetSuite(document);
  if (suite !== null) return suite;
  if (!document.children.some(({ name }) => name === "testsuites" || name === "testsuite"))
    throw refusal(
      { file: file.name },
      "the XML has neither testsuites nor testsuite; JUnit reports are read, and those of NUnit, xUnit.net and dotnet test (TRX)",
    );
  return document;
}

/** JUnit XML of any runner. */
export const junitFormat: Format = {
  name: "junit",
  title: "JUnit, NUnit, xUnit.net and TRX XML",
  detect: (head) => head.container === "xml",
  open: (head) =>
    openTests(
      head,
      () => readTests(head.file),
      ({ classname = "", suites }, suite) => [classname, ...(suite === "" ? [] : suites)],
    ),
};
