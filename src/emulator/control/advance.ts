import { momentOf } from "../deployments/readback.ts";
import { refuse } from "../http/reply.ts";
import type { Service } from "../service.ts";

/**
 * Advances the clock until the newest revision of every deployment, or of one, has a status;
 * refuses if it never will.
 */
export function advanceUntil(
  { world, advance }: Service,
  wanted: string,
  only: string | null,
): void {
  const chosen = world.store
    .all("deployments")
    .filter((one) => one.deleted_ms === null && [null, one.name, one.id].includes(only));
  if (chosen.length === 0)
    refuse(409, only === null ? "there is no deployment" : `there is no deployment ${only}`);
  const isSettled = wanted.toLowerCase() === "settled";
  const times = chosen.map((one) => {
    const { newest, timelines } = momentOf(world, one);
    const sights = timelines.get(newest?.id ?? "") ?? [];
    const last = sights.at(-1);
    const found = isSettled
      ? last
      : sights.findLast(({ status }) => status === wanted.toUpperCase());
    if (found === undefined)
      return refuse(
        409,
        `the newest revision of ${one.name} never is ${wanted}: it ends ${last?.status ?? "unknown"}`,
      );
    // `active_revision_id` changes a little after DEPLOYED.
    return found.at + (isSettled ? 0 : world.settings.lags.active);
  });
  advance(Math.max(world.now(), ...times) - world.now());
}
