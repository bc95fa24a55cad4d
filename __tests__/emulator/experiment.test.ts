import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { trimRows } from "../../src/emulator/experiments/experiment-rows.ts";
import { createStore, type StoredSession } from "../../src/emulator/state/store.ts";
import { locations, open, repohost, type Client } from "./client.ts";
import { readInterface } from "./interface-tables.ts";
import { experiment, upload } from "./upload-body.ts";
import { fetchFrom } from "../support/emulator-fetch.ts";

let client: Client;
beforeEach(async () => {
  client = await open({ seed: { datasets: [{ name: "ours" }] } });
});
afterEach(() => client.running.close());

const AT = "/api/v1/datasets/upload-experiment";
const STATISTICS = [
  "run_count",
  "latency_p50",
  "latency_p99",
  "first_token_p50",
  "first_token_p99",
  "total_tokens",
  "prompt_tokens",
  "completion_tokens",
  "total_cost",
  "prompt_cost",
  "completion_cost",
  "last_run_start_time",
  "last_run_start_time_live",
  "feedback_stats",
  "session_feedback_stats",
  "run_facets",
  "error_rate",
  "streaming_rate",
];
const rows = (...seconds: number[]): any[] =>
  seconds.map((end, i) => ({
    row_id: `44444444-4444-4444-8444-44444444444${i}`,
    inputs: {},
    start_time: "2026-01-01T00:00:00Z",
    end_time: `2026-01-01T00:00:${String(end).padStart(2, "0")}Z`,
    evaluation_scores: [{ key: "correct", score: i % 2 }],
    ...(i === 0 ? { error: "boom" } : {}),
  }));

describe("an uploaded experiment", () => {
  test("is answered with every field that the document lists, and null statistics", async () => {
    const { body } = await upload(client, experiment());
    expect(Object.keys(body.dataset).sort()).toEqual([
      "created_at",
      "data_type",
      "description",
      "example_count",
      "externally_managed",
      "id",
      "inputs_schema_definition",
      "last_session_start_time",
      "modified_at",
      "name",
      "outputs_schema_definition",
      "session_count",
      "tenant_id",
    ]);
    for (const name of STATISTICS) expect([name, body.experiment[name]]).toEqual([name, null]);
    expect(body.experiment).toMatchObject({
      start_time: "2026-01-01T00:00:00.000Z",
      end_time: "2026-01-01T01:00:00.000Z",
      reference_dataset_id: body.dataset.id,
      default_dataset_id: null,
      test_run_number: 1,
    });
    const text = readInterface();
    if (text === null) return;
    for (const part of ["dataset", "experiment"] as const) {
      const item = new RegExp(`^- .${part}.: ([^]*?)\\.$`, "m");
      const sentence = item.exec(text)![1]!;
      const named = sentence
        .replace(/\([^)]*\)/g, "")
        .split(",")
        .map((word) => word.trim());
      expect(Object.keys(body[part]).sort()).toEqual(named.sort());
    }
  });

  test("is refused without echoing its rows, which may be hundreds of megabytes", async () => {
    const { experiment_name: _name, ...rest } = experiment() as Record<string, unknown>;
    const { status, body } = await upload(client, rest as ReturnType<typeof experiment>);
    const [missing] = body.detail.filter(({ type }: { type: string }) => type === "missing");
    expect([status, missing.loc, "results" in missing.input]).toEqual([
      422,
      ["body", "experiment_name"],
      false,
    ]);
    expect(missing.input).toMatchObject({ experiment_start_time: expect.any(String) });
  });
  test("is logged without what the field table calls a value, whether accepted or refused", async () => {
    const experiment_metadata = { value: "s3cret" };
    for (const results of [rows(1), [{ inputs: 1 }], 5])
      await upload(client, experiment({ results, experiment_metadata } as object));
    const { body } = await client.call("GET", "/_emulator/requests");
    expect(
      body.map((one: any) => [one.status, one.body.rows, one.body.experiment_metadata]),
    ).toEqual([200, 422, 422].map((status, i) => [status, i === 2 ? 0 : 1, { value: "***" }]));
  });
  test.each([
    ['{"results":[{"a":1} {"a":2}]}', 422],
    ['{"results":[{"a":1},]}', 422],
    ['{"results":[{"a":1}}', 422],
    ['{"results":[[]]}]}', 422],
    ['{"results":[{}],"results":[{},{}]}', 422],
    ['{"results":[{}]}\\', 422],
    ['{"results":[\u00a0]}', 422],
  ])("that is not JSON is refused: %s", async (text, status) => {
    const { body, ...answered } = await client.call("POST", AT, text);
    expect([answered.status, body.detail[0].type]).toEqual([status, "json_invalid"]);
  });
  test("may have another list whose name ends like that of its rows", async () => {
    const given = { 'x"results': [1, 2], ...experiment({ results: rows(1, 2) }) };
    const { status, body } = await upload(client, given);
    expect([status, body.dataset.example_count]).toEqual([200, 2]);
  });
  test.each([
    ["in one row", { results: [{ ...rows(1)[0], evaluation_scores: Array(130_000).fill(5) }] }],
    ["in its summary", { summary_experiment_scores: Array(130_000).fill(5) }],
    [
      "in every row",
      {
        results: Array(65_000).fill({
          inputs: {},
          start_time: "2026-01-01T00:00:00Z",
          end_time: "2026-01-01T00:00:01Z",
        }),
        experiment_start_time: "2025-01-01",
        experiment_end_time: "2025-01-01",
      },
    ],
  ])("with very many mistakes is refused with the first hundred: %s", async (_, over) => {
    const { status, body } = await upload(client, experiment(over));
    expect([status, body.detail.length]).toEqual([422, 100]);
  });
  test("gets its own row ids while another upload is in progress", async () => {
    await client.running.close();
    client = await open({ ids: "stable" });
    const { running } = client;
    const text = (): string =>
      JSON.stringify(experiment({ results: [{ ...rows(1)[0], row_id: null }] }));
    const [slow, quick] = [text(), text()];
    const post = (body: string | ReadableStream): Promise<any> =>
      fetch(running.url + AT, {
        method: "POST",
        headers: { "x-api-key": "k" },
        body,
        duplex: "half",
      } as RequestInit).then((sent) => sent.json());
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const late = post(readable);
    await writer.write(new TextEncoder().encode(slow.slice(0, -1)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const made = [await post(quick)];
    await writer.write(new TextEncoder().encode(slow.slice(-1)));
    await writer.close();
    made.push(await late);
    const ids = await Promise.all(
      made.map(async ({ dataset }) => {
        const at = `${running.url}/api/v1/examples?dataset=${dataset.id}`;
        const found = await fetch(at, { headers: { "x-api-key": "k" } });
        return ((await found.json()) as any)[0].id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });
  test("loses inputs and outputs first if it is the oldest, whatever its dataset", () => {
    const store = createStore([], null);
    const large = JSON.stringify({ row_id: "r", inputs: { text: "x".repeat(70 * 1024 * 1024) } });
    for (const [id, dataset_id] of [
      ["a1", "a"],
      ["b1", "b"],
      ["a2", "a"],
    ] as const) {
      store.put("sessions", id, { id, dataset_id } as StoredSession);
      store.put("rows", `${dataset_id} ${id}`, [large]);
    }
    trimRows({ store });
    const sizes = ["a a1", "b b1", "a a2"].map((key) => store.get("rows", key)![0]!.length);
    expect(sizes.map((size) => size === large.length)).toEqual([false, false, true]);
  });
  test("is accepted if the name of its rows is written with escapes", async () => {
    const text = JSON.stringify(experiment({ results: rows(1, 2) })).replace(
      "results",
      "r\\u0065sults",
    );
    const { status, body } = await client.call("POST", AT, text);
    expect([status, body.dataset.example_count]).toEqual([200, 2]);
  });
  test("is read row by row, however it is written and chunked", async () => {
    const odd = 'a\\"]},{[,"results": [\u00e9\ud83d\ude00';
    const [one] = rows(1) as [object];
    const given = experiment({ results: [{ ...one, inputs: { odd, deep: [[{ a: [1] }]] } }] });
    const { results, ...head } = given as Record<string, unknown>;
    const bytes = new TextEncoder().encode(
      JSON.stringify({ results, note: { results: [7] }, ...head }, null, 3),
    );
    const chunks = Array.from({ length: bytes.length }, (_, i) => bytes.slice(i, i + 1));
    const sent = await fetch(client.running.url + AT, {
      method: "POST",
      headers: { "x-api-key": "k" },
      body: new Blob(chunks).stream(),
      duplex: "half",
    } as RequestInit);
    expect(sent.status).toBe(200);
    const { dataset } = (await sent.json()) as any;
    const found = await client.call("GET", `/api/v1/examples?dataset=${dataset.id}`);
    expect(found.body.map((example: any) => example.inputs)).toEqual([
      { odd, deep: [[{ a: [1] }]] },
    ]);
  });
  test("shows its statistics after a while, but never tokens and costs", async () => {
    const made = await upload(
      client,
      experiment({
        results: rows(1, 2, 3),
        summary_experiment_scores: [{ key: "total", score: 2 }],
        experiment_metadata: { id: "u-1" },
      }),
    );
    const at = `/api/v1/sessions/${made.body.experiment.id}`;
    expect((await client.call("GET", `${at}?include_stats=true`)).body.run_count).toBeNull();
    client.running.emulator.advance(5000);
    const { body } = await client.call("GET", `${at}?include_stats=true`);
    expect(body).toMatchObject({
      run_count: 3,
      latency_p50: 2,
      latency_p99: 2.98,
      error_rate: 1 / 3,
      feedback_stats: { correct: { n: 3, avg: 1 / 3 } },
      session_feedback_stats: { total: { n: 1, avg: 2 } },
      extra: { metadata: { id: "u-1" } },
    });
    for (const name of STATISTICS.filter((one) => /token|cost/.test(one)))
      expect(body[name]).toBeNull();
    // The interface document asks for no parameter; hosted: only with include_stats=true.
    expect((await client.call("GET", at)).body.run_count).toBe(3);
    expect((await client.call("GET", `${at}?include_stats=false`)).body.run_count).toBeNull();
    expect(
      (await client.call("GET", `/api/v1/sessions?name=${made.body.experiment.name}`)).body.map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual([made.body.experiment.id]);
  });

  test("creates a dataset by id or by name, or reuses the one that exists, and counts its examples once", async () => {
    const id = "55555555-5555-4555-8555-555555555555";
    const byId = await upload(
      client,
      experiment({ dataset_name: undefined, dataset_id: id, results: rows(1, 2) }),
    );
    expect(byId.body.dataset).toMatchObject({
      id,
      name: expect.stringMatching(/./),
      externally_managed: true,
      example_count: 2,
      session_count: 1,
    });
    const again = await upload(
      client,
      experiment({ dataset_name: byId.body.dataset.name, results: rows(1, 2, 3) }),
    );
    expect(again.body.dataset).toMatchObject({ id, example_count: 3, session_count: 2 });
    expect(again.body.experiment.test_run_number).toBe(2);
    expect(
      (await upload(client, experiment({ dataset_name: "named" }))).body.dataset,
    ).toMatchObject({ name: "named", id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test("is refused for a dataset that is not externally managed, and without a dataset", async () => {
    expect((await upload(client, experiment({ dataset_name: "ours" }))).body.detail[0].msg).toMatch(
      /externally managed/,
    );
    expect(
      (await upload(client, experiment({ dataset_name: undefined }))).body.detail[0].msg,
    ).toMatch(/either dataset_id or dataset_name/);
  });

  test("is refused if rows are outside its time window, with each row and field named", async () => {
    const [late, early, edge] = rows(1, 2, 3);
    const refused = await upload(
      client,
      experiment({
        results: [
          { ...late, end_time: "2026-01-01T01:00:00.001Z" },
          { ...early, start_time: "2025-12-31T23:59:59" },
          { ...edge, end_time: "2026-01-01T03:00:00+02:00" },
        ],
      }),
    );
    expect([refused.status, locations(refused)]).toEqual([
      422,
      ["body.results.0.end_time", "body.results.1.start_time"],
    ]);
  });

  test("is refused with 409 if its name is in use, also by a deployment's tracing project", async () => {
    const body = experiment();
    await upload(client, body);
    const second = await upload(client, { ...body, dataset_name: "another" });
    expect(second).toMatchObject({ status: 409, body: { detail: "Session already exists." } });
    await client.create(repohost({ name: "agent" }));
    expect((await upload(client, experiment({ experiment_name: "agent" }))).status).toBe(409);
  });

  test("that is not a JSON object is a 422", async () => {
    for (const body of [
      "{",
      '{"results": [{}, ]}',
      '{"results": [',
      "[]",
      "",
      '{"results": [1]} trailing',
    ]) {
      expect([body, (await upload(client, body)).status]).toEqual([body, 422]);
    }
  });

  test("of 20,000 rows may arrive in pieces", async () => {
    const row = JSON.stringify(rows(1)[0]);
    const head = JSON.stringify({ ...experiment(), results: undefined }).slice(0, -1);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const encode = (text: string): void => controller.enqueue(new TextEncoder().encode(text));
        if (sent === 0) encode(`${head},"results":[${row}`);
        encode(`,${row}`.repeat(1000));
        sent += 1000;
        if (sent === 20_000) {
          encode("]}");
          controller.close();
        }
      },
    });
    const request = new Request(`${client.running.url}/api/v1/datasets/upload-experiment`, {
      method: "POST",
      headers: { "x-api-key": "k" },
      body,
      duplex: "half",
    } as RequestInit);
    const answered = await fetchFrom(client.running.emulator, request);
    expect(answered.status).toBe(200);
    expect(((await answered.json()) as any).dataset.example_count).toBe(1);
    expect((await client.call("GET", "/_emulator/requests")).body[0].body).toMatchObject({
      rows: 20_001,
      bytes: expect.any(Number),
    });
  });
});

test("an upload does not depend on how its bytes are chunked, and a byte that is not UTF-8 is a 422", async () => {
  const send = (bytes: readonly Uint8Array[]): Promise<Response> =>
    fetchFrom(
      client.running.emulator,
      new Request(`${client.running.url}/api/v1/datasets/upload-experiment`, {
        method: "POST",
        headers: { "x-api-key": "k" },
        body: new ReadableStream<Uint8Array>({
          start: (controller) => {
            for (const piece of bytes) controller.enqueue(piece);
            controller.close();
          },
        }),
        duplex: "half",
      } as RequestInit),
    );
  const inputs = { b: '],"}\\"ü', list: [1, [2]], 'res"ults': { results: [9] }, z: -1.5e3 };
  const [row] = rows(1);
  const text = (name: string): string =>
    JSON.stringify(experiment({ experiment_name: name, results: [{ ...row, inputs }] }), null, 1);
  const { length } = new TextEncoder().encode(text("cut 000"));
  for (let cut = 0; cut < length; cut += 7) {
    const bytes = new TextEncoder().encode(text(`cut ${String(cut).padStart(3, "0")}`));
    expect((await send([bytes.slice(0, cut), bytes.slice(cut)])).status).toBe(200);
  }
  const { body: sessions } = await client.call("GET", "/api/v1/sessions?limit=1");
  const feedback = await client.call("GET", `/api/v1/feedback?session=${sessions[0].id}`);
  const run = await client.call("GET", `/api/v1/runs/${feedback.body[0].run_id}`);
  expect(run.body.inputs).toEqual(inputs);
  const bytes = new TextEncoder().encode(text("bad"));
  bytes[bytes.indexOf(0xc3)] = 0xff;
  expect((await send([bytes])).status).toBe(422);
});
