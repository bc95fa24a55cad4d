import type { Json, JsonObject } from "../../model/json.ts";
import { examplesIn } from "../experiments/experiment-rows.ts";
import { isGone } from "../deployments/deployment.ts";
import { iso, momentOf, stepOf, stepsOf } from "../deployments/readback.ts";
import { maskBody } from "../http/request-log.ts";
import type { StoredDeployment } from "./store.ts";
import type { World } from "../world.ts";

function dumpDeployment(world: World, one: StoredDeployment): JsonObject {
  const moment = momentOf(world, one);
  return {
    ...(maskBody({
      id: one.id,
      name: one.name,
      source: one.source,
      source_config: one.source_config,
      source_revision_config: moment.newest?.config ?? {},
      secrets: one.secrets as unknown as Json,
      ...one.others,
    }) as JsonObject),
    tenant_id: one.tenant_id,
    status: moment.status,
    deleted: isGone(world, one),
    created_at: iso(one.created_ms),
    updated_at: iso(one.updated_ms),
    latest_revision_id: moment.newest?.id ?? null,
    active_revision_id: moment.active?.id ?? null,
    revisions: moment.revisions.map((revision) => ({
      id: revision.id,
      number: revision.number,
      cause: revision.cause,
      status: stepOf(moment, revision).status,
      created_at: iso(revision.created_ms),
      source_revision_config: maskBody(revision.config as Json),
      timeline: stepsOf(moment, revision)
        .filter((step) => step.at <= moment.now)
        .map((step) => ({ at: iso(step.at), status: step.status })),
    })),
  };
}

/**
 * The whole state as JSON, with current statuses and without secret values; deployments that are
 * gone are marked `deleted`.
 */
export function dumpState(world: World): JsonObject {
  const { store } = world;
  return {
    now: iso(world.now()),
    deployments: store.all("deployments").map((one) => dumpDeployment(world, one)),
    datasets: store.all("datasets").map((one) => ({
      ...one,
      example_count: examplesIn(world, one.id).length,
    })) as unknown as Json,
    sessions: store.all("sessions") as unknown as Json,
    integrations: store.all("integrations") as unknown as Json,
    listeners: store.all("listeners") as unknown as Json,
    heads: Object.fromEntries(store.entriesOf("heads")),
  };
}
