import type { JsonObject } from "../model/json.ts";
import { answerAdmin } from "./control/admin.ts";
import { renderComparePage } from "./pages/compare-page.ts";
import { push } from "./deployments/deployment.ts";
import { toClock } from "./state/emulator-clock.ts";
import { createFaults } from "./http/fault.ts";
import { createLimiter } from "./http/limit.ts";
import { LIVE_POLICY, renderLivePage } from "./pages/page-frame.ts";
import { type EmulatorOptions, toSettings } from "./options.ts";
import { renderPage, renderStatusPage } from "./pages/page.ts";
import { createRequestLog } from "./http/request-log.ts";
import { createRuleBook } from "./rules/rule-book.ts";
import { beganOtherwise, seedWorld, startWithSeed } from "./state/seed.ts";
import { answerService } from "./http/service-answer.ts";
import { dumpState } from "./state/state-dump.ts";
import { createStore, type Entry, type Journal } from "./state/store.ts";
import { type Reply, toText, withHeaders } from "./http/reply.ts";
import { toUuid, uuidOf, type World } from "./world.ts";
import type { Emulator } from "./emulator-port.ts";

/** Stored state: what was read from it, and where to append. */
export interface Kept {
  readonly entries: readonly Entry[];
  readonly journal: Journal;
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'";

const toPage = (html: string, policy: string): Reply =>
  withHeaders(toText(html, "text/html; charset=utf-8"), { "content-security-policy": policy });

/** The pages for people; null for every other request. */
function showPage(emulator: Emulator, request: Request, url: URL): Reply | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { world } = emulator;
  if (url.pathname === "/") {
    const page = renderPage(world, url.searchParams, emulator.requests(), emulator.faults());
    return toPage(page, PAGE_POLICY);
  }
  const compared = renderComparePage(world, url) ?? renderStatusPage(world, url);
  return compared === null ? null : toPage(compared, PAGE_POLICY);
}

/** Creates an emulator; time and randomness come only from its options. */
export function createEmulator(given: EmulatorOptions = {}, kept?: Kept): Emulator {
  let options = given;
  let settings = toSettings(options);
  const rules = createRuleBook(options.revisions ?? []);
  const store = createStore(kept?.entries ?? [], kept?.journal ?? null);
  const { clock, advance, step, restart } = toClock(options.clock, store.get("meta", "now") ?? 0);
  const faults = createFaults(options.faults ?? []);
  const log = createRequestLog();
  const limiter = createLimiter();
  const watchers = new Set<() => void>();
  const world: World = {
    store,
    now: clock.now,
    ruleFor: rules.take,
    get settings() {
      return settings;
    },
    newId: (name) => (settings.ids === "stable" ? uuidOf(name) : toUuid(options.random)),
  };
  const configure = (more: EmulatorOptions): void => {
    options = more;
    settings = toSettings(options);
  };
  if (kept === undefined || kept.entries.length === 0) startWithSeed(world, options.seed);
  const emulator: Emulator = {
    answer: async (request, ip) => {
      const url = new URL(request.url);
      const own = await answerItself(emulator, request, url);
      if (own !== null) return own;
      step();
      const answer = await answerService({ world, log, faults, limiter, clock }, request, url, ip);
      for (const happened of watchers) happened();
      return answer;
    },
    now: clock.now,
    advance: (ms) => {
      advance(ms);
      store.put("meta", "now", clock.now());
      store.commit();
    },
    reset: () => {
      store.clear();
      restart();
      configure(given);
      faults.clear();
      faults.add(options.faults ?? []);
      rules.restart();
      log.clear();
      limiter.clear();
      startWithSeed(world, options.seed);
    },
    push: ({ repo_url, ref, commit }) => push(world, repo_url, ref, commit),
    ...toInspection(log, faults),
    state: () => dumpState(world),
    addRevisionRules: rules.add,
    seed: (seed) => seedWorld(world, seed),
    ignoresSeed: () => options.seed !== undefined && beganOtherwise(world, options.seed),
    configure: (more) => configure({ ...options, ...more }),
    settings: () => settings,
    watch: (happened) => {
      watchers.add(happened);
      return () => watchers.delete(happened);
    },
    world,
    close: () => kept?.journal.close(),
  };
  return emulator;
}

/** Past requests and pending faults. */
const toInspection = (
  log: ReturnType<typeof createRequestLog>,
  faults: ReturnType<typeof createFaults>,
) => ({
  requests: log.list,
  replyTo: log.replyTo,
  clearRequests: log.clear,
  addFaults: faults.add,
  clearFaults: faults.clear,
  faults: () => faults.list() as unknown as JsonObject[],
});

/** Answers requests about the emulator itself: its pages and endpoints; null for every other request. */
async function answerItself(emulator: Emulator, request: Request, url: URL): Promise<Reply | null> {
  if (url.pathname === "/_emulator/live" && request.method === "GET")
    return toPage(renderLivePage(), LIVE_POLICY);
  return (await answerAdmin(emulator, request, url)) ?? showPage(emulator, request, url);
}
