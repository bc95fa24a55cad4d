import type { FormatPage } from "./page.ts";

/** JUnit XML: a file that holds all of it, and what readers must know. */
export const junitPage: FormatPage = {
  examples: [
    {
      name: "junit.xml",
      text: `<testsuites><testsuite name="s" timestamp="2026-01-01T00:00:00Z"><testcase classname="c" name="t" time="0.5"><properties><property name="inputs.q" value="a"/><property name="expected" value="b"/><property name="output" value="c"/><property name="score.m" value="1"/><property name="other" value="d"/></properties></testcase><testcase name="u"><error message="e"/></testcase></testsuite></testsuites>`,
    },
  ],
  notes: [
    "NUnit, xUnit.net and TRX reports are read too: a test of theirs is a test case, inconclusive ones are skipped.",
    "Held whole in memory, some ten times its size: at most 32 MiB, or 60,000 tests.",
    "Good enough for a gate, thin in the comparison view: a test's inputs are its name and class unless it records properties.",
    "A test that failed and whose teardown broke, which pytest writes twice, is one row: an error.",
    "Properties `inputs.<name>`, `expected`, `output`, `score.<key>` become fields; others go to run_metadata.",
  ],
};
