import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import {
  BRISK,
  container,
  createFlow,
  desiredOf,
  IMAGE,
  liveOf,
  repohost,
  type Flow,
  type FlowOptions,
  type HeldDeployment,
} from "./flow.ts";
import type { Gateway } from "./gateway.ts";

export const ID = "0b6f0000-0000-4000-8000-000000000001";
const INTEGRATION = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const seeded: EmulatorOptions = {
  seed: {
    integrations: [{ id: INTEGRATION, name: "acme" }],
    deployments: [{ ...desiredOf(repohost()).body, id: ID }],
  },
};

/** The service as it is known to run, and the one that contributing/interface.md shows. */
export const SERVICES: Readonly<Record<string, EmulatorOptions>> = {
  usual: {},
  strict: { strict: true },
};

/** One thing a run does: what is there before, the run, and what must be there afterwards. */
export interface Task {
  readonly before: EmulatorOptions;
  readonly start?: (flow: Flow) => Promise<void>;
  readonly run: (flow: Flow, strict: boolean) => Promise<DeploymentReport>;
  readonly policy?: FlowOptions["policy"];
  readonly shell?: FlowOptions["shell"];
  readonly listLagMs?: FlowOptions["listLagMs"];
  /** Needs calls that the strict service lacks, or is there already what it would be here. */
  readonly notStrict?: true;
  /** The requests that other tasks do not make. */
  readonly only?: RegExp;
  /** How it must end: an outcome, and its reason where that is a red one. */
  readonly end: string;
  /** Deployments of the name afterwards. */
  readonly deployments: 0 | 1;
  /** Revisions afterwards. */
  readonly revisions: (strict: boolean) => number;
  /** Whether the service holds what was asked for. */
  readonly isLive: (deployment: HeldDeployment) => boolean;
}

const byId = `{ id: ${ID} }`;
const named = (strict: boolean): { deploy?: string } => (strict ? { deploy: byId } : {});
const newest = (deployment: HeldDeployment, field: string): unknown =>
  deployment.revisions.at(-1)!.config[field];
const hasGraph =
  (name: string) =>
  (deployment: HeldDeployment): boolean =>
    newest(deployment, "graph_config_path") === name;
const failing: EmulatorOptions = {
  ...seeded,
  revisions: [{ revision: 2, outcome: "build-failed", log: ["npm ERR! missing script: build"] }],
};

export const TASKS: Readonly<Record<string, Task>> = {
  create: {
    before: {},
    run: (flow) => flow.apply(desiredOf(repohost())),
    end: "deployed",
    deployments: 1,
    revisions: () => 1,
    isLive: hasGraph("graph.json"),
  },
  "create where names may repeat": {
    only: /^POST|deployments$/,
    before: { names: "duplicates" },
    notStrict: true,
    end: "deployed",
    deployments: 1,
    revisions: () => 1,
    run: (flow) => flow.apply(desiredOf(repohost())),
    isLive: hasGraph("graph.json"),
  },
  "create where names may repeat and the list lags": {
    only: /^POST|deployments$/,
    before: { names: "duplicates" },
    listLagMs: () => 3_000,
    notStrict: true,
    end: "deployed",
    deployments: 1,
    revisions: () => 1,
    run: (flow) => flow.apply(desiredOf(repohost())),
    isLive: hasGraph("graph.json"),
  },
  "create that looks its integration up": {
    only: /^POST|integrations/,
    before: {},
    end: "deployed",
    deployments: 1,
    revisions: () => 1,
    run: (flow) => flow.apply(desiredOf(repohost({ integration: false }))),
    isLive: ({ source_config }) => source_config["integration_id"] === INTEGRATION,
  },
  "create of a container": {
    only: /^POST|listeners|revisions/,
    before: {},
    end: "deployed",
    deployments: 1,
    revisions: () => 1,
    run: (flow) => flow.apply(desiredOf(container())),
    isLive: (deployment) => newest(deployment, "image_uri") === IMAGE,
  },
  update: {
    before: seeded,
    end: "deployed",
    deployments: 1,
    revisions: () => 2,
    isLive: hasGraph("other.json"),
    run: (flow, strict) =>
      flow.apply(desiredOf(repohost({ graph: "other.json", ...named(strict) }))),
  },
  "update of secrets that read back as stars": {
    before: { ...seeded, secretValues: "stars" },
    end: "deployed",
    deployments: 1,
    revisions: () => 2,
    run: (flow, strict) =>
      flow.apply(desiredOf(repohost(named(strict)).replace("TOKEN", "OTHER_TOKEN"))),
    isLive: ({ secrets }) =>
      secrets.map(({ name, value }) => `${name}=${value}`).join() === "OTHER_TOKEN=one",
  },
  "update in place": {
    before: seeded,
    end: "updated",
    deployments: 1,
    revisions: () => 1,
    run: (flow, strict) => flow.apply(desiredOf(repohost({ push: true, ...named(strict) }))),
    isLive: ({ source_config }) => source_config["build_on_push"] === true,
  },
  "update whose build fails": {
    only: /logs|revisions/,
    before: failing,
    end: "failed BUILD_FAILED",
    deployments: 1,
    revisions: () => 2,
    isLive: hasGraph("other.json"),
    run: (flow, strict) =>
      flow.apply(desiredOf(repohost({ graph: "other.json", ...named(strict) }))),
  },
  "update whose build fails, and back": {
    before: failing,
    policy: { onFailure: "rollback" },
    end: "failed BUILD_FAILED",
    deployments: 1,
    revisions: (strict) => (strict ? 2 : 3),
    isLive: (deployment) => deployment.revisions[1]!.config["graph_config_path"] === "other.json",
    run: (flow, strict) =>
      flow.apply(desiredOf(repohost({ graph: "other.json", ...named(strict) }))),
  },
  "update whose verify fails, and the same again": {
    before: seeded,
    policy: { verify: "npm run smoke" },
    shell: { run: async () => ({ exitCode: 1, tail: [] }) },
    end: "failed verify",
    deployments: 1,
    revisions: () => 2,
    isLive: hasGraph("other.json"),
    run: async (flow, strict) => {
      const desired = desiredOf(repohost({ graph: "other.json", ...named(strict) }));
      await flow.apply(desired);
      return flow.apply(desired);
    },
  },
  redeploy: {
    before: seeded,
    end: "deployed",
    deployments: 1,
    revisions: (strict) => (strict ? 1 : 2),
    run: (flow) => flow.redeploy(ID),
    isLive: hasGraph("graph.json"),
  },
  wait: {
    before: seeded,
    end: "deployed",
    deployments: 1,
    revisions: () => 2,
    isLive: hasGraph("other.json"),
    start: async (flow) => {
      await flow.controlPlane.patchDeployment(
        ID,
        { source_revision_config: { graph_config_path: "other.json" } },
        "document",
      );
    },
    run: (flow) => flow.wait(ID),
  },
  destroy: {
    before: { ...seeded, lags: { delete: 5_000 } },
    notStrict: true,
    end: "updated",
    deployments: 0,
    revisions: () => 0,
    run: (flow) => flow.destroy(ID),
    isLive: () => true,
  },
};

/** A cell's run: what the task says, and everything that is wrong with how it ended. */
export interface CellEnd {
  readonly report: DeploymentReport;
  readonly wrong: readonly string[];
  readonly flow: Flow /** Ended as the task must end. */;
  readonly right: boolean /** What may never be, however a run ends. */;
  readonly harm: readonly string[];
}

/**
 * Runs one task under faults on the manual clock and judges its end; `undecidable` allows red
 * with the reason `unknown`.
 */
export async function runCell(
  task: Task,
  service: EmulatorOptions,
  faults: readonly FaultRule[],
  undecidable: boolean,
  random?: () => number,
  gateway?: Gateway,
): Promise<CellEnd> {
  const strict = service.strict === true;
  const flow = createFlow({
    emulator: {
      ...BRISK,
      ...task.before,
      ...service,
      lags: { ...task.before.lags, ...service.lags },
    },
    policy: {
      ...task.policy,
      create: strict && task.before.seed === undefined ? "always" : "auto",
    },
    ...(random === undefined ? {} : { random }),
    ...(gateway === undefined ? {} : { gateway }),
    ...(task.shell === undefined ? {} : { shell: task.shell }),
    ...(task.listLagMs === undefined ? {} : { listLagMs: task.listLagMs }),
  });
  await task.start?.(flow);
  flow.emulator.clearRequests();
  flow.emulator.addFaults(faults);
  const report = await task.run(flow, strict).catch(
    (error: Error): DeploymentReport => ({
      ...EMPTY,
      outcome: "failed",
      reason: "threw",
      message: String(error.stack),
    }),
  );
  const right =
    task.end === (report.outcome === "failed" ? `failed ${report.reason}` : report.outcome);
  return {
    report,
    right,
    flow,
    harm: judgeAlways(task, flow, strict),
    wrong: right
      ? judgeRight(task, flow, report, strict)
      : judgeUnknown(task, flow, report, strict, undecidable),
  };
}

const EMPTY: DeploymentReport = {
  name: "agent",
  id: null,
  action: "none",
  outcome: "failed",
  reason: "",
  message: "",
  next: [],
  revision_id: null,
  previous_revision_id: null,
  revision_status: null,
  url: "",
  changes: [],
  plan: null,
  changed: false,
  timeline: [],
  warnings: [],
  notes: [],
  log_tail: [],
};

/** What holds however a run ends: no duplicate, no extra revision. */
function judgeAlways(task: Task, flow: Flow, strict: boolean): string[] {
  const live = liveOf(flow);
  return [
    ...(live.count > 1 ? [`${live.count} deployments of the name`] : []),
    ...(live.revisions > Math.max(task.revisions(strict), task.before.seed === undefined ? 0 : 1)
      ? [`${live.revisions} revisions`]
      : []),
  ];
}

/** A run that ended as it must: the service holds what was asked for, once, and runs what the report says. */
function judgeRight(task: Task, flow: Flow, report: DeploymentReport, strict: boolean): string[] {
  const wrong = judgeAlways(task, flow, strict);
  const live = liveOf(flow);
  const [deployment] = flow.deployments();
  if (live.count !== task.deployments) wrong.push(`${live.count} deployments of the name`);
  if (live.revisions !== task.revisions(strict))
    wrong.push(`${live.revisions} revisions, ${task.revisions(strict)} expected`);
  if (deployment === undefined) return wrong;
  if (report.id !== deployment.id)
    wrong.push(`says deployment ${report.id}, live is ${deployment.id}`);
  if (!task.isLive(deployment)) wrong.push("the service does not hold what was asked for");
  let running = live.active;
  if (report.outcome === "deployed") running = report.revision_id;
  else if (report.rollback?.outcome === "deployed") running = report.rollback.revision_id;
  else if (report.outcome === "failed") running = report.previous_revision_id;
  if (live.active !== running || running === null)
    wrong.push(`says that ${running} runs, active is ${live.active}, latest ${live.latest}`);
  if (report.outcome === "deployed" && live.active !== live.latest)
    wrong.push(`active is ${live.active}, latest ${live.latest}`);
  if (task.policy?.onFailure === "rollback" && report.rollback?.outcome !== "deployed")
    wrong.push(`did not go back: ${report.message}`);
  if (task === TASKS["redeploy"] && strict && deployment.revisions.at(-1)!.runs.length !== 2)
    wrong.push(`${deployment.revisions.at(-1)!.runs.length} passes of the revision`);
  return wrong;
}

/** A run that ended otherwise: only where nobody can decide, and then it says what is unknown and how to find out. */
function judgeUnknown(
  task: Task,
  flow: Flow,
  report: DeploymentReport,
  strict: boolean,
  undecidable: boolean,
): string[] {
  const wrong = judgeAlways(task, flow, strict);
  if (!undecidable || report.outcome !== "failed" || report.reason !== "unknown")
    wrong.push(`ended ${report.outcome} (${report.reason}): ${report.message}`);
  else if (
    !/it is unknown whether/.test(report.message) ||
    !report.next.some((line) => /Look for|Run again/.test(line))
  )
    wrong.push(
      `does not say what is unknown and how to find out: ${report.message} ${report.next.join(" ")}`,
    );
  return wrong;
}
