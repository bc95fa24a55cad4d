// The same checkout deployed by agent-deploy and by the vendor's two command lines, against the same
// emulator with the same faults, and all three taking turns on one deployment. `--write` keeps the
// table in contributing/compare.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, runProgram, startEmulator } from "./emulator-client.mjs";
import { checkOwn, play, toColumns, writeTable } from "./peers.mjs";
import { npmPrograms, pythonPrograms, Skipped } from "./toolbox.mjs";

const LANGGRAPH = "0.4.40";
const LANGGRAPHJS = "1.5.1";
const NAME = "support-agent";
/** Longest run: the vendor's command lines give up after 900 s, which cannot be set. */
const LONGEST_SECONDS = 960;
const UPLOAD = "PUT /uploads/{upload}";

/** Situations; the timed run comes last. `before`: runs that lead to it, with what the agent's file says in each. */
export const SOURCE_SITUATIONS = [
  { name: "source: first deploy", before: [], image: "a", ends: { exit: 0, revisions: 1 } },
  { name: "source: unchanged run", before: ["a"], image: "a", ends: { exit: 0, revisions: 0 } },
  { name: "source: one changed file", before: ["a"], image: "b", ends: { exit: 0, revisions: 1 } },
  {
    name: "source: a failed build",
    before: [],
    image: "a",
    ends: { exit: 1, revisions: 1 },
    scenario: { revisions: [{ outcome: "build-failed", log: ["no module named graph"] }] },
  },
  {
    name: "source: the answer to the upload is lost",
    before: [],
    image: "a",
    ends: { exit: 0, revisions: 1 },
    scenario: { faults: [{ route: UPLOAD, kind: "reset-after" }] },
  },
  {
    name: "source: the upload breaks off",
    before: [],
    image: "a",
    ends: { exit: 0, revisions: 1 },
    scenario: { faults: [{ route: UPLOAD, kind: "reset-before" }] },
  },
  {
    name: "source: the answer to the update is lost",
    before: ["a"],
    image: "b",
    ends: { exit: 0, revisions: 1 },
    scenario: { faults: [{ route: "PATCH /v2/deployments/{id}", kind: "reset-after", nth: 2 }] },
  },
  {
    name: "source: one answer 503 while it waits",
    before: [],
    image: "a",
    ends: { exit: 0, revisions: 1 },
    scenario: {
      faults: [
        { route: "GET /v2/deployments/{id}/revisions/{id}", kind: "status", status: 503, nth: 2 },
      ],
    },
  },
  {
    name: "source: the revision is skipped",
    before: [],
    image: "a",
    ends: { exit: 1, revisions: 1 },
    scenario: {
      revisions: [{ timeline: [{ status: "BUILDING", ms: 1000 }, { status: "SKIPPED" }] }],
    },
  },
];

/**
 * A project that all three can deploy, whose one changing file holds a word.
 * @param {string} folder
 * @param {string} word
 */
function writeProject(folder, word) {
  const graphs = { agent: "./agent.py:graph" };
  const config = { dependencies: ["."], graphs, env: ".env", python_version: "3.11" };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "langgraph.json"), JSON.stringify(config));
  writeFileSync(join(folder, "agent.py"), `graph = "${word}"\n`);
  writeFileSync(join(folder, "pyproject.toml"), '[project]\nname = "a"\nversion = "1"\n');
  writeFileSync(join(folder, ".env"), "OPENAI_API_KEY=not-a-key\n");
}

/**
 * agent-deploy, with the spec of that project.
 * @param {string} root
 */
export function createOwnSource(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return {
    name: "agent-deploy apply",
    version,
    limit: "`timeout: 60s`",
    create: ({ url, folder }) => ({
      deploy: (word) => {
        const at = join(folder, "project");
        writeProject(at, word);
        const spec = {
          name: NAME,
          source: "internal_source",
          source_config: { deployment_type: "dev" },
          secrets: ["OPENAI_API_KEY"],
        };
        writeFileSync(join(at, "agent-deploy.yml"), JSON.stringify(spec));
        const args = [join(root, "dist/cli.js"), "apply", "agent-deploy.yml", "--timeout", "60s"];
        return runProgram(process.execPath, args, {
          cwd: at,
          env: {
            AGENT_DEPLOY_CONTROL_PLANE_URL: url,
            AGENT_DEPLOY_API_KEY: "k",
            OPENAI_API_KEY: "not-a-key",
          },
          seconds: LONGEST_SECONDS,
        });
      },
    }),
  };
}

/**
 * One of the vendor's command lines.
 * @param {{ name: string, version: string, program: string, toArgs: (url: string) => string[] }} one
 */
const createVendor = ({ name, version, program, toArgs }) => ({
  name,
  version,
  limit: "900 s, fixed",
  create: ({ url, folder }) => ({
    deploy: (word) => {
      const at = join(folder, "project");
      writeProject(at, word);
      return runProgram(program, toArgs(url), {
        cwd: at,
        env: {
          LANGGRAPH_HOST_URL: url,
          LANGGRAPH_HOST_API_KEY: "k",
          LANGGRAPH_CLI_NO_ANALYTICS: "1",
        },
        seconds: LONGEST_SECONDS,
      });
    },
  }),
});

/** The vendor's command lines that can be installed here, and why the others cannot. */
async function findVendors() {
  const args = ["deploy", "--name", NAME, "--remote", "--no-input"];
  const wanted = [
    {
      name: "langgraph deploy --remote",
      version: LANGGRAPH,
      toArgs: () => args,
      program: () =>
        pythonPrograms(`langgraph-cli-${LANGGRAPH}`, [`langgraph-cli==${LANGGRAPH}`], "langgraph"),
    },
    {
      name: "langgraphjs deploy",
      version: LANGGRAPHJS,
      toArgs: (url) => [...args, "--host-url", url],
      program: () =>
        npmPrograms(
          `langgraphjs-${LANGGRAPHJS}`,
          [`@langchain/langgraph-cli@${LANGGRAPHJS}`],
          "langgraphjs",
        ),
    },
  ];
  const found = [];
  const skipped = [];
  for (const one of wanted) {
    const file = one.name.split(" ")[0] ?? "";
    try {
      found.push(createVendor({ ...one, program: join(await one.program(), file) }));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      skipped.push(`skipped: ${one.name}: ${error.message}`);
    }
  }
  return { found, skipped };
}

/** All of them on one deployment: ours builds after each turn of another, and nothing after its own. */
async function takeTurns(own, vendors, check) {
  const emulator = await startEmulator({ profile: "hosted", limits: "off", timeScale: 25 });
  try {
    const ours = own.create(emulator);
    const first = await ours.deploy("ours");
    check("turns: agent-deploy makes the deployment", first.code === 0, first.stderr);
    for (const vendor of vendors) {
      const theirs = await vendor.create(emulator).deploy("theirs");
      check(`turns: ${vendor.name} takes its turn`, theirs.code === 0, theirs.stdout);
      for (const [word, what, writes] of [
        [
          "theirs",
          "the same files by another tool are built again, since nothing proves them",
          true,
        ],
        ["theirs", "nothing is written after that", false],
        ["ours", "one changed file is deployed", true],
      ]) {
        await call(emulator.url, "DELETE", "/_emulator/requests");
        const done = await ours.deploy(word);
        const { body } = await call(emulator.url, "GET", "/_emulator/requests");
        const wrote = body.some(({ method }) => method !== "GET");
        check(
          `turns after ${vendor.name}: ${what}`,
          done.code === 0 && wrote === writes,
          done.stdout,
        );
      }
    }
    const { resources } = (await call(emulator.url, "GET", "/v2/deployments")).body;
    check("turns: there is one deployment", resources.length === 1, JSON.stringify(resources));
  } finally {
    await emulator.stop();
  }
}

async function runSourcePeers({ root, check, quick }) {
  const own = createOwnSource(root);
  const { found, skipped } = await findVendors();
  await takeTurns(own, found, check);
  const peers = [own, ...found];
  const results = [];
  for (const situation of SOURCE_SITUATIONS.slice(0, quick ? 2 : undefined))
    for (const peer of peers) {
      const result = { peer, situation, ...(await play(peer, situation)) };
      if (peer === own) checkOwn(check, situation.name, situation.ends, result);
      results.push(result);
    }
  const columns = toColumns(peers, SOURCE_SITUATIONS, results);
  if (!quick && process.argv.includes("--write"))
    writeTable(root, "source-peers", SOURCE_SITUATIONS, columns);
  const names = peers.map(({ name, version }) => `${name} ${version}`).join(", ");
  return [`${names}, in turns and in ${results.length} runs`, ...skipped].join("; ");
}

/** What npm run realworld runs. */
export const parties = [
  { name: "source-peers", version: `langgraph-cli ${LANGGRAPH}`, run: runSourcePeers },
];
