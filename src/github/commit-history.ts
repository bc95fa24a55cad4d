import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { CheckedOut, CommitHistory } from "../deploy/context.ts";
import type { Relation } from "../plan/commit.ts";
import { holdsCheckout } from "../ci/checkout-folder.ts";
import { COMPARE, type AskForHistory } from "./history-request.ts";

/** GitHub's compare answers with at most this many files; so many may be fewer than there are. */
const MOST_COMPARED_FILES = 300;
/** Names of branches, without what git could take for an option or a range. */
const BRANCH = /^[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/-]{0,200}$/;
const COMMIT = /^[0-9a-f]{7,64}$/i;

type Compared = Awaited<ReturnType<CommitHistory["compare"]>>;
const UNKNOWN: Compared = { relation: "unknown", files: null };

/** Where commits are looked up. */
export interface HistoryOptions extends GitPlace {
  readonly ask: AskForHistory;
  /** What paths of files begin in: the workspace, which need not be the checkout. */
  readonly root: string;
}

/**
 * How two commits stand to each other: by the checkout's git where it holds both, else by GitHub's
 * compare; never throws.
 */
export function createCommitHistory(options: HistoryOptions): CommitHistory {
  return {
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

/** HEAD, held against a branch or tag of origin as it was last fetched. */
async function readCheckedOut(options: HistoryOptions, ref: string): Promise<CheckedOut | null> {
  // Without a checkout no program is started.
  if (!holdsCheckout(options.cwd)) return null;
  const git = async (...args: string[]): Promise<string | null> => {
    const { exitCode, stdout } = await runGit(options, args);
    return exitCode === 0 ? stdout.trim() : null;
  };
  const commit = await git("rev-parse", "HEAD");
  const originUrl = await git("config", "--get", "remote.origin.url");
  if (commit === null || !COMMIT.test(commit) || originUrl === null) return null;
  return {
    commit,
    ref: await git("symbolic-ref", "-q", "HEAD"),
    originUrl,
    isPushed: await isHeldBy(git, ref, commit),
  };
}

/** A tag is one commit; a branch holds all that led to it. */
async function isHeldBy(
  git: (...args: string[]) => Promise<string | null>,
  ref: string,
  commit: string,
): Promise<boolean> {
  if (ref.startsWith("refs/tags/"))
    return (await git("rev-parse", "--verify", "-q", `${ref}^{commit}`)) === commit;
  const branch = ref.replace(/^refs\/heads\//, "");
  if (!BRANCH.test(branch)) return false;
  return (
    (await git("merge-base", "--is-ancestor", commit, `refs/remotes/origin/${branch}`)) !== null
  );
}

/** A file as a ref of the checkout has it; null where the ref or the file does not exist. */
async function showAt(options: HistoryOptions, ref: string, path: string): Promise<string | null> {
  const shown = await runGit(options, ["show", `${ref}:./${path}`]).catch(() => null);
  return shown?.exitCode === 0 ? shown.stdout : null;
}

/**
 * As a branch of the checkout itself has it, where nobody else can be asked. The one that is
 * checked out is what is judged, whatever its name: a fork's branch may be called `main` too.
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

/**
 * Where git is; "git" where no folder of the PATH has one. The runner's own lookup prints a line
 * for each folder it may not read.
 */
function findGit(path: string): string {
  const names = process.platform === "win32" ? ["git.exe", "git.cmd"] : ["git"];
  for (const folder of path.split(delimiter))
    for (const name of names) {
      const file = join(folder, name);
      if (isAbsolute(file) && isExecutable(file)) return file;
    }
  return "git";
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * git obeys the configuration of the repository it is in, which may name programs. A folder of a
 * commit can be a bare repository with a configuration of its own, and a commit that is missing
 * there would be fetched by the program it names: neither is allowed.
 */
const GIT_GUARDS = {
  args: ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"],
  env: { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
} as const;

/** git with nothing but what it reads here: for commands that a person runs and can interrupt. */
export function gitCall(
  { env }: Pick<GitPlace, "env">,
  args: readonly string[],
): { readonly file: string; readonly args: string[]; readonly env: Record<string, string> } {
  return {
    file: findGit(env["PATH"] ?? ""),
    args: [...GIT_GUARDS.args, ...args],
    env: { ...env, ...GIT_GUARDS.env },
  };
}

/** git reads what is on the disk: it needs seconds, and one that hangs is ended. */
const GIT_MS = 30_000;
/** Of `rev-list` over a long history. */
const MAX_GIT_BYTES = 64 * 1024 * 1024;
/** Places where git hung: it is asked there no more. */
const hung = new WeakSet<GitPlace>();

/** Where git is asked, and how long it may take. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The run's limit; absent: git's own. */
  readonly timeoutMs?: number | null;
  readonly signal?: AbortSignal;
  readonly warn?: (message: string) => void;
}

/**
 * Runs git over what is there and nothing else: no network, no program that a folder's own
 * configuration names. Rejects where it cannot be started, was ended, or hung before.
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  if (hung.has(place)) throw new Error("git did not answer before");
  const { cwd, signal } = place;
  const call = gitCall(place, args);
  const limitMs = Math.min(GIT_MS, place.timeoutMs ?? GIT_MS);
  return new Promise((resolve, reject) => {
    execFile(
      call.file,
      call.args,
      {
        cwd,
        env: call.env,
        timeout: limitMs,
        killSignal: "SIGKILL",
        maxBuffer: MAX_GIT_BYTES,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout) => {
        if (typeof error?.code === "number") resolve({ exitCode: error.code, stdout });
        else if (error === null) resolve({ exitCode: 0, stdout });
        else {
          if (error.killed === true && signal?.aborted !== true && !hung.has(place)) {
            hung.add(place);
            place.warn?.(
              `git ${args[0]} did not end within ${limitMs / 1000} s and was stopped: the checkout's history is not read`,
            );
          }
          reject(error);
        }
      },
    );
  });
}

async function compareByGit(place: GitPlace, base: string, head: string): Promise<Compared> {
  const git = (...args: string[]): ReturnType<typeof runGit> => runGit(place, args);
  const has = async (commit: string): Promise<boolean> =>
    (await git("cat-file", "-e", `${commit}^{commit}`)).exitCode === 0;
  if (!(await has(base)) || !(await has(head))) return UNKNOWN;
  const isAncestor = async (older: string, newer: string): Promise<boolean> =>
    (await git("merge-base", "--is-ancestor", older, newer)).exitCode === 0;
  const [ahead, behind] = [await isAncestor(base, head), await isAncestor(head, base)];
  // A shallow clone can prove ancestry, but not deny it.
  const shallow = (await git("rev-parse", "--is-shallow-repository")).stdout.trim() === "true";
  const relation = relationOf(ahead, behind, shallow);
  // Between diverged commits, or where the relation is unknown, the difference says nothing of what a push changed.
  if (relation === "diverged" || relation === "unknown") return { relation, files: null };
  // A file that was moved out of a folder changed that folder too.
  const names = await git("diff", "--name-only", "--no-renames", "-z", base, head);
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
  const data = await ask(COMPARE, { basehead: `${base}...${head}` });
  if (data === null) return UNKNOWN;
  const { status, files } = data;
  const relation =
    (["ahead", "behind", "identical", "diverged"] as const).find((word) => word === status) ??
    "unknown";
  // GitHub lists what head changed since the two diverged, which is the whole difference only where head is ahead.
  const whole = relation === "ahead" || relation === "identical";
  const names =
    whole && Array.isArray(files) && files.length < MOST_COMPARED_FILES
      ? files.flatMap((file: { filename?: unknown; previous_filename?: unknown }) =>
          [file.filename, file.previous_filename].filter(
            (name): name is string => typeof name === "string",
          ),
        )
      : null;
  return { relation, files: names };
}
