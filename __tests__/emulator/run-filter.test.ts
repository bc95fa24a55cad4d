import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { locations, open, type Answered, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

const rowId = (i: number): string => `00000000-0000-4000-8000-00000000000${i}`;
const ROWS = [
  {
    run_name: "ask",
    run_metadata: { thread_id: "t1", n: 5 },
    evaluation_scores: [{ key: "right", score: 1 }],
  },
  {
    run_name: "extractor",
    run_metadata: { conversation_id: "über", tags: ["a"] },
    evaluation_scores: [
      { key: "right", score: 0 },
      { key: "note", score: 1 },
    ],
  },
  { run_name: "ask", run_metadata: { thread_id: "t1" }, error: "it went Boom" },
  {
    run_name: 'say "hi", (now)',
    evaluation_scores: [
      { key: "kind", value: "fine" },
      { key: "right", score: true },
    ],
  },
];
let client: Client;
let session: string;
let dataset: string;

beforeAll(async () => {
  client = await open();
  const results = ROWS.map((row, i) => ({
    row_id: rowId(i),
    inputs: { question: `number ${i}` },
    actual_outputs: { answer: i === 1 ? "Paris" : "none" },
    start_time: `2026-01-01T00:00:0${i}Z`,
    end_time: `2026-01-01T00:00:${10 + 2 * i}Z`,
    ...row,
  }));
  const made = await upload(client, experiment({ experiment_name: "first", results }));
  session = made.body.experiment.id;
  dataset = made.body.dataset.id;
});
afterAll(() => client.running.close());

const query = (body: object): Promise<Answered> =>
  client.call("POST", "/runs/query", { session: [session], ...body });
const rowsOf = ({ body }: Answered): number[] =>
  body.runs.map((run: any) => Number(run.reference_example_id.at(-1)));

describe("an expression of the filter language", () => {
  test.each([
    // What the SDKs themselves send, and what their documentation shows.
    ['eq(thread_id, "t1")', [0, 2]],
    ['and(eq(thread_id, "t1"), eq(status, "error"))', [2]],
    ['eq(thread_id, "\\u00fcber")', [1]],
    [
      'and(in(metadata_key, ["session_id","conversation_id","thread_id"]), eq(metadata_value, "t1"))',
      [0, 2],
    ],
    ['and(eq(run_type, "chain"), gt(latency, 10), gt(total_tokens, 5000))', []],
    ['and(eq(feedback_key, "right"), eq(feedback_score, 1))', [0, 3]],
    [
      'and(gt(start_time, "2023-07-15T12:34:56Z"), or(neq(error, null), and(eq(feedback_key, "right"), eq(feedback_score, 0.0))))',
      [1, 2],
    ],
    ['and(or(has(tags, "experimental"), has(tags, "beta")), gt(latency, 2))', []],
    ['search("paris")', [1]],
    ['search("boom")', [2]],
    // Every operator.
    ['gte(latency, "12s")', [2, 3]],
    ["gt(latency, 0.2m)", null],
    ['lt(latency, "0.2m")', [0, 1]],
    ["lte(latency, 11)", [0, 1]],
    ['gte(start_time, "2026-01-01T01:00:02+01:00")', [2, 3]],
    ['neq(name, "ask")', [1, 3]],
    ["in(name, ['extractor', 'none'])", [1]],
    ['not(eq(name, "ask"))', [1, 3]],
    ["eq(error, null)", [0, 1, 3]],
    ["eq(is_root, true)", [0, 1, 2, 3]],
    ["eq(parent_run_id, null)", [0, 1, 2, 3]],
    ['has(metadata, \'{"thread_id": "t1"}\')', [0, 2]],
    ['exists(metadata, "n")', [0]],
    ['and(eq(metadata_key, "n"), eq(metadata_value, "5"))', [0]],
    ['eq(name, "say \\"hi\\", (now)")', [3]],
    ['and(eq(feedback_key, "kind"), eq(feedback_value, "fine"))', [3]],
    // The score of that key, and not of another on the same run.
    ['and(eq(feedback_key, "note"), lt(feedback_score, 1))', []],
    ['or(eq(feedback_key, "note"), eq(name, "none"))', [1]],
    [
      'and(and(eq(feedback_key, "note"), eq(feedback_score, 1)), and(eq(feedback_key, "right"), eq(feedback_score, 0)))',
      [1],
    ],
  ])("%s", async (filter, rows) => {
    for (const field of ["filter", "trace_filter", "tree_filter"]) {
      const answered = await query({ [field]: filter });
      if (rows === null) expect(answered.status).toBe(422);
      else expect([answered.status, rowsOf(answered)]).toEqual([200, rows]);
    }
  });

  test.each([
    "eq(colour, 1)",
    "like(name, 'a')",
    'eq(name, "a"',
    'eq(name, "a"))',
    'eq(name "a")',
    "eq(name)",
    "eq(name, 'a', 'b')",
    "gt(name, 'a')",
    "gt(start_time, 'yesterday')",
    "eq(tags, 'a')",
    "has(name, 'a')",
    "has(metadata, 'a')",
    "and()",
    "name",
    "(",
    "[",
    "'",
    "and(eq(feedback_key, 'a'), eq(feedback_key, 'b'))",
    `${"not(".repeat(60)}eq(name, 'a')${")".repeat(60)}`,
    "not(".repeat(100_000),
  ])(
    "that the emulator does not know is refused with the supported language: %#",
    async (filter) => {
      const refused = await query({ filter });
      expect([refused.status, locations(refused)]).toEqual([422, ["body.filter"]]);
      expect(refused.body.detail[0].msg).toMatch(
        /Leave it out, or write and\(…\), or\(…\), not\(…\) of eq, .* over id, trace_id, .*feedback_value\.$/,
      );
    },
  );
});

test("threads are the groups of a project's runs", async () => {
  const asked = (body: object): Promise<Answered> =>
    client.call("POST", "/api/v1/runs/group", {
      session_id: session,
      group_by: "conversation",
      start_time: null,
      end_time: null,
      limit: 100,
      offset: 0,
      ...body,
    });
  const { body } = await asked({});
  expect(body).toMatchObject({
    total: 2,
    groups: [
      { group_key: "über", count: 1, latency_p50: 11, last_error: null },
      {
        group_key: "t1",
        count: 2,
        filter: 'eq(thread_id, "t1")',
        min_start_time: "2026-01-01T00:00:00Z",
        max_start_time: "2026-01-01T00:00:02Z",
        first_inputs: '{"question":"number 0"}',
        last_error: "it went Boom",
        feedback_stats: { right: { n: 1, avg: 1 } },
        total_tokens: null,
      },
    ],
  });
  expect(rowsOf(await query({ filter: body.groups[1].filter }))).toEqual([0, 2]);
  expect((await asked({ limit: 1, offset: 1 })).body.groups).toMatchObject([{ group_key: "t1" }]);
  expect((await asked({ filter: 'eq(status, "error")' })).body.total).toBe(1);
  expect(locations(await asked({ group_by: "name" }))).toEqual(["body.group_by"]);
});

test("a query that groups runs is refused", async () => {
  for (const path of ["/runs/query", "/api/v1/runs/query"]) {
    const { status, body } = await client.call("POST", path, { group_by: "conversation" });
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
      422,
      ["body", "group_by"],
      "not_supported",
    ]);
  }
  expect((await query({ group_by: null })).status).toBe(200);
});

test("runs show their thread", async () => {
  const { body } = await query({ select: ["thread_id"] });
  expect(body.runs.map((run: any) => run.thread_id)).toEqual(["t1", "über", "t1", null]);
});

test("filters of an experiment keep the examples with matching runs", async () => {
  const filters = { [session]: ['eq(name, "ask")', "eq(error, null)"] };
  const v1 = await client.call("POST", `/datasets/${dataset}/runs`, {
    session_ids: [session],
    filters,
  });
  expect(v1.body.map((one: any) => [one.id, one.runs.length])).toEqual([[rowId(0), 1]]);
  const v2 = await client.call("POST", `/api/v2/datasets/${dataset}/experiment-runs`, {
    experiment_ids: [session],
    filters,
  });
  expect(v2.body.items.map((one: any) => one.id)).toEqual([rowId(0)]);
  for (const wrong of [{ [session]: ["eq(colour, 1)"] }, ["eq(name, 'a')"]]) {
    const refused = await client.call("POST", `/datasets/${dataset}/runs`, {
      session_ids: [session],
      filters: wrong,
    });
    expect(locations(refused)).toEqual(["body.filters"]);
  }
});

test.each([
  ['not(has(metadata, \'{"foo": "bar"}\'))', 4],
  ['exists(metadata, "tenant_id")', 0],
  ['and(eq(metadata_key, "a"), eq(metadata_value, "b"))', 0],
  [`eq(id, "${rowId(2)}")`, 1],
  ["eq(name, ", null],
])("a filter of examples: %s", async (filter, count) => {
  const at = `/examples?dataset=${dataset}&filter=${encodeURIComponent(filter)}`;
  const { status, body } = await client.call("GET", at);
  expect(status === 200 ? body.length : null).toBe(count);
});
