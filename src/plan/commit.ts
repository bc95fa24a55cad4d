import type { Spelled } from "../model/entry-point.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { Desired } from "../spec/desired.ts";
import { toChange, type PlanPart } from "./plan.ts";
import { valueAt } from "./value.ts";

/** How the wanted commit relates to the live one, as far as it can be read. */
export type Relation = "ahead" | "behind" | "identical" | "diverged" | "unknown";

/** What is known about the commit that should be live. */
export type CommitCheck =
  /** There is no commit to compare; the report shows `why`. */
  | { readonly state: "skipped"; readonly why: string; readonly onMerge: boolean }
  | {
      readonly state: "wanted";
      readonly commit: string;
      readonly relation: Relation;
      /** Whether one of `deploy.paths` changed between the two; `unknown` counts as changed. */
      readonly pathsChanged: "yes" | "no" | "unknown";
    };

/** What the commit adds to a plan: at most one change. */
export interface CommitVerdict extends PlanPart {
  /** The commit is part of the wanted state, and could not be compared with the live one. */
  readonly unchecked?: true;
}

const REPO_COMMIT = "source_revision_config.repo_commit_sha";
const short = (commit: string): string => commit.slice(0, 12);

/** Matches a whole commit id, which a reply may show in place of the ref (contributing/service.md 2.6). */
export const COMMIT_LIKE = /^[0-9a-f]{40}$/i;

/** Whether two commit ids name the same commit; either may be abbreviated to 7 characters or more. */
export function sameCommit(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x === y || (Math.min(x.length, y.length) >= 7 && (x.startsWith(y) || y.startsWith(x)));
}

/** The commit of the live deployment's latest revision, if the service shows it. */
export function liveCommit(live: LiveDeployment): string | null {
  const commit = valueAt(live.body, REPO_COMMIT);
  return typeof commit === "string" && commit !== "" ? commit : null;
}

/** Whether a moved branch must be deployed. */
export function judgeCommit(
  desired: Desired,
  live: LiveDeployment,
  check: CommitCheck,
  force: boolean,
): CommitVerdict {
  const unchecked = (why: string): CommitVerdict => ({
    notes: [`commit not checked: ${why}`],
    unchecked: true,
  });
  if (desired.source !== "repohost") return {};
  if (check.state === "skipped") {
    const where =
      desired.deploy.paths.length === 0 ? "" : ", if it changes files under deploy.paths";
    if (check.onMerge) return { notes: [`on merge: builds the merged commit${where}`] };
    return unchecked(check.why);
  }
  const before = liveCommit(live);
  if (before === null) return unchecked("the service does not return repo_commit_sha");
  if (sameCommit(before, check.commit) || check.relation === "identical") return {};
  if (check.relation === "behind" && !force) {
    const message: Spelled = (spell) =>
      `commit ${short(check.commit)} is an ancestor of ${short(before)}, which is live: an older run must not roll back a newer one. ` +
      `Run again on the newest commit, or set ${spell("force", true)} to build the branch again`;
    return { blockers: [{ code: "older-commit", path: REPO_COMMIT, message }] };
  }
  if (check.pathsChanged === "no") {
    const note = `the branch moved (${short(before)} → ${short(check.commit)}), but nothing under deploy.paths changed: not counted`;
    return { notes: [note] };
  }
  const notes: string[] = [];
  if (check.relation === "unknown")
    notes.push(
      `whether ${short(check.commit)} is newer than ${short(before)} could not be read: it counts as newer`,
    );
  if (check.pathsChanged === "unknown" && desired.deploy.paths.length > 0)
    notes.push("which files changed could not be read: deploy.paths counts as changed");
  return { changes: [toChange(REPO_COMMIT, before, check.commit, "new-revision")], notes };
}
