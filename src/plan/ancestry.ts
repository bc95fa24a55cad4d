/** How commits follow each other, as far as the checkout or the code host can know; never throws. */
export interface Ancestry {
  /** Where a branch and a commit diverged; null where that is unknown. */
  readonly mergeBase: (branch: string, commit: string) => Promise<string | null>;
  /** The nearest of some commits (newest first) along first parents of another, which counts too. */
  readonly nearest: (commits: readonly string[], from: string) => Promise<NearestAncestor>;
  /** Who wrote some commits, by commit; those that the checkout does not hold are left out. */
  readonly authors: (commits: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What is checked out; null outside of a repository. */
  readonly checkout: () => Promise<Checkout | null>;
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
