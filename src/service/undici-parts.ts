// The parts of undici that a request through proxies needs. Its entry also loads fetch, caches,
// mocks and WebSocket, which costs every command with a network 40 ms. The package is pinned
// exactly, so its files stay where they are.
import type { Dispatcher } from "undici";
import apiConnect from "undici/lib/api/api-connect.js";
import apiRequest from "undici/lib/api/api-request.js";
import DispatcherClass from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";

/** What undici's entry would give of these names. */
export interface UndiciParts {
  readonly EnvHttpProxyAgent: typeof EnvHttpProxyAgent;
  readonly Pool: typeof Pool;
  readonly request: (
    url: string,
    options: Omit<Dispatcher.RequestOptions, "origin" | "path"> & {
      readonly dispatcher: Dispatcher;
    },
  ) => Promise<Dispatcher.ResponseData>;
}

/**
 * Puts the parts together as undici's entry does: its agents find `request` and `connect` on the
 * prototype of all dispatchers.
 */
export function createUndici(): UndiciParts {
  Object.assign(DispatcherClass.prototype, { request: apiRequest, connect: apiConnect });
  return {
    EnvHttpProxyAgent,
    Pool,
    request: (address, { dispatcher, ...options }) => {
      const { origin, pathname, search } = new URL(address);
      return dispatcher.request({ ...options, origin, path: pathname + search });
    },
  };
}
