import { XMLParser } from "fast-xml-parser";
import { own, ownString } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { readWhole, type InputFile } from "../input/input-file.ts";
import { parseInstant } from "../input/timestamp.ts";
import type { Format, Head, RowSource } from "./format.ts";
import {
  asStopped,
  attribute,
  brokenSuite,
  children,
  decode,
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
import { outcomeOf, testInputs, type PlacedTest } from "./tests.ts";
import { isScore } from "../input/scored.ts";
import { inOrder } from "../input/ordered-object.ts";

const MAX_XML_BYTES = 32 * 1024 * 1024;
const MAX_NESTING = 64;
const LISTS: readonly string[] = [
  "testsuite",
  "testcase",
  "property",
  "failure",
  "error",
  "skipped",
];

/** Ignores times in unknown spellings: a test's result must not be lost because of its time. */
function timeOf(text: string | undefined): string | undefined {
  return text !== undefined && parseInstant(text.trim()) !== null ? text.trim() : undefined;
}

/** The failure's message in the report. */
function wordsOf(node: unknown): string {
  const message = attribute(node, "message");
  const body = typeof node === "string" ? decode(node) : decode(ownString(node, "#text") ?? "");
  return (message ?? "") !== ""
    ? message!
    : body.trim().split("\n").slice(0, 20).join("\n") || "no message";
}

/** Sorts properties by name: scores, inputs, expected, output; the rest is metadata. */
function propertiesOf(testcase: unknown): Pick<
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
const READ_PROPERTY = /^(?:scores?\.|(?:inputs?|expected|reference|outputs?)(?:\.|$))/s;

/** Numbers of a test or suite that no field reads: its attributes, and properties with other names. */
function unreadIn(node: unknown, read: RegExp): string[] {
  const isLost = (name: string, value: string): boolean => !COUNTS.test(name) && isScore(value);
  const attributes = isObject(node)
    ? Object.keys(node).flatMap((key) =>
        key.startsWith("@") && isLost(key.slice(1), attribute(node, key.slice(1)) ?? "")
          ? [key.slice(1)]
          : [],
      )
    : [];
  const properties = propertyList(node).flatMap(([name, value]) =>
    !OF_JVM.test(name) && !read.test(name) && isLost(name, value) ? [name] : [],
  );
  return [...attributes, ...properties];
}

/** What crashed, and what had failed before. */
function errorOf(failure: unknown, error: unknown): string {
  return failure === undefined
    ? wordsOf(error)
    : `${wordsOf(error)}; before that the test failed: ${wordsOf(failure)}`;
}

function toRow(
  file: InputFile,
  { node: testcase, suite, line }: Case,
  named: { readonly inputs: Record<string, string>; readonly index: number },
): ReadRow {
  const { scores, ...properties } = propertiesOf(testcase);
  const [classname, name] = [attribute(testcase, "classname"), attribute(testcase, "name") ?? ""];
  const { failure, error } = faultsOf(testcase);
  const seconds = secondsOf(testcase);
  return {
    place: { file: file.name, line, index: named.index },
    ...properties,
    inputs: properties.inputs ?? named.inputs,
    ...outcomeOf(
      {
        passed: failure === undefined,
        reason: failure === undefined ? undefined : wordsOf(failure),
        crash: error === undefined ? undefined : errorOf(failure, error),
      },
      scores,
    ),
    run_name: classname ? `${classname}.${name}` : name,
    start_time: timeOf(suite.timestamp),
    duration_s: Number.isFinite(seconds) ? seconds : undefined,
  };
}

const placeOf = ({ node, suite }: Case): PlacedTest => ({
  name: attribute(node, "name") ?? "",
  classname: attribute(node, "classname"),
  suites: suite.names,
  file: attribute(node, "file") ?? suite.file,
});

/** Tests after the one that was interrupted are missing from the file. */
const STOPPED =
  "the run was stopped in the middle of a test: those after it are in no score, and it makes no baseline unless you accept it";

const rerunWarnings = (count: number): string[] =>
  count === 0 ? [] : [`failed attempts that pytest ran again (the last one counts): ${count}`];

function open({ file }: Head): RowSource {
  let header: FileHeader = { given: {} };
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const text = (await readWhole(file, MAX_XML_BYTES)).toString("utf8");
    const lines = scanTags(file, text);
    const root = parse(file, text);
    const top = own(root, "testsuites");
    const name = attribute(top, "name");
    const whole: Suite = {
      node: top ?? root,
      timestamp: attribute(top, "timestamp"),
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
      const cases = children(suite.node, "testcase").map(
        (node): Case => ({ node, suite, line: lines[seen++] ?? 1 }),
      );
      return lastAttempts(suite, cases);
    });
    const broken = suites.flatMap(brokenSuite);
    const run = [...all.filter(({ node }) => !wasSkipped(node)), ...broken];
    const isStopped = run.some(wasStopped);
    const cases = joinTeardowns(run.map(asStopped));
    const inputs = testInputs(cases.map(placeOf), ({ classname = "", suites }, suite) => [
      classname,
      ...(suite === "" ? [] : suites),
    ]);
    const { all: held, lost } = heldBy(whole);
    header = {
      given: {},
      skipped: all.length + broken.length - run.length,
      counted: [{ what: "tests", all: held + lost, held: { all: held, run: held } }],
      ...(isStopped ? { state: "incomplete" } : {}),
      started_at: times[0],
      suite: name !== undefined && name !== "" && name !== "pytest tests" ? name : undefined,
      warnings: [...(isStopped ? [STOPPED] : []), ...rerunWarnings(seen - all.length)],
      unread: "a property score.NAME of a test is read as a score",
    };
    const ofSuites = suites.flatMap(({ node }) => unreadIn(node, /^$/));
    yield cases.map((one, index) => ({
      ...toRow(file, one, { inputs: inputs[index]!, index }),
      unread: [...(index === 0 ? ofSuites : []), ...unreadIn(one.node, READ_PROPERTY)],
    }));
  }
  return { batches, header: () => header };
}

function parse(file: InputFile, text: string): unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    textNodeName: "#text",
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    maxNestedTags: MAX_NESTING,
    isArray: (name) => LISTS.includes(name),
  });
  let document: unknown;
  try {
    document = parser.parse(text);
  } catch {
    throw refusal(
      { file: file.name },
      "the XML cannot be read; the run that wrote it may have been killed",
    );
  }
  if (Array.isArray(own(document, "testsuites")))
    throw refusal(
      { file: file.name },
      "the file holds several reports, one after the other; give each as a file of its own",
    );
  const suite = dotnetSuite(document);
  if (suite !== null) return suite;
  if (
    !isObject(document) ||
    (own(document, "testsuites") === undefined && own(document, "testsuite") === undefined)
  )
    throw refusal(
      { file: file.name },
      "the XML has neither testsuites nor testsuite; JUnit reports are read, and those of NUnit, xUnit.net and dotnet test (TRX)",
    );
  return document;
}

const MAX_TAG_CHARS = 256 * 1024;
/** Sections to skip whole, whatever they contain. */
const PASSED_OVER: readonly (readonly [open: string, close: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];

/**
 * One pass before the parser, which is slow on hostile files: checks that tags match, nesting and
 * tag lengths are bounded, and there is no document type. Returns the lines where test cases
 * begin: first those in the root itself, then all others.
 */
function scanTags(file: InputFile, text: string): number[] {
  const lines: number[] = [];
  const rootLines: number[] = [];
  const open: string[] = [];
  let line = 1;
  /** The next line feed, searched for once, since a report may be a single line. */
  let feed = text.indexOf("\n");
  const refuse = (words: string): Error => refusal({ file: file.name, line }, words);
  const notWellFormed = "the XML is not well-formed; the run that wrote it may have been killed";
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    for (; feed >= 0 && feed < at; feed = text.indexOf("\n", feed + 1)) line += 1;
    const passed = PASSED_OVER.find(([start]) => text.startsWith(start, at));
    const end = passed === undefined ? endOfTag(text, at) : text.indexOf(passed[1], at);
    if (passed !== undefined && end >= 0) {
      at = end + passed[1].length;
      continue;
    }
    if (end < 0) throw refuse(notWellFormed);
    if (end - at > MAX_TAG_CHARS)
      throw refuse(`a tag is longer than ${MAX_TAG_CHARS / 1024} KiB; that is not a test`);
    if (text[at + 1] === "!")
      throw refuse(
        "the XML has a document type; JUnit reports have none, and entities are never expanded",
      );
    const name = /^\/?([^\s/>]*)/.exec(text.slice(at + 1, Math.min(end, at + 200)))![1]!;
    if (text[at + 1] === "/") {
      if (open.pop() !== name) throw refuse(notWellFormed);
    } else if (text[end - 1] !== "/" && open.push(name) > MAX_NESTING)
      throw refuse(`the XML nests deeper than ${MAX_NESTING} levels`);
    if (name === "testcase" && text[at + 1] !== "/")
      (open[text[end - 1] === "/" ? open.length - 1 : open.length - 2] === "testsuites"
        ? rootLines
        : lines
      ).push(line);
    at = end + 1;
  }
  if (open.length > 0) throw refuse(notWellFormed);
  return [...rootLines, ...lines];
}

/**
 * Position of the `>` that ends a tag, skipping quoted ones; -1 if there is none, and a position
 * beyond the limit if the tag is too long.
 */
function endOfTag(text: string, from: number): number {
  for (let at = from + 1; at < text.length && at - from <= MAX_TAG_CHARS + 1; ) {
    const char = text[at]!;
    if (char === ">") return at;
    if (char !== '"' && char !== "'") {
      at += 1;
      continue;
    }
    const close = text.indexOf(char, at + 1);
    if (close < 0) return -1;
    at = close + 1;
  }
  return from + MAX_TAG_CHARS + 2 < text.length ? from + MAX_TAG_CHARS + 2 : -1;
}

/** JUnit XML of any runner. */
export const junitFormat: Format = {
  name: "junit",
  title: "JUnit, NUnit, xUnit.net and TRX XML",
  detect: (head) => head.container === "xml",
  open,
};
