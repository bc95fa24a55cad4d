// Every workflow of examples/workflows in a runner that nobody here wrote: act, in host mode,
// against the emulator and a GitHub API of others.
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import {
  commitAll,
  createOwnRepository,
  createRepository,
  createRunner,
  pullRequest,
  push,
  SECRETS,
  startGithub,
  toWorkflow,
  writeFiles,
} from "./act-runner.mjs";
import { answersOf } from "./answers.mjs";
import { call, startEmulator } from "./emulator-client.mjs";
import { goProgram } from "./toolbox.mjs";

const ACT = "v0.2.89";
const imageOf = (digit) => `registry.example.com/acme/search@sha256:${digit.repeat(64)}`;
const specOf = (name, cpu = 1) => `name: ${name}
source: external_container
source_config: { resource_spec: { cpu: ${cpu} } }
source_revision_config: { image_uri: "${imageOf("a")}" }
secrets: [OPENAI_API_KEY]
`;
const withoutSecrets = (spec) => spec.replace("secrets: [OPENAI_API_KEY]\n", "secrets: []\n");

const evals = (wrong) => ({
  "evals/run.sh": 'cat "$(dirname "$0")/answers.jsonl"\n',
  "evals/answers.jsonl": answersOf(wrong),
});

/** plan on a pull request, deploy on a push, nothing to do on the next one. */
async function deploy({ check, open, runIn, github, live }) {
  const folder = open("deploy.yml", { "agent-deploy.yml": specOf("support-agent") });
  const planned = await runIn(folder, "pull_request", pullRequest(folder));
  check("a pull request plans", planned.outcomes[0] === "planned", planned.text);
  check("a plan writes nothing", (await live()).length === 0);
  const [comment] = await github.comments();
  check("the comment exists", comment?.body.includes("support-agent"), planned.text);
  check("its address is an output", /^http/.test(planned.outputs("comment-url")[0]), planned.text);
  const deployed = await runIn(folder, "push", push);
  check("a push deploys", deployed.outcomes[0] === "deployed", deployed.text);
  const found = await live();
  check("the deployment is there", found.length === 1);
  const [secret] = found[0]?.secrets ?? [];
  check("a secret of the repository arrives", secret?.value === SECRETS.OPENAI_API_KEY, secret);
  check("the Action masks what it knows itself", /⚙ +\*\*\*/.test(deployed.text), deployed.text);
  check("the runner reads the summary", /Summary - ###/.test(deployed.text), deployed.text);
  check("the post step runs", /Success - Post/.test(deployed.text), deployed.text);
  const again = await runIn(folder, "push", push);
  check("a second push has nothing to do", again.outcomes[0] === "unchanged", again.text);
  writeFiles(folder, { "agent-deploy.yml": specOf("support-agent").replace("cpu:", "cqu:") });
  const wrong = await runIn(folder, "push", push);
  const annotation = /::error.*file=agent-deploy\.yml.*line=3.*did you mean/s.test(wrong.text);
  check("the runner reads an error of the spec with its line", annotation, wrong.text);
  check("a wrong spec is red", wrong.code !== 0);
}

/** A matrix from an output, a job per deployment, one required job at the end. */
async function fanOut({ check, open, runIn, live }) {
  const names = ["search-agent", "ranker-agent", "router-agent"];
  const files = names.map((name) => [`agents/${name}.yml`, withoutSecrets(specOf(name))]);
  const folder = open("fan-out.yml", Object.fromEntries(files));
  const ran = await runIn(folder, "push", push);
  const deployed = (await live()).map(({ name }) => name);
  for (const name of names)
    check(`${name} is deployed by its own leg`, deployed.includes(name), ran.text);
  check("the last job reports them all", ran.outcomes.at(-1) === "deployed", ran.text);
  check("the run is green", ran.code === 0, ran.text);
  const again = await runIn(folder, "push", push);
  check("a second push starts no leg", !/apply search-agent/.test(again.text), again.text);
  check("and is green", again.code === 0, again.text);
}

/** Outputs of a job used by a later one; the plan that was shown is the one that is applied. */
async function promote({ check, open, runIn, root }) {
  const specs = (name) => readFileSync(join(root, "examples/specs", name), "utf8");
  const folder = open("promote.yml", {
    "deploy/staging.yml": specs("staging.yml"),
    "deploy/production.yml": specs("production.yml"),
  });
  const first = await runIn(folder, "push", push, { vars: { IMAGE: imageOf("a") } });
  check(
    "staging, plan, production",
    first.outcomes.join() === "deployed,planned,deployed",
    first.text,
  );
  const again = await runIn(folder, "push", push, { vars: { IMAGE: imageOf("a") } });
  check(
    "no production without a change",
    again.outcomes.join() === "unchanged,unchanged",
    again.text,
  );
}

/** A deployment for a pull request, gone when it is closed. */
async function preview({ check, open, runIn, root, live }) {
  for (const [name, opened, closed] of [
    ["preview.yml", { action: "opened" }, { action: "closed" }],
    [
      "preview-label.yml",
      { action: "labeled", pull_request: { labels: [{ name: "preview" }] } },
      { action: "unlabeled", label: { name: "preview" } },
    ],
  ]) {
    const spec = readFileSync(join(root, "examples/specs/preview.yml"), "utf8");
    const folder = open(name, { "deploy/preview.yml": spec });
    const made = await runIn(folder, "pull_request", pullRequest(folder, opened));
    check(`${name}: deploys`, made.outcomes[0] === "deployed", made.text);
    const found = (await live()).some((one) => one.name === "support-agent-pr-1");
    check(`${name}: under the number of the pull request`, found, made.text);
    const gone = await runIn(folder, "pull_request", pullRequest(folder, closed));
    check(`${name}: deletes`, gone.code === 0 && gone.outcomes.length === 1, gone.text);
    const left = (await live()).filter((one) => one.status !== "AWAITING_DELETE");
    check(`${name}: nothing is left`, left.length === 0, gone.text);
  }
}

/** Red when somebody changed a deployment by hand. */
async function drift({ check, open, runIn, live, url }) {
  const spec = withoutSecrets(specOf("support-agent"));
  const apply = open("deploy.yml", { "agent-deploy.yml": spec });
  await runIn(apply, "push", push);
  const folder = open("drift.yml", { "agent-deploy.yml": spec });
  const same = await runIn(folder, "schedule", { repository: push.repository });
  check("green while nothing has changed", same.code === 0, same.text);
  const [{ id }] = await live();
  await call(url, "PATCH", `/v2/deployments/${id}`, {
    source_config: { resource_spec: { cpu: 3 } },
  });
  const changed = await runIn(folder, "schedule", { repository: push.repository });
  check("red after a change by hand", changed.code !== 0, changed.text);
}

/** By hand: what was active before is redeployed. */
async function rollback({ check, open, runIn, requests, url, live }) {
  const spec = withoutSecrets(specOf("back-agent"));
  const deployed = open("deploy.yml", { "agent-deploy.yml": spec });
  await runIn(deployed, "push", push);
  const [{ id }] = await live();
  await call(url, "PATCH", `/v2/deployments/${id}`, {
    source_config: { resource_spec: { cpu: 3 } },
  });
  const folder = open("rollback.yml", { "agent-deploy.yml": spec });
  const ran = await runIn(folder, "workflow_dispatch", { ...push, inputs: {} });
  const redeploys = (await requests()).filter(({ path }) => path.endsWith("/redeploy"));
  check("redeploys what was active before", ran.code === 0 && redeploys.length === 1, ran.text);
}

/** The gate by itself, on a pull request. */
async function evalGate({ check, open, runIn }) {
  const judge = (wrong) => {
    const script = `cat <<'ROWS'\n${answersOf(wrong)}ROWS\n`;
    const folder = open("eval-gate.yml", { "evals/run.sh": script });
    return runIn(folder, "pull_request", { repository: push.repository, number: 7 });
  };
  const good = await judge(0);
  check("green where every answer is right", good.code === 0, good.text);
  const bad = await judge(20);
  check(
    "red where half are wrong, by the gate",
    bad.code !== 0 && /correctness/.test(bad.text),
    bad.text,
  );
}

/** A message to a chat with the outputs of the deploy, and none where nothing changed. */
async function notify({ check, open, runIn }) {
  const posts = [];
  const chat = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece) => (body += piece));
    request.on("end", () => {
      posts.push(body);
      response.end();
    });
  });
  await once(chat.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (chat.address());
  const hook = ["-s", `CHAT_WEBHOOK=http://127.0.0.1:${port}/hook`];
  try {
    const spec = withoutSecrets(specOf("talking-agent"));
    const folder = open("notify.yml", { "agent-deploy.yml": spec });
    const first = await runIn(folder, "push", push, { flags: hook });
    check("deploys", first.outcomes[0] === "deployed", first.text);
    const { text } = JSON.parse(posts[0] ?? "{}");
    check(
      "the chat gets the outcome",
      text?.startsWith("deployed: https://github.com/acme/agents/actions/runs/"),
      text,
    );
    const again = await runIn(folder, "push", push, { flags: hook });
    check("an unchanged run is silent", posts.length === 1 && again.code === 0, again.text);
    writeFiles(folder, { "agent-deploy.yml": spec.replace("cpu:", "cqu:") });
    const wrong = await runIn(folder, "push", push, { flags: hook });
    check("a red run posts too", wrong.code !== 0 && posts[1]?.includes("failed"), wrong.text);
  } finally {
    chat.close();
  }
}

/** Another repository calls the shared workflow: gate, plan on a pull request, deploy on a push. */
async function shared({ check, open, runIn, read, live }) {
  const caller = `name: caller
on: { pull_request: {}, push: { branches: [main] } }
permissions: { contents: read, pull-requests: write }
jobs:
  agent:
    uses: ./.github/workflows/shared.yml
    with: { gates: "correctness >= 0.8" }
    secrets: inherit
`;
  const spec = specOf("shared-agent");
  const files = { ".github/workflows/shared.yml": read("shared.yml"), "agent-deploy.yml": spec };
  const folder = open(null, { ...files, ...evals(1) }, {}, caller);
  const at = { flags: ["-W", ".github/workflows/it.yml"] };
  const planned = await runIn(folder, "pull_request", pullRequest(folder), at);
  check("a pull request plans", planned.outcomes.at(-1) === "planned", planned.text);
  check("and writes nothing", (await live()).length === 0, planned.text);
  const deployed = await runIn(folder, "push", push, at);
  check("a push deploys", deployed.outcomes.at(-1) === "deployed", deployed.text);
  check("with the caller's secret", (await live())[0]?.secrets.length === 1, deployed.text);
  writeFiles(folder, { "agent-deploy.yml": spec.replace("cpu: 1", "cpu: 2"), ...evals(30) });
  const bad = await runIn(folder, "push", push, at);
  check("a failed gate is red", bad.code !== 0, bad.text);
  check("and deploys nothing", bad.outcomes.length === 0, bad.text);
}

/** Evals against the fresh revision, in the same step and in a later one; a failed gate rolls back. */
async function evalsAfter({ check, open, runIn, requests }) {
  for (const name of ["evals-after.yml", "evals-later.yml"]) {
    const spec = withoutSecrets(specOf(name.replace(".yml", "")));
    const folder = open(name, { "agent-deploy.yml": spec, ...evals(1) });
    const good = await runIn(folder, "push", push);
    check(`${name}: good results pass`, good.code === 0, good.text);
    check(`${name}: the verdict is an output`, good.outputs("gate-verdict").includes("pass"));
    writeFiles(folder, { "agent-deploy.yml": spec.replace("cpu: 1", "cpu: 2"), ...evals(30) });
    const bad = await runIn(folder, "push", push);
    check(`${name}: bad results are red`, bad.code !== 0, bad.text);
    check(`${name}: the gate said so`, bad.outputs("gate-verdict").includes("fail"), bad.text);
    const last = (await requests()).filter(({ method }) => method !== "GET").at(-1);
    check(`${name}: it rolls back`, /\/redeploy$/.test(last?.path), bad.text);
  }
}

/** Gates before the deploy: on a pull request, on a push, and the acceptance of a baseline by hand. */
async function gate({ check, open, runIn, root, live }) {
  const gates = readFileSync(join(root, "examples/evals/gates.yml"), "utf8");
  const spec = withoutSecrets(specOf("gated-agent"));
  const files = { "agent-deploy.yml": spec, "evals/gates.yml": gates, ...evals(2) };
  const folder = open("gate.yml", files);
  const bare = await runIn(folder, "push", push);
  check("blocked while there is no baseline", bare.outcomes[0] === "blocked", bare.text);
  check("and nothing is deployed", (await live()).length === 0);
  const accepted = await runIn(folder, "workflow_dispatch", { repository: push.repository });
  const baseline = join(accepted.artifacts, "baseline/baseline.json");
  check("a baseline is accepted by hand", existsSync(baseline), accepted.text);
  cpSync(baseline, join(folder, "evals/baseline.json"));
  commitAll(folder, "accept the baseline");
  const good = await runIn(folder, "push", push);
  check("what is as good is deployed", good.outcomes[0] === "deployed", good.text);
  writeFiles(folder, evals(25));
  const worse = await runIn(folder, "pull_request", pullRequest(folder));
  check("what is worse is red on its pull request", worse.code !== 0, worse.text);
  check(
    "with the verdict as an output",
    worse.outputs("gate-verdict").includes("fail"),
    worse.text,
  );
}

/** The image that the same job built, by its digest. Docker is a stand-in. */
async function image({ check, open, runIn, root, live }) {
  const spec = readFileSync(join(root, "examples/specs/production.yml"), "utf8");
  const docker = `#!/bin/sh\ncase "$1" in login) cat > /dev/null ;; image) echo ${imageOf("b")} ;; esac\n`;
  const folder = open("image.yml", { "deploy/production.yml": spec, "bin/docker": docker });
  const env = { PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}` };
  const first = await runIn(folder, "push", push, { env });
  check("the digest is deployed", first.outcomes[0] === "deployed", first.text);
  const [one] = await live();
  check("and live", one?.source_revision_config.image_uri === imageOf("b"), JSON.stringify(one));
  const again = await runIn(folder, "push", push, { env });
  check("the same digest is no change", again.outcomes[0] === "unchanged", again.text);
}

/** An emulator in the background of a job, and any key. */
async function emulatorInJob({ check, open, runIn }) {
  const folder = open(
    "emulator.yml",
    { "agent-deploy.yml": withoutSecrets(specOf("tried-agent")) },
    { "poll-interval": "20ms" },
  );
  const ran = await runIn(folder, "pull_request", pullRequest(folder));
  check("deploys, then finds no drift", ran.outcomes.join() === "deployed,unchanged", ran.text);
  check("`if: always()` stops it", /Success - Main kill/.test(ran.text), ran.text);
}

async function selfHosted({ check, open, runIn, url }) {
  const folder = open(
    "self-hosted.yml",
    { "agent-deploy.yml": withoutSecrets(specOf("inside-agent")) },
    { "poll-interval": "20ms" },
  );
  const vars = { AGENT_DEPLOY_CONTROL_PLANE_URL: `${url}/api-host`, CA_FILE: "" };
  const ran = await runIn(folder, "push", push, { vars });
  check("reaches the address of a variable", ran.outcomes[0] === "deployed", ran.text);
}

/**
 * `uses: ./`, with what no example has: a later job that reads outputs, `if: always()` after a
 * failure, the emulator as a step.
 */
async function local({ check, open, runIn, root, url }) {
  const deployYml = readFileSync(join(root, "examples/workflows/deploy.yml"), "utf8");
  const [CHECKOUT] = /actions\/checkout@\w+/.exec(deployYml) ?? [];
  const workflow = `name: local
on: push
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      id: \${{ steps.apply.outputs.deployment-id }}
      again: \${{ steps.again.outputs.outcome }}
    steps:
      - uses: ${CHECKOUT}
      - id: apply
        uses: ./
        with: { command: apply, spec: it.yml, control-plane-url: "${url}", api-key: "\${{ secrets.AGENT_DEPLOY_API_KEY }}" }
      - id: again
        uses: ./
        with: { command: plan, spec: it.yml, control-plane-url: "${url}", api-key: "\${{ secrets.AGENT_DEPLOY_API_KEY }}" }
      - uses: ./
        with: { command: validate, spec: absent.yml }
      - if: always()
        env: { ID: "\${{ steps.apply.outputs.deployment-id }}" }
        run: echo "always saw $ID"
  second:
    needs: first
    if: always()
    runs-on: ubuntu-latest
    steps:
      - uses: ${CHECKOUT}
      - env: { ID: "\${{ needs.first.outputs.id }}", AGAIN: "\${{ needs.first.outputs.again }}" }
        run: echo "later job saw $ID $AGAIN"
      - id: service
        uses: ./
        with: { command: emulator }
      - uses: ./
        with: { command: apply, spec: it.yml, control-plane-url: "\${{ steps.service.outputs.url }}", api-key: any }
`;
  const files = { "it.yml": withoutSecrets(specOf("local-agent")) };
  const folder = open(null, files, {}, workflow);
  for (const name of ["action.yml", "dist", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  commitAll(folder, "the action");
  const ran = await runIn(folder, "push", push);
  const id = ran.outputs("deployment-id")[0];
  check("a later step reads outputs", ran.text.includes(`always saw ${id}`), ran.text);
  check(
    "a later job reads outputs, after a failure too",
    ran.text.includes(`later job saw ${id} unchanged`),
    ran.text,
  );
  check("a missing spec is red", ran.code !== 0, ran.text);
  const [service] = ran.outputs("url").filter((one) => one.startsWith("http://127.0.0.1"));
  check(
    "the emulator is a step",
    service !== undefined && ran.outcomes.at(-1) === "deployed",
    ran.text,
  );
  const gone = await fetch(service ?? "http://127.0.0.1:9").then(
    () => false,
    () => true,
  );
  check("and its post step stops it", gone, ran.text);
}

/** A cancel while the deployment is being waited for: what the service was sent is known afterwards. */
async function cancel({ check, open, runIn, live, url }) {
  await call(url, "POST", "/_emulator/revisions", {
    deployment: "slow-agent",
    outcome: "stuck",
    at: "DEPLOYING",
  });
  const folder = open("deploy.yml", { "agent-deploy.yml": withoutSecrets(specOf("slow-agent")) });
  const ran = await runIn(folder, "push", push, { interruptAt: "DEPLOYING" });
  const [one] = await live();
  check("the job is red", ran.code !== 0, ran.text);
  check("the revision goes on", one?.name === "slow-agent", JSON.stringify(one));
  check("its id was printed", ran.text.includes(one?.latest_revision_id), ran.text);
}

/**
 * Our own workflows: act reads each, and runs the leg of ci.yml that takes the least; the other jobs
 * take too long here or publish something.
 */
async function ownWorkflows({ check, runIn, root }) {
  const folder = createOwnRepository(root);
  const at = (name) => ["-W", join(".github/workflows", name)];
  for (const [name, event, job] of [
    ["ci.yml", "pull_request", "realworld"],
    ["nightly.yml", "schedule", "fuzz"],
    ["release.yml", "push", "publish"],
  ]) {
    const read = await runIn(folder, event, push, { flags: [...at(name), "--list"] });
    check(`${name} is read`, read.code === 0, read.text);
    check(`with its job ${job}`, new RegExp(`^\\d+ +${job} `, "m").test(read.text), read.text);
  }
  const leg = ["-j", "others", "--matrix", "os:windows-latest"];
  const ran = await runIn(folder, "push", push, {
    flags: [...at("ci.yml"), ...leg, "-P", "windows-latest=-self-hosted"],
    minutes: 25,
  });
  check("the leg is green", ran.code === 0, ran.text);
  for (const step of ["npm ci", "npm run typecheck", "npm test", "node dist/cli.js demo"])
    check(`it runs ${step}`, ran.text.includes(`Success - Main ${step}`), ran.text);
}

const JOURNEYS = [
  { name: "deploy.yml", run: deploy, quick: true },
  { name: "fan-out.yml", run: fanOut, quick: true },
  { name: "promote.yml", run: promote },
  { name: "preview.yml, preview-label.yml", run: preview },
  { name: "drift.yml", run: drift },
  { name: "evals-after.yml, evals-later.yml", run: evalsAfter },
  { name: "gate.yml", run: gate },
  { name: "eval-gate.yml", run: evalGate },
  { name: "rollback.yml", run: rollback },
  { name: "notify.yml", run: notify },
  { name: "shared.yml", run: shared },
  { name: "image.yml", run: image },
  { name: "emulator.yml", run: emulatorInJob },
  { name: "self-hosted.yml", run: selfHosted },
  { name: "uses: ./", run: local, quick: true },
  { name: "cancel", run: cancel, quick: true },
  { name: "our own workflows", run: ownWorkflows },
];

/** One journey with an emulator of its own. */
async function travel(journey, { root, act, github, check }) {
  const emulator = await startEmulator({ limits: "off", timeScale: 2 });
  const shown = [];
  const run = createRunner({ act, root, github: github.url });
  const read = (name, inputs) =>
    toWorkflow(
      readFileSync(join(root, "examples/workflows", name), "utf8"),
      inputs ?? { "control-plane-url": emulator.url, "poll-interval": "20ms" },
    );
  try {
    await journey.run({
      root,
      github,
      url: emulator.url,
      check: (what, ...rest) => check(`${journey.name}: ${what}`, ...rest),
      read,
      open: (name, files, inputs, text) => createRepository(text ?? read(name, inputs), files),
      /** @param {Parameters<typeof run>} given */
      runIn: async (...given) => {
        const ran = await run(...given);
        shown.push(ran.text);
        return ran;
      },
      live: async () => (await call(emulator.url, "GET", "/v2/deployments")).body.resources,
      requests: async () => (await call(emulator.url, "GET", "/_emulator/requests")).body,
    });
    // The runner masks its own log, but not what is posted.
    shown.push(JSON.stringify(await github.comments()));
    const leaked = Object.values(SECRETS).filter((value) => shown.join("\n").includes(value));
    check(`${journey.name}: no secret is shown`, leaked.length === 0, leaked.length);
  } finally {
    await emulator.stop();
  }
}

async function runAct({ root, check, quick }) {
  const act = await goProgram("github.com/nektos/act", ACT);
  const covered = JOURNEYS.map(({ name }) => name).join(", ");
  for (const name of readdirSync(join(root, "examples/workflows")))
    check(`${name} has a journey`, covered.includes(name));
  const only = process.env.ACT_JOURNEY;
  const journeys = JOURNEYS.filter((journey) => quick !== true || journey.quick === true).filter(
    ({ name }) => only === undefined || name === only,
  );
  for (const journey of journeys) {
    const github = await startGithub();
    try {
      await travel(journey, { root, act, github, check });
    } catch (error) {
      check(`${journey.name}: runs to its end`, false, error.stack);
    } finally {
      await github.stop();
    }
  }
  return `${journeys.map(({ name }) => name).join(", ")} (checkout, artifacts and docker are stubs)`;
}

export const parties = [{ name: "act", version: ACT, run: runAct }];
