import { isObject } from "../../model/json.ts";
import { own } from "../input/lenient-json.ts";
import { attribute, children, endOf } from "./junit-cases.ts";

const MAX_DEPTH = 64;

/** Every element with a name below a value, at any depth, in the order of the parsed document. */
function elementsBelow(value: unknown, name: string, depth = 0): unknown[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => elementsBelow(one, name, depth + 1));
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) =>
    key === name ? children(value, name) : elementsBelow(value[key], name, depth + 1),
  );
}

/** A test as a `testcase` of JUnit. */
interface Test {
  readonly node: unknown;
  readonly name: string;
  readonly classname: string | undefined;
  readonly ended: string;
  readonly seconds: string | undefined;
  readonly message: string;
}

function toCase({ node, name, classname, ended, seconds, message }: Test): object {
  const element = endOf(ended);
  const properties = children(own(node, "properties"), "property");
  return {
    "@name": name,
    ...(classname === undefined ? {} : { "@classname": classname }),
    ...(seconds === undefined ? {} : { "@time": seconds }),
    ...(properties.length === 0 ? {} : { properties: { property: properties } }),
    ...(element === undefined ? {} : { [element]: [{ "@message": message }] }),
  };
}

/** The text of an element, in either form that the parser produces. */
const textOf = (value: unknown): string => {
  const text = isObject(value) ? own(value, "#text") : value;
  return typeof text === "string" ? text.trim() : "";
};

/** NUnit 2 and 3: an exception thrown in a test is a failure with the label Error. */
function nunitTest(node: unknown): Test {
  const name = attribute(node, "name") ?? "";
  const label = attribute(node, "label") ?? "";
  const ended = attribute(node, "result") ?? "";
  const [failure] = children(node, "failure");
  return {
    node,
    name,
    classname: attribute(node, "classname"),
    ended: /^fail/i.test(ended) && endOf(label) === "error" ? label : ended,
    seconds: attribute(node, "duration") ?? attribute(node, "time"),
    message: textOf(own(failure, "message")),
  };
}

function xunitTest(node: unknown): Test {
  const [failure] = children(node, "failure");
  return {
    node,
    name: attribute(node, "name") ?? "",
    classname: attribute(node, "type"),
    ended: attribute(node, "result") ?? "",
    seconds: attribute(node, "time"),
    message: textOf(own(failure, "message")),
  };
}

/** Converts `00:00:01.5000000` to seconds. */
function secondsOf(duration: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):([\d.]+)$/.exec(duration ?? "") ?? [];
  if (seconds === undefined) return undefined;
  return String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

function trxTests(run: unknown): Test[] {
  const classes = new Map(
    elementsBelow(own(run, "TestDefinitions"), "UnitTest").map((test) => [
      attribute(test, "id"),
      attribute(own(test, "TestMethod"), "className"),
    ]),
  );
  return elementsBelow(own(run, "Results"), "UnitTestResult").map((node) => ({
    node,
    name: attribute(node, "testName") ?? "",
    classname: classes.get(attribute(node, "testId")),
    ended: attribute(node, "outcome") ?? "",
    seconds: secondsOf(attribute(node, "duration")),
    message: textOf(own(own(own(node, "Output"), "ErrorInfo"), "Message")),
  }));
}

/** A report of NUnit, xUnit.net or `dotnet test` (TRX) as a JUnit suite; null for anything else. */
export function dotnetSuite(document: unknown): object | null {
  const nunit = own(document, "test-run") ?? own(document, "test-results");
  const xunit = own(document, "assemblies") ?? own(document, "assembly");
  const trx = own(document, "TestRun");
  const tests = [
    ...elementsBelow(nunit, "test-case").map(nunitTest),
    ...elementsBelow(xunit, "test").map(xunitTest),
    ...(trx === undefined ? [] : trxTests(trx)),
  ];
  if ((nunit ?? xunit ?? trx) === undefined) return null;
  return { testsuites: { testsuite: [{ testcase: tests.map(toCase) }] } };
}
