// 10,000 documents with a full resource_spec against their live deployments: one in ten differs.
import { planDeployment } from "../build/plan/decision.js";
import { document, print } from "./figure.mjs";

const COUNT = 10_000;
const lookups = { integrations: null, listeners: null };
const policy = { create: "auto", force: false, secretsUnknown: "keep" };
const commit = { state: "skipped", why: "", onMerge: false };
const toRequest = (index) => {
  const body = document(`agent-${index}`);
  const desired = {
    name: body.name, source: body.source, spelling: "document", body, unknown: new Set(), positionOf: () => ({ file: "", line: 1, column: 1 }),
    deploy: { secrets: "replace", resource_spec: "merge", paths: [] },
  };
  const deployment = {
    id: String(index), name: body.name, source: body.source, spelling: "document", status: "READY", latest_revision_id: "r", active_revision_id: "r", updated_at: "", url: "", tenant_id: null,
    body: document(`agent-${index}`, index % 10 === 0 ? 2 : 1),
  };
  return { desired, found: { state: "live", deployment, latest: null, active: null }, commit, lookups, policy };
};
const requests = Array.from({ length: COUNT }, (_, index) => toRequest(index));
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const begin = process.hrtime.bigint();
const planned = requests.map(planDeployment);
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
print("10,000 documents", seconds, "s", "< 2");
print("documents found changed", planned.filter(({ steps }) => steps.length > 0).length, "of 10,000");
globalThis.gc?.();
print("memory the plans keep", (process.memoryUsage().heapUsed - before) / 2 ** 20, "MB");
