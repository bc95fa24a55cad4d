import { endOf } from "./junit-cases.ts";
import { childrenOf, toElement, type XmlElement } from "./xml.ts";

/** Every element with a name below another, at any depth, but not within one of that name. */
const elementsBelow = (around: XmlElement | undefined, name: string): readonly XmlElement[] =>
  (around?.children ?? []).flatMap((child) =>
    child.name === name ? [child] : elementsBelow(child, name),
  );

/** A test as a `testcase` of JUnit. */
interface Test {
  readonly node: XmlElement;
  readonly name: string;
  readonly classname: string | undefined;
  readonly ended: string;
  readonly seconds: string | undefined;
  readonly message: string;
}

function toCase({ node, name, classname, ended, seconds, message }: Test): XmlElement {
  const element = endOf(ended);
  const attributes = {
    name,
    ...(classname === undefined ? {} : { classname }),
    ...(seconds === undefined ? {} : { time: seconds }),
  };
  return {
    ...toElement("testcase", attributes, [
      ...childrenOf(node, "properties"),
      ...(element === undefined ? [] : [toElement(element, { message })]),
    ]),
    line: node.line,
  };
}

/** The text below a test at a path of names. */
const textAt = (node: XmlElement, ...path: readonly string[]): string =>
  path.reduce<XmlElement | undefined>((at, name) => childrenOf(at, name)[0], node)?.text ?? "";

/** NUnit 2 and 3: an exception thrown in a test is a failure with the label Error. */
function nunitTest(node: XmlElement): Test {
  const name = node.attributes.get("name") ?? "";
  const label = node.attributes.get("label") ?? "";
  const ended = node.attributes.get("result") ?? "";
  return {
    node,
    name,
    classname: node.attributes.get("classname"),
    ended: /^fail/i.test(ended) && endOf(label) === "error" ? label : ended,
    seconds: node.attributes.get("duration") ?? node.attributes.get("time"),
    message: textAt(node, "failure", "message"),
  };
}

function xunitTest(node: XmlElement): Test {
  return {
    node,
    name: node.attributes.get("name") ?? "",
    classname: node.attributes.get("type"),
    ended: node.attributes.get("result") ?? "",
    seconds: node.attributes.get("time"),
    message: textAt(node, "failure", "message"),
  };
}

/** Converts `00:00:01.5000000` to seconds. */
function secondsOf(duration: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):([\d.]+)$/.exec(duration ?? "") ?? [];
  if (seconds === undefined) return undefined;
  return String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

function trxTests(run: XmlElement): Test[] {
  const classes = new Map(
    elementsBelow(childrenOf(run, "TestDefinitions")[0], "UnitTest").map((test) => [
      test.attributes.get("id"),
      childrenOf(test, "TestMethod")[0]?.attributes.get("className"),
    ]),
  );
  return elementsBelow(childrenOf(run, "Results")[0], "UnitTestResult").map((node) => ({
    node,
    name: node.attributes.get("testName") ?? "",
    classname: classes.get(node.attributes.get("testId")),
    ended: node.attributes.get("outcome") ?? "",
    seconds: secondsOf(node.attributes.get("duration")),
    message: textAt(node, "Output", "ErrorInfo", "Message"),
  }));
}

/** A report of NUnit, xUnit.net or `dotnet test` (TRX) as a JUnit suite; null for anything else. */
export function dotnetSuite(document: XmlElement): XmlElement | null {
  const rootOf = (...names: readonly string[]): XmlElement | undefined =>
    document.children.find(({ name }) => names.includes(name));
  const nunit = rootOf("test-run", "test-results");
  const xunit = rootOf("assemblies", "assembly");
  const trx = rootOf("TestRun");
  if ((nunit ?? xunit ?? trx) === undefined) return null;
  const tests = [
    ...elementsBelow(nunit, "test-case").map(nunitTest),
    ...elementsBelow(xunit, "test").map(xunitTest),
    ...(trx === undefined ? [] : trxTests(trx)),
  ];
  return toElement("", {}, [toElement("testsuite", {}, tests.map(toCase))]);
}
