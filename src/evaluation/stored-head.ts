import { UsageError, type Session } from "../ci/session.ts";
import { meanOf } from "../gate/interval.ts";
import { countErrors } from "../gate/metric.ts";
import type { GateTable } from "../gate/row.ts";
import { toExperimentPage } from "../experiment/upload.ts";
import type { ExperimentReport } from "../report/report.ts";
import type { Connection } from "../ci/service-connection.ts";
import {
  findByName,
  STORED_PREFIX,
  type StoredExperiment,
  storedName,
} from "./stored-experiment.ts";

/** The experiment that `results` names after `experiment:`; null if it names files. Only one may be given. */
export function storedHeadOf({ options }: Session): string | null {
  const names = options.experiment.flatMap((one) => storedName(one) ?? []);
  const [name] = names;
  if (name === undefined) return null;
  if (options.experiment.length > 1)
    throw new UsageError(
      "results: one experiment of the service is judged by itself; give either experiment:NAME or result files",
    );
  if (name === "" || name === "auto")
    throw new UsageError(
      `results: ${STORED_PREFIX}${name} names no experiment; write its name or id after ${STORED_PREFIX}`,
    );
  return name;
}

/** An upload, or a gate around a deploy, needs files: a stored experiment already exists. */
export function refuseStoredHead(session: Session): void {
  const name = storedHeadOf(session);
  if (name !== null)
    throw new UsageError(
      `experiment: the service has ${STORED_PREFIX}${name} already, so there is nothing to upload; judge it with the gate command`,
    );
}

/** The experiment to judge; one that does not exist is a usage error. */
export async function findStoredHead(
  name: string,
  { tracing }: Pick<Connection, "tracing">,
): Promise<StoredExperiment> {
  const found = await findByName(name, { tracing, input: "results" });
  if (found.state === "none") throw new UsageError(`results: ${found.why.join("; ")}`);
  return found.source;
}

/** What the report says of results that were only judged, in its order of fields. */
export const ONLY_JUDGED = {
  outcome: "gated-only",
  message: "",
  rows: 0,
  errors: 0,
  experiment_id: null,
  experiment_url: "",
  compare_url: "",
  dataset_id: null,
  dataset_name: "",
  test_run_number: null,
  scores: {},
  warnings: [],
} as const;

/** How the report shows an experiment that was not uploaded by this run. */
export function toStoredReport(
  { id, name, dataset_id, session }: StoredExperiment,
  table: GateTable,
  ui: string,
): ExperimentReport {
  const page = { tenantId: session.tenant_id, datasetId: dataset_id };
  return {
    file: table.file,
    format: "experiment",
    name,
    ...ONLY_JUDGED,
    rows: table.size,
    errors: countErrors(table),
    experiment_id: id,
    experiment_url: toExperimentPage(ui, page, [id]),
    dataset_id,
    test_run_number: session.test_run_number,
    scores: Object.fromEntries(
      [...table.scores].map(([metric, values]) => {
        const scored = values.filter((value) => !Number.isNaN(value));
        return [metric, { mean: meanOf(scored), n: scored.length }];
      }),
    ),
  };
}
