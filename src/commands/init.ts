import { plural } from "../model/count-words.ts";
import { getExecOutput } from "@actions/exec";
import { basename, relative, sep } from "node:path";
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
import { writeFirstWorkflow, writeSchema } from "./starter-files.ts";
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

async function readGit(
  cwd: string,
  env: Environment,
): Promise<{ repoUrl: string; branch: string; prefix: string }> {
  const place = { env: toScriptEnvironment(env, []) };
  const git = async (...args: string[]): Promise<string> => {
    const call = gitCall(place, args);
    const { exitCode, stdout } = await getExecOutput(call.file, call.args, {
      cwd,
      env: call.env,
      silent: true,
      ignoreReturnCode: true,
    }).catch(() => ({ exitCode: 1, stdout: "" }));
    return exitCode === 0 ? stdout.trim() : "";
  };
  // The target branch of pull requests if the clone knows it, else the checked-out one.
  const main = (await git("symbolic-ref", "--short", "refs/remotes/origin/HEAD")).replace(
    /^origin\//,
    "",
  );
  // The path of this folder in the repository: paths of a spec start at its root.
  const prefix = await git("rev-parse", "--show-prefix");
  const branch = main || (await git("symbolic-ref", "--short", "HEAD")) || "main";
  return {
    repoUrl: toHttps(await git("remote", "get-url", "origin")) ?? UNKNOWN_REPOSITORY,
    branch,
    prefix,
  };
}

/**
 * The variables in a langgraph.json, its `env` object or the env file that it names, with their
 * values as far as they are there.
 */
async function readVariables(
  { workspace }: Session,
  configPath: string,
): Promise<ReadonlyMap<string, string | null>> {
  try {
    const { env } = JSON.parse(await workspace.readText(configPath, MAX_CONFIG_BYTES)) as {
      env?: unknown;
    };
    if (Array.isArray(env)) return new Map(env.filter(isName).map((name) => [name, null]));
    if (typeof env === "object" && env !== null)
      return new Map(Object.entries(env).map(([name, value]) => [name, String(value)]));
    if (typeof env !== "string") return new Map();
    const file = configPath.replace(/[^/]*$/, "") + env.replace(/^\.\//, "");
    const text = await workspace.readText(file, MAX_CONFIG_BYTES);
    const values = parseEnv(text);
    const names = text
      .split(/\r?\n/)
      .flatMap((line) => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? []);
    return new Map(names.map((name) => [name, values[name] ?? null]));
  } catch {
    return new Map(); // No such file, or invalid JSON: the spec starts without secrets.
  }
}

const isName = (name: unknown): name is string =>
  typeof name === "string" && /^[A-Za-z_]\w*$/.test(name);

/** What a draft lists: settings by value, and the names of everything that may be a secret. */
async function readEnvironment(
  session: Session,
  configPath: string,
): Promise<Pick<Draft, "secrets" | "settings">> {
  const variables = [...(await readVariables(session, configPath))];
  const settings = variables.flatMap(([name, value]): [string, string][] =>
    value !== null && isSetting(name, value) ? [[name, value]] : [],
  );
  const shown = new Set(settings.map(([name]) => name));
  return {
    settings,
    secrets: variables.flatMap(([name]) => (shown.has(name) ? [] : [name])),
  };
}

interface FirstDrafts {
  readonly drafts: readonly Draft[];
  /** Whether there was a langgraph.json. */
  readonly found: boolean;
  /** Path of the current folder in its repository, with a trailing slash; empty in the root. */
  readonly prefix: string;
}

/** One draft per langgraph.json of the checkout; a single one if there is none. */
async function readDrafts(session: Session): Promise<FirstDrafts> {
  const cwd = await session.workspace.locate(".");
  const configs = await session.workspace.expand(["**/langgraph.json"]);
  // Paths of a spec start at the root of the repository, which may be a folder of this one.
  const checkout = findCheckoutFolder(cwd, configs);
  const inside = checkout === cwd ? "" : `${relative(cwd, checkout).replaceAll(sep, "/")}/`;
  const inCheckout = (path: string): string =>
    path.startsWith(inside) ? path.slice(inside.length) : path;
  const { repoUrl, branch, prefix } = await readGit(checkout, session.env);
  const whole = toName(repoUrl === UNKNOWN_REPOSITORY ? basename(cwd) : basename(repoUrl));
  const paths = configs.length === 0 ? ["langgraph.json"] : configs;
  const folders = paths.map((path) => inCheckout(path).replace(/\/?[^/]*$/, ""));
  const short = folders.map((folder) => (folder === "" ? whole : toName(basename(folder))));
  const long = folders.map((folder, at) =>
    short.filter((one) => one === short[at]).length === 1
      ? short[at]!
      : toName(`${whole.slice(0, 20)}-${folder}`),
  );
  const drafts = paths.map(async (configPath, at): Promise<Draft> => {
    const before = long.slice(0, at).filter((one) => one === long[at]).length;
    const isOnly = paths.length === 1 && prefix === "";
    return {
      name: before === 0 ? long[at]! : `${long[at]!.slice(0, 37)}-${before + 1}`,
      kind: OTHER_HOST.test(repoUrl) ? "checkout" : "repository",
      repoUrl,
      branch,
      configPath: prefix + inCheckout(configPath),
      folder: isOnly ? "" : `${prefix}${folders[at]!}`.replace(/\/$/, ""),
      imageUri: "",
      ...(await readEnvironment(session, configPath)),
    };
  });
  return { drafts: await Promise.all(drafts), found: configs.length > 0, prefix };
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

/** The spec of a live deployment, adopted by its id. */
async function renderLive(session: Session): Promise<string> {
  const live = await withConnection(session, ({ controlPlane }) =>
    findNamed(session, controlPlane),
  );
  return `${renderExport(toExport(live))}\ndeploy:\n  id: ${live.id}`;
}

const isFromLive = ({ options }: Session): boolean =>
  options.deploymentId !== undefined || options.name !== undefined;

/** What `init` writes, and what its workflow needs to know. */
interface FirstFiles {
  readonly documents: readonly string[];
  readonly notes: readonly string[];
  /** Whether a plan needs the values of secrets. */
  readonly hasSecrets: boolean;
  readonly workflow: Omit<Parameters<typeof writeFirstWorkflow>[1], "spec"> | undefined;
}

/** Says which values were written, since no other value is. */
function noteSettings(drafts: readonly Draft[]): string[] {
  const names = [
    ...new Set(drafts.flatMap((draft) => usableSettings(draft).map(([name]) => name))),
  ];
  const what = names.length === 1 ? "it is no secret" : "they are no secrets";
  return names.length === 0
    ? []
    : [`${names.join(", ")}: written by value, since name and value say that ${what}`];
}

async function renderFirstFiles(session: Session): Promise<FirstFiles> {
  if (isFromLive(session))
    return {
      documents: [await renderLive(session)],
      notes: [],
      hasSecrets: false,
      workflow: undefined,
    };
  const { drafts, found, prefix } = await readDrafts(session);
  const [first] = drafts;
  const single =
    !session.options.yes &&
    drafts.length === 1 &&
    process.stdin.isTTY === true &&
    process.stdout.isTTY === true;
  const chosen = single ? [await ask(first!, session.signal)] : drafts;
  const { repoUrl, branch } = chosen[0]!;
  const host = repoUrl === UNKNOWN_REPOSITORY ? undefined : hostOf(repoUrl);
  const secrets = [...new Set(chosen.flatMap((one) => usableSecrets(one)))];
  const hasPaths = chosen.some(({ folder }) => folder !== "");
  return {
    documents: chosen.map(renderDraft),
    notes: [
      ...noteSettings(chosen),
      ...(found || chosen.some(({ kind }) => kind === "image")
        ? []
        : ["warning: no langgraph.json was found here; check langgraph_config_path in the spec"]),
    ],
    hasSecrets: secrets.length > 0,
    workflow: host !== undefined && prefix === "" ? { host, branch, secrets, hasPaths } : undefined,
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
  const found = await workspace.expand([path]).catch(() => []);
  if (found.length > 0)
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
  const hasEnvFile = (await workspace.expand([".env"]).catch(() => [])).length > 0;
  const values = hasSecrets && hasEnvFile ? " --env-file .env" : "";
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
