import { listSome } from "../model/count-words.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";

/** What a lookup found for the deployment of a spec. */
export type Found =
  /** A working lookup proved that there is no such deployment. */
  | { readonly state: "absent" }
  /**
   * The service has no lookup (`status`) and no id was given, so nothing is known. `served`: it
   * answers other requests, so the address is right.
   */
  | { readonly state: "lookup-unavailable"; readonly status: number; readonly served: boolean }
  /** The deployment of that name is being deleted. */
  | {
      readonly state: "deleting";
      readonly id: string;
      /** Reading it returns 404 while the list still shows it: one of them is stale. */
      readonly isListed?: true;
      /** The user gave this id, which identifies nothing once the deployment is deleted. */
      readonly isGiven?: true;
    }
  | {
      readonly state: "live";
      readonly deployment: LiveDeployment;
      /**
       * The latest revision if it is not the active one or is in progress again; null if it is
       * settled or could not be read.
       */
      readonly latest: LiveRevision | null;
      /** The active revision; only read if the latest is DEPLOYED and another one is active. */
      readonly active: LiveRevision | null;
    }
  | { readonly state: "duplicates"; readonly ids: readonly string[] }
  /** No deployment has the name, but the service shows no name for these: each may be it. */
  | { readonly state: "nameless"; readonly ids: readonly string[] }
  | { readonly state: "id-not-found"; readonly id: string };

/** The deployment was found, and is not being deleted. */
export type FoundLive = Extract<Found, { state: "live" }>;

/** The live deployment; null if none was found. */
export function liveOf(found: Found): LiveDeployment | null {
  return found.state === "live" ? found.deployment : null;
}

/** Every other result: there is no such deployment, or it is not certain which one it is. */
export type NotFound = Exclude<Found, { state: "live" }>;

/** Ids of live deployments that have the name, or may have it. */
export function idsOf(found: Found): readonly string[] {
  if (found.state === "live") return [found.deployment.id];
  return found.state === "duplicates" || found.state === "nameless" ? found.ids : [];
}

/** Codes for machines, by the state of a lookup that found no live deployment. */
export const NOT_FOUND_CODES: { readonly [state in NotFound["state"]]: string } = {
  absent: "not-found",
  "id-not-found": "not-found",
  deleting: "deleting",
  duplicates: "duplicates",
  nameless: "nameless",
  "lookup-unavailable": "no-lookup",
};

const MAX_IDS = 5;

/** Describes what was found instead of a deployment, as the beginning of a sentence. */
export function describeNotFound(name: string, found: NotFound): string {
  switch (found.state) {
    case "absent":
      return `there is no deployment named ${name}`;
    case "id-not-found":
      return `there is no deployment ${found.id}`;
    case "deleting":
      return found.isListed === true
        ? `the list shows deployment ${found.id} named ${name}, and a read of it answers 404`
        : `deployment ${found.id} named ${name} is being deleted`;
    case "duplicates":
      return `there are ${found.ids.length} live deployments named ${name}: ${found.ids.join(", ")}`;
    case "lookup-unavailable":
      return found.served
        ? `this service has no list of deployments (${found.status})`
        : `nothing of the service answers at this address (${found.status})`;
    case "nameless":
      return `the service shows no name for deployment${found.ids.length === 1 ? "" : "s"} ${listSome(found.ids, String, MAX_IDS)}: whether ${name} exists is not known`;
  }
}
