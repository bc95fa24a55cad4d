import { describe, expect, test } from "@jest/globals";
import { startProxy } from "../support/service-proxy.ts";
import { CONTAINER, createStage, deploymentOf, edit, expectEnd } from "./stage.ts";

const SECRETS = `secrets:
  - { name: API_TOKEN, value: first-value }
  - { name: DB_URL, value: "postgres://db/search" }
`;
const withSecrets = (lines: string): string => edit(CONTAINER, SECRETS, `secrets:\n${lines}`);
const OPTIONAL = withSecrets(
  "  - API_TOKEN\n  - { name: SENTRY_DSN, optional: true }\n  - { name: PROXY, from: PROXY_PROD, optional: true }\n",
);
const ENV = { API_TOKEN: "token-value-1" };
const namesOf = (live: any): string[] => live.secrets.map(({ name }: { name: string }) => name);

describe("optional secrets", () => {
  test("are left out of a create if their variable is unset or empty, as the plan says", async () => {
    const stage = await createStage(OPTIONAL);
    const plan = await stage.run({ command: "plan" }, { env: { ...ENV, SENTRY_DSN: "" } });
    expect(plan.stdout).toContain(
      "optional and not set here: secrets.PROXY, secrets.SENTRY_DSN left out",
    );
    expectEnd(await stage.run({}, { env: { ...ENV, SENTRY_DSN: "" } }), { outcome: "deployed" });
    expect(namesOf(await stage.live())).toEqual(["API_TOKEN"]);
    expectEnd(await stage.run({}, { env: ENV }), { outcome: "unchanged" });
  });

  test("are sent if their variable is set, under their own name or that of `from`", async () => {
    const stage = await createStage(OPTIONAL);
    const env = { ...ENV, SENTRY_DSN: "https://dsn.example.com/1", PROXY_PROD: "http://proxy:1" };
    expectEnd(await stage.run({}, { env }), { outcome: "deployed" });
    const { secrets } = await stage.live();
    expect(secrets).toEqual([
      { name: "API_TOKEN", value: "token-value-1" },
      { name: "SENTRY_DSN", value: "https://dsn.example.com/1" },
      { name: "PROXY", value: "http://proxy:1" },
    ]);
  });

  test("keep their live value while their variable is not set, also when others are written", async () => {
    const stage = await createStage(OPTIONAL);
    const env = { ...ENV, SENTRY_DSN: "https://dsn.example.com/1" };
    expectEnd(await stage.run({}, { env }), { outcome: "deployed" });
    stage.forget();
    const unset = await stage.run({}, { env: ENV });
    expectEnd(unset, { outcome: "unchanged", changed: "false" });
    expect(unset.stdout).toContain("optional and not set here: secrets.SENTRY_DSN kept as live");
    expect(stage.writes()).toEqual([]);
    expectEnd(await stage.run({}, { env: { API_TOKEN: "token-value-2" } }), {
      outcome: "deployed",
    });
    expect((await stage.live()).secrets).toEqual([
      { name: "API_TOKEN", value: "token-value-2" },
      { name: "SENTRY_DSN", value: "https://dsn.example.com/1" },
    ]);
  });

  test("may have a value with a default or a message", async () => {
    const spec = withSecrets(
      '  - API_TOKEN\n  - { name: A, value: "${A_VALUE}", optional: true }\n  - { name: B, value: "${B_VALUE:-b-default}", optional: true }\n',
    );
    const stage = await createStage(spec);
    expectEnd(await stage.run({}, { env: ENV }), { outcome: "deployed" });
    expect(namesOf(await stage.live())).toEqual(["API_TOKEN", "B"]);
  });

  test("write nothing if they are the only ones and not set", async () => {
    const stage = await createStage(withSecrets("  - { name: SENTRY_DSN, optional: true }\n"));
    expectEnd(await stage.run({}, { env: { SENTRY_DSN: "dsn-value" } }), { outcome: "deployed" });
    stage.forget();
    expectEnd(await stage.run({}), { outcome: "unchanged" });
    expect(stage.writes()).toEqual([]);
  });
});

describe("from", () => {
  test("names another variable, which if unset is an error at its line in apply, and a warning in plan", async () => {
    const stage = await createStage(withSecrets("  - { name: DB_URL, from: PROD_DB_URL }\n"));
    const red = await stage.run();
    expectEnd(red, { outcome: "failed", changed: "false" }, 1);
    expect(red.stdout).toMatch(/line=9,col=\d+.*PROD_DB_URL is not set/);
    expectEnd(await stage.run({ command: "plan" }), { outcome: "planned" });
    expectEnd(await stage.run({}, { env: { PROD_DB_URL: "postgres://prod/db" } }), {
      outcome: "deployed",
    });
    expect((await stage.live()).secrets).toEqual([{ name: "DB_URL", value: "postgres://prod/db" }]);
  });

  test.each([
    [
      "together with value",
      "  - { name: A, value: x-value, from: B }\n",
      /secrets\.0\.from: is written together with value/,
    ],
    [
      "with a secret as its name",
      '  - { name: A, from: "B=s3cr3t-value" }\n',
      /never written as NAME=value/,
    ],
    [
      "with a misspelt key",
      "  - { name: A, form: B }\n",
      /secrets\.0\.form: is not a known key; did you mean from/,
    ],
    ["without any of the three", "  - { name: A }\n", /secrets\.0\.value: is required; add value/],
  ])("%s is an error at its line, without the value", async (_, lines, message) => {
    const stage = await createStage(withSecrets(lines));
    const run = await stage.cli(["validate"]);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stdout + run.stderr).toMatch(message);
    expect(run.stdout + run.stderr).toMatch(/agent-deploy\.yml:9:/);
    expect(run.stdout + run.stderr).not.toMatch(/s3cr3t-value|x-value/);
    expect(stage.writes()).toEqual([]);
  });
});

describe("deploy.extra", () => {
  const EXTRA = `${CONTAINER}deploy: { extra: { route_through_gateway: true, source_config: { size: M } } }\n`;

  test("is merged into the body of a create as written, with one warning that names its fields", async () => {
    const stage = await createStage(EXTRA);
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    const [create] = stage.emulator.emulator.requests().filter(({ method }) => method === "POST");
    expect(create!.body).toMatchObject({
      route_through_gateway: true,
      source_config: { size: "M" },
    });
    const warning = /deploy\.extra: route_through_gateway, source_config\.size are not known/g;
    expect(run.stdout.match(warning)).toHaveLength(1);
    expect(run.stdout).toMatch(warning);
  });

  test.concurrent("is not compared if the reply does not show it, and is sent along with another update", async () => {
    const stage = await createStage(EXTRA);
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.forget();
    const again = await stage.run();
    expectEnd(again, { outcome: "unchanged" });
    expect(again.stdout).toContain("the service does not show");
    expect(again.stdout).toContain("live matches the spec, as far as the service shows it");
    expect(JSON.parse(again.outputs["plan"]!).deployments).toMatchObject([{ action: "none" }]);
    expect(stage.writes()).toEqual([]);
    stage.spec(edit(EXTRA, "https://search.example.com", "https://s.example.com"));
    expectEnd(await stage.run(), { outcome: "updated" });
    expect(stage.patches()).toEqual([
      {
        route_through_gateway: true,
        source_config: { custom_url: "https://s.example.com", size: "M" },
      },
    ]);
  });

  test("is compared if the reply shows it, and a change with the effect `may make a revision` is sent", async () => {
    const shown = { resource_spec: { redis_cpu: 2 } };
    const spec = `${CONTAINER}deploy: { extra: { source_config: ${JSON.stringify(shown)} } }\n`;
    const stage = await createStage(spec);
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.spec(spec.replace('"redis_cpu":2', '"redis_cpu":4'));
    const plan = await stage.run({ command: "plan" });
    expect(deploymentOf(plan).changes).toEqual([
      {
        path: "source_config.resource_spec.redis_cpu",
        before: 2,
        after: 4,
        effect: "may make a revision",
        sensitive: false,
      },
    ]);
    expect(plan.summary).toContain("may make a revision");
    expectEnd(await stage.run(), { outcome: "deployed", changed: "true" });
    const { resource_spec } = (await stage.live()).source_config;
    expect(resource_spec).toMatchObject({ redis_cpu: 4, max_scale: 3, memory_mb: 1024 });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("that the reply still shows as not set after it was sent is reported", async () => {
    const stage = await createStage(CONTAINER);
    expectEnd(await stage.run(), { outcome: "deployed" });
    const url = await startProxy(stage.emulator.url, async ({ path, forward }) => {
      const reply = await forward();
      if (!/^\/v2\/deployments\/[^/]+$/u.test(path) || reply.status !== 200) return reply;
      const shown = { ...JSON.parse(String(reply.body)), route_through_gateway: null };
      return { ...reply, body: JSON.stringify(shown) };
    });
    stage.spec(`${CONTAINER}deploy: { extra: { route_through_gateway: true } }\n`);
    const run = await stage.cli(["apply"], { AGENT_DEPLOY_CONTROL_PLANE_URL: url });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain("route_through_gateway: sent; the service does not show it");
  });

  test.each(["secrets", "name", "source"])("must not contain %s", async (key) => {
    const stage = await createStage(`${CONTAINER}deploy: { extra: { ${key}: x } }\n`);
    const run = await stage.cli(["validate"]);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stdout + run.stderr).toContain(`deploy.extra.${key}: is a field that is known`);
  });

  test.each([
    [
      "that the document has too",
      "source_config: { resource_spec: { cpu: 2 } }",
      "cpu: is written in line 5 too",
    ],
    ["that the service sets", "id: x", "id: is read-only"],
  ])("must not contain a field %s", async (_, extra, message) => {
    const stage = await createStage(`${CONTAINER}deploy: { extra: { ${extra} } }\n`);
    const run = await stage.cli(["validate"]);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stdout + run.stderr).toContain(message);
  });

  test("is part of the fingerprint", async () => {
    const stage = await createStage(EXTRA);
    const one = await stage.run({ command: "plan" });
    stage.spec(EXTRA.replace("size: M", "size: L"));
    const other = await stage.run({ command: "plan" });
    expect(other.outputs["fingerprint"]).not.toBe(one.outputs["fingerprint"]);
  });
});

describe("deploy.verify_env", () => {
  const VERIFY = `${CONTAINER}deploy: { verify: 'test "$AGENT_DEPLOY_API_KEY" = test-key && echo "got $AGENT_DEPLOY_API_KEY"' }\n`;

  test("passes the service's key to verify, whose output is redacted", async () => {
    const stage = await createStage(
      VERIFY.replace("deploy: {", "deploy: { verify_env: [AGENT_DEPLOY_API_KEY],"),
    );
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(run.stdout + run.summary).toContain("got ***");
    expect(run.stdout.replaceAll(/^::add-mask::.*$/gm, "")).not.toContain("test-key");
  });

  test("if absent passes no key", async () => {
    const stage = await createStage(VERIFY);
    expectEnd(await stage.run(), { outcome: "failed" }, 1);
  });

  test("only accepts the service's key", async () => {
    const stage = await createStage(`${CONTAINER}deploy: { verify_env: [GITHUB_TOKEN] }\n`);
    const run = await stage.cli(["validate"]);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toMatch(/deploy\.verify_env\.0: takes .*AGENT_DEPLOY_API_KEY/);
  });
});

test("an unknown deployment type is sent with a warning", async () => {
  const stage = await createStage(`name: support-agent
source: github
source_config:
  repo_url: http://127.0.0.1:1/acme/agents
  deployment_type: dev_zero
  build_on_push: false
source_revision_config: { repo_ref: main, langgraph_config_path: langgraph.json }
secrets: []
`);
  const run = await stage.run({ command: "plan" });
  expectEnd(run, { outcome: "planned" });
  expect(run.stdout).toMatch(/deployment_type: is not one of the known words .* sent as it is/);
});
