import { refuse, type Session } from "../ci/session.ts";
import { toEntries } from "../plan/secrets.ts";
import { valueAt, withValue } from "../plan/value.ts";
import { readCheckoutSource, type SourceProblem } from "../source/checkout-source.ts";
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
    if (desired.source !== "internal_source") {
      read.push(desired);
      continue;
    }
    const end = await readOne(session, documents, desired);
    if (end.state === "refused")
      problems.push(...end.problems.map((problem) => toDiagnostic(desired, problem)));
    else {
      const { source } = end;
      read.push({
        ...desired,
        archive: source,
        body: withValue(desired.body, CONFIG_PATH, source.configPath),
      });
    }
  }
  refuse(session, problems);
  return read;
}

function readOne(
  { files, options, signal, env }: Session,
  documents: readonly Desired[],
  desired: Desired,
): ReturnType<typeof readCheckoutSource> {
  const { body, deploy, variables, unknown } = desired;
  const written = valueAt(body, CONFIG_PATH);
  const temporary = env["RUNNER_TEMP"];
  const secrets = toEntries(body["secrets"]).filter(
    ({ name, value }, index) =>
      variables?.has(name) !== true &&
      value !== KNOWN_AT_APPLY &&
      !unknown.has(`secrets.${index}.value`),
  );
  return readCheckoutSource({
    checkout: files.checkout,
    cwd: files.root,
    configPath: typeof written === "string" ? written : undefined,
    folder: deploy.source,
    paths: deploy.paths,
    secrets,
    ours: [
      ...documents.map(({ positionOf }) => positionOf("").file),
      ...options.spec,
      ...[options.reportFile, options.markdownFile, options.writeBaseline, options.envFile],
    ]
      .filter((path): path is string => typeof path === "string" && path !== "")
      .map((path) => resolve(files.root, path)),
    temporary: temporary === "" ? undefined : temporary,
    signal,
  });
}

function toDiagnostic(desired: Desired, { at, message }: SourceProblem): Diagnostic {
  const path = at === "config" ? CONFIG_PATH : "deploy.source";
  const folder = desired.deploy.source === undefined ? "source" : path;
  const shown = at === "config" ? "source_revision_config.langgraph_config_path" : folder;
  return errorAt(desired.positionOf(path), shown, message);
}
