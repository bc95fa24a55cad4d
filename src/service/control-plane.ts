import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { Json } from "../model/json.ts";

export type { LiveDeployment, LiveRevision } from "../model/live.ts";

/** What `source_config.integration_id` may be. */
export interface Integration {
  readonly id: string;
  readonly name: string;
}
/** What `source_config.listener_id` may be; `namespaces` is empty where it is bound to none. */
export interface Listener {
  readonly id: string;
  readonly compute_id: string;
  readonly compute_type: string;
  readonly namespaces: readonly string[];
}

/**
 * Bounds of a request, repeats and waiting for the rate budget included; `deadlineMs` is a time of
 * `clock.monotonic`.
 */
export interface Limits {
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The end of a write. `refused` with status 0: it surely never reached the service (no connection, no turn before the
 * deadline). `unknown`: no answer, or one that does not say (500, 502, 503, 504): read before anything else. */
export type WriteResult<T> =
  | { readonly state: "taken"; readonly reply: T }
  | { readonly state: "refused"; readonly status: number; readonly error: Error }
  | { readonly state: "unknown"; readonly error: Error };

/**
 * The end of a lookup; `partial`: the list continues, so what is missing may be further on.
 * `nameless`: what of a lookup by name has no name, neither in the list nor by its id, and so may
 * be the one that was looked up. `absent-lookup`: the service has no list (404, 405, 501), which
 * proves nothing.
 */
export type Lookup<T> =
  | {
      readonly state: "found";
      readonly items: readonly T[];
      readonly partial?: true;
      readonly nameless?: readonly T[];
    }
  | { readonly state: "absent-lookup"; readonly status: number };

/**
 * The deployment control plane. Reads repeat themselves over a bad network and throw a ServiceError when they give up;
 * writes are sent once (repeated only when surely not taken) and end as values.
 */
export interface ControlPlane {
  /** The same service with every request bounded, such as by a deployment's timeout. */
  readonly within: (limits: Limits) => ControlPlane;
  /**
   * All pages; `nameContains` only narrows, the caller compares exactly. What a list shows no name
   * of is read by its id, and the name stays empty where that shows none either. `expected`: so
   * many are likely, and pages are asked for ahead. `pages`: after so many the list is given as far
   * as it was read.
   */
  readonly listDeployments: (query: {
    readonly nameContains?: string;
    readonly expected?: number;
    readonly pages?: number;
  }) => Promise<Lookup<LiveDeployment>>;
  /**
   * Whether the service takes the key: one small read that throws where it does not. The tenant,
   * where a deployment shows it.
   */
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
  /** The newest `most`, newest first, over as many pages as the service needs for them. */
  readonly listRevisions: (deploymentId: string, most: number) => Promise<Lookup<LiveRevision>>;
  readonly redeploy: (
    deploymentId: string,
    revisionId: string,
  ) => Promise<WriteResult<LiveDeployment>>;
  /** Uploads the archive of the checkout; builds nothing by itself. */
  readonly uploadArchive: (id: string, archive: ArchiveUpload) => Promise<ArchiveUploadEnd>;
  readonly deleteDeployment: (
    id: string,
    query: { readonly deleteTracingProject: boolean },
  ) => Promise<WriteResult<null>>;
  readonly listIntegrations: (dialect: Dialect) => Promise<readonly Integration[]>;
  readonly listListeners: () => Promise<readonly Listener[]>;
  /**
   * Last lines of the build or deploy log, oldest first; null where the service serves none. Never
   * throws. A service that replies in the document's `dialect` is only asked by GET: the older
   * route, a POST, only the hosted one has (contributing/service.md 2.7). `onFailure` hears of an
   * answer that does not say that there is no log.
   */
  readonly logTail: (
    deploymentId: string,
    revisionId: string,
    phase: "build" | "deploy",
    lines: number,
    dialect?: Dialect,
    onFailure?: (error: ServiceError) => void,
  ) => Promise<LogTail | null>;
  /**
   * When the newest line of a revision's log was written, in milliseconds; null where the service
   * serves none, or no times. Never throws.
   */
  readonly lastLogAt: (
    deploymentId: string,
    revisionId: string,
    phase: "build" | "deploy",
    dialect?: Dialect,
  ) => Promise<number | null>;
}

/** The end of a log; `isTail`: it has lines before these. */
export interface LogTail {
  readonly lines: readonly string[];
  readonly isTail: boolean;
}

/**
 * What went wrong on the wire, worded for the user: what, METHOD URL: status, the service's own
 * words, what to do next.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** HTTP status, or null where no answer came. */
  readonly status: number | null;
  /** The input to change, where one is the likely cause (`api-key`, `tenant-id`, `region`). */
  readonly input: string | null;
  /** Whether the service itself answered, in JSON: a gateway's page has a status too, and proves nothing. */
  readonly ownWords: boolean;
  /** What is wrong, with which the message begins (`API key rejected (401)`); empty where nothing short says it. */
  readonly headline: string;
  /** Whether the request left this machine, as far as is known. */
  readonly sent: boolean;
  /** Of a write that reading showed as not taken: how often it was sent. */
  readonly untakenTries: number | null;
  constructor(
    message: string,
    options: {
      status?: number | null;
      input?: string | null;
      ownWords?: boolean;
      headline?: string;
      sent?: boolean;
      untakenTries?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status ?? null;
    this.input = options.input ?? null;
    this.ownWords = options.ownWords ?? false;
    this.headline = options.headline ?? "";
    this.sent = options.sent ?? true;
    this.untakenTries = options.untakenTries ?? null;
  }
}

/** Whether the service itself said one of these statuses. */
export function isAnswered(error: unknown, statuses: readonly number[]): boolean {
  return (
    error instanceof ServiceError &&
    error.ownWords &&
    error.status !== null &&
    statuses.includes(error.status)
  );
}

/** An archive, and who hears how far it is. */
export interface ArchiveUpload {
  readonly bytes: number;
  /** The archive from its beginning; asked for again with each try. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Bytes that were handed to the connection. */
  readonly onProgress: (sent: number) => void;
  /** Hears why a try is repeated. */
  readonly onRepeat: (why: string) => void;
}

/** How an upload ended; `refused`: it was not taken whole, and nothing was built. */
export type ArchiveUploadEnd =
  | { readonly state: "taken"; readonly objectPath: string }
  | { readonly state: "refused"; readonly error: Error };
