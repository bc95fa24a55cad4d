import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { nodeUnderTest, startChild, type Child, type Finished } from "../support/child.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { blocksOf } from "../docs/documents.ts";

const COPIED = [
  "entries",
  "src",
  "scripts",
  "__tests__/experiment/producers/expected.json",
  "schema",
  "contributing",
  "docs",
  "examples/results",
  "README.md",
  "action.yml",
  "gate",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];
/** A field that is stored in place, next to the one of contributing/extending.md, whose unit makes a revision: only the table distinguishes them. */
const IN_PLACE = `+  health_path: field(text(), { doc: "Path that is asked whether it serves.", only: "external_container", effect: "in-place" }),
   install_command: field(text(), {
`;

/** One of each kind of row that something has to be done with, in no other file than its table. */
const ROWS: Readonly<Record<string, string>> = {
  "src/model/fields.ts": `+  traffic_policy: field(text(), { doc: "How traffic moves to a new revision.", effect: "new-revision" }),
   secrets: secretsOf(struct(SECRET)),
@@
+  webhook_token: field(text(), { doc: "Token of the webhook.", only: "external_container", effect: "in-place", sensitive: "value" }),
   custom_url: field(text(), {
`,
  "src/model/revision-status.ts": `+  { status: "SCANNING", phase: "build", log: "build", words: "being scanned" },
+  { status: "QUARANTINED", end: "failed", reason: "the scan found something" },
   { status: "AWAITING_DEPLOY", phase: "deploy", log: "build", words: "waiting to start" },
`,
  "src/cli/inputs.ts": `+  "pager-key": {
+    type: "string",
+    secret: true,
+    env: ["AGENT_DEPLOY_PAGER_KEY"],
+    on: REMOTE,
+    doc: "Key of the pager.",
+  },
   "bearer-token": {
@@
     default: "30m",
+    formerly: ["max-wait"],
     specKey: "deploy.timeout",
`,
};

/** Applies one file's diff: hunks separated by `@@`, each exactly once in the file; a file that does not exist is made. */
function applyDiff(folder: string, path: string, diff: string): void {
  const target = join(folder, path);
  let text = existsSync(target) ? readFileSync(target, "utf8") : "";
  for (const hunk of diff.split(/^@@\n/m)) {
    const lines = hunk.replace(/\n$/, "").split("\n");
    const side = (other: string): string =>
      lines
        .filter((line) => !line.startsWith(other))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const [before, after] = [side("+"), side("-")];
    if (before === "" ? text !== "" : text.split(before).length !== 2)
      throw new Error(`${path} does not hold these lines exactly once:\n${before}`);
    text = before === "" ? after : text.replace(before, () => after);
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

const diffs = blocksOf("contributing/extending.md").filter(({ info }) => info[0] === "diff");
const copy = createTreeOfSources();

function createTreeOfSources(): string {
  const { path } = createTree();
  for (const name of COPIED)
    cpSync(join(repositoryRoot, name), join(path, name), { recursive: true });
  symlinkSync(join(repositoryRoot, "node_modules"), join(path, "node_modules"));
  return path;
}

const read = (path: string): string => readFileSync(join(copy, path), "utf8");

/** The command line of the copy, as generating has compiled it, next to a spec that is written anew for each run. */
function start(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Child {
  return startChild(nodeUnderTest, [join(copy, "entries/cli.js"), ...args], {
    cwd: createTree(files).path,
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
}
const run = (
  args: readonly string[],
  files?: Readonly<Record<string, string>>,
  env?: Readonly<Record<string, string>>,
): Promise<Finished> => start(args, files, env).done;

beforeAll(async () => {
  for (const { info, text } of diffs) applyDiff(copy, info[1]!, text);
  applyDiff(copy, "src/model/fields.ts", IN_PLACE);
  for (const [path, diff] of Object.entries(ROWS)) applyDiff(copy, path, diff);
  const done = await startChild(nodeUnderTest, [join(copy, "scripts/generate.mjs")], {
    cwd: copy,
    env: { PATH: process.env["PATH"] ?? "" },
  }).done;
  expect({ code: done.code, said: done.stdout + done.stderr }).toEqual({
    code: 0,
    said: expect.stringContaining("wrote docs/reference/spec.md") as unknown,
  });
}, 900_000);

test("contributing/extending.md shows, as diffs that apply, how to add a field, a format, a command and a sink", () => {
  const touched = diffs.map(({ info }) => info[1]!);
  for (const folder of [
    "src/model/",
    "src/experiment/formats/",
    "src/commands/",
    "src/report/",
    "src/ci/",
  ])
    expect(touched.filter((path) => path.startsWith(folder))).not.toEqual([]);
});

describe("a field of the service, added by one line in the table", () => {
  const spec = (more: string): string =>
    `name: search\nsource: external_container\nsource_config:\n  ${more}\nsource_revision_config: { image_uri: "registry.example.com/a@sha256:${"a".repeat(64)}" }\nsecrets: []\n`;
  const both = (iops: number, path: string): string =>
    spec(`resource_spec: { cpu: 1, db_iops: ${iops} }\n  health_path: ${path}`);

  test("is unknown before it is added", async () => {
    const { code, stderr } = await runCli(["validate"], {
      workspace: createTree({ "agent-deploy.yml": both(500, "/ok") }),
    });
    expect(code).toBe(2);
    expect(stderr).toContain("agent-deploy.yml:4:28: source_config.resource_spec.db_iops: ");
    expect(stderr).toContain("agent-deploy.yml:5:3: source_config.health_path: ");
  });

  test("is validated by its type, its source kind and its place in the file, with the nearest name if it is misspelled", async () => {
    expect(await run(["validate"], { "agent-deploy.yml": both(500, "/ok") })).toMatchObject({
      code: 0,
    });
    const wrong = await run(["validate"], {
      "agent-deploy.yml": spec("resource_spec: { db_iops: many, db_iop: 1 }\n  health_path: [a]"),
    });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(
      /agent-deploy\.yml:4:29: source_config\.resource_spec\.db_iops: .*whole number/,
    );
    expect(wrong.stderr).toMatch(
      /agent-deploy\.yml:4:35: source_config\.resource_spec\.db_iop: .*did you mean db_iops/,
    );
    expect(wrong.stderr).toMatch(/agent-deploy\.yml:5:16: source_config\.health_path: /);
    const otherKind = await run(["validate"], {
      "agent-deploy.yml": "name: a\nsource: repohost\nsource_config: { health_path: /ok }\n",
    });
    expect(otherKind).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /:3:18: source_config\.health_path: .*external_container/,
      ) as unknown,
    });
  });

  test("is in the editor's schema and in the reference", () => {
    const schema = JSON.parse(read("schema/agent-deploy.schema.json")) as {
      properties: {
        source_config: {
          properties: {
            health_path: unknown;
            resource_spec: { properties: { db_iops: { description: string } } };
          };
        };
      };
    };
    expect(
      schema.properties.source_config.properties.resource_spec.properties.db_iops.description,
    ).toBe("Database operations per second.");
    expect(schema.properties.source_config.properties.health_path).toMatchObject({
      type: ["string", "null"],
    });
    expect(read("docs/reference/spec.md")).toContain(
      "| `db_iops` | whole number | any | makes a new revision | Database operations per second. |",
    );
    expect(read("docs/reference/spec.md")).toContain(
      "| `health_path` | text | `external_container` / `external_docker` | in place | Path that is asked whether it serves. |",
    );
  });

  test("is planned with its effect, sent, stored and returned by the emulator, which makes a revision if the table says so", async () => {
    const emulator = start(["emulator", "--port", "0", "--scenario", "s.yml"], {
      "s.yml": "limits: off\ntimeScale: 1\n",
    });
    const [url] = await emulator.until(/^http:\/\/127\.0\.0\.1:\d+/m);
    const env = { AGENT_DEPLOY_API_KEY: "any", AGENT_DEPLOY_CONTROL_PLANE_URL: url };
    const at = async (
      text: string,
      ...args: string[]
    ): Promise<{
      outcome: string;
      deployments: { id: string; revision_id: string; changes: unknown }[];
    }> =>
      JSON.parse(
        (
          await run(
            [...args, "--json", "--poll-interval", "20ms"],
            { "agent-deploy.yml": text },
            env,
          )
        ).stdout,
      ) as never;
    const live = async (
      id: string,
    ): Promise<{ latest_revision_id: string; source_config: unknown }> =>
      (
        await fetch(`${url}/v2/deployments/${id}`, { headers: { "x-api-key": "any" } })
      ).json() as never;
    const change = (path: string, before: unknown, after: unknown, effect: string): object => ({
      path: `source_config.${path}`,
      before,
      after,
      effect,
    });
    try {
      const created = await at(both(100, "/ok"), "apply");
      expect(created.outcome).toBe("deployed");
      const { id } = created.deployments[0]!;
      const first = await live(id);
      expect(first.source_config).toMatchObject({
        health_path: "/ok",
        resource_spec: { db_iops: 100 },
      });

      expect(await at(both(100, "/health"), "plan")).toMatchObject({
        outcome: "planned",
        deployments: [{ changes: [change("health_path", "/ok", "/health", "in-place")] }],
      });
      expect(await at(both(100, "/health"), "apply")).toMatchObject({ outcome: "updated" });
      expect(await live(id)).toMatchObject({
        latest_revision_id: first.latest_revision_id,
        source_config: { health_path: "/health" },
      });

      expect(await at(both(500, "/health"), "plan")).toMatchObject({
        outcome: "planned",
        deployments: [{ changes: [change("resource_spec.db_iops", 100, 500, "new-revision")] }],
      });
      expect(await at(both(500, "/health"), "apply")).toMatchObject({ outcome: "deployed" });
      const last = await live(id);
      expect(last.source_config).toMatchObject({ resource_spec: { db_iops: 500 } });
      expect(last.latest_revision_id).not.toBe(first.latest_revision_id);

      expect(await at(both(500, "/health"), "plan")).toMatchObject({ outcome: "unchanged" });
      expect((await run(["export", "--deployment-id", id], {}, env)).stdout).toMatch(
        /^ {4}db_iops: 500$/m,
      );
    } finally {
      emulator.process.kill("SIGTERM");
      await emulator.done;
    }
  });
});

describe("a row of each other kind, added only to its table", () => {
  const TOKEN = "whtok-7c1f0e5d9ab24683";
  const PAGER = "pager-51d0c2f7a9e84b36";
  const spec = (policy: string): string =>
    `name: search\nsource: external_container\ntraffic_policy: ${policy}\nsource_config:\n  webhook_token: \${HOOK}\n  resource_spec: { cpu: 1 }\nsource_revision_config: { image_uri: "registry.example.com/a@sha256:${"a".repeat(64)}" }\nsecrets: []\n`;

  async function withEmulator(
    scenario: string,
    use: (
      at: (text: string, ...args: string[]) => Promise<Finished>,
      call: (path: string) => Promise<unknown>,
    ) => Promise<void>,
  ): Promise<void> {
    const emulator = start(["emulator", "--port", "0", "--scenario", "s.yml"], {
      "s.yml": `limits: off\ntimeScale: 1\n${scenario}`,
    });
    const [url] = await emulator.until(/^http:\/\/127\.0\.0\.1:\d+/m);
    const env = {
      AGENT_DEPLOY_API_KEY: "any",
      AGENT_DEPLOY_CONTROL_PLANE_URL: url!,
      AGENT_DEPLOY_PAGER_KEY: PAGER,
      HOOK: TOKEN,
    };
    try {
      await use(
        (text, ...args) =>
          run([...args, "--poll-interval", "20ms"], { "agent-deploy.yml": text }, env),
        async (path) =>
          (await fetch(`${url}${path}`, { headers: { "x-api-key": "any" } })).json() as unknown,
      );
    } finally {
      emulator.process.kill("SIGTERM");
      await emulator.done;
    }
  }

  test("an input that was renamed still works by its old name, with a warning, and action.yml says so", async () => {
    const files = { "agent-deploy.yml": spec("all") };
    const given = await run(["plan", "--max-wait", "soon"], files, { HOOK: TOKEN });
    expect(given).toMatchObject({ code: 2 });
    expect(given.stderr).toContain("--max-wait is now called --timeout; the old name still works");
    expect(given.stderr).toContain('--timeout: "soon" is not a valid duration');
    const action = await startChild(nodeUnderTest, [join(copy, "entries/index.js")], {
      cwd: createTree(files).path,
      env: {
        PATH: process.env["PATH"] ?? "",
        INPUT_COMMAND: "plan",
        INPUT_TIMEOUT: "30m",
        "INPUT_MAX-WAIT": "soon",
      },
    }).done;
    expect(action.stdout).toContain("input max-wait is now called timeout");
    expect(action.stdout).toContain('timeout: "soon" is not a valid duration');
    expect(read("action.yml")).toMatch(
      /\n {2}max-wait:\n {4}description: "Old name of timeout\."\n {4}deprecationMessage: "Use timeout\."\n/,
    );
    expect((await run(["plan", "--help"])).stdout).not.toContain("max-wait");
  });

  test("a top-level field is in the create body, is returned, and its change makes a revision", async () => {
    await withEmulator("", async (at, call) => {
      const created = JSON.parse((await at(spec("all"), "apply", "--json")).stdout) as {
        outcome: string;
        deployments: { id: string }[];
      };
      expect(created.outcome).toBe("deployed");
      const path = `/v2/deployments/${created.deployments[0]!.id}`;
      const first = (await call(path)) as { latest_revision_id: string };
      expect(first).toMatchObject({ traffic_policy: "all" });
      expect(JSON.parse((await at(spec("canary"), "apply", "--json")).stdout)).toMatchObject({
        outcome: "deployed",
        deployments: [
          {
            changes: [
              { path: "traffic_policy", before: "all", after: "canary", effect: "new-revision" },
            ],
          },
        ],
      });
      const second = (await call(path)) as { latest_revision_id: string };
      expect(second).toMatchObject({ traffic_policy: "canary" });
      expect(second.latest_revision_id).not.toBe(first.latest_revision_id);
      expect(JSON.parse((await at(spec("canary"), "plan", "--json")).stdout)).toMatchObject({
        outcome: "unchanged",
      });
    });
  });

  test("a sensitive field of any name is shown nowhere: not in a plan, an error, the emulator's log or state", async () => {
    const refusal = `faults:\n  - { kind: status, route: "POST /v2/deployments", status: 400, body: { detail: "webhook_token ${TOKEN} is not known" } }\n`;
    await withEmulator(refusal, async (at, call) => {
      const runs = [
        await at(spec("all"), "plan"),
        await at(spec("all"), "apply"),
        await at(spec("all"), "apply"),
        await at(spec("canary"), "plan", "--json"),
      ];
      expect(runs.map(({ code }) => code)).toEqual([0, 1, 0, 0]);
      expect(runs[1]!.stdout + runs[1]!.stderr).toContain("is not known");
      const shown = runs.map(({ stdout, stderr }) => stdout + stderr).join("\n");
      expect(shown).not.toContain(TOKEN);
      for (const path of ["/_emulator/requests", "/_emulator/state"]) {
        const held = JSON.stringify(await call(path));
        expect(held).toContain("webhook_token");
        expect(held).not.toContain(TOKEN);
      }
    });
  });

  test("a secret input is masked, has no flag, and is named with its variable", async () => {
    await withEmulator("", async (at) => {
      const named = await at(spec(PAGER), "plan");
      expect(named.stdout + named.stderr).toContain("traffic_policy");
      expect(named.stdout + named.stderr).not.toContain(PAGER);
    });
    const flag = await run(["plan", "--pager-key", "x"]);
    expect([flag.code, flag.stderr]).toEqual([
      2,
      expect.stringContaining("set the environment variable AGENT_DEPLOY_PAGER_KEY"),
    ]);
    expect((await run(["help", "inputs"])).stdout).toMatch(/pager-key +AGENT_DEPLOY_PAGER_KEY/);
    expect(read("action.yml")).toMatch(/^ {2}pager-key:$/m);
    expect(read("docs/reference/inputs.md")).toContain("pager-key");
  });

  test("a status of a revision is waited through, and ends it as its row says", async () => {
    const timeline = (end: string): string =>
      `revisions:\n  - { timeline: [{ status: SCANNING, ms: 4000 }, { status: ${end}, ms: 0 }] }\n`;
    await withEmulator(timeline("DEPLOYED"), async (at) => {
      const { code, stderr } = await at(spec("all"), "apply");
      expect(code).toBe(0);
      expect(stderr).toContain("SCANNING");
      expect(stderr).not.toContain("never seen before");
    });
    await withEmulator(timeline("QUARANTINED"), async (at) => {
      const { code, stdout, stderr } = await at(spec("all"), "apply");
      expect(code).toBe(1);
      expect(stdout + stderr).toContain("the scan found something");
    });
  });
});

describe("the other additions", () => {
  test("a format is detected, read, gated and documented", async () => {
    const rows =
      '{"ask":"2+2","got":"4","passed":1,"took":900}\n{"ask":"3+3","got":"7","passed":0,"took":400}\n';
    const gated = await run(["gate", "acme.jsonl", "--gate", "passed >= 0.4", "--json"], {
      "acme.jsonl": rows,
    });
    expect(JSON.parse(gated.stdout)).toMatchObject({
      gates: [{ metric: "passed", head: 0.5, n: 2 }],
    });
    expect(read("src/experiment/formats/acme.ts").split("\n").length).toBeLessThanOrEqual(60);
    expect(read("contributing/formats.md")).toMatch(
      /^evaluation_scores\.passed: passed \| score\nduration_ms: took$/m,
    );
  });

  test("a command runs, and is in the help", async () => {
    const spec = "name: one\nsource: repohost\n---\nname: two\nsource: repohost\n";
    expect((await run(["names", "s.yml"], { "s.yml": spec })).stdout).toMatch(/^one\ntwo\n/);
    expect((await run([])).stdout).toMatch(/^look +[^\n]*\bnames\b/m);
    expect((await run(["names", "--help"])).stdout).toContain("List the deployments of the spec.");
  });

  test("a sink on the network gets the end of a run as JSON, and its address is shown nowhere", async () => {
    const got: { method: string | undefined; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += String(chunk);
      });
      request.on("end", () => {
        got.push({ method: request.method, body });
        response.writeHead(got.length === 1 ? 204 : 500).end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const env = { AGENT_DEPLOY_WEBHOOK: `http://127.0.0.1:${port}/hooks/4f1c9e7ab23d5086` };
    const files = { "agent-deploy.yml": "name: one\nsource: repohost\n" };
    try {
      const [told, refused] = [
        await run(["validate"], files, env),
        await run(["validate"], files, env),
      ];
      expect(got.map(({ method }) => method)).toEqual(["POST", "POST"]);
      expect(JSON.parse(got[0]!.body)).toMatchObject({ command: "validate" });
      expect(refused.stderr).toContain("The webhook answered 500.");
      for (const { stdout, stderr } of [told, refused])
        expect(stdout + stderr).not.toContain("4f1c9e7ab23d5086");
    } finally {
      server.close();
    }
  });

  test("the emulator has the route, the option, the fault, the rule and the limit, each from at most two files", async () => {
    const own = diffs.map(({ info }) => info[1]!).filter((path) => path.startsWith("src/emulator"));
    expect(own).toHaveLength(5);
    const emulator = start(["emulator", "--port", "0", "--scenario", "s.yml"], {
      "s.yml": "profile: hosted\nmotto: all is well\nlimits: on\n",
    });
    const [url] = await emulator.until(/^http:\/\/127\.0\.0\.1:\d+/m);
    const send = async (path: string, body?: object): Promise<{ status: number; body: any }> => {
      const reply = await fetch(`${url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "x-api-key": "any", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: await reply.json() };
    };
    const named = (name: string): object => ({
      name,
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "r.example.com/a:1" },
      secrets: [],
    });
    try {
      expect(await send("/v2/deployments", named("admin"))).toEqual({
        status: 400,
        body: { detail: "The name admin is reserved." },
      });
      const listener = (await send("/v2/listeners")).body.resources[0].id;
      const made = await send("/v2/deployments", {
        ...named("agent-of-all"),
        source_config: { resource_spec: {}, listener_id: listener },
      });
      expect(made.status).toBe(201);
      const owner = `/v2/deployments/${made.body.id}/owner`;
      expect(await send(owner)).toEqual({
        status: 200,
        body: { tenant_id: made.body.tenant_id, motto: "all is well" },
      });
      const fault = { route: "GET /v2/deployments/{id}/owner", kind: "teapot" };
      expect((await send("/_emulator/faults", fault)).status).toBe(200);
      expect((await send(owner)).status).toBe(418);
      expect((await send(owner)).status).toBe(429);
      const { paths } = (await send("/openapi.json")).body;
      expect(paths["/v2/deployments/{deployment_id}/owner"].get.parameters).toHaveLength(2);
    } finally {
      emulator.process.kill("SIGTERM");
      await emulator.done;
    }
  });

  test("a sink gets the report", async () => {
    const tree = createTree({
      "agent-deploy.yml":
        "name: one\nsource: repohost\nsource_config: { repo_url: https://git.example.com/a, deployment_type: prod }\nsource_revision_config: { repo_ref: main, graph_config_path: g.json }\n",
    });
    await startChild(
      nodeUnderTest,
      [join(copy, "entries/cli.js"), "validate", "--report-file", "r.json"],
      { cwd: tree.path, env: { PATH: process.env["PATH"] ?? "" } },
    ).done;
    expect(JSON.parse(tree.read("r.json.badge.json"))).toEqual({
      schemaVersion: 1,
      label: "deploy",
      message: "unchanged",
      color: "green",
    });
  });
});
