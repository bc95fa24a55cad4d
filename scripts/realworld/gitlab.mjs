// The GitLab component in a runner that nobody here wrote: gitlab-ci-local, against the emulator
// and a stand-in of GitLab's API.
import { once } from "node:events";
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { need, npmPrograms, run, Skipped, temporaryFolder } from "./toolbox.mjs";

const VERSION = "4.75.1";
/** gitlab-ci-local asks for Node 22 or newer. */
const OLDEST_NODE = 22;
const NODE = "24.21.0";
const KEY = "lsv2_sk_realworld_0123456789abcdef";
const TOKEN = "glpat-realworld-0123456789";
const COMMIT = "2".repeat(40);
const RELEASED = ["action.yml", "dist", "schema", "README.md", "LICENSE", "package.json"];

const SPEC = `name: support-agent
source: external_container
source_config: { resource_spec: { cpu: 1 } }
source_revision_config: { image_uri: "registry.example.com/acme/support@sha256:${"a".repeat(64)}" }
secrets: []
`;

function must(program, args, cwd) {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

/** The archive of a release, as release.yml makes it. */
function packRelease(root) {
  const file = join(temporaryFolder(), "agent-deploy.tgz");
  must("tar", ["-czf", file, ...RELEASED], root);
  return readFileSync(file);
}

/** One server for both: the release's archive, and the notes of one merge request. */
async function startGitlab(archive) {
  const notes = [];
  const server = createServer(async (request, response) => {
    const answer = (status, body) => response.writeHead(status).end(body);
    let sent = "";
    for await (const chunk of request) sent += chunk;
    const { url: path = "" } = request;
    if (path.endsWith("/releases/download/v0.1.0/agent-deploy-v0.1.0.tgz"))
      return answer(200, archive);
    if (request.headers["private-token"] !== TOKEN) return answer(401, "{}");
    const at = /\/notes\/(\d+)$/.exec(path);
    if (request.method === "POST") notes.push({ id: notes.length, ...JSON.parse(sent) });
    if (request.method === "PUT") Object.assign(notes[Number(at?.[1])], JSON.parse(sent));
    return answer(200, JSON.stringify(request.method === "GET" ? notes : {}));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
  return { url, notes, stop: () => server.close() };
}

async function startService(root) {
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "emulator", "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk).split("\n")[0]));
    child.once("exit", () => reject(new Error("the emulator did not start")));
  });
  return { url, stop: () => child.kill("SIGKILL") };
}

function createProject(root, { gitlab, service }) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "templates"));
  cpSync(join(root, "templates/agent-deploy.yml"), join(folder, "templates/agent-deploy.yml"));
  writeFileSync(join(folder, "agent-deploy.yml"), SPEC);
  writeFileSync(join(folder, ".gitignore"), ".gitlab-ci-local/\n");
  writeFileSync(
    join(folder, ".gitlab-ci.yml"),
    `include:
  - local: /templates/agent-deploy.yml
    inputs: { repository: "${gitlab}/agent-deploy", control_plane_url: "${service}", commit: "" }
`,
  );
  const identity = ["-c", "user.name=ci", "-c", "user.email=ci@example.com"];
  must("git", ["init", "-q", "-b", "main"], folder);
  must("git", ["remote", "add", "origin", "git@gitlab.example.com:acme/agents.git"], folder);
  must("git", ["add", "-A"], folder);
  must("git", [...identity, "commit", "-q", "-m", "first"], folder);
  return folder;
}

function createRunner([node, script], folder, gitlab) {
  const home = temporaryFolder();
  return async (job, variables) => {
    const all = {
      AGENT_DEPLOY_API_KEY: KEY,
      CI_API_V4_URL: `${gitlab}/api/v4`,
      CI_PROJECT_ID: "12",
      CI_MERGE_REQUEST_IID: "7",
      CI_COMMIT_SHA: COMMIT,
      ...variables,
    };
    const given = Object.entries(all).flatMap(([name, value]) => [
      "--variable",
      `${name}=${value}`,
    ]);
    const args = ["--home", home, "--force-shell-executor", ...given, job];
    const { code, stdout, stderr } = await run(node, [script, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home },
    });
    return { code, text: stdout + stderr };
  };
}

/** The program and its first arguments, on a Node that it takes. */
async function installRunner() {
  const programs = await npmPrograms(
    "gitlab-ci-local",
    [`gitlab-ci-local@${VERSION}`],
    "gitlab-ci-local",
  );
  const script = join(programs, "gitlab-ci-local");
  if (Number(process.versions.node.split(".")[0]) >= OLDEST_NODE) return [process.execPath, script];
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== "linux-x64") throw new Skipped(`gitlab-ci-local needs Node ${OLDEST_NODE}`);
  const bin = await npmPrograms(
    "node",
    [`node-${platform}@${NODE}`],
    `../node-${platform}/bin/node`,
  );
  return [join(bin, `../node-${platform}/bin/node`), script];
}

async function runGitlab({ root, check }) {
  for (const program of ["git", "rsync", "tar"]) need(program, program);
  const [node, script] = await installRunner();
  const gitlab = await startGitlab(packRelease(root));
  const service = await startService(root);
  const live = async () => {
    const reply = await fetch(`${service.url}/v2/deployments`, { headers: { "x-api-key": KEY } });
    const { resources } = /** @type {{ resources: any[] }} */ (await reply.json());
    return resources.map(({ name }) => name);
  };
  try {
    const folder = createProject(root, { gitlab: gitlab.url, service: service.url });
    const runIn = createRunner([node, script], folder, gitlab.url);
    const request = {
      CI_PIPELINE_SOURCE: "merge_request_event",
      AGENT_DEPLOY_GITLAB_TOKEN: TOKEN,
    };
    const planned = await runIn("agent-deploy-plan", request);
    check("a merge request plans", planned.code === 0, planned.text);
    check("a plan writes nothing", (await live()).length === 0);
    const [note] = gitlab.notes;
    check(
      "the note is the report's Markdown",
      /\n### 📝 `support-agent`/.test(note?.body),
      note?.body,
    );
    await runIn("agent-deploy-plan", request);
    check("a second plan edits the note", gitlab.notes.length === 1);
    const deployed = await runIn("agent-deploy", {});
    check("the default branch deploys", deployed.code === 0, deployed.text);
    check("the deployment is there", (await live()).join() === "support-agent", deployed.text);
    const shown = planned.text + deployed.text + JSON.stringify(gitlab.notes);
    check("no key is shown", !shown.includes(KEY) && !shown.includes(TOKEN));
    return "templates/agent-deploy.yml from a release's archive";
  } finally {
    service.stop();
    gitlab.stop();
  }
}

export const parties = [{ name: "gitlab-ci-local", version: VERSION, run: runGitlab }];
