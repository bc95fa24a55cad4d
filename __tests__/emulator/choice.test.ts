import { afterEach, describe, expect, test } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { CHOICES } from "../../src/emulator/rules/choices.ts";
import type { ServerOptions } from "../../src/emulator/server.ts";
import { container, open, repohost, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

const clients: Client[] = [];
const start = async (options: ServerOptions = {}): Promise<Client> => {
  const client = await open(options);
  clients.push(client);
  return client;
};
afterEach(async () => {
  for (const client of clients.splice(0)) await client.running.close();
});
const status = async (
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> => (await client.call(method, path, body)).status;

type Try = (client: Client) => Promise<unknown>;
const made = async (client: Client): Promise<any> =>
  client.create(repohost({ secrets: [{ name: "A", value: "a" }] }));
function recreate(query: string): Try {
  return async (client) => {
    const body = repohost();
    await client.call("DELETE", `/v2/deployments/${(await client.create(body)).id}${query}`);
    expect((await client.call("GET", "/v2/deployments")).body.resources[0].status).toBe(
      "AWAITING_DELETE",
    );
    client.running.emulator.advance(100);
    expect((await client.call("GET", "/v2/deployments")).body.resources).toEqual([]);
    return status(client, "POST", "/v2/deployments", body);
  };
}
async function interrupts(client: Client): Promise<number[]> {
  const { id, latest_revision_id } = await made(client);
  return [
    await status(client, "POST", `/v2/deployments/${id}/revisions/${latest_revision_id}/interrupt`),
    await status(
      client,
      "POST",
      `/v2/deployments/${id}/revisions/${latest_revision_id}/interruption`,
    ),
  ];
}
async function families(client: Client): Promise<number[]> {
  const { id, latest_revision_id } = await made(client);
  return [
    await status(
      client,
      "GET",
      `/v2/deployments/${id}/revisions/${latest_revision_id}/logs?type=build`,
    ),
    await status(client, "GET", `/v2/deployment-logs?deployment_id=${id}&log_type=BUILD`),
    await status(
      client,
      "POST",
      `/v1/projects/${id}/revisions/${latest_revision_id}/build_logs`,
      {},
    ),
  ];
}
async function twice(client: Client): Promise<number[]> {
  const body = repohost();
  return [
    await status(client, "POST", "/v2/deployments", body),
    await status(client, "POST", "/v2/deployments", body),
  ];
}
async function redeployed(client: Client): Promise<boolean> {
  const { id, latest_revision_id } = await made(client);
  return (
    (await client.call("POST", `/v2/deployments/${id}/revisions/${latest_revision_id}/redeploy`))
      .body.latest_revision_id === latest_revision_id
  );
}
async function emptied(client: Client): Promise<number> {
  const one = await made(client);
  const patched = (await client.call("PATCH", `/v2/deployments/${one.id}`, { secrets: [] })).body;
  expect(patched.latest_revision_id).not.toBe(one.latest_revision_id);
  return patched.secrets.length;
}
async function strange(client: Client): Promise<unknown[]> {
  const answered = await client.call(
    "POST",
    "/v2/deployments",
    repohost({ source_revision_config: { image_uri: "r/x" } }),
  );
  return [answered.status, answered.body.source_revision_config?.image_uri];
}
async function renamed(client: Client): Promise<unknown[]> {
  const { id } = await made(client);
  const answered = await client.call("PATCH", `/v2/deployments/${id}`, {
    source_config: { repo_url: "https://other.example.com/x" },
  });
  return [
    answered.status,
    new URL((await client.call("GET", `/v2/deployments/${id}`)).body.source_config.repo_url).host,
  ];
}
const echo: Try = async (client) =>
  JSON.stringify(
    (
      await client.call(
        "POST",
        "/v2/deployments",
        repohost({ secrets: [{ name: "A", value: 73311 }] }),
      )
    ).body,
  ).includes("73311");
const message: Try = async (client) => {
  client.running.emulator.addRevisionRules([
    { outcome: "build-failed", status_message: "no disk" },
  ]);
  const { id, latest_revision_id } = await made(client);
  client.running.emulator.advance(1000);
  return (await client.call("GET", `/v2/deployments/${id}/revisions/${latest_revision_id}`)).body
    .status_message;
};
const overtaken: Try = async (client) => {
  const { id } = await made(client);
  const second = (
    await client.call("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "B", value: "b" }] })
  ).body.latest_revision_id;
  await client.call("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "C", value: "c" }] });
  client.running.emulator.advance(10_000);
  return (await client.call("GET", `/v2/deployments/${id}/revisions/${second}`)).body.status;
};
const builds: Try = async (client) => {
  const { id } = await client.create(container());
  client.running.emulator.advance(1000);
  const [state] = (await client.call("GET", "/_emulator/state")).body.deployments.filter(
    (one: any) => one.id === id,
  );
  return state.revisions[0].timeline.some((step: any) => step.status === "BUILDING");
};
const retryAfter: Try = async (client) => {
  client.running.emulator.configure({ limits: "on" });
  for (let i = 0; i < 15; i++) await client.call("POST", "/api/v1/runs/query", {});
  const limited = await client.call("POST", "/api/v1/runs/query", {});
  expect(limited).toMatchObject({ status: 429, body: { detail: expect.any(String) } });
  return limited.headers.get("retry-after");
};
const sameExperiment: Try = async (client) => {
  const body = experiment();
  await upload(client, body);
  return (await upload(client, body)).status;
};
const base: Try = async (client) => {
  client.running.emulator.configure({ readback: "hosted" });
  return (await client.create(container())).source_config.resource_spec.cpu;
};

const EACH: Readonly<
  Record<keyof typeof CHOICES, readonly (readonly [value: unknown, show: Try, expected: unknown])[]>
> = {
  list: (["served", 404, 405, 501] as const).map(
    (value) =>
      [
        value,
        (client) => status(client, "GET", "/v2/deployments"),
        value === "served" ? 200 : value,
      ] as const,
  ),
  revisionList: [
    [
      true,
      async (client) =>
        status(client, "GET", `/v2/deployments/${(await made(client)).id}/revisions`),
      200,
    ],
    [
      false,
      async (client) =>
        status(client, "GET", `/v2/deployments/${(await made(client)).id}/revisions`),
      405,
    ],
  ],
  remove: [
    [
      true,
      async (client) => status(client, "DELETE", `/v2/deployments/${(await made(client)).id}`),
      204,
    ],
    [
      false,
      async (client) => status(client, "DELETE", `/v2/deployments/${(await made(client)).id}`),
      405,
    ],
  ],
  deleteKeepsProject: [
    [true, recreate(""), 409],
    [true, recreate("?delete_tracing_project=true"), 201],
    [false, recreate(""), 201],
  ],
  logs: [
    [["revision-logs"], families, [200, 404, 404]],
    [["deployment-logs"], families, [404, 200, 404]],
    [["project-logs"], families, [404, 404, 200]],
    [[], families, [404, 404, 404]],
  ],
  sessions: [
    [true, (client) => status(client, "GET", "/api/v1/sessions"), 200],
    [false, (client) => status(client, "GET", "/api/v1/sessions"), 404],
  ],
  names: [
    ["unique", twice, [201, 409]],
    ["duplicates", twice, [201, 201]],
  ],
  redeploy: [
    ["new-revision", redeployed, false],
    ["same-revision", redeployed, true],
  ],
  overtaken: [
    ["skip", overtaken, "SKIPPED"],
    ["run", overtaken, "DEPLOYED"],
  ],
  retryAfter: [
    ["seconds", retryAfter, expect.stringMatching(/^10$/)],
    ["date", retryAfter, expect.stringMatching(/GMT$/)],
    ["none", retryAfter, null],
  ],
  experimentNames: [
    ["unique", sameExperiment, 409],
    ["duplicates", sameExperiment, 200],
  ],
};

const cpu: Try = (client) =>
  status(
    client,
    "POST",
    "/v2/deployments",
    container({ source_config: { resource_spec: { cpu: 0.5 } } }),
  );
const again: Try = async (client) =>
  status(client, "POST", `/v2/deployments/${(await made(client)).id}/revisions`, {});
const late: Try = async (client) =>
  (await upload(client, experiment({ experiment_end_time: "2025-01-01T00:00:00" }))).status;

const source =
  (word: string): Try =>
  (client) =>
    status(client, "POST", "/v2/deployments", {
      name: "agent",
      source: word,
      source_config: {},
      source_revision_config: {},
      secrets: [],
    });
const hostedFields: Try = async (client) => {
  const body = { ...repohost(), secret_references: [] };
  const at = `/v2/deployments/${(await client.create(body)).id}`;
  const shown = (await client.call("PATCH", at, { display_name: "Agent" })).body;
  return [shown.secret_references, shown.display_name];
};
const hostedResources: Try = async (client) => {
  const source_config = { resource_spec: { cpu: 1, redis_cpu: 1, redis_memory_limit_mb: 512 } };
  const { id } = await client.create({ ...container(), source_config });
  const { source_config: shown } = (await client.call("GET", `/v2/deployments/${id}`)).body;
  return shown.resource_spec;
};

/** What follows from `strict` by itself: shown, usually and by the document. */
const FACTS: Readonly<Record<string, readonly [show: Try, usual: unknown, strict: unknown]>> = {
  "status of a create": [
    (client) => status(client, "POST", "/v2/deployments", repohost()),
    201,
    200,
  ],
  "POST …/revisions": [again, 201, 404],
  "a PATCH with no secrets": [emptied, 1, 0],
  "an unknown field": [
    (client) => status(client, "POST", "/v2/deployments", { ...repohost(), colour: "red" }),
    201,
    200,
  ],
  ...Object.fromEntries(
    ["internal_docker", "internal_source", "internal_template"].map((word) => [
      `source ${word}`,
      [source(word), 201, 422] as const,
    ]),
  ),
  "source github": [source("github"), 201, 200],
  "fields of the hosted service": [hostedFields, [[], "Agent"], [undefined, undefined]],
  "resources of the hosted service": [
    hostedResources,
    { cpu: 1, redis_cpu: 1, redis_memory_limit_mb: 512 },
    { cpu: 1 },
  ],
  "a field of the other kind": [strange, [400, undefined], [400, undefined]],
  "a PATCH of what is fixed": [renamed, [400, "git.example.com"], [400, "git.example.com"]],
  "the rejected value in a 422": [echo, true, false],
  tenant_id: [async (client) => "tenant_id" in (await made(client)), true, false],
  url: [async (client) => "url" in (await made(client)), true, false],
  status_message: [message, "no disk", undefined],
  "fractions of a CPU": [cpu, 201, 422],
  "a row out of its window": [late, 422, 422],
  "base defaults read back": [base, 1, null],
  "a build of a container": [builds, false, false],
};

describe.each(Object.entries(FACTS))("%s", (_, [show, usual, strict]) => {
  test.each([
    [false, usual],
    [true, strict],
  ])("strict %j", async (isStrict, expected) => {
    expect(await show(await start({ strict: isStrict }))).toEqual(expected);
  });
});

test("either status name interrupts a revision, and neither does in strict mode", async () => {
  expect(await interrupts(await start())).toContain(200);
  expect(await interrupts(await start({ strict: true }))).toEqual([404, 404]);
});

describe.each(Object.entries(EACH))("the choice %s", (name, cases) => {
  test.each(cases.map((one) => [JSON.stringify(one[0]), ...one] as const))(
    "%s has its effect",
    async (_shown, value, show, expected) => {
      const client = await start({ [name]: value });
      expect(await show(client)).toEqual(expected);
    },
  );
});

test("every choice has a source and a sentence, and /_emulator/choices lists the values in effect", async () => {
  const client = await start({ strict: true });
  const { body } = await client.call("GET", "/_emulator/choices");
  expect(Object.keys(body)).toEqual(Object.keys(CHOICES));
  for (const [name, row] of Object.entries(CHOICES)) {
    expect([name, row.source, row.doc]).toEqual([
      name,
      expect.stringMatching(/interface\.md|service\.md|own choice/),
      expect.stringMatching(/\.$/),
    ]);
    expect(body[name].value).toEqual(row.strict);
  }
});

test("strict mode has only the endpoints and fields of the document", async () => {
  const client = await start({ strict: true });
  const one = await client.create(container());
  expect(Object.keys(one).sort()).toEqual([
    "active_revision_id",
    "created_at",
    "id",
    "image_version",
    "latest_revision_id",
    "name",
    "secrets",
    "source",
    "source_config",
    "source_revision_config",
    "status",
    "updated_at",
  ]);
  for (const [method, path] of [
    ["GET", "/v2/deployments"],
    ["DELETE", `/v2/deployments/${one.id}`],
    ["GET", `/v2/deployments/${one.id}/revisions`],
    ["GET", "/api/v1/sessions"],
  ] as const) {
    expect([path, [404, 405].includes(await status(client, method, path))]).toEqual([path, true]);
  }
});

test("the emulator imports only the model, the clock and the YAML reader of the product", () => {
  const src = fileURLToPath(new URL("../../src/", import.meta.url));
  const files = readdirSync(join(src, "emulator"), { recursive: true, encoding: "utf8" });
  const imports = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(src, "emulator", file))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)].map((found) =>
        relative(src, join(dirname(file), found[1]!)),
      ),
    );
  const shared =
    /^(emulator\/.*|model\/[a-z-]+\.ts|clock\.ts|spec\/(yaml|yaml-node|suggestion|desired)\.ts)$/;
  expect(imports.length).toBeGreaterThan(200);
  expect(imports.filter((path) => !shared.test(path))).toEqual([]);
});
