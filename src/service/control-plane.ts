import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { Json } from "../model/json.ts";

export type { LiveDeployment, LiveRevision } from "../model/live.ts";

/** A valid `source_config.integration_id`. */
export interface Integration {
  readonly id: string;
  readonly name: string;
}
/** A valid `source_config.listener_id`; `namespaces` is empty if it is not bound to any. */
export interface Listener {
  readonly id: string;
  readonly compute_id: string;
  readonly compute_type: string;
  readonly namespaces: readonly string[];
}

/**
 * Limits of a request, including repeats and waiting for the rate budget; `deadlineMs` is a time
 * of `clock.monotonic`.
 */
export interface Limits {
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** Adds a signal to limits. */
export function endedBy(limits: Limits, signal: AbortSignal): Limits {
  const both = limits.signal === undefined ? signal : AbortSignal.any([signal, limits.signal]);
  return { ...limits, signal: both };
}

/**
 * How a write ended. `refused` with status 0: it never reached the service (no connection, or no
 * turn before the deadline). `unknown`: no response, or one that does not say (500, 502, 503,
 * 504): read before doing anything else.
 */
export type WriteResult<T> =
  | { readonly state: "taken"; readonly reply: T }
  | { readonly state: "refused"; readonly status: number; readonly error: Error }
  | { readonly state: "unknown"; readonly error: Error };

/**
 * The result of a lookup. `partial`: the list continues, so a missing item may follow. `nameless`:
 * items that show no name, in the list or by id, and so may be the one wanted. `absent-lookup`:
 * the service has no list (404, 405, 501), which proves nothing.
 */
export type Lookup<T> =
  | {
      readonly state: "found";
      readonly items: readonly T[];
      readonly partial?: true;
      readonly nameless?: readonly T[];
    }
  | { readonly state: "absent-lookup"; readonly status: number };

/** How much of a list to read. */
export interface Extent {
  /** Stop reading pages at this number of items. */
  readonly most?: number;
  /** The likely number of items: pages up to there, and the one that proves the end, are requested ahead. */
  readonly expected?: number;
  /** Stop after this many pages and mark the list `partial`. */
  readonly pages?: number;
}

/**
 * The deployment control plane. Reads are repeated on a bad network and throw a ServiceError in
 * the end; writes are sent once (repeated only if surely not accepted) and end as values.
 */
export interface ControlPlane {
  /** The same service with limits on every request, such as a deployment's timeout. */
  readonly within: (limits: Limits) => ControlPlane;
  /**
   * Reads all pages. `nameContains` only narrows the search: callers compare exactly. A deployment
   * without a name in the list is read by id; its name stays empty if that shows none.
   */
  readonly listDeployments: (
    query: Extent & { readonly nameContains?: string },
  ) => Promise<Lookup<LiveDeployment>>;
  /** Checks the key with one small read that throws if it is refused. Returns the tenant if a deployment shows it. */
  readonly probe: () => Promise<string | null>;
  /** Null on 404. */
  readonly getDeployment: (id: string) => Promise<LiveDeployment | null>;
  readonly createDeployment: (
    body: { readonly [key: string]: Json },
    dialect: Dialect,
  ) => Promise<WriteResult<LiveDeployment>>;
  readonly patchDeployment: (
    id: string,
    body: { readonly [key: string]: Json },
    dialect: Dialect,
  ) => Promise<WriteResult<LiveDeployment>>;
  /** Null on 404 of the revision or its deployment. */
  readonly getRevision: (deploymentId: string, revisionId: string) => Promise<LiveRevision | null>;
  /** The newest `most`, newest first, over as many pages as needed. */
  readonly listRevisions: (deploymentId: string, most: number) => Promise<Lookup<LiveRevision>>;
  readonly redeploy: (
    deploymentId: string,
    revisionId: string,
  ) => Promise<WriteResult<LiveDeployment>>;
  /** Uploads the archive of the checkout; builds nothing. */
  readonly uploadArchive: (id: string, archive: ArchiveUpload) => Promise<ArchiveUploadEnd>;
  readonly deleteDeployment: (
    id: string,
    query: { readonly deleteTracingProject: boolean },
  ) => Promise<WriteResult<null>>;
  readonly listIntegrations: (dialect: Dialect) => Promise<readonly Integration[]>;
  readonly listListeners: () => Promise<readonly Listener[]>;
  /**
   * The last lines of the build or deploy log, oldest first; null if the service has none. Never
   * throws. A service that replies in the document's `dialect` is only asked by GET: only the
   * hosted one has the older POST route (contributing/service.md 2.7). `onFailure` is called for a
   * response that does not prove that there is no log.
   */
  readonly logTail: (
    deploymentId: string,
    revisionId: string,
    phase: "build" | "deploy",
    lines: number,
    dialect?: Dialect,
    onFailure?: (error: ServiceError) => void,
  ) => Promise<LogTail | null>;
}

/** The end of a log; `isTail`: there are earlier lines. */
export interface LogTail {
  readonly lines: readonly string[];
  readonly isTail: boolean;
  /** When the newest line was written, in milliseconds; null if the lines have no times. */
  readonly newestMs: number | null;
}

/** A failed request, worded for the user: what, METHOD URL: status, the service's own words, what to do next. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** HTTP status; null without a response. */
  readonly status: number | null = null;
  /** The input that likely needs to change (`api-key`, `tenant-id`, `region`), if any. */
  readonly input: string | null = null;
  /** Whether the service itself responded, in JSON: a gateway's page has a status too but proves nothing. */
  readonly ownWords: boolean = false;
  /** The start of the message (`API key rejected (401)`); empty if there is no short form. */
  readonly headline: string = "";
  /** Whether the request left this machine, as far as known. */
  readonly sent: boolean = true;
  /** How often the request was tried. */
  readonly tries: number = 1;
  /** For a write that a read showed as not accepted: how often it was sent. */
  readonly untakenTries: number | null = null;
  constructor(
    message: string,
    {
      cause,
      ...facts
    }: Partial<Omit<ServiceError, keyof Error>> & { readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    // No fact is undefined (exactOptionalPropertyTypes), so that each default stays unless it is replaced.
    Object.assign(this, facts);
  }
}

/**
 * Statuses by which a service says that something does not exist, or that it has no such list.
 * Only its own responses prove that: they are JSON.
 */
export const PROVES_ABSENCE: readonly number[] = [404, 405, 501];

/** Whether the service itself responded with one of these statuses. */
export function isAnswered(error: unknown, statuses: readonly number[]): boolean {
  return (
    error instanceof ServiceError &&
    error.ownWords &&
    error.status !== null &&
    statuses.includes(error.status)
  );
}

/** An archive to upload, with callbacks for its progress. */
export interface ArchiveUpload {
  readonly bytes: number;
  /** Reads the archive from the start; called again for each try. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Bytes handed to the connection. */
  readonly onProgress: (sent: number) => void;
  /** Called with the reason for each repeat. */
  readonly onRepeat: (why: string) => void;
}

/** How an upload ended; `refused`: it was not accepted whole, and nothing was built. */
export type ArchiveUploadEnd =
  | { readonly state: "taken"; readonly objectPath: string }
  /** `lost`: another run may succeed. */
  | { readonly state: "refused" | "lost"; readonly error: Error };
