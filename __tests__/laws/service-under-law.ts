import { readRunContext } from "../../src/ci/context.ts";
import { startEmulator } from "../../src/emulator/server.ts";
import type { DeployContext } from "../../src/deploy/context.ts";
import { createDirectory, type Directory } from "../../src/deploy/directory.ts";
import { createBudget } from "../../src/service/budget.ts";
import { createControlPlane } from "../../src/service/control-plane-http.ts";
import type { ControlPlane } from "../../src/service/control-plane.ts";
import { createHttp } from "../../src/service/http.ts";
import { INTEGRATION, POLICY } from "../survive/flow.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { startStub } from "../support/service-stub.mjs";

/** One service, and the deploy flow wired to it over HTTP; no time passes while it waits. */
export interface ServiceUnderLaw {
  readonly context: DeployContext;
  readonly directory: () => Directory;
  /** Bodies of every PATCH so far; secret values may be starred. */
  readonly patches: () => readonly any[];
  readonly close: () => Promise<void>;
}

/** The services that the laws hold for; the stub shares nothing with the sources. */
export const SERVICES: Readonly<Record<string, () => Promise<ServiceUnderLaw>>> = {
  "the emulator": () => onEmulator("document"),
  "the emulator with hosted read-back": () => onEmulator("hosted"),
  "a stub that imports nothing of ours": async () => {
    const stub = await startStub({
      integrations: [INTEGRATION],
      pageSize: 100,
    });
    return connect(
      stub.url,
      () => stub.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body),
      stub.close,
    );
  },
};

async function onEmulator(readback: "document" | "hosted"): Promise<ServiceUnderLaw> {
  // The clock moves with every request, so that whole timelines pass without waiting.
  const { url, emulator, close } = await startEmulator({
    readback,
    clock: { manual: true, stepMs: 40 },
    // A listener without a list of namespaces takes any.
    seed: {
      integrations: [INTEGRATION],
      listeners: [{ compute_id: "cluster" }],
    },
  });
  return connect(
    url,
    () =>
      emulator
        .requests()
        .filter(({ method }) => method === "PATCH")
        .map(({ body }) => body),
    close,
  );
}

function connect(
  url: string,
  patches: () => readonly any[],
  closeService: () => Promise<void>,
): ServiceUnderLaw {
  const clock = createManualClock({ auto: true });
  const http = createHttp({
    clock,
    random: () => 0.5,
    budget: createBudget({ clock }),
    credentials: () => Promise.resolve({ "x-api-key": "k" }),
    redact: (text) => text,
    userAgent: "laws",
    addresses: [{ base: url, input: "control-plane-url" }],
    region: null,
    onRetry: () => {},
    env: {},
  });
  const controlPlane: ControlPlane = createControlPlane({ http, base: url, clock });
  return {
    patches,
    directory: () => createDirectory({ controlPlane, clock }, { names: 1, ids: 0 }),
    close: async () => {
      await http.close();
      await closeService();
    },
    context: {
      controlPlane,
      clock,
      pollDelayMs: () => 50,
      signal: new AbortController().signal,
      progress: () => {},
      repository: {
        compare: () => Promise.resolve({ relation: "unknown", files: null }),
        checkedOut: () => Promise.resolve(null),
      },
      shell: { run: () => Promise.reject(new Error("no script is run here")) },
      run: readRunContext({}, null),
      policy: POLICY,
    },
  };
}
