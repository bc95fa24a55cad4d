import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import type { DeployContext } from "./context.ts";

/** What tells the revision that a push makes from the others, by the commits that they show. */
export interface Push {
  /** Whether a revision was made by something before the push: it is left alone, however it ends. */
  readonly isEarlier: (revision: LiveRevision, latest: LatestReads) => Promise<string | null>;
  /**
   * Whether the latest revision, which was there before the run, is the push's after all: the deployment shows the
   * commit, or its build had failed and no newer revision came in time.
   */
  readonly isBehind: (deployment: LiveDeployment, passed: Passed) => Promise<boolean>;
}

/** How long the run has waited, and of how long. */
export interface Passed {
  readonly ms: number;
  readonly limitMs: number;
}

/**
 * A push's revision is there seconds after it, and a run begins later than that: a failed one that stays the newest for
 * so long, or for this share of a short limit, is the push's.
 */
const NEWER_WITHIN = { ms: 30_000, share: 0.25 };

/** The deployment as it was read last, and read again. */
export interface LatestReads {
  readonly known: () => LiveDeployment | null;
  readonly again: () => Promise<LiveDeployment | null>;
}

/**
 * Two pushes in a row make two revisions, and the one of the first comes first. `underWayId`: the
 * revision that was being built when the run began. It counts as the push's unless it turns out to
 * be of something else; null where there was none. `failedId`: the latest one where it had failed, which may be the
 * push's: what was never built may never show its commit.
 */
export function createPush(
  { repository }: Pick<DeployContext, "repository">,
  wanted: string,
  before: LiveDeployment,
  { underWayId, failedId }: Readonly<Record<"underWayId" | "failedId", string | null>>,
): Push {
  const relations = new Map<string, Promise<boolean>>();
  const shownBefore = liveCommit(before);
  const isFormer = (commit: string): boolean =>
    shownBefore !== null && sameCommit(commit, shownBefore);
  const isAncestor = (older: string, newer: string): Promise<boolean> => {
    const key = `${older} ${newer}`;
    const answer =
      relations.get(key) ??
      repository.compare(older, newer).then(({ relation }) => relation === "ahead");
    relations.set(key, answer);
    return answer;
  };
  return {
    isEarlier: async (revision, latest) => {
      const isBuilt = revision.id === underWayId && (await hasToldCommit(revision, latest));
      const commit = commitOf(revision, latest.known());
      if (commit === null || sameCommit(commit, wanted)) return null;
      // A service may show the commit that was live before until the new one is built.
      if (isFormer(commit)) return isBuilt ? commit : null;
      return (await isAncestor(commit, wanted)) ? commit : null;
    },
    isBehind: async (deployment, { ms, limitMs }) => {
      const commit = liveCommit(deployment);
      if (commit === null || isFormer(commit))
        return (
          failedId !== null &&
          deployment.latest_revision_id === failedId &&
          ms >= Math.min(NEWER_WITHIN.ms, limitMs * NEWER_WITHIN.share)
        );
      return sameCommit(commit, wanted) || isAncestor(wanted, commit);
    },
  };
}

/** A revision may name its commit only once it is built; the deployment shows that of its latest. */
function commitOf(revision: LiveRevision, deployment: LiveDeployment | null): string | null {
  const own = revision.source_revision_config["repo_commit_sha"];
  if (typeof own === "string") return own;
  return deployment?.latest_revision_id === revision.id ? liveCommit(deployment) : null;
}

/**
 * Whether the commit that a revision shows is the one it was made of: it was built. One that failed
 * may never tell, and is of something else only where a newer one has come.
 */
async function hasToldCommit(revision: LiveRevision, { again }: LatestReads): Promise<boolean> {
  const end = endOf(revision.status);
  if (end === undefined || end === "interrupted") return false;
  const deployment = await again();
  return (
    end === "deployed" || (deployment !== null && deployment.latest_revision_id !== revision.id)
  );
}
