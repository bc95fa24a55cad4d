import type { Clock, Random } from "../clock.ts";
import type { Dialect } from "../model/dialect.ts";
import { toChoices, type Choices } from "./rules/choices.ts";
import type { FaultRule } from "./http/fault.ts";
import type { JsonObject } from "../model/json.ts";
import { DEFAULT_PHASES, type Phase, type RevisionRule } from "./deployments/revision.ts";

/** A key the emulator knows. Without any, every non-empty key is taken. */
export interface ApiKey {
  readonly key: string;
  /** Workspace the key belongs to; absent on a `workspace` key: the default tenant. */
  readonly tenant_id?: string;
  /** An `organization` key needs X-Tenant-Id (contributing/service.md section 4). Default `workspace`. */
  readonly scope?: "workspace" | "organization";
  /** A key of another region is answered 403, not 401. */
  readonly region?: "us" | "eu";
}

/** What the emulator holds at the start and after a reset; every id may be left out. */
export interface Seed {
  readonly integrations?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly repos?: readonly JsonObject[];
  }[];
  readonly listeners?: readonly {
    readonly id?: string;
    readonly compute_id?: string;
    readonly k8s_namespaces?: readonly string[] | null;
  }[];
  /** Create bodies; made as if posted, DEPLOYED long ago. `id`, `tenant_id` and `outcome` may be given too. */
  readonly deployments?: readonly JsonObject[];
  readonly datasets?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly externally_managed?: boolean;
  }[];
  /** Heads of branches and tags: repository URL → ref → commit. */
  readonly heads?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Delays in milliseconds at time scale 1. */
export interface Lags {
  /** `latest_revision_id` is null so long after a write. */
  readonly latest: number;
  /** A new revision answers 404 so long. */
  readonly revision: number;
  /** `active_revision_id` moves so long after DEPLOYED. */
  readonly active: number;
  /** A redeployed revision shows its old status so long (same-revision only). */
  readonly stale: number;
  /** AWAITING_DATABASE so long after the create. */
  readonly database: number;
  /** AWAITING_DELETE so long after the delete, then 404. */
  readonly delete: number;
  /** Statistics of an experiment are null so long. */
  readonly statistics: number;
}

/** Short for tests, and none of the surprising ones. */
export const DEFAULT_LAGS: Lags = {
  latest: 0,
  revision: 0,
  active: 0,
  stale: 0,
  database: 20,
  delete: 60,
  statistics: 60,
};

/** What a client of the hosted service has to bear. */
const HOSTED_LAGS: Partial<Lags> = { active: 20, statistics: 400 };

/**
 * A clock that stands still until it is advanced; `stepMs` moves it by that much with every
 * request, for runs without waiting.
 */
export interface ManualClock {
  readonly manual: true;
  readonly startMs?: number;
  readonly stepMs?: number;
}

/** How an emulator behaves; every choice of choices.ts is an option too. */
export interface EmulatorOptions extends Partial<Choices> {
  readonly clock?: Clock | ManualClock;
  readonly random?: Random;
  /** Multiplies every phase and lag; default 1 (a revision takes about 160 ms). */
  readonly timeScale?: number;
  readonly phases?: Partial<Record<Phase, number>>;
  readonly lags?: Partial<Lags>;
  readonly revisions?: readonly RevisionRule[];
  readonly faults?: readonly FaultRule[];
  readonly seed?: Seed;
  /** What replies look like: as the interface document shows them, or with the drift of contributing/service.md 2.6. */
  readonly readback?: "document" | "hosted";
  /** What a GET shows of secret values; names only in `maskedSecrets`, where given. */
  readonly secretValues?: "plain" | "stars" | "bullets" | "empty" | "null";
  readonly maskedSecrets?: readonly string[];
  /** The dialect of replies; default: that of the request that created the deployment. */
  readonly dialect?: "as-created" | Dialect;
  readonly apiKeys?: readonly (string | ApiKey)[];
  readonly bearerTokens?: readonly string[];
  readonly region?: "us" | "eu";
  /**
   * The rate limit table of the interface document for the region, or none. Default `off`; the
   * command line turns it on.
   */
  readonly limits?: "on" | "off";
  /** Origin of the signed upload addresses; absent: that of the request. */
  readonly uploadOrigin?: string;
  /** Whether POST …/upload-url answers `upload_headers` (contributing/service.md 2.9); default true. */
  readonly uploadHeaders?: boolean;
  /** Whether replies show `source_tarball_path`; default true. */
  readonly tarballField?: boolean;
  /** By name of a deployment: what it shows instead of READY. */
  readonly deploymentStatus?: Readonly<Record<string, string>>;
  /** `other-origin`: a server takes uploads at a port of their own. */
  readonly uploads?: "same-origin" | "other-origin";
  readonly strict?: boolean;
  /**
   * How strict it is: as the interface document says, or also as the hosted service is known to be.
   * Default `document`.
   */
  readonly profile?: "document" | "hosted";
  /** `stable`: ids made from names and counts, the same in every run. Default `random`. */
  readonly ids?: "random" | "stable";
}

/** Options resolved. */
export interface Settings extends Choices {
  readonly phases: Readonly<Record<Phase, number>>;
  readonly lags: Lags;
  readonly timeScale: number;
  readonly readback: "document" | "hosted";
  readonly secretValues: "plain" | "stars" | "bullets" | "empty" | "null";
  readonly maskedSecrets: readonly string[] | null;
  readonly dialect: "as-created" | Dialect;
  readonly apiKeys: readonly ApiKey[] | null;
  readonly bearerTokens: readonly string[] | null;
  readonly region: "us" | "eu";
  readonly limits: "on" | "off";
  readonly uploadOrigin: string | null;
  readonly uploadHeaders: boolean;
  readonly deploymentStatus: Readonly<Record<string, string>>;
  readonly tarballField: boolean;
  readonly strict: boolean;
  readonly profile: "document" | "hosted";
  readonly ids: "random" | "stable";
}

const scaled = <T extends object>(values: T, scale: number): T =>
  Object.fromEntries(
    Object.entries(values).map(([name, ms]) => [name, (ms as number) * scale]),
  ) as T;

/** Fills in every default; choices follow `strict` unless given. */
export function toSettings(options: EmulatorOptions): Settings {
  const strict = options.strict ?? false;
  const profile = options.profile ?? "document";
  const timeScale = options.timeScale ?? 1;
  return {
    ...toChoices(strict, profile, options),
    phases: scaled({ ...DEFAULT_PHASES, ...options.phases }, timeScale),
    lags: scaled(
      { ...DEFAULT_LAGS, ...(profile === "hosted" ? HOSTED_LAGS : {}), ...options.lags },
      timeScale,
    ),
    timeScale,
    readback: options.readback ?? profile,
    secretValues: options.secretValues ?? "plain",
    maskedSecrets: options.maskedSecrets ?? null,
    dialect: options.dialect ?? "as-created",
    apiKeys: options.apiKeys?.map((key) => (typeof key === "string" ? { key } : key)) ?? null,
    bearerTokens: options.bearerTokens ?? null,
    region: options.region ?? "us",
    limits: options.limits ?? "off",
    uploadOrigin: options.uploadOrigin ?? null,
    deploymentStatus: options.deploymentStatus ?? {},
    uploadHeaders: options.uploadHeaders ?? true,
    tarballField: options.tarballField ?? true,
    strict,
    profile,
    ids: options.ids ?? "random",
  };
}
