import { describe, expect, test } from "@jest/globals";
import { judgeTrust } from "../../src/ci/trust.ts";
import { readRunContext } from "../../src/ci/context.ts";
import { CONTAINER, createDeployed, createStage, expectEnd } from "../scenarios/stage.ts";
import { createTree } from "../support/tree.ts";
import { runAction } from "../support/action-run.ts";

const target = (full_name: string): { name: string; payload: unknown } => ({
  name: "pull_request_target",
  payload: {
    number: 7,
    pull_request: {
      number: 7,
      head: { sha: "2".repeat(40), repo: { full_name } },
      base: { ref: "main" },
    },
  },
});
const workflowRun = (full_name: string): { name: string; payload: unknown } => ({
  name: "workflow_run",
  payload: {
    workflow_run: { head_sha: "2".repeat(40), head_repository: { full_name }, pull_requests: [] },
  },
});
const ROWS = JSON.stringify(
  Array.from({ length: 3 }, (_, n) => ({
    inputs: { q: n },
    actual_outputs: { a: n },
    evaluation_scores: [{ key: "m", score: 0 }],
  })),
);
const comment = {
  name: "issue_comment",
  payload: {
    issue: { number: 7, pull_request: {} },
    comment: { body: "/deploy", author_association: "NONE" },
  },
};
const EVENTS = [
  ["pull_request_target", target("stranger/agents")],
  ["workflow_run", workflowRun("stranger/agents")],
  [
    "pull_request_target of a deleted fork",
    { name: "pull_request_target", payload: { pull_request: { head: { repo: null } } } },
  ],
] as const;

describe.each(EVENTS)("%s with a stranger's head and the job's secrets", (_, event) => {
  test("blocks apply without writes, and says why", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(CONTAINER.replace("max_scale: 3", "max_scale: 9"));
    const run = await stage.run({ command: "apply" }, { event });
    expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
    expect(run.stdout).toMatch(
      /on the head of a fork: nothing is interpolated, verified or written \(allow-untrusted: true trusts it\)/,
    );
    expect(stage.writes()).toEqual([]);
  });
});

test.each(["plan", "apply"])(
  "%s does not show a stranger a live secret that the spec declares as a variable",
  async (command) => {
    const secrets = {
      DB_PASSWORD: "correct horse battery",
      WEBHOOK: "https://hooks.example/T0/B0",
    };
    const listed = Object.entries(secrets).map(
      ([name, value]) => `  - { name: ${name}, value: "${value}" }`,
    );
    const own = CONTAINER.slice(0, CONTAINER.indexOf("secrets:"));
    const stage = await createDeployed(`${own}secrets:\n${listed.join("\n")}\n`);
    stage.spec(`${own}variables: { DB_PASSWORD: x, WEBHOOK: y }\n`);
    const run = await stage.run({ command }, { event: target("stranger/agents") });
    const log = run.stdout.replaceAll(/^::add-mask::.*$/gm, "");
    const told = [log, run.summary, ...Object.values(run.outputs)].join("\n");
    expect(told).toMatch(/variables\.WEBHOOK +\(old value\) → y/);
    for (const value of Object.values(secrets)) expect(told).not.toContain(value);
  },
);

test("a comment on a pull request deploys nothing, since it does not say whose code was checked out", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(
    `${CONTAINER.replace("max_scale: 3", "max_scale: 9")}deploy:\n  verify: touch ran.txt\n`,
  );
  const run = await stage.run({ command: "apply" }, { event: comment });
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(run.stdout).toContain(
    "issue_comment runs with secrets and does not say whose code was checked out",
  );
  expect([stage.writes(), stage.workspace.has("ran.txt")]).toEqual([[], false]);
});

describe("a stranger's spec under pull_request_target", () => {
  const event = target("stranger/agents");

  test("reads nothing from the environment, by reference or by a secret's name, and runs no verify", async () => {
    const stage = await createStage(CONTAINER.replace("value: first-value", 'value: "${GRABBED}"'));
    const refused = await stage.run(
      { command: "auto" },
      { event, env: { GRABBED: "do-not-take" } },
    );
    expectEnd(refused, { outcome: "failed" }, 1);
    expect(refused.stdout).toContain("${GRABBED} is refused");
    stage.spec(
      `${CONTAINER.replace("- { name: API_TOKEN, value: first-value }", "- GRABBED")}deploy:\n  verify: touch ran.txt\n`,
    );
    for (const command of ["auto", "apply", "plan"]) {
      const run = await stage.run(
        { command, verify: "touch ran.txt", force: "true" },
        { event, env: { GRABBED: "do-not-take" } },
      );
      expect(JSON.stringify([run.stdout, run.outputs, run.summary])).not.toContain("do-not-take");
    }
    expect(stage.writes()).toEqual([]);
    expect(stage.workspace.has("ran.txt")).toBe(false);
  });

  test("writes nothing in redeploy, destroy, upload and a later rollback", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.workspace.write("rows.json", ROWS);
    const { id, active_revision_id: revision } = await stage.live();
    const inputs = [
      { command: "redeploy" },
      { command: "redeploy", "deployment-id": id },
      { command: "destroy", confirm: "search-agent" },
      { command: "upload", experiment: "rows.json" },
      {
        command: "gate",
        experiment: "rows.json",
        gate: "m >= 0.9",
        "on-failure": "rollback",
        "deployment-id": id,
        "revision-id": revision,
        "previous-revision-id": revision,
      },
    ];
    for (const given of inputs) {
      const run = await stage.run(given, { event });
      expectEnd(run, { outcome: "failed", changed: "false" }, 1);
      expect(run.stdout).toContain("on the head of a fork");
    }
    expect(stage.writes()).toEqual([]);
  });

  test("is trusted only with allow-untrusted: true", async () => {
    const stage = await createStage(CONTAINER.replace("value: first-value", 'value: "${TOKEN}"'));
    expectEnd(
      await stage.run(
        { command: "apply", "allow-untrusted": "true", verify: "touch ran.txt" },
        { event, env: { TOKEN: "x" } },
      ),
      { outcome: "deployed" },
    );
    expect(stage.workspace.has("ran.txt")).toBe(true);
  });
});

test("the command line in a workflow follows the same rules as the Action", async () => {
  const stage = await createStage(CONTAINER.replace("value: first-value", 'value: "${GRABBED}"'));
  const github = {
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/agents",
    GRABBED: "do-not-take",
  };
  const on = ({ name, payload }: { name: string; payload?: unknown }): Record<string, string> => ({
    ...github,
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: stage.workspace.write(`${name}.json`, JSON.stringify(payload)),
  });
  const refused = await stage.cli(["apply"], on(target("stranger/agents")));
  expect([refused.code, refused.stderr + refused.stdout]).toEqual([
    2,
    expect.stringContaining("${GRABBED} is refused"),
  ]);
  const skipped = await stage.cli(["apply"], {
    ...on({ ...target("stranger/agents"), name: "pull_request" }),
    AGENT_DEPLOY_API_KEY: "",
  });
  expect([skipped.code, skipped.stderr + skipped.stdout]).toEqual([
    0,
    expect.stringContaining("a pull request from a fork gets no secrets"),
  ]);
  expect(stage.writes()).toEqual([]);
});

test("pull_request_target of a branch of the same repository is trusted", () => {
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_NAME: "pull_request_target",
    GITHUB_REPOSITORY: "acme/agents",
  };
  expect(judgeTrust(readRunContext(env, target("Acme/Agents").payload), false)).toEqual({
    state: "trusted",
  });
});

test("validate and gate need no key, on a fork's pull request or elsewhere", async () => {
  const workspace = createTree({ "agent-deploy.yml": CONTAINER, "rows.json": ROWS });
  const fork = {
    name: "pull_request",
    payload: {
      number: 7,
      pull_request: {
        number: 7,
        head: { sha: "2".repeat(40), repo: { full_name: "stranger/agents" } },
      },
    },
  };
  for (const event of [fork, { name: "push" }]) {
    expectEnd(await runAction({ command: "validate", "api-key": "" }, { workspace, event }), {
      outcome: "unchanged",
    });
    expectEnd(
      await runAction(
        { command: "gate", "api-key": "", experiment: "rows.json", gate: "m <= 0.9" },
        { workspace, event },
      ),
      { "gate-verdict": "pass" },
    );
  }
});

test("an upload on a fork's pull request without a key is skipped with the reason, and passes", async () => {
  const workspace = createTree({ "rows.json": ROWS });
  const run = await runAction(
    { command: "upload", "api-key": "", experiment: "rows.json" },
    {
      workspace,
      event: {
        name: "pull_request",
        payload: {
          number: 7,
          pull_request: { number: 7, head: { repo: { full_name: "stranger/agents" } } },
        },
      },
    },
  );
  expectEnd(run, { outcome: "skipped" });
  expect(run.summary).toContain("a pull request from a fork gets no secrets");
});
