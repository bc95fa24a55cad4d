import { withoutStamps } from "../input/identity.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import type { Head, RowSource } from "./format.ts";

/** What a format knows of one result: where it is, how it ended, and what becomes of it. */
export interface ReportedTest {
  readonly name: string;
  readonly classname?: string | undefined;
  /** From the outside in. */
  readonly suites: readonly string[];
  readonly file: string | undefined;
  readonly passed: boolean;
  /** Why it failed. */
  readonly reason?: string | undefined;
  /** An error without a mark. */
  readonly crash?: string | undefined;
  /** It is no row, but may share its name with others. */
  readonly isSkipped?: boolean;
  /** What it was asked, in addition to its name. */
  readonly input?: unknown;
  readonly scores?: readonly unknown[];
  readonly line?: number;
  /** Joins it to LangSmith's side file. */
  readonly id?: string | undefined;
  /** What vitest-evals stores with it. */
  readonly meta?: unknown;
  /** What the report says about it besides. */
  readonly row: Partial<ReadRow>;
}

/** The tests of a report, and what it says about the run. */
export interface TestReport extends FileHeader {
  readonly tests: readonly ReportedTest[];
}

/** No class, or the `test` that node writes for every test. */
const isNoClass = (classname: string | undefined): boolean =>
  classname === undefined || classname === "" || classname === "test";

/**
 * What identifies each test in every run: name and class if there is one, and nothing is added if
 * they suffice, so that a suite's name (which may contain a browser's version) changes no id.
 * Suites are added if the class says nothing, and if different suites have tests with the same
 * class and name, which would be taken for repeats. The file is added whenever the report has it
 * and none of the names of `namedAfter` is that of the file, for one file or many.
 */
function testInputs(
  tests: readonly ReportedTest[],
  namedAfter: (test: ReportedTest, suite: string) => readonly string[],
): Record<string, string>[] {
  const keyOf = ({ classname, name }: ReportedTest): string => JSON.stringify([classname, name]);
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
    tests.map((test, n) => {
      const { file: path = "" } = test;
      const names = namedAfter(test, named[n]!.suite ?? "");
      const isNamed = names.some((name) => isNamedAfter(name, path));
      return { key: JSON.stringify(named[n]), path, isNamed };
    }),
  );
  return named.map((inputs, n) =>
    files[n] === undefined ? inputs : { ...inputs, file: files[n] },
  );
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

/** How many folders are used to distinguish two files of one name: a hostile report's path may have millions. */
const MAX_FOLDERS = 40;

/** A path's last parts, from any system: folders, then the file's name. */
const partsOf = (path: string): string[] =>
  path
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== ".")
    .slice(-MAX_FOLDERS);

/** How many parts it takes until no two of the paths end alike. */
function depthOf(paths: readonly (readonly string[])[]): number {
  const most = Math.max(...paths.map(({ length }) => length));
  for (let depth = 1; depth < most; depth += 1)
    if (new Set(paths.map((parts) => parts.slice(-depth).join("/"))).size === paths.length)
      return depth;
  return most;
}

interface FiledTest {
  /** The rest of the test's identity, as text. */
  readonly key: string;
  readonly path: string;
  /** Whether `key` already names the file. */
  readonly isNamed: boolean;
}

/**
 * The file of each test for its identity: only its name, since runners write the paths of their
 * machine. The name is always included, so that a second file changes no id of the first. Folders
 * precede it only if the report has another test with the same `key` in another file of that name:
 * as many as distinguish them. A path relative to the checkout would differ whenever tests ran in
 * a container or the report is read on another machine.
 */
function shortPaths(tests: readonly FiledTest[]): (string | undefined)[] {
  const groups = new Map<string, Map<string, readonly string[]>>();
  const placed = tests.map(({ key, path, isNamed }) => {
    const parts = partsOf(path);
    if (parts.length === 0) return undefined;
    const alike = JSON.stringify([key, parts.at(-1)]);
    const paths = groups.get(alike) ?? new Map<string, readonly string[]>();
    groups.set(alike, paths.set(parts.join("/"), parts));
    return { alike, parts, isNamed };
  });
  const depths = new Map(
    [...groups].map(([alike, paths]) => [alike, depthOf([...paths.values()])]),
  );
  return placed.map((found) =>
    found === undefined || (found.isNamed && groups.get(found.alike)!.size === 1)
      ? undefined
      : found.parts.slice(-depths.get(found.alike)!).join("/"),
  );
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a class, module or suite is named after the file, as in pytest and vitest: then the file adds nothing. */
function isNamedAfter(name: string, path: string): boolean {
  const base = partsOf(path).at(-1) ?? "";
  const spellings = new Set(
    [base, base.replace(/\.[^.]*$/, ""), base.replace(/\..*$/s, "")].map(plain),
  );
  return [name, ...name.split(/[\\/]/).slice(-1), ...name.split(/[\\/.:$]+/)].some(
    (part) => part !== "" && spellings.has(plain(part)),
  );
}

/** The scores of a test with its own mark, and its error. */
export function outcomeOf(
  { passed, reason, crash }: ReportedTest,
  scores: readonly unknown[] = [],
): Pick<ReadRow, "evaluation_scores" | "error"> {
  if (crash !== undefined) return { evaluation_scores: scores, error: crash };
  const mark = { key: "pass", score: Number(passed), comment: reason };
  return { evaluation_scores: [...scores, mark] };
}

/** What becomes of a result, with the result itself for what a format adds from it. */
export interface TestRow {
  readonly test: ReportedTest;
  readonly row: Omit<ReadRow, "place">;
}

/** Leaves out what was skipped, after names were chosen: a skipped one may share its name. */
export function toTestRows(
  tests: readonly ReportedTest[],
  namedAfter: Parameters<typeof testInputs>[1] = () => [],
): TestRow[] {
  const named = testInputs(tests, namedAfter);
  return tests.flatMap((test, n) => {
    const inputs = test.input == null ? named[n] : { ...named[n], input: test.input };
    const row = { inputs, ...outcomeOf(test, test.scores), ...test.row };
    return test.isSkipped === true ? [] : [{ test, row }];
  });
}

/** Opens a report as rows. */
export function openTests(
  { name: file }: Head,
  read: () => Promise<TestReport>,
  namedAfter?: Parameters<typeof testInputs>[1],
): RowSource {
  let header: FileHeader = {};
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const { tests, ...facts } = await read();
    header = facts;
    yield toTestRows(tests, namedAfter).map(({ test, row }, index) => ({
      place: { file, index, line: test.line ?? 0 },
      ...row,
    }));
  }
  return { batches, header: () => header };
}
