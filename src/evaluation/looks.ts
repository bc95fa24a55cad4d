import { stat } from "node:fs/promises";
import type { Experiment } from "../experiment/experiment.ts";
import { toGateTables } from "../experiment/scores.ts";
import { joinJudgements } from "../gate/judge.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { ReportProblem } from "../report/report.ts";
import type { Session } from "../ci/session.ts";
import type { Tracing } from "../service/tracing.ts";
import { judgeResults, type Judged } from "./gate-judgement.ts";
import { asksForRows, wantedRows } from "./wanted-rows.ts";
import { findPresent, readResults, unlessAborted } from "./result-files.ts";

/** The looks at a run's result files: before the first write, and after each wave that made some. */
export interface Looks {
  /** In order. */
  readonly judged: Judged[];
  /** Identity of each file when last read. */
  readonly states: Map<string, string>;
  /** Files that existed before the first write. */
  readonly early: ReadonlySet<string>;
  /** Deployments whose wave was judged and has ended. */
  readonly closed: Set<string>;
  readonly problems: ReportProblem[];
}

/** Creates the looks of a run; `early`: the files that exist before the first write. */
export function createLooks(early: readonly string[]): Looks {
  return {
    judged: [],
    states: new Map(),
    early: new Set(early),
    closed: new Set(),
    problems: [],
  };
}

/**
 * Share of alpha for looks after a `verify` that is not expected to make results: most only probe, so
 * the gates before the first write keep nine tenths. A choice.
 */
const UNEXPECTED = 0.1;

/** The shares of the run's alpha for the look before the first write and for each look after a `verify`. */
export function shareAlpha({
  hasEarly,
  isMissing,
  waves,
}: {
  readonly hasEarly: boolean;
  /** Whether a pattern has no file yet, so that a `verify` must make it. */
  readonly isMissing: boolean;
  /** Waves that have a `verify`. */
  readonly waves: number;
}): { readonly first: number; readonly late: number } {
  if (waves === 0) return { first: 1, late: 1 };
  if (!hasEarly) return { first: 1, late: 1 / waves };
  const late = isMissing ? 0.5 : UNEXPECTED;
  return { first: 1 - late, late: late / waves };
}

/** The same gates with a share of their alpha. */
export function withAlpha(gates: GateSet | null, share: number): GateSet | null {
  return gates === null || share === 1 ? gates : { ...gates, alpha: gates.alpha * share };
}

/** Identity of the file at each path, from its metadata: no write keeps the inode's change time. Reads no content. */
async function statesOf(
  { workspace }: Session,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(
      paths.map(async (path) => {
        const { real } = await workspace.inspect(path);
        const { ino, size, mtimeNs, ctimeNs } = await stat(real, { bigint: true });
        return [path, [ino, size, mtimeNs, ctimeNs].join(":")] as const;
      }),
    ),
  );
}

/**
 * Judges what is new or changed since the last look, or everything at first; null if nothing is.
 * `listed`: the files of this look, if already listed; a missing one is refused.
 */
export async function lookAgain(
  session: Session,
  looks: Looks,
  gates: GateSet | null,
  tracing: Tracing | null,
  listed?: readonly string[],
): Promise<Judged | null> {
  const files = listed ?? (await findPresent(session, session.options.experiment));
  const present = await statesOf(session, files);
  const late = [...present].filter(([path, state]) => looks.states.get(path) !== state);
  if (late.length === 0) return null;
  const paths = late.map(([path]) => path);
  const known = newestExperiments(looks);
  const read = await readResults(session, paths, {
    exact: true,
    unscored: gates === null ? "refused" : "kept",
    wanted: asksForRows(session, gates) ? wantedRows(gates) : undefined,
    before: known,
  });
  for (const [path, state] of late) looks.states.set(path, state);
  // A file that was only touched, or rewritten unchanged, was already judged.
  const experiments = read.filter((one) => !known.some((other) => isSame(one, other)));
  if (read.length > 0 && experiments.length === 0) return null;
  // With `gate-when: before`, files that came after the first write are not judged; changed ones are judged again.
  const spared =
    session.options.gateWhen === "before" && !paths.some((path) => looks.early.has(path));
  const found = await judgeResults(session, experiments, spared ? null : gates, tracing);
  const judged = spared && gates !== null ? { ...found, alerts: [describeUnjudged(paths)] } : found;
  looks.judged.push(judged);
  return judged;
}

const isSame = (one: Experiment, other: Experiment): boolean =>
  one.digest !== null && one.digest === other.digest && one.file === other.file;

function describeUnjudged(paths: readonly string[]): string {
  const which = paths.length === 1 ? paths[0]! : `${paths[0]!} and ${paths.length - 1} more`;
  return `${which} came after the gates: gate-when: before judges what is there at the start, so no gate has judged it`;
}

/** The experiments of all looks, each as last seen. */
export function newestExperiments({ judged }: Pick<Looks, "judged">): readonly Experiment[] {
  return judged.flatMap(({ experiments }, at) => {
    const again = new Set(
      judged.slice(at + 1).flatMap((later) => later.experiments.map(({ file }) => file)),
    );
    return experiments.filter(({ file }) => !again.has(file));
  });
}

/** Combines the looks, for a baseline of everything that the run measured. */
export async function joinLooks(
  session: Session,
  { judged }: Looks,
  gates: GateSet | null,
): Promise<Judged> {
  const last = judged.at(-1)!;
  if (judged.length === 1 || last.head === null) return last;
  const experiments = newestExperiments({ judged });
  const judgements = judged.flatMap(({ judgement }) => judgement ?? []);
  return {
    ...last,
    experiments,
    head: await unlessAborted(session.signal, toGateTables(experiments, gates)),
    judgement: judgements.length === 0 ? null : joinJudgements(judgements),
  };
}
