import { answerAdmin } from "./control/admin.ts";
import { type Reply, toText, withHeaders } from "./http/reply.ts";
import type { EmulatorOptions } from "./options.ts";
import { renderComparePage } from "./pages/compare-page.ts";
import { LIVE_POLICY, renderLivePage } from "./pages/page-frame.ts";
import { renderPage, renderStatusPage } from "./pages/page.ts";
import { createService, type Kept, type Service } from "./service.ts";

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
      ? renderPage(world, url.searchParams, service.requests(), service.faults())
      : (renderComparePage(world, url) ?? renderStatusPage(world, url));
  return page === null ? null : toPage(page, PAGE_POLICY);
}

/** What a program drives an emulator by. */
export type Emulator = ReturnType<typeof createEmulator>;

/** The service with everything it answers: its pages, its endpoints for tests, and the API itself. */
export function createEmulator(given: EmulatorOptions = {}, kept?: Kept) {
  const service = createService(given, kept);
  return {
    ...service,
    /** Answers a request; `ip` is the client's address, for the limits. */
    answer: async (request: Request, ip: string): Promise<Reply> => {
      const url = new URL(request.url);
      const own = showPage(service, request, url) ?? (await answerAdmin(service, request, url));
      return own ?? service.serve(request, url, ip);
    },
  };
}
