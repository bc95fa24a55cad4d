import { splitList } from "../cli/list-text.ts";
import { readCommitPlace } from "../ci/commit-place.ts";
import { isAccepting, refuse, type Session, UsageError } from "../ci/session.ts";
import { toGateTables } from "../experiment/scores.ts";
import { type Baseline, isBaseline, type LabelledTable } from "../gate/baseline.ts";
import { parseBaseline } from "../gate/baseline-reading.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { spellInput } from "../model/entry-point.ts";
import type { Tracing } from "../service/tracing.ts";
import { NO_ORIGIN_HEAD } from "./auto-baseline.ts";
import { findPresent, readResults } from "./result-files.ts";
import { type FoundRuns, readStoredBaseline } from "./stored-baseline.ts";
import { type Absence, clausesOf, STORED_PREFIX } from "./stored-experiment.ts";
import { ownBaseline, type Subject } from "./subject.ts";

/** Two million rows with twenty scores take so much. */
const MAX_BASELINE_BYTES = 256 * 1024 * 1024;

/** What a source of baselines receives. */
export interface BaselineRequest {
  readonly session: Session;
  readonly subjects: readonly Subject[];
  readonly gates: GateSet | null;
  /** Null if the service must not be asked. */
  readonly tracing: Tracing | null;
  /** Reads the rows to judge, for a source whose own rows take over the names of their examples. */
  readonly readHead: () => Promise<readonly LabelledTable[]>;
}

/** The runs to compare with, or why there are none. */
export interface FoundBaseline extends FoundRuns {
  /** The file that this run would replace without having been compared with it. */
  readonly replaced: string | null;
}

const found = (baseline: Baseline): FoundRuns => ({ baseline, absences: [], sources: new Map() });
const none = (...absences: readonly Absence[]): FoundRuns => ({
  baseline: null,
  absences,
  sources: new Map(),
});

/** What is found where nothing is compared. */
export const NO_BASELINE: FoundBaseline = { ...none(), replaced: null };

/** Where a baseline comes from, by how the input begins; the last one takes what no other does. */
const SOURCES = [
  { prefix: STORED_PREFIX, find: findStored },
  { prefix: "base:", find: findOnBaseBranch },
  { prefix: "", find: findInFiles },
] as const;

const givenOf = ({ options }: Session): string => (options.baseline ?? "").trim();
const sourceOf = (given: string): (typeof SOURCES)[number] =>
  SOURCES.find(({ prefix }) => given.startsWith(prefix))!;

/** The file of this checkout that the input names as the baseline; empty if there is none. */
export function fileOf(session: Session): string {
  const given = givenOf(session);
  return sourceOf(given).prefix === "" ? given : "";
}

/** The inputs that make a first baseline. */
export const toAccepted = ({ entryPoint }: Session): string =>
  `${spellInput(entryPoint, "write-baseline")} and ${spellInput(entryPoint, "accept-baseline", true)}`;

/** Finds the runs to compare with, by the input `baseline`, and reports if there are none. */
export async function findBaseline(request: BaselineRequest): Promise<FoundBaseline> {
  const { session } = request;
  const given = givenOf(session);
  const { prefix, find } = sourceOf(given);
  const word = given.slice(prefix.length).trim();
  const result = given === "" ? none() : await find(word, request);
  if (result.absences.length > 0) reportNone(session, clausesOf(result.absences));
  const replaced = result.baseline === null ? await findReplaced(session) : null;
  return { ...result, replaced };
}

/** Reports that there is nothing to compare with, at the level set by `on-no-baseline`. */
function reportNone(session: Session, why: readonly string[]): void {
  const { options, entryPoint, host } = session;
  const isFine = options.onNoBaseline === "pass" || isAccepting(session);
  // gate/action.yml has no such input.
  const isSettled = isFine || entryPoint === "gate" || options.onNoBaseline === "fail";
  const red = isSettled
    ? ""
    : ` (${spellInput(entryPoint, "on-no-baseline", "fail")} makes this red)`;
  host.notify(
    isFine ? "notice" : "warning",
    `baseline: ${why.join("; ")}: drops are inconclusive, floors are judged${red}`,
  );
}

/** How to get what a run lacks to be compared with. `isTaken`: it becomes the baseline itself. */
export function adviceOf(
  session: Session,
  { baseline, replaced, absences }: FoundBaseline,
  isTaken: boolean,
): string {
  const isStored = givenOf(session).startsWith(STORED_PREFIX);
  if (baseline !== null)
    return isStored
      ? "Upload a run of the base branch that has them."
      : `Write a baseline that has them, with ${toAccepted(session)}.`;
  if (replaced !== null) {
    const given = spellInput(session.entryPoint, "baseline", replaced);
    return isTaken
      ? `This run takes its place. To compare the two, restore it and add ${given}.`
      : `To compare with ${replaced} before it is replaced, add ${given}.`;
  }
  if (isTaken && session.options.writeBaseline !== undefined)
    return "This run becomes the first one, since it is accepted.";
  const advice = absences.find((one) => one.advice !== undefined)?.advice;
  if (advice !== undefined) {
    const asked = `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
    return isStored ? asked : `${asked} The first baseline is made with ${toAccepted(session)}.`;
  }
  if (isStored && givenOf(session) !== `${STORED_PREFIX}auto`)
    return "Check the name or id after experiment:, or give a file.";
  return isStored
    ? "Upload a run on the base branch to begin the series, or give a file."
    : `The first one is made with ${toAccepted(session)}.`;
}

/** The file that this run would replace as the baseline, if there is one. */
async function findReplaced({ options, workspace }: Session): Promise<string | null> {
  const path = options.writeBaseline;
  if (path === undefined) return null;
  const there = await workspace.expand([path]).catch(() => []);
  return there.length > 0 ? path : null;
}

async function findStored(word: string, request: BaselineRequest): Promise<FoundRuns> {
  const { session, tracing, readHead } = request;
  if (tracing !== null)
    return readStoredBaseline(word, { ...request, tracing, head: await readHead() });
  const why = session.options.dryRun
    ? "a dry run asks the service nothing"
    : "this run has no key, and the service keeps the baseline";
  return none({ why: [why] });
}

/** A baseline file or any result files; an empty file, as of a failed `git show`, is none. */
async function findInFiles(path: string, request: BaselineRequest): Promise<FoundRuns> {
  const { session, subjects, gates } = request;
  const there = await findPresent(session, splitList(path));
  const [first] = there;
  if (first === undefined) return none({ why: [`${path} was not found`] });
  const own = subjects.find(({ id, file }) => id === null && there.includes(file));
  if (own !== undefined) throw ownBaseline(`${own.file} is the result file itself`);
  const kept = await readBaselineFile(session, first);
  if (kept !== null) return found(kept);
  if (there.length === 1 && (await readBeginning(session, first)).trim() === "")
    return none({ why: [`${path} is empty`] });
  const experiments = await readResults(session, there, { gates, sent: false, exact: true });
  for (const { file, digest, fileDigests } of experiments) {
    const isCopy = (one: Subject): boolean =>
      one.digest === digest || one.fileDigests.some((each) => fileDigests.includes(each));
    const copied = subjects.find(isCopy);
    if (copied !== undefined) throw ownBaseline(`${file} is a copy of ${copied.file}`);
  }
  const tables = toGateTables(experiments, gates);
  const groups = tables.map(({ group, table }) => ({ label: group, table, anchor: null }));
  return found({ groups, history: [] });
}

/** Refuses a baseline file that is there but damaged, edited or out of bounds, before there is anything to compare. */
export async function refuseBaselineFile(session: Session): Promise<void> {
  const [first] = await findPresent(session, splitList(fileOf(session)));
  if (first !== undefined) await readBaselineFile(session, first);
}

/** The baseline in a file; null if that is not a baseline file. */
async function readBaselineFile(session: Session, path: string): Promise<Baseline | null> {
  if (!isBaseline(await readBeginning(session, path))) return null;
  return parseFile(session, await session.workspace.readText(path, MAX_BASELINE_BYTES), path);
}

/** Enough of a file to recognise a baseline. */
const readBeginning = async ({ workspace }: Session, path: string): Promise<string> =>
  (await workspace.readBeginning(path, 200)).toString("utf8");

/** Parses a baseline file; a damaged or hand-edited one is a usage error. */
function parseFile(session: Session, text: string, path: string): Baseline | null {
  const parsed = parseBaseline(text, path);
  if (parsed.state === "parsed") return parsed.baseline;
  refuse(session, [parsed.problem]);
  return null;
}

/** The baseline that a write without `baseline` replaces; its anchor is kept. Null if there is none. */
export async function readOverwritten(session: Session, path: string): Promise<Baseline | null> {
  // A file that cannot be opened counts as none; a damaged one is refused, or its anchor would be lost.
  const isThere = await readBeginning(session, path).then(isBaseline, () => false);
  return isThere ? readBaselineFile(session, path) : null;
}

/**
 * The file on the base branch of a pull request, whatever the pull request changes; on that branch
 * the file of the checkout.
 */
async function findOnBaseBranch(path: string, request: BaselineRequest): Promise<FoundRuns> {
  const { session } = request;
  const branch = await baseBranchOf(session);
  if (branch === "") return findInFiles(path, request);
  const text = await session.repository.readAt(branch, path.replace(/^(?:\.\/)+/, ""));
  if (text === null)
    return none({
      why: [`${path} was not found on the base branch ${branch}`],
      advice: "check the path, and check out with fetch-depth: 0 or grant contents: read",
    });
  if (!isBaseline(text))
    throw new UsageError(
      `baseline: ${path} of the base branch ${branch} is not a baseline file; make one with write-baseline`,
    );
  return found(parseFile(session, text, path)!);
}

/** Where a checkout does not name its default branch, it is probably one of these. */
const DEFAULT_BRANCHES: readonly string[] = ["main", "master"];

/**
 * The branch that this run is compared with; empty on that branch and on a push, where the file of
 * the checkout is what the next pull request starts from.
 */
async function baseBranchOf(session: Session): Promise<string> {
  const { baseRef, headSha } = session.run;
  if (baseRef !== "" || headSha !== "") return baseRef;
  const { branch, baseBranch, lacksOriginHead } = await readCommitPlace(session);
  if (lacksOriginHead && branch !== null && !DEFAULT_BRANCHES.includes(branch))
    session.host.notify(
      "warning",
      `baseline: base: reads the file of this checkout: ${NO_ORIGIN_HEAD}`,
    );
  return baseBranch === null || baseBranch === branch ? "" : baseBranch;
}
