import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readCorpus } from "../../scripts/fuzz-corpus.mjs";
import { createSurfaces, folderOf } from "../../scripts/fuzz-surfaces.mjs";
import { runAction } from "../support/action-run.ts";
import { cpuMs } from "../support/busy.ts";
import { runCli } from "../support/cli-run.ts";
import type { Finished } from "../support/child.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { shownLog } from "../support/leak-guard.ts";
import { createTree } from "../support/tree.ts";

// The kept corpus: hostile files written by hand for each surface, and what fuzzing found. Each is met twice: by the code of its
// surface, which must keep its promises, and, where a file of that kind has a way in, by the program itself, which must answer.
const LIMIT_MS = 5_000;
/** Of a process next to three others, on a machine that may have more to do: what hangs, hangs for good. */
const STUCK_MS = 60_000;
const TEST_MS = 240_000;
const corpus = readCorpus();
type Kept = (typeof corpus)[number];
const surfaces = await createSurfaces((path: string) => import(`../../src/${path}.ts`));
const filesOf = (folder: string): readonly Kept[] =>
  corpus.filter((kept) => kept.folder === folder);

test("every surface has kept inputs, and every folder of the corpus belongs to a surface", () => {
  expect([...new Set(corpus.map(({ folder }) => folder))].sort()).toEqual(
    surfaces.map(({ name }) => folderOf(name)).sort(),
  );
  console.log(`${corpus.length} kept files over ${surfaces.length} surfaces`);
});

test.each(surfaces.map((surface) => [surface.name, surface] as const))(
  "kept inputs break no promise: %s",
  async (name, { inputs, check }) => {
    for (const { file, bytes } of filesOf(folderOf(name))) {
      for (const input of inputs(bytes)) {
        const begin = cpuMs();
        const broken = await check(input).then(
          () => "",
          (error: unknown) => String((error as Error).stack),
        );
        expect([file, broken]).toEqual([file, ""]);
        expect(cpuMs() - begin).toBeLessThan(LIMIT_MS);
      }
    }
  },
);

/** A process for each file takes minutes: here one file in so many has its own, at night (CORPUS=all) each. */
const EACH = process.env["CORPUS"] === "all" ? 1 : 3;

/** A value that no answer may hold, in every variable a spec of the corpus asks for. */
const SECRET = "corpus-secret-value-0123";
const ROWS = JSON.stringify([
  { inputs: { q: 1 }, actual_outputs: { a: 1 }, evaluation_scores: [{ key: "m", score: 1 }] },
]);
const ENVIRONMENT = { A: SECRET, B: SECRET, C: SECRET, MIN: "1" };

/** How a file of a surface comes to the program, by the surface's folder. */
const WAYS_IN: Readonly<Record<string, (file: string) => readonly string[]>> = {
  spec: (file) => ["validate", file],
  "mapping-file": (file) => ["gate", "rows.json", "--gate", "m >= 0.01", "--mapping", file],
  "gate-grammar": (file) => ["gate", "rows.json", "--gate", file],
  "baseline-file": (file) => ["gate", "rows.json", "--gate", "m drop <= 0.9", "--baseline", file],
  "report-file": (file) => ["report", file],
  ...Object.fromEntries(
    surfaces
      .map(({ name }) => folderOf(name))
      .filter((folder) => folder.startsWith("reader-"))
      .map((folder) => [folder, (file: string) => ["gate", file, "--gate", "m >= 0.01"]]),
  ),
};

/**
 * What was wrong with how the program answered; empty for an exit code of ours and a readable
 * line, in time, with no stack trace, no secret and nothing that a terminal obeys.
 */
function faultsOf(
  { code, stdout, stderr }: Finished,
  ms: number,
  entryPoint: "cli" | "action",
): string[] {
  const said = stdout + stderr;
  const faults: readonly (readonly [wrong: boolean, what: string])[] = [
    [![0, 1, 2, 3, 4].includes(code ?? -1), `exit code ${code}`],
    [said.trim() === "", "nothing was said"],
    [
      /\n\s+at .*[:(]|node:internal|TypeError|RangeError|ReferenceError|Maximum call stack|is not (?:a function|iterable)/.test(
        said,
      ),
      "a stack trace, or words of the runtime",
    ],
    [
      /^\s*::|##\[/m.test(stderr + (entryPoint === "cli" ? stdout : "")),
      "a line that the runner takes for a command",
    ],
    [
      /[\u001b\u202e\u2066\u0007]/.test(entryPoint === "cli" ? said : ""),
      "characters that a terminal obeys",
    ],
    [said.includes(SECRET), "a secret"],
    [ms > STUCK_MS, `${ms} ms`],
  ];
  return faults.filter(([wrong]) => wrong).map(([, what]) => `${what}: ${said.slice(0, 500)}`);
}

/** Four at a time: more would only wait for each other. */
async function inFours<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += 4)
    done.push(...(await Promise.all(items.slice(at, at + 4).map(run))));
  return done;
}

async function timed(
  run: Promise<Finished>,
  entryPoint: "cli" | "action" = "cli",
): Promise<{ readonly faults: string[]; readonly run: Finished }> {
  const begin = performance.now();
  const finished = await run;
  return { faults: faultsOf(finished, performance.now() - begin, entryPoint), run: finished };
}

describe.each(Object.entries(WAYS_IN))("the program on kept files of %s", (folder, wayIn) => {
  test(
    "gives a clear answer, and writes no other file",
    async () => {
      const workspace = createTree({ "work/rows.json": ROWS, "evil.json": "untouched" });
      const work = { ...workspace, path: join(workspace.path, "work") };
      const files = filesOf(folder).filter((_, at) => at % EACH === 0);
      expect(files.length).toBeGreaterThan(0);
      for (const { file, bytes } of files) writeFileSync(join(work.path, file), bytes);
      const listing = (): readonly string[] =>
        readdirSync(workspace.path, { recursive: true, encoding: "utf8" }).sort();
      const before = listing();
      const answers = await inFours(files, async ({ file }) => ({
        file,
        ...(await timed(runCli(wayIn(file), { workspace: work, env: ENVIRONMENT }))),
      }));
      if (process.env["SHOW_ANSWERS"] !== undefined)
        console.log(
          answers
            .map(
              ({ file, run: { code, stderr, stdout } }) =>
                `${folder}/${file}: ${code}: ${(stderr + stdout)
                  .split("\n")
                  .filter((line) => /error|fail|pass|valid/i.test(line))
                  .slice(0, 2)
                  .join(" / ")
                  .slice(0, 240)}`,
            )
            .join("\n"),
        );
      expect(
        answers.filter(({ faults }) => faults.length > 0).map(({ file, faults }) => [file, faults]),
      ).toEqual([]);
      expect([listing(), workspace.read("evil.json")]).toEqual([before, "untouched"]);
    },
    TEST_MS,
  );
});

describe("the Action", () => {
  test.each(["pull_request_target", "workflow_run", "issue_comment"])(
    "refuses each kept payload of %s with the reason and no write, or uploads if it is trusted",
    async (name) => {
      const workspace = createTree({ "rows.json": ROWS });
      const emulator = await startTestEmulator();
      const refused = await inFours(filesOf("event-payload"), async ({ file, bytes }) => {
        const inputs = {
          ...emulator.inputs,
          command: "upload",
          experiment: "rows.json",
          "api-key": SECRET,
        };
        const { faults, run } = await timed(
          runAction(inputs, {
            workspace,
            event: { name, payload: JSON.parse(bytes.toString("utf8")) },
            env: { A: SECRET },
          }),
          "action",
        );
        const shown = faults.filter(
          (fault) => !fault.startsWith("a secret") || shownLog(run).includes(SECRET),
        );
        // A payload that names a head of this repository is trusted.
        const trusted = !/runs with secrets/.test(run.stdout);
        return { file, shown, wrong: run.code !== (trusted ? 0 : 1), trusted };
      });
      expect(refused.filter(({ shown, wrong }) => shown.length > 0 || wrong)).toEqual([]);
      expect(emulator.writes()).toHaveLength(refused.filter(({ trusted }) => trusted).length);
      const ours: Readonly<Record<string, readonly string[]>> = {
        pull_request_target: ["numbers.json", "titles.json"],
        workflow_run: ["numbers.json"],
        issue_comment: [],
      };
      expect(refused.filter(({ trusted }) => trusted).map(({ file }) => file)).toEqual(ours[name]);
    },
    TEST_MS,
  );

  test(
    "accepts each kept matrix, which only distinguishes legs",
    async () => {
      const workspace = createTree({ "rows.json": ROWS });
      const runs = await inFours(filesOf("matrix"), async ({ file, bytes }) => {
        const { faults, run } = await timed(
          runAction(
            {
              command: "gate",
              "api-key": "",
              experiment: "rows.json",
              gate: "m >= 0.01",
              matrix: bytes.toString("utf8"),
            },
            { workspace },
          ),
          "action",
        );
        return { file, faults, code: run.code };
      });
      expect(runs.filter(({ faults, code }) => faults.length > 0 || code !== 0)).toEqual([]);
    },
    TEST_MS,
  );
});
