import type { Experiment } from "../experiment/experiment.ts";
import { tagsOf } from "../experiment/scores.ts";
import { toStoredTable } from "../experiment/stored-rows.ts";
import type { Baseline, BaselineGroup } from "../gate/baseline.ts";
import type { ExampleNames } from "../gate/example-names.ts";
import type { GateTable, TableFacts } from "../gate/row.ts";
import { joinTables } from "../gate/table.ts";
import { UsageError } from "../ci/session.ts";
import { ServiceError } from "../service/control-plane.ts";
import { findAuto } from "./auto-baseline.ts";
import { toSource, type BaselineExperiment, type StoredRequest } from "./baseline-experiment.ts";
import { findPinned } from "./pinned-baseline.ts";
import { STORED_PREFIX } from "./stored-word.ts";
import { spillFileOf } from "./wanted-rows.ts";

/** A service may still be taking rows in when they are read the first time. */
const SECOND_READ_MS = 2_000;

/** A baseline that the service keeps. */
export interface StoredBaseline {
  /** Null where there is none. */
  readonly baseline: Baseline | null;
  /** Why there is none; empty where there is. */
  readonly why: string;
  /** The experiment that one of the head's is compared with. */
  readonly sourceOf: (experiment: Experiment) => BaselineExperiment | null;
  /** What was passed over on the way, for the log. */
  readonly notes: readonly string[];
}

/** Where experiments of one file are told apart; copies of them are the same. */
export const keyOf = ({ file, label }: Pick<Experiment, "file" | "label">): string =>
  JSON.stringify([file, label]);

/** Finds the experiments to compare with and reads their rows; a run compared with itself is a usage error. */
export async function readStoredBaseline(
  word: string,
  request: StoredRequest,
): Promise<StoredBaseline> {
  if (word === "")
    throw new UsageError(
      "baseline: experiment: needs auto, or the name or id of an experiment behind it",
    );
  const { session, experiments } = request;
  const sources = new Map<string, BaselineExperiment>();
  const whys: string[] = [];
  const notes: string[] = [];
  const pin = word === "auto" ? null : await findPinned(word, request);
  for (const experiment of experiments) {
    const found = pin ?? (await findAuto(experiment, request));
    if (found.state === "none") {
      if (!whys.includes(found.why)) whys.push(found.why);
      continue;
    }
    notes.push(...found.notes.filter((note) => !notes.includes(note)));
    refuseItself(experiment, found.source);
    sources.set(keyOf(experiment), found.source);
  }
  const groups = await readGroups(request, sources);
  const why = whys.join("; ");
  if (why !== "")
    session.host.say(
      pin === null ? "notice" : "warning",
      `baseline: experiment:${word} finds none: ${why}: drops are inconclusive, floors are judged`,
    );
  for (const note of notes) session.host.progress(`baseline: ${note}`);
  return {
    baseline: groups.length === 0 ? null : { groups, history: [] },
    why,
    sourceOf: (experiment) => sources.get(keyOf(experiment)) ?? null,
    notes,
  };
}

function refuseItself({ file, digest }: Experiment, { name, marker }: BaselineExperiment): void {
  if (digest !== null && digest === marker?.digest)
    throw new UsageError(
      `baseline: experiment ${name} was made from ${file} itself, and a run compared with itself never fails. Run the evaluation again; if it always writes the same bytes, have it write its commit too`,
    );
}

/** A group of the baseline for every group of the head that has something to compare with. */
async function readGroups(
  request: StoredRequest,
  sources: ReadonlyMap<string, BaselineExperiment>,
): Promise<BaselineGroup[]> {
  const groups: BaselineGroup[] = [];
  for (const { label, table } of request.head) {
    const members = request.experiments.filter(
      (one) => request.gates?.pool === true || one.label === label,
    );
    const found = members.flatMap((one) => sources.get(keyOf(one)) ?? []);
    const unique = [...new Map(found.map((one) => [one.id, one])).values()];
    if (unique.length === 0) continue;
    const head = table.example;
    const tables: GateTable[] = [];
    for (const one of unique) tables.push(await readRows(request, one, head));
    const anchors = await readAnchors(request, unique, head);
    groups.push({ label, table: joinTables(tables), anchor: anchors });
  }
  return groups;
}

/** The runs that those were held against, where that is another; null where each is its own. */
async function readAnchors(
  request: StoredRequest,
  sources: readonly BaselineExperiment[],
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
      request.session.host.say(
        "warning",
        `baseline: experiment ${name}, which ${source.name} was held against, is not there any more: small falls before ${source.name} are not seen`,
      );
      continue;
    }
    tables.push(await readRows(request, toSource(anchor)!, head));
  }
  return tables.length === 0 || tables.length < sources.length ? null : joinTables(tables);
}

/** All rows of an experiment, or an error: from a part of them nothing can be told. */
async function readRows(
  { session, tracing, gates }: StoredRequest,
  source: BaselineExperiment,
  headExamples: ExampleNames,
): Promise<GateTable> {
  const { id, name, marker } = source;
  const wanted = marker?.rows ?? source.session.run_count;
  const read = (): Promise<GateTable> =>
    toStoredTable(tracing.readExamples({ id, dataset_id: source.dataset_id, rows: wanted }), {
      sessionId: id,
      headExamples,
      tags: tagsOf(gates),
      facts: factsOf(source),
      rows: Math.min(wanted ?? 0, 1_000_000),
      spill: spillFileOf(session),
    });
  const first = await read();
  if (wanted === null || first.size === wanted) return first;
  session.host.progress(
    `baseline: experiment ${name}: ${first.size} of ${wanted} rows came; reading them again`,
  );
  await session.clock.sleep(SECOND_READ_MS, session.signal);
  const second = await read();
  if (second.size === wanted) return second;
  throw new ServiceError(
    `baseline: experiment ${name} has ${wanted} rows, and the service gave ${first.size}, then ${second.size}: from a part of them nothing can be told. Run the step again, or give another baseline`,
  );
}

function factsOf({ name, marker, session }: BaselineExperiment): TableFacts {
  const states = { true: "complete", false: "incomplete", cancelled: "cancelled" } as const;
  const start = session.body["start_time"];
  const commit = session.metadata["commit"];
  return {
    file: `${STORED_PREFIX}${name}`,
    state: states[String(marker?.complete ?? true) as keyof typeof states],
    commit: marker?.commit ?? (typeof commit === "string" ? commit : null),
    created_at: typeof start === "string" ? start : null,
    judge: marker?.evaluator ?? null,
  };
}
