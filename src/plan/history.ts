import type { Relation } from "./commit.ts";

/** What the checkout or the code host knows about commits; never throws. */
export interface CommitHistory {
  /** `gitOnly`: the commits belong to another repository than the run's, so asking its code host would be pointless. */
  readonly compare: (
    base: string,
    head: string,
    options?: { readonly gitOnly?: boolean },
  ) => Promise<{ readonly relation: Relation; readonly files: readonly string[] | null }>;
  /** What is checked out, according to git; null outside a checkout. */
  readonly checkedOut: () => Promise<CheckedOut | null>;
  /** A file on a branch of the code host; null if it cannot be read. */
  readonly readAt: (branch: string, path: string) => Promise<string | null>;
  /** The merge base of a branch and a commit; null if unknown. */
  readonly mergeBase: (branch: string, commit: string) => Promise<string | null>;
  /** Which of some commits (newest first) is the newest ancestor of a commit, or that commit itself. */
  readonly nearest: (commits: readonly string[], from: string) => Promise<NearestAncestor>;
  /** Authors by commit; leaves out commits that the checkout lacks. */
  readonly authors: (commits: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /**
   * Absolute paths of the files that git tracks in some folders (absolute, with links resolved),
   * also in their submodules; none outside a checkout, null if git cannot say.
   */
  readonly trackedFiles: (folders: readonly string[]) => Promise<readonly string[] | null>;
}

/** Where HEAD of the checkout is, according to git. */
export interface CheckedOut {
  readonly commit: string;
  /** Full ref; null if no branch is checked out. */
  readonly ref: string | null;
  readonly originUrl: string | null;
  /** The main branch, according to the clone. */
  readonly defaultBranch: () => Promise<string | null>;
  /** Whether tracked files were edited. */
  readonly isEdited: () => Promise<boolean>;
  /** Whether a full ref of origin contains the commit, as far as it was fetched. */
  readonly isPushed: (ref: string) => Promise<boolean>;
}

/** The result of a search among the ancestors of a commit. */
export type NearestAncestor =
  | { readonly state: "found"; readonly commit: string }
  | { readonly state: "none" }
  /** Neither the checkout nor GitHub knows. */
  | { readonly state: "unreadable" };
