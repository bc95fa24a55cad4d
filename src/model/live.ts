import type { Json } from "./json.ts";
import type { Dialect } from "./dialect.ts";

/**
 * A deployment as the service returns it, in canonical dialect; unknown fields are kept. Holds
 * secret values: never print it whole.
 */
export interface LiveDeployment {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  /** Dialect the service replied in. */
  readonly dialect: Dialect;
  readonly status: string;
  readonly latest_revision_id: string | null;
  readonly active_revision_id: string | null;
  readonly updated_at: string;
  readonly url: string;
  readonly tenant_id: string | null;
  /** A list showed it, which may be older than the deployment and show less. */
  readonly isListed?: true;
  /** The whole reply, canonical dialect. */
  readonly body: { readonly [key: string]: Json };
}

/** A revision as the service returns it; `status` may be an unknown word. */
export interface LiveRevision {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The service's message about a failure, if any; redact it before printing. */
  readonly status_message: string;
  readonly source_revision_config: { readonly [key: string]: Json };
}

/** Milliseconds from a revision's creation to its last change; null if the service gives no usable dates. */
export function tookMsOf({ created_at, updated_at }: LiveRevision): number | null {
  const took = Date.parse(updated_at) - Date.parse(created_at);
  return Number.isNaN(took) || took < 0 ? null : took;
}

/** Matches the service's ids: with dashes, in either case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
