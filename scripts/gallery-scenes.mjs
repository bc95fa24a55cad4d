// The states that a report can have, each as the run that leads to it.

const AGENT = `name: support-agent
source: repohost
source_config:
  repo_url: https://git.example.com/acme/agents
  deployment_type: prod
  build_on_push: false
source_revision_config:
  repo_ref: main
  graph_config_path: graphs/support.json
secrets:
  - { name: OPENAI_API_KEY, value: "\${OPENAI_API_KEY:-first}" }
  - { name: OLD_KEY, value: "\${OLD_KEY:-old}" }
`;
const NEXT = AGENT.replace("repo_ref: main", "repo_ref: release-2");
const edit = (text, from, to) => {
  if (!text.includes(from)) throw new Error(`the spec does not hold ${from}`);
  return text.replace(from, () => to);
};

const PHASES = {
  timeScale: 1,
  phases: {
    CREATING: 100,
    QUEUED: 200,
    AWAITING_BUILD: 100,
    BUILDING: 3000,
    AWAITING_DEPLOY: 100,
    DEPLOYING: 900,
  },
};
const FAST = { timeScale: 1 };

const PIP = [
  "#12 [builder 4/7] RUN pip install -r requirements.txt",
  ...Array.from(
    { length: 14 },
    (_, at) => `  Downloading dep_${at + 16}-1.${at}.0-py3-none-any.whl (69 kB)`,
  ),
  "ERROR: Could not find a version that satisfies the requirement langfoo==9.9 (from versions: 1.0, 1.1, 2.0)",
  "ERROR: No matching distribution found for langfoo==9.9",
  "The command '/bin/sh -c pip install -r requirements.txt' returned a non-zero code: 1",
];

const pullRequest = (number = 12) => ({
  GITHUB_EVENT_NAME: "pull_request",
  GITHUB_REF: `refs/pull/${number}/merge`,
  GITHUB_BASE_REF: "main",
  event: {
    pull_request: {
      number,
      head: { sha: "c0ffee1".padEnd(40, "0"), repo: { full_name: "acme/agents" } },
      base: { ref: "main" },
      user: { login: "octo" },
    },
  },
});

/** Applies the first spec, so that the scene's own run finds something live. */
async function live(stage, spec = AGENT) {
  stage.write("agent-deploy.yml", spec);
  const run = await stage.run();
  if (run.code !== 0) throw new Error(`the first run failed:\n${run.log}`);
  return stage;
}

const CHANGED = edit(
  edit(NEXT, "build_on_push: false", "build_on_push: true"),
  '- { name: OLD_KEY, value: "${OLD_KEY:-old}" }',
  '- { name: NEW_KEY, value: "new" }',
).replace("first", "second");

export const SCENES = {
  plan: {
    scenario: FAST,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", CHANGED);
      return stage.run({ command: "plan" }, pullRequest());
    },
  },
  created: {
    scenario: PHASES,
    play: async (stage) => {
      stage.write("agent-deploy.yml", AGENT);
      return stage.run();
    },
  },
  unchanged: {
    scenario: FAST,
    play: async (stage) => (await live(stage)).run(),
  },
  updated: {
    scenario: PHASES,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", CHANGED);
      return stage.run();
    },
  },
  "in-place": {
    scenario: FAST,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", edit(AGENT, "build_on_push: false", "build_on_push: true"));
      return stage.run();
    },
  },
  "failed-build": {
    scenario: { ...PHASES, revisions: [{ revision: 2, outcome: "build-failed", log: PIP }] },
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run();
    },
  },
  "rolled-back": {
    scenario: { ...FAST, redeploy: "new-revision" },
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run({
        "on-failure": "rollback",
        verify: 'echo "> smoke"; echo "GET /ok 502"; echo "Error: expected 200, got 502"; exit 1',
      });
    },
  },
  "rollback-failed": {
    scenario: {
      ...FAST,
      redeploy: "new-revision",
      revisions: [
        { revision: 2, outcome: "deploy-failed" },
        { revision: 3, outcome: "deploy-failed" },
      ],
    },
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run({ "on-failure": "rollback" });
    },
  },
  "verify-failed": {
    scenario: FAST,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run({ verify: 'echo "Error: expected 200, got 502"; exit 1' });
    },
  },
  "timed-out": {
    scenario: { ...FAST, revisions: [{ revision: 2, outcome: "stuck" }] },
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run({ timeout: "2s" });
    },
  },
  superseded: {
    scenario: { ...FAST, revisions: [{ revision: 2, outcome: "skipped" }] },
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run();
    },
  },
  cancelled: {
    scenario: PHASES,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      const run = stage.start();
      await run.until(/BUILDING/);
      run.kill("SIGINT");
      return run.done;
    },
  },
  blocked: {
    scenario: FAST,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", edit(AGENT, "deployment_type: prod", "deployment_type: dev"));
      return stage.run({ command: "plan" }, pullRequest());
    },
  },
  fork: {
    scenario: FAST,
    play: async (stage) => {
      stage.write("agent-deploy.yml", AGENT);
      const run = pullRequest();
      run.event.pull_request.head.repo.full_name = "stranger/agents";
      return stage.run({ command: "auto", "api-key": "" }, run);
    },
  },
  "spec-errors": {
    scenario: FAST,
    play: async (stage) => {
      stage.write("agent-deploy.yml", edit(AGENT, "repo_ref: main", "repo_reff: main"));
      return stage.run({ command: "plan" }, pullRequest());
    },
  },
  unauthorized: {
    scenario: { ...FAST, apiKeys: ["another"] },
    play: async (stage) => {
      stage.write("agent-deploy.yml", AGENT);
      return stage.run({ command: "plan" }, pullRequest());
    },
  },
};
