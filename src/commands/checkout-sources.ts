import { refuse, type Session } from "../ci/session.ts";
import { toEntries } from "../plan/secrets.ts";
import { valueAt, withValue } from "../plan/value.ts";
import {
  readCheckoutSource,
  type SourceProblem,
  type SourceRequest,
} from "../source/checkout-source.ts";
import { errorAt, KNOWN_AT_APPLY, type Desired, type Diagnostic } from "../spec/desired.ts";
import { resolve } from "node:path";

const CONFIG_PATH = "source_revision_config.graph_config_path";

/**
 * Adds the archive to each document that is built from the checkout. Problems with packing are
 * reported at their lines, all at once, before anything is sent.
 */
export async function readCheckoutSources(
  session: Session,
  documents: readonly Desired[],
): Promise<readonly Desired[]> {
  const problems: Diagnostic[] = [];
  const read: Desired[] = [];
  for (const desired of documents) {
    if (desired.source !== "internal_source") read.push(desired);
    else {
      const end = await readCheckoutSource(toRequest(session, documents, desired));
      if (end.state === "refused")
        problems.push(...end.problems.map((problem) => toDiagnostic(desired, problem)));
      else {
        const body = withValue(desired.body, CONFIG_PATH, end.source.configPath);
        read.push({ ...desired, archive: end.source, body });
      }
    }
  }
  refuse(session, problems);
  return read;
}

function toRequest(
  { files, options, repository, signal }: Session,
  documents: readonly Desired[],
  { body, deploy, variables, unknown }: Desired,
): SourceRequest {
  const written = valueAt(body, CONFIG_PATH);
  const { spec, reportFile = "", markdownFile = "", writeBaseline = "", envFile } = options;
  const secrets = toEntries(body["secrets"])
    .map((entry, index) => ({
      ...entry,
      isKnown: entry.value !== KNOWN_AT_APPLY && !unknown.has(`secrets.${index}.value`),
    }))
    .filter(({ name }) => variables?.has(name) !== true);
  const specs = documents.map(({ positionOf }) => positionOf("").file);
  return {
    checkout: files.checkout,
    cwd: files.root,
    configPath: typeof written === "string" ? written : undefined,
    folder: deploy.source,
    paths: deploy.paths,
    secrets: secrets.filter(({ isKnown }) => isKnown),
    unknown: secrets.filter(({ isKnown }) => !isKnown).map(({ name }) => name),
    ours: [...specs, ...spec, reportFile, markdownFile, writeBaseline, ...envFile]
      .filter((path) => path !== "")
      .map((path) => resolve(files.root, path)),
    trackedFiles: repository.trackedFiles,
    temporary: files.temp,
    signal,
  };
}

function toDiagnostic({ positionOf, deploy }: Desired, { at, message }: SourceProblem): Diagnostic {
  if (at === "config")
    return errorAt(
      positionOf(CONFIG_PATH),
      "source_revision_config.langgraph_config_path",
      message,
    );
  const path = "deploy.source";
  return errorAt(positionOf(path), deploy.source === undefined ? "source" : path, message);
}
