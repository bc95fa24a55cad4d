import { listAll } from "../model/count-words.ts";
import { UsageError, type Session } from "../ci/session.ts";
import { createSpillFile } from "../files/spill-file.ts";
import { readMarker, type Marker } from "../experiment/marker.ts";
import { tagsOf } from "../experiment/scores.ts";
import { toStoredTable } from "../experiment/stored-rows.ts";
import type { ExampleNames } from "../gate/example-names.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { GateTable, TableFacts } from "../gate/row.ts";
import { UUID } from "../model/live.ts";
import { timeOf } from "../service/replies.ts";
import { ServiceError } from "../service/control-plane.ts";
import type { TracingSession, Tracing } from "../service/tracing.ts";
import { nearestWord } from "../spec/suggestion.ts";

/** Prefix of a stored experiment, as head or baseline. */
export const STORED_PREFIX = "experiment:";

/** The experiment that a word names; null if it names a file. */
export function storedName(word: string): string | null {
  const given = word.trim();
  return given.startsWith(STORED_PREFIX) ? given.slice(STORED_PREFIX.length).trim() : null;
}

/** A stored experiment to judge or compare with, which has a dataset. */
export interface StoredExperiment {
  readonly id: string;
  readonly name: string;
  readonly dataset_id: string;
  readonly marker: Marker | null;
  readonly session: TracingSession;
}

/** An experiment with a dataset; null for a mere tracing project. */
export function toStored(session: TracingSession): StoredExperiment | null {
  if (session.dataset_id === null) return null;
  const marker = readMarker(session.metadata);
  const { id, name, dataset_id } = session;
  return { id, name, dataset_id, marker, session };
}

/** The agent of an experiment, or its provider and prompt; empty if unknown. */
export const agentOf = ({ marker }: StoredExperiment): string =>
  marker?.agent ?? marker?.label ?? "";

/** Whether an experiment is of another agent than a run. If either is unknown, it is not. */
export function isOfAnother(source: StoredExperiment, { agent }: { readonly agent: string }) {
  const stored = agentOf(source);
  return stored !== "" && agent !== "" && stored !== agent;
}

/** The result of looking for an experiment. */
export type FoundExperiment =
  | {
      readonly state: "found";
      readonly source: StoredExperiment;
      readonly notes: readonly string[];
    }
  | ({ readonly state: "none" } & Absence);

/** Why there is nothing to compare with. */
export interface Absence {
  /** The main clause first. */
  readonly why: readonly string[];
  /** How to get it, as a clause; absent: as the input `baseline` suggests. */
  readonly advice?: string;
}

/** The clauses of a sentence that says why there is nothing and how to get it, each once. */
export const clausesOf = (absences: readonly Absence[]): readonly string[] => [
  ...new Set(absences.flatMap(({ why, advice }) => [...why, ...(advice ? [advice] : [])])),
];

/** Compares UUIDs, which people may write in capitals. */
export const isSameId = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** Orders experiments of a dataset by their number, then by their start. */
export function newestFirst(a: StoredExperiment, b: StoredExperiment): number {
  const numberOf = ({ session }: StoredExperiment): number => session.test_run_number ?? 0;
  const startOf = ({ session }: StoredExperiment): string => timeOf(session.body, "start_time");
  return (
    numberOf(b) - numberOf(a) ||
    startOf(b).localeCompare(startOf(a), "en") ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Why there is none. */
export const notFound = (...why: readonly string[]): FoundExperiment => ({ state: "none", why });

/** Why there is none, and what to do about it. */
export const notFoundUntil = (why: string, advice: string): FoundExperiment => ({
  state: "none",
  why: [why],
  advice,
});

/** What reading the rows of an experiment needs. */
export interface ServiceRequest {
  readonly session: Session;
  readonly tracing: Tracing;
  readonly gates: GateSet | null;
}

const MAX_NAMES = 8;
/** Names that begin with this many characters of the word are similar. */
const ALIKE_CHARS = 4;
/** How many experiments are searched for a similar name. */
const MAX_LISTED = 500;

/** The experiment with a name or id, or similar names if there is none; several are a usage error. */
export async function findByName(
  word: string,
  { tracing, input }: { readonly tracing: Tracing; readonly input: "baseline" | "results" },
): Promise<FoundExperiment> {
  const found = await lookUp(word, tracing, input);
  const sources = found.flatMap((one) => toStored(one) ?? []);
  if (found.length > 0 && sources.length === 0)
    throw new UsageError(
      `${input}: ${word} is a tracing project without a dataset, not an experiment; give the name or id of an experiment`,
    );
  if (sources.length > 1)
    throw new UsageError(
      `${input}: there are ${sources.length} experiments named ${word}: ${sources.map(({ id }) => id).join(", ")}; give the id`,
    );
  const [source] = sources;
  if (source === undefined)
    return notFound(`there is no experiment ${word}`, await suggest(word, tracing));
  return { state: "found", source, notes: [] };
}

async function lookUp(
  word: string,
  tracing: Tracing,
  input: string,
): Promise<readonly TracingSession[]> {
  if (UUID.test(word)) {
    const found = await tracing.getSession(word.toLowerCase());
    if (found !== null) return [found];
  }
  const lookup = await tracing.findSessionsByName(word);
  if (lookup.state === "found") return lookup.items;
  throw new UsageError(
    `${input}: this service cannot be asked for experiments by name (it answers ${lookup.status}); give the experiment's id`,
  );
}

async function suggest(word: string, tracing: Tracing): Promise<string> {
  const lookup = await tracing.listExperiments(null, MAX_LISTED);
  const all = lookup.state === "found" ? lookup.items.flatMap((one) => toStored(one) ?? []) : [];
  const names = [...new Set(all.map(({ name }) => name))];
  if (names.length === 0)
    return "this workspace has none: check the key's workspace and the region";
  const slip = nearestWord(word, names);
  const likeness = (name: string): number => (name === slip ? Infinity : sharedStart(word, name));
  const near = names
    .filter((name) => likeness(name) >= ALIKE_CHARS)
    .sort((a, b) => likeness(b) - likeness(a))
    .slice(0, 3);
  return near.length === 0
    ? listAll(names, MAX_NAMES)
    : `the nearest ${near.length === 1 ? "is" : "are"} ${near.join(", ")}`;
}

function sharedStart(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** On the first read, a service may still be storing rows. */
const SECOND_READ_MS = 2_000;

/** All rows of an experiment, or an error: a part of them proves nothing. */
export async function readStoredRows(
  request: ServiceRequest,
  source: StoredExperiment,
  how: { readonly known: ExampleNames; readonly input: "baseline" | "results" },
): Promise<GateTable> {
  const { session, tracing, gates } = request;
  const { id, name, marker } = source;
  const wanted = marker?.rows ?? (await countRows(request, source));
  if (wanted === null)
    session.host.notify(
      "warning",
      `${how.input}: the service does not say how many rows experiment ${name} has, so whether all came is unknown`,
    );
  const isWhole = (table: GateTable): boolean =>
    wanted === null || (marker === null ? table.size >= wanted : table.size === wanted);
  const read = (): Promise<GateTable> =>
    toStoredTable(tracing.readExamples({ id, dataset_id: source.dataset_id, rows: wanted }), {
      sessionId: id,
      headExamples: how.known,
      tags: tagsOf(gates),
      facts: factsOf(source),
      spill: createSpillFile(session.files.temp),
    });
  const first = await read();
  if (isWhole(first)) return first;
  session.host.progress(
    `${how.input}: experiment ${name}: ${first.size} of ${wanted} rows came; reading them again`,
  );
  await session.clock.sleep(SECOND_READ_MS, session.signal);
  const second = await read();
  if (isWhole(second)) return second;
  throw new ServiceError(
    `${how.input}: experiment ${name} has ${wanted} rows, and the service gave ${first.size}, then ${second.size}: from a part of them nothing can be said. Run the step again${how.input === "baseline" ? ", or give another baseline" : ""}`,
  );
}

/**
 * How many rows the service claims to have, which a list may omit and a new experiment does not
 * show at once; null if it does not say.
 */
async function countRows(
  { session, tracing }: ServiceRequest,
  { id, session: { run_count: known } }: StoredExperiment,
): Promise<number | null> {
  if (known !== null) return known;
  const first = (await tracing.getSession(id))?.run_count ?? null;
  if (first !== null) return first;
  await session.clock.sleep(SECOND_READ_MS, session.signal);
  return (await tracing.getSession(id))?.run_count ?? null;
}

/** What is known of an experiment without its rows. */
export function factsOf({ name, marker, session }: StoredExperiment): TableFacts {
  const states = { true: "complete", false: "incomplete", cancelled: "cancelled" } as const;
  const commit = session.metadata["commit"];
  return {
    file: `${STORED_PREFIX}${name}`,
    state: states[String(marker?.complete ?? true) as keyof typeof states],
    commit: marker?.commit ?? (typeof commit === "string" ? commit : null),
    created_at: timeOf(session.body, "start_time") || null,
    judge: marker?.evaluator ?? null,
  };
}
