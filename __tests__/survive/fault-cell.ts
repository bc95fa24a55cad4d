import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { FaultRule } from "../../src/emulator/fault.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import { BRISK, createFlow, desiredOf, liveOf, repohost, type Flow } from "./flow.ts";

export const ID = "0b6f0000-0000-4000-8000-000000000001";
const seeded: EmulatorOptions = { seed: { integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }], deployments: [{ ...desiredOf(repohost()).body, id: ID }] } };

/** The service as it is known to run, and the one that interface.md alone shows. */
export const SERVICES: Readonly<Record<string, EmulatorOptions>> = { usual: {}, strict: { strict: true } };

/** One thing a run does: what is there before, the run, and what must be there afterwards. */
export interface Errand {
  readonly before: EmulatorOptions;
  readonly start?: (flow: Flow) => Promise<void>;
  readonly run: (flow: Flow, strict: boolean) => Promise<DeploymentReport>;
  readonly green: string;
  /** Revisions afterwards, and passes through the service of the revision that is waited for. */
  readonly revisions: (strict: boolean) => number;
}

const byId = `{ id: ${ID} }`;

export const ERRANDS: Readonly<Record<string, Errand>> = {
  create: { before: {}, run: (flow) => flow.apply(desiredOf(repohost())), green: "deployed", revisions: () => 1 },
  update: {
    before: seeded, green: "deployed", revisions: () => 2,
    run: (flow, strict) => flow.apply(desiredOf(repohost({ graph: "other.json", ...(strict ? { deploy: byId } : {}) }))),
  },
  "update of secrets that read back as stars": {
    before: { ...seeded, secretValues: "stars" }, green: "deployed", revisions: () => 2,
    run: (flow, strict) => flow.apply(desiredOf(repohost({ ...(strict ? { deploy: byId } : {}) }).replace("TOKEN", "OTHER_TOKEN"))),
  },
  "update in place": {
    before: seeded, green: "updated", revisions: () => 1,
    run: (flow, strict) => flow.apply(desiredOf(repohost({ push: true, ...(strict ? { deploy: byId } : {}) }))),
  },
  redeploy: { before: seeded, green: "deployed", revisions: (strict) => (strict ? 1 : 2), run: (flow) => flow.redeploy(ID) },
  wait: {
    before: seeded, green: "deployed", revisions: () => 2,
    start: async (flow) => { await flow.controlPlane.patchDeployment(ID, { source_revision_config: { graph_config_path: "other.json" } }, "document"); },
    run: (flow) => flow.wait(ID),
  },
};

/** A cell's run: what the errand says, and everything that is wrong with how it ended. */
export interface CellEnd { readonly report: DeploymentReport; readonly wrong: readonly string[]; readonly met: boolean; readonly flow: Flow }

/** Runs one errand under faults on the manual clock and judges its end; `undecidable` allows red with the reason `unknown`. */
export async function runCell(errand: Errand, service: EmulatorOptions, faults: readonly FaultRule[], undecidable: boolean, random?: () => number): Promise<CellEnd> {
  const strict = service.strict === true;
  const flow = createFlow({ emulator: { ...BRISK, ...service, ...errand.before }, policy: { create: strict && errand === ERRANDS["create"] ? "always" : "auto" }, ...(random === undefined ? {} : { random }) });
  await errand.start?.(flow);
  flow.emulator.clearRequests();
  flow.emulator.addFaults(faults);
  const report = await errand.run(flow, strict)
    .catch((error: Error): DeploymentReport => ({ ...EMPTY, outcome: "failed", reason: "threw", message: String(error.stack) }));
  return { report, wrong: judgeEnd(errand, flow, report, strict, undecidable), met: flow.emulator.faults().some((fault) => Number(fault["met"]) > 0), flow };
}

const EMPTY: DeploymentReport = {
  name: "agent", id: null, action: "none", outcome: "failed", reason: "", message: "", next: [], revision_id: null, previous_revision_id: null, revision_status: null, url: "",
  changes: [], plan: null, changed: false, timeline: [], warnings: [], notes: [], log_tail: [],
};

/** The invariants of every cell (contract.md section 3): no twin, no extra revision, green exactly when live is what was wanted. */
function judgeEnd(errand: Errand, flow: Flow, report: DeploymentReport, strict: boolean, undecidable: boolean): string[] {
  const live = liveOf(flow);
  const wrong: string[] = [];
  const green = report.outcome === errand.green;
  const unknown = undecidable && report.outcome === "failed" && report.reason === "unknown";
  if (!green && !unknown) wrong.push(`ended ${report.outcome} (${report.reason}): ${report.message}`);
  if (live.count > 1 || (live.count === 0 && !unknown)) wrong.push(`${live.count} deployments of the name`);
  if (live.revisions > errand.revisions(strict)) wrong.push(`${live.revisions} revisions`);
  if (green && errand.green === "deployed" && (live.active !== report.revision_id || live.active !== live.latest)) wrong.push(`says ${report.revision_id}, active is ${live.active}, latest ${live.latest}`);
  if (green && live.revisions !== errand.revisions(strict)) wrong.push(`${live.revisions} revisions, ${errand.revisions(strict)} expected`);
  if (strict && errand === ERRANDS["redeploy"] && green) {
    const passes = flow.deployments()[0]?.revisions.at(-1)?.runs.length;
    if (passes !== 2) wrong.push(`${passes} passes of the revision`);
  }
  return wrong;
}
