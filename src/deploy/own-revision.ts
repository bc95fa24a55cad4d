import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import type { DeployContext } from "./context.ts";

/** Which revision a run waits for: made where it is written, asked by the watch. */
export interface OwnRevision {
  /**
   * `given`: a person named it, so one that the service does not know is an error; one that a write
   * returned may be late.
   */
  readonly kind: "given" | "written" | "redeployed" | "pushed";
  /** Null: the service has not named it yet. */
  readonly id: string | null;
  /** Its id as the deployment shows it; null: not yet. */
  readonly find: (deployment: LiveDeployment, reads: OwnReads) => Promise<string | null>;
  /**
   * What a revision of that id shows: `before`: as it was before its redeploy; `other`: it was made
   * by something else.
   */
  readonly judge: (revision: LiveRevision, reads: OwnReads) => Promise<"own" | "before" | "other">;
  /** The revision before its redeploy; null where none was sent. */
  readonly before: BeforeRedeploy | null;
  /** What to say where the service never names it; null: in general words. */
  readonly neverNamed: string | null;
}

/**
 * A revision as it was before its redeploy. Where the service keeps its id, that status counts
 * again only once it, or `updatedAt`, has moved.
 */
export interface BeforeRedeploy {
  readonly revisionId: string;
  readonly status: string;
  readonly updatedAt: string;
}

/** What distinguishes a revision from others: reads of the wait, which never throw but the signal's reason. */
export interface OwnReads {
  readonly deployment: () => LiveDeployment | null;
  readonly readDeployment: () => Promise<LiveDeployment | null>;
  readonly readRevision: (id: string) => Promise<LiveRevision | null>;
  readonly say: (line: string) => void;
  /** Share of the time limit that has passed, and the time itself. */
  readonly passed: () => { readonly ms: number; readonly share: number };
}

const isOwn = (): Promise<"own"> => Promise.resolve("own");

/** The revision of an id; without one, the deployment's latest. */
export function byId(id: string | null, kind: "given" | "written"): OwnRevision {
  return {
    kind,
    id,
    find: (deployment) => Promise.resolve(id ?? deployment.latest_revision_id),
    judge: isOwn,
    before: null,
    neverNamed: null,
  };
}

/** The revision that a write made: the latest one that is not the one before. */
export function newerThan(
  before: Pick<LiveDeployment, "latest_revision_id">,
  after: Pick<LiveDeployment, "latest_revision_id">,
  neverNamed: string | null = null,
): OwnRevision {
  const newer = ({ latest_revision_id: latest }: typeof before): string | null =>
    latest === before.latest_revision_id ? null : latest;
  return {
    ...byId(newer(after), "written"),
    find: (deployment) => Promise.resolve(newer(deployment)),
    neverNamed,
  };
}

/** What a redeploy made: a new latest revision, or the same one once it has moved. `model`: as it was before. */
export function redeployedOf(
  live: LiveDeployment,
  after: LiveDeployment,
  model: LiveRevision | null,
  revisionId: string,
): OwnRevision {
  const named = ({ latest_revision_id: latest }: LiveDeployment): string | null =>
    latest === live.latest_revision_id && latest !== null ? revisionId : latest;
  const id = named(after);
  const before =
    model === null || (id !== null && id !== revisionId)
      ? null
      : { revisionId, status: model.status, updatedAt: model.updated_at };
  let hasMoved = before === null;
  return {
    ...byId(id, "written"),
    kind: "redeployed",
    before,
    find: (deployment) => Promise.resolve(named(deployment)),
    judge: ({ id: shownId, status, updated_at }) => {
      hasMoved ||=
        shownId !== revisionId || status !== model?.status || updated_at !== model.updated_at;
      return Promise.resolve(hasMoved ? "own" : "before");
    },
  };
}

/**
 * A push's revision is there seconds after it, and a run begins later than that: a failed one that stays the newest for
 * so long, or for this share of a short limit, is the push's.
 */
const NEWER_WITHIN = { ms: 30_000, share: 0.25 };

/** The revision that was the latest when the run began to wait for a push. */
export interface LatestAtStart {
  readonly id: string | null;
  /**
   * `underWay`: it counts as the push's unless it turns out to be of something else. `failed`: what
   * was never built may never show its commit.
   */
  readonly state: "settled" | "underWay" | "failed";
}

/**
 * The revision that a push makes, distinguished by the commits that revisions show: two pushes in a
 * row make two revisions.
 */
export function pushedOf(
  { repository }: Pick<DeployContext, "repository">,
  wanted: string,
  before: LiveDeployment,
  latestAtStart: LatestAtStart,
): OwnRevision {
  const relations = new Map<string, Promise<boolean>>();
  /** Revisions that showed a commit from before the push. */
  const earlier = new Set<string>();
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
  const earlierCommit = async (revision: LiveRevision, reads: OwnReads): Promise<string | null> => {
    const isBuilt =
      latestAtStart.state === "underWay" &&
      revision.id === latestAtStart.id &&
      (await hasShownCommit(revision, reads));
    const commit = commitOf(revision, reads.deployment());
    if (commit === null || sameCommit(commit, wanted)) return null;
    // A service may show the commit that was live before until the new one is built.
    if (isFormer(commit)) return isBuilt ? commit : null;
    return (await isAncestor(commit, wanted)) ? commit : null;
  };
  const judge: OwnRevision["judge"] = async (revision, reads) => {
    const commit = await earlierCommit(revision, reads);
    if (commit === null) return "own";
    if (!earlier.has(revision.id))
      reads.say(
        `revision ${revision.id} shows the earlier commit ${commit.slice(0, 12)}: still waiting for ours`,
      );
    earlier.add(revision.id);
    return "other";
  };
  /** Of a latest revision that was there before, or showed another commit: whether it is the push's after all. */
  const isAfterAll = async (
    deployment: LiveDeployment,
    latest: string,
    { passed }: OwnReads,
  ): Promise<boolean> => {
    const commit = liveCommit(deployment);
    if (commit !== null && !isFormer(commit))
      return sameCommit(commit, wanted) || isAncestor(wanted, commit);
    const { ms, share } = passed();
    const isFailed = latestAtStart.state === "failed" && latest === latestAtStart.id;
    return (
      isFailed && !earlier.has(latest) && (ms >= NEWER_WITHIN.ms || share >= NEWER_WITHIN.share)
    );
  };
  return {
    ...byId(null, "written"),
    kind: "pushed",
    find: async (deployment, reads) => {
      const latest = deployment.latest_revision_id;
      if (latest === null) return null;
      const wasThere = latestAtStart.state !== "underWay" && latest === latestAtStart.id;
      if (wasThere || earlier.has(latest))
        return (await isAfterAll(deployment, latest, reads)) ? latest : null;
      const revision = await reads.readRevision(latest);
      return revision !== null && (await judge(revision, reads)) === "other" ? null : latest;
    },
    judge,
    neverNamed: `the push of ${wanted.slice(0, 12)} made no revision: build_on_push is true, but the service began no build of it`,
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
 * may never show it, and is of something else only where a newer one has come.
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
