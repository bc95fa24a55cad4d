import { UsageError } from "../ci/session.ts";
import type { Baseline, BaselineGroup, LabelledTable } from "../gate/baseline.ts";
import type { ExampleNames } from "../gate/example-names.ts";
import type { GateTable } from "../gate/row.ts";
import { joinTables } from "../gate/table.ts";
import { findAuto } from "./auto-baseline.ts";
import {
  type Absence,
  agentOf,
  findByName,
  type FoundExperiment,
  isOfAnother,
  notFound,
  readStoredRows,
  type ServiceRequest,
  type StoredExperiment,
  toStored,
} from "./stored-experiment.ts";
import { keyOf, ownBaseline, type Subject } from "./subject.ts";

interface StoredRequest extends ServiceRequest {
  readonly subjects: readonly Subject[];
  readonly head: readonly LabelledTable[];
}

/** What a source of baselines found. */
export interface FoundRuns {
  /** Null if there is none. */
  readonly baseline: Baseline | null;
  /** Why there is none, or none for some subjects. */
  readonly absences: readonly Absence[];
  /** The stored experiments that subjects are compared with, by the subject's key. */
  readonly sources: ReadonlyMap<string, StoredExperiment>;
}

/** Finds the experiments to compare with and reads their rows; comparing a run with itself is a usage error. */
export async function readStoredBaseline(word: string, request: StoredRequest): Promise<FoundRuns> {
  if (word === "")
    throw new UsageError("baseline: experiment: needs auto, or the name or id of an experiment");
  const { session, tracing, subjects } = request;
  const sources = new Map<string, StoredExperiment>();
  const absences: Absence[] = [];
  const notes = new Set<string>();
  const pin = word === "auto" ? null : await findByName(word, { tracing, input: "baseline" });
  // One model may replace another, but only where a run judges no other agent.
  const mayReplace = request.head.length === 1 && request.gates?.pool !== true;
  for (const subject of subjects) {
    const found =
      pin === null
        ? await findAuto(subject, { ...request, mayReplace })
        : refuseAnother(pin, subject, mayReplace);
    if (found.state === "none") absences.push(found);
    else {
      for (const note of found.notes) notes.add(note);
      refuseItself(subject, found.source);
      sources.set(subject.key, found.source);
    }
  }
  const groups = await readGroups(request, sources);
  for (const note of notes) session.host.progress(`baseline: ${note}`);
  const baseline = groups.length === 0 ? null : { groups, history: [] };
  return { baseline, absences, sources };
}

/** A named experiment, unless it is of another agent that the run may not replace. */
function refuseAnother(
  pin: FoundExperiment,
  subject: Subject,
  mayReplace: boolean,
): FoundExperiment {
  if (pin.state === "none" || !isOfAnother(pin.source, subject)) return pin;
  const { name } = pin.source;
  const differs = `experiment ${name} is a run of ${agentOf(pin.source)}, not of ${subject.agent}`;
  return mayReplace ? { ...pin, notes: [...pin.notes, differs] } : notFound(differs);
}

function refuseItself({ id, file, digest }: Subject, { name, ...source }: StoredExperiment): void {
  if (id === source.id) throw ownBaseline(`experiment ${name} is the run that is judged`);
  if (digest !== null && digest === source.marker?.digest)
    throw ownBaseline(
      `experiment ${name} has the same bytes as ${file}`,
      ". Run the evaluation again; if it always writes the same bytes, have it write its commit too",
    );
}

/** One baseline group for every head group that has something to compare with. */
async function readGroups(
  request: StoredRequest,
  sources: ReadonlyMap<string, StoredExperiment>,
): Promise<BaselineGroup[]> {
  const groups: BaselineGroup[] = [];
  for (const { label, table, wholeExperiments } of request.head) {
    const keys = new Set(wholeExperiments.map(keyOf));
    const members = request.subjects.filter(
      (one) => request.head.length === 1 || keys.has(one.key),
    );
    const found = members.flatMap((one) => sources.get(one.key) ?? []);
    const unique = [...new Map(found.map((one) => [one.id, one])).values()];
    const joined = await readJoined(request, unique, table.example);
    if (joined === null) continue;
    const anchors = await findAnchors(request, unique);
    const anchor = anchors === null ? null : await readJoined(request, anchors, table.example);
    groups.push({ label, table: joined, anchor });
  }
  return groups;
}

async function readJoined(
  request: StoredRequest,
  sources: readonly StoredExperiment[],
  known: ExampleNames,
): Promise<GateTable | null> {
  const tables: GateTable[] = [];
  for (const one of sources)
    tables.push(await readStoredRows(request, one, { known, input: "baseline" }));
  return tables.length === 0 ? null : joinTables(tables);
}

/** The anchors of those runs; null unless every run has another one as its anchor that still exists. */
async function findAnchors(
  { session, tracing }: StoredRequest,
  sources: readonly StoredExperiment[],
): Promise<readonly StoredExperiment[] | null> {
  const anchors: StoredExperiment[] = [];
  for (const source of sources) {
    const name = source.marker?.anchor ?? source.name;
    if (name === source.name) continue;
    const lookup = await tracing.findSessionsByName(name);
    const all = lookup.state === "found" ? lookup.items.flatMap((one) => toStored(one) ?? []) : [];
    const anchor = all.find((one) => one.dataset_id === source.dataset_id);
    if (anchor !== undefined) anchors.push(anchor);
    else
      session.host.notify(
        "warning",
        `baseline: experiment ${name}, which ${source.name} was compared with, no longer exists: small falls before ${source.name} are not seen`,
      );
  }
  return anchors.length < sources.length ? null : anchors;
}
