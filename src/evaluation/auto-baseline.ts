import { spellInput, whereGiven } from "../model/entry-point.ts";
import { listSome } from "../model/count-words.ts";
import { sameCommit } from "../plan/commit.ts";
import type { RunContext } from "../run-context.ts";
import { readCommitPlace, type CommitPlace } from "../ci/commit-place.ts";
import type { Session } from "../ci/session.ts";
import type { Lookup } from "../service/control-plane.ts";
import {
  type Absence,
  agentOf,
  isOfAnother,
  type FoundExperiment,
  isSameId,
  newestFirst,
  notFound,
  notFoundUntil,
  type ServiceRequest,
  storedName,
  type StoredExperiment,
  toStored,
} from "./stored-experiment.ts";
import type { Subject } from "./subject.ts";

/** The most experiments of one dataset that are searched, newest first. */
const MAX_EXPERIMENTS = 20_000;
/** How many other agents a message names. */
const MAX_AGENTS = 8;
/** Why no baseline is found for a run, and why later runs will not find this one. */
export const UNKNOWN_PLACE: Absence = {
  why: ["which commit and branch this run is of is not known"],
  advice: "run it in a clean checkout, or in a CI that names them",
};

/** Whether `experiment:auto` of later runs will not find this run, since it is stored without its commit or branch. */
export function isLostToAuto({ options }: Session, { commit, branch }: CommitPlace): boolean {
  return storedName(options.baseline ?? "") === "auto" && (commit === null || branch === null);
}

/** Why a branch is its own base. */
export const NO_ORIGIN_HEAD =
  "the default branch is not known here: `git remote set-head origin -a` makes it so";

/** What finds a baseline. */
interface AutoRequest extends Pick<ServiceRequest, "session" | "tracing"> {
  /** Whether the run may be of an agent that replaces another: it judges no other one. */
  readonly mayReplace: boolean;
}

/**
 * Finds the complete experiment of the same dataset and agent on the base branch that is of the
 * newest ancestor, or that of the only agent that this one may replace.
 */
export async function findAuto(
  subject: Subject,
  { session, tracing, mayReplace }: AutoRequest,
): Promise<FoundExperiment> {
  const { id: datasetId, name: datasetName = "" } = subject.dataset;
  const datasets = datasetId === undefined ? await tracing.findDatasetsByName(datasetName) : null;
  const dataset = datasetId ?? toOnly(datasets!, datasetName, session);
  if (typeof dataset !== "string") return dataset;
  const place = await readCommitPlace(session);
  if (place.commit === null || place.baseBranch === null)
    return { state: "none", ...UNKNOWN_PLACE };
  const lookup = await tracing.listExperiments(dataset, MAX_EXPERIMENTS);
  if (lookup.state !== "found")
    return notFound(`this service has no list of experiments (it answers ${lookup.status})`);
  const sources = lookup.items
    .flatMap((one) => toStored(one) ?? [])
    .filter(({ id, dataset_id }) => id !== subject.id && isSameId(dataset_id, dataset));
  const own = sources.filter((one) => isOwn(one, subject));
  const [kept, passedOver] = sift(own, place);
  if (kept.length > 0) return choose(session, place, kept, passedOver);
  const base = place.baseBranch;
  const onBase = sources.filter(({ marker }) => marker?.branch === base);
  // An agent that ran before replaces none, even if no run of it can be the baseline.
  const isNew = onBase.every((one) => agentOf(one) !== subject.agent);
  const others = isNew ? onBase.filter((one) => isOfAnother(one, subject)) : [];
  if (others.length > 0) {
    const lacks = `${base} has no earlier run of ${subject.agent}`;
    const replaced = mayReplace ? await findReplaced(session, place, others, lacks) : null;
    const names = listSome([...agentsOf(others)].sort(), String, MAX_AGENTS);
    return replaced ?? notFound(`${lacks}, only of ${names}`, ...passedOver);
  }
  const advice = place.lacksOriginHead ? ` (${NO_ORIGIN_HEAD})` : "";
  return notFound(
    `no experiment of dataset ${datasetId ?? datasetName} is an earlier run of ${base}${advice}`,
    ...passedOver,
  );
}

/** Whether a stored run is of the subject's agent. If either agent is unknown, their labels decide. */
function isOwn(source: StoredExperiment, { agent, label }: Subject): boolean {
  const stored = agentOf(source);
  // A run without a marker is counted as passed over.
  if (source.marker === null || stored === agent) return true;
  return (stored === "" || agent === "") && source.marker.label === label;
}

/** The agents that runs are known to be of. */
const agentsOf = (sources: readonly StoredExperiment[]): ReadonlySet<string> =>
  new Set(sources.map(agentOf));

/** The id of the only dataset of a name. */
function toOnly(
  lookup: Lookup<{ readonly id: string }>,
  name: string,
  { entryPoint }: Session,
): string | FoundExperiment {
  const advice = `${whereGiven(entryPoint)}say ${spellInput(entryPoint, "dataset-id")}`;
  if (lookup.state !== "found")
    return notFoundUntil(
      `this service has no list of datasets (it answers ${lookup.status})`,
      advice,
    );
  const [first, ...others] = lookup.items.map(({ id }) => id);
  if (first === undefined) return notFound(`there is no dataset ${name} yet`);
  const all = [first, ...others];
  return others.length === 0
    ? first
    : notFoundUntil(`there are ${all.length} datasets named ${name} (${all.join(", ")})`, advice);
}

const UNSHALLOW = "fetch the whole history, as git fetch --unshallow does";

/** How a run gets the history that its checkout lacks. */
const HISTORY_ADVICE: Readonly<Record<RunContext["host"], string>> = {
  github: "check out with fetch-depth: 0, or give github-token (contents: read)",
  gitlab: "give the job the variable GIT_DEPTH: 0, which fetches the whole history",
  "other-ci": UNSHALLOW,
  terminal: UNSHALLOW,
};

/** The newest run of another agent; null if there is none, or this one may replace any of several at its commit. */
async function findReplaced(
  session: Session,
  place: CommitPlace,
  others: readonly StoredExperiment[],
  lacks: string,
): Promise<FoundExperiment | null> {
  const [kept, passedOver] = sift(others, place);
  const found = kept.length > 0 ? await choose(session, place, kept, passedOver) : null;
  if (found?.state !== "found") return found;
  const { source, notes } = found;
  const isNear = ({ marker }: StoredExperiment): boolean =>
    marker !== null && sameCommit(marker.commit ?? "", source.marker!.commit!);
  if (agentsOf(others.filter(isNear)).size > 1) return null;
  const note = `experiment ${source.name} is a run of ${agentOf(source)}: ${lacks}, so this compares the two`;
  return { ...found, notes: [...notes, note] };
}

async function choose(
  session: Session,
  place: CommitPlace,
  kept: readonly StoredExperiment[],
  passedOver: readonly string[],
): Promise<FoundExperiment> {
  const [commit, base] = [place.commit!, place.baseBranch!];
  const from = isOnBase(place) ? commit : await session.repository.mergeBase(base, commit);
  const commits = kept.map(({ marker }) => marker!.commit!);
  const nearest = from === null ? null : await session.repository.nearest(commits, from);
  if (from === null || nearest === null || nearest.state === "unreadable")
    return notFoundUntil(
      `where ${commit.slice(0, 12)} is on ${base} cannot be read`,
      HISTORY_ADVICE[session.run.host],
    );
  if (nearest.state === "none")
    return notFound(
      `none of the ${kept.length} complete ${kept.length === 1 ? "run" : "runs"} of ${base} was made at an ancestor of ${from.slice(0, 12)}`,
      ...passedOver,
    );
  const source = kept.find(({ marker }) => sameCommit(marker!.commit!, nearest.commit))!;
  const isFirst = source.marker?.anchor === source.name && !source.marker.accepted;
  const note = `${source.name} is its own anchor: it began the series on ${base}, and nobody accepted it by hand`;
  return { state: "found", source, notes: isFirst ? [...passedOver, note] : passedOver };
}

/** Whether the run is one of the branch whose runs it is compared with. */
const isOnBase = ({ branch, baseBranch, isPullRequest }: CommitPlace): boolean =>
  branch === baseBranch && !isPullRequest;

/** The runs that could be a baseline, newest first, and how many were passed over why. */
function sift(
  sources: readonly StoredExperiment[],
  place: CommitPlace,
): readonly [kept: readonly StoredExperiment[], passedOver: readonly string[]] {
  const passed = new Map<string, number>();
  const kept = sources.filter((source) => {
    const why = refuse(source, place);
    if (why !== null && why !== "") passed.set(why, (passed.get(why) ?? 0) + 1);
    return why === null;
  });
  kept.sort(newestFirst);
  const counts = [...passed].map(([why, count]) => `${count} ${why}`);
  return [kept, counts.length === 0 ? [] : [`passed over: ${counts.join(", ")}`]];
}

/** Why an experiment is no candidate: null if it is one, empty if the reason need not be reported. */
function refuse({ marker }: StoredExperiment, place: CommitPlace): string | null {
  if (marker === null) return "without this tool's own metadata (older, or made by another tool)";
  const { branch, event, commit, complete } = marker;
  if (branch !== place.baseBranch) return "";
  if (event?.startsWith("pull_request") === true) return "";
  if (commit === null) return "without a commit";
  if (complete !== true) return complete === "cancelled" ? "of a cancelled run" : "incomplete";
  if (marker.gate_verdict === "fail" && !marker.accepted) return "whose gate failed";
  return isOnBase(place) && sameCommit(commit, place.commit!) ? "" : null;
}
