import type { GateReport } from "../../src/report/report.ts";
import type { Finished } from "../support/child.ts";
import { runCli } from "../support/cli-run.ts";
import type { Tree } from "../support/tree.ts";

/** What `gate --json` says of result files; without a report, as of a bad call, the lists are empty. */
export interface Judged extends Finished {
  readonly report: any;
  readonly gates: readonly GateReport[];
  readonly warnings: readonly string[];
}

/** Plays `gate --json` in a folder. */
export async function judgeIn(workspace: Tree, ...args: readonly string[]): Promise<Judged> {
  const run = await runCli(["gate", "--json", ...args], { workspace });
  const report = run.stdout.trim() === "" ? {} : JSON.parse(run.stdout);
  return { ...run, report, gates: report.gates ?? [], warnings: report.warnings ?? [] };
}
