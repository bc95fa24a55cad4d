import type { Relation } from "./commit.ts";

/** What the checkout or the code host knows of commits; never throws. */
export interface CommitHistory {
  /** `gitOnly`: the commits are of another repository than the run's, so that its code host would be asked in vain. */
  readonly compare: (
    base: string,
    head: string,
    options?: { readonly gitOnly?: boolean },
  ) => Promise<{ readonly relation: Relation; readonly files: readonly string[] | null }>;
  /** What is checked out, held against a full ref of origin; null outside of a checkout of one. */
  readonly checkedOut: (ref: string) => Promise<CheckedOut | null>;
  /** A file as a branch of the code host has it; null where it cannot be read. */
  readonly readAt: (branch: string, path: string) => Promise<string | null>;
  /** Where a branch and a commit diverged; null where that is unknown. */
  readonly mergeBase: (branch: string, commit: string) => Promise<string | null>;
  /** The nearest of some commits (newest first) along first parents of another, which counts too. */
  readonly nearest: (commits: readonly string[], from: string) => Promise<NearestAncestor>;
  /** Who wrote some commits, by commit; those that the checkout does not hold are left out. */
  readonly authors: (commits: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What is checked out; null outside of a repository. */
  readonly checkout: () => Promise<Checkout | null>;
}

/** What is checked out, where git holds it. */
export interface CheckedOut {
  readonly commit: string;
  /** Full ref; null where no branch is checked out. */
  readonly ref: string | null;
  readonly originUrl: string;
  /** Whether the ref that was asked for holds the commit, as far as origin was fetched. */
  readonly isPushed: boolean;
}

/** What is checked out. */
export interface Checkout {
  /** Null where tracked files were edited since. */
  readonly commit: string | null;
  readonly branch: string | null;
  /** What the clone knows as the main branch. */
  readonly defaultBranch: string | null;
}

/** How a search along first parents ended. */
export type NearestAncestor =
  | { readonly state: "found"; readonly commit: string }
  | { readonly state: "none" }
  /** Neither the checkout nor GitHub could say. */
  | { readonly state: "unreadable" };
