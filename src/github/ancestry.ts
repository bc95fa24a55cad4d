import type { Checkout, CommitHistory, NearestAncestor } from "../plan/history.ts";
import { sameCommit } from "../plan/commit.ts";
import { BRANCH, COMMIT, readGit } from "./git.ts";
import { compareOnGithub, type HistoryOptions } from "./history-request.ts";

/** How far a checkout is read along first parents. */
const MAX_STEPS = 20_000;
/** The most commits to ask GitHub about, one request each. */
const MAX_ASKED = 60;
const UNREADABLE: NearestAncestor = { state: "unreadable" };

/** Ancestry by git if the checkout contains the commits, else by GitHub's compare. */
export function createAncestry(
  options: HistoryOptions,
): Pick<CommitHistory, "mergeBase" | "nearest" | "authors" | "checkout"> {
  return {
    mergeBase: async (branch, commit) => {
      if (!COMMIT.test(commit) || !BRANCH.test(branch)) return null;
      const local = await mergeBaseByGit(options, branch, commit).catch(() => null);
      if (local !== null) return local;
      const compared = await compareOnGithub(options.ask, branch, commit).catch(() => null);
      return shaOf(compared?.["merge_base_commit"]);
    },
    nearest: async (commits, from) => {
      const known = commits.filter((commit) => COMMIT.test(commit));
      if (!COMMIT.test(from)) return UNREADABLE;
      if (known.length === 0) return { state: "none" };
      const local = await nearestByGit(options, known, from).catch(() => UNREADABLE);
      if (local.state !== "unreadable") return local;
      return nearestByGithub(options, known, from).catch(() => UNREADABLE);
    },
    authors: (commits) =>
      authorsByGit(
        options,
        commits.filter((commit) => COMMIT.test(commit)),
      ).catch(() => new Map()),
    checkout: () => readCheckout(options).catch(() => null),
  };
}

async function authorsByGit(
  place: HistoryOptions,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (commits.length === 0) return new Map();
  const asked = ["log", "--no-walk=unsorted", "--ignore-missing", "--format=%H%x00%an", ...commits];
  const lines = ((await readGit(place, ...asked)) ?? "").split("\n").filter(Boolean);
  return new Map(lines.map((line) => line.split("\0") as [string, string]));
}

async function mergeBaseByGit(
  place: HistoryOptions,
  branch: string,
  commit: string,
): Promise<string | null> {
  for (const ref of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]) {
    const sha = await readGit(place, "merge-base", ref, commit);
    if (sha !== null && COMMIT.test(sha)) return sha;
  }
  return null;
}

function shaOf(value: unknown): string | null {
  const sha = (value as { sha?: unknown } | null | undefined)?.sha;
  return typeof sha === "string" && COMMIT.test(sha) ? sha : null;
}

async function nearestByGit(
  place: HistoryOptions,
  commits: readonly string[],
  from: string,
): Promise<NearestAncestor> {
  const args = ["rev-list", "--first-parent", `--max-count=${MAX_STEPS}`, from, "--"];
  const chain = await readGit(place, ...args);
  if (chain === null) return UNREADABLE;
  const found = nearestOf(chain.split("\n").filter(Boolean), commits);
  if (found !== null) return found;
  // A shallow clone lacks older commits.
  const shallow = await readGit(place, "rev-parse", "--is-shallow-repository");
  return shallow === "false" ? { state: "none" } : UNREADABLE;
}

function nearestOf(chain: readonly string[], commits: readonly string[]): NearestAncestor | null {
  for (const one of chain) {
    const commit = commits.find((known) => sameCommit(known, one));
    if (commit !== undefined) return { state: "found", commit };
  }
  return null;
}

/**
 * Finds one of the commits that is an ancestor, then the nearest of them among the commits between,
 * which GitHub lists.
 */
async function nearestByGithub(
  options: HistoryOptions,
  commits: readonly string[],
  from: string,
): Promise<NearestAncestor> {
  for (const commit of [...new Set(commits)].slice(0, MAX_ASKED)) {
    const data = await compareOnGithub(options.ask, commit, from).catch(isGone);
    if (data === null) return UNREADABLE;
    if (data["status"] === "identical") return { state: "found", commit };
    if (data["status"] !== "ahead") continue;
    const chain = firstParents(data, from);
    if (chain === null) return { state: "found", commit };
    const found = nearestOf(chain, commits);
    if (found !== null) return found;
  }
  return { state: "none" };
}

/** A commit removed by a rebase is no ancestor. */
function isGone(error: unknown): Readonly<Record<string, unknown>> {
  if ((error as { status?: unknown }).status === 404) return {};
  throw error;
}

/**
 * A commit and its first parents, from GitHub's list of the commits between; null if the list is
 * cut or names no parents.
 */
function firstParents(
  { commits, ahead_by: ahead }: Readonly<Record<string, unknown>>,
  from: string,
): string[] | null {
  if (!Array.isArray(commits) || commits.length === 0 || commits.length !== ahead) return null;
  const parents = new Map<string, string>();
  for (const one of commits as readonly { readonly parents?: unknown }[]) {
    const sha = shaOf(one);
    const parent = Array.isArray(one.parents) ? shaOf(one.parents[0]) : null;
    if (sha === null || parent === null) return null;
    parents.set(sha, parent);
  }
  const chain = [from];
  for (let at = parents.get(from); at !== undefined; at = parents.get(at)) chain.push(at);
  return chain;
}

async function readCheckout(place: HistoryOptions): Promise<Checkout | null> {
  const git = (...args: string[]): Promise<string | null> => readGit(place, ...args);
  const head = await git("rev-parse", "HEAD");
  if (head === null) return null;
  const edited = await git("status", "--porcelain", "--untracked-files=no");
  const main = await git("rev-parse", "--abbrev-ref", "origin/HEAD");
  return {
    commit: edited === "" ? head : null,
    branch: await git("symbolic-ref", "--short", "-q", "HEAD"),
    defaultBranch: main?.startsWith("origin/") === true ? main.slice("origin/".length) : null,
  };
}
