import { spellInput, whereGiven } from "../model/entry-point.ts";
import { sameCommit } from "../plan/commit.ts";
import { readCommitPlace, type CommitPlace } from "../ci/commit-place.ts";
import type { Session } from "../ci/session.ts";
import type { Tracing } from "../service/tracing.ts";
import type { StoredRequest, Subject } from "./baselines.ts";
import { storedName } from "./wanted-rows.ts";
import { toStored, type FoundExperiment, type StoredExperiment } from "./stored-experiment.ts";

/** The most experiments of one dataset that are searched, newest first. */
const MAX_EXPERIMENTS = 20_000;
/** Why no baseline is found for a run, and why later runs will not find this one. */
export const UNKNOWN_PLACE = [
  "which commit and branch this run is of is not known",
  "run it in a clean checkout, or in a CI that names them",
] as const;

/** Whether `experiment:auto` of later runs will not find this run, since it is stored without its commit or branch. */
export function isLostToAuto({ options }: Session, { commit, branch }: CommitPlace): boolean {
  return storedName(options.baseline ?? "") === "auto" && (commit === null || branch === null);
}

const NO_ORIGIN_HEAD =
  " (the default branch is not known here: `git remote set-head origin -a` makes it so)";
const none = (...why: readonly string[]): Extract<FoundExperiment, { readonly state: "none" }> => ({
  state: "none",
  why: why.filter((clause) => clause !== ""),
});

/** Finds the nearest complete experiment of the same dataset on the base branch, along first parents. */
export async function findAuto(
  subject: Subject,
  { session, tracing }: Pick<StoredRequest, "session" | "tracing">,
): Promise<FoundExperiment> {
  const dataset = await findDataset(subject, tracing, session.entryPoint);
  if (dataset.state === "none") return dataset;
  const place = await readCommitPlace(session);
  const base = place.baseBranch;
  if (place.commit === null || base === null) return none(...UNKNOWN_PLACE);
  const lookup = await tracing.listExperiments(dataset.id, MAX_EXPERIMENTS);
  if (lookup.state !== "found")
    return none(`this service has no list of experiments (it answers ${lookup.status})`);
  const all = lookup.items.flatMap((one) => toStored(one) ?? []);
  const sieve = sift(
    all.filter(
      ({ id, dataset_id }) =>
        id !== subject.id && dataset_id.toLowerCase() === dataset.id.toLowerCase(),
    ),
    { place, base, label: subject.label },
  );
  if (sieve.kept.length === 0) {
    const advice = place.lacksOriginHead ? NO_ORIGIN_HEAD : "";
    return none(
      `no experiment of dataset ${dataset.shown} is an earlier run of ${base}${advice}`,
      sieve.passedOver,
    );
  }
  return choose(session, place, base, sieve);
}

async function choose(
  session: Session,
  place: CommitPlace,
  base: string,
  { kept, passedOver }: Sieve,
): Promise<FoundExperiment> {
  const commit = place.commit!;
  const isPush = place.branch === base && !place.isPullRequest;
  const from = isPush ? commit : await session.repository.mergeBase(base, commit);
  const unread = none(
    `where ${commit.slice(0, 12)} is on ${base} cannot be read`,
    "check out with fetch-depth: 0, or give github-token (contents: read)",
  );
  if (from === null) return unread;
  const nearest = await session.repository.nearest(
    kept.map(({ marker }) => marker!.commit!),
    from,
  );
  if (nearest.state === "unreadable") return unread;
  if (nearest.state === "none")
    return none(
      `none of the ${kept.length} complete ${kept.length === 1 ? "run" : "runs"} of ${base} was made at an ancestor of ${from.slice(0, 12)}`,
      passedOver,
    );
  const source = kept.find(({ marker }) => sameCommit(marker!.commit!, nearest.commit))!;
  const notes = passedOver === "" ? [] : [passedOver];
  if (source.marker?.anchor === source.name && !source.marker.accepted)
    notes.push(
      `${source.name} is its own anchor: it began the series on ${base}, and nobody accepted it by hand`,
    );
  return { state: "found", source, notes };
}

type FoundDataset =
  | { readonly state: "found"; readonly id: string; readonly shown: string }
  | Extract<FoundExperiment, { readonly state: "none" }>;

async function findDataset(
  { dataset: { id, name } }: Subject,
  tracing: Tracing,
  entryPoint: Session["entryPoint"],
): Promise<FoundDataset> {
  if (id !== undefined) return { state: "found", id, shown: id };
  const advice = `${whereGiven(entryPoint)}say ${spellInput(entryPoint, "dataset-id")}`;
  const lookup = await tracing.findDatasetsByName(name ?? "");
  if (lookup.state !== "found")
    return none(`this service has no list of datasets (it answers ${lookup.status})`, advice);
  const [first, ...others] = lookup.items;
  if (first === undefined) return none(`there is no dataset ${String(name)} yet`);
  if (others.length > 0)
    return none(
      `there are ${lookup.items.length} datasets named ${String(name)} (${lookup.items.map((one) => one.id).join(", ")})`,
      advice,
    );
  return { state: "found", id: first.id, shown: String(name) };
}

interface Sieve {
  /** Newest first. */
  readonly kept: readonly StoredExperiment[];
  /** What was skipped; empty if nothing was. */
  readonly passedOver: string;
}

/** Keeps the runs that could be a baseline, and counts the others by reason. */
function sift(
  sources: readonly StoredExperiment[],
  how: { readonly place: CommitPlace; readonly base: string; readonly label: string },
): Sieve {
  const passed = new Map<string, number>();
  const kept = sources.filter((source) => {
    const why = refuse(source, how);
    if (why !== null && why !== "") passed.set(why, (passed.get(why) ?? 0) + 1);
    return why === null;
  });
  const numberOf = ({ session }: StoredExperiment): number => session.test_run_number ?? 0;
  const startOf = ({ session }: StoredExperiment): string =>
    String(session.body["start_time"] ?? "");
  kept.sort(
    (a, b) =>
      numberOf(b) - numberOf(a) ||
      startOf(b).localeCompare(startOf(a), "en") ||
      (a.id < b.id ? -1 : 1),
  );
  const passedOver = [...passed].map(([why, count]) => `${count} ${why}`).join(", ");
  return { kept, passedOver: passedOver === "" ? "" : `passed over: ${passedOver}` };
}

/** Why an experiment is no candidate: null if it is one, empty if the reason need not be reported. */
function refuse(
  { marker }: StoredExperiment,
  { place, base, label }: Parameters<typeof sift>[1],
): string | null {
  if (marker === null) return "without this tool's own metadata (older, or made by another tool)";
  if (marker.label !== label) return "";
  if (marker.branch !== base || marker.event?.startsWith("pull_request") === true) return "";
  if (marker.commit === null) return "without a commit";
  if (marker.complete === "cancelled") return "of a cancelled run";
  if (!marker.complete) return "incomplete";
  if (marker.gate_verdict === "fail" && !marker.accepted) return "whose gate failed";
  const own = place.branch === base && !place.isPullRequest;
  return own && sameCommit(marker.commit, place.commit!) ? "" : null;
}
