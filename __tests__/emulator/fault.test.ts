import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator } from "../../src/emulator/emulator.ts";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { open, repohost, type Client } from "./client.ts";

let client: Client | undefined;
afterEach(async () => {
  await client?.running.close();
  client = undefined;
});

const CREATE = "POST /v2/deployments";
const names = async (one: Client): Promise<string[]> =>
  (await one.call("GET", "/_emulator/state")).body.deployments.map(
    ({ name }: { name: string }) => name,
  );
/** What the client saw: a status, or the code of the broken connection. */
const seen = async (work: Promise<{ status: number; body: any }>): Promise<number | string> =>
  work.then(
    ({ status }) => status,
    (error) => error.cause?.code ?? error.name,
  );

describe("a fault over a real connection", () => {
  test.each<[string, Omit<FaultRule, "route">, number | string | RegExp, boolean]>([
    ["status", { kind: "status", status: 500 }, 500, false],
    ["status after the write", { kind: "status", status: 502, when: "after" }, 502, true],
    [
      "429 with Retry-After",
      { kind: "status", status: 429, headers: { "retry-after": "1" } },
      429,
      false,
    ],
    ["reset before", { kind: "reset-before" }, /ECONNRESET|UND_ERR_SOCKET/, false],
    ["reset after", { kind: "reset-after" }, /ECONNRESET|UND_ERR_SOCKET/, true],
    ["redirect", { kind: "redirect" }, 307, false],
    ["huge", { kind: "huge" }, 502, false],
    ["delay", { kind: "delay", ms: 5 }, 201, true],
    ["drip", { kind: "drip", ms: 0 }, 201, true],
    ["truncate", { kind: "truncate" }, /UND_ERR_SOCKET|ECONNRESET|TypeError/, true],
    ["malformed", { kind: "malformed" }, "SyntaxError", true],
    ["wrong type", { kind: "wrong-type" }, 201, true],
  ])(
    "of kind %s shows at the client, and the service applies the call only if the kind says so",
    async (_name, rule, shown, effect) => {
      client = await open({ faults: [{ route: CREATE, ...rule }] });
      const got = await seen(client.call("POST", "/v2/deployments", repohost({ name: "one" })));
      if (shown instanceof RegExp) expect(String(got)).toMatch(shown);
      else expect(got).toBe(shown);
      expect(await names(client)).toEqual(effect ? ["one"] : []);
      expect((await client.call("GET", "/_emulator/requests")).body[0].fault).toBe(rule.kind);
      expect(await seen(client.call("POST", "/v2/deployments", repohost({ name: "two" })))).toBe(
        201,
      );
    },
  );

  test("of kind truncate breaks the connection, even if the response has no body", async () => {
    client = await open({ faults: [{ route: "DELETE /v2/deployments/{id}", kind: "truncate" }] });
    const { id } = await client.create(repohost({ name: "one" }));
    const remove = () => seen(client!.call("DELETE", `/v2/deployments/${id}`));
    expect(String(await remove())).toMatch(/UND_ERR_SOCKET|ECONNRESET|TypeError/);
    const [last] = (await client.call("GET", "/_emulator/requests?method=DELETE")).body;
    expect([last.status, last.fault]).toEqual([204, "truncate"]);
    expect(await remove()).toBe(204);
  });

  test("of kind huge sends ten megabytes, and of kind wrong-type an HTML page", async () => {
    client = await open({
      faults: [
        { route: CREATE, kind: "huge" },
        { route: CREATE, kind: "wrong-type", nth: 2 },
      ],
    });
    expect((await client.call("POST", "/v2/deployments", repohost())).body.length).toBeGreaterThan(
      10_000_000,
    );
    const page = await client.call("POST", "/v2/deployments", repohost());
    expect([page.headers.get("content-type"), page.body.slice(0, 6)]).toEqual([
      "text/html",
      "<html>",
    ]);
  });

  test.each([
    ["refuse-after", /^200$/],
    ["refuse", /ECONNRESET|UND_ERR_SOCKET/],
  ] as const)(
    "of kind %s answers with %s, then refuses connections for a while",
    async (kind, shown) => {
      client = await open({ faults: [{ route: "GET /v2/deployments", kind, ms: 3_000 }] });
      expect(String(await seen(client.call("GET", "/v2/deployments")))).toMatch(shown);
      let refusals = 0;
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        const got = await seen(client.call("GET", "/v2/listeners"));
        if (got === 200) break;
        if (got === "ECONNREFUSED") refusals += 1;
      }
      expect(refusals).toBeGreaterThan(0);
    },
  );

  test("hits the nth call of its route and as many after it as configured, and can be added and cleared at run time", async () => {
    client = await open();
    const at = "/v2/listeners";
    await client.call("POST", "/_emulator/faults", {
      route: "GET /v2/*",
      kind: "status",
      nth: 2,
      times: 2,
    });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await client.call("GET", at)).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
    expect((await client.call("GET", "/_emulator/faults")).body).toMatchObject([
      { calls: 5, met: 2 },
    ]);
    await client.call("POST", "/_emulator/faults", {
      faults: [{ route: `GET ${at}`, kind: "status", times: 0 }],
    });
    expect((await client.call("GET", at)).status).toBe(503);
    await client.call("DELETE", "/_emulator/faults");
    expect((await client.call("GET", at)).status).toBe(200);
    const wrong = await client.call("POST", "/_emulator/faults", {
      route: "GET /v2/listeners",
      kind: "statsu",
    });
    expect([wrong.status, wrong.body.detail[0]]).toEqual([
      422,
      {
        loc: ["body", "faults", 0, "kind"],
        msg: 'faults[0].kind: "statsu" is not a valid value; did you mean "status"?',
        type: "value_error",
      },
    ]);
  });
});

test("in process, a response says how its connection breaks, and the log what the service did", async () => {
  const emulator = createEmulator({
    faults: [
      { route: "* *", kind: "refuse" },
      { route: "* *", kind: "reset-before", nth: 2 },
      { route: "GET *", kind: "truncate", nth: 3 },
      { route: "DELETE *", kind: "truncate" },
    ],
  });
  const deployment = { name: "a", source: "repohost", id: "11111111-2222-4333-8444-555555555555" };
  emulator.seed({ deployments: [deployment] });
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { "x-api-key": "k" };
    const request = new Request(`http://emulator/v2/${path}`, { method, headers });
    return (await emulator.answer(request, "127.0.0.1")).wire;
  };
  const get = (): Promise<unknown> => call("GET", "listeners");
  expect(await get()).toEqual({ kind: "refuse", ms: 200, answered: false });
  expect(await get()).toEqual({ kind: "reset" });
  expect(await get()).toEqual({ kind: "truncate" });
  expect(await call("DELETE", `deployments/${deployment.id}`)).toEqual({ kind: "truncate" });
  expect(emulator.requests().map(({ status, fault }) => [status, fault])).toEqual([
    [null, "refuse"],
    [null, "reset-before"],
    [200, "truncate"],
    [204, "truncate"],
  ]);
});
