// The same job by agent-deploy, by the vendor's command line and by the Terraform provider, against
// the same emulator with the same faults: requests, revisions, exit codes, seconds and words of
// output. `--write` keeps the table in contributing/compare.md.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { call, runProgram, startEmulator } from "./emulator-client.mjs";
import { findTerraform, imageOf, LISTENER, openFolder, PROVIDERS } from "./terraform.mjs";
import { pythonPrograms, Skipped, temporaryFolder } from "./toolbox.mjs";

const LANGGRAPH = "0.4.40";
const NAME = "support-agent";
/** Longest run: the vendor's command line gives up after 300 s, which cannot be set. */
const LONGEST_SECONDS = 420;

/** Situations; the timed run comes last. `before`: runs that lead to it, with the image of each. */
export const SITUATIONS = [
  { name: "first deploy", before: [], image: "a", quick: true },
  { name: "unchanged run", before: ["a"], image: "a", quick: true },
  { name: "one changed field (the image)", before: ["a"], image: "b" },
  {
    name: "a failed build",
    before: [],
    image: "a",
    scenario: {
      revisions: [{ outcome: "build-failed", log: ["npm ERR! missing script: build"] }],
    },
  },
  {
    name: "the answer to the create is lost",
    before: [],
    image: "a",
    quick: true,
    scenario: { faults: [{ route: "POST /v2/deployments", kind: "reset-after" }] },
  },
  {
    name: "the run after that",
    before: ["a"],
    image: "a",
    scenario: { faults: [{ route: "POST /v2/deployments", kind: "reset-after" }] },
  },
  {
    name: "the answer to the update is lost",
    before: ["a"],
    image: "b",
    scenario: {
      faults: [
        { route: "PATCH /v2/deployments/{id}", kind: "reset-after" },
        { route: "POST /v2/deployments/{id}/revisions", kind: "reset-after" },
      ],
    },
  },
  {
    name: "one answer 503 while it waits",
    before: [],
    image: "a",
    scenario: {
      faults: [
        {
          route: "GET /v2/deployments/{id}/revisions/{id}",
          kind: "status",
          status: 503,
          nth: 2,
        },
      ],
    },
  },
  {
    name: "the revision never ends",
    before: [],
    image: "a",
    slow: true,
    scenario: { revisions: [{ outcome: "stuck", at: "DEPLOYING" }] },
  },
];

/** agent-deploy itself, as a step of a job runs it. */
export function createOwn(root) {
  const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
  return {
    name: "agent-deploy apply",
    version,
    limit: "`timeout: 60s`",
    create: ({ url, folder }) => ({
      deploy: (digit) => {
        const spec = {
          name: NAME,
          source: "external_docker",
          source_config: { listener_id: LISTENER, resource_spec: { cpu: 1, memory_mb: 1024 } },
          source_revision_config: { image_uri: imageOf(digit) },
          secrets: ["OPENAI_API_KEY"],
        };
        writeFileSync(join(folder, "agent-deploy.yml"), JSON.stringify(spec));
        const args = [join(root, "dist/cli.js"), "apply", "agent-deploy.yml", "--timeout", "60s"];
        return runProgram(process.execPath, args, {
          cwd: folder,
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

async function createLanggraph() {
  const packages = [`langgraph-cli==${LANGGRAPH}`];
  const bin = await pythonPrograms(`langgraph-cli-${LANGGRAPH}`, packages, "langgraph");
  return {
    name: "langgraph deploy --image-uri",
    version: LANGGRAPH,
    limit: "300 s, fixed",
    create: ({ url, folder }) => {
      writeFileSync(join(folder, ".env"), "OPENAI_API_KEY=not-a-key\n");
      const graphs = { agent: "./agent.py:graph" };
      writeFileSync(
        join(folder, "langgraph.json"),
        JSON.stringify({ dependencies: ["."], graphs, env: ".env", python_version: "3.11" }),
      );
      const env = {
        LANGGRAPH_HOST_URL: url,
        LANGGRAPH_HOST_API_KEY: "k",
        LANGGRAPH_CLI_NO_ANALYTICS: "1",
      };
      const args = ["deploy", "--name", NAME, "--no-input", "--image-uri"];
      // It takes the place of a deployment only with the first run, and refuses it with every later one.
      const place = ["--listener-id", LISTENER, "--k8s-namespace", "default"];
      return {
        deploy: (digit, isThere) =>
          runProgram(join(bin, "langgraph"), [...args, imageOf(digit), ...(isThere ? [] : place)], {
            cwd: folder,
            env,
            seconds: LONGEST_SECONDS,
          }),
      };
    },
  };
}

/** Terraform with one provider; null where the provider cannot be had. The vendor's waits 30 min, which cannot be set. */
async function createTerraform(terraform, name) {
  const provider = PROVIDERS[name];
  const probe = temporaryFolder();
  try {
    await openFolder(terraform, provider, { url: "http://127.0.0.1:9", folder: probe });
  } catch (error) {
    if (error instanceof Skipped) return null;
    throw error;
  }
  return {
    name: `${terraform.version.split(" ")[0].toLowerCase()} apply, provider ${provider.address}`,
    version: provider.version ?? process.env.PROVIDER_VERSION ?? "of its binary",
    limit: provider.waits ? "30 min, fixed" : "does not wait",
    waitsForLong: provider.waits,
    create: ({ url, folder }) => ({
      deploy: async (digit) => {
        const { run, write } = await openFolder(terraform, provider, { url, folder });
        write(digit);
        return run("apply", "-auto-approve");
      },
    }),
  };
}

const wordsOf = ({ stdout, stderr }) =>
  `${stdout}\n${stderr}`.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** What the service holds: deployments of the name, and revisions over all of them. */
async function readService(url) {
  const { resources } = (await call(url, "GET", "/v2/deployments?limit=100")).body;
  const counts = await Promise.all(
    resources.map(async ({ id }) => {
      const { body } = await call(url, "GET", `/v2/deployments/${id}/revisions?limit=100`);
      return body.resources.length;
    }),
  );
  return { deployments: resources.length, revisions: counts.reduce((a, b) => a + b, 0) };
}

/** One peer in one situation, with an emulator of its own. */
export async function play(peer, situation, { timeScale = 25 } = {}) {
  const emulator = await startEmulator({
    profile: "hosted",
    limits: "off",
    timeScale,
    ...situation.scenario,
  });
  try {
    const { url, folder } = emulator;
    const { deploy } = peer.create({ url, folder });
    for (const digit of situation.before) await deploy(digit, false);
    const before = await readService(url);
    await call(url, "DELETE", "/_emulator/requests");
    const began = performance.now();
    const done = await deploy(situation.image, before.deployments > 0);
    const seconds = (performance.now() - began) / 1000;
    const { body: requests } = await call(url, "GET", "/_emulator/requests");
    const after = await readService(url);
    return {
      exit: done.code,
      requests: requests.length,
      writes: requests.filter(({ method }) => method !== "GET").length,
      revisions: after.revisions - before.revisions,
      deployments: after.deployments,
      seconds,
      words: wordsOf(done),
      output: `${done.stdout}${done.stderr}`,
    };
  } finally {
    await emulator.stop();
  }
}

async function playAll(peers, quick) {
  const plays = SITUATIONS.filter((one) => !quick || one.quick === true).flatMap((situation) =>
    peers
      .filter((peer) => situation.slow !== true || peer.waitsForLong !== true)
      .map((peer) => ({ peer, situation })),
  );
  // What waits for minutes runs in parallel with the others.
  const slow = plays.filter(({ situation }) => situation.slow).map(toResult);
  const results = [];
  for (const one of plays.filter(({ situation }) => !situation.slow))
    results.push(await toResult(one));
  return [...results, ...(await Promise.all(slow))];
}

const toResult = async ({ peer, situation }) => ({
  peer,
  situation,
  ...(await play(peer, situation)),
});

const toCell = (result) =>
  result === undefined
    ? "not run"
    : [
        `exit ${result.exit}`,
        plural(result.revisions, "revision"),
        `${plural(result.requests, "request")} (${plural(result.writes, "write")})`,
        `${result.seconds.toFixed(0)} s`,
        `${result.words} words`,
      ].join(", ");

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A column for each peer: its name and version, a cell for each situation, its limit, and when it was made. */
export function toColumns(peers, situations, results) {
  const day = new Date().toISOString().slice(0, 10);
  const find = (peer, situation) =>
    results.find((one) => one.peer === peer && one.situation === situation);
  return peers.map((peer) => [
    `\`${peer.name}\` ${peer.version}`,
    ...situations.map((situation) => toCell(find(peer, situation))),
    peer.limit,
    day,
  ]);
}

function toTable(situations, columns) {
  const names = [
    "Situation",
    ...situations.map(({ name }) => name),
    "limit of the wait",
    "made on",
  ];
  const [head, ...rows] = names.map((name, at) => [name, ...columns.map((column) => column[at])]);
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** The columns of a page's table, without those that say the situations. */
export function readColumns(table) {
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.slice(2, -2).split(" | "));
  return (rows[0] ?? []).slice(1).map((_, at) => rows.map((row) => row[at + 1]));
}

/** What a column is of, whatever its version. */
const peerOf = ([head]) => head.replace(/ [\d.]+$/, "");

/** Puts a table between its markers on the page. A peer that is not here today keeps what it had, with its day. */
export function writeTable(root, party, situations, columns) {
  const file = join(root, "contributing/compare.md");
  const [begin, end] = [`<!-- generated: ${party} -->`, "<!-- end generated -->"];
  const text = readFileSync(file, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  const kept = readColumns(text.slice(from, to)).filter(
    (old) => !columns.some((one) => peerOf(one) === peerOf(old)),
  );
  const table = toTable(situations, [...columns, ...kept]);
  const machine = `Made by \`npm run realworld -- --only ${party} --write\` with Node ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model ?? "?"}.`;
  writeFileSync(file, `${text.slice(0, from)}${begin}\n${table}\n\n${machine}\n${text.slice(to)}`);
}

/** What each situation must come to for us; the peers are reported as they are. */
const ENDS = {
  "first deploy": { exit: 0, revisions: 1 },
  "unchanged run": { exit: 0, revisions: 0 },
  "one changed field (the image)": { exit: 0, revisions: 1 },
  "a failed build": { exit: 1, revisions: 1 },
  "the answer to the create is lost": { exit: 0, revisions: 1 },
  "the run after that": { exit: 0, revisions: 0 },
  "the answer to the update is lost": { exit: 0, revisions: 1 },
  "one answer 503 while it waits": { exit: 0, revisions: 1 },
  "the revision never ends": { exit: 1, revisions: 1 },
};

/** Holds a result of ours to what it must be. */
export function checkOwn(check, name, wanted, { exit, revisions, deployments, output }) {
  check(`${name}: exit ${wanted.exit}`, (exit === 0) === (wanted.exit === 0), output);
  check(`${name}: revisions made`, revisions === wanted.revisions, `${revisions}: ${output}`);
  check(`${name}: one deployment`, deployments === 1, output);
}

async function runPeers({ root, check, quick }) {
  const own = createOwn(root);
  const terraform = await findTerraform();
  const vendors = await createTerraform(terraform, "langsmith");
  const peers = [own, await createLanggraph(), ...(vendors === null ? [] : [vendors])];
  const results = await playAll(peers, quick);
  for (const result of results.filter(({ peer }) => peer === own))
    checkOwn(check, result.situation.name, ENDS[result.situation.name], result);
  const columns = toColumns(peers, SITUATIONS, results);
  if (!quick && process.argv.includes("--write")) writeTable(root, "peers", SITUATIONS, columns);
  const { address } = PROVIDERS.langsmith;
  const skipped = vendors === null ? `; skipped: no provider ${address}` : "";
  const names = peers.map(({ name, version }) => `${name} ${version}`).join(", ");
  const count = new Set(results.map(({ situation }) => situation)).size;
  return { ran: `${names}, ${count} situations${skipped}`, table: toTable(SITUATIONS, columns) };
}

/** What npm run realworld runs. */
export const parties = [{ name: "peers", version: `langgraph-cli ${LANGGRAPH}`, run: runPeers }];
