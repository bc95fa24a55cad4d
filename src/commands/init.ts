import { plural } from "../model/count-words.ts";
import { isObject, own, parseJson } from "../model/json.ts";
import { getExecOutput } from "@actions/exec";
import { basename, relative, sep } from "node:path";
import { dirname, join } from "node:path/posix";
import { parseEnv } from "node:util";
import { createInterface } from "node:readline/promises";
import { findCheckoutFolder, calledAs, isOwnCheckout } from "../ci/checkout-folder.ts";
import { gitCall } from "../github/git.ts";
import { toScriptEnvironment } from "../ci/shell.ts";
import type { Environment } from "../spec/interpolation.ts";
import {
  renderDraft,
  UNKNOWN_REPOSITORY,
  usableSecrets,
  usableSettings,
  type Draft,
} from "./first-document.ts";
import { toExport } from "../plan/export.ts";
import { isSetting } from "../secrets/key-like.ts";
import { renderExport, renderSpecFile, schemaPlace } from "./export.ts";
import { findNamed } from "./looked-up-deployment.ts";
import { isThere, writeFirstWorkflow, writeSchema } from "./starter-files.ts";
import { withConnection } from "../ci/service-connection.ts";
import { UsageError, type Session } from "../ci/session.ts";

/** Whose CI runs for a repository, if its address shows that. */
function hostOf(repoUrl: string): "github" | "gitlab" | undefined {
  if (/^https:\/\/github\./.test(repoUrl)) return "github";
  return /^https:\/\/([\w-]+\.)*gitlab\./.test(repoUrl) ? "gitlab" : undefined;
}

/** Hosts that the service cannot build from: it connects only to GitHub. */
const OTHER_HOST =
  /^https:\/\/([\w-]+\.)*(gitlab\.|bitbucket\.|codeberg\.|gitea\.|dev\.azure\.com|visualstudio\.com)/;
const MAX_CONFIG_BYTES = 1024 * 1024;

/** A DNS label close to a given name. */
function toName(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, "-")
      .slice(0, 40)
      .replace(/^-+|-+$/g, "") || "my-agent"
  );
}

/** A password may contain an @ or a slash: everything before the last @ is the user-info. */
const ADDRESS = /^(https?|ssh|git\+ssh):\/\/(?:.*@)?([\w.-]+)(:\d+)?\/(.+)$/;
/** `git@host:path`, also without a user if the host has a dot. */
const SHORT_ADDRESS = /^(?:[^@/:\s]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/)(.+)$/;

/** The https form of a git remote, without user and password; null for a path and anything unreadable. */
function toHttps(remote: string): string | null {
  const tidy = (path: string): string => path.replace(/\/$/, "").replace(/\.git$/, "");
  const [, scheme = "", host, port = "", path] = ADDRESS.exec(remote) ?? [];
  if (path !== undefined)
    return scheme.startsWith("http")
      ? `${scheme}://${host}${port}/${tidy(path)}`
      : `https://${host}/${tidy(path)}`;
  const short = SHORT_ADDRESS.exec(remote);
  return short === null ? null : `https://${short[1]}/${tidy(short[2]!)}`;
}

/** Reads the address of origin, the branch to deploy, and the path of a folder in its repository. */
async function readGit(cwd: string, env: Environment) {
  const place = { env: toScriptEnvironment(env, []) };
  const git = async (...args: string[]): Promise<string> => {
    const { file, ...call } = gitCall(place, args);
    const options = { cwd, env: call.env, silent: true };
    // Where git fails or is missing, the answer is empty.
    return getExecOutput(file, call.args, options).then(
      ({ stdout }) => stdout.trim(),
      () => "",
    );
  };
  // The target branch of pull requests if the clone knows it, else the checked-out one.
  const main = await git("symbolic-ref", "--short", "refs/remotes/origin/HEAD");
  return {
    repoUrl: toHttps(await git("remote", "get-url", "origin")) ?? UNKNOWN_REPOSITORY,
    branch:
      main.replace(/^origin\//, "") || (await git("symbolic-ref", "--short", "HEAD")) || "main",
    // Paths of a spec start at the root of the repository.
    prefix: await git("rev-parse", "--show-prefix"),
  };
}

/**
 * The variables in a langgraph.json, its `env` object or the env file that it names, with their
 * values as far as they are there: settings by value, and the names of all that may be secrets.
 */
async function readEnvironment(
  { workspace }: Session,
  configPath: string,
): Promise<Pick<Draft, "secrets" | "settings">> {
  const read = async (): Promise<readonly (readonly [name: string, value: string])[]> => {
    const env = own(parseJson(await workspace.readText(configPath, MAX_CONFIG_BYTES)), "env");
    if (Array.isArray(env))
      return env.filter((name) => typeof name === "string").map((name) => [name, ""]);
    if (isObject(env)) return Object.entries(env).map(([name, value]) => [name, String(value)]);
    if (typeof env !== "string") return [];
    const text = await workspace.readText(join(dirname(configPath), env), MAX_CONFIG_BYTES);
    return inOrder(text, parseEnv(text));
  };
  // No such file, or invalid JSON: the spec starts without secrets.
  const variables = (await read().catch(() => [])).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const shown = ([name, value]: (typeof variables)[number]): boolean =>
    value !== "" && isSetting(name, value);
  return {
    settings: variables.filter(shown),
    secrets: variables.filter((one) => !shown(one)).map(([name]) => name),
  };
}

/** The variables of an env file in the file's own order, which `parseEnv` does not keep. */
function inOrder(
  text: string,
  variables: NodeJS.Dict<string>,
): readonly (readonly [name: string, value: string])[] {
  const names = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gmu)].map(
    ([, name]) => name!,
  );
  return [...new Set([...names, ...Object.keys(variables)])].flatMap((name) =>
    variables[name] === undefined ? [] : [[name, variables[name]] as const],
  );
}

/**
 * One draft per langgraph.json of the checkout; a single one if there is none. The prefix is the path
 * of the current folder in its repository, with a trailing slash; empty in the root.
 */
async function readDrafts(session: Session) {
  const cwd = await session.workspace.locate(".");
  const configs = await session.workspace.expand(["**/langgraph.json"]);
  // Paths of a spec start at the root of the repository, which may be a folder of this one.
  const checkout = findCheckoutFolder(cwd, configs);
  const inside = checkout === cwd ? "" : `${relative(cwd, checkout).replaceAll(sep, "/")}/`;
  const { repoUrl, branch, prefix } = await readGit(checkout, session.env);
  const whole = toName(repoUrl === UNKNOWN_REPOSITORY ? basename(cwd) : basename(repoUrl));
  const paths = configs.length === 0 ? ["langgraph.json"] : configs;
  const inCheckout = paths.map((path) =>
    path.startsWith(inside) ? path.slice(inside.length) : path,
  );
  const folders = inCheckout.map((path) => path.replace(/\/?[^/]*$/, ""));
  const names = toNames(whole, folders);
  const isOnly = paths.length === 1 && prefix === "";
  const drafts = paths.map(
    async (path, at): Promise<Draft> => ({
      name: names[at]!,
      kind: OTHER_HOST.test(repoUrl) ? "checkout" : "repository",
      repoUrl,
      branch,
      configPath: prefix + inCheckout[at]!,
      folder: isOnly ? "" : `${prefix}${folders[at]!}`.replace(/\/$/, ""),
      imageUri: "",
      ...(await readEnvironment(session, path)),
    }),
  );
  return { drafts: await Promise.all(drafts), found: configs.length > 0, prefix };
}

/** A name for each folder: its own; with the repository's if several are alike; then numbered. */
function toNames(whole: string, folders: readonly string[]): readonly string[] {
  const short = folders.map((folder) => (folder === "" ? whole : toName(basename(folder))));
  const isShared = (name: string): boolean => short.indexOf(name) !== short.lastIndexOf(name);
  const long = short.map((name, at) =>
    isShared(name) ? toName(`${whole.slice(0, 20)}-${folders[at]!}`) : name,
  );
  return long.map((name, at) => {
    const before = long.slice(0, at).filter((one) => one === name).length;
    return before === 0 ? name : `${name.slice(0, 37)}-${before + 1}`;
  });
}

/** Asks what a checkout cannot know; Enter accepts the suggestion in brackets. */
async function ask(draft: Draft, signal: AbortSignal): Promise<Draft> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, signal });
  terminal.on("SIGINT", () => {
    process.kill(process.pid, "SIGINT");
  });
  // Lines typed ahead or pasted wait in the iterator; after Ctrl+D every answer is the suggestion.
  const lines = terminal[Symbol.asyncIterator]();
  const question = async (text: string, suggestion: string): Promise<string> => {
    terminal.setPrompt(`${text} [${suggestion}]: `);
    terminal.prompt();
    const { value } = (await lines.next()) as { value?: string };
    signal.throwIfAborted();
    return value?.trim() || suggestion;
  };
  process.stdout.write(
    "Up to 5 questions; Enter takes the suggestion in brackets. With --yes, init asks nothing.\n",
  );
  try {
    const name = toName(await question("Name of the deployment", draft.name));
    const kind = await question(
      "Built from the repository, from an upload of this checkout, or from a container image? (repository, checkout, image)",
      draft.kind,
    );
    if (/^i/i.test(kind)) {
      const image = `registry.example.com/acme/${name}@sha256:${"0".repeat(64)}`;
      return { ...draft, name, kind: "image", imageUri: await question("Image, by digest", image) };
    }
    const isUploaded = /^c/i.test(kind);
    const repoUrl = isUploaded ? draft.repoUrl : await question("Repository", draft.repoUrl);
    const branch = isUploaded ? draft.branch : await question("Branch", draft.branch);
    const configPath = await question("Path of langgraph.json", draft.configPath);
    const built = isUploaded ? "checkout" : "repository";
    return { ...draft, name, kind: built, repoUrl, branch, configPath };
  } finally {
    terminal.close();
  }
}

async function renderLive(session: Session): Promise<string> {
  const live = await withConnection(session, ({ controlPlane }) =>
    findNamed(session, controlPlane),
  );
  return `${renderExport(toExport(live))}\ndeploy:\n  id: ${live.id}`;
}

const isFromLive = ({ options }: Session): boolean =>
  options.deploymentId !== undefined || options.name !== undefined;

/** What `init` writes, and what its workflow needs to know; `hasSecrets`: a plan needs their values. */
async function renderFirstFiles(session: Session) {
  if (isFromLive(session))
    return { documents: [await renderLive(session)], notes: [], hasSecrets: false };
  const { drafts, found, prefix } = await readDrafts(session);
  const asks =
    !session.options.yes &&
    drafts.length === 1 &&
    process.stdin.isTTY === true &&
    process.stdout.isTTY === true;
  const chosen = asks ? [await ask(drafts[0]!, session.signal)] : drafts;
  const { repoUrl, branch } = chosen[0]!;
  const host = hostOf(repoUrl);
  const secrets = [...new Set(chosen.flatMap(usableSecrets))];
  const settings = new Set(chosen.flatMap((one) => usableSettings(one).map(([name]) => name)));
  const what = settings.size === 1 ? "it is not a secret" : "they are not secrets";
  const hasPaths = chosen.some(({ folder }) => folder !== "");
  const isBuilt = chosen.every(({ kind }) => kind !== "image");
  return {
    documents: chosen.map(renderDraft),
    notes: [
      ...(settings.size > 0
        ? [`${[...settings].join(", ")}: written by value, since name and value say that ${what}`]
        : []),
      ...(isBuilt && !found
        ? ["warning: no langgraph.json was found here; check langgraph_config_path in the spec"]
        : []),
    ],
    hasSecrets: secrets.length > 0,
    ...(host === undefined || prefix !== "" || repoUrl === UNKNOWN_REPOSITORY
      ? {}
      : { workflow: { host, branch, secrets, hasPaths } }),
  };
}

/**
 * `init`: writes a first spec from a live deployment (by name or id) or from the checkout: its git
 * remote, branch and langgraph.json files; with a workflow and the editor's schema. Never
 * overwrites a file; asks only on a terminal.
 */
export async function runInit(session: Session): Promise<number> {
  const { workspace, options } = session;
  const path = options.output ?? "agent-deploy.yml";
  const cwd = await workspace.locate(".");
  if (isOwnCheckout(cwd) && !isFromLive(session))
    throw new UsageError(
      `this folder is agent-deploy itself: run init in your agent's repository, such as cd ../my-agent && node ../${basename(cwd)}/dist/cli.js init`,
    );
  if (await isThere(session, path))
    throw new UsageError(
      `${path} is there already and is left untouched: name another file with --output`,
    );
  const { documents, notes, hasSecrets, workflow } = await renderFirstFiles(session);
  await workspace.writeText(path, renderSpecFile(documents, path));
  const companions = [
    ...(workflow === undefined
      ? []
      : await writeFirstWorkflow(session, { ...workflow, spec: path })),
    ...(await writeSchema(session, schemaPlace(path))),
  ];
  const call = calledAs(cwd);
  const file = path === "agent-deploy.yml" ? "" : ` ${path}`;
  const values = hasSecrets && (await isThere(session, ".env")) ? " --env-file .env" : "";
  session.print(
    `${[
      `wrote ${path}: ${plural(documents.length, "deployment")}`,
      ...companions,
      ...notes,
      "",
      "Next:",
      `  ${call} validate${file}   ${" ".repeat(values.length)}# check it; no key needed`,
      `  ${call} plan${file}${values}       # compare it with what is live; needs AGENT_DEPLOY_API_KEY`,
      `  ${call} apply${file}${values}      # deploy it and wait`,
    ].join("\n")}\n`,
  );
  return 0;
}
