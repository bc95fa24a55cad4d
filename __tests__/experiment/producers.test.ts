import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { readTexts, rowsOf } from "./read-text.ts";

/** Files that the tools themselves wrote, and what a reader that is not ours found in them (scripts/producers). */
const FOLDER = join(repositoryRoot, "__tests__/experiment/producers");
const expected = JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")) as Record<
  string,
  {
    rows: number;
    errors: number;
    scores: Record<string, { sum: number; n: number }>;
  }
>;
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
    "%s: rows, errors and scores as the other reader found them",
    async (path) => {
      const { experiments, problems } = await readOf(path);
      expect(problems).toEqual([]);
      const [experiment] = experiments;
      const found = Object.fromEntries(
        Object.entries(experiment!.scores)
          .filter(([key]) => !BESIDE.has(key))
          .map(([key, { mean, n }]) => [key, { sum: Number((mean * n).toFixed(6)), n }]),
      );
      expect({ rows: experiment!.rowCount, errors: experiment!.errorCount, scores: found }).toEqual(
        expected[path],
      );
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
      const metric = ["exact", "Exact", "accuracy", "pass"].find(
        (key) => expected[a!]!.scores[key] !== undefined,
      )!;
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
