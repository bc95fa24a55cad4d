import { readFileSync, rmSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, edit, type Stage } from "../../scenarios/stage.ts";

const rows = (score: number): string =>
  JSON.stringify(
    Array.from({ length: 20 }, (_, at) => ({
      inputs: { q: at },
      evaluation_scores: [{ key: "correctness", score }],
    })),
  );
const FILES = { good: rows(1), bad: rows(0), broken: "[{" } as const;
const STARTS = ["absent", "good", "bad"] as const;
const VERIFIES = ["none", "good", "bad", "broken", "nothing"] as const;

const SCRIPTS: Readonly<Record<(typeof VERIFIES)[number], string>> = {
  none: "",
  good: "cp made/good.json results.json",
  bad: "cp made/bad.json results.json",
  broken: "cp made/broken.json results.json",
  nothing: "true",
};

/** Green needs a file at the end that is good, and no bad one at the start. */
function isGreenWanted(start: string, verify: string): boolean {
  const end = verify === "none" || verify === "nothing" ? start : verify;
  return start !== "bad" && end === "good";
}

async function play(
  stage: Stage,
  { start, verify, letter }: { start: string; verify: keyof typeof SCRIPTS; letter: string },
): Promise<string[]> {
  stage.spec(edit(CONTAINER, "a".repeat(64), letter.repeat(64)));
  rmSync(`${stage.workspace.path}/results.json`, { force: true });
  if (start !== "absent") stage.workspace.write("results.json", FILES[start as keyof typeof FILES]);
  const run = await stage.run({
    verify: SCRIPTS[verify],
    experiment: "results.json",
    gate: "correctness >= 0.9",
  });
  const told = `${start} at the start, verify ${verify}: code ${run.code}`;
  if (run.code !== 0) return isGreenWanted(start, verify) ? [`${told}\n${run.stdout}`] : [];
  const report = JSON.parse(readFileSync(run.outputs["report"]!, "utf8"));
  const ran = report.gates.length > 0 && run.outputs["gate-verdict"] === "pass";
  const verified = verify === "none" || report.deployments[0].verify?.exit_code === 0;
  const seen = [isGreenWanted(start, verify), ran, verified, report.experiments.length === 1];
  return seen.every(Boolean) ? [] : [`${told}: ${seen.join()}`];
}

test("a green run means that verify and the gates ran on the final state, on every path to it", async () => {
  const stage = await createDeployed(CONTAINER);
  for (const [name, text] of Object.entries(FILES))
    stage.workspace.write(`made/${name}.json`, text);
  const wrong: string[] = [];
  // Every other run has something to deploy.
  let letter = "a";
  for (const [at, start] of STARTS.entries())
    for (const [index, verify] of VERIFIES.entries()) {
      if ((at + index) % 2 === 0) letter = letter === "a" ? "b" : "a";
      wrong.push(...(await play(stage, { start, verify, letter })));
    }
  expect(wrong).toEqual([]);
});
