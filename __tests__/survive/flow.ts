import { readRunContext } from "../../src/ci/context.ts";
import { setMaxListeners } from "node:events";
import { prepareAll } from "../../src/commands/plan.ts";
import { applyDeployment } from "../../src/deploy/apply.ts";
import type { DeployContext, DeployPolicy } from "../../src/deploy/context.ts";
import { adaptiveDelayMs } from "../../src/deploy/look.ts";
import { removeDeployment } from "../../src/deploy/removal.ts";
import { awaitRevision, redeployRevision } from "../../src/deploy/wait-only.ts";
import { momentOf } from "../../src/emulator/deployments/readback.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { StoredDeployment, StoredRevision } from "../../src/emulator/state/store.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import { createBudget } from "../../src/service/budget.ts";
import { createControlPlane } from "../../src/service/control-plane-http.ts";
import type { ControlPlane } from "../../src/service/control-plane.ts";
import { createHttp } from "../../src/service/http.ts";
import { createTracing, type Tracing } from "../../src/service/tracing.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import type { Wire } from "../../src/service/exchange.ts";
import { createWiredEmulator } from "./emulator-wire.ts";
import { withGateway, type Gateway } from "./gateway.ts";

const BASE = "http://127.0.0.1:1";

/** A deployment as the emulator holds it. */
export type HeldDeployment = StoredDeployment & { readonly revisions: readonly StoredRevision[] };

/** One run of the deploy flow against an emulator on the same manual clock. */
export interface Flow {
  readonly clock: ManualClock;
  readonly emulator: Emulator;
  readonly controlPlane: ControlPlane;
  readonly tracing: Tracing;
  readonly context: DeployContext;
  readonly abort: AbortController;
  readonly lines: string[];
  readonly apply: (desired: Desired) => Promise<DeploymentReport>;
  readonly redeploy: (id: string, revisionId?: string) => Promise<DeploymentReport>;
  readonly wait: (id: string, revisionId?: string | null) => Promise<DeploymentReport>;
  readonly destroy: (id: string) => Promise<DeploymentReport>;
  readonly deployments: () => readonly HeldDeployment[];
  /** `METHOD /path` with ids as `{id}`, in order. */
  readonly calls: () => string[];
}

export interface FlowOptions {
  readonly emulator?: EmulatorOptions;
  readonly policy?: Partial<DeployPolicy>;
  readonly random?: () => number;
  readonly repository?: DeployContext["repository"];
  readonly run?: Partial<DeployContext["run"]>;
  readonly shell?: DeployContext["shell"];
  readonly clock?: ManualClock;
  /** Default: that of contributing/interface.md. */
  readonly budget?: { readonly count: number; readonly intervalMs: number };
  /** Called as each request leaves. */
  readonly onSend?: (method: string, path: string, flow: Flow) => void;
  /** The list shows a deployment so long after its create. */
  readonly listLagMs?: (id: string) => number;
  /** Pages of a gateway before the service. */
  readonly gateway?: Gateway;
  /** What else is between the run and the service. */
  readonly between?: (wire: Wire, flow: () => Flow) => Wire;
  /** Absent or null: adaptive. */
  readonly pollIntervalMs?: number | null;
  /** A flow on the same service: another run. */
  readonly beside?: Flow;
}

/** What a run does where a test says nothing else. */
export const POLICY: DeployPolicy = {
  create: "auto",
  force: false,
  secretsUnknown: "keep",
  service: "",
  tenant: "",
  wait: true,
  timeoutMs: null,
  onFailure: null,
  verify: null,
  deploymentId: null,
  commit: null,
};

/** Service-like speed: a minute or so for a revision. */
export const SLOW = {
  phases: {
    CREATING: 2_000,
    QUEUED: 3_000,
    AWAITING_BUILD: 2_000,
    BUILDING: 40_000,
    AWAITING_DEPLOY: 3_000,
    DEPLOYING: 10_000,
  },
} as const;

/** The same in seconds: fewer looks, for tests that run it a thousand times. */
export const BRISK = {
  phases: {
    CREATING: 400,
    QUEUED: 400,
    AWAITING_BUILD: 400,
    BUILDING: 3_000,
    AWAITING_DEPLOY: 600,
    DEPLOYING: 2_000,
  },
} as const;

const wires = new WeakMap<Flow, ReturnType<typeof createWiredEmulator>>();

/** A flow at the start: an empty service, unless seeded. */
export function createFlow(options: FlowOptions = {}): Flow {
  const clock = options.beside?.clock ?? options.clock ?? createManualClock({ auto: true });
  const wired =
    options.beside === undefined
      ? createWiredEmulator({ ...SLOW, ...options.emulator }, clock, (method, path) =>
          options.onSend?.(method, path, flow),
        )
      : wires.get(options.beside)!;
  const { emulator, wire } = wired;
  const abort = new AbortController();
  // Each request under way listens, as in a run.
  setMaxListeners(0, abort.signal);
  const lines: string[] = [];
  const http = createHttp({
    clock,
    random: options.random ?? (() => 0.5),
    budget: createBudget({ clock, ...options.budget }),
    credentials: () => Promise.resolve({ "X-Api-Key": "key-of-the-flow" }),
    redact: (text) => text,
    userAgent: "test",
    env: {},
    wire: wireOf(options, wire, clock, () => flow),
    signal: abort.signal,
    writeGraceMs: 20,
    addresses: [{ base: BASE, input: "control-plane-url" }],
    region: null,
    onRetry: (line) => {
      lines.push(line);
    },
  });
  const controlPlane = createControlPlane({ http, base: BASE, clock });
  const context: DeployContext = {
    controlPlane,
    clock,
    pollDelayMs: options.pollIntervalMs == null ? adaptiveDelayMs : () => options.pollIntervalMs!,
    signal: abort.signal,
    progress: (line) => {
      lines.push(line);
    },
    repository: options.repository ?? {
      compare: async () => ({ relation: "unknown", files: null }),
      checkedOut: async () => null,
    },
    shell: options.shell ?? { run: async () => ({ exitCode: 0, tail: [] }) },
    run: {
      ...readRunContext({}, null),
      ...options.run,
    },
    policy: { ...POLICY, ...options.policy },
  };
  const flow: Flow = {
    clock,
    emulator,
    controlPlane,
    tracing: createTracing({ http, base: BASE }),
    context,
    abort,
    lines,
    apply: async (desired) => {
      const { directory, preparations } = await prepareAll(context, [desired], 1);
      const [preparation] = preparations;
      return preparation!.prepared === null
        ? preparation!.report
        : applyDeployment(context, directory, preparation!.prepared);
    },
    redeploy: async (id, revisionId) => {
      const live = (await controlPlane.getDeployment(id))!;
      return redeployRevision(context, live, revisionId ?? live.latest_revision_id!, 30 * 60_000);
    },
    wait: async (id, revisionId = null) =>
      awaitRevision(context, (await controlPlane.getDeployment(id))!, revisionId, 30 * 60_000),
    destroy: async (id) =>
      removeDeployment(context, (await controlPlane.getDeployment(id))!, {
        deleteTraces: true,
        timeoutMs: 30 * 60_000,
      }),
    deployments: () => {
      const { store } = emulator.world;
      return store
        .all("deployments")
        .filter((one) => one.deleted_ms === null)
        .map((one) => ({ ...one, revisions: store.of("revisions", one.id) }));
    },
    calls: () =>
      emulator
        .requests()
        .map(
          ({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}")}`,
        ),
  };
  wires.set(flow, wired);
  return flow;
}

/** The wire with what is between the run and the service. */
function wireOf(
  { listLagMs, gateway, between }: FlowOptions,
  wire: Wire,
  clock: ManualClock,
  flow: () => Flow,
): Wire {
  const lagging = listLagMs === undefined ? wire : withListLag(wire, clock, listLagMs);
  const mixed = between === undefined ? lagging : between(lagging, flow);
  return gateway === undefined ? mixed : withGateway(mixed, gateway);
}

type List = { readonly resources: readonly { readonly id: string; readonly created_at: string }[] };

/** Null where a fault has left no list of it. */
function parseList(text: string): List | null {
  try {
    const body = JSON.parse(text) as List;
    return Array.isArray(body.resources) ? body : null;
  } catch {
    return null;
  }
}

/** The wire to a service whose list lags. */
function withListLag(wire: Wire, clock: ManualClock, lagMs: (id: string) => number): Wire {
  return {
    ...wire,
    send: async (request, ...rest) => {
      const exchange = await wire.send(request, ...rest);
      const isList =
        request.method === "GET" && new URL(request.url).pathname === "/v2/deployments";
      if (!isList || exchange.kind !== "answer" || exchange.status !== 200) return exchange;
      const body = parseList(exchange.text);
      if (body === null) return exchange;
      const resources = body.resources.filter(
        ({ id, created_at }) => Date.parse(created_at) + lagMs(id) <= clock.now(),
      );
      return { ...exchange, text: JSON.stringify({ ...body, resources }) };
    },
  };
}

const desired = new Map<string, Desired>();

/** One document, as `apply` reads it; a text is read once, however many flows deploy it. */
export function desiredOf(yaml: string): Desired {
  const known = desired.get(yaml) ?? readDesired(yaml);
  desired.set(yaml, known);
  return known;
}

function readDesired(yaml: string): Desired {
  const { documents, problems } = parseSpec({
    files: [{ path: "agent-deploy.yml", text: yaml }],
    env: {},
    mode: "apply",
  });
  const wrong = problems.filter((problem) => problem.level === "error");
  if (wrong.length > 0)
    throw new Error(wrong.map((problem) => `${problem.path}: ${problem.message}`).join("\n"));
  return documents[0]!;
}

export const REPO = "https://git.example.com/acme/agents";

/** The integration that `repohost` names. */
export const INTEGRATION = { id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" };

/** A deployment built from a repository. */
export function repohost(
  more: {
    readonly name?: string;
    readonly secret?: string;
    readonly graph?: string;
    readonly push?: boolean;
    readonly deploy?: string;
    readonly integration?: false;
  } = {},
): string {
  return `name: ${more.name ?? "agent"}
source: repohost
source_config:
${more.integration === false ? "" : `  integration_id: ${INTEGRATION.id}\n`}  repo_url: ${REPO}
  deployment_type: prod
  build_on_push: ${more.push ?? false}
source_revision_config:
  repo_ref: main
  graph_config_path: ${more.graph ?? "graph.json"}
secrets:
  - { name: TOKEN, value: ${more.secret ?? "one"} }
${more.deploy === undefined ? "" : `deploy: ${more.deploy}\n`}`;
}

/** Id of the deployment of `createSeed`. */
export const ID = "0b6f0000-0000-4000-8000-000000000001";

/** The contents of a service that has the integration, and one deployment of `repohost`. */
export const createSeed = () => ({
  integrations: [INTEGRATION],
  deployments: [{ ...desiredOf(repohost()).body, id: ID }],
});

export const IMAGE = `registry.example.com/acme/agent@sha256:${"0d1e".repeat(16)}`;

/** A deployment of an image, without its listener. */
export function container(): string {
  return `name: agent
source: external_container
source_config:
  resource_spec: { cpu: 2, memory_mb: 2048 }
source_revision_config:
  image_uri: ${IMAGE}
secrets:
  - { name: TOKEN, value: one }
`;
}

/** What is live of a name; at most one is expected. */
export function liveOf(
  flow: Flow,
  name = "agent",
): {
  readonly count: number;
  readonly revisions: number;
  readonly active: string | null;
  readonly latest: string | null;
  readonly id: string;
} {
  const all = flow.deployments().filter((one) => one.name === name);
  const moment = all[0] && momentOf(flow.emulator.world, all[0]);
  return {
    count: all.length,
    revisions: all[0]?.revisions.length ?? 0,
    id: all[0]?.id ?? "",
    active: moment?.active?.id ?? null,
    latest: moment?.newest?.id ?? null,
  };
}
