import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { container, locations, open, repohost, type Client } from "./client.ts";
import {
  CONTAINER,
  FEEDBACK,
  RESOURCE_DEFAULTS,
  RESOURCE_SPEC,
  SOURCE_CONFIG,
  SOURCE_REVISION_CONFIG,
  UPLOAD,
  UPLOAD_ROW,
  type Sample,
} from "./interface-fields.ts";
import { LIMIT_CALLS } from "./interface-limits.ts";
import {
  namesIn,
  parseTables,
  readInterface,
  type Table,
  type TableRow,
} from "./interface-tables.ts";
import { experiment, upload } from "./upload-body.ts";

const tables = parseTables(readInterface());
let plain: Client;
let hosted: Client;
let strict: Client;
beforeAll(async () => {
  plain = await open();
  hosted = await open({ readback: "hosted" });
  strict = await open({ strict: true });
});
afterAll(async () => {
  await plain.running.close();
  await hosted.running.close();
  await strict.running.close();
  process.stdout.write(
    `contributing/interface.md: ${tables.length} tables, ${tables.reduce((sum, table) => sum + table.rows.length, 0)} rows gone through over HTTP\n`,
  );
});

type RowTest = (row: TableRow) => Promise<void>;

/** The tests of every row of a table; a name in the document without one fails. */
function rowsOf(table: Table): readonly (readonly [string, RowTest | undefined, TableRow])[] {
  const make = TESTS[table.name];
  return table.rows.map((row) => [
    row.cells[0] === "PATCH deployment" ||
    table.columns[0] === "Method" ||
    table.columns[0] === "Operation"
      ? row.cells.slice(0, 2).join(" ")
      : row.cells[0]!,
    make?.(row),
    row,
  ]);
}

const ofFields =
  (check: (field: string, row: TableRow) => Promise<void>) =>
  (row: TableRow): RowTest =>
  async () => {
    for (const field of namesIn(row.cells[0]!)) await check(field, row);
  };
const sampleOf = (samples: Readonly<Record<string, Sample>>, field: string): Sample => {
  const sample = samples[field];
  if (sample === undefined)
    throw new Error(
      `contributing/interface.md has the field ${field}, for which no sample was written: a row without a test`,
    );
  return sample;
};

const DEPLOYMENT_FIELDS: Readonly<Record<string, (made: any) => void>> = {
  name: (made) => expect(typeof made.name).toBe("string"),
  source: (made) => expect(["repohost", "external_container"]).toContain(made.source),
  source_config: (made) => expect(made.source_config).toEqual(expect.any(Object)),
  source_revision_config: (made) => expect(made.source_revision_config).toEqual(expect.any(Object)),
  secrets: (made) => expect(made.secrets).toEqual([{ name: "K", value: "v" }]),
  id: (made) => expect(made.id).toMatch(/^[0-9a-f-]{36}$/),
  created_at: (made) => expect(new Date(made.created_at).toISOString()).toBe(made.created_at),
  updated_at: (made) => expect(new Date(made.updated_at).toISOString()).toBe(made.updated_at),
  status: (made) =>
    expect(["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"]).toContain(
      made.status,
    ),
  latest_revision_id: (made) => expect(made.latest_revision_id).toMatch(/^[0-9a-f-]{36}$/),
  active_revision_id: (made) => expect(made.active_revision_id).toBeNull(),
  image_version: (made) =>
    expect(made.image_version === null || typeof made.image_version === "string").toBe(true),
};

async function deploymentField(field: string, row: TableRow): Promise<void> {
  const body = repohost({ secrets: [{ name: "K", value: "v" }] });
  const made = await plain.create({
    ...body,
    ...(/Read-only/.test(row.cells[3]!) ? { [field]: "written" } : {}),
  });
  const check = DEPLOYMENT_FIELDS[field];
  if (check === undefined) throw new Error(`no test for the field ${field}`);
  check(made);
  if (["name", "source", "source_config", "source_revision_config", "secrets"].includes(field)) {
    const { [field]: _, ...without } = repohost() as Record<string, unknown>;
    const missing = await plain.call("POST", "/v2/deployments", without);
    expect(missing.status).toBe(422);
    expect(locations(missing)).toContain(`body.${field}`);
    expect((await plain.call("POST", "/v2/deployments", { ...without, [field]: 7 })).status).toBe(
      422,
    );
  }
  if (/Cannot change/.test(row.cells[3]!)) {
    const patch = await plain.call("PATCH", `/v2/deployments/${made.id}`, {
      [field]: field === "source" ? "external_container" : "renamed",
    });
    expect(patch.status).toBe(400);
  }
}

/** Whether a repository or a container deployment is the one to try a field on. */
const baseFor = (notes: string): typeof repohost =>
  /Only for `?external_container|only for `external_container/.test(notes) ||
  /Settable only for `external_container`/.test(notes)
    ? container
    : repohost;

async function configField(
  group: "source_config" | "source_revision_config",
  samples: Readonly<Record<string, Sample>>,
  field: string,
  notes: string,
): Promise<void> {
  const { good, bad, other } = sampleOf(samples, field);
  const base = field === "resource_spec" ? container : baseFor(notes);
  const put = (value: unknown): any => ({ [group]: { [field]: value } });
  if (/Read-only\./.test(notes)) {
    const made = await plain.create(base(put(good)));
    expect(made[group][field]).toMatch(/^[0-9a-f]{40}$/);
    expect(made[group][field]).not.toBe(good);
    return;
  }
  const made = await plain.create(base(put(good)));
  expect((await plain.call("GET", `/v2/deployments/${made.id}`)).body[group][field]).toEqual(good);
  expect((await plain.call("POST", "/v2/deployments", base(put(null)))).status).toBe(201);
  const wrong = await plain.call("POST", "/v2/deployments", base(put(bad)));
  expect(wrong.status).toBe(422);
  expect(locations(wrong).some((at) => at.startsWith(`body.${group}.${field}`))).toBe(true);
  const patched = await plain.call("PATCH", `/v2/deployments/${made.id}`, put(other));
  if (/Not changeable by PATCH/.test(notes) || field === "listener_config")
    expect(patched.status).toBe(400);
  else {
    expect(patched.status).toBe(200);
    expect(patched.body[group][field]).toEqual(other);
  }
  if (/[Oo]nly for/.test(notes) || field === "resource_spec") {
    const stranger = base === container ? repohost(put(good)) : container(put(good));
    expect((await plain.call("POST", "/v2/deployments", stranger)).status).toBe(400);
  }
  if (/refs\/tags/.test(notes)) {
    const tagged = repohost({
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "refs/tags/v1" },
    });
    expect((await plain.call("POST", "/v2/deployments", tagged)).status).toBe(400);
    expect(
      (
        await plain.call(
          "POST",
          "/v2/deployments",
          repohost({
            source_config: { build_on_push: false },
            source_revision_config: { repo_ref: "refs/tags/v1" },
          }),
        )
      ).status,
    ).toBe(201);
  }
  if (field === "custom_url") {
    const repo = await plain.create(repohost());
    plain.running.emulator.advance(1000);
    expect(
      (await plain.call("GET", `/v2/deployments/${repo.id}`)).body.source_config.custom_url,
    ).toMatch(/^http/);
  }
}

async function resourceField(field: string): Promise<void> {
  const { good, bad } = sampleOf(RESOURCE_SPEC, field);
  const put = (value: unknown): any =>
    container({ source_config: { resource_spec: { [field]: value } } });
  expect((await plain.create(put(good))).source_config.resource_spec[field]).toEqual(good);
  expect((await plain.call("POST", "/v2/deployments", put(null))).status).toBe(201);
  const wrong = await plain.call("POST", "/v2/deployments", put(bad));
  expect(wrong.status).toBe(422);
  expect(locations(wrong)[0]).toContain(`body.source_config.resource_spec.${field}`);
  const rule = RESOURCE_DEFAULTS[field];
  if (rule !== undefined) {
    const made = await hosted.create(
      container({ source_config: { resource_spec: { [rule[0]]: 5 } } }),
    );
    expect(made.source_config.resource_spec[field]).toBe(5 * rule[1]);
  }
}

async function containerField(field: string, row: TableRow): Promise<void> {
  const { good, bad } = sampleOf(CONTAINER, field);
  for (const list of ["init_containers", "sidecars"]) {
    const put = (over: object): any =>
      container({
        source_config: { resource_spec: { [list]: [{ name: "c", image: "busybox", ...over }] } },
      });
    expect(
      (await plain.create(put({ [field]: good }))).source_config.resource_spec[list][0][field],
    ).toEqual(good);
    const wrong = await plain.call("POST", "/v2/deployments", put({ [field]: bad }));
    expect([wrong.status, locations(wrong)[0]]).toEqual([
      422,
      expect.stringContaining(`.${list}.0.${field}`),
    ]);
    expect((await plain.call("POST", "/v2/deployments", put({ [field]: null }))).status).toBe(
      row.cells[2] === "yes" ? 422 : 201,
    );
    if (field === "name")
      expect(
        (await plain.call("POST", "/v2/deployments", put({ name: "Not_A_Label" }))).status,
      ).toBe(422);
  }
}

/**
 * `row_id` is required by the document and optional at the hosted service (contributing/service.md 7), so
 * it is asked of the strict emulator too.
 */
async function uploadField(
  field: string,
  samples: Readonly<Record<string, Sample>>,
  required: string,
  put: (value: unknown, given: boolean) => object,
): Promise<void> {
  const { good, bad } = sampleOf(samples, field);
  for (const client of [plain, strict]) {
    expect((await upload(client, put(good, true))).status).toBe(200);
    const wrong = await upload(client, put(bad, true));
    expect(wrong.status).toBe(422);
    expect(locations(wrong).some((at) => at.includes(field))).toBe(true);
    expect((await upload(client, put(undefined, false))).status).toBe(
      required === "yes" && (field !== "row_id" || client === strict) ? 422 : 200,
    );
  }
  if (/^one of/.test(required)) {
    const neither = await upload(plain, { ...experiment(), dataset_name: undefined });
    expect([neither.status, neither.body.detail[0].msg]).toEqual([
      422,
      expect.stringContaining("either dataset_id or dataset_name"),
    ]);
  }
}

const without = (body: any, field: string, value: unknown, given: boolean): any => {
  const { [field]: _, ...rest } = body;
  return given ? { ...rest, [field]: value } : rest;
};
const ID = "11111111-1111-4111-8111-111111111111";
const uploadBody =
  (field: string) =>
  (value: unknown, given: boolean): object => {
    const body = experiment();
    const isName = field === "experiment_name" || field === "dataset_name";
    const unique = isName && given && typeof value === "string" ? `${body[field]}-text` : value;
    if (field === "dataset_id" && given) Object.assign(body, { dataset_name: undefined });
    if (field === "dataset_name" && !given) Object.assign(body, { dataset_id: ID });
    return without(body, field, unique, given);
  };

async function makesRevision(patch: object, base: any): Promise<any> {
  const made = await plain.create(base);
  const patched = await plain.call("PATCH", `/v2/deployments/${made.id}`, patch);
  expect(patched.status).toBe(200);
  expect(patched.body.latest_revision_id).not.toBe(made.latest_revision_id);
  expect(
    (await plain.call("GET", `/v2/deployments/${made.id}/revisions`)).body.resources,
  ).toHaveLength(2);
  const nothing = await plain.call(
    "PATCH",
    `/v2/deployments/${made.id}`,
    JSON.parse(JSON.stringify(patch), (key, value) =>
      key === "" || ["source_config", "source_revision_config"].includes(key) ? value : null,
    ),
  );
  expect(nothing.body.latest_revision_id).toBe(patched.body.latest_revision_id);
  return patched.body;
}

const TRIGGERS: Readonly<Record<string, () => Promise<unknown>>> = {
  "`source_revision_config.repo_ref` non-null": () =>
    makesRevision({ source_revision_config: { repo_ref: "main" } }, repohost()),
  "`source_revision_config.graph_config_path` non-null": () =>
    makesRevision({ source_revision_config: { graph_config_path: "other.json" } }, repohost()),
  "`source_revision_config.image_uri` non-null": () =>
    makesRevision(
      { source_revision_config: { image_uri: "registry.example.com/agent:2" } },
      container(),
    ),
  "`secrets` non-null": async () =>
    expect(
      (
        await makesRevision(
          { secrets: [{ name: "B", value: "b" }] },
          repohost({ secrets: [{ name: "A", value: "a" }] }),
        )
      ).secrets,
    ).toEqual([{ name: "B", value: "b" }]),
  "`source_config.resource_spec` non-null": async () =>
    expect(
      (
        await makesRevision(
          { source_config: { resource_spec: { cpu: 2 } } },
          container({ source_config: { resource_spec: { cpu: 1, memory_mb: 512 } } }),
        )
      ).source_config.resource_spec,
    ).toEqual({ cpu: 2 }),
  "`build_on_push` is true and source is `repohost`": async () => {
    const pushed = {
      repo_url: "git@git.example.com:acme/pushed.git",
      ref: "main",
      commit: "a".repeat(40),
    };
    const config = { repo_url: "https://git.example.com/acme/pushed" };
    const tracking = await plain.create(
      repohost({ source_config: { ...config, build_on_push: true } }),
    );
    const still = await plain.create(repohost({ source_config: config }));
    expect((await plain.call("POST", "/_emulator/push", pushed)).body.deployments).toEqual([
      tracking.id,
    ]);
    const live = (await plain.call("GET", `/v2/deployments/${tracking.id}`)).body;
    expect([
      live.latest_revision_id === tracking.latest_revision_id,
      live.source_revision_config.repo_commit_sha,
    ]).toEqual([false, pushed.commit]);
    expect((await plain.call("GET", `/v2/deployments/${still.id}`)).body.latest_revision_id).toBe(
      still.latest_revision_id,
    );
  },
};

const NOBODY = "00000000-0000-4000-8000-000000000000";
const ENDPOINTS: Readonly<Record<string, () => Promise<void>>> = {
  "POST {base_url}/v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy": async () => {
    const made = await plain.create(repohost());
    const again = await plain.call(
      "POST",
      `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}/redeploy`,
    );
    expect([again.status, again.body.id]).toEqual([200, made.id]);
  },
  "POST {base_url}/v2/deployments": async () =>
    expect(await plain.create(container())).toMatchObject({
      id: expect.any(String),
      latest_revision_id: expect.any(String),
    }),
  "GET {base_url}/v2/deployments/{deployment_id}": async () => {
    const made = await plain.create(repohost());
    expect((await plain.call("GET", `/v2/deployments/${made.id}`)).body).toEqual(made);
    expect((await plain.call("GET", "/v2/deployments/x")).status).toBe(422);
  },
  "GET {base_url}/v2/deployments/{deployment_id}/revisions/{revision_id}": async () => {
    const made = await plain.create(repohost());
    const revision = await plain.call(
      "GET",
      `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}`,
    );
    expect(revision.body).toMatchObject({
      id: made.latest_revision_id,
      status: "CREATING",
      source_revision_config: { repo_ref: "main" },
    });
    expect((await plain.call("GET", `/v2/deployments/${made.id}/revisions/${NOBODY}`)).status).toBe(
      404,
    );
  },
  "PATCH {base_url}/v2/deployments/{deployment_id}": async () => {
    const made = await plain.create(repohost());
    const patched = await plain.call("PATCH", `/v2/deployments/${made.id}`, {
      source_config: { build_on_push: true },
    });
    expect(patched.body).toMatchObject({
      id: made.id,
      latest_revision_id: made.latest_revision_id,
      source_config: { build_on_push: true },
    });
  },
  "GET {base_url}/v1/integrations/repohost/install": async () =>
    expect((await plain.call("GET", "/v1/integrations/repohost/install")).body).toEqual([
      { id: expect.any(String), installation_id: expect.any(Number), name: expect.any(String) },
    ]),
  "GET {base_url}/v2/listeners": async () =>
    expect((await plain.call("GET", "/v2/listeners")).body.resources[0]).toMatchObject({
      id: expect.any(String),
      compute_type: "k8s",
    }),
  "POST {tracing_api_url}/api/v1/datasets/upload-experiment": async () =>
    expect(Object.keys((await upload(plain, experiment())).body)).toEqual([
      "dataset",
      "experiment",
    ]),
};

const ERRORS: Readonly<Record<string, () => Promise<void>>> = {
  "Redeploy 400": async () => {
    const made = await plain.create(repohost());
    await plain.call("DELETE", `/v2/deployments/${made.id}`);
    const refused = await plain.call(
      "POST",
      `/v2/deployments/${made.id}/revisions/${made.latest_revision_id}/redeploy`,
    );
    expect([refused.status, typeof refused.body.detail]).toEqual([400, "string"]);
  },
  "Redeploy 404": async () =>
    expect(
      await plain.call("POST", `/v2/deployments/${NOBODY}/revisions/${NOBODY}/redeploy`),
    ).toMatchObject({ status: 404, body: { detail: `Deployment ID ${NOBODY} not found.` } }),
  "Redeploy 422": async () => {
    const refused = await plain.call("POST", "/v2/deployments/x/revisions/y/redeploy");
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toEqual(
      ["deployment_id", "revision_id"].map((name) =>
        expect.objectContaining({
          loc: ["path", name],
          msg: expect.any(String),
          type: expect.any(String),
        }),
      ),
    );
  },
};

/** A row's rate in a region: `10000 / 60 US, 2000 / 60 EU` or `100 / 60` for both. */
function rateOf(cell: string, region: "us" | "eu"): [count: number, seconds: number] {
  const part = cell.split(",").find((one) => new RegExp(region, "i").test(one)) ?? cell;
  const [count, seconds] = part.replace(/[A-Z]/g, "").split("/").map(Number);
  return [count!, seconds!];
}

/**
 * As many as the row allows are let through, one more is not, and after the interval it is again.
 * In process: 60,000 requests over sockets would only be slow.
 */
async function limitRow(row: TableRow): Promise<void> {
  const key = `${row.cells[0]!} by ${row.cells[1]!}`;
  const made = LIMIT_CALLS[key];
  if (made === undefined) throw new Error(`no request was written for the limit row ${key}`);
  for (const region of ["us", "eu"] as const) {
    const { createEmulator } = await import("../../src/emulator/emulator.ts");
    const emulator = createEmulator({ limits: "on", region, clock: { manual: true } });
    const [count, seconds] = rateOf(row.cells[2]!, region);
    const senders = [0, 1].map((variant) => {
      const { method, path, headers, ip } = made(variant);
      return { request: new Request(`http://emulator${path}`, { method, headers }), ip };
    });
    const send = async (variant = 0): Promise<number> =>
      (await emulator.answer(senders[variant]!.request, senders[variant]!.ip)).status;
    for (let i = 0; i < count; i++)
      if ((await send()) === 429)
        throw new Error(`${region}: request ${i + 1} of ${count} was limited`);
    expect(await send()).toBe(429);
    expect(await send(1)).not.toBe(429);
    emulator.advance(seconds * 1000 - 1);
    expect(await send()).toBe(429);
    emulator.advance(1);
    expect(await send()).not.toBe(429);
  }
}

const TESTS: Readonly<Record<string, (row: TableRow) => RowTest>> = {
  Deployment: ofFields(deploymentField),
  SourceConfig: ofFields((field, row) =>
    configField("source_config", SOURCE_CONFIG, field, row.cells[2]!),
  ),
  SourceRevisionConfig: ofFields((field, row) =>
    configField("source_revision_config", SOURCE_REVISION_CONFIG, field, row.cells[2]!),
  ),
  Secret: ofFields(async (field) => {
    const { [field]: _, ...rest } = { name: "A", value: "a" } as Record<string, string>;
    const missing = await plain.call("POST", "/v2/deployments", repohost({ secrets: [rest] }));
    expect([missing.status, locations(missing)]).toEqual([422, [`body.secrets.0.${field}`]]);
    expect(
      (
        await plain.call(
          "POST",
          "/v2/deployments",
          repohost({ secrets: [{ ...rest, [field]: 1 }] }),
        )
      ).status,
    ).toBe(422);
  }),
  ResourceSpec: ofFields(resourceField),
  ListenerConfig: ofFields(async (field) => {
    const put = (value: unknown): any => ({
      source_config: { listener_config: { [field]: value } },
    });
    const made = await plain.create(container(put("agents")));
    expect(made.source_config.listener_config).toEqual({ [field]: "agents" });
    expect((await plain.call("PATCH", `/v2/deployments/${made.id}`, put("others"))).status).toBe(
      400,
    );
    const unchanged = await plain.call("PATCH", `/v2/deployments/${made.id}`, put(null));
    expect(unchanged.status).toBe(200);
    expect(unchanged.body.source_config.listener_config).toEqual({ [field]: "agents" });
    expect((await plain.call("POST", "/v2/deployments", container(put(1)))).status).toBe(422);
    expect((await plain.call("POST", "/v2/deployments", repohost(put("agents")))).status).toBe(400);
  }),
  Container: ofFields(containerField),
  "Experiment upload request": ofFields((field, row) =>
    uploadField(field, UPLOAD, row.cells[2]!, uploadBody(field)),
  ),
  Row: ofFields((field, row) =>
    uploadField(field, UPLOAD_ROW, row.cells[2]!, (value, given) => ({
      ...experiment(),
      results: [without(experiment().results[0], field, value, given)],
    })),
  ),
  Feedback: ofFields((field, row) =>
    uploadField(field, FEEDBACK, row.cells[2]!, (value, given) => ({
      ...experiment(),
      results: [
        {
          ...experiment().results[0],
          evaluation_scores: [without({ key: "k" }, field, value, given)],
        },
      ],
    })),
  ),
  "Rules that create revisions": (row) => async () => {
    await named(TRIGGERS, row.cells[1]!)();
  },
  Endpoints: (row) => async () => {
    await named(ENDPOINTS, `${row.cells[0]!} ${row.cells[1]!.replaceAll("`", "")}`)();
  },
  Errors: (row) => async () => {
    await named(ERRORS, `${row.cells[0]!} ${row.cells[1]!}`)();
  },
  Limits: (row) => async () => {
    await limitRow(row);
  },
};

function named<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name];
  if (found === undefined)
    throw new Error(
      `contributing/interface.md has the row "${name}", for which no test was written`,
    );
  return found;
}

for (const table of tables)
  describe(`contributing/interface.md, table ${table.name}`, () => {
    test.each(
      rowsOf(table).map(
        ([name, check, row]) => [`${name} (line ${row.line})`, check, row] as const,
      ),
    )("%s", async (_row, check, row) => {
      if (check === undefined)
        throw new Error(
          `contributing/interface.md has the table ${table.name}, for which no tests were written`,
        );
      await check(row);
    });
  });

test("the document's tables were all found", () => {
  expect(tables.map((table) => table.name)).toEqual([
    "Deployment",
    "SourceConfig",
    "SourceRevisionConfig",
    "Secret",
    "ResourceSpec",
    "ListenerConfig",
    "Container",
    "Experiment upload request",
    "Row",
    "Feedback",
    "Rules that create revisions",
    "Endpoints",
    "Errors",
    "Limits",
  ]);
});
