import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { FORMATS } from "../../src/experiment/formats/registry.ts";
import { REFUSED, SHAPES } from "../../scripts/producers/table.mjs";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { readTexts, rowsOf } from "../experiment/read-text.ts";

/** Files that the tools themselves wrote, and what a reader that is not ours found in them (scripts/producers). */
const FOLDER = join(repositoryRoot, "__tests__/experiment/producers");
const { files: expected, table } = JSON.parse(
  readFileSync(join(FOLDER, "expected.json"), "utf8"),
) as {
  files: Record<
    string,
    {
      rows: number;
      errors: number;
      skipped: number;
      limits: number | null;
      metric: string;
      scores: Record<string, { sum: number; n: number }>;
    }
  >;
  table: {
    producer: string;
    rows: number;
    shared: number;
    examples: number;
    shuffled: boolean;
    crashed: string;
    means: number[];
  }[];
};
const RUNS = ["a", "b", "worse"] as const;
const tools = readdirSync(join(FOLDER, "files"));
/** The file of a run that the other reader looked into. */
const fileOf = (tool: string, run: string): string =>
  Object.keys(expected).find((path) => path.startsWith(`${tool}/${run}/`))!;
/** Numbers of the file's own that the other reader does not count. */
const BESIDE = new Set(["score"]);

/** All that a tool wrote in a run: some write more than one file. */
function filesIn(folder: string): Record<string, string | Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [
        name,
        readFileSync(join(folder, name), name.endsWith(".eval") ? null : "utf8"),
      ]),
  );
}

const readOf = async (path: string): ReturnType<typeof readTexts> =>
  readTexts(filesIn(join(FOLDER, "files", ...path.split("/").slice(0, 2))));

describe("files of real tools", () => {
  test.each(Object.keys(expected))(
    "%s: rows, errors, skips and scores match those of another reader",
    async (path) => {
      const { experiments, problems } = await readOf(path);
      expect([problems, experiments.length]).toEqual([[], 1]);
      const [experiment] = experiments;
      const { limits, metric: _, ...wanted } = expected[path]!;
      const found = Object.fromEntries(
        Object.entries(experiment!.scores)
          .filter(([key]) => !BESIDE.has(key))
          .map(([key, { mean, n }]) => [key, { sum: Number((mean * n).toFixed(6)), n }]),
      );
      const limited = (await rowsOf(experiment!)).filter(
        ({ body: { run_metadata } }) =>
          run_metadata?.["limit"] !== undefined ||
          run_metadata?.["termination_reason"] === "max_steps",
      );
      expect([limited.length, limited.filter(({ body }) => body.error !== undefined)]).toEqual([
        limits ?? 0,
        [],
      ]);
      const skipped = /(\d+) skipped/.exec(experiment!.warnings.join("\n"))?.[1] ?? "0";
      expect({
        rows: experiment!.rowCount,
        errors: experiment!.errorCount,
        skipped: Number(skipped),
        scores: found,
      }).toEqual(wanted);
    },
  );

  test.each(tools)("%s: two runs share every example", async (tool) => {
    const examples = await Promise.all(
      ["a", "b"].map(async (run) => {
        const { experiments } = await readOf(fileOf(tool, run));
        return (await rowsOf(experiments[0]!)).map(({ example, k }) => `${example} ${k}`).sort();
      }),
    );
    expect(examples[0]).toEqual(examples[1]);
    expect(new Set(examples[0]!.map((name) => name.split(" ")[0])).size).toBe(
      table.find(({ producer }) => producer === tool)!.examples,
    );
  });

  test("are listed in a table with a line for each tool, and every tool ran three times and in another order", () => {
    expect(table.map(({ producer }) => producer).sort()).toEqual([...tools].sort());
    expect(Object.keys(expected)).toHaveLength(tools.length * RUNS.length);
    for (const { producer, shared, examples, shuffled, crashed, means } of table)
      expect([producer, shared, shuffled, crashed !== "", means.length]).toEqual([
        producer,
        examples,
        true,
        true,
        RUNS.length,
      ]);
    for (const shape of Object.keys(SHAPES)) expect(tools).toContain(shape);
  });

  test("every format has a file of a tool", async () => {
    const read = await Promise.all(
      tools.map(async (tool) => (await readOf(fileOf(tool, "a"))).experiments[0]!.format),
    );
    const all = [...new Set([...read, "body", "rows", "mapping"])];
    expect(all.sort()).toEqual(FORMATS.map(({ name }) => name).sort());
  });

  test("are refused with the reason if they hold only averages", async () => {
    const folder = join(FOLDER, "refused");
    expect(readdirSync(folder)).toEqual(Object.keys(REFUSED));
    for (const tool of Object.keys(REFUSED))
      for (const run of RUNS) {
        const { problems } = await readTexts(filesIn(join(folder, tool, run)));
        expect(problems.map(({ message }) => message)).toEqual([
          expect.stringContaining("hold only averages"),
        ]);
      }
  });

  test.each(tools)(
    "%s: a real regression fails the gate, and an unchanged run does not",
    async (tool) => {
      const workspace = createTree();
      cpSync(join(FOLDER, "files", tool), workspace.path, { recursive: true });
      const { metric } = expected[fileOf(tool, "a")]!;
      const gate = async (run: string, ...more: string[]): Promise<number | null> =>
        (
          await runCli(["gate", `${run}/**`, "--gate", `${metric} drop <= 0.05`, ...more], {
            workspace,
          })
        ).code;
      expect(await gate("a", "--write-baseline", "baseline.json", "--accept-baseline")).toBe(0);
      expect([
        await gate("b", "--baseline", "baseline.json"),
        await gate("worse", "--baseline", "baseline.json"),
      ]).toEqual([0, 4]);
    },
  );
});
