import type { Spelled } from "../model/entry-point.ts";
import type { Desired } from "../spec/desired.ts";
import type { NewerRun, PlanPart } from "./plan.ts";
import type { Found } from "./found.ts";
import type { ChangedUnit } from "./gathered-changes.ts";
import { valueAt, withValue } from "./value.ts";

const IMAGE_URI = "source_revision_config.image_uri";

/** Whether the image differs as written, so that it matters whether a newer run exists. */
export function movesImage({ source, body }: Desired, found: Found): boolean {
  if (source !== "external_container" || found.state !== "live") return false;
  const [wanted, live] = [valueAt(body, IMAGE_URI), valueAt(found.deployment.body, IMAGE_URI)];
  return typeof wanted === "string" && typeof live === "string" && wanted !== live;
}

/** An older run must not replace a newer run's image. */
export function judgeImage(
  units: readonly ChangedUnit[],
  newer: NewerRun,
  force: boolean,
): PlanPart {
  const moves = units.some(({ field }) => field.path === IMAGE_URI);
  if (!moves || newer.state === "none") return {};
  if (newer.state === "unreadable") {
    const note = `whether a newer run has deployed another image could not be read (${newer.why}): this run counts as the newest`;
    return { notes: [note] };
  }
  if (force) return {};
  const run = newer.attempt > 1 ? `${newer.run} (attempt ${newer.attempt})` : newer.run;
  const message: Spelled = (spell) =>
    `run ${run} is newer than this one and has deployed its image: an older run must not roll back a newer one. ` +
    `Run the newest one again, or set ${spell("force", true)} to deploy this image anyway`;
  return { blockers: [{ code: "older-run", path: IMAGE_URI, message }] };
}

/**
 * Resolves the image's tag to the digest that the registry returned. Without an answer, a live
 * digest of the same repository stays and nothing is sent, since its tag is unknown; otherwise the
 * tag is sent.
 */
export function resolveImage(
  desired: Desired,
  found: Found,
): PlanPart & { readonly desired: Desired; readonly unread?: readonly string[] } {
  const { image } = desired;
  if (image === undefined) return { desired };
  const { uri, repository, lookup } = image;
  if (lookup.state === "found") return { desired, notes: [`${uri} is ${lookup.digest}`] };
  if (lookup.state === "unknown") {
    const message = `the registry does not have ${uri}; push it, or write a tag that is there`;
    return { desired, blockers: [{ code: "image-unknown", path: IMAGE_URI, message }] };
  }
  const unread = `the digest of ${uri} was not readable (${lookup.why}), so the`;
  const live = found.state === "live" ? valueAt(found.deployment.body, IMAGE_URI) : undefined;
  if (typeof live !== "string" || !live.startsWith(`${repository}@sha256:`))
    return { desired, warnings: [`${unread} tag is sent; an unchanged tag is not redeployed`] };
  const body = withValue(desired.body, IMAGE_URI, live);
  const warnings = [`${unread} image was not compared; live stays at ${live}`];
  return { desired: { ...desired, body }, warnings, unread: [IMAGE_URI] };
}
