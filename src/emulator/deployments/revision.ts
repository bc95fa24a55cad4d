/** A status a revision passes through, with a duration of its own. */
export type Phase =
  | "CREATING"
  | "QUEUED"
  | "AWAITING_BUILD"
  | "BUILDING"
  | "AWAITING_DEPLOY"
  | "DEPLOYING";
const PHASES: readonly Phase[] = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
];

/** Milliseconds in each phase at time scale 1: short, for tests, yet never none. */
export const DEFAULT_PHASES: Readonly<Record<Phase, number>> = {
  CREATING: 20,
  QUEUED: 20,
  AWAITING_BUILD: 20,
  BUILDING: 40,
  AWAITING_DEPLOY: 20,
  DEPLOYING: 40,
};

/** A status and how many milliseconds it lasts. */
export interface TimelineStep {
  readonly status: string;
  readonly ms: number;
}

/** One pass of a revision through the service: its steps, then `end`; a null end never leaves the last step. */
export interface Run {
  readonly at: number;
  /** When the run becomes visible; before it the revision shows what it showed. */
  readonly seenFrom: number;
  readonly steps: readonly TimelineStep[];
  readonly end: string | null;
  /** When somebody interrupted it. */
  readonly cut: number | null;
}

/** Named ways a revision can go; `…-resumes` and `new-status` still end DEPLOYED. */
export const OUTCOMES = [
  "deployed",
  "create-failed",
  "build-failed",
  "deploy-failed",
  "skipped",
  "interrupted",
  "interrupted-resumes",
  "unknown-resumes",
  "new-status",
  "stuck",
] as const;
/** One named way. */
export type RevisionOutcome = (typeof OUTCOMES)[number];

/** How a revision will go; the first rule that fits is taken. */
export interface RevisionRule {
  /** Name of the deployment; absent: any. */
  readonly deployment?: string;
  /** Number of the revision within its deployment, from 1; absent: any. */
  readonly revision?: number;
  /** How often the rule is used; 0: always. Default 1. */
  readonly times?: number;
  readonly outcome?: RevisionOutcome;
  /** The phase that `stuck` never leaves; default BUILDING. */
  readonly at?: string;
  /** Instead of an outcome: the exact statuses; the last is the end. */
  readonly timeline?: readonly TimelineStep[];
  readonly status_message?: string;
  /** Lines added to the log of the phase that fails. */
  readonly log?: readonly string[];
}

/** Steps and end of one run under a rule; a redeploy of the same revision has no CREATING. */
export function toRun(how: {
  readonly at: number;
  readonly seenFrom: number;
  readonly rule: RevisionRule;
  readonly builds: boolean;
  readonly again: boolean;
  readonly phases: Readonly<Record<Phase, number>>;
}): Run {
  const { rule, phases } = how;
  const times = { at: how.at, seenFrom: how.seenFrom, cut: null };
  if (rule.timeline !== undefined && rule.timeline.length > 0) {
    return { ...times, steps: rule.timeline.slice(0, -1), end: rule.timeline.at(-1)!.status };
  }
  const outcome = rule.outcome ?? "deployed";
  const builds =
    how.builds ||
    outcome === "build-failed" ||
    (outcome === "stuck" && /BUILD/.test(rule.at ?? "BUILDING"));
  const steps: TimelineStep[] = PHASES.filter(
    (phase) =>
      !(how.again && phase === "CREATING") &&
      (builds || (phase !== "AWAITING_BUILD" && phase !== "BUILDING")),
  ).map((status) => ({ status, ms: phases[status] }));
  const until = (status: string): TimelineStep[] =>
    steps.slice(0, Math.max(1, steps.findIndex((step) => step.status === status) + 1));
  const before = (status: string): TimelineStep[] =>
    steps.slice(
      0,
      Math.max(
        1,
        steps.findIndex((step) => step.status === status),
      ),
    );
  switch (outcome) {
    case "deployed":
      return { ...times, steps, end: "DEPLOYED" };
    case "create-failed":
      return { ...times, steps: until("CREATING"), end: "CREATE_FAILED" };
    case "build-failed":
      return { ...times, steps: until("BUILDING"), end: "BUILD_FAILED" };
    case "deploy-failed":
      return { ...times, steps: until("DEPLOYING"), end: "DEPLOY_FAILED" };
    case "skipped":
      return { ...times, steps: until("QUEUED"), end: "SKIPPED" };
    case "interrupted":
      return { ...times, steps: before("AWAITING_DEPLOY"), end: "INTERRUPTED" };
    case "stuck":
      return { ...times, steps: until(rule.at ?? "BUILDING"), end: null };
    case "interrupted-resumes":
      return { ...times, ...resumes(steps, "INTERRUPTED", phases) };
    case "unknown-resumes":
      return { ...times, ...resumes(steps, "UNKNOWN", phases) };
    case "new-status":
      return { ...times, ...resumes(steps, "PULLING_IMAGE", phases) };
  }
}

function resumes(
  steps: readonly TimelineStep[],
  status: string,
  phases: Readonly<Record<Phase, number>>,
): Pick<Run, "steps" | "end"> {
  const at = steps.findIndex((step) => step.status === "DEPLOYING");
  return {
    steps: [...steps.slice(0, at), { status, ms: 2 * phases.AWAITING_DEPLOY }, ...steps.slice(at)],
    end: "DEPLOYED",
  };
}

/** A status and since when. */
export interface Sight {
  readonly at: number;
  readonly status: string;
}

interface Waiting {
  readonly id: string;
  readonly run: Run;
  readonly ready: number;
  readonly rest: readonly TimelineStep[];
  readonly cut: number;
}

/** What a revision needs to have for its statuses to be computed. */
export interface Timed {
  readonly id: string;
  readonly runs: readonly Run[];
}

/**
 * Every status each revision of one deployment has had or will have if nothing more is asked of it.
 * One run at a time: later ones wait QUEUED; when the service gets free it takes the newest, and
 * those it overtook are SKIPPED. A run asked for later changes only what comes after it, so
 * statuses read in the past stay true and no timer is needed.
 */
export function toTimelines(
  revisions: readonly Timed[],
  overtaken: "skip" | "run",
  freeFrom = -Infinity,
): ReadonlyMap<string, readonly Sight[]> {
  const sights = new Map<string, Sight[]>(revisions.map((revision) => [revision.id, []]));
  const see = (id: string, at: number, status: string): void => {
    if (at !== Infinity) sights.get(id)!.push({ at, status });
  };
  const waiting: Waiting[] = revisions
    .flatMap((revision) => revision.runs.map((run) => enter(revision, run, see)))
    .sort((a, b) => a.run.at - b.run.at);
  let free = freeFrom;
  for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
    const turn = Math.max(free, head.ready);
    if (head.rest.length === 0) {
      waiting.shift();
      if (head.cut < head.ready) see(head.id, head.cut, "INTERRUPTED");
      else see(head.id, head.ready, head.run.end ?? "UNKNOWN");
      continue;
    }
    if (head.cut <= turn) {
      waiting.shift();
      if (head.ready < head.cut) see(head.id, head.ready, "QUEUED");
      see(head.id, head.cut, "INTERRUPTED");
      continue;
    }
    const candidates = overtaken === "skip" && turn !== Infinity ? readyAt(waiting, turn) : [head];
    const chosen = candidates.at(-1)!;
    for (const one of candidates.slice(0, candidates.indexOf(chosen))) {
      see(one.id, one.ready, "QUEUED");
      see(one.id, turn, "SKIPPED");
      waiting.splice(waiting.indexOf(one), 1);
    }
    waiting.splice(waiting.indexOf(chosen), 1);
    if (chosen.ready < turn) see(chosen.id, chosen.ready, "QUEUED");
    free = run(chosen, turn, see);
  }
  for (const list of sights.values()) list.sort((a, b) => a.at - b.at);
  return sights;
}

/** Runs that could have the service at a time. Nothing is ready before it was asked for, so the search ends there. */
function readyAt(waiting: readonly Waiting[], turn: number): readonly Waiting[] {
  const found: Waiting[] = [];
  for (const one of waiting) {
    if (one.run.at > turn) break;
    if (one.ready <= turn && one.cut > turn && one.rest.length > 0) found.push(one);
  }
  return found;
}

function enter(
  revision: Timed,
  run: Run,
  see: (id: string, at: number, status: string) => void,
): Waiting {
  const first = run.steps[0];
  const creating = first?.status === "CREATING" ? first.ms : 0;
  if (first?.status === "CREATING") see(revision.id, run.seenFrom, "CREATING");
  const rest = first?.status === "CREATING" ? run.steps.slice(1) : run.steps;
  const stuckCreating = rest.length === 0 && run.end === null;
  return {
    id: revision.id,
    run,
    ready: stuckCreating ? Infinity : run.seenFrom + creating,
    rest,
    cut: run.cut ?? Infinity,
  };
}

function run(
  one: Waiting,
  from: number,
  see: (id: string, at: number, status: string) => void,
): number {
  let at = from;
  let unfinished = false;
  for (const [i, step] of one.rest.entries()) {
    unfinished = at >= one.cut;
    if (unfinished) break;
    see(one.id, at, step.status);
    at += i === one.rest.length - 1 && one.run.end === null ? Infinity : step.ms;
  }
  if (unfinished || one.cut < at) {
    see(one.id, one.cut, "INTERRUPTED");
    return one.cut;
  }
  if (one.run.end !== null) see(one.id, at, one.run.end);
  return at;
}

/** The status at a time; a revision asked for before anything is visible is CREATING. */
export function statusAt(sights: readonly Sight[], now: number): Sight {
  return (
    sights.findLast((sight) => sight.at <= now) ?? {
      at: sights[0]?.at ?? now,
      status: sights[0]?.status ?? "CREATING",
    }
  );
}
