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
export interface StatusStep {
  readonly at: number;
  readonly status: string;
}

/** A run that has not had its turn: its steps after CREATING, and when they could begin. */
interface Waiting {
  readonly run: Run;
  readonly ready: number;
  readonly rest: readonly TimelineStep[];
  readonly cut: number;
  /** Adds a status, unless the run was interrupted by then. */
  readonly see: (at: number, status: string) => void;
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
): ReadonlyMap<string, readonly StatusStep[]> {
  const steps = new Map<string, StatusStep[]>(revisions.map(({ id }) => [id, []]));
  const waiting = revisions
    .flatMap(({ id, runs }) => runs.map((run) => enter(run, steps.get(id)!)))
    .sort((a, b) => a.run.at - b.run.at);
  let free = -Infinity;
  for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
    const turn = Math.max(free, head.ready);
    const isOver = head.rest.length === 0;
    if (isOver || head.cut <= turn) {
      waiting.shift();
      head.see(head.ready, isOver ? (head.run.end ?? "UNKNOWN") : "QUEUED");
      continue;
    }
    const candidates = overtaken === "skip" && turn !== Infinity ? readyAt(waiting, turn) : [head];
    for (const one of candidates) {
      waiting.splice(waiting.indexOf(one), 1);
      if (one.ready < turn || one !== candidates.at(-1)) one.see(one.ready, "QUEUED");
      if (one !== candidates.at(-1)) one.see(turn, "SKIPPED");
      else free = pass(one, turn);
    }
  }
  for (const list of steps.values()) list.sort((a, b) => a.at - b.at);
  return steps;
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

function enter(run: Run, steps: StatusStep[]): Waiting {
  const cut = run.cut ?? Infinity;
  const see = (at: number, status: string): void => {
    if (at < cut) steps.push({ at, status });
  };
  if (run.cut !== null) steps.push({ at: cut, status: "INTERRUPTED" });
  const [first, ...later] = run.steps;
  if (first?.status !== "CREATING") return { run, ready: run.seenFrom, rest: run.steps, cut, see };
  see(run.seenFrom, "CREATING");
  const isStuck = later.length === 0 && run.end === null;
  return { run, ready: isStuck ? Infinity : run.seenFrom + first.ms, rest: later, cut, see };
}

/** Shows the steps of a run from its turn on; returns when the next one may begin. */
function pass({ run, rest, cut, see }: Waiting, turn: number): number {
  let at = turn;
  for (const [i, { status, ms }] of rest.entries()) {
    see(at, status);
    at += i === rest.length - 1 && run.end === null ? Infinity : ms;
  }
  if (run.end !== null) see(at, run.end);
  return Math.min(at, cut);
}

/** The status at a time; before the first one that one, and CREATING if there is no status at all. */
export function statusAt(steps: readonly StatusStep[], now: number): StatusStep {
  return (
    steps.findLast((step) => step.at <= now) ?? {
      at: steps[0]?.at ?? now,
      status: steps[0]?.status ?? "CREATING",
    }
  );
}
