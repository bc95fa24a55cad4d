import { listSome } from "../model/count-words.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";

/** What was found where the spec's deployment should be. */
export type Found =
  /** A lookup that works proved that there is none. */
  | { readonly state: "absent" }
  /**
   * The service has no lookup (`status`), and there is no id: nothing is proved. `served`: it
   * answers elsewhere, so the address is right.
   */
  | { readonly state: "lookup-unavailable"; readonly status: number; readonly served: boolean }
  /** The one of that name is being deleted. */
  | {
      readonly state: "deleting";
      readonly id: string;
      /** A read of it answers 404, and the list continues showing it: one of the two is stale. */
      readonly isListed?: true;
      /** It was asked for by this id, which names nothing once it is gone. */
      readonly isGiven?: true;
    }
  | {
      readonly state: "live";
      readonly deployment: LiveDeployment;
      /**
       * The latest revision where it is not the active one, or is at work again; null where it is
       * settled, or could not be read.
       */
      readonly latest: LiveRevision | null;
      /** The active revision; read only where the latest is DEPLOYED and another one is active. */
      readonly active: LiveRevision | null;
    }
  | { readonly state: "duplicates"; readonly ids: readonly string[] }
  /** None bears the name, but of these the service shows none: each may be it. */
  | { readonly state: "nameless"; readonly ids: readonly string[] }
  | { readonly state: "id-not-found"; readonly id: string };

/** Where it is there. */
export type FoundLive = Extract<Found, { state: "live" }>;

/** Where it is not, or not surely. */
export type NotFound = Exclude<Found, { state: "live" }>;

/** The machine word of each. */
export const NOT_FOUND_CODES: { readonly [state in NotFound["state"]]: string } = {
  absent: "not-found",
  "id-not-found": "not-found",
  deleting: "deleting",
  duplicates: "duplicates",
  nameless: "nameless",
  "lookup-unavailable": "no-lookup",
};

const MOST_IDS = 5;

/** What was found in place of one deployment, as the beginning of a sentence. */
export function tellNotFound(name: string, found: NotFound): string {
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
      return `the service shows no name for deployment${found.ids.length === 1 ? "" : "s"} ${listSome(found.ids, String, MOST_IDS)}: whether ${name} exists is not known`;
  }
}
