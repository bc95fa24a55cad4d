// `deploy.image: resolve` against a container registry that nobody here wrote, filled by its own
// client.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, runProgram, startEmulator } from "./emulator-client.mjs";
import { goProgram, temporaryFolder } from "./toolbox.mjs";

const CRANE = "v0.22.1";
const TAG = "acme/agent:v1";

async function startRegistry(crane) {
  const child = spawn(crane, ["registry", "serve", "--address", "127.0.0.1:0"]);
  let said = "";
  const port = await new Promise((resolve, reject) => {
    child.stderr.on("data", (text) => {
      said += text;
      const found = /serving on port (\d+)/.exec(said);
      if (found !== null) resolve(found[1]);
    });
    child.once("exit", () => reject(new Error(`the registry did not start: ${said}`)));
  });
  return { host: `127.0.0.1:${port}`, stop: () => child.kill("SIGTERM") };
}

/** Pushes an image of one layer, and says by what digest the client knows it then. */
function push(crane, reference, text) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "agent.txt"), text);
  const layer = join(folder, "layer.tar");
  const runToEnd = (program, args) => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  runToEnd("tar", ["-cf", layer, "-C", folder, "agent.txt"]);
  runToEnd(crane, ["append", "-f", layer, "-t", reference]);
  return { digest: runToEnd(crane, ["digest", reference]), runToEnd };
}

async function journey({ root, crane, host, check }) {
  const emulator = await startEmulator({ limits: "off" });
  const { url, folder } = emulator;
  const reference = `${host}/${TAG}`;
  const ours = async (command, image = reference) => {
    const spec = {
      name: "agent",
      source: "external_docker",
      source_config: { resource_spec: { cpu: 1 } },
      source_revision_config: { image_uri: image },
      secrets: [],
      deploy: { image: "resolve" },
    };
    writeFileSync(join(folder, "agent-deploy.yml"), JSON.stringify(spec));
    const { code, stdout, stderr } = await runProgram(
      process.execPath,
      [join(root, "dist/cli.js"), ...command, "--json", "--poll-interval", "50ms"],
      { cwd: folder, env: { AGENT_DEPLOY_CONTROL_PLANE_URL: url, AGENT_DEPLOY_API_KEY: "k" } },
    );
    const outcome = /"outcome": ?"([\w-]+)"/.exec(stdout)?.[1];
    return { code, outcome, text: `${stdout}${stderr}` };
  };
  const live = async () =>
    (await call(url, "GET", "/v2/deployments")).body.resources[0]?.source_revision_config.image_uri;
  const isLive = async (what, digest, text) => {
    const image = await live();
    check(what, image?.endsWith(`@${digest}`), `${image}: ${text}`);
  };
  try {
    const { digest: first } = push(crane, reference, "one");
    const made = await ours(["apply"]);
    check("a tag is deployed", made.outcome === "deployed", made.text);
    await isLive("by the digest that the registry's own client knows", first, made.text);
    const again = await ours(["apply"]);
    check("the same tag is no change", again.outcome === "unchanged", again.text);
    const { digest: second, runToEnd } = push(crane, reference, "two");
    check("the tag has moved", first !== second, second);
    const planned = await ours(["plan", "--fail-on-changes"]);
    check("a tag that moved is a change", planned.code === 3, planned.text);
    const moved = await ours(["apply"]);
    await isLive("it is deployed by its new digest", second, moved.text);
    const many = `${host}/acme/agent:many`;
    runToEnd(crane, ["index", "append", "-m", reference, "-t", many]);
    const several = await ours(["apply"], many);
    const index = runToEnd(crane, ["digest", many]);
    await isLive("an image of several platforms by the digest of its index", index, several.text);
    const absent = await ours(["plan"], `${host}/acme/agent:none`);
    check("a tag that is not there is red", absent.code === 1 || absent.code === 2, absent.text);
    check("and the line names it", absent.text.includes("acme/agent:none"), absent.text);
    check("and nothing else is live", (await live()).endsWith(index), absent.text);
  } finally {
    await emulator.stop();
  }
}

/** What npm run realworld runs. */
export const parties = [
  {
    name: "registry",
    version: `crane ${CRANE}`,
    run: async ({ root, check }) => {
      const crane = await goProgram("github.com/google/go-containerregistry/cmd/crane", CRANE);
      const { host, stop } = await startRegistry(crane);
      try {
        await journey({ root, crane, host, check });
      } finally {
        stop();
      }
      return "deploy.image: resolve of a tag, a tag that moved, an index, a tag that is not there";
    },
  },
];
