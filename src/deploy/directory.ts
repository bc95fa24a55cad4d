import type { Clock } from "../clock.ts";
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

/** From how many names, or ids, on one listing of everything is cheaper than a lookup each. */
const LIST_FROM = { names: 4, ids: 10 };
/** Pages beyond those that the spec's own deployments fill: a tenant far larger than that is looked up one by one. */
const SPARE_PAGES = { least: 4, share: 0.05 };
const PAGE = 100;
/** Readings of a list that keeps changing, before nothing is concluded from it. */
const MOST_READINGS = 6;

/** How deployments are found; the control plane given bounds the reads. */
export interface Reads {
  /** By exact name. */
  readonly find: (name: string, controlPlane: ControlPlane) => Promise<Lookup<LiveDeployment>>;
  /** By id: as a listing shows it, where there is one that does; null on 404. */
  readonly get: (id: string, controlPlane: ControlPlane) => Promise<LiveDeployment | null>;
  /** What was found with all that a plan compares; null when it is gone. */
  readonly whole: (
    found: LiveDeployment,
    controlPlane: ControlPlane,
  ) => Promise<LiveDeployment | null>;
}

/** The deployments of one run; a listing is read once and shared. */
export interface Directory extends Reads {
  /**
   * The same from the service itself, re-read until absence is certain: before a write, and after
   * one without an answer.
   */
  readonly again: Reads;
  /** Whether a list showed it so: a list may lag the deployment itself. */
  readonly isListed: (found: LiveDeployment) => boolean;
  /** Time of the clock at which what is found next was read, at the latest: that of the listing where there is one. */
  readonly readAtMs: () => number;
  /** Whether many are looked up, so that one listing replaces a read each. */
  readonly listsAll: boolean;
  /** What a create may choose from, read once for all documents of a run. */
  readonly integrations: (dialect: Dialect) => Promise<readonly Integration[]>;
  readonly listeners: (controlPlane: ControlPlane) => Promise<readonly Listener[]>;
}

/** What a run is going to look up. */
export interface WantedLookups {
  readonly names: number;
  readonly ids: number;
  /**
   * The run ends with what it finds, so that a moment less counts: the end of a list is asked for
   * along with its beginning.
   */
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

/** What a run wants decides whether deployments are looked up one by one or all at once. */
export function createDirectory(
  { controlPlane, clock }: { readonly controlPlane: ControlPlane; readonly clock: Clock },
  wanted: WantedLookups,
): Directory {
  const count = wanted.names + wanted.ids;
  const listsAll = wanted.names >= LIST_FROM.names || count >= LIST_FROM.ids;
  let listing: Promise<Listing> | undefined;
  let listedAtMs = Infinity;
  const listed = new WeakSet<LiveDeployment>();
  const integrations = new Map<Dialect, Promise<readonly Integration[]>>();
  let listeners: Promise<readonly Listener[]> | undefined;
  const noteListed = (lookup: Lookup<LiveDeployment>): Lookup<LiveDeployment> => {
    if (lookup.state === "found") for (const item of lookup.items) listed.add(item);
    return lookup;
  };
  const list = (bounded: ControlPlane): Promise<Listing> => {
    const own = Math.ceil(count / PAGE) + 1;
    const spare = Math.max(SPARE_PAGES.least, Math.ceil(count * SPARE_PAGES.share));
    listedAtMs = Math.min(listedAtMs, clock.monotonic());
    listing ??= bounded
      .listDeployments({ expected: count, pages: own + spare })
      .then((lookup) => toListing(noteListed(lookup)));
    return listing;
  };
  /** What the last reading for a name showed, to hold the next one against. */
  const shownBefore = new Map<string, ReadonlySet<string>>();
  const readByName: Reads["find"] = async (name, bounded) => {
    const ahead = wanted.ahead === true ? { expected: 1 } : {};
    const lookup = await bounded.listDeployments({ nameContains: name, ...ahead });
    if (lookup.state === "absent-lookup") return lookup;
    shownBefore.set(name, new Set(lookup.items.map(({ id }) => id)));
    const of = (one: string) => lookup.items.filter((item) => item.name === one);
    return noteListed({ ...lookup, items: of(name), nameless: of("") });
  };
  const readSurely: Reads["find"] = async (name, bounded) => {
    for (let readings = 1; readings <= MOST_READINGS; readings += 1) {
      const before = shownBefore.get(name);
      const lookup = await readByName(name, bounded);
      if (lookup.state === "absent-lookup" || lookup.items.length > 0) return lookup;
      if (isComplete(before, shownBefore.get(name)!)) return lookup;
    }
    throw new ServiceError(
      `the deployment list kept changing over ${MOST_READINGS} readings, so whether ${name} exists is not known and nothing is created. Run again once nothing is being deleted`,
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
      // Two may bear the name, and a part of the list proves neither that one does nor that none does.
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
    isListed: (found) => listed.has(found),
    readAtMs: () => Math.min(listedAtMs, clock.monotonic()),
  };
}

/**
 * Whether what two readings in a row did not show is surely not there. What is deleted between two
 * pages shifts the next one to a page that was read already; but it was shown on that page, and the
 * next reading does not show it any more. An empty list is one answer, which nothing can shift.
 */
function isComplete(before: ReadonlySet<string> | undefined, now: ReadonlySet<string>): boolean {
  return now.size === 0 || (before !== undefined && [...before].every((id) => now.has(id)));
}

/** A list that cannot be read says nothing of a deployment whose id is known. */
function unlessService(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}

function toListing(lookup: Lookup<LiveDeployment>): Listing {
  const byName = new Map<string, LiveDeployment[]>();
  const byId = new Map<string, LiveDeployment>();
  const items = lookup.state === "found" ? lookup.items : [];
  for (const item of items) {
    const same = byName.get(item.name);
    if (same === undefined) byName.set(item.name, [item]);
    else same.push(item);
    byId.set(item.id.toLowerCase(), item);
  }
  return { lookup, byName, byId, showsSecrets: items.some(hasSecrets) };
}

function hasSecrets({ body: { secrets } }: LiveDeployment): boolean {
  return Array.isArray(secrets) && secrets.length > 0;
}

/** What a plan compares. */
const COMPARED = [
  "source_config",
  "source_revision_config",
  "secrets",
  "latest_revision_id",
  "active_revision_id",
];

/**
 * A deployment of a list with all that a plan compares: the list of a service may hold less than a
 * GET. Null when it is gone. Some lists show no secrets of deployments that have some: an empty one
 * proves nothing, unless the list is known to show them.
 */
export async function readWhole(
  controlPlane: ControlPlane,
  listed: LiveDeployment,
  showsSecrets = false,
): Promise<LiveDeployment | null> {
  const whole = COMPARED.every((key) => listed.body[key] !== undefined);
  return whole && (showsSecrets || hasSecrets(listed))
    ? listed
    : controlPlane.getDeployment(listed.id);
}
