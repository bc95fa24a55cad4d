import type { Desired } from "../spec/desired.ts";
import type { Blocker, NewerRun } from "./plan.ts";
import type { Found } from "./plan-draft.ts";
import type { ChangedUnit } from "./gathered-changes.ts";
import { valueAt, withValue } from "./value.ts";

const IMAGE_URI = "source_revision_config.image_uri";

/** Whether the image differs as written, so that it matters which run is newer. */
export function movesImage({ source, body }: Desired, found: Found): boolean {
  if (source !== "external_container" || found.state !== "live") return false;
  const [wanted, live] = [valueAt(body, IMAGE_URI), valueAt(found.deployment.body, IMAGE_URI)];
  return typeof wanted === "string" && typeof live === "string" && wanted !== live;
}

/** An older run must not set the image of a newer one back. */
export function judgeImage(
  units: readonly ChangedUnit[],
  newer: NewerRun,
  force: boolean,
): { readonly blockers: readonly Blocker[]; readonly notes: readonly string[] } {
  const moves = units.some(({ field }) => field.path === IMAGE_URI);
  if (!moves || newer.state === "none") return { blockers: [], notes: [] };
  if (newer.state === "unreadable")
    return {
      blockers: [],
      notes: [
        `whether a newer run has deployed another image could not be read (${newer.why}): this run counts as the newest`,
      ],
    };
  if (force) return { blockers: [], notes: [] };
  const run = newer.attempt > 1 ? `${newer.run} (attempt ${newer.attempt})` : newer.run;
  const message =
    `run ${run} is newer than this one and has deployed its image: an older run must not roll back a newer one. ` +
    "Run the newest one again, or set force: true to deploy this image anyway";
  return { blockers: [{ code: "older-run", path: IMAGE_URI, message }], notes: [] };
}

/** What the tag of an image means for a plan. */
export interface ImageFacts {
  readonly desired: Desired;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly blockers: readonly Blocker[];
}

/**
 * The wanted state with its image tag resolved by what the registry said, and by what is live where
 * it said nothing.
 */
export function resolveImage(desired: Desired, found: Found): ImageFacts {
  const { image } = desired;
  if (image === undefined) return { desired, notes: [], warnings: [], blockers: [] };
  const { uri, repository, lookup } = image;
  switch (lookup.state) {
    case "found":
      return { desired, notes: [`${uri} is ${lookup.digest}`], warnings: [], blockers: [] };
    case "unknown": {
      const message = `the registry does not have ${uri}; push it, or write a tag that is there`;
      const blockers = [{ code: "image-unknown", path: IMAGE_URI, message }];
      return { desired, notes: [], warnings: [], blockers };
    }
    case "unreachable":
      return unreachable(desired, found, { uri, repository, why: lookup.why });
  }
}

/** Over a live digest of the same repository the tag is not readable: live stays, and nothing is sent for it. */
function unreachable(
  desired: Desired,
  found: Found,
  { uri, repository, why }: { uri: string; repository: string; why: string },
): ImageFacts {
  const live = found.state === "live" ? valueAt(found.deployment.body, IMAGE_URI) : undefined;
  const isDigest = typeof live === "string" && live.startsWith(`${repository}@sha256:`);
  const warnings = [
    isDigest
      ? `the digest of ${uri} was not readable (${why}), so the image was not compared; live stays at ${live}`
      : `the digest of ${uri} was not readable (${why}), so the tag is sent; an unchanged tag is not redeployed`,
  ];
  const body = isDigest ? withValue(desired.body, IMAGE_URI, live) : desired.body;
  return { desired: { ...desired, body }, notes: [], warnings, blockers: [] };
}
