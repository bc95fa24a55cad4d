import { ServiceError, type ControlPlane, type LiveRevision } from "./control-plane.ts";

/** What a service says about a revision; anything else that it answers is an error. */
export type RevisionLookup =
  | { readonly state: "found"; readonly revision: LiveRevision }
  /** `no-id`: the text cannot be the id of one. */
  | { readonly state: "missing" | "no-id" }
  /** It has no route for revisions, or forbids reading them: nothing is known. */
  | { readonly state: "hidden"; readonly error: ServiceError };

/** A 404 is no error of a read, so it is not in this table. */
const STATES: Readonly<Record<number, "no-id" | "hidden">> = {
  403: "hidden",
  405: "hidden",
  422: "no-id",
  501: "hidden",
};

/** Reads a revision, with what the answer means where there is none; throws any other error. */
export async function lookUpRevision(
  controlPlane: ControlPlane,
  deploymentId: string,
  id: string,
): Promise<RevisionLookup> {
  try {
    const revision = await controlPlane.getRevision(deploymentId, id);
    return revision === null ? { state: "missing" } : { state: "found", revision };
  } catch (error) {
    // Only the service's own words say this: a gateway answers with the same statuses.
    const isOwn = error instanceof ServiceError && error.ownWords;
    const state = isOwn ? STATES[error.status ?? 0] : undefined;
    if (!isOwn || state === undefined) throw error;
    return state === "hidden" ? { state, error } : { state };
  }
}

/**
 * The newest revisions, for what can do without; null if the service has no list of them, or it
 * cannot be read.
 */
export async function readShownRevisions(
  controlPlane: ControlPlane,
  deploymentId: string,
  most: number,
): Promise<readonly LiveRevision[] | null> {
  const lookup = await controlPlane.listRevisions(deploymentId, most).catch(() => null);
  return lookup?.state === "found" ? lookup.items : null;
}

/** A revision as far as the service shows it, for what can do without. */
export async function readShownRevision(
  ...asked: Parameters<typeof lookUpRevision>
): Promise<LiveRevision | null> {
  const lookup = await lookUpRevision(...asked);
  return lookup.state === "found" ? lookup.revision : null;
}
