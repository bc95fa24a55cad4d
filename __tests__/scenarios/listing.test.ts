import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startStub } from "../support/service-stub.mjs";
import { createTree } from "../support/tree.ts";

const IMAGE = `registry.example.com/acme/agent@sha256:${"a".repeat(64)}`;
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const revisionOf = (n: number): string => `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;

type Stub = Awaited<ReturnType<typeof startStub>>;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function body(n: number): Record<string, unknown> {
  return {
    name: `agent-${n}`,
    source: "external_container",
    source_config: { custom_url: `https://agent-${n}.example.com` },
    source_revision_config: { image_uri: IMAGE },
    secrets: [{ name: "API_TOKEN", value: `value-of-${n}` }],
  };
}

/** A service with so many deployments that are live. */
async function serviceOf(count: number, options: Record<string, unknown> = {}): Promise<Stub> {
  const stub = await startStub({ timeline: ["DEPLOYED"], ...options });
  closing.push(() => stub.close());
  for (let n = 0; n < count; n++) {
    const [id, revision] = [idOf(n), revisionOf(n)];
    const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
    const copy = structuredClone(body(n)) as any;
    stub.deployments.set(id, {
      ...copy,
      ...times,
      id,
      status: "READY",
      latest_revision_id: revision,
      active_revision_id: revision,
    });
    stub.revisions.set(revision, {
      ...times,
      id: revision,
      deployment: id,
      timeline: ["DEPLOYED"],
      reads: 0,
      status: "DEPLOYED",
      source: copy.source,
      source_revision_config: { ...copy.source_revision_config },
    });
  }
  return stub;
}

/** The spec of these deployments, one document a line. */
function specOf(numbers: readonly number[], by: "id" | "name"): string {
  return numbers
    .map((n) => JSON.stringify({ ...body(n), ...(by === "id" ? { deploy: { id: idOf(n) } } : {}) }))
    .join("\n---\n");
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

async function run(
  stub: Pick<Stub, "url" | "requests">,
  command: string,
  spec: string,
): Promise<{ report: any; code: number | null; asked: string[] }> {
  const workspace = createTree({ "agent-deploy.yml": spec });
  const { stdout, stderr, code } = await runCli(
    [command, "--json", "--yes", "--poll-interval", "10ms"].filter(
      (word) => command !== "plan" || word !== "--yes",
    ),
    {
      workspace,
      env: {
        AGENT_DEPLOY_API_KEY: "test-key",
        AGENT_DEPLOY_CONTROL_PLANE_URL: stub.url,
        AGENT_DEPLOY_TRACING_URL: stub.url,
      },
    },
  );
  if (stdout === "") throw new Error(stderr);
  return {
    report: JSON.parse(stdout),
    code,
    asked: stub.requests.map(({ method, path }: any) => `${method} ${path}`),
  };
}

test.each(["id", "name"] as const)(
  "a plan of a thousand deployments by %s only reads the list, once",
  async (by) => {
    const stub = await serviceOf(1000);
    const { report, asked } = await run(stub, "plan", specOf(upTo(1000), by));
    expect(report.outcome).toBe("unchanged");
    expect(report.deployments).toHaveLength(1000);
    expect(new Set(asked)).toEqual(new Set(["GET /v2/deployments"]));
    expect(asked).toHaveLength(11);
  },
);

test("a list in small pages is read to the end, for ids as for names", async () => {
  const stub = await serviceOf(70, { pageSize: 30 });
  const { report, asked } = await run(stub, "plan", specOf(upTo(70), "id"));
  expect(report.outcome).toBe("unchanged");
  expect(new Set(asked)).toEqual(new Set(["GET /v2/deployments"]));
});

test("an id that is not in the list is read directly before it counts as missing", async () => {
  const stub = await serviceOf(12);
  const gone = { ...body(99), deploy: { id: idOf(99) } };
  const spec = `${specOf(upTo(12), "id")}\n---\n${JSON.stringify(gone)}`;
  const { report, asked } = await run(stub, "plan", spec);
  const last = report.deployments.at(-1);
  expect([last.name, last.outcome]).toEqual(["agent-99", "blocked"]);
  expect(report.deployments.filter((one: any) => one.outcome === "unchanged")).toHaveLength(12);
  expect(asked.filter((one) => one.startsWith("GET /v2/deployments/"))).toEqual([
    `GET /v2/deployments/${idOf(99)}`,
  ]);
});

test.each(["id", "name"] as const)(
  "the list of a much larger tenant is not read to the end (by %s)",
  async (by) => {
    const stub = await serviceOf(3000);
    const wanted = upTo(12).map((n) => 2900 + n);
    const { report, asked } = await run(stub, "plan", specOf(wanted, by));
    expect(report.outcome).toBe("unchanged");
    // All of it would be 31 pages.
    const pages = stub.requests.filter(
      ({ path, query }: any) => path === "/v2/deployments" && query.name_contains === undefined,
    );
    expect(pages.length).toBeLessThanOrEqual(8);
    expect(asked.length).toBeLessThanOrEqual(8 + 3 * 12);
  },
);

test.each(["no list", "a list that is refused"])(
  "a service with %s is read by id, one at a time",
  async (kind) => {
    const stub = await serviceOf(12, kind === "no list" ? { lookup: false } : {});
    const front =
      kind === "no list" ? { url: stub.url, requests: stub.requests } : await refusingLists(stub);
    const { report } = await run(front, "plan", specOf(upTo(12), "id"));
    expect(report.outcome).toBe("unchanged");
    expect(
      stub.requests.filter(({ path }: any) => /^\/v2\/deployments\/[^/]+$/.test(path)),
    ).toHaveLength(12);
  },
);

test("of many documents none is created without a list, and none if two deployments have its name", async () => {
  const none = await serviceOf(0, { lookup: false });
  const unproved = await run(none, "plan", specOf(upTo(5), "name"));
  expect(unproved.report.deployments.map(({ reason }: any) => reason)).toEqual(
    Array.from({ length: 5 }, () => "no-lookup"),
  );
  const stub = await serviceOf(5);
  stub.deployments.get(idOf(4))!.name = "agent-3";
  const { report } = await run(stub, "plan", specOf(upTo(4), "name"));
  expect(report.deployments.map(({ reason }: any) => reason)).toEqual(["", "", "", "duplicates"]);
  expect(report.deployments.at(-1).message).toContain(`${idOf(3)}, ${idOf(4)}`);
});

/** The same service through a front that forbids its list. */
async function refusingLists(stub: Stub): Promise<Pick<Stub, "url" | "requests">> {
  const server = createServer(async (request, response) => {
    if (request.url!.startsWith("/v2/deployments?"))
      response
        .writeHead(403, { "content-type": "application/json" })
        .end('{"detail":"Forbidden: this key may not list deployments"}');
    else {
      const answer = await fetch(stub.url + request.url, { headers: { "x-api-key": "k" } });
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: stub.requests,
  };
}

test("an apply of many does not rely on the list to know that what is stored was built", async () => {
  const stub = await serviceOf(12);
  stub.revisions.get(revisionOf(3)).source_revision_config.image_uri = IMAGE.replaceAll("a", "b");
  const { report, code } = await run(stub, "apply", specOf(upTo(12), "id"));
  expect(code).toBe(0);
  expect(report.deployments.map((one: any) => one.outcome)).toEqual(
    upTo(12).map((n) => (n === 3 ? "deployed" : "unchanged")),
  );
});

test("a plan of one deployment by name reads the start and the end of the list at the same time", async () => {
  const stub = await serviceOf(1);
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  // Answers to the list are held back until both questions are there.
  const server = createServer(async (request, response) => {
    const answer = await fetch(stub.url + request.url, { headers: { "x-api-key": "k" } });
    const text = await answer.text();
    asked.push(request.url!);
    const reply = (): void => {
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    };
    if (!request.url!.startsWith("/v2/deployments?")) return reply();
    waiting.push(reply);
    if (waiting.length >= 2) for (const one of waiting.splice(0)) one();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { report } = await run({ url, requests: stub.requests }, "plan", specOf([0], "name"));
  expect(report.outcome).toBe("unchanged");
  expect(asked.filter((one) => one.includes("name_contains"))).toHaveLength(2);
});
