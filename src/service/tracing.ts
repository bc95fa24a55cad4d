import { tracingUrl } from "./addresses.ts";
import type { Limits, Lookup, WriteResult } from "./control-plane.ts";
import type { Http } from "./http.ts";
import { readExamples, type WantedExamples } from "./experiment-examples.ts";
import { createReads } from "./pages.ts";
import { idOf, nested, textOf, toObject } from "./replies.ts";
import type { JsonObject } from "../model/json.ts";

/** A dataset, as in the reply to an upload. */
export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly body: JsonObject;
}

/** An experiment, which the tracing API calls a session. Its statistics are null for some seconds after the upload. */
export interface TracingSession {
  readonly id: string;
  readonly name: string;
  readonly tenant_id: string | null;
  readonly dataset_id: string | null;
  readonly test_run_number: number | null;
  readonly run_count: number | null;
  /** What was uploaded as `experiment_metadata`: the session's `extra.metadata`; empty if missing. */
  readonly metadata: JsonObject;
  /** The whole reply. */
  readonly body: JsonObject;
}

/**
 * The experiments of the tracing API. Reads are repeated; an upload is sent once (repeated only if
 * surely not accepted).
 */
export interface Tracing {
  /**
   * `toBody` is called for each try, so a repeat never sends a consumed stream. The outcome is
   * unknown if the connection breaks.
   */
  readonly uploadExperiment: (
    toBody: () => AsyncIterable<Uint8Array>,
  ) => Promise<WriteResult<{ readonly dataset: Dataset; readonly experiment: TracingSession }>>;
  /** Checks the key with one small read that throws if it is refused. Returns the tenant if an experiment shows it. */
  readonly probe: () => Promise<string | null>;
  /** With statistics; null on 404. */
  readonly getSession: (id: string) => Promise<TracingSession | null>;
  /** Sessions of exactly this name. */
  readonly findSessionsByName: (name: string) => Promise<Lookup<TracingSession>>;
  /** Datasets of exactly this name; services allow several. */
  readonly findDatasetsByName: (name: string) => Promise<Lookup<Dataset>>;
  readonly listDatasets: () => Promise<Lookup<Dataset>>;
  /**
   * The first `most` experiments of a dataset with their statistics, newest first if the service
   * sorts. Null: of all datasets.
   */
  readonly listExperiments: (
    datasetId: string | null,
    most: number,
  ) => Promise<Lookup<TracingSession>>;
  /** Examples of an experiment, each with its `runs`, one page at a time; throws if the service has no such route. */
  readonly readExamples: (experiment: WantedExamples) => AsyncIterable<readonly JsonObject[]>;
  /** The same with limits on every request. */
  readonly within: (limits: Limits) => Tracing;
}

function numberOf(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === "number" ? value : null;
}

function toSession(json: unknown): TracingSession {
  const body = toObject(json, "an experiment");
  return {
    id: idOf(body, "an experiment"),
    name: textOf(body, "name"),
    body,
    tenant_id: textOf(body, "tenant_id") || null,
    dataset_id: textOf(body, "reference_dataset_id") || null,
    test_run_number: numberOf(body, "test_run_number"),
    run_count: numberOf(body, "run_count"),
    metadata: nested(nested(body, "extra"), "metadata"),
  };
}

function toDataset(json: unknown): Dataset {
  const body = toObject(json, "a dataset");
  return { id: idOf(body, "a dataset"), name: textOf(body, "name"), body };
}

function toUploaded(json: unknown): {
  readonly dataset: Dataset;
  readonly experiment: TracingSession;
} {
  const reply = toObject(json, "an uploaded experiment");
  const dataset = toObject(reply["dataset"], "an uploaded experiment: it has no dataset");
  return {
    dataset: toDataset(dataset),
    experiment: toSession(reply["experiment"]),
  };
}

/** What to do next for statuses with a particular meaning in an upload. */
const NEXT_ON_UPLOAD = {
  404: "Check tracing-url and region: the service has no upload of experiments there.",
  409: "An experiment of that name exists in the workspace: give another experiment-name.",
  413: "The experiment is too large for the service or a proxy before it: split the file (self-hosted: raise frontend.maxBodySize).",
};

/** Creates the experiments API over HTTP; `base` may end in `/api` or `/api/v1`. */
export function createTracing(options: {
  readonly http: Http;
  readonly base: string;
  readonly limits?: Limits;
}): Tracing {
  const { http, base, limits = {} } = options;
  const toUrl = (path: string): string => tracingUrl(base, `/api/v1/${path}`);
  const { find, list, tenantOf } = createReads({ http, toUrl, limits });
  const at = encodeURIComponent;
  return {
    within: (narrower) => createTracing({ ...options, limits: { ...limits, ...narrower } }),
    uploadExperiment: (toBody) =>
      http.write(
        {
          method: "POST",
          url: toUrl("datasets/upload-experiment"),
          route: "upload",
          body: toBody,
          next: NEXT_ON_UPLOAD,
        },
        toUploaded,
        limits,
      ),
    probe: () => tenantOf("sessions", toSession),
    getSession: (id) => find(`sessions/${at(id)}?include_stats=true`, toSession),
    findDatasetsByName: async (name) =>
      named(await list(`datasets?name=${at(name)}`, toDataset), name),
    listDatasets: () => list("datasets", toDataset),
    listExperiments: async (datasetId, most) => {
      const of = datasetId === null ? "" : `reference_dataset=${at(datasetId)}&`;
      const lookup = await list(`sessions?${of}include_stats=true`, toSession, { most });
      // The last page may go beyond, also where a service has pages of its own size.
      return lookup.state === "found" ? { ...lookup, items: lookup.items.slice(0, most) } : lookup;
    },
    readExamples: (experiment) => readExamples({ http, base, limits }, experiment),
    findSessionsByName: async (name) =>
      named(await list(`sessions?name=${at(name)}`, toSession), name),
  };
}

/** Keeps exact names: a service may search within names. */
function named<T extends { readonly name: string }>(lookup: Lookup<T>, name: string): Lookup<T> {
  return lookup.state === "found"
    ? { ...lookup, items: lookup.items.filter((item) => item.name === name) }
    : lookup;
}
