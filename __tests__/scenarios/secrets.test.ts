import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
} from "./stage.ts";

const MASKS = ["stars", "bullets", "empty", "null"] as const;

test.each(MASKS)(
  "values that are returned as %s are compared by name and kept, with a warning",
  async (secretValues) => {
    const stage = await createDeployed(CONTAINER, { secretValues });
    stage.spec(edit(CONTAINER, "first-value", "second-value"));
    const run = await stage.run();
    expectEnd(run, { outcome: "unchanged", changed: "false" });
    expect(run.stdout).toMatch(/value unknown/);
    expect(stage.writes()).toEqual([]);
  },
);

test("secrets-unknown: send sends them, and creates a revision each time", async () => {
  const stage = await createDeployed(CONTAINER, { secretValues: "stars" });
  const run = await stage.run({ "secrets-unknown": "send" });
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(stage.patches()).toEqual([
    {
      secrets: [
        { name: "API_TOKEN", value: "***" },
        { name: "DB_URL", value: "***" },
      ],
    },
  ]);
});

test("a masked value does not hide a change of another", async () => {
  const stage = await createDeployed(CONTAINER, {
    secretValues: "stars",
    maskedSecrets: ["DB_URL"],
  });
  stage.spec(edit(CONTAINER, "first-value", "second-value"));
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed" });
  expect(deploymentOf(run).changes).toMatchObject([{ path: "secrets.API_TOKEN", sensitive: true }]);
});

test("replace, the default, drops names that the spec does not have, and shows them", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(
    CONTAINER.split("\n")
      .filter((line) => !line.includes("DB_URL"))
      .join("\n"),
  );
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed" });
  expect(deploymentOf(run).changes).toMatchObject([{ path: "secrets.DB_URL", after: null }]);
  expect((await stage.live()).secrets).toEqual([{ name: "API_TOKEN", value: "first-value" }]);
});

test("merge keeps the other secrets", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(
    `${CONTAINER.split("\n")
      .filter((line) => !line.includes("DB_URL"))
      .join("\n")
      .replace("first-value", "second-value")}deploy: { secrets: merge }\n`,
  );
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect((await stage.live()).secrets).toEqual(
    expect.arrayContaining([
      { name: "API_TOKEN", value: "second-value" },
      { name: "DB_URL", value: "postgres://db/search" },
    ]),
  );
  expectEnd(await stage.run(), { outcome: "unchanged" });
});

test("merge is blocked if it would have to send along a value that is not returned", async () => {
  const stage = await createDeployed(CONTAINER, {
    secretValues: "stars",
    maskedSecrets: ["DB_URL"],
  });
  stage.spec(
    `${CONTAINER.split("\n")
      .filter((line) => !line.includes("DB_URL"))
      .join("\n")
      .replace("first-value", "second-value")}deploy: { secrets: merge }\n`,
  );
  const run = await stage.run();
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(run.stdout).toContain("DB_URL");
  expect(stage.writes()).toEqual([]);
});

const FROM_ENVIRONMENT = CONTAINER.replace(
  "- { name: API_TOKEN, value: first-value }",
  "- API_TOKEN",
);

test("a secret by name takes the environment variable, which if unset is an error of apply and a warning of plan", async () => {
  const stage = await createStage(FROM_ENVIRONMENT);
  for (const env of [{}, { API_TOKEN: "" }]) {
    expectEnd(await stage.run({}, { env }), { outcome: "failed", changed: "false" }, 1);
    const plan = await stage.run({ command: "plan" }, { env });
    expectEnd(plan, { outcome: "planned" });
    expect(plan.stdout).toMatch(/::warning .*agent-deploy\.yml/);
  }
  expect(stage.writes()).toEqual([]);
  expectEnd(await stage.run({}, { env: { API_TOKEN: "from-the-job" } }), { outcome: "deployed" });
  expect((await stage.live()).secrets).toContainEqual({ name: "API_TOKEN", value: "from-the-job" });
  expectEnd(await stage.run({ command: "plan" }), { outcome: "unchanged" });
});

test("a secret known only to a fan-out's leg is deployed by it, and a missing leg fails", async () => {
  const stage = await createStage(FROM_ENVIRONMENT);
  const env = { API_TOKEN: "first-of-two" };
  expectEnd(await stage.run({}, { env }), { outcome: "deployed" });
  const plan = await stage.run({ command: "plan", "report-file": "reports/plan.json" });
  expectEnd(plan, { outcome: "unchanged", changed: "false" });
  expect(plan.stdout).toContain("as far as it is known before apply");
  const [leg, ...others] = JSON.parse(plan.outputs["matrix"]!).include;
  expect([leg.names, leg.action, others]).toEqual(["search-agent", "none", []]);
  const required = { command: "report", reports: ["reports", "*.json"].join("/") };
  expectEnd(await stage.run(required), { outcome: "failed" }, 1);

  const carryOut = (value: string): ReturnType<typeof stage.run> =>
    stage.run(
      { only: leg.names, "expect-plan": leg.fingerprint, "report-file": "reports/leg.json" },
      { env: { API_TOKEN: value } },
    );
  expectEnd(await carryOut("first-of-two"), { outcome: "unchanged" });
  expectEnd(await stage.run(required), { outcome: "unchanged" });
  expectEnd(await carryOut("rotated-since"), { outcome: "deployed", changed: "true" });
  expect((await stage.live()).secrets).toContainEqual({
    name: "API_TOKEN",
    value: "rotated-since",
  });
  expectEnd(await stage.run(required), { outcome: "deployed" });
});

test("with only, variables of other documents need not be set, but their errors are reported anyway", async () => {
  const other = CONTAINER.replace("search-agent", "other-agent");
  const needs = other.replace("value: first-value", 'value: "${NOT_IN_THIS_JOB}"');
  const stage = await createStage(
    `${CONTAINER}---\n${needs}---\n${FROM_ENVIRONMENT.replace("search-agent", "third-agent")}`,
  );
  const run = await stage.run({ only: "search-agent" }, { env: { API_TOKEN: "" } });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).not.toContain("NOT_IN_THIS_JOB");
  stage.forget();
  expectEnd(await stage.run({}, { env: { API_TOKEN: "" } }), { outcome: "failed" }, 1);
  const own = await stage.run({ only: "other-agent" });
  expectEnd(own, { outcome: "failed" }, 1);
  expect(own.stdout).toContain("NOT_IN_THIS_JOB");
  stage.spec(`${CONTAINER}---\n${other.replace("image_uri", "image_url")}`);
  const broken = await stage.run({ only: "search-agent" });
  expectEnd(broken, { outcome: "failed" }, 1);
  expect(broken.stdout).toContain("image_url");
  expect(stage.writes()).toEqual([]);
});

test("no secret is printed, even if the service echoes it when refusing", async () => {
  const stage = await createStage(CONTAINER.replace("first-value", "s3cret-never-shown"), {
    profile: "hosted",
  });
  const run = await stage.run({ "report-file": "report.json" });
  const shown =
    run.stdout.replace(/^::add-mask::.*$/gm, "") +
    run.stderr +
    run.summary +
    JSON.stringify(run.outputs) +
    stage.workspace.read("report.json");
  expect(shown).not.toContain("s3cret-never-shown");
});

test("a live value is not shown as a variable's old value if its name says that it is secret", async () => {
  const stage = await createDeployed(edit(CONTAINER, "first-value", "correct horse battery"));
  const own = CONTAINER.slice(0, CONTAINER.indexOf("secrets:"));
  stage.spec(`${own}variables: { API_TOKEN: none, DB_URL: none }\n`);
  const run = await stage.run({ command: "plan" });
  expect(deploymentOf(run).changes).toMatchObject([
    { path: "variables.API_TOKEN", before: "(old value)", after: "none" },
    { path: "variables.DB_URL", before: "postgres://db/search", after: "none" },
  ]);
  expect(run.stdout).not.toContain("correct horse");
});

test("a count of tokens is a setting, with both values shown", async () => {
  const own = CONTAINER.slice(0, CONTAINER.indexOf("secrets:"));
  const stage = await createDeployed(`${own}variables: { MAX_TOKENS: "512", MODEL: small }\n`);
  stage.spec(`${own}variables: { MAX_TOKENS: "1024", MODEL: large }\n`);
  const run = await stage.run({ command: "plan" });
  expect(deploymentOf(run).changes).toMatchObject([
    { path: "variables.MAX_TOKENS", before: "512", after: "1024" },
    { path: "variables.MODEL", before: "small", after: "large" },
  ]);
});

test.each([
  ["drops", (secrets: any[]) => secrets.filter(({ name }) => name !== "DB_URL"), "secrets.DB_URL"],
  [
    "trims",
    (secrets: any[]) => secrets.map((one) => ({ ...one, value: one.value.trim() })),
    "secrets.API_TOKEN",
  ],
] as const)(
  "a service that %s a secret fails the run with the secret's name, whatever on-superseded is",
  async (_, change, field) => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(edit(CONTAINER, "first-value", '" second "'), "postgres://db/search", "two"));
    const run = await behind(stage, async ({ method, path, body, forward }) => {
      if (method !== "PATCH") return forward();
      const patch = JSON.parse(String(body));
      const reply = await stage.send(method, path, { ...patch, secrets: change(patch.secrets) });
      return { status: 200, body: JSON.stringify(reply) };
    });
    const end = await run({ "on-superseded": "warn" });
    expectEnd(end, { outcome: "failed" }, 1);
    expect(deploymentOf(end)).toMatchObject({ reason: "not-taken" });
    expect(end.stdout).toContain(`does not hold what the spec says (${field})`);
    expect(end.stdout).not.toMatch(/another run|somebody/);
  },
);

test("a secret that another run changed is superseded, even without a list of revisions", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "first-value", "second-value"));
  const run = await behind(stage, async ({ method, path, body, forward }) => {
    if (method === "GET" && path.split("?")[0]!.endsWith("/revisions"))
      return { status: 404, body: '{"detail":"Not Found"}' };
    if (method !== "PATCH") return forward();
    await stage.send(method, path, JSON.parse(String(body)));
    const theirs = String(body).replace("second-value", "their-value");
    return {
      status: 200,
      body: JSON.stringify(await stage.send(method, path, JSON.parse(theirs))),
    };
  });
  const end = await run();
  expectEnd(end, { outcome: "superseded" }, 1);
  expect(end.stdout).toContain("does not hold what the spec says (secrets.API_TOKEN)");
});

test("the old value of a secret variable is not shown, wherever the spec uses the new one", async () => {
  const places = [
    'labels: { "app.example.com/token": "${MY_TOKEN}", team: "blue" }',
    'annotations: { login: "robot-${MY_TOKEN}" }',
    'sidecars: [{ name: proxy, image: "i@sha256:' +
      "c".repeat(64) +
      '", args: ["--verbose", "--token=${MY_TOKEN}"] }]',
  ];
  const spec = `${edit(CONTAINER, "memory_mb: 1024 }", `memory_mb: 1024, ${places.join(", ")} }`)}variables: { PLAIN: "\${MY_TOKEN}", LEVEL: debug }
deploy: { extra: { display: { of: "\${MY_TOKEN}" } } }
`;
  const old = "old-token-0123456789";
  const stage = await createStage(spec);
  expectEnd(await stage.run({}, { env: { MY_TOKEN: old } }), { outcome: "deployed" });
  const run = await behind(stage, async ({ method, path, forward }) => {
    const { status, body } = await forward();
    const shown = method === "GET" && path.startsWith("/v2/deployments") && status === 200;
    const display = `"display":{"of":"${old}"},"source":`;
    return { status, body: shown ? String(body).replaceAll('"source":', display) : body };
  });
  stage.spec(spec.replace('"blue"', '"red"').replace("LEVEL: debug", "LEVEL: info"));
  for (const env of [{}, { MY_TOKEN: "new-token-0123456789" }]) {
    const plan = await run({ command: "plan" }, { env });
    expectEnd(plan, { outcome: "planned" });
    const report = readFileSync(plan.outputs["report"]!, "utf8");
    const texts = [plan.outputs["plan"], plan.summary, report, stage.workspace.read(COMMENT)];
    for (const text of [...texts, unmasked(plan.stdout)]) expect(text).not.toContain(old);
    const changed = JSON.parse(plan.outputs["plan"]!).deployments[0].changes;
    const of = (end: string) => changed.find((one: any) => one.path.endsWith(end));
    expect(of("labels.app.example.com/token").before).toBe("(old value)");
    expect(of("sidecars.proxy.args").before).toEqual(["--verbose", "(old value)"]);
    expect(of("display.of").before).toBe("(old value)");
    expect(of("variables.LEVEL")).toMatchObject({ before: "debug", after: "info" });
    expect(of("labels.team")).toMatchObject({ before: "blue", after: "red" });
  }
});

/** Where a stage's runs leave their comment. */
const COMMENT = "told/comment.md";
const unmasked = (log: string): string =>
  log
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::"))
    .join("\n");

test("a secret of four digits does not mask part of an id in outputs and log", async () => {
  const first = await createStage(CONTAINER, { ids: "stable" });
  const { "deployment-id": id = "" } = (await first.run()).outputs;
  const port = id.slice(-5, -1);
  const stage = await createStage(edit(CONTAINER, "first-value", `"${port}"`), { ids: "stable" });
  const run = await stage.run();
  expectEnd(run, { outcome: "deployed", "deployment-id": id });
  expect(run.stdout).toContain(`of deployment ${id}`);
});
