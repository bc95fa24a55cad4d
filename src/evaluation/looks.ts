import { stat } from "node:fs/promises";
import type { Experiment } from "../experiment/experiment.ts";
import { toGateTables } from "../experiment/scores.ts";
import { joinJudgements } from "../gate/judge.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { listSome } from "../model/count-words.ts";
import type { Session } from "../ci/session.ts";
import type { Tracing } from "../service/tracing.ts";
import { judgeResults, type Judged } from "./gate-judgement.ts";
import { findPresent, readResults } from "./result-files.ts";

/** The looks at a run's result files: before the first write, and after each wave that made some. */
export interface Looks {
  /** In order. */
  readonly judged: readonly Judged[];
  /**
   * Judges what is new or changed since the last look, or everything at first, with a share of the
   * gates' alpha; null if nothing is.
   */
  readonly look: (share: number) => Promise<Judged | null>;
  /** The experiments of all looks, each as last seen. */
  readonly newest: () => readonly Experiment[];
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

/** Creates the looks of a run; `early`: the files that exist before the first write. */
export function createLooks(
  session: Session,
  gates: GateSet | null,
  tracing: Tracing | null,
  early: readonly string[],
): Looks {
  const judged: Judged[] = [];
  /** Identity of each file when last read. */
  const states = new Map<string, string>();
  const look: Looks["look"] = async (share) => {
    const { experiment, gateWhen } = session.options;
    const present = await statesOf(session, await findPresent(session, experiment));
    const late = [...present].filter(([path, state]) => states.get(path) !== state);
    if (late.length === 0) return null;
    const paths = late.map(([path]) => path);
    const read = await readResults(session, paths, { gates, sent: true, exact: true });
    for (const [path, state] of late) states.set(path, state);
    // A file that was only touched, or rewritten unchanged, was already judged.
    const known = newestOf(judged);
    const experiments = read.filter((one) => !known.some((other) => isSame(one, other)));
    if (read.length > 0 && experiments.length === 0) return null;
    // With `gate-when: before`, files that came after the first write are not judged; changed ones are judged again.
    const isSpared = gateWhen === "before" && !paths.some((path) => early.includes(path));
    const by = gates === null || isSpared ? null : { ...gates, alpha: gates.alpha * share };
    const found = await judgeResults(session, experiments, by, tracing);
    const alerts = isSpared && gates !== null ? { alerts: [describeUnjudged(paths)] } : {};
    judged.push({ ...found, ...alerts, look: nameLook(judged.length, early.length > 0) });
    return judged.at(-1)!;
  };
  return { judged, look, newest: () => newestOf(judged) };
}

/** When the look after so many others is, in words. */
function nameLook(before: number, hasEarly: boolean): string {
  const verified = hasEarly ? before : before + 1;
  if (verified === 0) return "at the start";
  return verified === 1 ? "after verify" : `after verify ${verified}`;
}

const isSame = (one: Experiment, other: Experiment): boolean =>
  one.digest === other.digest && one.file === other.file;

function describeUnjudged(paths: readonly string[]): string {
  return `${listSome(paths, String, 1)} came after the gates: gate-when: before judges what is there at the start, so no gate has judged it`;
}

function newestOf(judged: readonly Judged[]): readonly Experiment[] {
  return judged.flatMap(({ experiments }, at) => {
    const again = new Set(
      judged.slice(at + 1).flatMap((later) => later.experiments.map(({ file }) => file)),
    );
    return experiments.filter(({ file }) => !again.has(file));
  });
}

/** Combines the looks, for a baseline of everything that the run measured. */
export function joinLooks({ judged, newest }: Looks, gates: GateSet | null): Judged {
  const last = judged.at(-1)!;
  if (judged.length === 1 || last.head === null) return last;
  const experiments = newest();
  const judgements = judged.flatMap(({ judgement }) => judgement ?? []);
  return {
    ...last,
    experiments,
    head: toGateTables(experiments, gates),
    judgement: judgements.length === 0 ? null : joinJudgements(judgements),
  };
}
