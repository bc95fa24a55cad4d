import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { maskLive } from "../../src/ci/live-secrets.ts";
import { createBodyPrinter } from "../../src/ci/printed-text.ts";
import type { Session } from "../../src/ci/session.ts";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { createShell } from "../../src/ci/shell.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import { toLogTail } from "../../src/service/replies.ts";
import { startFakeGithub, type FakeGithub } from "../host/fake-github.ts";
import { pullRequestRun } from "../host/pull-request-run.ts";
import { createStage, expectEnd, type Stage } from "../scenarios/stage.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { shownLog } from "../support/leak-guard.ts";
import { leaks, sinksOf } from "./secret-forms.ts";

const PEM =
  "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n";
const SECRETS = {
  "api key": "lsv2_sk_0123456789abcdefXYZ",
  "plain secret": "hunter2-of-the-plan",
  "quoted secret": 'p@ss "w\\ord"/+ü|<&> x',
  "key of many lines": PEM,
  "container variable": "sidecar/env=value+1",
  "password in a URL": "s3cr3t-in-url",
  "live secret": "only-the-service-knew-it",
};
const SPEC = `name: search-agent
source: external_container
source_config:
  custom_url: https://search.example.com
  resource_spec:
    min_scale: 1
    sidecars:
      - { name: proxy, image: "registry.example.com/proxy@sha256:${"b".repeat(64)}", env: [{ name: TOKEN, value: "${"${SIDECAR}"}" }] }
source_revision_config:
  image_uri: registry.example.com/acme/search@sha256:${"a".repeat(64)}
secrets:
  - PLAIN
  - { name: QUOTED, value: "${"${QUOTED}"}" }
  - { name: PEM, value: "${"${PEM}"}" }
`;
const ENV = {
  PLAIN: SECRETS["plain secret"],
  QUOTED: SECRETS["quoted secret"],
  PEM: SECRETS["key of many lines"],
  SIDECAR: SECRETS["container variable"],
};
const DEBUG = { RUNNER_DEBUG: "1", ACTIONS_STEP_DEBUG: "true", ACTIONS_RUNNER_DEBUG: "true" };
const repeated = (secrets: readonly string[]): string[] =>
  secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    JSON.stringify(secret),
  ]);
/** Of the deploys: what the run was given, and what the service returned. */
const { "password in a URL": PASSWORD, ...OF_SPEC } = SECRETS;
const everywhere = repeated(Object.values(OF_SPEC));

let github: FakeGithub;
beforeAll(async () => {
  github = await startFakeGithub();
});
afterAll(() => github.close());

const onPullRequest = () => {
  const { event, env } = pullRequestRun(github);
  return { event, env: { ...ENV, ...env } };
};
const remembered = (stage: Stage): Record<string, string> => ({
  "emulator's requests": JSON.stringify(stage.emulator.emulator.requests()),
  "requests to GitHub": JSON.stringify(github.requests),
});
const reportOf = (outputs: Readonly<Record<string, string>>): string =>
  readFileSync(outputs["report"]!, "utf8");
const commentsOf = async (): Promise<string> =>
  (await github.comments()).map(({ body }) => body).join("\n");

describe("no secret leaves a run with", () => {
  test("a failed deploy whose log, status and error repeat every secret in every form, with the runner's debugging on", async () => {
    const stage = await createStage(SPEC, { apiKeys: [SECRETS["api key"]] });
    const { event, env } = onPullRequest();
    // What is live holds a secret that no spec has; the service's log shows it anyway.
    expectEnd(
      await stage.run(
        { "api-key": SECRETS["api key"] },
        { env: { ...ENV, PLAIN: SECRETS["live secret"] } },
      ),
      { outcome: "deployed" },
    );
    stage.emulator.emulator.addRevisionRules([
      {
        outcome: "deploy-failed",
        status_message: `crashed with ${SECRETS["plain secret"]}`,
        log: [...everywhere, `${"x".repeat(1990)}${SECRETS["plain secret"]}`, ...PEM.split("\n")],
      },
    ]);
    const run = await stage.run(
      { "api-key": SECRETS["api key"], "github-token": github.token, environment: "prod" },
      { event, env: { ...env, ...DEBUG } },
    );
    expectEnd(run, { outcome: "failed" }, 1);
    const secrets = { ...OF_SPEC, "github token": github.token };
    const report = reportOf(run.outputs);
    const comments = await commentsOf();
    const sinks = { ...sinksOf(run, report), comments, ...remembered(stage) };
    for (const text of [report, comments]) expect(text).toContain("***");
    expect(leaks(sinks, secrets)).toEqual([]);
  });

  test("a refused create whose 422 echoes the input, and a verify command that prints its environment", async () => {
    const stage = await createStage(SPEC);
    const { "live secret": _, ...known } = OF_SPEC;
    stage.emulator.emulator.addFaults([
      {
        route: "POST /v2/deployments",
        kind: "status",
        status: 422,
        body: {
          detail: repeated(Object.values(known)).map((input) => ({
            loc: ["body", "secrets"],
            msg: `bad value ${input}`,
            input,
          })),
        },
      },
    ]);
    const refused = await stage.run({ "api-key": SECRETS["api key"] }, { env: ENV });
    expectEnd(refused, { outcome: "failed" }, 1);
    expect(leaks(sinksOf(refused, reportOf(refused.outputs)), known)).toEqual([]);
    const verify =
      "env; printf '%s\\n' \"$PEM\"; printf '%s' \"$QUOTED\" | base64; printf '%4000s%s\\n' '' \"$PLAIN\"; exit 3";
    const run = await stage.run(
      { "api-key": SECRETS["api key"], verify },
      { env: { ...ENV, ...DEBUG } },
    );
    expectEnd(run, { outcome: "failed" }, 1);
    expect(run.stdout).toContain("verify ended with exit code 3");
    expect(leaks(sinksOf(run, reportOf(run.outputs)), known)).toEqual([]);
  });

  test("a password in a repository's URL", async () => {
    const spec =
      'name: a\nsource: repohost\nsource_config:\n  repo_url: "https://robot:${URL_PASSWORD}@git.example.com/acme/agents"\n  deployment_type: prod\n  build_on_push: false\nsource_revision_config: { repo_ref: main, graph_config_path: l.json }\n';
    const stage = await createStage(spec, {
      revisions: [{ outcome: "build-failed", log: repeated([PASSWORD]) }],
    });
    const run = await stage.run({}, { env: { URL_PASSWORD: PASSWORD, ...DEBUG } });
    expectEnd(run, { outcome: "failed" }, 1);
    expect(
      leaks(
        {
          ...sinksOf(run, reportOf(run.outputs)),
          "emulator's requests": JSON.stringify(stage.emulator.emulator.requests()),
        },
        { password: PASSWORD },
      ),
    ).toEqual([]);
  });

  test("result rows that contain the keys, printed by a dry run and shown by a gate", async () => {
    const rows = Array.from({ length: 12 }, (_, n) => ({
      inputs: { question: `q${n} ${SECRETS["api key"]}` },
      actual_outputs: {
        answer: repeated([SECRETS["api key"], SECRETS["quoted secret"], PEM]).join(" "),
      },
      expected_outputs: { answer: "b" },
      evaluation_scores: [{ key: "correct", score: n % 2 }],
    }));
    const workspace = createTree({ "rows.json": JSON.stringify(rows) });
    const env = {
      AGENT_DEPLOY_API_KEY: SECRETS["api key"],
      AGENT_DEPLOY_BEARER_TOKEN: SECRETS["quoted secret"],
      GITHUB_TOKEN: PEM,
    };
    const known = {
      "api key": SECRETS["api key"],
      "bearer token": SECRETS["quoted secret"],
      "github token": PEM,
    };
    for (const more of [["--dry-run"], ["--dry-run", "--json"]]) {
      const run = await runCli(["upload", "rows.json", "--gate", "correct >= 0.9", ...more], {
        workspace,
        env: { ...env, ...DEBUG },
      });
      expect(run.code).toBe(4);
      expect(run.stdout).toContain("***");
      expect(leaks({ stdout: run.stdout, stderr: run.stderr }, known)).toEqual([]);
    }
  });

  test("a refused bearer token and key", async () => {
    const stage = await createStage(SPEC, { apiKeys: ["another"], bearerTokens: ["another"] });
    stage.emulator.emulator.addFaults([
      {
        route: "*",
        kind: "status",
        status: 401,
        times: 0,
        body: { detail: repeated([SECRETS["quoted secret"], ...Object.values(ENV)]).join(" ") },
      },
    ]);
    const run = await stage.run(
      {
        "api-key": "",
        "bearer-token": SECRETS["quoted secret"],
        "tenant-id": "0b5b1c5e-5a0f-4b6e-8f6a-2a6f0c1d2e3f",
      },
      { env: { ...ENV, ...DEBUG } },
    );
    expectEnd(run, { outcome: "failed" }, 1);
    expect(
      leaks(sinksOf(run, reportOf(run.outputs)), { bearer: SECRETS["quoted secret"], ...ENV }),
    ).toEqual([]);
  });
});

describe("the value of a variable with a secret's name", () => {
  const TAINTED = {
    NPM_TOKEN: "npm_0123456789abcdefABCDEF",
    REGISTRY_AUTH: "registry-auth-of-the-build-4711",
    SMOKE_PASSWORD: "smoke-pass\\word'1\"<x>",
    SENTRY_DSN: "https://0123456789abcdef@o1.ingest.example.com/4711",
    PRIVATE_HOST: "git.internal.example.com",
  };
  const spec = `name: support-agent
source: repohost
source_config:
  repo_url: http://127.0.0.1:1/acme/agents
  deployment_type: prod
  build_on_push: false
  install_command: npm ci --//registry/:_authToken=\${NPM_TOKEN}
  build_command: 'curl -H "x: \${REGISTRY_AUTH}" https://\${PRIVATE_HOST}/x'
source_revision_config: { repo_ref: main, graph_config_path: langgraph.json }
secrets: []
deploy:
  verify: |
    echo \${SENTRY_DSN} \${NPM_TOKEN}; printf %s "$SMOKE_PASSWORD" | head -c 20; exit 1
`;

  test("is shown as the variable in plan, log, report and comment, wherever the spec uses it", async () => {
    const stage = await createStage(spec);
    const { event, env } = onPullRequest();
    const given = { "github-token": github.token };
    const planned = await stage.run(
      { ...given, command: "plan" },
      { event, env: { ...env, ...TAINTED } },
    );
    expectEnd(planned, { outcome: "planned" });
    const run = await stage.run(given, { env: { ...TAINTED, ...DEBUG } });
    expectEnd(run, { outcome: "failed" }, 1);
    const comments = await commentsOf();
    for (const [name, one] of Object.entries({ planned, run })) {
      const sinks = { ...sinksOf(one, reportOf(one.outputs)), comments };
      expect([name, leaks(sinks, TAINTED)]).toEqual([name, []]);
      expect(reportOf(one.outputs)).toContain("${NPM_TOKEN}");
    }
    expect(comments).toContain("${REGISTRY_AUTH}");
    const terminal = await (await createStage(spec)).cli(["plan", "--json"], TAINTED);
    expect(leaks({ out: terminal.stdout, err: terminal.stderr }, TAINTED)).toEqual([]);
    expect(terminal.stdout).toContain("https://${PRIVATE_HOST}/x");
    // What is sent is the value itself.
    expect((await stage.live()).source_config.install_command).toContain(TAINTED.NPM_TOKEN);
  });
});

test("a common word in a variable with a secret's name is not shown either", async () => {
  const words = { REDIS_PASS: "letmein", MIN_KEY: "1", TAG_TOKEN: "stable" };
  const image = "reg.example.com/app:${TAG_TOKEN}";
  const stage = await createStage(`name: support-agent
source: external_container
source_config:
  resource_spec:
    min_scale: \${MIN_KEY}
    sidecars: [{ name: r, image: "redis:7", args: ["--requirepass=\${REDIS_PASS}"] }]
source_revision_config: { image_uri: "${image}" }
secrets: []
variables: { V: "password \${REDIS_PASS}" }
`);
  const { event, env } = onPullRequest();
  const given = { "github-token": github.token };
  const planned = await stage.run(
    { ...given, command: "plan" },
    { event, env: { ...env, ...words } },
  );
  const run = await stage.run(given, { env: words });
  const again = await stage.run(given, { env: { ...words, REDIS_PASS: "sesame" } });
  const rendered = await stage.cli(["render"], words);
  expect([planned, run, again].map(({ outputs }) => outputs["outcome"])).toEqual([
    "planned",
    "deployed",
    "deployed",
  ]);
  const sinks = [planned, run, again].map((one) => sinksOf(one, reportOf(one.outputs)));
  const all = JSON.stringify([sinks, await commentsOf(), rendered]);
  expect(all.match(/letmein|stable|sesame/g)).toBeNull();
  expect(rendered.stdout).toContain('min_scale: "${MIN_KEY}"');
  expect((await stage.live()).source_config.resource_spec).toMatchObject({
    min_scale: 1,
    sidecars: [{ args: ["--requirepass=sesame"] }],
  });
});

test("the live version does not show a value from a variable with a secret's name either", async () => {
  const taken = { IMAGE_AUTH: "path-that-only-ci-knows" };
  const image = `registry.example.com/\${IMAGE_AUTH}/search@sha256:${"a".repeat(64)}`;
  const stage = await createStage(SPEC.replace(/image_uri: .*/, `image_uri: ${image}`));
  const run = await stage.run({ verify: "exit 1" }, { env: { ...ENV, ...taken } });
  expectEnd(run, { outcome: "failed" }, 1);
  const report = readFileSync(run.outputs["report"]!, "utf8");
  expect(leaks(sinksOf(run, report), taken)).toEqual([]);
  expect(report).toContain("${IMAGE_AUTH}/search");
});

describe("masking for the runner", () => {
  test("comes before the first other line for the key, and before the first line about the spec for its secrets", async () => {
    const stage = await createStage(SPEC);
    const run = await stage.run(
      { "api-key": SECRETS["api key"], "github-token": "ghs_0123456789", comment: "never" },
      { env: ENV },
    );
    const lines = run.stdout.split("\n");
    const masks = (value: string): number =>
      lines.indexOf(
        `::add-mask::${value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`,
      );
    const firstOther = lines.findIndex((line) => !line.startsWith("::add-mask::"));
    for (const value of [SECRETS["api key"], "ghs_0123456789"]) {
      expect(masks(value)).toBeGreaterThanOrEqual(0);
      expect(masks(value)).toBeLessThan(firstOther);
    }
    const firstOfSpec = lines.findIndex(
      (line) => !line.startsWith("::add-mask::") && /search-agent|secrets/.test(line),
    );
    for (const value of Object.values(ENV)) {
      expect(masks(value)).toBeGreaterThanOrEqual(0);
      expect(masks(value)).toBeLessThan(firstOfSpec);
    }
    expect(leaks({ log: shownLog(run) }, SECRETS)).toEqual([]);
  });
});

describe("processes", () => {
  test("have no secret in their command lines, and verify gets no key, token or input", async () => {
    const stage = await createStage(SPEC);
    const verify =
      "tr '\\0' ' ' < /proc/self/cmdline > seen.txt; tr '\\0' ' ' < /proc/$PPID/cmdline >> seen.txt; env > env.txt";
    const tokens = {
      GITHUB_TOKEN: "ghs_of_the_environment",
      LANGSMITH_API_KEY: "lsv2_of_the_environment",
      ACTIONS_RUNTIME_TOKEN: "runtime-token-here",
      ALIAS_OF_KEY: `Bearer ${SECRETS["api key"]}`,
    };
    const run = await stage.run(
      {
        "api-key": SECRETS["api key"],
        "github-token": "ghs_of_the_input",
        comment: "never",
        verify,
      },
      { env: { ...ENV, ...tokens, MINE: "kept" } },
    );
    expectEnd(run, { outcome: "deployed" });
    expect(leaks({ cmdline: stage.workspace.read("seen.txt") }, { ...SECRETS, ...tokens })).toEqual(
      [],
    );
    const env = stage.workspace.read("env.txt");
    expect(
      leaks(
        { env },
        { "api key": SECRETS["api key"], "input token": "ghs_of_the_input", ...tokens },
      ),
    ).toEqual([]);
    expect(env).not.toMatch(/^INPUT_/m);
    for (const name of [
      "MINE=kept",
      "AGENT_DEPLOY_NAME=search-agent",
      "AGENT_DEPLOY_DEPLOYMENT_ID=",
      "AGENT_DEPLOY_REVISION_ID=",
      "AGENT_DEPLOY_URL=https://search.example.com",
    ])
      expect(env).toContain(name);
  });
});

describe("a secret is redacted before text is cut", () => {
  const { add, redact } = createRedactor();
  add(SECRETS["plain secret"]);
  const offsets = Array.from({ length: SECRETS["plain secret"].length + 2 }, (_, n) => n);

  test("in a long line of the service's log", () => {
    for (const offset of offsets) {
      const [line] = toLogTail(
        [`${"x".repeat(2000 - offset)}${SECRETS["plain secret"]}`],
        1,
        redact,
      )!.lines;
      expect(line).toMatch(/^x+\*{0,3}$/);
    }
  });

  test("in a long line of verify", async () => {
    const tail: string[] = [];
    const shell = createShell({
      env: { PATH: process.env["PATH"] ?? "" },
      cwd: createTree().path,
      redact,
    });
    const script = offsets
      .map((offset) => `printf '%${4000 - offset}s${SECRETS["plain secret"]}\\n' ''`)
      .join(";");
    await shell.run(script, {
      env: {},
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      onLine: (line) => {
        tail.push(line);
      },
    });
    expect(tail).toHaveLength(offsets.length);
    for (const line of tail) expect(line).toMatch(/^ +\*{0,3}$/);
  });

  test("between two chunks of a printed body", async () => {
    const printed: string[] = [];
    const print = createBodyPrinter({
      print: (text) => {
        printed.push(redact(text));
      },
      printed: async () => undefined,
      redact,
    });
    const body = JSON.stringify(
      Array.from({ length: 30_000 }, (_, n) => `${"y".repeat(n % 37)}${SECRETS["plain secret"]}`),
    );
    const bytes = Buffer.from(`${body}\n`);
    for (let at = 0; at < bytes.length; at += 65_536) await print(bytes.subarray(at, at + 65_536));
    expect(printed.length).toBeGreaterThan(2);
    expect(printed.join("")).toBe(`${redact(body)}\n`);
    expect(leaks({ printed: printed.join("") }, { secret: SECRETS["plain secret"] })).toEqual([]);
  });
});

test("a token before the host of a live URL is masked like a password, in both forms", () => {
  const masked: string[] = [];
  const body = {
    source_config: { repo_url: "https://ghp_0123456789@git.example.com/a" },
    other: [{ url: "https://robot:p%40ssw0rd@h/" }, "ssh://git@git.example.com/a"],
    secrets: [
      { name: "A", value: "live-value" },
      { name: "B", value: "****" },
    ],
  };
  maskLive(
    {
      mask: (values) => {
        masked.push(...values);
      },
      trust: { state: "trusted" },
    } as Session,
    { body } as unknown as LiveDeployment,
  );
  expect(masked).toEqual(
    expect.arrayContaining(["ghp_0123456789", "p%40ssw0rd", "p@ssw0rd", "live-value"]),
  );
  expect(masked).not.toContain("git");
  expect(masked).not.toContain("****");
});
