import { withoutStamps } from "../input/identity.ts";
import { isNamedAfter, shortPaths } from "./test-file.ts";

/** What a report says about a test's place; suites from the outside in, as `plainSuite` returns them. */
export interface JunitPlace {
  readonly name: string;
  readonly classname: string | undefined;
  readonly suites: readonly string[];
  readonly file: string | undefined;
}

/** Names that runners give to a whole run. */
const WHOLE = /^(?:pytest(?: tests)?|(?:mocha|jest|vitest) tests|root suite)$/i;
const COUNTER =
  /(?:^|[\s_.#([-])(?:run|rerun|retry|attempt|try|repeat|repetition|iteration|trial|epoch)[\s_.#-]?\d{1,6}[)\]]?$/i;

/**
 * A suite's name without what a run makes up, since it may become part of identities: time stamps,
 * `run 2`, folders of the machine. Empty if nothing else is left.
 */
export function plainSuite(name: string): string {
  const last = /^(?:file:\/\/|[a-z]:)?[\\/]/i.test(name) ? name.split(/[\\/]/).at(-1)! : name;
  const plain = withoutStamps(last).replace(COUNTER, "").trim();
  return WHOLE.test(plain) ? "" : plain;
}

/** No class, or the `test` that node writes for every test. */
const isNoClass = (classname: string | undefined): boolean =>
  classname === undefined || classname === "" || classname === "test";

/**
 * What identifies each test in every run. In JUnit that is name and class, and nothing is added if
 * they suffice, so that a suite's name (which may contain a browser's version) changes no id.
 * Suites are added if the class says nothing, and if different suites have tests with the same
 * class and name, which would be taken for repeats. The file is added whenever the report has it
 * and neither class nor suite is named after it, for one file or many.
 */
export function junitInputs(tests: readonly JunitPlace[]): Record<string, string>[] {
  const keyOf = ({ classname, name }: JunitPlace): string => JSON.stringify([classname, name]);
  const around = new Map<string, Set<string>>();
  for (const test of tests) {
    const suites = around.get(keyOf(test)) ?? new Set();
    around.set(keyOf(test), suites.add(test.suites.join(" > ")));
  }
  const named = tests.map((test) => {
    const several = around.get(keyOf(test))!.size > 1;
    const suite = isNoClass(test.classname) || several ? test.suites.join(" > ") : "";
    return {
      test: test.name,
      ...(test.classname ? { classname: test.classname } : {}),
      ...(suite === "" ? {} : { suite }),
    };
  });
  const files = shortPaths(
    tests.map(({ classname = "", suites, file = "" }, n) => {
      const known = [classname, ...(named[n]!.suite === undefined ? [] : suites)];
      const isNamed = known.some((name) => isNamedAfter(name, file));
      return { key: JSON.stringify(named[n]), path: file, isNamed };
    }),
  );
  return named.map((inputs, n) =>
    files[n] === undefined ? inputs : { ...inputs, file: files[n] },
  );
}
