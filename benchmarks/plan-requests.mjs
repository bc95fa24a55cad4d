// What a plan of one container deployment with a full resource_spec is made from; one in ten differs from what is live.
import { deploymentShape } from "#built/model/shape.js";
import { withDefaults } from "#built/plan/value.js";
import { document } from "./figure.mjs";

const lookups = { integrations: null, listeners: null };
const policy = { create: "auto", force: false, secretsUnknown: "keep" };
const commit = { state: "skipped", why: "", onMerge: false };
const fieldsOf = (shape) => (shape?.kind === "struct" ? shape.fields : new Map());
const resourceShape = fieldsOf(deploymentShape.fields.get("source_config")?.shape).get(
  "resource_spec",
).shape;

/**
 * The reply as services give it that spell out what is not set: every field of resource_spec,
 * defaults filled in, else null.
 */
function spelledOut(body) {
  const filled = withDefaults(resourceShape, body.source_config.resource_spec);
  const resource_spec = Object.fromEntries(
    [...resourceShape.fields.keys()].map((name) => [name, filled[name] ?? null]),
  );
  return { ...body, source_config: { ...body.source_config, resource_spec } };
}

/**
 * The request of one document; `reply` says how the service writes what is live.
 * @returns {any} A PlanRequest as far as a plan of it reads.
 */
export function planRequest(index, reply = "as sent") {
  const body = document(`agent-${index}`);
  const live = document(`agent-${index}`, index % 10 === 0 ? 2 : 1);
  const desired = {
    name: body.name,
    source: body.source,
    dialect: "document",
    body,
    unknown: new Set(),
    positionOf: () => ({ file: "", line: 1, column: 1 }),
    deploy: { secrets: "replace", resource_spec: "merge", paths: [] },
  };
  const deployment = {
    id: String(index),
    name: body.name,
    source: body.source,
    dialect: "document",
    status: "READY",
    latest_revision_id: "r",
    active_revision_id: "r",
    updated_at: "",
    url: "",
    tenant_id: null,
    body: reply === "spelled out" ? spelledOut(live) : live,
  };
  return {
    desired,
    found: { state: "live", deployment, latest: null, active: null },
    commit,
    lookups,
    policy,
  };
}
