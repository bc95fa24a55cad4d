import type { Clock } from "../clock.ts";
import type { Repository } from "../deploy/context.ts";
import type { Relation } from "../plan/commit.ts";
import type { RunContext } from "./context.ts";
import { createGithubApi } from "./github-api.ts";

/** GitHub's compare answers with at most this many files; so many may be fewer than there are. */
const MOST_COMPARED_FILES = 300;
const COMPARE_PATIENCE_MS = 20_000;
const COMMIT = /^[0-9a-f]{7,64}$/i;

type Compared = Awaited<ReturnType<Repository["compare"]>>;
const UNKNOWN: Compared = { relation: "unknown", files: null };

/** How two commits stand to each other: by the checkout's git where it holds both, else by GitHub's compare; never throws. */
export function createCommitHistory(options: {
  readonly cwd: string; readonly run: RunContext; readonly token: string; readonly clock: Clock;
}): Repository {
  return {
    compare: async (base, head) => {
      if (!COMMIT.test(base) || !COMMIT.test(head)) return UNKNOWN;
      const local = await compareByGit(options.cwd, base, head).catch(() => UNKNOWN);
      if (local.relation !== "unknown") return local;
      return compareByGithub(options, base, head).catch(() => UNKNOWN);
    },
  };
}

async function compareByGit(cwd: string, base: string, head: string): Promise<Compared> {
  const { getExecOutput } = await import("@actions/exec");
  const git = (...args: string[]): ReturnType<typeof getExecOutput> => getExecOutput("git", args, { cwd, silent: true, ignoreReturnCode: true });
  const has = async (commit: string): Promise<boolean> => (await git("cat-file", "-e", `${commit}^{commit}`)).exitCode === 0;
  if (!(await has(base)) || !(await has(head))) return UNKNOWN;
  const isAncestor = async (older: string, newer: string): Promise<boolean> => (await git("merge-base", "--is-ancestor", older, newer)).exitCode === 0;
  const [ahead, behind] = [await isAncestor(base, head), await isAncestor(head, base)];
  // A shallow clone can prove ancestry, but not deny it.
  const shallow = (await git("rev-parse", "--is-shallow-repository")).stdout.trim() === "true";
  const relation: Relation = ahead && behind ? "identical" : ahead ? "ahead" : behind ? "behind" : shallow ? "unknown" : "diverged";
  const names = await git("diff", "--name-only", "-z", base, head);
  return { relation, files: names.exitCode === 0 ? names.stdout.split("\0").filter((name) => name !== "") : null };
}

async function compareByGithub({ run, token, clock }: Parameters<typeof createCommitHistory>[0], base: string, head: string): Promise<Compared> {
  if (run.host !== "github" || run.repository === null || token === "") return UNKNOWN;
  const api = await createGithubApi({ token, baseUrl: run.apiUrl, clock, patienceMs: () => COMPARE_PATIENCE_MS });
  const { data } = await api.request("GET /repos/{owner}/{repo}/compare/{basehead}", { owner: run.repository.owner, repo: run.repository.name, basehead: `${base}...${head}` });
  const { status, files } = data as { status?: unknown; files?: unknown };
  const relation = (["ahead", "behind", "identical", "diverged"] as const).find((word) => word === status) ?? "unknown";
  const names = Array.isArray(files) && files.length < MOST_COMPARED_FILES ? files.flatMap((file: { filename?: unknown; previous_filename?: unknown }) =>
    [file.filename, file.previous_filename].filter((name): name is string => typeof name === "string")) : null;
  return { relation, files: names };
}
