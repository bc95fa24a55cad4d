import { INPUTS } from "../cli/inputs.ts";
import { groupBy } from "../model/group-by.ts";
import { MAX_SPEC_CHARS } from "../spec/yaml.ts";
import type { Desired, Diagnostic } from "../spec/desired.ts";
import type { Environment, SpecMode } from "../spec/interpolation.ts";
import { isSecretVariable, keysIn, keysInCommands } from "../secrets/key-like.ts";
import { parseSpec, type ParsedSpec, type SpecFile } from "../spec/spec.ts";
import { refuse, UsageError, type Session } from "./session.ts";
import { didYouMean } from "../spec/suggestion.ts";

/** UTF-8 needs at most three bytes per UTF-16 unit. */
const MAX_SPEC_BYTES = MAX_SPEC_CHARS * 3;

/**
 * Reads, parses and validates the spec files of a run. Masks secrets, then annotates every problem
 * at its line. Throws a UsageError with all problems if one is an error. In mode `find` the spec
 * only says which deployments are meant: nothing of it is sent, so its warnings do not matter.
 */
export async function readSpec(
  session: Session,
  mode: SpecMode | "find",
): Promise<readonly Desired[]> {
  const { options, env, trust, command } = session;
  const files = await readSpecFiles(session);
  const parse = (only: readonly string[]): ParsedSpec => {
    const result = parseSpec({
      files,
      env: observeSecrets(session, env),
      mode: mode === "find" ? "plan" : mode,
      interpolate: trust.state !== "untrusted",
      adopted: options.deploymentId !== undefined,
      only,
      targets: {
        target: options.target,
        environment: options.environment,
        all: command === "validate",
      },
    });
    session.mask([...result.sensitiveValues, ...result.documents.flatMap(keysOfCommands)]);
    session.keep(result.documents.filter(hasPublicName).map(({ name }) => name));
    return result;
  };
  const first = parse(options.only);
  const only = toNames(session, first.documents);
  const parsed = only.every((name) => options.only.includes(name)) ? first : parse(only);
  const problems =
    mode === "find" ? parsed.problems.filter(({ level }) => level === "error") : parsed.problems;
  refuse(session, groupEqual(problems));
  return select(session, parsed.documents, only);
}

/**
 * The names that `only` means. A name that a secret hides in part (`pr-${AUTHOR}`) is in every
 * output as it is printed, so the matrix of a plan passes it on in that form.
 */
function toNames({ options, redact }: Session, documents: readonly Desired[]): readonly string[] {
  const names = documents.map(({ name }) => name);
  return options.only.map((given) => {
    if (names.includes(given)) return given;
    const meant = names.filter((name) => redact(name) === given);
    if (meant.length > 1)
      throw new UsageError(
        `only: ${meant.length} documents are printed as ${given}, since their names contain values of secrets; give such values as variables, not as secrets`,
      );
    return meant[0] ?? given;
  });
}

/** Whether no part of the name comes from a variable with a secret's name. */
function hasPublicName({ fromEnvironment }: Desired): boolean {
  return ![...fromEnvironment].some(
    ([variable, paths]) => isSecretVariable(variable) && paths.includes("name"),
  );
}

/**
 * Keys in a document's own command lines, as in `npm config set …:_authToken=…`. They are masked
 * by value: their variable's name need not look secret, and a plan shows both sides of a change.
 */
function keysOfCommands({ body, deploy }: Desired): readonly string[] {
  return [...keysInCommands(body), ...keysIn(deploy.verify ?? "")];
}

/** The spec files in order; `-` is standard input. */
async function readSpecFiles(session: Session): Promise<readonly SpecFile[]> {
  const { options, workspace } = session;
  const named = options.spec.filter((path) => path !== PIPE);
  const paths = await workspace.expand(named).catch((error: unknown) => {
    throw missingSpecHint(session, error);
  });
  const isPiped = named.length < options.spec.length;
  if (paths.length === 0 && !isPiped)
    throw new UsageError(`spec: no file matches ${options.spec.join(", ")}`);
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: await workspace.readText(path, MAX_SPEC_BYTES) })),
  );
  if (!isPiped) return files;
  return [{ path: "stdin", text: await session.readPiped(MAX_SPEC_BYTES) }, ...files];
}

/** The path that means standard input. */
const PIPE = "-";

/**
 * The environment as the spec reads it. A value read from a variable with a secret's name is shown
 * as `${NAME}` from then on, whatever field it goes into.
 */
function observeSecrets({ mask }: Session, env: Environment): Environment {
  return new Proxy(env, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === "string" && typeof value === "string" && isSecretVariable(name))
        mask([value], `\${${name}}`);
      return value;
    },
  });
}

/** More equal warnings than this become one line with a count: some repositories have hundreds of documents. */
const MAX_EQUAL = 10;

/** Replaces more than MAX_EQUAL equal warnings by one at the first place, with a count. */
function groupEqual(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const warnings = problems.filter(({ level }) => level !== "error");
  const alike = groupBy(warnings, ({ message }) => message);
  return problems.flatMap((one) => {
    const all = alike.get(one.message) ?? [];
    if (one.level === "error" || all.length <= MAX_EQUAL) return [one];
    return one === all[0]
      ? [{ ...one, message: `${one.message} (and ${all.length - 1} more like it)` }]
      : [];
  });
}

/** A word that could be a deployment's name and is no path. */
const NAME_LIKE = /^[A-Za-z0-9_-]+$/;

/**
 * An error that says how to begin: in a first run there may be no spec or checkout yet, and kubectl
 * users name the deployment here.
 */
function missingSpecHint({ options, entryPoint, command }: Session, error: unknown): unknown {
  const [path = "", ...others] = options.spec;
  const [usual = ""] = INPUTS.spec.default;
  if (others.length > 0 || (error as { absent?: unknown }).absent !== true) return error;
  if (path !== usual)
    return entryPoint === "cli" && NAME_LIKE.test(path)
      ? new UsageError(
          `${path} is not a file, and ${command} takes spec files; for the deployment ${path} of a spec: agent-deploy ${command} ${usual} --only ${path}`,
        )
      : error;
  return new UsageError(
    entryPoint === "cli"
      ? `${path} does not exist: write a first one with agent-deploy init, or name yours: agent-deploy ${command} path/to/spec.yml`
      : `${path} does not exist: check out the repository in a step before this one (actions/checkout), or give the path of yours as the input spec`,
  );
}

/** The documents that `only` names, in spec order; throws a UsageError for a name that no document has. */
function select(
  { options: { deploymentId } }: Session,
  documents: readonly Desired[],
  only: readonly string[],
): readonly Desired[] {
  const names = documents.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `only: no document is named ${unknown}${didYouMean(unknown, names)}; the spec has ${names.join(", ")}`,
    );
  const chosen =
    only.length === 0 ? documents : documents.filter(({ name }) => only.includes(name));
  if (deploymentId !== undefined && chosen.length > 1)
    throw new UsageError(
      `deployment-id names one deployment, and the spec has ${chosen.length} documents: ${chosen.map(({ name }) => name).join(", ")}. Use deploy.id in each document, or only`,
    );
  return chosen;
}
