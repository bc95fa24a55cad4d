import type { Desired } from "../spec/desired.ts";
import type { Blocker } from "./plan.ts";
import type { Found } from "./decision.ts";
import { valueAt, withValue } from "./value.ts";

const IMAGE_URI = "source_revision_config.image_uri";

/** What the tag of an image means for a plan. */
export interface ImageFacts {
  readonly desired: Desired;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly blockers: readonly Blocker[];
}

/** The wanted state with its image tag settled by what the registry said, and by what is live where it said nothing. */
export function settleImage(desired: Desired, found: Found): ImageFacts {
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
