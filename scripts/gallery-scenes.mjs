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

const QUESTIONS = [
  "How do I reset my password?",
  "Cancel my subscription, please.",
  "I was charged twice this month!!",
  "Where is my order?",
];
const GATES = "correctness drop <= 0.02\ntone drop <= 0.02\ncorrectness >= 0.7";

/** 120 rows of an evaluation; `score` says what each got. */
function results(score) {
  return Array.from({ length: 120 }, (_, at) => {
    const scores = score(at);
    const output =
      scores.correctness === 1
        ? "Sure, I can help with that: open Settings, choose Account, then follow the steps."
        : "No. Read the FAQ.";
    return JSON.stringify({
      inputs: { question: `${QUESTIONS[at % QUESTIONS.length]} (${at + 1})` },
      actual_outputs: { answer: output },
      expected_outputs: { answer: "A friendly answer with the steps." },
      run_metadata: { trace_url: `https://traces.example.com/runs/${at + 1}` },
      evaluation_scores: Object.entries(scores).map(([key, value]) => ({
        key,
        score: value,
        ...(key === "tone" && value < 0.5 ? { comment: "curt, no greeting, no steps" } : {}),
      })),
    });
  }).join("\n");
}

/** Every fourth answer got worse. */
const fallen = (at) =>
  at % 4 === 0 ? { correctness: 0, tone: 0.45 } : { correctness: 1, tone: 0.95 };

/** About every eighth answer is wrong, and the tone differs a little from run to run. */
const accepted = (run) => (at) => ({
  correctness: (at + run) % (8 + ((run * 5) % 7)) === 0 ? 0 : 1,
  tone: [0.85, 0.9, 0.95, 1][(at * 7 + run * run) % (3 + (run % 2))],
});

/** A baseline that remembers so many accepted runs. */
async function accept(stage, runs) {
  for (let run = 0; run < runs; run += 1) {
    stage.write("now.jsonl", results(accepted(run)));
    const baseline = run === 0 ? {} : { baseline: "baseline.json" };
    const end = await stage.run(
      {
        command: "gate",
        experiment: "now.jsonl",
        gate: "correctness >= 0.5",
        "write-baseline": "baseline.json",
        "accept-baseline": "true",
        ...baseline,
      },
      { GITHUB_SHA: `${(0x3b9ac2f + run * 0xf3d5b7).toString(16)}${"0".repeat(40)}`.slice(0, 40) },
    );
    if (end.code !== 0) throw new Error(`run ${run} was not accepted:\n${end.log}`);
  }
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
  "gates-failed": {
    scenario: FAST,
    play: async (stage) => {
      await accept(stage, 8);
      stage.write("now.jsonl", results(fallen));
      return stage.run({
        command: "gate",
        experiment: "now.jsonl",
        baseline: "baseline.json",
        gate: GATES,
      });
    },
  },
  "gates-passed": {
    scenario: FAST,
    play: async (stage) => {
      stage.write(
        "base.jsonl",
        results(() => ({ correctness: 1, tone: 0.95 })),
      );
      return stage.run({
        command: "gate",
        experiment: "base.jsonl",
        gate: "correctness >= 0.85\ntone >= 0.8",
      });
    },
  },
  "stopped-by-a-gate": {
    scenario: FAST,
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      stage.write(
        "base.jsonl",
        results(() => ({ correctness: 1, tone: 0.95 })),
      );
      stage.write("now.jsonl", results(fallen));
      return stage.run({ experiment: "now.jsonl", baseline: "base.jsonl", gate: GATES });
    },
  },
  "twelve-deployments": {
    scenario: {
      timeScale: 1,
      phases: PHASES.phases,
      revisions: [{ deployment: "agent-03", outcome: "build-failed", log: PIP }],
    },
    play: async (stage) => {
      const names = Array.from(
        { length: 12 },
        (_, at) => `agent-${String(at + 1).padStart(2, "0")}`,
      );
      const documents = names.map((name) => edit(AGENT, "support-agent", name));
      stage.write("agent-deploy.yml", documents.slice(5).join("---\n"));
      await stage.run();
      stage.write("agent-deploy.yml", documents.join("---\n"));
      return stage.run();
    },
  },
  "many-changes": {
    scenario: FAST,
    play: async (stage) => {
      const image = (digest, labels) => `name: search-agent
source: external_container
source_config:
  resource_spec:
    cpu: \${CPU:-1}
    labels: {${Array.from({ length: 40 }, (_, at) => ` label-${at}: ${labels}-${at}`).join(",")} }
source_revision_config:
  image_uri: registry.example.com/acme/search@sha256:${digest.repeat(64)}
secrets: []
`;
      await live(stage, image("a", "old"));
      stage.write("agent-deploy.yml", image("b", "new"));
      return stage.run({ command: "plan" }, { ...pullRequest(), CPU: "2" });
    },
  },
  "sixty-fields": {
    scenario: FAST,
    play: async (stage) => {
      const secrets = Array.from(
        { length: 53 },
        (_, at) => `  - { name: SERVICE_${at + 1}_TOKEN, value: "value-${at + 1}" }\n`,
      ).join("");
      stage.write("agent-deploy.yml", AGENT.replace(/secrets:\n[\s\S]*$/, `secrets:\n${secrets}`));
      return stage.run({ command: "plan" }, pullRequest());
    },
  },
  "three-hundred-deployments": {
    scenario: FAST,
    play: async (stage) => {
      const names = Array.from(
        { length: 300 },
        (_, at) => `agent-${String(at + 1).padStart(3, "0")}`,
      );
      const documents = names.map((name) => edit(AGENT, "support-agent", name));
      stage.write("agent-deploy.yml", documents.join("---\n"));
      await stage.run({ concurrency: "20", wait: "false" });
      const changed = documents.map((text, at) => {
        if (at % 60 === 7) return edit(text, "deployment_type: prod", "deployment_type: dev");
        return at % 9 === 0 ? edit(text, "repo_ref: main", "repo_ref: release-2") : text;
      });
      stage.write("agent-deploy.yml", changed.join("---\n"));
      return stage.run({ command: "plan" }, pullRequest());
    },
  },
  "long-log": {
    scenario: {
      ...PHASES,
      revisions: [
        {
          revision: 2,
          outcome: "build-failed",
          log: Array.from({ length: 10_000 }, (_, at) =>
            at === 9_700
              ? "npm error ERESOLVE could not resolve: peer react@18 from acme-widgets@3.1.0"
              : `#12 ${(at / 100).toFixed(2)} Downloading layer ${at} of the base image, ${at * 17} bytes so far, no end in sight`,
          ),
        },
      ],
    },
    play: async (stage) => {
      await live(stage);
      stage.write("agent-deploy.yml", NEXT);
      return stage.run();
    },
  },
};
