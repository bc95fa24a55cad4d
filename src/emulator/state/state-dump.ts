import type { Json, JsonObject } from "../../model/json.ts";
import { iso, momentOf } from "../deployments/readback.ts";
import { maskBody } from "../http/request-log.ts";
import { statusAt } from "../deployments/revision.ts";
import type { StoredDeployment } from "./store.ts";
import type { World } from "../world.ts";

function dumpDeployment(world: World, one: StoredDeployment): JsonObject {
  const now = world.now();
  const moment = momentOf(one, world.settings, now);
  const gone = one.deleted_ms !== null && one.deleted_ms + world.settings.lags.delete <= now;
  return {
    ...(maskBody({
      id: one.id,
      name: one.name,
      source: one.source,
      source_config: one.source_config,
      source_revision_config: one.revisions.at(-1)?.config ?? {},
      secrets: one.secrets as unknown as Json,
      ...one.others,
    }) as JsonObject),
    tenant_id: one.tenant_id,
    status: moment.status,
    deleted: gone,
    created_at: iso(one.created_ms),
    updated_at: iso(one.updated_ms),
    latest_revision_id: one.revisions.at(-1)?.id ?? null,
    active_revision_id: moment.active?.id ?? null,
    revisions: one.revisions.map((revision) => {
      const sights = moment.timelines.get(revision.id)!;
      return {
        id: revision.id,
        number: revision.number,
        cause: revision.cause,
        status: statusAt(sights, now).status,
        created_at: iso(revision.created_ms),
        source_revision_config: maskBody(revision.config as Json),
        timeline: sights
          .filter((sight) => sight.at <= now)
          .map((sight) => ({ at: iso(sight.at), status: sight.status })),
      };
    }),
  };
}

/** Everything held, as JSON, statuses as of now; gone deployments are kept and marked `deleted`; no secret value. */
export function dumpState(world: World): JsonObject {
  const { store } = world;
  return {
    now: iso(world.now()),
    deployments: store.all("deployments").map((one) => dumpDeployment(world, one)),
    datasets: store.all("datasets").map(({ examples, ...one }) => ({
      ...one,
      example_count: examples.length,
    })) as unknown as Json,
    sessions: store.all("sessions") as unknown as Json,
    integrations: store.all("integrations") as unknown as Json,
    listeners: store.all("listeners") as unknown as Json,
    heads: Object.fromEntries(
      store
        .entries()
        .filter(([table]) => table === "heads")
        .map(([, key, value]) => [key, value as string]),
    ),
  };
}
