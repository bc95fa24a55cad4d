import { answerAdmin } from "./control/admin.ts";
import { push, type Push } from "./deployments/deployment.ts";
import { type Reply, toText, withHeaders } from "./http/reply.ts";
import type { EmulatorOptions, Seed } from "./options.ts";
import { renderComparePage } from "./pages/compare-page.ts";
import { LIVE_POLICY, renderLivePage } from "./pages/page-frame.ts";
import { renderPage, renderStatusPage } from "./pages/page.ts";
import { createService, type Kept, type Service } from "./service.ts";
import { beganOtherwise, seedWorld } from "./state/seed.ts";
import { dumpState } from "./state/state-dump.ts";

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'";

const toPage = (html: string, policy: string): Reply =>
  withHeaders(toText(html, "text/html; charset=utf-8"), { "content-security-policy": policy });

/** The pages for people; null for every other request. */
function showPage(service: Service, request: Request, url: URL): Reply | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  if (url.pathname === "/_emulator/live") return toPage(renderLivePage(), LIVE_POLICY);
  const { world } = service;
  const page =
    url.pathname === "/"
      ? renderPage(world, url.searchParams, service.log.list(), service.faults.list())
      : (renderComparePage(world, url) ?? renderStatusPage(world, url));
  return page === null ? null : toPage(page, PAGE_POLICY);
}

/** What a program drives an emulator by. */
export type Emulator = ReturnType<typeof createEmulator>;

/** The service with everything it answers: its pages, its endpoints for tests, and the API itself. */
export function createEmulator(given: EmulatorOptions = {}, kept?: Kept) {
  const service = createService(given, kept);
  const { world, log, faults, rules, serve, advance, reset, configure, watch } = service;
  return {
    /** Answers a request; `ip` is the client's address, for the limits. */
    answer: async (request: Request, ip: string): Promise<Reply> => {
      const url = new URL(request.url);
      const own = showPage(service, request, url) ?? (await answerAdmin(service, request, url));
      return own ?? serve(request, url, ip);
    },
    world,
    now: world.now,
    settings: () => world.settings,
    advance,
    reset,
    configure,
    watch,
    requests: log.list,
    clearRequests: log.clear,
    addFaults: faults.add,
    clearFaults: faults.clear,
    faults: faults.list,
    addRevisionRules: rules.add,
    /** The whole state, with current statuses and secret values masked. */
    state: () => dumpState(world),
    /** A push to a repository; returns the ids of the deployments that build it. */
    push: (what: Push) => push(world, what),
    seed: (seed: Seed): void => seedWorld(world, seed),
    /** True if the stored state began with another seed than the given one, which is not used. */
    ignoresSeed: () => given.seed !== undefined && beganOtherwise(world, given.seed),
    close: () => kept?.journal.close(),
  };
}
