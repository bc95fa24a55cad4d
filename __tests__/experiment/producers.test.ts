import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { FORMATS } from "../../src/experiment/formats/registry.ts";
import { WITHOUT_FILES } from "../../scripts/producers/table.mjs";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { readTexts, rowsOf } from "./read-text.ts";

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
      scores: Record<string, { sum: number; n: number }>;
    }
  >;
  table: { producer: string; shared: number | null; examples: number; shuffled: boolean | null }[];
};
const filesOf = (tool: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(FOLDER, "files", tool)).map((variant) => [
      variant,
      `${tool}/${variant}/${readdirSync(join(FOLDER, "files", tool, variant))[0]!}`,
    ]),
  );
const tools = readdirSync(join(FOLDER, "files"));
const contentOf = (path: string): Buffer => readFileSync(join(FOLDER, "files", path));
/** Numbers of the file's own that the other reader does not count. */
const BESIDE = new Set(["score"]);

async function readOf(path: string): Promise<Awaited<ReturnType<typeof readTexts>>> {
  const content = contentOf(path);
  const name = path.split("/").at(-1)!;
  return readTexts({ [name]: name.endsWith(".eval") ? content : content.toString() });
}

describe("files of real tools", () => {
  test.each(Object.keys(expected))(
    "%s: rows, errors, skips and scores as the other reader found them",
    async (path) => {
      const { experiments, problems } = await readOf(path);
      expect(problems).toEqual([]);
      const [experiment] = experiments;
      const found = Object.fromEntries(
        Object.entries(experiment!.scores)
          .filter(([key]) => !BESIDE.has(key))
          .map(([key, { mean, n }]) => [key, { sum: Number((mean * n).toFixed(6)), n }]),
      );
      const skipped = /(\d+) skipped/.exec(experiment!.warnings.join("\n"))?.[1] ?? "0";
      expect({
        rows: experiment!.rowCount,
        errors: experiment!.errorCount,
        skipped: Number(skipped),
        scores: found,
      }).toEqual(expected[path]);
    },
  );

  test.each(tools.filter((tool) => "b" in filesOf(tool)))(
    "%s: two runs share every example",
    async (tool) => {
      const { a, b } = filesOf(tool);
      const examples = await Promise.all(
        [a!, b!].map(async (path) => {
          const { experiments } = await readOf(path);
          return (await rowsOf(experiments[0]!)).map(({ example, k }) => `${example} ${k}`).sort();
        }),
      );
      expect(examples[0]).toEqual(examples[1]);
    },
  );

  test("the table of them has no cell that is not known, and a tool that ran twice shares all its examples", () => {
    expect(table.map(({ producer }) => producer).sort()).toEqual([...tools].sort());
    for (const { shared, examples, shuffled } of table)
      expect([shared ?? examples, typeof shuffled]).toEqual([
        examples,
        shared === null ? "object" : "boolean",
      ]);
  });

  test("every format has a file of its tool, or is said to have none", async () => {
    const read = await Promise.all(
      tools.map(async (tool) => (await readOf(filesOf(tool)["a"]!)).experiments[0]!.format),
    );
    const told = [...new Set([...read, ...Object.keys(WITHOUT_FILES), "body", "rows", "mapping"])];
    expect(told.sort()).toEqual(FORMATS.map(({ name }) => name).sort());
  });

  test.each(tools.filter((tool) => "worse" in filesOf(tool)))(
    "%s: a real regression fails the gate, an unchanged run does not",
    async (tool) => {
      const { a, b, worse } = filesOf(tool);
      const workspace = createTree();
      const ending = a!.split(".").at(-1)!;
      const named = (name: string): string => `${name}.${ending}`;
      for (const [name, path] of Object.entries({ a, b, worse }))
        writeFileSync(
          join(workspace.path, named(name)),
          // Two runs can come out equal to the byte, and a run is never compared with itself.
          Buffer.concat([
            contentOf(path!),
            Buffer.from(name === "b" && ending === "json" ? "\n" : ""),
          ]),
        );
      const metric = [
        "exact",
        "Exact",
        "exact_match",
        "accuracy",
        "response_match_score",
        "exact.exact",
        "pass",
      ].find((key) => expected[a!]!.scores[key] !== undefined)!;
      const gate = async (head: string): Promise<number | null> =>
        (
          await runCli(
            ["gate", named(head), "--baseline", named("a"), "--gate", `${metric} drop <= 0.05`],
            { workspace },
          )
        ).code;
      expect([await gate("b"), await gate("worse")]).toEqual([0, 4]);
    },
  );
});
