import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServerResponse } from "node:http";
import { createControlPlane } from "../../src/service/control-plane-http.ts";
import {
  ServiceError,
  type ControlPlane,
  type LiveDeployment,
  type Lookup,
} from "../../src/service/control-plane.ts";
import type { HttpOptions } from "../../src/service/http.ts";
import { httpFor, json, KEY, startService, type FakeService, type Seen } from "./fake-service.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

type Route = (response: ServerResponse, request: Seen) => void;
/** A service of `METHOD /path` routes (no query) below `prefix`; 404 for the rest. */
async function plane(
  routes: Readonly<Record<string, Route>>,
  prefix = "",
  options: Partial<HttpOptions> = {},
): Promise<{
  readonly api: ControlPlane;
  readonly service: FakeService;
  readonly base: string;
  readonly elapsed: () => number;
}> {
  const service = await startService((request, response) => {
    const route = routes[`${request.method} ${request.path.split("?")[0]!.slice(prefix.length)}`];
    if (route === undefined || !request.path.startsWith(prefix))
      json(response, 404, { detail: "Not Found" });
    else route(response, request);
  });
  const base = service.url + prefix;
  const { http, clock } = httpFor(base, {
    credentials: () => Promise.resolve({ "X-Api-Key": KEY, "X-Tenant-Id": "tenant-1" }),
    ...options,
  });
  open.push(service, http);
  return {
    api: createControlPlane({ http, base, clock }),
    service,
    base,
    elapsed: clock.monotonic,
  };
}
const ID = "0b6f0000-0000-4000-8000-000000000001";
const REV = "0b6f0000-0000-4000-8000-0000000000aa";
const HOSTED = {
  id: ID,
  name: "support",
  source: "github",
  source_config: { repo_url: "https://x", custom_url: "https://support.example" },
  secrets: [],
  source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  status: "PONDERING",
  latest_revision_id: REV,
  active_revision_id: null,
  updated_at: "2026-01-01T00:00:00Z",
  created_at: "2026-01-01T00:00:00Z",
  surprise: { kept: true },
};
const numbered = (n: number): unknown => ({
  id: `id-${n}`,
  name: `agent-${n}`,
  source: "repohost",
});
const ids = (lookup: Lookup<LiveDeployment>): string[] =>
  lookup.state === "found" ? lookup.items.map(({ id }) => id) : [lookup.state];
const error = (promise: Promise<unknown>): Promise<ServiceError> =>
  promise.then(
    () => {
      throw new Error("did not fail");
    },
    (cause: unknown) => cause as ServiceError,
  );
const query = (request: Seen): URLSearchParams => new URL(request.path, "http://x").searchParams;

describe("requests for deployments", () => {
  test("read a reply in the hosted spelling as the document's, and keep unknown fields and statuses", async () => {
    const { api } = await plane({
      [`GET /v2/deployments/${ID}`]: (response) => json(response, 200, HOSTED),
    });
    const live = await api.getDeployment(ID);
    expect(live).toMatchObject({
      id: ID,
      source: "repohost",
      dialect: "hosted",
      status: "PONDERING",
      latest_revision_id: REV,
      active_revision_id: null,
      url: "https://support.example",
      tenant_id: null,
    });
    expect(live?.body).toMatchObject({
      source_revision_config: { graph_config_path: "langgraph.json" },
      surprise: { kept: true },
    });
  });
  test("send the body in the user's spelling under the base's path, with key, tenant and content type", async () => {
    for (const [dialect, source, key] of [
      ["document", "repohost", "graph_config_path"],
      ["hosted", "github", "langgraph_config_path"],
    ] as const) {
      const { api, service } = await plane(
        { "POST /v2/deployments": (response) => json(response, 201, HOSTED) },
        "/api-host",
      );
      const result = await api.createDeployment(
        {
          name: "support",
          source: "repohost",
          source_revision_config: { graph_config_path: "g.json" },
          secrets: [],
        },
        dialect,
      );
      expect(result).toMatchObject({ state: "taken", reply: { id: ID } });
      expect(JSON.parse(service.seen[0]!.body)).toEqual({
        name: "support",
        source,
        source_revision_config: { [key]: "g.json" },
        secrets: [],
      });
      expect(service.seen[0]).toMatchObject({
        method: "POST",
        path: "/api-host/v2/deployments",
        headers: {
          "x-api-key": KEY,
          "x-tenant-id": "tenant-1",
          "content-type": "application/json",
          "user-agent": "agent-deploy/test",
        },
      });
    }
  });
  test("return null for a deployment or revision that does not exist", async () => {
    const { api } = await plane({});
    expect(await api.getDeployment(ID)).toBeNull();
    expect(await api.getRevision(ID, REV)).toBeNull();
  });
  test("accept a revision without an id if it has a status or config, and nothing else without one", async () => {
    const config = { image_uri: "registry.example/app:1" };
    for (const [reply, status] of [
      [{ status: "BUILDING" }, "BUILDING"],
      [{ id: null, status: "PONDERING", source_revision_config: config }, "PONDERING"],
    ] as const) {
      const { api } = await plane({
        [`GET /v2/deployments/${ID}/revisions/${REV}`]: (response) => json(response, 200, reply),
      });
      expect(await api.getRevision(ID, REV)).toMatchObject({ id: REV, status });
    }
    for (const reply of [{ status: "ok" }, {}, { status: 1 }, { id: "", status: "DEPLOYED" }]) {
      const { api } = await plane({
        [`GET /v2/deployments/${ID}/revisions/${REV}`]: (response) => json(response, 200, reply),
      });
      expect((await error(api.getRevision(ID, REV))).message).toContain("without an id");
    }
  });
  test("fail on a reply without an id if they read, and are unknown if they write", async () => {
    const { api } = await plane({
      [`GET /v2/deployments/${ID}`]: (response) => json(response, 200, { ...HOSTED, id: null }),
      "POST /v2/deployments": (response) => json(response, 201, {}),
      "GET /v2/deployments": (response) =>
        json(response, 200, { resources: [HOSTED, { name: "duplicate?" }], offset: 2 }),
      [`PATCH /v2/deployments/${ID}`]: (response) =>
        json(response, 200, { ...HOSTED, id: "another" }),
    });
    expect((await error(api.getDeployment(ID))).message).toContain(
      "the answer is a deployment without an id",
    );
    expect((await error(api.listDeployments({}))).message).toContain("without an id");
    expect((await api.createDeployment({}, "document")).state).toBe("unknown");
    expect((await api.patchDeployment(ID, {}, "document")).state).toBe("unknown");
  });
  test("send no body in a redeploy, and in a delete what happens to the tracing project", async () => {
    const { api, service } = await plane({
      [`POST /v2/deployments/${ID}/revisions/${REV}/redeploy`]: (response) =>
        json(response, 200, HOSTED),
      [`DELETE /v2/deployments/${ID}`]: (response) => {
        response.writeHead(204).end();
      },
    });
    expect((await api.redeploy(ID, REV)).state).toBe("taken");
    expect(await api.deleteDeployment(ID, { deleteTracingProject: true })).toEqual({
      state: "taken",
      reply: null,
    });
    expect(service.seen.map(({ body }) => body)).toEqual(["", ""]);
    expect(service.seen[1]!.path).toBe(`/v2/deployments/${ID}?delete_tracing_project=true`);
  });
  test("escape any id into one path segment", async () => {
    const { api, service } = await plane({});
    await api.getRevision("../x?y", "a/b");
    expect(service.seen[0]!.path).toBe("/v2/deployments/..%2Fx%3Fy/revisions/a%2Fb");
  });
  test("never repeat a secret or environment value of the body in an error", async () => {
    const { api } = await plane({
      "POST /v2/deployments": (response, request) =>
        json(response, 400, { detail: `cannot take ${request.body}` }),
    });
    const result = await api.createDeployment(
      {
        name: "a",
        secrets: [{ name: "DB", value: "hunter2" }],
        source_config: {
          resource_spec: { sidecars: [{ name: "p", env: [{ name: "E", value: "s3cr3t" }] }] },
        },
      },
      "document",
    );
    expect(result).toMatchObject({ state: "refused", status: 400 });
    const { message } = (result as { error: Error }).error;
    expect(message).toContain("cannot take");
    expect(message).not.toMatch(/hunter2|s3cr3t/);
  });
  test("share a deadline and a signal, also over all pages of a list", async () => {
    const { api, elapsed } = await plane({
      "GET /v2/deployments": (response) => json(response, 503, {}),
    });
    await error(api.within!({ deadlineMs: 3000 }).listDeployments({}));
    expect(elapsed()).toBeLessThan(3000);
    const stop = AbortSignal.abort(new Error("SIGINT"));
    await expect(api.within!({ signal: stop }).getDeployment(ID)).rejects.toThrow("SIGINT");
  });
});

describe("lists", () => {
  const all = Array.from({ length: 250 }, (_, n) => numbered(n));
  const expected = all.map((one) => (one as { id: string }).id);
  const KINDS: Readonly<Record<string, (request: Seen) => unknown>> = {
    "gives the next offset": (r) => {
      const from = Number(query(r).get("offset"));
      const items = all.slice(from, from + 100);
      return { resources: items, offset: from + items.length };
    },
    "repeats the offset it was sent": (r) => {
      const from = Number(query(r).get("offset"));
      return { resources: all.slice(from, from + 100), offset: from };
    },
    "gives no offset": (r) => {
      const from = Number(query(r).get("offset"));
      return { resources: all.slice(from, from + 100) };
    },
    "gives 20 a page whatever is asked": (r) => {
      const from = Number(query(r).get("offset"));
      return { resources: all.slice(from, from + 20), offset: from + 20 };
    },
    "ignores limit and offset": () => ({ resources: all, offset: 0 }),
    "answers a bare array": (r) => all.slice(Number(query(r).get("offset"))).slice(0, 7),
    "shifts by one between pages": (r) => {
      const from = Math.max(0, Number(query(r).get("offset")) - 1);
      return { resources: all.slice(from, from + 100), offset: from + 100 };
    },
  };
  test.each(Object.keys(KINDS))(
    "of a service that %s are read to the end, with each item once",
    async (kind) => {
      const { api } = await plane({
        "GET /v2/deployments": (response, request) => json(response, 200, KINDS[kind]!(request)),
      });
      expect(ids(await api.listDeployments({ nameContains: "agent" }))).toEqual(expected);
    },
  );
  test("that repeat a full page fail, since the end cannot be read", async () => {
    const { api } = await plane({
      "GET /v2/deployments": (response) => json(response, 200, { resources: all.slice(0, 100) }),
    });
    expect((await error(api.listDeployments({ nameContains: "agent" }))).message).toContain(
      "returned the same page of 100 twice, at offset 100",
    );
  });
  test("are requested with limit, offset and part of the name", async () => {
    const { api, service } = await plane({
      "GET /v2/deployments": (response) => json(response, 200, { resources: [], offset: 0 }),
    });
    expect(await api.listDeployments({ nameContains: "a&b" })).toEqual({
      state: "found",
      items: [],
    });
    expect(service.seen.map(({ path }) => path)).toEqual([
      "/v2/deployments?name_contains=a%26b&limit=100&offset=0",
    ]);
  });
  test.each([404, 405, 501])("do not exist if the service answers %i", async (status) => {
    const { api } = await plane({
      "GET /v2/deployments": (response) => json(response, status, {}),
    });
    expect(await api.listDeployments({})).toEqual({ state: "absent-lookup", status });
  });
  test.each([400, 401, 403, 422, 500, 503])("fail if the service answers %i", async (status) => {
    const { api } = await plane({
      "GET /v2/deployments": (response) => json(response, status, {}),
    });
    expect((await error(api.listDeployments({}))).status).toBe(status);
  });
  test.each(["{}", '{"resources":null}', '{"error":"x"}', "null", '"x"'])(
    "are never taken as empty if the reply has another form (%s)",
    async (text) => {
      const { api } = await plane({
        "GET /v2/deployments": (response) => {
          response.writeHead(200, { "content-type": "application/json" }).end(text);
        },
      });
      expect(await error(api.listDeployments({}))).toBeInstanceOf(ServiceError);
    },
  );
  test("mark their deployments as listed, except those whose name had to be read", async () => {
    const { api } = await plane({
      [`GET /v2/deployments/${ID}`]: (response) => json(response, 200, HOSTED),
      "GET /v2/deployments": (response) =>
        json(response, 200, { resources: [numbered(1), { ...HOSTED, name: "" }], offset: 2 }),
    });
    const lookup = await api.listDeployments({});
    expect(lookup.state === "found" && lookup.items.map(({ isListed }) => isListed)).toEqual([
      true,
      undefined,
    ]);
  });
  test("of revisions are newest first, and at most as long as requested", async () => {
    const { api } = await plane({
      [`GET /v2/deployments/${ID}/revisions`]: (response) =>
        json(response, 200, {
          resources: ["01", "03", "02"].map((day) => ({
            id: day,
            status: "DEPLOYED",
            created_at: `2026-01-${day}T00:00:00Z`,
          })),
          offset: 3,
        }),
    });
    expect(await api.listRevisions(ID, 2)).toMatchObject({
      state: "found",
      items: [{ id: "03" }, { id: "02" }],
    });
  });
  test("of integrations are read in the user's spelling, and else in the other", async () => {
    const { api, service } = await plane({
      "GET /v1/integrations/github/install": (response) =>
        json(response, 200, [{ id: "i1", installation_id: 7, name: "acme" }]),
    });
    expect(await api.listIntegrations("document")).toEqual([{ id: "i1", name: "acme" }]);
    expect(await api.listIntegrations("hosted")).toEqual([{ id: "i1", name: "acme" }]);
    expect(service.seen.map(({ path }) => path)).toEqual([
      "/v1/integrations/repohost/install",
      "/v1/integrations/github/install",
      "/v1/integrations/github/install",
    ]);
    const none = await plane({});
    expect((await error(none.api.listIntegrations("document"))).status).toBe(404);
    const single = await plane({
      "GET /v1/integrations/repohost/install": (response) => json(response, 200, { id: "i1" }),
    });
    expect(await single.api.listIntegrations("document")).toEqual([{ id: "i1", name: "" }]);
  });
  test("of listeners include their namespaces", async () => {
    const { api } = await plane({
      "GET /v2/listeners": (response, request) =>
        json(response, 200, {
          resources:
            query(request).get("offset") === "0"
              ? [
                  {
                    id: "l1",
                    compute_type: "k8s",
                    compute_id: "c",
                    compute_config: { k8s_namespaces: ["a", "b"] },
                  },
                  { id: "l2", compute_config: { k8s_namespaces: null } },
                ]
              : [],
        }),
    });
    expect(await api.listListeners()).toEqual([
      { id: "l1", compute_id: "c", compute_type: "k8s", namespaces: ["a", "b"] },
      { id: "l2", compute_id: "", compute_type: "", namespaces: [] },
    ]);
  });
});

describe("log tails", () => {
  const first = `GET /v2/deployments/${ID}/revisions/${REV}/logs`;
  const lines = [
    { timestamp: 3, message: "third\n" },
    { timestamp: 2, message: "second" },
    { timestamp: 1, message: "first" },
  ];
  test("have the last lines with the oldest first, from the first route that exists", async () => {
    const { api, service } = await plane({
      [first]: (response) => json(response, 200, { logs: lines, next_offset: null }),
    });
    expect(await api.logTail(ID, REV, "build", 2)).toEqual({
      lines: ["second", "third"],
      isTail: true,
      newestMs: 3,
    });
    expect(service.seen[0]!.path).toBe(
      `/v2/deployments/${ID}/revisions/${REV}/logs?type=build&order=desc&limit=2`,
    );
  });
  test("are sorted by time if the service ignores the order", async () => {
    const { api } = await plane({
      "GET /v2/deployment-logs": (response) => json(response, 200, { items: [...lines].reverse() }),
    });
    expect((await api.logTail(ID, REV, "deploy", 2))?.lines).toEqual(["second", "third"]);
  });
  test("are read from the older route last, and are null if no route exists", async () => {
    const old = await plane({
      [`POST /v1/projects/${ID}/revisions/${REV}/deploy_logs`]: (response) =>
        json(response, 200, { logs: ["b", "a"] }),
    });
    expect(await old.api.logTail(ID, REV, "deploy", 10)).toEqual({
      lines: ["a", "b"],
      isTail: false,
      newestMs: null,
    });
    expect(JSON.parse(old.service.seen[2]!.body)).toEqual({ limit: 10, order: "desc" });
    const none = await plane({});
    expect(await none.api.logTail(ID, REV, "build", 10)).toBeNull();
    expect(none.service.seen.length).toBe(3);
  });
  test("are not requested by POST from a service in the document's spelling", async () => {
    const { api, service } = await plane({
      [`POST /v1/projects/${ID}/revisions/${REV}/build_logs`]: (response) =>
        json(response, 200, { logs: ["a"] }),
    });
    expect(await api.logTail(ID, REV, "build", 10, "document")).toBeNull();
    expect(service.seen.map(({ method }) => method)).toEqual(["GET", "GET"]);
    expect((await api.logTail(ID, REV, "build", 10, "hosted"))?.lines).toEqual(["a"]);
  });
  test("are null soon if the service is broken or silent or the run is cancelled, and never throw", async () => {
    const broken = await plane(
      {
        [first]: (response) => {
          response.destroy();
        },
        "GET /v2/deployment-logs": (response) => json(response, 429, {}),
      },
      "",
      { rules: { probe: { tryMs: 100 } } },
    );
    expect(await broken.api.logTail(ID, REV, "build", 10)).toBeNull();
    const silent = await plane({ [first]: () => undefined }, "", {
      rules: { probe: { tryMs: 100 } },
      signal: AbortSignal.timeout(5000),
    });
    expect(await silent.api.logTail(ID, REV, "build", 10)).toBeNull();
    expect(
      await silent.api.within!({ signal: AbortSignal.abort() }).logTail(ID, REV, "build", 10),
    ).toBeNull();
  });
});

test("a 409 to a create mentions the name, and one to a change mentions another update", async () => {
  const refused: Route = (response) => json(response, 409, { detail: "Conflict" });
  const path = `/v2/deployments/${ID}`;
  const { api } = await plane({
    "POST /v2/deployments": refused,
    [`PATCH ${path}`]: refused,
    [`POST ${path}/revisions/${REV}/redeploy`]: refused,
    [`DELETE ${path}`]: refused,
  });
  const words = "Another update of it may be under way";
  expect(await api.createDeployment({}, "document")).toMatchObject({
    error: { message: expect.stringContaining("exists already") },
  });
  for (const change of [
    api.patchDeployment(ID, {}, "document"),
    api.redeploy(ID, REV),
    api.deleteDeployment(ID, { deleteTracingProject: false }),
  ])
    expect(await change).toMatchObject({
      state: "refused",
      error: { message: expect.stringContaining(words) },
    });
});
