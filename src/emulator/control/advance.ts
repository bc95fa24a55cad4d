import type { Service } from "../service.ts";
import { momentOf } from "../deployments/readback.ts";
import { refuse } from "../http/reply.ts";
import type { Sight } from "../deployments/revision.ts";
import type { StoredDeployment } from "../state/store.ts";

/** The past and future statuses of a deployment's newest revision. */
function courseOf({ world }: Service, one: StoredDeployment): readonly Sight[] {
  const { newest, timelines } = momentOf(world, one);
  return timelines.get(newest?.id ?? "") ?? [];
}

/** When it reaches a status; undefined if never. */
function timeOf(service: Service, sights: readonly Sight[], wanted: string): number | undefined {
  if (wanted.toLowerCase() === "settled") return sights.at(-1)?.at;
  const found = sights.findLast(({ status }) => status === wanted.toUpperCase());
  // `active_revision_id` changes a little after DEPLOYED.
  return found === undefined ? undefined : found.at + service.world.settings.lags.active;
}

/**
 * Advances the clock until the newest revision of every deployment, or of one, has a status;
 * refuses if it never will.
 */
export function advanceUntil(service: Service, wanted: string, only: string | null): void {
  const all = service.world.store.all("deployments").filter((one) => one.deleted_ms === null);
  const chosen = only === null ? all : all.filter((one) => one.name === only || one.id === only);
  if (chosen.length === 0)
    refuse(409, only === null ? "there is no deployment" : `there is no deployment ${only}`);
  let until = service.world.now();
  for (const one of chosen) {
    const sights = courseOf(service, one);
    const at = timeOf(service, sights, wanted);
    if (at === undefined) {
      const last = sights.at(-1)?.status ?? "unknown";
      refuse(409, `the newest revision of ${one.name} never is ${wanted}: it ends ${last}`);
    }
    until = Math.max(until, at);
  }
  service.advance(until - service.world.now());
}
