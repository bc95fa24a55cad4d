import type { Clock } from "../clock.ts";
import { groupBy } from "../model/group-by.ts";
import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { Desired } from "../spec/desired.ts";
import {
  ServiceError,
  type ControlPlane,
  type Integration,
  type Listener,
  type Lookup,
} from "../service/control-plane.ts";

/** From this many names, or names and ids together, listing everything is cheaper than single lookups. */
const LIST_FROM = { names: 4, ids: 10 };
/**
 * Pages beyond those filled by the spec's own deployments: in a much larger tenant, each
 * deployment is looked up separately.
 */
const SPARE_PAGES = { least: 4, share: 0.05 };
const PAGE = 100;
/** How often a changing list is read before giving up. */
const MAX_READINGS = 6;

/** How to find deployments; the given control plane limits the reads. */
export interface Reads {
  /** By exact name. */
  readonly find: (name: string, controlPlane: ControlPlane) => Promise<Lookup<LiveDeployment>>;
  /** By id, from a listing that shows it if there is one; null on 404. */
  readonly get: (id: string, controlPlane: ControlPlane) => Promise<LiveDeployment | null>;
  /** The found deployment with everything that a plan compares; null if it no longer exists. */
  readonly whole: (
    found: LiveDeployment,
    controlPlane: ControlPlane,
  ) => Promise<LiveDeployment | null>;
}

/** The deployments of one run; a listing is read once and shared. */
export interface Directory extends Reads {
  /**
   * The same, read from the service itself and repeated until absence is certain: before a write,
   * and after one without a response.
   */
  readonly again: Reads;
  /** Clock time from which the next result dates, at worst: the listing's if there is one, else now. */
  readonly readAtMs: () => number;
  /** Whether many are looked up, so that one listing replaces single reads. */
  readonly listsAll: boolean;
  /** What a create may choose from, read once per run. */
  readonly integrations: (dialect: Dialect) => Promise<readonly Integration[]>;
  readonly listeners: (controlPlane: ControlPlane) => Promise<readonly Listener[]>;
}

/** What a run will look up. */
export interface WantedLookups {
  readonly names: number;
  readonly ids: number;
  /** The run ends with what it finds, so speed matters: the end of a list is requested together with its beginning. */
  readonly ahead?: boolean;
}

/** How the documents of a spec are looked up: by `deploy.id`, else by name. */
export function toWanted(documents: readonly Pick<Desired, "deploy">[]): WantedLookups {
  const ids = documents.filter(({ deploy }) => deploy.id !== undefined).length;
  return { ids, names: documents.length - ids };
}

/** A listing of everything, or of its first pages. */
interface Listing {
  readonly lookup: Lookup<LiveDeployment>;
  readonly byName: ReadonlyMap<string, readonly LiveDeployment[]>;
  readonly byId: ReadonlyMap<string, LiveDeployment>;
  readonly showsSecrets: boolean;
}

/** Creates the lookups of a run; what it wants decides between single lookups and one listing. */
export function createDirectory(
  { controlPlane, clock }: { readonly controlPlane: ControlPlane; readonly clock: Clock },
  wanted: WantedLookups,
): Directory {
  const count = wanted.names + wanted.ids;
  const listsAll = wanted.names >= LIST_FROM.names || count >= LIST_FROM.ids;
  let listing: Promise<Listing> | undefined;
  let listedAtMs = Infinity;
  const integrations = new Map<Dialect, Promise<readonly Integration[]>>();
  let listeners: Promise<readonly Listener[]> | undefined;
  const list = (bounded: ControlPlane): Promise<Listing> => {
    const own = Math.ceil(count / PAGE) + 1;
    const spare = Math.max(SPARE_PAGES.least, Math.ceil(count * SPARE_PAGES.share));
    listedAtMs = Math.min(listedAtMs, clock.monotonic());
    listing ??= bounded.listDeployments({ expected: count, pages: own + spare }).then(toListing);
    return listing;
  };
  /** What the last reading for a name showed, to compare with the next. */
  const shownBefore = new Map<string, ReadonlySet<string>>();
  const readByName: Reads["find"] = async (name, bounded) => {
    const ahead = wanted.ahead === true ? { expected: 1 } : {};
    const lookup = await bounded.listDeployments({ nameContains: name, ...ahead });
    if (lookup.state === "absent-lookup") return lookup;
    shownBefore.set(name, new Set(lookup.items.map(({ id }) => id)));
    const of = (one: string) => lookup.items.filter((item) => item.name === one);
    return { ...lookup, items: of(name), nameless: of("") };
  };
  const readSurely: Reads["find"] = async (name, bounded) => {
    for (let readings = 1; readings <= MAX_READINGS; readings += 1) {
      const before = shownBefore.get(name);
      const lookup = await readByName(name, bounded);
      if (lookup.state === "absent-lookup" || lookup.items.length > 0) return lookup;
      if (isComplete(before, shownBefore.get(name)!)) return lookup;
    }
    throw new ServiceError(
      `the deployment list kept changing over ${MAX_READINGS} readings, so whether ${name} exists is not known and nothing is created. Run again once nothing is being deleted`,
    );
  };
  const whole: Reads["whole"] = async (found, bounded) =>
    readWhole(bounded, found, (await listing?.catch(unlessService))?.showsSecrets);
  return {
    listsAll,
    again: { find: readSurely, get: (id, bounded) => bounded.getDeployment(id), whole },
    find: async (name, bounded) => {
      if (!listsAll) return readByName(name, bounded);
      const { lookup, byName } = await list(bounded);
      if (lookup.state === "absent-lookup") return lookup;
      // Two deployments may have the name: a part of the list proves neither that one has it nor that none has.
      if (lookup.partial === true) return readByName(name, bounded);
      return { state: "found", items: byName.get(name) ?? [], nameless: byName.get("") ?? [] };
    },
    get: async (id, bounded) => {
      const all = listsAll ? await list(bounded).catch(unlessService) : null;
      const found = all?.byId.get(id.toLowerCase());
      return found === undefined ? bounded.getDeployment(id) : whole(found, bounded);
    },
    whole,
    integrations: (dialect) => {
      const read = integrations.get(dialect) ?? controlPlane.listIntegrations(dialect);
      integrations.set(dialect, read);
      return read;
    },
    listeners: (bounded) => (listeners ??= bounded.listListeners()),
    readAtMs: () => Math.min(listedAtMs, clock.monotonic()),
  };
}

/**
 * Whether something missing from two readings in a row is surely absent. A deletion between two
 * pages moves an item to a page that was already read, but the deleted item was on that page and
 * is missing from the next reading. An empty list is a single response, in which nothing can move.
 */
function isComplete(before: ReadonlySet<string> | undefined, now: ReadonlySet<string>): boolean {
  return now.size === 0 || (before !== undefined && [...before].every((id) => now.has(id)));
}

/** Null for a ServiceError: a list that cannot be read proves nothing about a deployment with a known id. */
function unlessService(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}

function toListing(lookup: Lookup<LiveDeployment>): Listing {
  const items = lookup.state === "found" ? lookup.items : [];
  return {
    lookup,
    byName: groupBy(items, ({ name }) => name),
    byId: new Map(items.map((item) => [item.id.toLowerCase(), item])),
    showsSecrets: items.some(hasSecrets),
  };
}

function hasSecrets({ body: { secrets } }: LiveDeployment): boolean {
  return Array.isArray(secrets) && secrets.length > 0;
}

/** Everything that a plan compares. */
const COMPARED = [
  "source_config",
  "source_revision_config",
  "secrets",
  "latest_revision_id",
  "active_revision_id",
];

/**
 * Completes a deployment from a list with all that a plan compares: a list may contain less than a
 * GET. Null if it no longer exists. Some lists show no secrets although there are some: an empty
 * list of secrets proves nothing, unless the list is known to show them.
 */
export async function readWhole(
  controlPlane: ControlPlane,
  found: LiveDeployment,
  showsSecrets = false,
): Promise<LiveDeployment | null> {
  const whole = COMPARED.every((key) => found.body[key] !== undefined);
  return found.isListed !== true || (whole && (showsSecrets || hasSecrets(found)))
    ? found
    : controlPlane.getDeployment(found.id);
}
