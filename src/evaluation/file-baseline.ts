import { spellInput } from "../model/entry-point.ts";
import { toGateTables } from "../experiment/scores.ts";
import { isBaseline, type Baseline, type BaselineGroup } from "../gate/baseline.ts";
import { parseBaseline } from "../gate/baseline-reading.ts";
import { createTableBuilder } from "../gate/table.ts";
import { type BaselineRequest, ownBaseline, reportNoBaseline } from "./baselines.ts";
import { splitList } from "../cli/list-text.ts";
import { refuse, type Session } from "../ci/session.ts";
import { wantedRows } from "./wanted-rows.ts";
import { findPresent, readResults, unlessAborted } from "./result-files.ts";

/** Two million rows with twenty scores take so much. */
const MAX_BASELINE_BYTES = 256 * 1024 * 1024;

/** Reads the runs to compare with from a baseline file or any result file; null if none exists. */
export async function readFileBaseline(
  path: string,
  { session, subjects, gates }: BaselineRequest,
): Promise<Baseline | null> {
  const spell = (name: string, value?: string): string =>
    spellInput(session.entryPoint, name, value);
  const there = await findPresent(session, splitList(path));
  if (there.length === 0) {
    // gate/action.yml has no such input.
    const isSettled = session.entryPoint === "gate" || session.options.onNoBaseline === "fail";
    const red = isSettled ? "" : ` (${spell("on-no-baseline", "fail")} makes this red)`;
    reportNoBaseline(
      session,
      `${path} was not found, so drops are inconclusive; fix the path, or make a first one with ${spell("write-baseline")} and ${spell("accept-baseline")}${red}`,
    );
    return null;
  }
  const own = subjects.find(({ id, file }) => id === null && there.includes(file));
  if (own !== undefined) throw ownBaseline(`${own.file} is the result file itself`);
  const [first] = there;
  const beginning = await readBeginning(session, first!);
  // An empty file is an empty baseline: drops are inconclusive.
  if (beginning.trim() === "" && there.length === 1) {
    const facts = { state: "complete", commit: null, created_at: null, judge: null } as const;
    return toBaselineOf([
      { label: "", table: createTableBuilder().finish({ file: first!, ...facts }) },
    ]);
  }
  if (!isBaseline(beginning)) {
    const experiments = await readResults(session, there, {
      exact: true,
      unscored: "kept",
      sent: false,
      wanted: wantedRows(gates),
    });
    for (const { file, digest, fileDigests } of experiments) {
      const copied = subjects.find(
        (one) =>
          (digest !== null && one.digest === digest) ||
          one.fileDigests.some((each) => fileDigests.includes(each)),
      );
      if (copied === undefined) continue;
      const of =
        copied.id === null ? `a copy of ${copied.file}` : "what the experiment was uploaded from";
      throw ownBaseline(`${file} is ${of}`);
    }
    const tables = await unlessAborted(session.signal, toGateTables(experiments, gates));
    return toBaselineOf(tables.map(({ group, table }) => ({ label: group, table })));
  }
  return parseFile(session, await session.workspace.readText(first!, MAX_BASELINE_BYTES), first!);
}

/** Runs without anchors and history. */
const toBaselineOf = (groups: readonly Pick<BaselineGroup, "label" | "table">[]): Baseline => ({
  groups: groups.map((one) => ({ ...one, anchor: null })),
  history: [],
});

/** Parses a baseline file; a damaged or hand-edited one is a usage error. */
export function parseFile(session: Session, text: string, path: string): Baseline | null {
  const parsed = parseBaseline(text, path);
  if (parsed.state === "parsed") return parsed.baseline;
  refuse(session, [parsed.problem]);
  return null;
}

/** The baseline that a write without `baseline` replaces; its anchor is kept. Null if there is none. */
export async function readOverwritten(session: Session, path: string): Promise<Baseline | null> {
  // A file that cannot be opened counts as none; a damaged one is refused, or its anchor would be lost.
  const beginning = await readBeginning(session, path).catch(() => "");
  if (!isBaseline(beginning)) return null;
  return parseFile(session, await session.workspace.readText(path, MAX_BASELINE_BYTES), path);
}

/** Enough of a file to recognise a baseline. */
const readBeginning = async ({ workspace }: Session, path: string): Promise<string> =>
  (await workspace.readBeginning(path, 200)).toString("latin1");
