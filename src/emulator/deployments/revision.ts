import * as z from "zod/v4";
import { FILLED, like, list, must, object, row, type ObjectOf } from "../control/schema.ts";

/** Milliseconds in each phase at time scale 1: short, for tests, but never 0. */
export const DEFAULT_PHASES = {
  CREATING: 20,
  QUEUED: 20,
  AWAITING_BUILD: 20,
  BUILDING: 40,
  AWAITING_DEPLOY: 20,
  DEPLOYING: 40,
};
/** A status that a revision passes through, with its own duration. */
export type Phase = keyof typeof DEFAULT_PHASES;
const PHASES = Object.keys(DEFAULT_PHASES) as readonly Phase[];

/** A status and how many milliseconds it lasts. */
export interface TimelineStep {
  readonly status: string;
  readonly ms: number;
}

/** One pass of a revision: its steps, then `end`; a null end never leaves the last step. */
export interface Run {
  readonly at: number;
  /** When the run becomes visible; before that the revision shows its previous state. */
  readonly seenFrom: number;
  readonly steps: readonly TimelineStep[];
  readonly end: string | null;
  /** When it was interrupted. */
  readonly cut: number | null;
}

/** How a revision proceeds: up to a phase, or through another status before it is deployed. */
interface Way {
  readonly until?: Phase;
  readonly through?: string;
  readonly end: string | null;
}
/** Named outcomes; `…-resumes` and `new-status` still end DEPLOYED. */
const WAYS = {
  deployed: { end: "DEPLOYED" },
  "create-failed": { until: "CREATING", end: "CREATE_FAILED" },
  "build-failed": { until: "BUILDING", end: "BUILD_FAILED" },
  "deploy-failed": { until: "DEPLOYING", end: "DEPLOY_FAILED" },
  skipped: { until: "QUEUED", end: "SKIPPED" },
  interrupted: { until: "BUILDING", end: "INTERRUPTED" },
  "interrupted-resumes": { through: "INTERRUPTED", end: "DEPLOYED" },
  "unknown-resumes": { through: "UNKNOWN", end: "DEPLOYED" },
  "new-status": { through: "PULLING_IMAGE", end: "DEPLOYED" },
  stuck: { until: "BUILDING", end: null },
} satisfies Readonly<Record<string, Way>>;
/** One named way. */
export type RevisionOutcome = keyof typeof WAYS;
/** The names of all of them. */
export const OUTCOMES = Object.keys(WAYS) as readonly RevisionOutcome[];

/** Whether a revision stays in this status. */
export const hasEnded = (status: string): boolean =>
  /^(DEPLOYED|SKIPPED|INTERRUPTED|.*_FAILED)$/.test(status);

/** The keys of a rule about how revisions proceed. */
export const REVISION_FIELDS = {
  deployment: row(FILLED, "Name of the deployment; absent: any."),
  revision: row(z.int().min(1), "Number of the revision within its deployment; absent: any."),
  times: row(z.int().min(0), "How often the rule is used; 0 means always.", 1),
  outcome: row(z.literal(OUTCOMES), "How the revision ends.", "deployed"),
  at: row(z.literal(PHASES.map(String)), "Phase that `stuck` never leaves.", "BUILDING"),
  timeline: row(
    list(
      object({
        status: must(
          like(/^[A-Z][A-Z0-9_]*$/u, "a status in capitals, such as BUILDING"),
          "Status of the revision.",
        ),
        ms: row(z.number().min(0), "How long it lasts; the last one stays."),
      }),
    ),
    "The exact statuses, instead of an outcome.",
  ),
  status_message: row(z.string(), "Reason that a failed revision carries."),
  log: row(list(z.string()), "Lines added to the log of the phase that fails."),
};
/** How a revision will proceed; the first matching rule is used. */
export type RevisionRule = ObjectOf<typeof REVISION_FIELDS>;

/** Revision rules, with how often each may still be used. */
export function createRuleBook(initial: readonly RevisionRule[]) {
  const arm = (rules: readonly RevisionRule[]): { readonly rule: RevisionRule; left: number }[] =>
    rules.map((rule) => ({ rule, left: rule.times === 0 ? Infinity : (rule.times ?? 1) }));
  let armed = arm(initial);
  return {
    take: (deployment: string, revision: number): RevisionRule => {
      const found = armed.find(
        (one) =>
          one.left > 0 &&
          (one.rule.deployment ?? deployment) === deployment &&
          (one.rule.revision ?? revision) === revision,
      );
      if (found === undefined) return {};
      found.left -= 1;
      return found.rule;
    },
    add: (rules: readonly RevisionRule[]): void => {
      armed = [...armed, ...arm(rules)];
    },
    restart: (): void => {
      armed = arm(initial);
    },
  };
}

/** Steps and end of one run under a rule; redeploying the same revision has no CREATING. */
export function toRun(how: {
  readonly at: number;
  readonly seenFrom: number;
  readonly rule: RevisionRule;
  readonly builds: boolean;
  readonly again: boolean;
  readonly phases: Readonly<Record<Phase, number>>;
}): Run {
  const { rule, again, phases } = how;
  const times = { at: how.at, seenFrom: how.seenFrom, cut: null };
  if (rule.timeline !== undefined && rule.timeline.length > 0) {
    const steps = rule.timeline.slice(0, -1).map(({ status, ms = 0 }) => ({ status, ms }));
    return { ...times, steps, end: rule.timeline.at(-1)!.status };
  }
  const { outcome = "deployed", at = "BUILDING" } = rule;
  const stuck = outcome === "stuck";
  const {
    until = "DEPLOYING",
    through,
    end,
  }: Way = stuck ? { until: at as Phase, end: null } : WAYS[outcome];
  const builds = how.builds || outcome === "build-failed" || (stuck && /BUILD/.test(at));
  // Without CREATING a run is at least queued.
  const last = Math.max(PHASES.indexOf(until), again ? 1 : 0);
  const steps = PHASES.filter(
    (phase, i) => i <= last && !(again && phase === "CREATING") && (builds || !/BUILD/.test(phase)),
  ).map((status): TimelineStep => ({ status, ms: phases[status] }));
  if (through === undefined) return { ...times, steps, end };
  const pause = { status: through, ms: 2 * phases.AWAITING_DEPLOY };
  return { ...times, steps: steps.toSpliced(-1, 0, pause), end };
}

/** A status and when it starts, in milliseconds since the epoch. */
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

/** What is needed to compute the statuses of a revision. */
export interface Timed {
  readonly id: string;
  readonly runs: readonly Run[];
}

/**
 * Every past and future status of each revision of one deployment, if nothing more is requested.
 * One run at a time: later ones wait as QUEUED; when the service is free it takes the newest, and
 * skips those it overtook. A run requested later changes only what follows it, so statuses read
 * before stay true and no timer is needed.
 */
export function toTimelines(
  revisions: readonly Timed[],
  overtaken: "skip" | "run",
): ReadonlyMap<string, readonly Sight[]> {
  const sights = new Map<string, Sight[]>(revisions.map((revision) => [revision.id, []]));
  const see = (id: string, at: number, status: string): void => {
    if (at !== Infinity) sights.get(id)!.push({ at, status });
  };
  const waiting: Waiting[] = revisions
    .flatMap((revision) => revision.runs.map((run) => enter(revision, run, see)))
    .sort((a, b) => a.run.at - b.run.at);
  let free = -Infinity;
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

/** Runs that could start at a given time. Nothing is ready before it was requested, so the search ends there. */
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

/** The status at a time; before the first one that one, and CREATING if there is no status at all. */
export function statusAt(sights: readonly Sight[], now: number): Sight {
  return (
    sights.findLast((sight) => sight.at <= now) ?? {
      at: sights[0]?.at ?? now,
      status: sights[0]?.status ?? "CREATING",
    }
  );
}
