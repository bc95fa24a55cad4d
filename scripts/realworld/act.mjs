// The example workflows in a runner that nobody here wrote: act, in host mode, against the emulator and a GitHub API of others.
import { createEmulator } from "emulate";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goProgram, run, temporaryFolder } from "./toolbox.mjs";

const ACT = "v0.2.89";
const OWNER = "acme";
const REPOSITORY = "agents";
const KEY = "lsv2_sk_realworld_0123456789abcdef";
const IMAGE = `registry.example.com/acme/support@sha256:${"a".repeat(64)}`;

/** Stand-ins for actions that cannot be had without GitHub; each says that it is one. */
const STUBS = {
  checkout: `runs:
  using: composite
  steps:
    - shell: bash
      run: echo "stub of actions/checkout, the workspace is there already"
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

const SPEC = `name: support-agent
source: external_container
source_config: { resource_spec: { cpu: 1 } }
source_revision_config: { image_uri: "${IMAGE}" }
secrets: [OPENAI_API_KEY]
`;

function git(folder, ...args) {
  const identity = ["-c", "user.name=ci", "-c", "user.email=ci@example.com"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** A repository with one workflow, whose steps use the working copy of agent-deploy. */
function createRepository(root, workflow, files) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".github/workflows"), { recursive: true });
  writeFileSync(join(folder, ".github/workflows/it.yml"), workflow);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "init", "-q", "-b", "main");
  git(folder, "remote", "add", "origin", `https://github.com/${OWNER}/${REPOSITORY}.git`);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "first");
  git(folder, "commit", "-q", "--allow-empty", "-m", "second");
  return folder;
}

/** Points every step that runs the Action at the emulator, as a team's own variables would. */
function pointAt(workflow, url) {
  return workflow
    .replace(/uses: your-org\/agent-deploy@\S+\n(\s+)with: \{/g, (text) =>
      text.replace("with: {", `with: { control-plane-url: "${url}", poll-interval: 20ms,`),
    )
    .replace(
      /uses: your-org\/agent-deploy@(\S+)\n(\s+)with:\n(\s+)/g,
      (_, tag, outer, inner) =>
        `uses: your-org/agent-deploy@${tag}\n${outer}with:\n${inner}control-plane-url: "${url}"\n${inner}poll-interval: 20ms\n${inner}`,
    );
}

function localRepositories(root) {
  const stubs = temporaryFolder();
  const pinned = new Set();
  for (const name of readdirSync(join(root, "examples/workflows")))
    for (const [, action, ref] of readFileSync(
      join(root, "examples/workflows", name),
      "utf8",
    ).matchAll(/uses: actions\/([\w-]+)@(\w+)/g))
      pinned.add(`${action}@${ref}`);
  const args = [];
  for (const one of pinned) {
    const [action] = one.split("@");
    if (STUBS[action] === undefined) continue;
    const folder = join(stubs, action);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "action.yml"),
      `name: ${action}\ndescription: stub\n${STUBS[action]}`,
    );
    args.push("--local-repository", `actions/${one}=${folder}`);
  }
  const copy = join(temporaryFolder(), "agent-deploy");
  for (const name of ["action.yml", "dist", "package.json", "schema"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const tag of ["v0.1.0", "v0"])
    args.push("--local-repository", `your-org/agent-deploy@${tag}=${copy}`);
  return args;
}

async function startEmulator(root) {
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "emulator", "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk).split("\n")[0]));
    child.once("exit", () => reject(new Error("the emulator did not start")));
  });
  return { url, stop: () => child.kill("SIGKILL") };
}

/** GitHub's API, with one issue: pull request 1 as far as its comments go. */
async function startGithub() {
  const github = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { token_of_the_job: { login: OWNER, scopes: ["repo"] } },
      github: {
        users: [{ login: OWNER }],
        repos: [{ owner: OWNER, name: REPOSITORY, auto_init: true }],
      },
    },
  });
  await fetch(`${github.url}/repos/${OWNER}/${REPOSITORY}/issues`, {
    method: "POST",
    headers: { authorization: "Bearer token_of_the_job", "content-type": "application/json" },
    body: JSON.stringify({ title: "Deploy the agent" }),
  });
  return github;
}

const pullRequest = (folder) => ({
  action: "opened",
  number: 1,
  repository: { full_name: `${OWNER}/${REPOSITORY}`, default_branch: "main" },
  pull_request: {
    number: 1,
    user: { login: OWNER },
    base: { ref: "main", sha: git(folder, "rev-parse", "HEAD^1") },
    head: {
      ref: "topic",
      sha: git(folder, "rev-parse", "HEAD"),
      repo: { full_name: `${OWNER}/${REPOSITORY}`, fork: false },
    },
  },
});
const push = () => ({
  ref: "refs/heads/main",
  repository: { full_name: `${OWNER}/${REPOSITORY}`, default_branch: "main" },
});

function createRunner({ act, repositories, service, github }) {
  const home = temporaryFolder();
  return async (folder, event, payload) => {
    const artifacts = temporaryFolder();
    writeFileSync(join(home, "event.json"), JSON.stringify(payload));
    const args = [
      event,
      ...["-P", "ubuntu-latest=-self-hosted", "-e", join(home, "event.json")],
      ...["-s", `AGENT_DEPLOY_API_KEY=${KEY}`, "-s", "OPENAI_API_KEY=sk-realworld-000111222"],
      ...["-s", "GITHUB_TOKEN=token_of_the_job"],
      ...["--env", `GITHUB_API_URL=${github}`, "--env", `ARTIFACTS=${artifacts}`],
      ...["--concurrent-jobs", "2"],
      ...repositories,
    ];
    const environment = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, "cache") };
    const { code, stdout, stderr } = await run(act, args, { cwd: folder, env: environment });
    return { code, text: stdout + stderr, service };
  };
}

const outputOf = (text, name) =>
  [...text.matchAll(new RegExp(`::set-output:: ${name}=(.*)`, "g"))].map(([, value]) => value);

async function readService(url) {
  const reply = await fetch(`${url}/v2/deployments`, { headers: { "x-api-key": KEY } });
  return (await reply.json()).resources;
}

/** plan on a pull request, deploy on a push, nothing to do on the next one. */
async function deployWorkflow(context) {
  const { check, root, runIn, url } = context;
  const text = readFileSync(join(root, "examples/workflows/deploy.yml"), "utf8");
  const workflow = pointAt(text, url).replaceAll(
    "uses: your-org/agent-deploy@v0.1.0",
    'env: { OPENAI_API_KEY: "${{ secrets.OPENAI_API_KEY }}" }\n        uses: your-org/agent-deploy@v0.1.0',
  );
  const folder = createRepository(root, workflow, { "agent-deploy.yml": SPEC });
  const planned = await runIn(folder, "pull_request", pullRequest(folder));
  check(
    "deploy.yml: a pull request plans",
    outputOf(planned.text, "outcome")[0] === "planned",
    planned.text,
  );
  check("deploy.yml: a plan writes nothing", (await readService(url)).length === 0);
  check("deploy.yml: the comment stands", /comment-url=http/.test(planned.text), planned.text);
  const deployed = await runIn(folder, "push", push());
  check(
    "deploy.yml: a push deploys",
    outputOf(deployed.text, "outcome")[0] === "deployed",
    deployed.text,
  );
  check("deploy.yml: the deployment is there", (await readService(url)).length === 1);
  check("deploy.yml: the summary is written", /Summary - ###/.test(deployed.text), deployed.text);
  check("deploy.yml: the post step runs", /Success - Post/.test(deployed.text), deployed.text);
  const again = await runIn(folder, "push", push());
  check(
    "deploy.yml: a second push has nothing to do",
    outputOf(again.text, "outcome")[0] === "unchanged",
    again.text,
  );
  const shown = planned.text + deployed.text + again.text;
  check("deploy.yml: no secret is shown", !shown.includes(KEY) && !shown.includes("sk-realworld"));
}

/** A matrix from an output, a job per deployment, one required job at the end. */
async function fanOutWorkflow(context) {
  const { check, root, runIn, url } = context;
  const text = readFileSync(join(root, "examples/workflows/fan-out.yml"), "utf8");
  const files = Object.fromEntries(
    ["search", "ranker", "router"].map((name) => [
      `agents/${name}.yml`,
      SPEC.replace("support-agent", `${name}-agent`).replace("secrets: [OPENAI_API_KEY]\n", ""),
    ]),
  );
  const folder = createRepository(root, pointAt(text, url), files);
  const ran = await runIn(folder, "push", push());
  const names = (await readService(url)).map(({ name }) => name);
  for (const name of ["search-agent", "ranker-agent", "router-agent"])
    check(`fan-out.yml: ${name} is deployed by its own leg`, names.includes(name), ran.text);
  const outcomes = outputOf(ran.text, "outcome");
  check(
    "fan-out.yml: the last job reports them all as deployed",
    outcomes.at(-1) === "deployed",
    ran.text,
  );
  check("fan-out.yml: the run is green", ran.code === 0, ran.text);
}

async function runAct({ root, check }) {
  const act = await goProgram("github.com/nektos/act", ACT);
  const emulator = await startEmulator(root);
  const github = await startGithub();
  try {
    const repositories = localRepositories(root);
    const runIn = createRunner({ act, repositories, service: emulator.url, github: github.url });
    const context = { check, root, runIn, url: emulator.url };
    await deployWorkflow(context);
    await fanOutWorkflow(context);
    return "deploy.yml, fan-out.yml (checkout and artifacts are stubs)";
  } finally {
    emulator.stop();
    await github.close();
  }
}

export const parties = [{ name: "act", version: ACT, run: runAct }];
