// The vendor's command lines, of PyPI and of npm, against the emulator: deploy, list, logs, revise, delete.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, pathWith, refusals, runProgram, startEmulator } from "./emulator-client.mjs";
import { npmPrograms, pythonPrograms } from "./toolbox.mjs";

const VERSIONS = ["0.4.31", "0.4.40"];
/** Of the package @langchain/langgraph-cli. */
const NPM_VERSION = "1.5.1";

/** Replaces Docker where it builds, tags and pushes: the emulator has no registry. */
const DOCKER = `#!/bin/sh
last=""; for word in "$@"; do last="$word"; done
case "$*" in
  *.RepoDigests*) echo "[\\"\${last%:*}@sha256:$(printf '%064d' 7)\\"]" ;;
  *.Architecture*) echo "linux/amd64" ;;
  *login*) cat >/dev/null ;;
esac
`;

function makeProject(folder) {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", "docker"), DOCKER);
  chmodSync(join(folder, "bin", "docker"), 0o755);
  writeFileSync(join(folder, "agent.py"), "graph = None\n");
  writeFileSync(join(folder, "pyproject.toml"), '[project]\nname = "a"\nversion = "1"\n');
  writeFileSync(join(folder, ".env"), "OPENAI_API_KEY=not-a-key\n");
  const graphs = { agent: "./agent.py:graph" };
  writeFileSync(
    join(folder, "langgraph.json"),
    JSON.stringify({ dependencies: ["."], graphs, env: ".env", python_version: "3.11" }),
  );
}

async function journey(version, bin, check) {
  const emulator = await startEmulator({ profile: "hosted" });
  try {
    makeProject(emulator.folder);
    const env = {
      PATH: pathWith(join(emulator.folder, "bin")),
      LANGGRAPH_HOST_URL: emulator.url,
      LANGGRAPH_HOST_API_KEY: "k",
      LANGGRAPH_CLI_NO_ANALYTICS: "1",
    };
    const cli = async (what, ...args) => {
      const done = await runProgram(join(bin, "langgraph"), ["deploy", ...args], {
        cwd: emulator.folder,
        env,
      });
      const seen = `${done.stdout}${done.stderr}`;
      check(`langgraph ${version} ${what} ends with 0`, done.code === 0, seen);
      return seen;
    };
    const find = async (name) =>
      (await call(emulator.url, "GET", `/v2/deployments?name=${name}`)).body.resources[0];
    const { imaged } = await deployBoth(cli, find, check);
    const list = await cli("list", "list");
    check("both are listed", list.includes("imaged") && list.includes("remote"), list);
    const revisions = await cli("revisions", "revisions", "list", imaged.id);
    check(
      "two revisions are listed",
      (revisions.match(/DEPLOYED|REPLACED/g) ?? []).length >= 2,
      revisions,
    );
    const logs = await cli("logs", "logs", "--name", "imaged");
    check("logs are shown", /revision is ready|starting/.test(logs), logs);
    await cli("build logs", "logs", "--name", "remote", "--type", "build");
    if (version !== VERSIONS[0]) await pushTo(emulator.url, cli, find, check);
    await cli("delete", "delete", imaged.id, "--force");
    const gone = await call(emulator.url, "GET", `/v2/deployments/${imaged.id}`);
    check("it is deleted", gone.status === 404 || gone.body.status === "AWAITING_DELETE", gone);
    const refused = await refusals(emulator.url);
    check(
      "nothing was refused",
      refused.every(({ status }) => status === 403 || status === 404) && refused.length <= 1,
      refused,
    );
  } finally {
    await emulator.stop();
  }
}

/** An image, twice, and a build from the sources; what is live of the first. */
async function deployBoth(cli, find, check) {
  const image = ["--image", "local/agent:1", "--name", "imaged", "--no-input", "--json"];
  const first = await cli("deploy of an image", ...image);
  check(
    "it ends DEPLOYED",
    /"status": ?"(deployed|succeeded|success)"/i.test(first) || /DEPLOYED/.test(first),
    first,
  );
  const imaged = await find("imaged");
  check(
    "the digest is live",
    /@sha256:0+7$/.test(imaged?.source_revision_config?.image_uri ?? ""),
    imaged,
  );
  await cli("second deploy", ...image);
  await cli("remote build", "--remote", "--name", "remote", "--no-input", "--json", "--verbose");
  const remote = await find("remote");
  check(
    "the archive is named",
    /^uploads\//.test(remote?.source_revision_config?.source_tarball_path ?? ""),
    remote,
  );
  check("the secret came along", remote?.secrets?.[0]?.name === "OPENAI_API_KEY", remote?.secrets);
  return { imaged };
}

/** An image in a registry of one's own, which newer versions can push to. */
async function pushTo(url, cli, find, check) {
  const listener = (await call(url, "GET", "/v2/listeners")).body.resources[0].id;
  const where = "registry.example.com/agents/pushed:v1";
  await cli(
    "push to a registry",
    ...["--image", "local/agent:1", "--push-to", where, "--name", "pushed"],
    ...["--listener-id", listener, "--k8s-namespace", "default", "--no-input", "--json"],
  );
  const pushed = await find("pushed");
  check("it is an external image", pushed?.source === "external_docker", pushed);
}

/** The command line of npm: a remote build, which needs no Docker, and everything that reads it. */
async function npmJourney(bin, check) {
  const emulator = await startEmulator({ profile: "hosted" });
  try {
    const write = (name, text) => writeFileSync(join(emulator.folder, name), text);
    write("agent.ts", "export const graph = null;\n");
    write("package.json", '{ "name": "a", "version": "1.0.0" }\n');
    write(".env", "OPENAI_API_KEY=not-a-key\n");
    const graphs = { agent: "./agent.ts:graph" };
    write("langgraph.json", JSON.stringify({ node_version: "20", graphs, env: ".env" }));
    const env = { LANGGRAPH_HOST_API_KEY: "k", LANGGRAPH_CLI_NO_ANALYTICS: "1" };
    const cli = async (what, ...args) => {
      const given = ["deploy", ...args, "--host-url", emulator.url];
      const options = { cwd: emulator.folder, env };
      const done = await runProgram(join(bin, "langgraphjs"), given, options);
      const seen = `${done.stdout}${done.stderr}`;
      check(`langgraphjs ${what} ends with 0`, done.code === 0, seen);
      return seen;
    };
    const deploy = ["-c", "langgraph.json", "--remote", "--name", "remote", "--no-input", "--json"];
    const first = await cli("deploy", ...deploy);
    check("it succeeded", /"status":"succeeded"/.test(first), first);
    const second = await cli("second deploy", ...deploy);
    check("it succeeded too", /"status":"succeeded"/.test(second), second);
    const live = (await call(emulator.url, "GET", "/v2/deployments?name=remote")).body.resources[0];
    const { secrets, source_revision_config: config } = live;
    check("the secret came along", secrets[0]?.name === "OPENAI_API_KEY", secrets);
    check("the archive is named", /^uploads\//.test(config.source_tarball_path ?? ""), config);
    const list = await cli("list", "list");
    check("it is listed", list.includes(live.id), list);
    const revisions = await cli("revisions", "revisions", "list", live.id);
    const rows = revisions.match(/DEPLOYED|REPLACED/g) ?? [];
    check("two revisions are listed", rows.length === 2, revisions);
    const logs = await cli("build logs", "logs", "--name", "remote", "--type", "build");
    check("logs are shown", logs.includes("building the image"), logs);
    await cli("delete", "delete", live.id, "--force");
    const gone = await call(emulator.url, "GET", `/v2/deployments/${live.id}`);
    check("it is deleted", gone.status === 404 || gone.body.status === "AWAITING_DELETE", gone);
    const refused = await refusals(emulator.url);
    check("nothing was refused", refused.length <= 1, refused);
  } finally {
    await emulator.stop();
  }
}

const ofPypi = VERSIONS.map((version) => ({
  name: `langgraph-cli-${version}`,
  version,
  slow: version !== VERSIONS.at(-1),
  run: async ({ check }) => {
    const packages = [`langgraph-cli==${version}`];
    const bin = await pythonPrograms(`langgraph-cli-${version}`, packages, "langgraph");
    await journey(version, bin, check);
    return "deploy (image, remote build, own registry; Docker is a stand-in), list, revisions, logs, delete";
  },
}));

/** What npm run realworld runs. */
export const parties = [
  ...ofPypi,
  {
    name: `langgraphjs-${NPM_VERSION}`,
    version: NPM_VERSION,
    slow: false,
    run: async ({ check }) => {
      const packages = [`@langchain/langgraph-cli@${NPM_VERSION}`];
      const bin = await npmPrograms(`langgraphjs-${NPM_VERSION}`, packages, "langgraphjs");
      await npmJourney(bin, check);
      return "deploy (remote build), list, revisions, logs, delete";
    },
  },
];
