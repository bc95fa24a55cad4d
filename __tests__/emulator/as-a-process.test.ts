import { describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeUnderTest } from "../support/child.ts";
import { container } from "./client.ts";
import {
  children,
  cleanUpEach,
  CLI,
  folder,
  kill,
  send,
  start,
  startWithin,
} from "./started-process.ts";

cleanUpEach();

function scenario(text: string): string {
  writeFileSync(join(folder, "scenario.yml"), text);
  return "scenario.yml";
}

describe("the emulator as a process", () => {
  test.each([
    ["timescale: 2\n", "scenario.yml:1:1: ", 'did you mean "timeScale"'],
    ["profile: hostde\n", "scenario.yml:1:10: ", 'did you mean "hosted"'],
    [
      "faults:\n  - { route: GET /v2/deploymnts, kind: status }\n",
      "scenario.yml:2:",
      "did you mean",
    ],
    [
      "faults:\n  - { route: PUT /v2/deployments, kind: status }\n",
      "scenario.yml:2:",
      "takes no PUT; it takes POST, GET, DELETE",
    ],
    [
      "faults:\n  - { route: GET /api-host/v2/deployments, kind: status }\n",
      "scenario.yml:2:",
      'did you mean "/v2/deployments"?',
    ],
    [
      "faults:\n  - { route: GET /v2/deployments?limit=1, kind: status }\n",
      "scenario.yml:2:",
      'did you mean "/v2/deployments"?',
    ],
    ["clock: { manual: false }\n", "scenario.yml:1:18: ", "clock.manual"],
    [
      "seed: { files: [absent.yml] }\n",
      "scenario.yml:1:17: seed.files[0]: absent.yml was not found",
      "",
    ],
    ["seed: { deployments: [{ name: a, source: githb }] }\n", "scenario.yml:1:42: ", "github"],
    ["limits: 3\n", "scenario.yml:1:9: ", ""],
    ["seed: [\n", "scenario.yml:", ""],
  ])(
    "refuses the scenario %j with the place of the mistake, and does not start",
    async (text, place, hint) => {
      const { code, url, err } = await start("--scenario", scenario(text));
      expect([code, url]).toEqual([2, ""]);
      expect(err).toContain(place);
      expect(err).toContain(hint);
    },
  );

  test.each([
    [["--state", "absent/state.jsonl"], "folder of the state file absent/state.jsonl"],
    [["--host", "203.0.113.7"], "203.0.113.7 is not an address of this machine"],
  ])("reports what is wrong with %j, and does not start", async (flags, hint) => {
    const { code, url, err } = await start(...flags);
    expect([code, url]).toEqual([2, ""]);
    expect(err).toContain(hint);
  });

  test("is ready once it says so, and validates admin bodies by the same rules", async () => {
    const { url } = await start();
    expect((await send(url, "GET", "/_emulator/health")).status).toBe(200);
    expect((await send(url, "HEAD", "/")).status).toBe(200);
    for (const [path, body, hint] of [
      ["options", { timescale: 1 }, "timeScale"],
      ["faults", { route: "GET /v2/deployments", kind: "statu" }, "status"],
      ["revisions", { outcome: "deploy-faild" }, "deploy-failed"],
      ["seed", { deployment: [] }, "deployments"],
    ] as const) {
      const refused = await send(url, "POST", `/_emulator/${path}`, body);
      expect([path, refused.status]).toEqual([path, 422]);
      expect(refused.body.detail[0].msg).toContain(`did you mean "${hint}"`);
    }
    expect((await send(url, "GET", "/_emulator/faults")).body).toEqual([]);
  });

  test("refuses an admin request that would have no effect", async () => {
    const { url } = await start();
    for (const [method, path, body, hint] of [
      ["POST", "faults", { route: "PUT /v2/deployments", kind: "status" }, "takes no PUT"],
      ["POST", "options", { maskedSecrets: ["A"] }, "no effect without secretValues"],
      ["POST", "push", { repo_url: "https://x/y", ref: "main", commit: "zz" }, "not a commit"],
      ["POST", "reset", { everything: true }, "takes no keys"],
      ["GET", "state?all=true", undefined, "takes no parameters"],
      ["GET", "requests?fault=rest-after", undefined, 'did you mean "reset-after"'],
      ["GET", "requests?method=GTE", undefined, 'did you mean "GET"'],
      ["GET", "requests?replies=yes", undefined, "true or false"],
      ["GET", "requests/count?path=/v2/deploymnts", undefined, "did you mean"],
      ["POST", "requests/assert", { path: "/v2/deploymnts", count: 0 }, "did you mean"],
      ["POST", "requests/assert", { method: "POTS", count: 0 }, 'did you mean "POST"'],
      ["POST", "requests/assert", { min: 3, max: 1 }, "min is greater than max"],
      ["POST", "requests/assert", { count: 1, min: 1 }, "count goes by itself"],
    ] as const) {
      const refused = await send(url, method, `/_emulator/${path}`, body);
      expect([path, refused.status]).toEqual([path, 422]);
      expect(refused.body.detail[0].msg).toContain(hint);
    }
    // A path that no route has can be asked about once a request went there.
    await send(url, "GET", "/v2/deploymnts");
    const met = { path: "/v2/deploymnts", count: 1 };
    expect((await send(url, "POST", "/_emulator/requests/assert", met)).status).toBe(200);
  });

  test("lists, filters, counts and asserts requests over HTTP", async () => {
    const { url } = await start();
    const made = await send(url, "POST", "/v2/deployments", container({ name: "box" }));
    await send(url, "GET", `/v2/deployments/${made.body.id}`);
    await send(url, "GET", "/v2/deployments/none");
    const of = (query: string): Promise<{ readonly body: any }> =>
      send(url, "GET", `/_emulator/requests${query}`);
    expect((await of("")).body).toHaveLength(3);
    expect((await of("?method=POST")).body).toHaveLength(1);
    expect((await of("?path=/v2/deployments/{id}")).body).toHaveLength(2);
    expect((await of("/count?method=GET&status=200")).body).toEqual({ count: 1 });
    const assert = (body: object): Promise<{ readonly status: number }> =>
      send(url, "POST", "/_emulator/requests/assert", body);
    const create = { method: "POST", path: "/v2/deployments", body: { name: "box" } };
    expect((await assert({ ...create, count: 1 })).status).toBe(200);
    expect((await assert({ ...create, count: 2 })).status).toBe(417);
    expect((await assert({ method: "DELETE", min: 1 })).status).toBe(417);
  });

  test("is as strict as its profile: the hosted service requires what the document does not", async () => {
    const body = container({ name: "My_Agent" });
    const document = await start("--scenario", scenario("profile: document\n"));
    expect((await send(document.url, "POST", "/v2/deployments", body)).status).toBe(201);
    const hosted = await start("--scenario", scenario("profile: hosted\n"));
    expect((await send(hosted.url, "POST", "/v2/deployments", body)).status).toBe(400);
  });

  test("is strict with the flag or the scenario", async () => {
    for (const args of [["--strict"], ["--scenario", scenario("strict: true\n")]]) {
      const { url } = await start(...args);
      expect((await send(url, "GET", "/v2/deployments")).status).toBe(404);
    }
  });

  test("answers the reads of SDKs with and without /api/v1", async () => {
    const { url } = await start();
    for (const path of ["/sessions", "/api/v1/sessions", "/datasets", "/api/v1/datasets"])
      expect([path, (await send(url, "GET", path)).status]).toEqual([path, 200]);
  });

  test("keeps its state, compacts it while running, and does not share it with another process", async () => {
    const state = ["--state", "state.jsonl", "--scenario", scenario("limits: off\n")];
    const first = await start(...state);
    const made = await send(first.url, "POST", "/v2/deployments", container({ name: "box" }));
    const second = await start(...state);
    expect([second.code, second.err]).toEqual([
      2,
      expect.stringContaining(`in use by process ${first.child.pid}`),
    ]);
    const note = "x".repeat(50_000);
    for (let at = 0; at < 60; at += 1)
      await send(first.url, "PATCH", `/v2/deployments/${made.body.id}`, {
        secrets: [{ name: "NOTE", value: `${at} ${note}` }],
      });
    // Sixty writes of 50 KB; it holds the last of them.
    expect(statSync(join(folder, "state.jsonl")).size).toBeLessThan(2_000_000);
    await kill(first.child);
    expect(existsSync(join(folder, "state.jsonl.lock"))).toBe(true);
    const again = await start(...state);
    const live = await send(again.url, "GET", `/v2/deployments/${made.body.id}`);
    expect(live.body.secrets).toEqual([{ name: "NOTE", value: `59 ${note}` }]);
  });
});

test("a write that fails on disk is rejected, and those before and after it are kept", async () => {
  const { url, child } = await startWithin(64, "--state", "s");
  const create = async (name: string, chars = 10): Promise<number> => {
    const secrets = [{ name: "NOTE", value: "x".repeat(chars) }];
    return (await send(url, "POST", "/v2/deployments", container({ name, secrets }))).status;
  };
  const listed = async (from: string): Promise<string[]> => {
    const { body } = await send(from, "GET", "/v2/deployments");
    return body.resources.map(({ name }: { name: string }) => name).sort();
  };
  expect([await create("one"), await create("large", 70_000), await create("two")]).toEqual([
    201, 500, 201,
  ]);
  const large = { name: "large", source: "external_container", secrets: [] as object[] };
  large.secrets.push({ name: "NOTE", value: "x".repeat(70_000) });
  const seeded = await send(url, "POST", "/_emulator/seed", { deployments: [large] });
  expect([seeded.status, seeded.body.detail]).toEqual([
    500,
    expect.stringMatching(/^emulator error: EFBIG/),
  ]);
  expect(await listed(url)).toEqual(["one", "two"]);
  await kill(child);
  expect(await listed((await start("--state", "s")).url)).toEqual(["one", "two"]);
});

test("a state file is released when its process is killed, even if nobody reaped it", async () => {
  // The shell becomes a sleep, which never reaps the emulator that it has started.
  const script = `"$0" "$1" emulator --port 0 --state s & echo pid $!; exec sleep 100`;
  const parent = spawn("sh", ["-c", script, nodeUnderTest, CLI], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  children.push(parent);
  let out = "";
  await new Promise<void>((resolve) => {
    parent.stdout.on("data", (text: Buffer) => {
      out += String(text);
      if (/http:/.test(out) && /pid \d+\n/.test(out)) resolve();
    });
  });
  const pid = Number(/pid (\d+)/.exec(out)![1]);
  const second = await start("--state", "s");
  expect([second.code, second.err]).toEqual([
    2,
    expect.stringContaining(`in use by process ${pid}`),
  ]);
  process.kill(pid, "SIGKILL");
  const third = await start("--state", "s");
  expect([third.code, third.url]).toEqual([null, expect.stringMatching(/^http:/)]);
});

test.each([
  [["--host", "0.0.0.0"], true],
  [["--host", "127.0.0.1"], false],
  [["--host", "0.0.0.0", "--scenario", "s.yml"], false],
])(
  "%j, with or without a list of keys, warns that any key is accepted: %j",
  async (args, warns) => {
    writeFileSync(join(folder, "s.yml"), "apiKeys: [mine]\n");
    const { url, child, err } = await start(...args);
    expect(url).toMatch(/^http:/);
    let text = err;
    child.stderr!.on("data", (more: Buffer) => (text += String(more)));
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    await gone;
    expect(/0\.0\.0\.0 can be reached by others, and any key is taken/.test(text)).toBe(warns);
  },
);
