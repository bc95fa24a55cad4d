import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { CheckedOut, CommitHistory, NearestAncestor } from "../plan/history.ts";
import { sameCommit, type Relation } from "../plan/commit.ts";
import { ownString } from "../model/json.ts";
import { holdsCheckout } from "../ci/checkout-folder.ts";
import { BRANCH, COMMIT, readGit, runGit, type GitPlace } from "./git.ts";
import type { AskForHistory } from "./history-request.ts";

/** Where commits are looked up. */
export interface HistoryOptions extends GitPlace {
  readonly ask: AskForHistory;
  /** The folder that paths are relative to: the workspace, which need not be the checkout. */
  readonly root: string;
}

/** GitHub's compare returns at most this many files; with this many, some may be missing. */
const MAX_COMPARED_FILES = 300;
/** How many commits of a checkout are read: more than any but the largest repositories have. */
const MAX_STEPS = 500_000;
/** The most commits to ask GitHub about, one request each. */
const MAX_ASKED = 60;

type Compared = Awaited<ReturnType<CommitHistory["compare"]>>;
type Reply = Readonly<Record<string, unknown>>;

/** Reads history by git if the checkout contains the commits, else by GitHub's compare. */
export function createCommitHistory(place: HistoryOptions): CommitHistory {
  // A run looks at what is checked out for each document; it stays the same.
  let here: Promise<CheckedOut | null> | undefined;
  return {
    compare: async (base, head, { gitOnly = false } = {}) => {
      const compared =
        COMMIT.test(base) && COMMIT.test(head)
          ? await firstOf(
              () => compareByGit(place, base, head),
              async () => (gitOnly ? null : compareByGithub(place, base, head)),
            )
          : null;
      return compared ?? { relation: "unknown", files: null };
    },
    checkedOut: () => (here ??= firstOf(() => readCheckedOut(place))),
    readAt: async (branch, given) => {
      const { root, cwd } = place;
      const path = root === cwd ? given : relative(cwd, resolve(root, given)).replaceAll(sep, "/");
      if (!BRANCH.test(branch) || path.startsWith("-") || path.startsWith("../")) return null;
      return firstOf(
        () => showAt(place, `refs/remotes/origin/${branch}`, path),
        () => readByGithub(place, branch, path),
        () => readByBranch(place, branch, path),
      );
    },
    mergeBase: async (branch, commit) => {
      if (!COMMIT.test(commit) || !BRANCH.test(branch)) return null;
      return firstOf(
        () => readGit(place, "merge-base", `refs/remotes/origin/${branch}`, commit),
        () => readGit(place, "merge-base", `refs/heads/${branch}`, commit),
        async () => shaOf((await askToCompare(place, branch, commit))?.["merge_base_commit"]),
      );
    },
    nearest: async (commits, from) => {
      const known = commits.filter((commit) => COMMIT.test(commit));
      if (!COMMIT.test(from)) return { state: "unreadable" };
      if (known.length === 0) return { state: "none" };
      const found = await firstOf(
        () => nearestByGit(place, known, from),
        () => nearestByGithub(place, known, from),
      );
      return found ?? { state: "unreadable" };
    },
    authors: async (commits) => {
      const known = commits.filter((commit) => COMMIT.test(commit));
      const format = ["log", "--no-walk=unsorted", "--ignore-missing", "--format=%H%x00%an"];
      const log =
        known.length === 0 ? null : await firstOf(() => readGit(place, ...format, ...known));
      const lines = (log ?? "").split("\n").filter(Boolean);
      return new Map(lines.map((line) => line.split("\0") as [string, string]));
    },
    trackedFiles: async (folders) => {
      if (!holdsCheckout(place.cwd)) return [];
      return firstOf(() => listTracked(place, folders));
    },
  };
}

async function listTracked(
  place: GitPlace,
  folders: readonly string[],
): Promise<readonly string[] | null> {
  const args = ["--literal-pathspecs", "ls-files", "-z", "--recurse-submodules", "--"];
  const { exitCode, stdout } = await runGit(place, [...args, ...folders]);
  if (exitCode !== 0) return null;
  // git names paths from the folder where it runs, with links resolved.
  const cwd = await realpath(place.cwd);
  return stdout.split("\0").flatMap((path) => (path === "" ? [] : [resolve(cwd, path)]));
}

/** The answer of the first way that has one; null if none has. */
async function firstOf<T>(...ways: readonly (() => Promise<T | null>)[]): Promise<T | null> {
  for (const way of ways) {
    const answer = await way().catch(() => null);
    if (answer !== null) return answer;
  }
  return null;
}

function askToCompare(
  { ask }: HistoryOptions,
  base: string,
  head: string,
): ReturnType<AskForHistory> {
  return ask("GET /repos/{owner}/{repo}/compare/{basehead}", { basehead: `${base}...${head}` });
}

async function readCheckedOut(place: HistoryOptions): Promise<CheckedOut | null> {
  // Without a checkout, git is not started.
  if (!holdsCheckout(place.cwd)) return null;
  const commit = await readGit(place, "rev-parse", "HEAD");
  if (commit === null) return null;
  return {
    commit,
    ref: await readGit(place, "symbolic-ref", "-q", "HEAD"),
    originUrl: await readGit(place, "config", "--get", "remote.origin.url"),
    defaultBranch: async () => {
      const main = await firstOf(() => readGit(place, "rev-parse", "--abbrev-ref", "origin/HEAD"));
      return main?.startsWith("origin/") === true ? main.slice("origin/".length) : null;
    },
    isEdited: async () =>
      (await firstOf(() => readGit(place, "status", "--porcelain", "--untracked-files=no"))) !== "",
    isPushed: (ref) => isHeldBy(place, ref, commit).catch(() => false),
  };
}

/** A tag contains one commit; a branch contains its whole history. */
async function isHeldBy(place: GitPlace, ref: string, commit: string): Promise<boolean> {
  if (ref.startsWith("refs/tags/"))
    return (await readGit(place, "rev-parse", "--verify", "-q", `${ref}^{commit}`)) === commit;
  const branch = ref.replace(/^refs\/heads\//, "");
  return BRANCH.test(branch) && isAncestor(place, commit, `refs/remotes/origin/${branch}`);
}

async function isAncestor(place: GitPlace, older: string, newer: string): Promise<boolean> {
  return (await readGit(place, "merge-base", "--is-ancestor", older, newer)) !== null;
}

const isShallow = async (place: GitPlace): Promise<boolean> =>
  (await readGit(place, "rev-parse", "--is-shallow-repository")) !== "false";

async function showAt(place: GitPlace, ref: string, path: string): Promise<string | null> {
  const { exitCode, stdout } = await runGit(place, ["show", `${ref}:./${path}`]);
  return exitCode === 0 ? stdout : null;
}

/**
 * A file at a branch of the checkout, if nobody else can be asked. The checked-out branch is
 * excluded, whatever its name: a fork's branch may be called `main` too.
 */
async function readByBranch(place: GitPlace, branch: string, path: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const { stdout } = await runGit(place, ["symbolic-ref", "-q", "HEAD"]);
  return stdout.trim() === ref ? null : showAt(place, ref, path);
}

async function readByGithub(
  { ask }: HistoryOptions,
  branch: string,
  path: string,
): Promise<string | null> {
  const data = await ask("GET /repos/{owner}/{repo}/contents/{path}", { path, ref: branch });
  if (typeof data?.["content"] !== "string" || data["encoding"] !== "base64") return null;
  return Buffer.from(data["content"], "base64").toString("utf8");
}

/** Null if the checkout does not contain both commits, or cannot say how they relate. */
async function compareByGit(place: GitPlace, base: string, head: string): Promise<Compared | null> {
  for (const commit of [base, head])
    if ((await readGit(place, "cat-file", "-e", `${commit}^{commit}`)) === null) return null;
  const ahead = await isAncestor(place, base, head);
  const behind = await isAncestor(place, head, base);
  if (!ahead && !behind)
    // A shallow clone can prove ancestry but not disprove it.
    return (await isShallow(place)) ? null : { relation: "diverged", files: null };
  // Moving a file out of a folder changes that folder too.
  const names = await runGit(place, ["diff", "--name-only", "--no-renames", "-z", base, head]);
  const sided = ahead ? "ahead" : "behind";
  return {
    relation: ahead && behind ? "identical" : sided,
    files: names.exitCode === 0 ? names.stdout.split("\0").filter((name) => name !== "") : null,
  };
}

const RELATIONS: readonly Relation[] = ["ahead", "behind", "identical", "diverged"];

async function compareByGithub(
  place: HistoryOptions,
  base: string,
  head: string,
): Promise<Compared | null> {
  const data = await askToCompare(place, base, head);
  const relation = RELATIONS.find((word) => word === data?.["status"]);
  if (relation === undefined) return null;
  const files = data?.["files"];
  // GitHub lists changes since the common ancestor, which are complete only if head is ahead.
  const whole = relation === "ahead" || relation === "identical";
  if (!whole || !Array.isArray(files) || files.length >= MAX_COMPARED_FILES)
    return { relation, files: null };
  const names = (files as readonly Reply[]).flatMap((file) => [
    file["filename"],
    file["previous_filename"],
  ]);
  return { relation, files: names.filter((name): name is string => typeof name === "string") };
}

/** Null if the checkout cannot say: it lacks the commit, or older ones since it is shallow. */
async function nearestByGit(
  place: GitPlace,
  commits: readonly string[],
  from: string,
): Promise<NearestAncestor | null> {
  const history = await readGit(place, "rev-list", `--max-count=${MAX_STEPS}`, from, "--");
  if (history === null) return null;
  const ancestors = history.split("\n").filter(Boolean);
  const found = nearestOf(ancestors, commits);
  const isCut = ancestors.length === MAX_STEPS || (await isShallow(place));
  return found ?? (isCut ? null : { state: "none" });
}

/** The first of the ancestors, newest first, that is one of the commits, which may be abbreviated. */
function nearestOf(
  ancestors: readonly string[],
  commits: readonly string[],
): NearestAncestor | null {
  const whole = new Map(commits.map((commit) => [commit.toLowerCase(), commit]));
  const short = commits.filter(({ length }) => length < (ancestors[0] ?? "").length);
  for (const one of ancestors) {
    const commit = whole.get(one) ?? short.find((known) => sameCommit(known, one));
    if (commit !== undefined) return { state: "found", commit };
  }
  return null;
}

/**
 * Finds one of the commits that is an ancestor, then the nearest of them among the commits between,
 * which GitHub lists. Null if nobody can be asked, or not about all.
 */
async function nearestByGithub(
  place: HistoryOptions,
  commits: readonly string[],
  from: string,
): Promise<NearestAncestor | null> {
  const all = [...new Set(commits)];
  for (const commit of all.slice(0, MAX_ASKED)) {
    const data = await askToCompare(place, commit, from).catch((error: { status?: unknown }) => {
      // A commit removed by a rebase is no ancestor.
      if (error.status === 404) return {} as Reply;
      throw error;
    });
    if (data === null) return null;
    if (data["status"] === "identical") return { state: "found", commit };
    if (data["status"] !== "ahead") continue;
    return nearestOf(commitsBetween(data), commits) ?? { state: "found", commit };
  }
  return all.length > MAX_ASKED ? null : { state: "none" };
}

/** The commits after the older one, newest first; empty if GitHub's list of them is cut. */
function commitsBetween({ commits, ahead_by: ahead }: Reply): string[] {
  if (!Array.isArray(commits) || commits.length !== ahead) return [];
  return commits.flatMap((one) => shaOf(one) ?? []).reverse();
}

function shaOf(value: unknown): string | null {
  const sha = ownString(value, "sha");
  return sha !== undefined && COMMIT.test(sha) ? sha : null;
}
