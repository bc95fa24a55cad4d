import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import { repositoryRoot } from "../support/tree.ts";
import { readTexts, rowsOf } from "./read-text.ts";
import { readZip, writeZip } from "./zip-writer.ts";

/** A score of somebody's own in a table, a test report or a log, where no tool has one. */
const KEY = "zz_quality";
const SCORE = "0.424242";

interface Sample {
  readonly name: string;
  readonly content: Buffer;
}

const PRODUCERS = join(repositoryRoot, "__tests__/experiment/producers/files");
const FIXTURES = join(repositoryRoot, "__tests__/experiment/fixtures");
const samples: Sample[] = [
  ...readdirSync(PRODUCERS).flatMap((tool) =>
    readdirSync(join(PRODUCERS, tool, "a"), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => ({
        name: `${tool}/${name}`,
        content: readFileSync(join(PRODUCERS, tool, "a", name)),
      })),
  ),
  ...readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, content: readFileSync(join(FIXTURES, name)) })),
  ...Object.values(FORMAT_EXAMPLES)
    .flat()
    .map(({ name, text }) => ({ name: `example ${name}`, content: Buffer.from(text) })),
];
const kind = (ending: string): (readonly [string, Sample])[] =>
  samples
    .filter(({ name }) => name.endsWith(ending))
    .map((sample) => [sample.name, sample] as const);

/** Whether the score went out with a row, or a warning names it. */
async function isToldOf(name: string, content: string | Buffer): Promise<boolean> {
  const { experiments, problems } = await readTexts({ [name.split("/").at(-1)!]: content });
  if (problems.length > 0) return true;
  const told = experiments.flatMap(({ warnings }) => warnings).join("\n");
  const scores = (await Promise.all(experiments.map(rowsOf)))
    .flat()
    .flatMap(({ body }) => body.evaluation_scores ?? []);
  return told.includes(KEY) || scores.some(({ score }) => score === Number(SCORE));
}

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe("a score that a reader does not know is sent or reported", () => {
  test.each(kind(".csv"))("in an extra column, at any position: %s", async (name, { content }) => {
    const records: string[][] = parse(content, { relax_column_count: true, bom: true });
    const lost: number[] = [];
    // promptfoo's columns mean something by their place: before the first output are variables, and Status follows an output.
    const status = records[0]!.indexOf("Status");
    for (let at = status + 1; at <= records[0]!.length; at += 1) {
      if (records[0]![at] === "Status") continue;
      const wider = records.map((cells, n) =>
        [...cells.slice(0, at), n === 0 ? KEY : SCORE, ...cells.slice(at)].map(cell).join(","),
      );
      if (!(await isToldOf(name, `${wider.join("\n")}\n`))) lost.push(at);
    }
    expect(lost).toEqual([]);
  });

  const PROPERTY = `<property name="${KEY}" value="${SCORE}"/>`;
  const XML: readonly (readonly [string, RegExp, string])[] = [
    ["an attribute of a test", /<testcase /, `<testcase ${KEY}="${SCORE}" `],
    ["an attribute of a suite", /<testsuite /, `<testsuite ${KEY}="${SCORE}" `],
    ["a property of a suite", /<testsuite\b[^>]*>/, `$&<properties>${PROPERTY}</properties>`],
    [
      "a property of a test",
      /<testcase\b([^>]*[^>/])(?:\/>|>(?:<properties>[\s\S]*?<\/properties>)?[\s\S]*?<\/testcase>)/,
      `<testcase$1><properties>${PROPERTY}</properties></testcase>`,
    ],
  ];
  test.each(
    kind(".xml").flatMap(([name, sample]) => XML.map((way) => [name, ...way, sample] as const)),
  )("%s: %s", async (name, _, pattern, replacement, { content }) => {
    const text = content.toString();
    const more = text.replace(pattern, replacement);
    if (!text.includes("<testsuite ") && pattern.source.startsWith("<testsuite")) return;
    expect(more).not.toBe(text);
    expect(await isToldOf(name, more)).toBe(true);
  });

  test.each(kind("epochs.eval"))("in a sample of a log: %s", async (name, { content }) => {
    const entries = await readZip(content);
    const more = entries.map((entry) =>
      entry.name.startsWith("samples/")
        ? {
            ...entry,
            content: Buffer.from(
              entry.content.toString().replace(/^\s*\{/, `{"${KEY}": ${SCORE},`),
            ),
          }
        : entry,
    );
    expect(await isToldOf(name, writeZip(more))).toBe(true);
  });

  test("in files of more than four producers of each kind", () => {
    expect(kind(".csv").length).toBeGreaterThan(4);
    expect(kind(".xml").length).toBeGreaterThan(4);
  });
});

describe("scores inside a trace", () => {
  test("DeepEval's metrics of spans are reported as not read, unless the test case has them as well", async () => {
    const name = "deepeval-test_run.json";
    const { experiments } = await readTexts({ [name]: readFileSync(join(FIXTURES, name), "utf8") });
    const told = experiments[0]!.warnings.find((line) => line.startsWith("numbers not read"));
    expect(told).toContain("trace.llmSpans[].metricsData[].score");
    expect(told).toContain("trace.agentSpans[].metricsData[].score");
    expect(told).not.toContain("trace.metricsData");
    expect(told).not.toMatch(/output|Token|threshold/);
  });
});
