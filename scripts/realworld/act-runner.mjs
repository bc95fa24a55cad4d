// act in host mode: a repository with one workflow, local copies of the actions it uses, and what
// the runner made of a run.
import { createEmulator } from "emulate";
import { dump, load } from "js-yaml";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./toolbox.mjs";

const OWNER = "acme";
const REPOSITORY = "agents";
const ACTION = "your-org/agent-deploy";
const TOKEN = "token_of_the_job";
export const SECRETS = {
  AGENT_DEPLOY_API_KEY: "lsv2_sk_realworld_0123456789abcdef",
  OPENAI_API_KEY: "sk-realworld-000111222333",
  SEARCH_DB_URL: "postgres://db.example.com/realworld-search",
};

/** Stand-ins for actions that cannot be had without GitHub; each says that it is one. */
const STUBS = {
  checkout: `inputs: { repository: {}, ref: {}, path: {}, persist-credentials: {} }
runs:
  using: composite
  steps:
    - shell: bash
      env: { REPOSITORY: "\${{ inputs.repository }}", TO: "\${{ inputs.path }}" }
      run: |
        echo "stub of actions/checkout, the workspace is there already"
        if [ "$REPOSITORY" = "${ACTION}" ]; then cp -R "$AGENT_DEPLOY_COPY" "$TO"; fi
`,
  "setup-node": `inputs: { node-version: {}, registry-url: {} }
runs:
  using: composite
  steps:
    - shell: bash
      run: echo "stub of actions/setup-node, $(node --version) is there already"
`,
  "attest-build-provenance": `inputs: { subject-path: {} }
runs:
  using: composite
  steps:
    - shell: bash
      run: echo "stub of actions/attest-build-provenance"
`,
  "upload-artifact": `inputs: { name: { default: artifact }, path: {}, overwrite: {}, if-no-files-found: {} }
runs:
  using: composite
  steps:
    - shell: bash
      env: { NAME: "\${{ inputs.name }}", FILES: "\${{ inputs.path }}" }
      run: |
        echo "stub of actions/upload-artifact"
        mkdir -p "$ARTIFACTS/$NAME"; cp -R $FILES "$ARTIFACTS/$NAME/"
`,
  "download-artifact": `inputs: { name: {}, pattern: { default: "*" }, path: { default: . }, merge-multiple: {} }
runs:
  using: composite
  steps:
    - shell: bash
      env: { PATTERN: "\${{ inputs.name || inputs.pattern }}", TO: "\${{ inputs.path }}" }
      run: |
        echo "stub of actions/download-artifact"
        mkdir -p "$TO"; for folder in "$ARTIFACTS"/$PATTERN; do cp -R "$folder/." "$TO/"; done
`,
};

export function git(folder, ...args) {
  const identity = ["-c", "user.name=ci", "-c", "user.email=ci@example.com"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

export function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    if (text.startsWith("#!")) chmodSync(join(folder, path), 0o755);
  }
}

/** A repository with two commits, whose only workflow is the one given. */
export function createRepository(workflow, files) {
  const folder = temporaryFolder();
  writeFiles(folder, { ".github/workflows/it.yml": workflow, ...files });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "remote", "add", "origin", `https://github.com/${OWNER}/${REPOSITORY}.git`);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "first");
  git(folder, "commit", "-q", "--allow-empty", "-m", "second");
  return folder;
}

/** This repository as a checkout has it, without what is installed or built next to it. */
export function createOwnRepository(root) {
  const folder = temporaryFolder();
  const left = ["node_modules", ".git", "build"].map((name) => join(root, name));
  cpSync(root, folder, { recursive: true, filter: (path) => !left.includes(path) });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "remote", "add", "origin", `https://github.com/${ACTION}.git`);
  commitAll(folder, "as it is");
  git(folder, "commit", "-q", "--allow-empty", "-m", "second");
  return folder;
}

export function commitAll(folder, message) {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", message);
}

/** Only the Action, as a tag of it holds it. */
function copyAction(root) {
  const copy = join(temporaryFolder(), "agent-deploy");
  for (const name of ["action.yml", "gate", "dist", "package.json", "schema"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  return copy;
}

/** Every commit by which the examples and our own workflows name an action. */
function pinsOf(root) {
  const texts = ["examples/workflows", ".github/workflows"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
  const pins = texts.flatMap((text) => [...text.matchAll(/uses: actions\/([\w-]+@\w+)/g)]);
  return [...new Set(pins.map(([, pin]) => pin))];
}

/** The flags that give act local copies of the actions, so that nothing is fetched. */
function toLocalRepositories(root, copy) {
  const stubs = temporaryFolder();
  const pins = pinsOf(root).map((pin) => {
    const [name] = pin.split("@");
    if (STUBS[name] === undefined) throw new Error(`there is no stand-in for actions/${name}`);
    const text = `name: ${name}\ndescription: stub\n${STUBS[name]}`;
    writeFiles(stubs, { [`${name}/action.yml`]: text });
    return [`actions/${pin}`, join(stubs, name)];
  });
  const own = ["v0.1.0", "v0"].map((tag) => [`${ACTION}@${tag}`, copy]);
  return [...pins, ...own].flatMap(([name, path]) => ["--local-repository", `${name}=${path}`]);
}

/**
 * An example, with the inputs that a team would set by variables: where the service is and how
 * often it is asked. Two things are changed for act: it does not know `environment.deployment`, and
 * its `strategy.job-index` is 0 in every leg.
 */
export function toWorkflow(text, inputs) {
  const workflow = /** @type {{ jobs: Record<string, any> }} */ (
    load(text.replaceAll("strategy.job-index", "matrix.name"))
  );
  for (const job of Object.values(workflow.jobs)) {
    delete job.environment?.deployment;
    for (const step of job.steps)
      if (step.uses?.startsWith(`${ACTION}@`)) step.with = { ...inputs, ...step.with };
  }
  return dump(workflow, { lineWidth: -1 });
}

/** GitHub's API, with one issue: pull request 1 as far as its comments go. */
export async function startGithub() {
  const github = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { [TOKEN]: { login: OWNER, scopes: ["repo"] } },
      github: {
        users: [{ login: OWNER }],
        repos: [{ owner: OWNER, name: REPOSITORY, auto_init: true }],
      },
    },
  });
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const issues = `${github.url}/repos/${OWNER}/${REPOSITORY}/issues`;
  await fetch(issues, { method: "POST", headers, body: JSON.stringify({ title: "Deploy" }) });
  const comments = async () => (await fetch(`${issues}/1/comments`, { headers })).json();
  return { url: github.url, comments, stop: () => github.close() };
}

const repository = { full_name: `${OWNER}/${REPOSITORY}`, default_branch: "main" };
export const pullRequest = (folder, more = {}) => ({
  action: "opened",
  number: 1,
  repository,
  ...more,
  pull_request: {
    number: 1,
    user: { login: OWNER },
    base: { ref: "main", sha: git(folder, "rev-parse", "HEAD^1"), repo: repository },
    head: {
      ref: "topic",
      sha: git(folder, "rev-parse", "HEAD"),
      repo: { full_name: repository.full_name, fork: false },
    },
    labels: [],
    ...more.pull_request,
  },
});
export const push = { ref: "refs/heads/main", repository };

/** What act made of a run: the values it read from the protocol files and the log, by what it prints of them. */
function toRun({ code, text, artifacts }) {
  const values = (name) =>
    [...text.matchAll(new RegExp(`::set-output:: ${name}=(.*)`, "g"))].map(([, value]) => value);
  return { code, text, artifacts, outputs: values, outcomes: values("outcome") };
}

/**
 * Runs workflows; `interruptAt` sends SIGINT to act, as a cancel does, once that text was printed;
 * `flags` are more of act's own.
 */
export function createRunner({ act, root, github }) {
  const home = temporaryFolder();
  const copy = copyAction(root);
  const repositories = toLocalRepositories(root, copy);
  return (
    folder,
    event,
    payload,
    /** @type {{ vars?: object, env?: Record<string, string>, interruptAt?: string, flags?: string[], minutes?: number }} */
    { vars = {}, env = {}, interruptAt, flags = [], minutes = 5 } = {},
  ) => {
    writeFileSync(join(home, "event.json"), JSON.stringify(payload));
    const artifacts = temporaryFolder();
    const pairs = (flag, values) =>
      Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
    const args = [
      event,
      ...["-P", "ubuntu-latest=-self-hosted", "-P", "self-hosted=-self-hosted"],
      ...["-e", join(home, "event.json"), "--concurrent-jobs", "2"],
      ...pairs("-s", { ...SECRETS, GITHUB_TOKEN: TOKEN }),
      ...pairs("--var", vars),
      ...pairs("--env", { GITHUB_API_URL: github, ARTIFACTS: artifacts, ...env }),
      ...["--env", `AGENT_DEPLOY_COPY=${copy}`],
      ...repositories,
      ...flags,
    ];
    const environment = { HOME: home, XDG_CACHE_HOME: join(home, "cache"), PATH: process.env.PATH };
    const child = spawn(act, args, {
      cwd: folder,
      env: { ...environment, ...(env.PATH === undefined ? {} : { PATH: env.PATH }) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    let interrupted = false;
    const read = (chunk) => {
      text += chunk;
      if (interruptAt === undefined || interrupted || !text.includes(interruptAt)) return;
      interrupted = true;
      child.kill("SIGINT");
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const timer = setTimeout(() => child.kill("SIGKILL"), minutes * 60_000);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve(toRun({ code, text, artifacts }));
      });
    });
  };
}
