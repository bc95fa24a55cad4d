import { isLoopback } from "../model/address.ts";
import { createWire, type Exchange } from "../service/exchange.ts";
import { isConfigurationError } from "../service/retry.ts";
import type { Environment } from "../spec/interpolation.ts";
import { GithubWireError } from "./error.ts";

/** Requests also have a limit of 15 s each, by the signal that api.ts passes. */
const LIMITS = { silenceMs: 60_000, freshConnection: false };
/** Enough for a repository that was renamed and then moved. */
const MAX_REDIRECTS = 5;

/** What octokit passes to `fetch`. */
export interface GithubRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/**
 * The connection to GitHub, under the same rules as that to the service: the token in each request
 * goes only over https or to loopback, and never to another origin.
 */
export function createGithubFetch(baseUrl: string, env: Environment) {
  const base = new URL(baseUrl);
  if (base.protocol !== "https:" && !(base.protocol === "http:" && isLoopback(base)))
    throw new Error(
      `GITHUB_API_URL: ${base.protocol}//${base.host} is not https, so the token is not sent there`,
    );
  const wire = createWire({ env });
  return async (address: string, { headers, signal, ...asked }: GithubRequest) => {
    let request: Pick<GithubRequest, "method" | "body"> = asked;
    for (let url = new URL(address), hops = 0; ; hops += 1) {
      if (url.origin !== base.origin)
        throw new GithubWireError(
          hops === 0
            ? `${url.origin} is not GitHub's API, so the token is not sent there`
            : "GitHub's API redirected to another origin, which is refused",
          true,
        );
      const exchange = await wire.send(
        { ...request, url: url.href, headers: { "accept-encoding": "gzip", ...headers } },
        LIMITS,
        null,
        signal,
      );
      signal?.throwIfAborted();
      if (exchange.kind !== "redirect" || hops >= MAX_REDIRECTS) return toResponse(exchange);
      if (!URL.canParse(exchange.location, url.href) || exchange.location === "")
        return toResponse(exchange);
      url = new URL(exchange.location, url);
      // GitHub asks to repeat the request unchanged; a 303 says that it was accepted, and where to look.
      if (exchange.status === 303) request = { method: "GET" };
    }
  };
}

function toResponse(exchange: Exchange): Response {
  switch (exchange.kind) {
    case "answer": {
      const hasBody = ![204, 205].includes(exchange.status);
      const headers = Object.entries(exchange.headers).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      return new Response(hasBody ? exchange.text : null, { status: exchange.status, headers });
    }
    case "redirect":
      throw new GithubWireError(
        `GitHub's API answered ${exchange.status}, which leads to no answer`,
        true,
      );
    case "unreadable":
      throw new GithubWireError(`${exchange.why}, which is not read`, true);
    case "no-answer":
      throw new GithubWireError(
        (exchange.cause as Error | undefined)?.message || exchange.code,
        isConfigurationError(exchange.code),
        exchange.cause,
      );
  }
}
