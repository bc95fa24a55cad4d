import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { REQUEST_FAULTS } from "../support/request-faults.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { RevisionOutcome } from "../../src/emulator/deployments/revision.ts";
import { desiredOf, repohost } from "./flow.ts";
import type { Gateway } from "./gateway.ts";

export const ID = "0b6f0000-0000-4000-8000-000000000001";

/** A small seeded generator (mulberry32): the same seed, the same world. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What can be wanted of a deployment that is there, or not yet. */
export type Wanted = NonNullable<Parameters<typeof repohost>[0]>;

/** What somebody else does in the middle of a run: another pipeline, or a person on the service's own pages. */
export type Deed = "graph" | "secret" | "push" | "go-back" | "again" | "delete";

/** When: ahead of a request of the run (from 1), before the answer to its write, or while `verify` runs. */
export interface Meddling {
  readonly deed: Deed;
  readonly when: "request" | "answer" | "verify";
  readonly nth: number;
}

/** What a result file holds; `same`: what it held before. */
export type Results = "good" | "bad" | "broken" | "absent" | "same";

/** One call of `verify`: how it ends, how long it takes and what it leaves. */
export interface Verified {
  readonly exitCode: number;
  readonly ms: number;
  readonly results: Results;
}

/** One world: a service, what is wrong with it and with the way to it, who else is at work, and what is wanted. */
export interface World {
  readonly task: "create" | "update" | "redeploy" | "rollback" | "wait" | "destroy";
  readonly service: EmulatorOptions;
  readonly wanted: Wanted;
  readonly onFailure: "none" | "rollback";
  readonly listLagMs: number;
  /** The list shows what was so long ago. */
  readonly listBehindMs: number;
  readonly gateway: Gateway | null;
  /** What somebody did before the run, and how long ago; null: nothing. */
  readonly before: { readonly deed: Deed; readonly msAgo: number } | null;
  readonly meddling: readonly Meddling[];
  readonly verify: readonly Verified[];
  /** Null: neither result files nor gates. */
  readonly gate: { readonly start: "good" | "bad" | "absent" } | null;
}

const EDITS: readonly Wanted[] = [
  {},
  { graph: "other.json" },
  { secret: "two" },
  { push: true },
  { graph: "other.json", secret: "two" },
  { graph: "other.json", push: true },
];
const ENDS: readonly RevisionOutcome[] = [
  "deployed",
  "build-failed",
  "deploy-failed",
  "skipped",
  "interrupted",
  "interrupted-resumes",
  "new-status",
];
const ROUTES = [
  "*",
  "GET /v2/deployments",
  "GET /v2/deployments/{id}",
  "GET /v2/deployments/{id}/revisions/{id}",
  "POST /v2/deployments",
  "PATCH /v2/deployments/{id}",
  "POST /v2/deployments/{id}/revisions/{id}/redeploy",
  "DELETE /v2/deployments/{id}",
];
const TASKS = [
  "create",
  "create",
  "update",
  "update",
  "update",
  "update",
  "update",
  "redeploy",
  "rollback",
  "wait",
  "destroy",
] as const;
const DEEDS: readonly Deed[] = ["graph", "graph", "secret", "push", "go-back", "again", "delete"];

type Pick = <T>(items: readonly T[]) => T;

interface Dice {
  readonly random: () => number;
  readonly pick: Pick;
  readonly upTo: (most: number) => number;
  readonly often: (share: number) => boolean;
}

function diceOf(random: () => number): Dice {
  return {
    random,
    pick: (items) => items[Math.floor(random() * items.length)]!,
    upTo: (most) => 1 + Math.floor(random() * most),
    often: (share) => random() < share,
  };
}

function faultsOf({ pick, upTo, often }: Dice): FaultRule[] {
  return Array.from({ length: often(0.5) ? upTo(3) : 0 }, (): FaultRule => {
    const kind = pick(REQUEST_FAULTS);
    const status = pick([408, 500, 502, 503, 504]);
    const when = often(0.4) ? { when: "after" as const } : {};
    return {
      route: pick(ROUTES),
      kind,
      nth: upTo(8),
      times: upTo(3),
      ...(kind === "status" ? { status, ...when } : {}),
      // What was read long ago says what was: no fault but a failed try is longer than a revision takes.
      ...(kind === "delay" ? { ms: pick([500, 90_000]) } : {}),
      ...(kind === "refuse" || kind === "refuse-after" ? { ms: pick([200, 3_000]) } : {}),
    };
  });
}

function gatewayOf({ pick, upTo, often }: Dice): Gateway | null {
  if (!often(0.2)) return null;
  return {
    method: pick(["GET", "PATCH", "POST", "DELETE", "*"]),
    page: pick([404, 405, 501, 502, 200]),
    nth: upTo(6),
    times: pick([1, 2, 1_000]),
    after: often(0.4),
  };
}

/** The world of a seed. */
export function worldOf(seed: number): World {
  const dice = diceOf(randomOf(seed));
  const { random, pick, upTo, often } = dice;
  const task = pick(TASKS);
  const lag = (most: number): number => (often(0.3) ? Math.floor(random() * most) : 0);
  const gate = often(0.35) ? { start: pick(["good", "good", "bad", "absent"] as const) } : null;
  const seeded =
    task === "create" ? {} : { deployments: [{ ...desiredOf(repohost()).body, id: ID }] };
  return {
    task,
    wanted: pick(EDITS),
    onFailure: pick(["none", "none", "rollback"] as const),
    listLagMs: lag(8_000),
    listBehindMs: lag(20_000),
    before:
      task === "rollback" || (task !== "create" && often(0.4))
        ? {
            deed: pick(["graph", "graph", "secret", "go-back", "again"]),
            msAgo: task === "rollback" ? 60_000 : pick([0, 3_000, 60_000]),
          }
        : null,
    meddling: Array.from({ length: often(0.5) ? upTo(2) : 0 }, () => ({
      deed: pick(DEEDS),
      when: pick(["request", "request", "answer", "verify"] as const),
      nth: upTo(16),
    })),
    gate,
    verify: Array.from({ length: 12 }, () => ({
      exitCode: often(0.2) ? 1 : 0,
      ms: pick([0, 0, 5_000, 300_000]),
      results: pick(["same", "good", "good", "bad", "broken"] as const),
    })),
    gateway: gatewayOf(dice),
    service: {
      faults: faultsOf(dice),
      lags: {
        latest: lag(4_000),
        revision: lag(4_000),
        active: lag(4_000),
        delete: lag(5_000),
        stale: lag(3_000),
      },
      names: pick(["unique", "duplicates"] as const),
      redeploy: pick(["new-revision", "new-revision", "same-revision"] as const),
      secretValues: pick(["plain", "plain", "stars"] as const),
      revisions: [{ outcome: pick(ENDS), revision: upTo(3) }],
      seed: {
        integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
        ...seeded,
      },
    },
  };
}
