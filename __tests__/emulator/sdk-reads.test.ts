import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { locations, open, repohost, type Answered, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

const NOWHERE = "11111111-1111-4111-8111-111111111111";
const rowId = (i: number): string => `00000000-0000-4000-8000-00000000000${i}`;
let client: Client;
/** The ids of an experiment of three rows (named y, x and x; the last one crashed) and of its dataset. */
let session: string;
let dataset: string;

beforeEach(async () => {
  client = await open();
  const start = client.running.emulator.now() - 60_000;
  const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
  const scores = [{ key: "right", score: 1, feedback_source: { type: "model" } }, { key: "note" }];
  const results = [0, 1, 2].map((i) => ({
    row_id: rowId(i),
    inputs: { i },
    actual_outputs: { i },
    run_name: i === 0 ? "y" : "x",
    start_time: at(i * 10),
    end_time: at(i * 10 + 2),
    evaluation_scores: i === 2 ? [] : scores,
    ...(i === 2 ? { error: "boom" } : {}),
  }));
  const made = await upload(
    client,
    experiment({
      experiment_name: "first",
      dataset_name: "Questions",
      experiment_start_time: at(0),
      experiment_end_time: at(50),
      experiment_metadata: { commit: "abc", suite: { name: "s" } },
      results,
    }),
  );
  session = made.body.experiment.id;
  dataset = made.body.dataset.id;
  await client.create(repohost({ name: "agent" }));
  client.running.emulator.advance(10_000);
});
afterEach(() => client.running.close());

const get = (path: string): Promise<Answered> => client.call("GET", path);
const query = (body: object): Promise<Answered> =>
  client.call("POST", "/runs/query", { session: [session], ...body });
/** Names in a list's answer, or its status where it is no list. */
const namesAt = async (path: string): Promise<unknown> => {
  const { status, body } = await get(path);
  const list = Array.isArray(body) ? body : body.items;
  return list === undefined ? status : list.map(({ name }: { name: string }) => name).sort();
};

describe("a boolean in the query", () => {
  const paths = (): string[] => [
    `/sessions/${session}?include_stats=`,
    `/sessions?name=first&include_stats=`,
    `/v2/sessions?name=first&include_stats=`,
    `/v2/sessions/${session}?include_stats=`,
  ];
  const countAt = async (path: string): Promise<unknown> => {
    const { status, body } = await get(path);
    return status === 200 ? (body.items ?? [body].flat())[0].run_count : status;
  };

  test.each(["true", "True", "TRUE", "1", "on", "yes", "t", "Y"])(
    "%s is true, in every read of an experiment",
    async (word) => {
      for (const path of paths()) expect([path, await countAt(path + word)]).toEqual([path, 3]);
    },
  );

  test.each(["false", "False", "0", "off", "no", "F", "n"])("%s is false", async (word) => {
    for (const path of paths()) expect([path, await countAt(path + word)]).toEqual([path, null]);
  });

  test("with another value is refused in pydantic's words", async () => {
    for (const path of paths()) {
      const refused = await get(`${path}maybe`);
      expect([path, refused.status, refused.body.detail]).toEqual([
        path,
        422,
        [
          {
            type: "bool_parsing",
            loc: ["query", "include_stats"],
            msg: "Input should be a valid boolean, unable to interpret input",
          },
        ],
      ]);
    }
  });

  test("in any spelling makes a delete include the tracing project", async () => {
    const { id } = (await get("/v2/deployments?name=agent")).body.resources[0];
    const at = `/v2/deployments/${id}?delete_tracing_project=`;
    expect((await client.call("DELETE", `${at}maybe`)).status).toBe(422);
    expect((await get(`/v2/deployments/${id}`)).body.status).not.toBe("AWAITING_DELETE");
    expect((await client.call("DELETE", `${at}True`)).status).toBe(204);
    expect(await namesAt("/sessions?name=agent")).toEqual([]);
  });
});

test("a boolean in a body may only be a boolean, a word or a number", async () => {
  for (const [error, runs] of [
    [true, 1],
    ["True", 1],
    [1, 1],
    ["no", 2],
    [null, 3],
  ])
    expect([error, (await query({ error })).body.runs.length]).toEqual([error, runs]);
  expect((await query({ error: "maybe" })).body.detail[0].type).toBe("bool_parsing");
  expect((await query({ is_root: [] })).body.detail[0].type).toBe("bool_type");
  const made = await client.create({
    ...repohost({ name: "image" }),
    source: "internal_docker",
    source_config: {},
    source_revision_config: {},
  });
  const token = await client.call("POST", `/v2/deployments/${made.id}/push-token`, {
    supports_registry_username: "True",
  });
  expect(token.body.username).toBe("oauth2accesstoken");
});

describe("a filter of the SDKs", () => {
  test.each([
    ["/datasets?name_contains=zzz", []],
    ["/datasets?name_contains=quest", ["Questions"]],
    ["/datasets?data_type=chat", []],
    ["/datasets?data_type=kv&data_type=chat", ["Questions"]],
    ['/datasets?metadata={"a":1}', []],
    ["/datasets?metadata={}", ["Questions"]],
    ["/datasets?metadata=1", 422],
    ["/v2/datasets?name_contains=zzz", []],
    ["/v2/datasets?name_contains=quest", ["Questions"]],
    ["/sessions?reference_free=True", ["agent"]],
    ["/sessions?reference_free=false", ["first"]],
    ['/sessions?metadata={"commit":"abc"}', ["first"]],
    ['/sessions?metadata={"suite":{"name":"s"}}', ["first"]],
    ['/sessions?metadata={"commit":"other"}', []],
    ["/sessions?metadata={", 422],
    ["/v2/sessions?type=PROJECT", ["agent"]],
    ["/v2/sessions?type=EXPERIMENT", ["first"]],
    ["/v2/sessions?name_contains=zzz", []],
    ['/v2/sessions?metadata={"commit":"abc"}', ["first"]],
    [`/v2/sessions?id=${NOWHERE}`, []],
    [`/v2/sessions?reference_dataset_id=${NOWHERE}`, []],
  ])("narrows %s", async (path, names) => {
    expect(await namesAt(path)).toEqual(names);
  });

  test("sorts sessions by name or start", async () => {
    const inOrder = async (order: string): Promise<unknown> =>
      (await get(`/sessions?${order}`)).body.map(({ name }: { name: string }) => name);
    expect(await inOrder("sort_by=name")).toEqual(["first", "agent"]);
    expect(await inOrder("sort_by=name&sort_by_desc=False")).toEqual(["agent", "first"]);
    expect(await inOrder("sort_by=start_time")).toEqual(["agent", "first"]);
  });

  test.each([
    [{}, 3],
    [{ run_type: "chain" }, 3],
    [{ run_type: "llm" }, 0],
    [{ start_time: "2100-01-01T00:00:00" }, 0],
    [{ start_time: "2020-01-01T00:00:00+00:00" }, 3],
    [{ trace: NOWHERE }, 0],
    [{ parent_run: NOWHERE }, 0],
    [{ is_root: true }, 3],
    [{ is_root: false }, 0],
    [{ reference_example: rowId(1) }, 1],
    [{ reference_example: [rowId(1), rowId(2)] }, 2],
    [{ filter: 'eq(name,"x")' }, 2],
    [{ filter: "neq(name, 'x')" }, 1],
    [{ filter: 'and(eq(name, "x"), eq(status, "error"))' }, 1],
    [{ trace_filter: 'eq(name, "nothing")' }, 0],
    [{ tree_filter: "eq(is_root, true)" }, 3],
    // What the SDKs send where their caller says nothing.
    [{ select: ["id"], limit: 100, query: null, execution_order: undefined }, 3],
  ])("narrows a query of runs: %j", async (body, runs) => {
    expect((await query(body)).body.runs).toHaveLength(runs);
  });

  test("narrows a query of runs to an existing trace", async () => {
    const [first] = (await query({})).body.runs;
    const { body } = await query({ trace: first.trace_id });
    expect(body.runs.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  });

  test("orders runs by their start", async () => {
    const rowsIn = async (order: string): Promise<string[]> =>
      (await query({ order })).body.runs.map((run: any) => run.reference_example_id);
    expect(await rowsIn("desc")).toEqual([rowId(2), rowId(1), rowId(0)]);
    expect(await rowsIn("asc")).toEqual([rowId(0), rowId(1), rowId(2)]);
  });

  test.each([
    ['metadata={"a":1}', 0],
    ["splits=train", 0],
    ["splits=train&splits=base", 3],
    ["as_of=latest", 3],
    ["as_of=2100-01-01T00:00:00Z", 3],
    ["inline_s3_urls=True", 3],
  ])("narrows examples: %s", async (asked, examples) => {
    expect((await get(`/examples?dataset=${dataset}&${asked}`)).body).toHaveLength(examples);
  });

  test.each([
    ["source=app", 0],
    ["source=model", 2],
    ["source=api&source=model", 4],
    ["has_score=False", 2],
    ["has_comment=1", 0],
  ])("narrows feedback: %s", async (asked, feedback) => {
    expect((await get(`/feedback?session=${session}&${asked}`)).body).toHaveLength(feedback);
  });
});

describe("a filter that the emulator does not support is refused by name", () => {
  test.each([
    ["/sessions", "dataset_version", "2026-01-01"],
    ["/sessions", "filter", 'eq(name, "x")'],
    ["/sessions", "sort_by", "latency_p50"],
    ["/v2/sessions", "stats_filter", "x"],
    ["/datasets", "tag_value_id", NOWHERE],
    ["/v2/datasets", "sort_by", "name"],
    ["/examples?dataset=DATASET", "as_of", "2020-01-01T00:00:00Z"],
    ["/examples?dataset=DATASET", "full_text_contains", "x"],
    ["/feedback", "user", NOWHERE],
    ["/feedback", "level", "session"],
  ])("in %s: %s", async (list, name, value) => {
    const path = list.replace("DATASET", dataset);
    const refused = await get(
      `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`,
    );
    expect([refused.status, locations(refused)]).toEqual([422, [`query.${name}`]]);
    expect(refused.body.detail[0].msg).toMatch(/Leave (it|as_of) out/);
  });

  test.each([
    { filter: "eq(colour, 1)" },
    { tree_filter: "has(name, 'a')" },
    { query: "text" },
    { end_time: "2026-01-01T00:00:00Z" },
    { start_time: "yesterday" },
  ])("in a query of runs: %j", async (body) => {
    const refused = await query(body);
    expect([refused.status, locations(refused)]).toEqual([422, [`body.${Object.keys(body)[0]}`]]);
  });

  test("in the rows of experiments, which accept the SDK's defaults", async () => {
    const asked = (body: object): Promise<Answered> =>
      client.call("POST", `/datasets/${dataset}/runs`, { session_ids: [session], ...body });
    const usual = { preview: false, comparative_experiment_id: null, filters: null };
    expect((await asked(usual)).body).toHaveLength(3);
    expect(locations(await asked({ sort_params: { sort_by: "name" } }))).toEqual([
      "body.sort_params",
    ]);
  });

  test("in a dataset's version that is not kept", async () => {
    expect((await get(`/datasets/${dataset}/version?tag=latest`)).status).toBe(200);
    expect((await get(`/datasets/${dataset}/version?tag=prod`)).status).toBe(404);
    expect((await get(`/datasets/${dataset}/version?as_of=2020-01-01`)).status).toBe(422);
  });
});

describe("the second version of the API, under any prefix,", () => {
  const PREFIXES = ["/api/v2", "/v2", "/api-host/v2", "/api/api/v2"];

  test("queries runs in pages, with only the selected fields", async () => {
    for (const prefix of PREFIXES) {
      const asked = (body: object): Promise<Answered> =>
        client.call("POST", `${prefix}/runs/query`, { project_ids: [session], ...body });
      const bare = await asked({});
      expect(bare.body).toEqual({
        items: [0, 1, 2].map(() => ({ id: expect.any(String) })),
        next_cursor: null,
      });
      const selects = ["NAME", "RUN_TYPE", "STATUS", "LATENCY_SECONDS", "FEEDBACK_STATS"];
      const first = await asked({ page_size: 2, selects });
      expect(first.body.items[0]).toEqual({
        name: "y",
        run_type: "CHAIN",
        status: "SUCCESS",
        latency_seconds: 2,
        feedback_stats: {
          right: expect.objectContaining({ n: 1, avg: 1, errors: 0 }),
          note: expect.objectContaining({ n: 1, avg: null }),
        },
      });
      const second = await asked({ page_size: 2, selects, cursor: first.body.next_cursor });
      expect(second.body).toMatchObject({ items: [{ status: "ERROR" }], next_cursor: null });
    }
  });

  test("filters runs, and looks at the last day unless given another start", async () => {
    const count = async (body: object): Promise<unknown> => {
      const { body: reply, status } = await client.call("POST", "/api/v2/runs/query", body);
      return status === 200 ? reply.items.length : status;
    };
    const mine = { project_ids: [session] };
    expect(await count({ ...mine, has_error: true })).toBe(1);
    expect(await count({ ...mine, run_type: "LLM" })).toBe(0);
    expect(await count({ ...mine, reference_examples: [rowId(0)] })).toBe(1);
    expect(await count({ ...mine, trace_id: NOWHERE })).toBe(0);
    expect(await count({ ...mine, filter: 'eq(name, "x")' })).toBe(2);
    expect(await count({ ...mine, max_start_time: "2020-01-01T00:00:00Z" })).toBe(0);
    expect(await count({ ...mine, selects: ["COLOUR"] })).toBe(422);
    expect(await count({ ...mine, sem_filter: "angry users" })).toBe(422);
    expect(await count({})).toBe(422);
    expect(await count({ ...mine, reference_dataset_id: dataset })).toBe(422);
    client.running.emulator.advance(2 * 86_400_000);
    expect(await count(mine)).toBe(0);
    expect(await count({ ...mine, min_start_time: "2020-01-01T00:00:00Z" })).toBe(3);
    expect(await count({ reference_dataset_id: dataset })).toBe(3);
  });

  test("shows a run of a project", async () => {
    const [{ id }] = (await query({})).body.runs;
    for (const prefix of PREFIXES) {
      const at = `${prefix}/runs/${id}?project_id=`;
      expect((await get(at + session)).body).toEqual({ id });
      const whole = await get(`${at}${session}&selects=INPUTS&selects=PROJECT_ID&selects=EVENTS`);
      expect(whole.body).toEqual({ inputs: { i: 0 }, project_id: session, events: [] });
      expect((await get(at + NOWHERE)).status).toBe(404);
      expect(locations(await get(`${prefix}/runs/${id}`))).toEqual(["query.project_id"]);
    }
  });

  test("shows an experiment as in its list, and a project", async () => {
    for (const prefix of PREFIXES) {
      const one = await get(`${prefix}/sessions/${session}?include_stats=true`);
      expect(one.body).toMatchObject({
        type: "EXPERIMENT",
        trace_tier: "LONG_LIVED",
        reference_dataset_id: dataset,
        run_count: 3,
        feedback_stats: {
          right: { n: 2, avg: 1, errors: 0, type: "PRIMARY", contains_thread_feedback: false },
        },
      });
      const listed = await get(`${prefix}/sessions?name=first&include_stats=true`);
      expect(listed.body.items).toEqual([one.body]);
    }
    const { id } = (await get("/sessions?name=agent")).body[0];
    expect((await get(`/api/v2/sessions/${id}`)).body.type).toBe("PROJECT");
    expect((await get(`/api/v2/sessions/${NOWHERE}`)).status).toBe(404);
  });

  test("shows the selected fields of an experiment's runs", async () => {
    const { body } = await client.call("POST", `/v2/datasets/${dataset}/experiment-runs`, {
      experiment_ids: [session],
      selects: ["STATUS"],
    });
    expect(body.items.map(({ runs }: { runs: unknown }) => runs)).toEqual([
      [{ status: "SUCCESS" }],
      [{ status: "SUCCESS" }],
      [{ status: "ERROR" }],
    ]);
  });
});

test("statistics of runs cover the runs that a query with the same body returns", async () => {
  for (const path of ["/runs/stats", "/api/v1/runs/stats", "/v1/runs/stats"]) {
    const stats = (body: object): Promise<Answered> =>
      client.call("POST", path, { session: [session], ...body });
    expect((await stats({})).body).toMatchObject({
      run_count: 3,
      latency_p50: 2,
      error_rate: 1 / 3,
      feedback_stats: { right: { n: 2, avg: 1 } },
      total_tokens: null,
    });
    expect((await stats({ error: false })).body.run_count).toBe(2);
    expect(locations(await stats({ group_by: { attribute: "name" } }))).toEqual(["body.group_by"]);
  }
});

test("/info gives a version that the newest reads of the SDKs require", async () => {
  const [major, minor] = (await get("/info")).body.version.split(".").map(Number);
  expect([major, minor >= 18]).toEqual([0, true]);
});

describe("of what the emulator does not keep", () => {
  const PREFIXES = ["", "/api", "/v1", "/api/v1"];
  const noRow = { repos: [], total: 0 };

  test.each([
    [
      "/repos/?limit=100&offset=0&is_archived=false&sort_field=updated_at&sort_direction=desc",
      noRow,
    ],
    ["/repos?limit=100&offset=0&repo_type=agent&is_archived=false", noRow],
    ["/annotation-queues?limit=100&offset=0", []],
    [`/feedback/tokens?run_id=${NOWHERE}&limit=100&offset=0`, []],
    ["/feedback-configs?limit=100&offset=0", []],
  ])("the list is empty: %s", async (path, nothing) => {
    for (const prefix of PREFIXES) expect((await get(prefix + path)).body).toEqual(nothing);
  });

  test("a project has no issues", async () => {
    for (const prefix of ["/v1", "/api/v1"])
      expect((await get(`${prefix}/platform/issues?session_name=first`)).body).toEqual([]);
  });

  test.each([
    ["GET", "/repos/-/prompt", "Repository"],
    ["GET", "/commits/-/prompt/?offset=0&include_model=False", "Repository"],
    ["GET", "/commits/owner/prompt/latest?include_model=true", "Repository"],
    ["GET", "/platform/hub/repos/-/agent/directories?repo_type=agent", "Repository"],
    ["GET", `/annotation-queues/${NOWHERE}`, "Annotation queue"],
    ["GET", `/annotation-queues/${NOWHERE}/runs?limit=100&offset=0`, "Annotation queue"],
    ["GET", `/annotation-queues/${NOWHERE}/run/0`, "Annotation queue"],
    ["GET", `/annotation-queues/${NOWHERE}/size`, "Annotation queue"],
    ["GET", `/public/${NOWHERE}/run`, "Share"],
    ["GET", `/public/${NOWHERE}/run/${NOWHERE}`, "Share"],
    ["POST", `/public/${NOWHERE}/runs/query`, "Share"],
    ["GET", `/public/${NOWHERE}/datasets`, "Share"],
    ["GET", `/public/${NOWHERE}/datasets/sessions?limit=100&offset=0`, "Share"],
    ["GET", `/public/${NOWHERE}/examples?limit=100&offset=0`, "Share"],
    ["GET", `/sessions/${NOWHERE}/insights/${NOWHERE}`, "Insights report"],
  ])("nothing is found: %s %s", async (method, path, what) => {
    for (const prefix of PREFIXES) {
      const { status, body } = await client.call(method, prefix + path);
      expect([prefix, status, body]).toEqual([prefix, 404, { detail: `${what} not found` }]);
    }
  });

  test("the share of an existing run or dataset is null", async () => {
    const [{ id }] = (await query({})).body.runs;
    for (const prefix of PREFIXES) {
      for (const path of [`/runs/${id}/share`, `/datasets/${dataset}/share`]) {
        const { status, body } = await get(prefix + path);
        expect([path, status, body]).toEqual([path, 200, null]);
      }
      expect((await get(`${prefix}/runs/${NOWHERE}/share`)).status).toBe(404);
      expect((await get(`${prefix}/datasets/${NOWHERE}/share`)).status).toBe(404);
    }
  });
});

test("only an address of an existing experiment is resolved", async () => {
  const resolved = (asked: string): Promise<Answered> =>
    get(`/api/v1/sessions/resolutions?${asked}`);
  expect((await resolved(`kind=EXPERIMENT&id=${session}`)).body).toEqual({ session_id: session });
  for (const asked of [`kind=EXPERIMENT&id=${NOWHERE}`, "kind=AGENT&id=agent", "kind=EVALUATOR"])
    expect([asked, (await resolved(asked)).status]).toEqual([asked, 404]);
});

describe("a dataset exported for fine-tuning", () => {
  test("has the messages of each example", async () => {
    const said = (content: string): object => ({ role: "user", content });
    const results = [0, 1].map((i) => ({
      row_id: rowId(i),
      inputs: { messages: [said(`question ${i}`)] },
      ...(i === 0 ? { expected_outputs: { messages: [said("answer")] } } : {}),
      start_time: "2026-01-01T00:00:10",
      end_time: "2026-01-01T00:00:30",
    }));
    const made = await upload(client, experiment({ results }));
    const { status, body } = await get(`/datasets/${made.body.dataset.id}/openai_ft`);
    const lines = String(body).split("\n");
    expect([status, lines.map((line) => JSON.parse(line))]).toEqual([
      200,
      [{ messages: [said("question 0"), said("answer")] }, { messages: [said("question 1")] }],
    ]);
  });

  test("is refused if an example has none", async () => {
    const refused = await get(`/datasets/${dataset}/openai_ft`);
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      `Example ${rowId(0)} has no list of messages in its inputs.`,
    ]);
    expect((await get(`/datasets/${NOWHERE}/openai_ft`)).status).toBe(404);
  });
});
