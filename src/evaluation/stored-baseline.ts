import { UsageError } from "../ci/session.ts";
import type { BaselineGroup } from "../gate/baseline.ts";
import type { ExampleNames } from "../gate/example-names.ts";
import type { GateTable } from "../gate/row.ts";
import { joinTables } from "../gate/table.ts";
import { findAuto } from "./auto-baseline.ts";
import {
  type FoundBaseline,
  ofFile,
  ownBaseline,
  reportNoBaseline,
  type StoredRequest,
  type Subject,
} from "./baselines.ts";
import {
  findByName,
  readStoredRows,
  toStored,
  type StoredExperiment,
} from "./stored-experiment.ts";

/** Finds the experiments to compare with and reads their rows; comparing a run with itself is a usage error. */
export async function readStoredBaseline(
  word: string,
  request: StoredRequest,
): Promise<FoundBaseline> {
  if (word === "")
    throw new UsageError("baseline: experiment: needs auto, or the name or id of an experiment");
  const { session, tracing, subjects } = request;
  const sources = new Map<string, StoredExperiment>();
  const whys: string[] = [];
  const notes: string[] = [];
  const pin = word === "auto" ? null : await findByName(word, { tracing, input: "baseline" });
  for (const subject of subjects) {
    const found = pin ?? (await findAuto(subject, request));
    if (found.state === "none") {
      whys.push(...found.why.filter((clause) => !whys.includes(clause)));
      continue;
    }
    notes.push(...found.notes.filter((note) => !notes.includes(note)));
    refuseItself(subject, found.source);
    sources.set(subject.key, found.source);
  }
  const groups = await readGroups(request, sources);
  if (whys.length > 0)
    reportNoBaseline(
      session,
      `experiment:${word} finds none: ${whys.join("; ")}: drops are inconclusive, floors are judged`,
    );
  for (const note of notes) session.host.progress(`baseline: ${note}`);
  const baseline = groups.length === 0 ? null : { groups, history: [] };
  return { ...ofFile(baseline), why: whys, sources };
}

function refuseItself({ id, file, digest }: Subject, source: StoredExperiment): void {
  const name = `experiment ${source.name}`;
  if (id === source.id) throw ownBaseline(`${name} is the run that is judged`);
  if (digest !== null && digest === source.marker?.digest)
    throw ownBaseline(
      `${name} was made from ${id === null ? `${file} itself` : "the same files as the run that is judged"}`,
      ". Run the evaluation again; if it always writes the same bytes, have it write its commit too",
    );
}

/** One baseline group for every head group that has something to compare with. */
async function readGroups(
  request: StoredRequest,
  sources: ReadonlyMap<string, StoredExperiment>,
): Promise<BaselineGroup[]> {
  const groups: BaselineGroup[] = [];
  for (const { label, table } of request.head) {
    const members = request.subjects.filter(
      (one) => request.head.length === 1 || request.gates?.pool === true || one.label === label,
    );
    const found = members.flatMap((one) => sources.get(one.key) ?? []);
    const unique = [...new Map(found.map((one) => [one.id, one])).values()];
    if (unique.length === 0) continue;
    const how = { known: table.example, input: "baseline" } as const;
    const tables: GateTable[] = [];
    for (const one of unique) tables.push(await readStoredRows(request, one, how));
    const anchors = await readAnchors(request, unique, how.known);
    groups.push({ label, table: joinTables(tables), anchor: anchors });
  }
  return groups;
}

/** The anchors of those runs; null unless every run has another one as its anchor that still exists. */
async function readAnchors(
  request: StoredRequest,
  sources: readonly StoredExperiment[],
  head: ExampleNames,
): Promise<GateTable | null> {
  const tables: GateTable[] = [];
  for (const source of sources) {
    const name = source.marker?.anchor ?? source.name;
    if (name === source.name) continue;
    const lookup = await request.tracing.findSessionsByName(name);
    const found = lookup.state === "found" ? lookup.items : [];
    const anchor = found.find((one) => one.dataset_id === source.dataset_id);
    if (anchor === undefined) {
      request.session.host.notify(
        "warning",
        `baseline: experiment ${name}, which ${source.name} was compared with, no longer exists: small falls before ${source.name} are not seen`,
      );
      continue;
    }
    tables.push(
      await readStoredRows(request, toStored(anchor)!, { known: head, input: "baseline" }),
    );
  }
  return tables.length === 0 || tables.length < sources.length ? null : joinTables(tables);
}
