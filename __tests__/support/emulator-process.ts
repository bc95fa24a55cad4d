import { afterAll } from "@jest/globals";
import {
  startEmulator,
  type RunningEmulator,
  type ServerOptions,
} from "../../src/emulator/server.ts";
import type { Entry, Journal } from "../../src/emulator/state/store.ts";

/** An emulator over HTTP, closed after the tests of the file that started it. */
export interface TestEmulator extends RunningEmulator {
  /** What a run needs to reach it, by input name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The same for the command line's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** POST, PATCH and DELETE only, as `METHOD path`, oldest first. */
  readonly writes: () => string[];
}

/** Of a state that is written down nowhere. */
const UNKEPT: Journal = {
  append: () => undefined,
  clear: () => undefined,
  close: () => undefined,
};

const running: RunningEmulator[] = [];
afterAll(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

/** Starts one on a free port of 127.0.0.1; with `held`, it begins with what another one held. */
export async function startTestEmulator(
  options: ServerOptions = {},
  held?: readonly Entry[],
): Promise<TestEmulator> {
  const started = await startEmulator(
    options,
    held === undefined ? undefined : { entries: held, journal: UNKEPT },
  );
  running.push(started);
  return {
    ...started,
    inputs: {
      "api-key": "test-key",
      "control-plane-url": started.url,
      "tracing-url": started.url,
      "poll-interval": "20ms",
    },
    env: {
      AGENT_DEPLOY_API_KEY: "test-key",
      AGENT_DEPLOY_CONTROL_PLANE_URL: started.url,
      AGENT_DEPLOY_TRACING_URL: started.url,
    },
    writes: () =>
      started.emulator
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => `${method} ${path}`),
  };
}
