import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { toSeeds } from "../../scripts/fuzz-corpus.mjs";
import { ENV, SAMPLES } from "../../scripts/fuzz-samples.mjs";
import { createSurfaces } from "../../scripts/fuzz-surfaces.mjs";
import { readFiles } from "../../src/experiment/experiment.ts";
import { memoryFile } from "../experiment/memory-file.ts";
import { parseBaseline } from "../../src/gate/baseline-reading.ts";
import { parseGates } from "../../src/gate/language.ts";
import { parseReport } from "../../src/report/report-file.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import { cpuMs } from "../support/busy.ts";
import { repositoryRoot } from "../support/tree.ts";

// A small budget of what `npm run fuzz -- --runs N` does at length. The seed is fixed, so that a red run is red again.
const RUNS = 40;
const SEED = 20_260_101;
const load = (path: string): Promise<unknown> => import(`../../src/${path}.ts`);
const surfaces = await createSurfaces(
  load,
  toSeeds((await createSurfaces(load)).map(({ name }) => name)),
);

test.each(surfaces.map(({ name }) => name))("no input crashes or hangs: %s", async (name) => {
  const { arbitrary, check } = surfaces.find((surface) => surface.name === name)!;
  let slowestMs = 0;
  const result = await fc.check(
    fc.asyncProperty(arbitrary, async (input) => {
      const begin = cpuMs();
      await check(input);
      slowestMs = Math.max(slowestMs, cpuMs() - begin);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect({
    error: result.failed ? String(result.errorInstance) : "",
    input: result.failed ? fc.stringify(result.counterexample) : "",
  }).toEqual({ error: "", input: "" });
  expect(slowestMs).toBeLessThan(5_000);
});

test("the inputs that mutations start from are valid, so that mutants get past the first check", async () => {
  expect(
    SAMPLES.specs.flatMap((text) =>
      parseSpec({ files: [{ path: "a.yml", text }], env: ENV, mode: "apply" })
        .problems.filter(({ level }) => level === "error")
        .map(({ message }) => message),
    ),
  ).toEqual([]);
  expect(SAMPLES.gates.map((text) => parseGates({ text, file: "g" }).state)).toEqual(
    SAMPLES.gates.map(() => "parsed"),
  );
  expect(parseBaseline(SAMPLES.baseline, "b").state).toBe("parsed");
  expect(parseReport(SAMPLES.report, "r")).toHaveProperty("report");
  const { experiments, problems } = await readFiles(
    [memoryFile("log.eval", SAMPLES.evalLog())],
    {},
  );
  expect([experiments.map(({ rowCount }) => rowCount), problems]).toEqual([[1], []]);
});

test("contributing/fuzzing.md lists every surface with the number of inputs tried, and no crash, leak, escape or hang", () => {
  const page = join(repositoryRoot, "contributing/fuzzing.md");
  expect(existsSync(page)).toBe(true);
  const text = readFileSync(page, "utf8");
  for (const { name } of surfaces)
    expect(text).toMatch(
      new RegExp(
        `^\\| ${name.replace(/[()./]/g, "\\$&")} \\| [\\d,]{5,} \\| 0 \\| 0 \\| 0 \\| 0 \\|`,
        "m",
      ),
    );
});
