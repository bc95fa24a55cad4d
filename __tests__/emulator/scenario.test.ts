import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { parseScenario } from "../../src/emulator/control/scenario.ts";
import { runCli } from "../support/cli-run.ts";
import { container, open, repohost, type Client } from "./client.ts";

let folder: string;
let client: Client | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scenario-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await client?.running.close();
  client = null;
});

/** Text, and what is said of it after the file name. */
const WRONG: readonly (readonly [text: string, said: string])[] = [
  ["fault: []", ':1:1: fault: unknown key "fault"; did you mean "faults"?'],
  ["[1]", ':1:1: a scenario is a mapping of options, such as "timeScale: 50"'],
  ["timeScale: fast", ':1:12: timeScale: "fast" is not a number from 0 on'],
  ["timeScale: -1", ":1:12: timeScale: -1 is not a number from 0 on"],
  ["limits: true", ":1:9: limits: true is not a valid value; use one of on, off"],
  [
    "phases: { BUILDIN: 3 }",
    ':1:11: phases.BUILDIN: unknown key "BUILDIN"; did you mean "BUILDING"?',
  ],
  [
    "lags:\n  statistic: 3",
    ':2:3: lags.statistic: unknown key "statistic"; did you mean "statistics"?',
  ],
  ["readback: hostd", ':1:11: readback: "hostd" is not a valid value; did you mean "hosted"?'],
  ["profile: cloud", ':1:10: profile: "cloud" is not a valid value; use one of document, hosted'],
  ["list: 403", ":1:7: list: 403 is not a valid value; did you mean 404?"],
  ['list: "404"', ':1:7: list: "404" is not a valid value; did you mean 404?'],
  ["revisionList: 'no'", ":1:15: revisionList: a string where it takes true or false"],
  ["apiKeys: key", ":1:10: apiKeys: a string where it takes list of a key"],
  ["apiKeys: [{ kay: a }]", ':1:13: apiKeys[0].kay: unknown key "kay"; did you mean "key"?'],
  ["maskedSecrets: [A]", ":1:16: maskedSecrets: maskedSecrets has no effect without secretValues"],
  [
    "faults:\n  - { route: POST /v2/deployment, kind: status }",
    ':2:14: faults[0].route: no route of the service is /v2/deployment; did you mean "/v2/deployments"?',
  ],
  [
    "faults: [{ route: PSOT /v2/deployments, kind: status }]",
    ':1:19: faults[0].route: unknown method "PSOT"; did you mean "POST"?',
  ],
  ["faults: [{ kind: status }]", ':1:10: faults[0]: the key "route" is missing'],
  [
    "faults: [{ route: '*', kind: status, nth: 0 }]",
    ":1:43: faults[0].nth: 0 is not a whole number from 1 on",
  ],
  [
    "faults: [{ route: '*', kind: delay, status: 500 }]",
    ":1:45: faults[0].status: status has no effect on kind delay",
  ],
  [
    "revisions: [{ outcome: build-fail }]",
    ':1:24: revisions[0].outcome: "build-fail" is not a valid value; did you mean "build-failed"?',
  ],
  ["revisions: [{ deployment: a }]", ":1:13: revisions[0]: the rule changes nothing"],
  [
    "revisions: [{ timeline: [{ status: BUILDING }, { status: DEPLOYED }] }]",
    ':1:26: revisions[0].timeline[0]: the key "ms" is missing',
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: repohost\n      source_config: { repo_ulr: x }",
    ':5:24: seed.deployments[0].source_config.repo_ulr: unknown key "repo_ulr"; did you mean "repo_url"?',
  ],
  [
    "seed: { deployments: [{ name: a, source: gitub }] }",
    ':1:42: seed.deployments[0].source: "gitub" is not a valid value; did you mean "github"?',
  ],
  [
    "seed: { datasets: [{ id: nope, name: d }] }",
    ':1:26: seed.datasets[0].id: "nope" is not a uuid',
  ],
  ["clock: { stepMs: 5 }", ':1:8: clock: the key "manual" is missing'],
  ['apiKeys: [{ key: "" }]', ':1:18: apiKeys[0].key: "" is not text that is not empty'],
  [
    "apiKeys: [{ key: k, foo: 1 }]",
    ':1:21: apiKeys[0].foo: unknown key "foo"; the keys here are key, tenant_id, scope, region',
  ],
  ["apiKeys: [{ key: k, tenant_id: x }]", ':1:32: apiKeys[0].tenant_id: "x" is not a uuid'],
  [
    'seed:\n  deployments:\n    - name: a\n      source: external_container\n      secrets: [{ name: "", value: x }]',
    ':5:25: seed.deployments[0].secrets[0].name: "" is not text that is not empty',
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: external_container\n      secrets: [{ name: A, value: x, x: 1 }]",
    ':5:38: seed.deployments[0].secrets[0].x: unknown key "x"; the keys here are name, value',
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: external_container\n      source_config: { resource_spec: { volumes: [{ name: a }, { name: a }] } }",
    ":5:72: seed.deployments[0].source_config.resource_spec.volumes[1].name: name must be unique within the pod",
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: external_container\n      source_config: { resource_spec: { volumes: [{ name: null }] } }",
    ":5:59: seed.deployments[0].source_config.resource_spec.volumes[0].name: null where it takes text",
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: external_container\n      source_config: { resource_spec: { volumes: [{}] } }",
    ':5:51: seed.deployments[0].source_config.resource_spec.volumes[0]: the key "name" is missing',
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: external_container\n      source_config: { resource_spec: { sidecars: [{ name: s, image: i, env: [{ name: 1x }] }] } }",
    ":5:87: seed.deployments[0].source_config.resource_spec.sidecars[0].env[0].name: name must be a C identifier",
  ],
  [
    "seed:\n  deployments:\n    - name: a\n      source: external_container\n      secret_references: [{ name: 3, secret_name: a, secret_key: b }]",
    ":5:35: seed.deployments[0].secret_references[0].name: a number where it takes text",
  ],
  ["a: [", ":1:"],
];

describe("a scenario with a mistake", () => {
  test.each(WRONG)("%j is reported with its place", (text, said) => {
    expect(() => parseScenario(text, "s.yml")).toThrow(`s.yml${said}`);
  });

  test("ends the command with exit code 2, every mistake and no URL", async () => {
    const file = join(folder, "scenario.yml");
    writeFileSync(file, "fault: []\ntimeScale: fast\n");
    const ended = await runCli(["emulator", "--port", "0", "--scenario", file]);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr.trim().split("\n")).toEqual([
      `${file}:1:1: fault: unknown key "fault"; did you mean "faults"?`,
      `${file}:2:12: timeScale: "fast" is not a number from 0 on`,
    ]);
  });

  test("in an admin body is a 422 by the same rules", async () => {
    client = await open();
    const twice = { volumes: [{ name: "a" }, { name: "a" }] };
    const sidecar = { name: "s", image: "i", env: [{ name: "1x" }] };
    const tries: readonly (readonly [string, unknown, string])[] = [
      [
        "options",
        { retryAftr: "none" },
        'retryAftr: unknown key "retryAftr"; did you mean "retryAfter"?',
      ],
      ["seed", { deployments: [{ name: "a" }] }, 'deployments[0]: the key "source" is missing'],
      [
        "revisions",
        { outcome: "stuk" },
        'revisions[0].outcome: "stuk" is not a valid value; did you mean "stuck"?',
      ],
      ["clock", { advance: 5 }, 'advance: unknown key "advance"'],
      ["clock", {}, "give one of advance_ms"],
      ["push", { repo_url: 1, ref: "a", commit: "b" }, "repo_url: a number where it takes"],
      ["reset", { all: true }, 'all: unknown key "all"'],
      ["options", { apiKeys: [{ key: "" }] }, 'apiKeys[0].key: "" is not text that is not empty'],
      [
        "options",
        { apiKeys: [{ key: "k", foo: 1 }] },
        'apiKeys[0].foo: unknown key "foo"; the keys',
      ],
      [
        "seed",
        { deployments: [repohost({ secrets: [{ name: "", value: "x" }] })] },
        'deployments[0].secrets[0].name: "" is not text that is not empty',
      ],
      [
        "seed",
        { deployments: [repohost({ secrets: [{ name: "A", value: "x", x: 1 }] })] },
        'deployments[0].secrets[0].x: unknown key "x"; the keys here are name, value',
      ],
      [
        "seed",
        { deployments: [container({ source_config: { resource_spec: twice } })] },
        "deployments[0].source_config.resource_spec.volumes[1].name: name must be unique within the pod",
      ],
      [
        "seed",
        { deployments: [container({ source_config: { resource_spec: { sidecars: [sidecar] } } })] },
        "deployments[0].source_config.resource_spec.sidecars[0].env[0].name: name must be a C identifier",
      ],
    ];
    for (const [name, body, said] of tries) {
      const answered = await client.call("POST", `/_emulator/${name}`, body);
      expect([name, answered.status]).toEqual([name, 422]);
      expect(answered.body.detail[0].msg).toContain(said);
    }
    expect(client.running.emulator.settings().retryAfter).toBe("seconds");
  });

  test("in a program's options is refused as well", async () => {
    await expect(open({ faults: [{ route: "GET /v2/nothing", kind: "status" }] })).rejects.toThrow(
      "faults[0].route: no route of the service is /v2/nothing",
    );
  });
});

test("the published schema accepts the documented example, and refuses unknown keys", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../schema/scenario.schema.json", import.meta.url), "utf8"),
  ) as object;
  const validate = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { uuid: /^[\da-f-]{36}$/i },
  }).compile(schema);
  const page = readFileSync(new URL("../../docs/emulator/scenarios.md", import.meta.url), "utf8");
  const example = /```yaml\n([\s\S]*?)```/.exec(page)![1]!;
  expect([validate(load(example)), validate.errors]).toEqual([true, null]);
  expect(validate({ fault: [] })).toBe(false);
  expect(validate({ lags: { delte: 1 } })).toBe(false);
});

test("deployments are seeded from the output of export", async () => {
  const file = join(folder, "live.yml");
  writeFileSync(
    file,
    `name: one
source: repohost
source_config:
  repo_url: https://git.example.com/acme/agents
source_revision_config:
  repo_ref: main
  graph_config_path: graph.json
secrets:
  - API_TOKEN
deploy:
  id: 11111111-2222-4333-8444-555555555555
---
name: two
source: external_docker
source_config:
  resource_spec: { cpu: 1 }
source_revision_config:
  image_uri: registry.example.com/a:1
secrets: []
`,
  );
  client = await open(parseScenario("seed: { files: [live.yml] }", join(folder, "s.yml")));
  const listed = (await client.call("GET", "/v2/deployments")).body.resources as any[];
  expect(listed.map(({ name, source }) => [name, source])).toEqual([
    ["two", "external_docker"],
    ["one", "repohost"],
  ]);
  expect(listed[1]).toMatchObject({
    id: "11111111-2222-4333-8444-555555555555",
    secrets: [{ name: "API_TOKEN", value: "seeded-API_TOKEN" }],
  });
  const more = await client.call("POST", "/_emulator/seed", "name: three\nsource: repohost\n", {
    "content-type": "application/yaml",
  });
  expect([more.status, more.body.deployments.length]).toEqual([200, 3]);
});

test("a secret seeded by name only gets a generated value", async () => {
  const seed = "seed: { deployments: [{ name: a, source: repohost, secrets: [API_TOKEN] }] }";
  client = await open(parseScenario(seed, "s.yml"));
  const [made] = (await client.call("GET", "/v2/deployments")).body.resources;
  expect(made.secrets).toEqual([{ name: "API_TOKEN", value: "seeded-API_TOKEN" }]);
});

test("the variables of a spec file are seeded, even if its secrets are empty", async () => {
  client = await open();
  const file = "name: a\nsource: repohost\nsecrets:\nvariables: { A: b }\n";
  const seeded = await client.call("POST", "/_emulator/seed", file, {
    "content-type": "application/yaml",
  });
  expect(seeded.status).toBe(200);
  const [made] = (await client.call("GET", "/v2/deployments")).body.resources;
  expect(made.secrets).toEqual([{ name: "A", value: "b" }]);
});
