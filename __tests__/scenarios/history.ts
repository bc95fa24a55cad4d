import { execFileSync } from "node:child_process";
import { createTree, type Tree } from "../support/tree.ts";
import { createDeployed, REPO_URL, type Stage } from "./stage.ts";

/** git in a checkout, as somebody who may commit. */
export function gitIn(workspace: Tree): (...args: string[]) => string {
  return (...args) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: workspace.path,
      encoding: "utf8",
    }).trim();
}

/** A checkout with commits that touch one file each; gives their ids, oldest first. */
export function commitsIn(workspace: Tree, ...files: readonly string[]): string[] {
  const git = gitIn(workspace);
  git("init", "-q", "-b", "main");
  return files.map((file, at) => {
    workspace.write(file, `${at}`);
    git("add", file);
    git("commit", "-q", "-m", file);
    return git("rev-parse", "HEAD");
  });
}

/** Deployed at the first commit of a real checkout; the branch's head is the last. */
export async function history(
  spec: string,
  ...files: readonly string[]
): Promise<{
  stage: Stage;
  commits: string[];
  at: (commit: string, inputs?: Record<string, string>) => ReturnType<Stage["run"]>;
}> {
  const workspace = createTree();
  const commits = commitsIn(workspace, ...files);
  const stage = await createDeployed(spec, {}, { commit: commits[0]!, workspace });
  const at = (commit: string, inputs: Record<string, string> = {}): ReturnType<Stage["run"]> =>
    stage.run(inputs, { env: { GITHUB_SHA: commit } });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: commits.at(-1)! });
  return { stage, commits, at };
}
