import { randomUUID } from "node:crypto";
import { push, type Push } from "./deployments/deployment.ts";
import { createFaults } from "./http/fault.ts";
import { createLimiter } from "./http/limit.ts";
import type { Reply } from "./http/reply.ts";
import { createRequestLog } from "./http/request-log.ts";
import { answerService } from "./http/service-answer.ts";
import { type EmulatorOptions, type Running, type Seed, toSettings } from "./options.ts";
import { createRuleBook } from "./deployments/revision.ts";
import { toClock } from "./state/emulator-clock.ts";
import { beganOtherwise, seedWorld, startWithSeed } from "./state/seed.ts";
import { dumpState } from "./state/state-dump.ts";
import { createStore, type Entry, type Journal } from "./state/store.ts";
import { uuidOf, type World } from "./world.ts";

/** Stored state: what was read from it, and where to append. */
export interface Kept {
  readonly entries: readonly Entry[];
  readonly journal: Journal;
}

/** The options in force, and what follows from them. */
function holdOptions(given: EmulatorOptions) {
  let options = given;
  let settings = toSettings(given);
  const hold = (next: EmulatorOptions): void => {
    options = next;
    settings = toSettings(next);
  };
  return {
    settings: () => settings,
    configure: (more: Running): void => hold({ ...options, ...more }),
    restart: (): void => hold(given),
  };
}

/** The service, what can be seen of it, and what can be changed while it runs: what programs drive it by. */
export type Service = ReturnType<typeof createService>;

/**
 * The service in this process: no port, no timer, and no file unless a journal is given. Time comes
 * only from its options.
 */
export function createService(given: EmulatorOptions, kept?: Kept) {
  const running = holdOptions(given);
  const rules = createRuleBook(given.revisions ?? []);
  const store = createStore(kept?.entries ?? [], kept?.journal ?? null);
  const { clock, advance, step } = toClock(given.clock, store);
  const faults = createFaults(given.faults ?? []);
  const log = createRequestLog();
  const limiter = createLimiter();
  const watchers = new Set<() => void>();
  const world: World = {
    store,
    now: clock.now,
    ruleFor: rules.take,
    get settings() {
      return running.settings();
    },
    newId: (name) => (running.settings().ids === "stable" ? uuidOf(name) : randomUUID()),
  };
  if (kept === undefined || kept.entries.length === 0) startWithSeed(world, given.seed);
  return {
    world,
    now: world.now,
    settings: running.settings,
    requests: log.list,
    replyTo: log.replyTo,
    clearRequests: log.clear,
    faults: faults.list,
    addFaults: faults.add,
    clearFaults: faults.clear,
    addRevisionRules: rules.add,
    /** The whole state, with current statuses and secret values masked. */
    state: () => dumpState(world),
    /** A push to a repository; returns the ids of the deployments that build it. */
    push: (what: Push) => push(world, what),
    seed: (seed: Seed): void => seedWorld(world, seed),
    /** True if the stored state began with another seed than the given one, which is not used. */
    ignoresSeed: () => given.seed !== undefined && beganOtherwise(world, given.seed),
    serve: async (request: Request, url: URL, ip: string): Promise<Reply> => {
      step();
      const reply = await answerService({ world, log, faults, limiter, clock }, request, url, ip);
      for (const happened of watchers) happened();
      return reply;
    },
    /** Advances the clock; one that runs by itself continues from there. */
    advance: (ms: number): void => {
      advance(ms);
      store.commit();
    },
    /** Returns to the start: the seed, the first faults and revision rules, an empty request log. */
    reset: (): void => {
      store.clear();
      for (const one of [running, faults, rules]) one.restart();
      log.clear();
      limiter.clear();
      startWithSeed(world, given.seed);
    },
    /** Changes options (choices, phases, read-back…) while running; time scale and phases apply to later revisions. */
    configure: running.configure,
    /** Calls back after every request to the service, until the returned function is called. */
    watch: (happened: () => void) => {
      watchers.add(happened);
      return () => watchers.delete(happened);
    },
    close: () => kept?.journal.close(),
  };
}
