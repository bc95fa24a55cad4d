import { relative, resolve, sep } from "node:path";
import type { CheckedOut, CommitHistory } from "../plan/history.ts";
import type { Relation } from "../plan/commit.ts";
import { holdsCheckout } from "../ci/checkout-folder.ts";
import { createAncestry } from "./ancestry.ts";
import { BRANCH, COMMIT, readGit, runGit, type GitPlace } from "./git.ts";
import { compareOnGithub, type HistoryOptions } from "./history-request.ts";

/** GitHub's compare returns at most this many files; with this many, some may be missing. */
const MAX_COMPARED_FILES = 300;

type Compared = Awaited<ReturnType<CommitHistory["compare"]>>;
const UNKNOWN: Compared = { relation: "unknown", files: null };

/** Reads history by git if the checkout contains the commits, else by GitHub's compare. */
export function createCommitHistory(options: HistoryOptions): CommitHistory {
  return {
    ...createAncestry(options),
    compare: async (base, head, { gitOnly = false } = {}) => {
      if (!COMMIT.test(base) || !COMMIT.test(head)) return UNKNOWN;
      const local = await compareByGit(options, base, head).catch(() => UNKNOWN);
      if (local.relation !== "unknown" || gitOnly) return local;
      return compareByGithub(options, base, head).catch(() => UNKNOWN);
    },
    checkedOut: (ref) => readCheckedOut(options, ref).catch(() => null),
    readAt: async (branch, given) => {
      const { root, cwd } = options;
      const path = root === cwd ? given : relative(cwd, resolve(root, given)).replaceAll(sep, "/");
      if (!BRANCH.test(branch) || path.startsWith("-") || path.startsWith("../")) return null;
      const ofRemote = await showAt(options, `refs/remotes/origin/${branch}`, path);
      if (ofRemote !== null) return ofRemote;
      const ofGithub = await readByGithub(options, branch, path).catch(() => null);
      return ofGithub ?? (await readByBranch(options, branch, path));
    },
  };
}

/** Compares HEAD with a branch or tag of origin as last fetched. */
async function readCheckedOut(options: HistoryOptions, ref: string): Promise<CheckedOut | null> {
  // Without a checkout, git is not started.
  if (!holdsCheckout(options.cwd)) return null;
  const commit = await readGit(options, "rev-parse", "HEAD");
  const originUrl = await readGit(options, "config", "--get", "remote.origin.url");
  if (commit === null || !COMMIT.test(commit) || originUrl === null) return null;
  return {
    commit,
    ref: await readGit(options, "symbolic-ref", "-q", "HEAD"),
    originUrl,
    isPushed: await isHeldBy(options, ref, commit),
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

/** A file at a ref of the checkout; null if the ref or the file does not exist. */
async function showAt(options: HistoryOptions, ref: string, path: string): Promise<string | null> {
  const shown = await runGit(options, ["show", `${ref}:./${path}`]).catch(() => null);
  return shown?.exitCode === 0 ? shown.stdout : null;
}

/**
 * A file at a branch of the checkout, if nobody else can be asked. The checked-out branch is
 * excluded, whatever its name: a fork's branch may be called `main` too.
 */
async function readByBranch(
  options: HistoryOptions,
  branch: string,
  path: string,
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const head = await runGit(options, ["symbolic-ref", "-q", "HEAD"]).catch(() => null);
  if (head === null || head.stdout.trim() === ref) return null;
  return showAt(options, ref, path);
}

async function readByGithub(
  { ask }: HistoryOptions,
  branch: string,
  path: string,
): Promise<string | null> {
  const data = await ask("GET /repos/{owner}/{repo}/contents/{path}", { path, ref: branch });
  if (data === null) return null;
  const { content, encoding } = data;
  if (typeof content !== "string" || encoding !== "base64") return null;
  return Buffer.from(content, "base64").toString("utf8");
}

async function compareByGit(place: GitPlace, base: string, head: string): Promise<Compared> {
  const has = async (commit: string): Promise<boolean> =>
    (await readGit(place, "cat-file", "-e", `${commit}^{commit}`)) !== null;
  if (!(await has(base)) || !(await has(head))) return UNKNOWN;
  const [ahead, behind] = [
    await isAncestor(place, base, head),
    await isAncestor(place, head, base),
  ];
  // A shallow clone can prove ancestry but not disprove it.
  const shallow = (await readGit(place, "rev-parse", "--is-shallow-repository")) === "true";
  const relation = relationOf(ahead, behind, shallow);
  // If the commits diverged or their relation is unknown, the difference does not show what a push changed.
  if (relation === "diverged" || relation === "unknown") return { relation, files: null };
  // Moving a file out of a folder changes that folder too.
  const names = await runGit(place, ["diff", "--name-only", "--no-renames", "-z", base, head]);
  return {
    relation,
    files: names.exitCode === 0 ? names.stdout.split("\0").filter((name) => name !== "") : null,
  };
}

function relationOf(ahead: boolean, behind: boolean, shallow: boolean): Relation {
  if (ahead && behind) return "identical";
  if (ahead) return "ahead";
  if (behind) return "behind";
  return shallow ? "unknown" : "diverged";
}

async function compareByGithub(
  { ask }: HistoryOptions,
  base: string,
  head: string,
): Promise<Compared> {
  const data = await compareOnGithub(ask, base, head);
  if (data === null) return UNKNOWN;
  const { status, files } = data;
  const relation =
    (["ahead", "behind", "identical", "diverged"] as const).find((word) => word === status) ??
    "unknown";
  // GitHub lists changes since the common ancestor, which are complete only if head is ahead.
  const whole = relation === "ahead" || relation === "identical";
  const names =
    whole && Array.isArray(files) && files.length < MAX_COMPARED_FILES
      ? files.flatMap((file: { filename?: unknown; previous_filename?: unknown }) =>
          [file.filename, file.previous_filename].filter(
            (name): name is string => typeof name === "string",
          ),
        )
      : null;
  return { relation, files: names };
}
