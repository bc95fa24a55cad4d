import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { COMMANDS, type Command } from "../../src/cli/command-table.ts";
import { repositoryRoot } from "../support/tree.ts";
import { allCells, rotatedCells, runCell, type Ended } from "../security/law/cells.ts";
import { FAULTS } from "../security/law/faults.ts";
import { SCENARIOS, WITHOUT_SECRETS } from "../security/law/scenarios.ts";

/** LAW=all runs each scenario under each fault (many minutes); LAW=n begins the rotation elsewhere. */
const LAW = process.env["LAW"] ?? "0";
const cells = LAW === "all" ? allCells() : rotatedCells(Number(LAW));
/** Most of a cell is waiting. */
const AT_ONCE = 4;

const idOf = ({ scenario, fault }: { scenario: string; fault: string }): string =>
  `${scenario}: ${fault}`;
const ended = new Map<string, Ended | Error>();

beforeAll(async () => {
  const open = [...cells];
  const work = async (): Promise<void> => {
    for (let cell = open.shift(); cell !== undefined; cell = open.shift())
      ended.set(idOf(cell), await runCell(cell).catch((error: unknown) => error as Error));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}, 3_600_000);

function endOf(id: string): Ended {
  const end = ended.get(id);
  if (end === undefined || end instanceof Error) throw end ?? new Error(`${id} was not run`);
  return end;
}

test.each(cells.map(idOf))("no secret, in no form, leaves a run: %s", (id) => {
  const { sinks, leaks } = endOf(id);
  expect(leaks).toEqual([]);
  expect(Object.values(sinks).join("").length).toBeGreaterThan(10);
});

describe("the table of the law is complete", () => {
  const scenarios = Object.entries(SCENARIOS);

  test("each scenario ends as declared if nothing goes wrong", () => {
    expect(scenarios.map(([name]) => [name, endOf(`${name}: no fault`).end])).toEqual(
      scenarios.map(([name, { end }]) => [name, end]),
    );
  });

  test("each topic of the scenarios is in it, and no other", () => {
    // A topic has a file in one room or in both: its slow tests are in the room of laws.
    const names = [["scenarios"], ["laws", "scenarios"]]
      .flatMap((room) => readdirSync(join(repositoryRoot, "__tests__", ...room)))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => name.replace(".test.ts", ""));
    const topics = [...new Set(names)];
    const covered = new Set(scenarios.flatMap(([, { covers }]) => covers));
    expect([...covered].sort()).toEqual(topics.sort());
  });

  test("each command is in it from each entry point that has it, or says why not", () => {
    const missing = (Object.keys(COMMANDS) as Command[]).flatMap((command) => {
      if (WITHOUT_SECRETS[command] !== undefined) return [];
      const entries = "cli" in COMMANDS[command] ? ["cli"] : ["action", "cli"];
      return entries
        .filter(
          (entry) => !scenarios.some(([, one]) => one.command === command && one.entry === entry),
        )
        .map((entry) => `${entry} ${command}`);
    });
    expect(missing).toEqual([]);
  });

  test("each outcome is the end of a scenario", () => {
    const outcomes = new Set(scenarios.map(([, { end }]) => end.split(" ")[1]));
    for (const outcome of [
      ...["unchanged", "planned", "updated", "deployed", "started", "skipped"],
      ...["blocked", "failed", "superseded", "timed-out", "cancelled"],
    ])
      expect([...outcomes]).toContain(outcome);
  });

  test("each fault is met, and each sink is written to", () => {
    expect(new Set(cells.map(({ fault }) => fault))).toEqual(new Set(Object.keys(FAULTS)));
    const written = new Set(
      cells.flatMap((cell) =>
        Object.entries(endOf(idOf(cell)).sinks)
          .filter(([, text]) => text !== "" && text !== "{}")
          .map(([sink]) => sink),
      ),
    );
    expect([...written].sort()).toEqual([
      "GitHub's comment, deployment and issue",
      ...["a file in the checkout", "log", "markdown", "outputs", "report", "state"],
      ...["stderr", "stdout", "summary", "the post step"],
    ]);
  });

  test("no cell was removed", () => {
    const counts = [scenarios.length, Object.keys(FAULTS).length, allCells().length, cells.length];
    console.log(
      `the law: ${counts[0]} scenarios, ${counts[1]} faults, ${counts[3]} of ${counts[2]} cells`,
    );
    expect(counts).toEqual([63, 20, 903, LAW === "all" ? 903 : 117]);
  });
});
