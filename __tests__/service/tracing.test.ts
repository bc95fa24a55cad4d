import { afterEach, describe, expect, test } from "@jest/globals";
import { createTracing } from "../../src/service/tracing.ts";
import { httpFor, json, KEY, startService, type Answer, type FakeService } from "./fake-service.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
async function tracing(
  answer: Answer,
  path = "",
): Promise<{ readonly api: ReturnType<typeof createTracing>; readonly service: FakeService }> {
  const service = await startService(answer);
  const { http } = httpFor(service.url + path, {
    credentials: () => Promise.resolve({ "X-Api-Key": KEY, "X-Tenant-Id": "tenant-1" }),
  });
  open.push(service, http);
  return { api: createTracing({ http, base: service.url + path }), service };
}
async function* body(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"results":[');
  yield Buffer.from("]}");
}
const REPLY = {
  dataset: { id: "d1", name: "qa" },
  experiment: {
    id: "e1",
    name: "run 1",
    tenant_id: "t",
    reference_dataset_id: "d1",
    test_run_number: 4,
    run_count: null,
    extra: { metadata: { upload: "u1" } },
  },
};

describe("requests for experiments", () => {
  test.each(["", "/api", "/api/v1"])(
    "upload once to …/api/v1/datasets/upload-experiment with a base that ends in %p",
    async (path) => {
      const { api, service } = await tracing((_, response) => json(response, 200, REPLY), path);
      const result = await api.uploadExperiment(body);
      expect(result).toMatchObject({
        state: "taken",
        reply: {
          dataset: { id: "d1", name: "qa" },
          experiment: {
            id: "e1",
            dataset_id: "d1",
            test_run_number: 4,
            run_count: null,
            metadata: { upload: "u1" },
          },
        },
      });
      expect(service.seen).toMatchObject([
        {
          method: "POST",
          path: "/api/v1/datasets/upload-experiment",
          body: '{"results":[]}',
          headers: { "x-api-key": KEY, "x-tenant-id": "tenant-1", "transfer-encoding": "chunked" },
        },
      ]);
    },
  );
  test("repeat an upload after a 429, but not after a broken response, which leaves it unknown", async () => {
    let calls = 0;
    const limited = await tracing((_, response) =>
      calls++ === 0 ? json(response, 429, {}, { "retry-after": "3" }) : json(response, 200, REPLY),
    );
    expect((await limited.api.uploadExperiment(body)).state).toBe("taken");
    expect(limited.service.seen.map((request) => request.body)).toEqual([
      '{"results":[]}',
      '{"results":[]}',
    ]);
    for (const fault of [
      (_: unknown, response) => {
        response.destroy();
      },
      (_, response) => json(response, 503, {}),
      (_, response) => json(response, 200, {}),
      (_, response) => json(response, 200, { dataset: { id: "d" }, experiment: {} }),
    ] as Answer[]) {
      const broken = await tracing(fault);
      expect((await broken.api.uploadExperiment(body)).state).toBe("unknown");
      expect(broken.service.seen.length).toBe(1);
    }
  });
  test("name the input to change if the experiment's name is taken", async () => {
    const { api } = await tracing((_, response) =>
      json(response, 409, { detail: "Session already exists." }),
    );
    const result = await api.uploadExperiment(body);
    expect(result).toMatchObject({ state: "refused", status: 409 });
    expect((result as { error: Error }).error.message).toMatch(
      /409: Session already exists\. An experiment of that name exists in the workspace: give another experiment-name\.$/,
    );
  });
  test("read a session with its statistics, or null if it does not exist", async () => {
    const { api, service } = await tracing((request, response) =>
      request.path.includes("e1")
        ? json(response, 200, { ...REPLY.experiment, run_count: 9 })
        : json(response, 404, {}),
    );
    expect(await api.getSession("e1")).toMatchObject({
      id: "e1",
      run_count: 9,
      metadata: { upload: "u1" },
    });
    expect(service.seen[0]!.path).toBe("/api/v1/sessions/e1?include_stats=true");
    expect(await api.getSession("e2")).toBeNull();
  });
  test("find sessions of exactly one name, and report a service without the list", async () => {
    const { api, service } = await tracing((request, response) =>
      json(
        response,
        200,
        request.path.endsWith("offset=0")
          ? [
              { id: "a", name: "run 1" },
              { id: "b", name: "run 10" },
            ]
          : [],
      ),
    );
    expect(await api.findSessionsByName("run 1")).toMatchObject({
      state: "found",
      items: [{ id: "a", metadata: {} }],
    });
    expect(service.seen[0]!.path).toBe("/api/v1/sessions?name=run%201&limit=100&offset=0");
    const none = await tracing((_, response) => json(response, 405, {}));
    expect(await none.api.findSessionsByName("x")).toEqual({ state: "absent-lookup", status: 405 });
  });
});

describe("rows of an experiment", () => {
  const ROWS = 450;
  const all = Array.from({ length: ROWS }, (_, n) => ({ id: `row-${n}`, runs: [] }));
  type Held = { readonly offset: number; readonly reply: () => void };

  /** A service that answers once as many pages are asked for as it waits for. */
  async function service(
    most: number,
    waitFor: (offset: number) => number,
  ): Promise<{
    readonly api: ReturnType<typeof createTracing>;
    readonly offsets: number[];
    readonly widest: () => number;
  }> {
    const offsets: number[] = [];
    const held: Held[] = [];
    let widest = 0;
    const { api } = await tracing((request, response) => {
      const { offset, limit } = JSON.parse(request.body) as { offset: number; limit: number };
      offsets.push(offset);
      held.push({
        offset,
        reply: () => json(response, 200, all.slice(offset, offset + Math.min(limit, most))),
      });
      widest = Math.max(widest, held.length);
      if (held.length >= waitFor(offset)) for (const { reply } of held.splice(0)) reply();
    });
    return { api, offsets, widest: () => widest };
  }

  async function idsOf(
    api: ReturnType<typeof createTracing>,
    rows: number | null,
  ): Promise<unknown[]> {
    const ids: unknown[] = [];
    for await (const page of api.readExamples({ id: "e1", dataset_id: "d1", rows }))
      ids.push(...page.map((row) => row["id"]));
    return ids;
  }

  test("come in order, with up to four concurrent pages, each requested once", async () => {
    // The last two pages are the rest and the empty one that proves the end.
    const { api, offsets, widest } = await service(100, (offset) => (offset <= 300 ? 4 : 1));
    expect(await idsOf(api, ROWS)).toEqual(all.map(({ id }) => id));
    expect([...offsets].sort((a, b) => a - b)).toEqual([0, 100, 200, 300, 400, ROWS]);
    expect(widest()).toBeLessThanOrEqual(4);
  });

  test("are complete even if the service returns smaller pages than requested", async () => {
    const { api } = await service(40, () => 1);
    expect(await idsOf(api, ROWS)).toEqual(all.map(({ id }) => id));
  });

  test("are complete even if their number is unknown or was too low", async () => {
    for (const rows of [null, 120]) {
      const { api } = await service(100, () => 1);
      expect(await idsOf(api, rows)).toEqual(all.map(({ id }) => id));
    }
  });
});

test("a service with its own page size returns no more experiments than requested", async () => {
  const page = Array.from({ length: 20 }, (_, at) => ({ id: `e${at}`, name: `run ${at}` }));
  const { api, service } = await tracing((_, response) => json(response, 200, page));
  const lookup = await api.listExperiments("d1", 3);
  expect(lookup).toMatchObject({
    state: "found",
    items: [{ id: "e0" }, { id: "e1" }, { id: "e2" }],
  });
  expect(lookup.state === "found" && lookup.items.length).toBe(3);
  expect(service.seen).toHaveLength(1);
});
