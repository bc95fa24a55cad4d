import { endOf } from "./junit-cases.ts";
import { childrenOf, toElement, type XmlElement } from "./xml.ts";

/** Every element with a name below another, at any depth, but not within one of that name. */
const elementsBelow = (around: XmlElement | undefined, name: string): readonly XmlElement[] =>
  (around?.children ?? []).flatMap((child) =>
    child.name === name ? [child] : elementsBelow(child, name),
  );

const textAt = (node: XmlElement, ...path: readonly string[]): string =>
  path.reduce<XmlElement | undefined>((at, name) => childrenOf(at, name)[0], node)?.text ?? "";

/** A test as a `testcase` of JUnit; `told` is what its runner writes in its own way. */
function toCase(
  node: XmlElement,
  told: {
    readonly ended: string | undefined;
    readonly classname: string | undefined;
    readonly time: string | undefined;
    readonly name?: string | undefined;
    readonly message?: string;
  },
): XmlElement {
  const { ended = "", message = textAt(node, "failure", "message") } = told;
  const { name = node.attributes.get("name") ?? "", classname, time } = told;
  const element = endOf(ended);
  return {
    ...toElement("testcase", { name, classname, time }, [
      ...childrenOf(node, "properties"),
      ...(element === undefined ? [] : [toElement(element, { message })]),
    ]),
    line: node.line,
  };
}

/** NUnit 2 and 3: an exception thrown in a test is a failure with the label Error. */
function nunitCase(node: XmlElement): XmlElement {
  const { attributes } = node;
  const [ended = "", label = ""] = ["result", "label"].map((name) => attributes.get(name));
  return toCase(node, {
    ended: /^fail/i.test(ended) && endOf(label) === "error" ? label : ended,
    classname: attributes.get("classname"),
    time: attributes.get("duration") ?? attributes.get("time"),
  });
}

const xunitCase = (node: XmlElement): XmlElement =>
  toCase(node, {
    ended: node.attributes.get("result"),
    classname: node.attributes.get("type"),
    time: node.attributes.get("time"),
  });

/** Converts `00:00:01.5000000` to seconds. */
function secondsOf(duration: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):([\d.]+)$/.exec(duration ?? "") ?? [];
  if (seconds === undefined) return undefined;
  return String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

function trxCases(run: XmlElement | undefined): XmlElement[] {
  const classes = new Map(
    elementsBelow(childrenOf(run, "TestDefinitions")[0], "UnitTest").map((test) => [
      test.attributes.get("id"),
      childrenOf(test, "TestMethod")[0]?.attributes.get("className"),
    ]),
  );
  return elementsBelow(childrenOf(run, "Results")[0], "UnitTestResult").map((node) =>
    toCase(node, {
      ended: node.attributes.get("outcome"),
      classname: classes.get(node.attributes.get("testId")),
      time: secondsOf(node.attributes.get("duration")),
      name: node.attributes.get("testName") ?? "",
      message: textAt(node, "Output", "ErrorInfo", "Message"),
    }),
  );
}

/** A report of NUnit, xUnit.net or `dotnet test` (TRX) as a JUnit suite; null for anything else. */
export function dotnetSuite(document: XmlElement): XmlElement | null {
  const rootOf = (...names: readonly string[]): XmlElement | undefined =>
    document.children.find(({ name }) => names.includes(name));
  const nunit = rootOf("test-run", "test-results");
  const xunit = rootOf("assemblies", "assembly");
  const trx = rootOf("TestRun");
  if ((nunit ?? xunit ?? trx) === undefined) return null;
  const cases = [
    ...elementsBelow(nunit, "test-case").map(nunitCase),
    ...elementsBelow(xunit, "test").map(xunitCase),
    ...trxCases(trx),
  ];
  return toElement("", {}, [toElement("testsuite", {}, cases)]);
}
