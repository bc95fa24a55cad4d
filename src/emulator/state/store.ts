import type { Dialect } from "../../model/dialect.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { ArchiveFile } from "../deployments/archive.ts";
import type { Run } from "../deployments/revision.ts";

/** A stored revision: its runs, but never its status, which is computed from the clock. */
export interface StoredRevision {
  readonly id: string;
  readonly deployment_id: string;
  readonly number: number;
  readonly created_ms: number;
  readonly runs: readonly Run[];
  /** Canonical source_revision_config of this revision. */
  readonly config: JsonObject;
  readonly status_message: string | null;
  readonly log: readonly string[];
  /** Lines of the build itself: what was read from an uploaded archive. */
  readonly build?: readonly string[];
  /** What caused it: create, patch, push, redeploy or revision. */
  readonly cause: string;
}

/** A stored deployment, in canonical dialect, with the values of its secrets. */
export interface StoredDeployment {
  readonly id: string;
  /** Null: seen by every tenant (seeded). */
  readonly tenant_id: string | null;
  readonly name: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly source_config: JsonObject;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** The other writable top-level fields, as they were written. */
  readonly others: JsonObject;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly deleted_ms: number | null;
}

/** A stored dataset; its examples come from its rows. */
export interface StoredDataset {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_ms: number;
  readonly modified_ms: number;
  readonly externally_managed: boolean;
}

/** A tracing project or an experiment: the tracing API calls both sessions. */
export interface StoredSession {
  readonly id: string;
  readonly tenant_id: string | null;
  readonly name: string;
  readonly description: string | null;
  /** Null for the tracing project of a deployment. */
  readonly dataset_id: string | null;
  readonly test_run_number: number | null;
  readonly created_ms: number;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly metadata: Json;
  readonly statistics: JsonObject;
}

/** What GET …/integrations lists; created only by a seed. */
export interface StoredIntegration {
  readonly id: string;
  readonly installation_id: number;
  readonly name: string;
  readonly repos: readonly JsonObject[];
}
/** A listener of compute type k8s. */
export interface StoredListener {
  readonly id: string;
  readonly compute_id: string;
  readonly k8s_namespaces: readonly string[] | null;
  readonly created_ms: number;
  /** Set by a write; absent in a seed. */
  readonly version?: string | null;
  readonly updated_ms?: number;
}

/** A signed URL, and the archive that was uploaded to it. */
export interface StoredUpload {
  readonly object_path: string;
  /** Grows with every URL. */
  readonly number: number;
  readonly deployment_id: string;
  readonly expires_ms: number;
  /** Headers that the URL is signed for. */
  readonly headers: Readonly<Record<string, string>>;
  readonly archive: {
    readonly received_ms: number;
    readonly bytes: number;
    readonly sha256: string;
    readonly files: readonly ArchiveFile[];
    /** Why no build can use it; null if one can. */
    readonly problem: string | null;
    /** The bytes in base64; null if it is too large or too old to be kept. */
    readonly data: string | null;
  } | null;
}

/** The value type of each table. In a key of two words the first names the owner, for `Store.of`. */
export interface Tables {
  readonly deployments: StoredDeployment;
  /** Keyed by deployment and id, in the order of their requests. */
  readonly revisions: StoredRevision;
  readonly datasets: StoredDataset;
  readonly sessions: StoredSession;
  /**
   * Keyed by dataset and experiment: its rows, each as compact JSON text; for a deleted experiment,
   * those that created an example.
   */
  readonly rows: readonly string[];
  readonly integrations: StoredIntegration;
  readonly listeners: StoredListener;
  readonly uploads: StoredUpload;
  /** Keyed by normalised repository URL, a space, and the ref. */
  readonly heads: string;
  /**
   * `advanced`: by how many milliseconds the clock was advanced; `seed`: a digest of the first
   * seed; `deleted`: how many deployments were deleted.
   */
  readonly meta: number;
}
type TableName = keyof Tables;

/** One put or, with a null value, removal. */
export type Entry = readonly [table: TableName, key: string, value: unknown];

/** Stores writes outside the process; `append` returns when they are on disk, and the store holds `all`. */
export interface Journal {
  readonly append: (entries: readonly Entry[], all: () => readonly Entry[]) => void;
  readonly clear: () => void;
  readonly close: () => void;
}

/**
 * The state of the emulator. Values are immutable: a change puts a new value, and all puts of one
 * request are committed together.
 */
export type Store = ReturnType<typeof createStore>;

interface Group {
  readonly values: Map<string, unknown>;
  /** The values as a list, once it was requested. */
  list: readonly unknown[] | null;
}
const ownerOf = (key: string): string => key.slice(0, Math.max(0, key.indexOf(" ")));
const listOf = (group: Group | undefined): readonly unknown[] => {
  if (group === undefined) return [];
  group.list ??= [...group.values.values()];
  return group.list;
};

/** Creates a store that starts with `entries` and writes to `journal`. */
export function createStore(entries: readonly Entry[], journal: Journal | null) {
  const tables = new Map<TableName, Map<string, Group>>();
  let pending: { readonly entry: Entry; readonly undo: Entry }[] = [];
  const groupsOf = (table: TableName): Map<string, Group> => {
    const groups = tables.get(table) ?? new Map<string, Group>();
    tables.set(table, groups);
    return groups;
  };
  const apply = ([table, key, value]: Entry): void => {
    const groups = groupsOf(table);
    const group = groups.get(ownerOf(key)) ?? { values: new Map(), list: null };
    groups.set(ownerOf(key), group);
    group.list = null;
    if (value === null) group.values.delete(key);
    else group.values.set(key, value);
    if (group.values.size === 0) groups.delete(ownerOf(key));
  };
  entries.forEach(apply);
  const get = (table: TableName, key: string): unknown =>
    groupsOf(table).get(ownerOf(key))?.values.get(key);
  const write = (entry: Entry): void => {
    const [table, key] = entry;
    pending.push({ entry, undo: [table, key, get(table, key) ?? null] });
    apply(entry);
  };
  const entriesOf = <T extends TableName>(table: T) =>
    [...groupsOf(table).values()].flatMap(({ values }) => [
      ...(values as ReadonlyMap<string, Tables[T]>),
    ]);
  const all = (): readonly Entry[] =>
    [...tables.keys()].flatMap((table) =>
      entriesOf(table).map(([key, value]): Entry => [table, key, value]),
    );
  return {
    get: <T extends TableName>(table: T, key: string) => get(table, key) as Tables[T] | undefined,
    all: <T extends TableName>(table: T) =>
      [...groupsOf(table).values()].flatMap(listOf) as readonly Tables[T][],
    /** The values of an owner, oldest first: the same list until one of them changes. */
    of: <T extends TableName>(table: T, owner: string) =>
      listOf(groupsOf(table).get(owner)) as readonly Tables[T][],
    put: <T extends TableName>(table: T, key: string, value: Tables[T]): void =>
      write([table, key, value]),
    remove: (table: TableName, key: string): void => write([table, key, null]),
    /** Writes everything since the last commit to the journal; takes it back if that throws. */
    commit: (): void => {
      if (pending.length === 0) return;
      const written = pending;
      pending = [];
      try {
        journal?.append(
          written.map(({ entry }) => entry),
          all,
        );
      } catch (error) {
        // What the disk did not take did not happen: a later write must not build on it.
        for (const { undo } of written.toReversed()) apply(undo);
        throw error;
      }
    },
    clear: (): void => {
      tables.clear();
      pending = [];
      journal?.clear();
    },
    entries: all,
    /** Every key of a table with its value. */
    entriesOf,
  };
}
