import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import { judgeLatest } from "../plan/decision.ts";
import type { FoundLive } from "../plan/found.ts";
import type { DeployContext } from "./context.ts";
import type { Reader } from "./revision-reader.ts";

/** Which revision a run waits for: set by the writes, used by the watch. */
export interface OwnRevision {
  /**
   * `given`: a person named it, so if the service does not know it, that is an error; one named in
   * a reply may appear late.
   */
  readonly kind: "given" | "written" | "pushed";
  /** Null: the service has not named it yet. */
  readonly id: string | null;
  /** Its id according to the deployment; null: not yet. */
  readonly find: (
    deployment: LiveDeployment,
    reads: OwnReads,
  ) => Promise<string | null> | string | null;
  /** What the revision is: `before`: still as before its redeploy; `other`: made by something else. */
  readonly judge: (
    revision: LiveRevision,
    reads: OwnReads,
  ) => Promise<"own" | "other"> | "own" | "before";
  /**
   * The redeployed revision as it was before; null if none was redeployed. If the service keeps its
   * id, its status counts again only once that or `updated_at` has changed.
   */
  readonly model: LiveRevision | null;
  /** The message if the service never names it; null: a general one. */
  readonly neverNamed: string | null;
  /**
   * The revision that was active before; another one that becomes active is somebody else's. Null:
   * any other may, and is compared by age.
   */
  readonly previousActiveId: string | null;
}

/** Reads that distinguish revisions; they throw nothing but the signal's reason. */
export interface OwnReads extends Pick<Reader, "deployment" | "readDeployment" | "readRevision"> {
  readonly log: (line: string) => void;
  /** Share of the time limit that has passed, and the time itself. */
  readonly passed: () => { readonly ms: number; readonly share: number };
}

/** The revision with this id; without one, the deployment's latest. `before`: the deployment before it is active. */
export function byId(
  id: string | null,
  before: Pick<LiveDeployment, "active_revision_id"> | null,
  kind: "given" | "written" = "written",
): OwnRevision {
  return {
    kind,
    id,
    find: ({ latest_revision_id: latest }) => id ?? latest,
    judge: () => "own",
    model: null,
    neverNamed: null,
    previousActiveId: before?.active_revision_id ?? null,
  };
}

/** The revision made by a write: the latest one, if it is not the one before. */
export function newerThan(
  before: Pick<LiveDeployment, "latest_revision_id">,
  after: LiveDeployment,
  neverNamed: string | null = null,
): OwnRevision {
  const newer = ({ latest_revision_id: latest }: typeof before): string | null =>
    latest === before.latest_revision_id ? null : latest;
  return {
    ...byId(newer(after), after),
    find: newer,
    neverNamed,
  };
}

/**
 * The result of a redeploy: a new latest revision, or the same one once it has changed. `model`:
 * that revision before.
 */
export function redeployedOf(
  live: LiveDeployment,
  after: LiveDeployment,
  model: LiveRevision | null,
  revisionId: string,
): OwnRevision {
  const named = ({ latest_revision_id: latest }: LiveDeployment): string | null =>
    latest === live.latest_revision_id && latest !== null ? revisionId : latest;
  let hasMoved = model === null;
  return {
    ...byId(named(after), after),
    model,
    find: named,
    judge: (shown) => {
      hasMoved ||= model !== null && (shown.id !== revisionId || hasChanged(model, shown));
      return hasMoved ? "own" : "before";
    },
  };
}

/** Whether a revision shows that something happened to it since. */
export function hasChanged(before: LiveRevision, now: LiveRevision): boolean {
  return now.status !== before.status || now.updated_at !== before.updated_at;
}

/**
 * A push's revision appears within seconds, and a run begins later than that: if a failed one
 * stays the newest for this long, or for this share of a short limit, it is the push's.
 */
const NEWER_WITHIN = { ms: 30_000, share: 0.25 };

/**
 * The revision that a push makes, identified by the commits that revisions show: two pushes in a
 * row make two revisions.
 */
export function pushedOf(
  { repository }: Pick<DeployContext, "repository">,
  wanted: string,
  found: FoundLive,
): OwnRevision {
  const { deployment: before, latest: latestBefore } = found;
  const latestId = before.latest_revision_id;
  // It counts as the push's unless it proves otherwise.
  const wasUnderWay = judgeLatest(found) === "unfinished";
  // One that was never built may never show its commit.
  const hadFailed = latestBefore !== null && endOf(latestBefore.status) === "failed";
  const isAncestor = createAncestry(repository);
  /** Revisions that showed a commit older than the push. */
  const earlier = new Set<string>();
  const shownBefore = liveCommit(before);
  const isFormer = (commit: string): boolean =>
    shownBefore !== null && sameCommit(commit, shownBefore);
  const earlierCommit = async (revision: LiveRevision, reads: OwnReads): Promise<string | null> => {
    const isBuilt =
      wasUnderWay && revision.id === latestId && (await hasShownCommit(revision, reads));
    const commit = commitOf(revision, reads.deployment());
    if (commit === null || sameCommit(commit, wanted)) return null;
    // A service may show the previously live commit until the new one is built.
    if (isFormer(commit)) return isBuilt ? commit : null;
    return (await isAncestor(commit, wanted)) ? commit : null;
  };
  const judge = async (revision: LiveRevision, reads: OwnReads): Promise<"own" | "other"> => {
    const commit = await earlierCommit(revision, reads);
    if (commit === null) return "own";
    if (!earlier.has(revision.id))
      reads.log(
        `revision ${revision.id} shows the earlier commit ${commit.slice(0, 12)}: still waiting for ours`,
      );
    earlier.add(revision.id);
    return "other";
  };
  /** Whether a latest revision that was there before, or showed another commit, is the push's after all. */
  const isAfterAll = async (
    deployment: LiveDeployment,
    latest: string,
    { passed }: OwnReads,
  ): Promise<boolean> => {
    const commit = liveCommit(deployment);
    if (commit !== null && !isFormer(commit))
      return sameCommit(commit, wanted) || isAncestor(wanted, commit);
    const { ms, share } = passed();
    return (
      hadFailed &&
      latest === latestId &&
      !earlier.has(latest) &&
      (ms >= NEWER_WITHIN.ms || share >= NEWER_WITHIN.share)
    );
  };
  return {
    ...byId(null, before),
    kind: "pushed",
    find: async (deployment, reads) => {
      const latest = deployment.latest_revision_id;
      if (latest === null) return null;
      const wasThere = !wasUnderWay && latest === latestId;
      if (wasThere || earlier.has(latest))
        return (await isAfterAll(deployment, latest, reads)) ? latest : null;
      const read = await reads.readRevision(latest);
      const isOther = read?.state === "found" && (await judge(read.revision, reads)) === "other";
      return isOther ? null : latest;
    },
    judge,
    neverNamed: `the push of ${wanted.slice(0, 12)} made no revision: build_on_push is true, but the service began no build of it`,
  };
}

/** Whether one commit is an ancestor of another; each pair is looked up once. */
function createAncestry({ compare }: DeployContext["repository"]) {
  const relations = new Map<string, Promise<boolean>>();
  return (older: string, newer: string): Promise<boolean> => {
    const key = `${older} ${newer}`;
    const answer =
      relations.get(key) ?? compare(older, newer).then(({ relation }) => relation === "ahead");
    relations.set(key, answer);
    return answer;
  };
}

/** A revision may name its commit only once it is built; the deployment shows the latest one's. */
function commitOf(revision: LiveRevision, deployment: LiveDeployment | null): string | null {
  const own = revision.source_revision_config["repo_commit_sha"];
  if (typeof own === "string") return own;
  return deployment?.latest_revision_id === revision.id ? liveCommit(deployment) : null;
}

/**
 * Whether the commit that a revision shows is the one it was made from: it was built. A failed one
 * may never show it, and counts as another's only if a newer one has come.
 */
async function hasShownCommit(
  revision: LiveRevision,
  { readDeployment }: OwnReads,
): Promise<boolean> {
  const end = endOf(revision.status);
  if (end === undefined || end === "interrupted") return false;
  const deployment = await readDeployment();
  return (
    end === "deployed" || (deployment !== null && deployment.latest_revision_id !== revision.id)
  );
}
