import * as z from "zod/v4";
import type { Clock } from "../clock.ts";
import { withMembers, type JsonObject } from "../model/json.ts";
import {
  FILLED,
  ID,
  like,
  list,
  must,
  object,
  row,
  saidOf,
  type Fields,
  type ObjectOf,
} from "./control/schema.ts";
import { DEFAULT_PHASES, type Phase, type RevisionRule } from "./deployments/revision.ts";
import type { FaultRule } from "./http/fault.ts";
import { CHOICES, option } from "./rules/choices.ts";

/** A commit, full or abbreviated. */
export const COMMIT = like(/^[0-9a-f]{7,64}$/u, "a commit");

const API_KEY = object({
  key: must(FILLED, "The key."),
  tenant_id: row(ID, "Workspace it belongs to."),
  scope: row(
    z.literal(["workspace", "organization"]),
    "An `organization` key needs X-Tenant-Id.",
    "workspace",
  ),
  region: row(z.literal(["us", "eu"]), "A key of another region is answered 403."),
});
/** An accepted key; without a `tenant_id`, it belongs to the default tenant. */
export type ApiKey = z.infer<typeof API_KEY>;

const lasting = (usual: number, doc: string) => row(z.number().min(0), doc, usual);
const PHASES = withMembers(DEFAULT_PHASES, (usual, name) =>
  lasting(usual, `Milliseconds in ${name} at time scale 1.`),
);
/** Delays in milliseconds at time scale 1: short for tests, and by default none of the surprising ones. */
const LAGS = {
  latest: lasting(0, "`latest_revision_id` is null for this long after a write."),
  revision: lasting(0, "A new revision answers 404 for this long."),
  active: lasting(0, "`active_revision_id` moves this long after DEPLOYED."),
  stale: lasting(0, "A redeployed revision shows its old status for this long."),
  database: lasting(20, "AWAITING_DATABASE for this long after the create."),
  delete: lasting(60, "AWAITING_DELETE for this long after the delete, then 404."),
  statistics: lasting(60, "Statistics of an experiment are null for this long."),
};
type Durations<K extends string> = Readonly<Record<K, number>>;
type Lags = Durations<keyof typeof LAGS>;
/** Delays that clients of the hosted service see. */
const HOSTED_LAGS: Partial<Lags> = { active: 20, statistics: 400 };

/** Options that can also change while the emulator runs, each defined only here. */
export const RUNNING = {
  profile: option(
    z.literal(["document", "hosted"]),
    "`hosted` refuses and returns what the hosted service is known to, beyond the interface document.",
    "document",
  ),
  strict: option(z.boolean(), "Serve only what the interface document shows.", false),
  timeScale: option(
    z.number().min(0),
    "Multiplies every phase and lag; at 1 a revision takes about 160 ms.",
    1,
    { said: "25 on the command line, else 1" },
  ),
  phases: option(object(PHASES), "Milliseconds in each phase at time scale 1.", null),
  lags: option(object(LAGS), "Delays in milliseconds at time scale 1.", null),
  readback: option(
    z.literal(["document", "hosted"]),
    "Replies as the interface document shows them, or as the hosted service is known to fill them in.",
    "document",
    { hosted: "hosted", said: "the profile" },
  ),
  secretValues: option(
    z.literal(["plain", "stars", "bullets", "empty", "null"]),
    "What a GET shows of secret values.",
    "plain",
  ),
  maskedSecrets: option(list(FILLED), "Names that `secretValues` holds for; absent: all.", null),
  dialect: option(
    z.literal(["as-created", "document", "hosted"]),
    "Spelling of replies.",
    "as-created",
  ),
  apiKeys: option(
    list(
      z
        .union([FILLED, API_KEY])
        .meta({ what: "a key, or a mapping of key, tenant_id, scope and region" }),
    ),
    "Keys that are accepted; absent: any.",
    null,
  ),
  bearerTokens: option(list(FILLED), "Bearer tokens that are accepted; absent: any.", null),
  region: option(z.literal(["us", "eu"]), "Region, for the rate limits and keys.", "us"),
  limits: option(z.literal(["on", "off"]), "The rate limit table.", "off", {
    said: "on on the command line, else off",
  }),
  deploymentStatus: option(
    z.record(
      z.string(),
      z.literal(["READY", "UNUSED", "UNKNOWN", "AWAITING_DATABASE", "AWAITING_DELETE"]),
    ),
    "By name of a deployment: the status that it shows instead of READY.",
    {},
    { said: "" },
  ),
  ids: option(
    z.literal(["random", "stable"]),
    "`stable`: ids are made from names and counts, the same in every run.",
    "random",
  ),
  ...CHOICES,
};

/** The state at the start and after a reset; every id is optional. */
export const SEED_FIELDS = {
  integrations: row(
    list(
      object({
        id: row(ID, "Its id; absent: made from its name."),
        name: must(FILLED, "Account at the code host."),
        repos: row(
          list(
            object({
              id: row(z.int().min(0), "Number of the repository."),
              host_integration_id: row(ID, "Id of the integration."),
              name: row(z.string(), "Name of the repository."),
              owner: row(z.string(), "Owner; default: the account."),
              url: row(z.string(), "Address."),
              default_branch: row(z.string(), "Default branch.", "main"),
            }),
          ),
          "Repositories it can read.",
        ),
      }),
    ),
    "What the integration lookup lists.",
  ),
  listeners: row(
    list(
      object({
        id: row(ID, "Its id."),
        compute_id: row(FILLED, "Name of the cluster."),
        k8s_namespaces: row(list(FILLED), "Namespaces it may deploy to."),
      }),
    ),
    "What the listener lookup lists.",
  ),
  datasets: row(
    list(
      object({
        id: row(ID, "Its id; absent: made from its name."),
        name: must(FILLED, "Name of the dataset."),
        externally_managed: row(z.boolean(), "Whether uploads may go to it.", "false"),
      }),
    ),
    "Datasets that are there from the start.",
  ),
  heads: row(
    z.record(z.string(), z.record(z.string(), COMMIT)),
    "Commit at each branch or tag: repository URL, ref, commit.",
  ),
};
/** A seed given by a program; deployments are bodies of a create, with `id`, `tenant_id` and `outcome`. */
export type Seed = ObjectOf<typeof SEED_FIELDS> & { readonly deployments?: readonly JsonObject[] };

/**
 * A clock that does not move until it is advanced; `stepMs` advances it with every request, for
 * runs without waiting.
 */
export const MANUAL_CLOCK = object({
  manual: must(z.literal([true]), "Must be true."),
  startMs: row(z.int().min(0), "Where it starts, in milliseconds since 1970."),
  stepMs: row(z.number().min(0), "Moves it by this much with every request.", 0),
});
/** The type of a clock that is stopped until advanced, for options that a program gives. */
export type ManualClock = z.infer<typeof MANUAL_CLOCK>;

/** What can change while it runs. */
export type Running = {
  readonly [K in keyof typeof RUNNING]?: z.infer<(typeof RUNNING)[K]["rule"]>;
};
/** How an emulator behaves. */
export interface EmulatorOptions extends Running {
  readonly clock?: Clock | ManualClock;
  readonly revisions?: readonly RevisionRule[];
  readonly faults?: readonly FaultRule[];
  readonly seed?: Seed;
  /** Origin of the signed upload URLs; absent: that of the request. */
  readonly uploadOrigin?: string;
  /** `other-origin`: a server accepts uploads at a separate port. */
  readonly uploads?: "same-origin" | "other-origin";
}

type Resolved = {
  readonly [K in keyof typeof RUNNING]:
    | z.infer<(typeof RUNNING)[K]["rule"]>
    | ((typeof RUNNING)[K]["usual"] extends null ? null : never);
};
/** The options with every default filled in, durations multiplied by the time scale. */
export type Settings = Omit<Resolved, "phases" | "lags" | "apiKeys"> & {
  readonly phases: Durations<Phase>;
  readonly lags: Lags;
  readonly apiKeys: readonly ApiKey[] | null;
  readonly uploadOrigin: string | null;
  /** Whether it refuses what the hosted service is known to refuse beyond the document. */
  readonly hostedRules: boolean;
};

/** Defaults for `strict` and the profile; given values override both. */
function usualOf(one: object & { readonly usual: unknown }, strict: boolean, hosted: boolean) {
  if (strict && "strict" in one) return one.strict;
  return hosted && "hosted" in one ? one.hosted : one.usual;
}

const toDurations = <K extends string>(
  rows: Readonly<Record<K, z.ZodType>>,
  given: { readonly [_ in K]?: number | undefined },
  scale: number,
): Durations<K> =>
  withMembers(rows, (rule, name) => (given[name] ?? Number(saidOf(rule).usual)) * scale);

/** Fills in every default; choices follow `strict` unless given. */
export function toSettings(options: EmulatorOptions): Settings {
  const { apiKeys, uploadOrigin = null } = options;
  const [strict, timeScale] = [options.strict ?? false, options.timeScale ?? 1];
  const hosted = options.profile === "hosted";
  const all = withMembers(RUNNING, (one, name) => options[name] ?? usualOf(one, strict, hosted));
  return {
    ...(all as Resolved),
    phases: toDurations(PHASES, options.phases ?? {}, timeScale),
    lags: toDurations(LAGS, { ...(hosted ? HOSTED_LAGS : {}), ...options.lags }, timeScale),
    apiKeys: apiKeys?.map((key) => (typeof key === "string" ? { key } : key)) ?? null,
    uploadOrigin,
    hostedRules: hosted && !strict,
  };
}

/** The rows as needed by the schema and the docs. */
export const RUNNING_FIELDS: Fields = withMembers(RUNNING, ({ rule, doc, usual, ...more }) => {
  const said = "said" in more ? more.said : String(usual ?? "").replaceAll(",", ", ");
  return row(rule as z.ZodType, doc, said === "" ? undefined : said);
});
