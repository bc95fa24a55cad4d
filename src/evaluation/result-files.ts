import { parseGates } from "../gate/language.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { isInlineGate } from "../gate/rule.ts";
import { diagnosticAt } from "../experiment/input/diagnostic.ts";
import { parseDrop } from "../experiment/exclusion.ts";
import { readExperiments, type Experiment } from "../experiment/experiment.ts";
import { problemOfFormat } from "../experiment/formats/registry.ts";
import { WorkspaceError } from "../files/workspace-error.ts";
import { createNamelessCrashes } from "../experiment/row-id.ts";
import { tagsOf } from "../experiment/scores.ts";
import { unscoredProblems, type UploadOverrides } from "../experiment/naming.ts";
import { refuse, UsageError, type Session } from "../ci/session.ts";
import { storedName } from "./stored-experiment.ts";

/** Ten thousand gates have less: a larger file is something else. */
const MAX_GATE_BYTES = 1024 * 1024;

/** Files that a list of patterns matches now; a missing path matches none. */
export async function findPresent(
  session: Session,
  patterns: readonly string[],
): Promise<readonly string[]> {
  return (await session.workspace.find(patterns)).paths;
}

/** Patterns of result files without a match now. */
export async function findMissing(
  session: Session,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  return (await session.workspace.find(wanted)).unmatched;
}

/** Refuses inputs for reading and sending files that are wrong, whether or not there are files. */
export async function refuseOptions(session: Session): Promise<void> {
  const { format, drop } = session.options;
  const wrong = problemOfFormat(format);
  refuse(session, [
    ...(wrong === null ? [] : [diagnosticAt({ file: "", path: "format" }, wrong)]),
    ...parseDrop(drop).problems,
  ]);
  // Without a file, only the mapping is read.
  await readFiles(session, { paths: [], exact: true, sent: false });
}

/** The gates of the run, from lines in the input or the file it names; null if there are none. */
export async function readGateSet(session: Session): Promise<GateSet | null> {
  const input = session.options.gate;
  if (input === undefined || input.trim() === "") return null;
  const inline = isInlineGate(input);
  const path = input.trim();
  const text = inline ? input : await readGateFile(session, path);
  const parsed = parseGates({ text, file: inline ? "" : path });
  const { floors } = session.options;
  if (parsed.state === "parsed")
    return floors === undefined ? parsed.gates : { ...parsed.gates, floors };
  refuse(session, parsed.problems);
  throw new UsageError("the gates are not valid");
}

async function readGateFile(session: Session, path: string): Promise<string> {
  try {
    return await session.workspace.readText(path, MAX_GATE_BYTES);
  } catch (error) {
    const isAbsent = error instanceof WorkspaceError && error.absent;
    if (/^\S*[./\\]\S*$/.test(path) || (!/\s/.test(path) && !isAbsent)) throw error;
    throw new UsageError(
      `gate: ${JSON.stringify(path)} is neither a gate nor a file; write a gate such as correctness >= 0.85, or name a gate file`,
    );
  }
}

/**
 * Settles with the work, or rejects with the signal's reason as soon as it aborts. Readers ignore
 * signals; what they still do ends with the process.
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}

/** Whether anything in this run needs the rows themselves: holding their numbers costs memory. */
export function asksForRows(session: Session, gates: GateSet | null): boolean {
  return (
    gates !== null ||
    session.options.writeBaseline !== undefined ||
    storedName(session.options.baseline ?? "") !== null
  );
}

interface ReadHow {
  readonly gates: GateSet | null;
  /** Whether rows may be sent; else they are only judged. */
  readonly sent: boolean;
  /** Paths found earlier rather than patterns. */
  readonly exact?: boolean;
}

/**
 * Reads and checks result files; an unusable file is a usage error, and so is one without scores
 * that is sent and that no gate judges.
 */
export async function readResults(
  session: Session,
  paths: readonly string[],
  { gates, sent, exact = false }: ReadHow,
): Promise<readonly Experiment[]> {
  const wanted =
    !sent || asksForRows(session, gates)
      ? { tags: tagsOf(gates), crashes: createNamelessCrashes() }
      : undefined;
  const experiments = await readFiles(session, { paths, exact, sent, wanted });
  if (sent && gates === null) refuse(session, unscoredProblems(experiments));
  return experiments;
}

/** The same with some first rows to show, and no more. */
export const readShown = (session: Session, shown: number): Promise<readonly Experiment[]> =>
  readFiles(session, { paths: session.options.experiment, exact: false, sent: false, shown });

async function readFiles(
  session: Session,
  how: Pick<Parameters<typeof readExperiments>[0], "paths" | "exact" | "sent" | "wanted" | "shown">,
): Promise<readonly Experiment[]> {
  const { signal, options, entryPoint, host, files } = session;
  const { format, mapping, split } = options;
  const { experiments, problems } = await unlessAborted(
    signal,
    readExperiments({
      ...how,
      format,
      mapping,
      split,
      entryPoint,
      workspace: files,
      onFormat: (file, { name, title }) => {
        host.progress(`${file}: read as ${name}: ${title}`);
      },
    }),
  );
  refuse(session, problems);
  return experiments;
}

/** Inputs that override the file. */
export function toOverrides({ options }: Session): UploadOverrides {
  return {
    experiment_name: options.experimentName,
    experiment_description: options.experimentDescription,
    experiment_metadata: options.experimentMetadata,
    dataset_name: options.datasetName,
    dataset_id: options.datasetId,
    dataset_description: options.datasetDescription,
  };
}
